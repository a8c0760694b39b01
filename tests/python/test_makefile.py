"""How match runners build: `make EXE=... CC=... ARCH=... EVALFILE=...`. What the environment has by these names does not count."""

import os
import shutil
import subprocess

import pytest

from loading import ROOT


@pytest.fixture(name="make")
def make_with_a_cargo_that_tells_what_it_would_build(tmp_path):
    if shutil.which("make") is None:
        pytest.skip("no make on the PATH")
    cargo = tmp_path / "cargo"
    engine = tmp_path / "target" / "release" / ("cassius" + (".exe" if os.name == "nt" else ""))
    engine.parent.mkdir(parents=True)
    cargo.write_text(
        f'#!/bin/sh\necho "flags: $RUSTFLAGS"\necho "network: $CASSIUS_EVALFILE"\necho engine >"{engine}"\n', encoding="utf-8"
    )
    cargo.chmod(0o755)

    def make(*arguments):
        environment = {
            **os.environ,
            "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
            "CARGO_TARGET_DIR": str(tmp_path / "target"),
            "RUSTFLAGS": "",
            "ARCH": "x86_64",
            "EVALFILE": "of-the-environment.net",
            "CASSIUS_EVALFILE": "",
        }
        command = ["make", "-s", "-j", "-C", str(ROOT), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
        return dict(line.split(":", 1) for line in done.stdout.splitlines() if ":" in line)

    return make


def test_only_the_command_line_chooses_a_processor(make):
    assert make("bench")["flags"].split() == []
    assert make("bench", "ARCH=native")["flags"].split() == ["-C", "target-cpu=native"]


def test_only_the_command_line_chooses_a_network(make):
    assert make("bench")["network"].strip() == ""
    assert make("bench", "EVALFILE=networks/other.net")["network"].strip() == str(ROOT / "networks" / "other.net")
    assert make("bench", "EVALFILE=/a folder/other.net")["network"].strip() == "/a folder/other.net"


def test_the_engine_gets_the_name_asked_for(make, tmp_path):
    make(f"EXE={tmp_path / 'Cassius-0123ABCD'}", "CC=clang")
    assert (tmp_path / "Cassius-0123ABCD").read_text(encoding="utf-8") == "engine\n"
