"""A short round of scripts/torture-files: runs that are killed, or that meet a full disk, lose and double nothing."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("CASSIUS_BIN", str(ROOT / "target" / "release" / "cassius"))


def test_runs_lose_and_double_nothing():
    command = [sys.executable, str(ROOT / "scripts" / "torture-files"), BINARY, "--kills", "3", "--work", "20", "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("nothing lost, nothing doubled") == 3, done.stdout
