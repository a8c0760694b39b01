"""`make ARCH=native` builds for this processor; an ARCH that the machine has in its environment does not count."""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("make") is None, reason="no make on the PATH")
def test_only_the_command_line_chooses_a_processor(tmp_path):
    # A cargo that tells what it would build with.
    cargo = tmp_path / "cargo"
    cargo.write_text('#!/bin/sh\necho "flags: $RUSTFLAGS"\n', encoding="utf-8")
    cargo.chmod(0o755)

    def flags(*arguments):
        path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "ARCH": "x86_64", "RUSTFLAGS": ""}
        command = ["make", "-s", "-C", str(ROOT), "bench", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
        return next(line for line in done.stdout.splitlines() if line.startswith("flags:"))

    assert flags().split() == ["flags:"]
    assert flags("ARCH=native").split() == ["flags:", "-C", "target-cpu=native"]
