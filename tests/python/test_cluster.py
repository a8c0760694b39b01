"""scripts/cluster: parts on two workers, one of them killed, join to what the run in one piece makes."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from dask.distributed import Client, LocalCluster

from loading import BINARY, ROOT, SCRIPTS
from measuring.files import sha256

# The name of a player holds what some take for the end of a line.
GAMES = ['[White "A\u2028B"]\n\n1. e4 e5 2. Nf3 Nc6 *', "1. d4 d5 2. c4 Ke7 *", '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *', "1. c4 *"]


def run(folder, *command, code=0):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def cluster_command(*arguments):
    return [sys.executable, str(SCRIPTS / "cluster.py"), "--binary", BINARY, *arguments]


def suite_command(cluster, parts, *options, binary=BINARY):
    """The suite of some.epd in parts, by the workers of a cluster."""
    command = cluster_command("--binary", binary, "--scheduler", cluster.scheduler_address, "--parts", str(parts), "suite")
    return [*command, "some.epd", "--nodes", "100", "--hash", "1", "--json", "joined.json", *options]


def write_positions(folder, number, *more, suite="bk.epd"):
    """Writes some.epd: the first positions of a suite, and more lines."""
    lines = (ROOT / "epd" / suite).read_text(encoding="utf-8").splitlines()[:number]
    (folder / "some.epd").write_text("\n".join([*lines, *more, ""]), encoding="utf-8")


def own_network(folder):
    """A copy of the network."""
    return shutil.copyfile(ROOT / "networks" / "default.net", folder / "my.net")


def timeless(path):
    """The lines without times, and without how they were made."""

    def strip(value):
        if isinstance(value, dict):
            left_out = {"ms", "command", "commit", "date", "machine", "runs"}
            return {key: strip(it) for key, it in value.items() if key not in left_out}
        return value

    return [strip(json.loads(line)) for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")]


@pytest.fixture(name="cluster", scope="module")
def two_workers():
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


def delayed(folder, wait):
    """Cassius, but for its version only after a command of the shell has waited."""
    program = folder / "delayed"
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] || {wait}\nexec "{BINARY}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def run_and_kill_a_worker(cluster, folder, command, parts):
    """Kills a worker that is at work, as soon as a part is done; returns what the command said."""
    with (
        Client(cluster) as client,
        subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE) as runner,
    ):
        victim = None
        while victim is None and runner.poll() is None:
            busy = [address for address, tasks in client.processing().items() if tasks]
            if busy and list(parts.glob("*[0-9].json")):
                victim = next(worker for worker in cluster.workers.values() if worker.worker_address == busy[0])
            time.sleep(0.01)
        assert victim is not None, "too fast to be killed"
        os.kill(victim.pid, signal.SIGKILL)
        told = runner.communicate(timeout=100)[0].decode()
    assert runner.returncode == 0
    return told


def test_a_suite_outlives_a_worker(cluster, tmp_path):
    write_positions(tmp_path, 12, suite="wac.epd")
    arguments = ["some.epd", "--nodes", "300", "--hash", "1"]
    run(tmp_path, BINARY, "suite", *arguments, "--json", "whole.json")
    # Time to kill a worker while it is at work.
    slow = delayed(tmp_path, "sleep 0.4")
    command = cluster_command("--binary", slow, "--scheduler", cluster.scheduler_address, "--parts", "6", "suite", *arguments)
    full = [*command, "--json", "joined.json", "--csv", "joined.csv"]
    told = run_and_kill_a_worker(cluster, tmp_path, full, tmp_path / "joined.json.parts")
    assert "depth-first" in told
    assert timeless(tmp_path / "joined.json") == timeless(tmp_path / "whole.json")
    assert len((tmp_path / "joined.csv").read_text(encoding="utf-8").splitlines()) == 1 + 12
    assert not (tmp_path / "joined.json.parts").exists()
    # What is there is not replaced, and nothing is run for it.
    refused = run(tmp_path, *command, "--json", "joined.json", code=1)
    assert "use --overwrite" in refused.stderr


def test_a_suite_of_what_cannot_be_read_leaves_nothing(cluster, tmp_path):
    (tmp_path / "bad.epd").write_text("no position\n", encoding="utf-8")
    command = cluster_command("--scheduler", cluster.scheduler_address, "suite")
    for arguments, told in [
        (["none.epd", "--json", "out.json"], "none.epd: No such file"),
        (["bad.epd", "--json", "bad.epd", "--overwrite"], "would be read and written"),
        (["bad.epd", "--json", "out.json", "--jobs", "2"], "--jobs makes no sense"),
    ]:
        assert told in run(tmp_path, *command, *arguments, code=1).stderr
        assert [path.name for path in tmp_path.iterdir()] == ["bad.epd"]
    assert (tmp_path / "bad.epd").read_text(encoding="utf-8") == "no position\n"


def test_games_are_joined_in_their_order(cluster, tmp_path):
    (tmp_path / "some.pgn").write_text("\n\n".join(GAMES) + "\n", encoding="utf-8")
    arguments = ["some.pgn", "--nodes", "100", "--hash", "1"]
    whole = run(tmp_path, BINARY, "analyze", *arguments, "--json", "whole.json", "--csv", "whole.csv", code=1)
    command = cluster_command("--scheduler", cluster.scheduler_address, "--parts", "6", "analyze", *arguments)
    joined = run(tmp_path, *command, "--json", "joined.json", "--csv", "joined.csv", "--html", "joined.html", "--html-dir", "pages", code=1)
    assert timeless(tmp_path / "joined.json") == timeless(tmp_path / "whole.json")
    # It says the same, faults of the second game included.
    assert joined.stdout == whole.stdout
    assert "Ke7" in joined.stderr
    assert (tmp_path / "joined.html").stat().st_size > 0
    assert len(list((tmp_path / "pages").glob("game-*.html"))) == len(GAMES)


def test_a_folder_of_parts_is_of_one_run_at_a_time(cluster, tmp_path):
    write_positions(tmp_path, 1)
    # It works as soon as there is a file: until then no part is done.
    waiting = delayed(tmp_path, f'while [ ! -e "{tmp_path}/go" ]; do sleep 0.05; done')
    command = suite_command(cluster, 1, binary=waiting)
    parts = tmp_path / "joined.json.parts"
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as runner:
        try:
            while not (parts / "run.json").exists() and runner.poll() is None:
                time.sleep(0.01)
            for more in [], ["--resume"], ["--overwrite"]:
                assert "another run is at work on it" in run(tmp_path, *command, *more, code=1).stderr
            assert (parts / "run.json").exists()
        finally:
            (tmp_path / "go").touch()
        assert runner.wait(timeout=60) == 0
    assert (tmp_path / "joined.json").exists() and not parts.exists()


def test_a_network_is_named_by_its_whole_path(cluster, tmp_path):
    write_positions(tmp_path, 1)
    network = own_network(tmp_path)
    command = suite_command(cluster, 1, "--search")
    for search in "depth-first:EvalFile=my.net", "alpha-beta,depth-first:Hash=1:evalfile = my.net":
        refused = run(tmp_path, *command, search, code=1).stderr
        assert f"give the whole path, {search.rpartition(':')[2].split('=')[0]}={network}" in refused
        assert not (tmp_path / "joined.json.parts").exists()
    run(tmp_path, *command, f"depth-first:EvalFile={network},alpha-beta:EvalFile=<empty>")
    assert len(timeless(tmp_path / "joined.json")) == 3


def test_an_engine_is_named_by_its_whole_path(cluster, tmp_path):
    write_positions(tmp_path, 1)
    (tmp_path / "my-engine").symlink_to(BINARY)
    command = suite_command(cluster, 1)
    for engine in ["--engine", "./my-engine"], ["--engine=./my-engine uci"]:
        assert f"give the whole path, --engine {tmp_path / 'my-engine'}" in run(tmp_path, *command, *engine, code=1).stderr
        assert not (tmp_path / "joined.json.parts").exists()
    run(tmp_path, *command, "--engine", str(tmp_path / "my-engine"))
    assert len(timeless(tmp_path / "joined.json")) == 3


def test_a_run_does_not_go_on_with_another_network(cluster, tmp_path):
    write_positions(tmp_path, 2)
    network = own_network(tmp_path)
    command = suite_command(cluster, 2, "--search", f"depth-first:EvalFile={network}")
    # The parts are there, and cannot be joined.
    (tmp_path / "joined.json").mkdir()
    run(tmp_path, *command, code=1)
    (tmp_path / "joined.json").rmdir()
    contents = bytearray(network.read_bytes())
    contents[-1] ^= 1
    network.write_bytes(contents)
    assert "other files" in run(tmp_path, *command, "--resume", code=1).stderr


def test_flaws_of_parts_done_before_are_not_forgotten(cluster, tmp_path):
    write_positions(tmp_path, 2, "no position")
    run(tmp_path, BINARY, "suite", "some.epd", "--nodes", "100", "--hash", "1", "--json", "whole.json", code=1)
    command = suite_command(cluster, 2)
    # The parts are there, and cannot be joined.
    (tmp_path / "joined.json").mkdir()
    assert "some.epd:3: expected four fields" in run(tmp_path, *command, code=1).stderr
    (tmp_path / "joined.json").rmdir()
    assert "done before have flaws" in run(tmp_path, *command, "--resume", code=1).stderr
    assert timeless(tmp_path / "joined.json") == timeless(tmp_path / "whole.json")


def test_workers_of_its_own_fill_a_folder(tmp_path):
    arguments = ["--games", "1", "--nodes", "30", "--shards", "0..3"]
    run(tmp_path, BINARY, "lab", "selfplay", "whole", *arguments)
    run(tmp_path, *cluster_command("--workers", "2", "selfplay", "joined", *arguments))
    whole, joined = ({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("whole", "joined"))
    assert sorted(whole) == ["games-00000.viri", "games-00001.viri", "games-00002.viri", "manifest.json", "recipe.json"]
    assert joined == whole


def test_what_was_done_is_not_done_again(cluster, tmp_path):
    write_positions(tmp_path, 2)
    arguments = ["suite", "some.epd", "--nodes", "300", "--hash", "1", "--json", "joined.json"]
    command = cluster_command("--scheduler", cluster.scheduler_address)
    parts = tmp_path / "joined.json.parts"

    wrong = run(tmp_path, *command, *arguments, "--search", "depth-frist", code=1)
    assert "depth-frist" in wrong.stderr and not parts.exists()

    # A run that was stopped after its first part. There are more parts than positions.
    run(tmp_path, BINARY, *arguments[:-2], "--shard", "1/3", "--json", "part.json")
    version = run(tmp_path, BINARY, "--version").stdout.strip()
    parts.mkdir()
    (tmp_path / "part.json").rename(parts / "00001.json")
    files = {"some.epd": sha256(tmp_path / "some.epd")}
    settings = {"version": version, "files": files, "options": ["--nodes", "300", "--hash", "1"], "parts": 3}
    (parts / "run.json").write_text(json.dumps(settings), encoding="utf-8")
    before = (parts / "00001.json").read_text(encoding="utf-8").splitlines()[1]
    assert "--resume" in run(tmp_path, *command, *arguments, code=1).stderr
    other = [*arguments[:3], "400", *arguments[4:], "--resume"]
    assert "another run" in run(tmp_path, *command, *other, code=1).stderr
    run(tmp_path, *command, *arguments, "--resume")
    assert before in (tmp_path / "joined.json").read_text(encoding="utf-8").splitlines(), "times included"
