"""A short round of scripts/torture-files: runs that are killed, or that meet a full disk, lose and double nothing."""

from loading import BINARY, run_script


def test_runs_lose_and_double_nothing():
    done = run_script("torture-files", BINARY, "--kills", 3, "--work", 20, "--seed", 1, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("nothing lost, nothing doubled") == 3, done.stdout
