"""scripts/speculation: what each version is told to do, how games are counted, and where the outcome goes."""

import argparse
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys

import pytest

from test_client import BINARY, ROOT

SCRIPT = ROOT / "scripts" / "speculation"
GAME = '[White "a"]\n[FEN "{fen} 0 1"]\n[Result "{result}"]\n\n1. e4 {{+0.1}} e5 {{x}}\n2. {last} {result}\n\n'


@pytest.fixture(scope="module")
def speculation():
    # It finds there what scripts share.
    sys.path.insert(0, str(SCRIPT.parent))
    loader = importlib.machinery.SourceFileLoader("speculation", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("speculation", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def test_each_version_has_its_value(speculation):
    assert speculation.options_of("plain", 30) == []
    values = {"support": "true", "support control": "control", "max-cn": "maxcn", "max-cn control": "maxcn-control"}
    for version, value in values.items():
        options = [f"Speculative Play={value}", "Speculation Margin=40"]
        assert speculation.options_of(version, 40) == options


def test_games_are_read_with_points_and_moves(speculation, tmp_path):
    pgn = tmp_path / "games.pgn"
    assert speculation.read_games(pgn) == {}
    games = [
        GAME.format(fen="a w - -", result="1-0", last="Nf3"),
        GAME.format(fen="b w - -", result="1/2-1/2", last="Nc3"),
        GAME.format(fen="c w - -", result="*", last="Nc3"),
    ]
    pgn.write_text("".join(games), encoding="utf-8")
    expected = {"a w - -": (1.0, ["e4", "e5", "Nf3"]), "b w - -": (0.5, ["e4", "e5", "Nc3"])}
    assert speculation.read_games(pgn) == expected


# Stands in for the match runner: White wins every game by its first move.
RUNNER = """#!{python}
import pathlib, sys
opening = next(it for it in sys.argv if it.endswith("positions.epd")).removeprefix("file=")
games = next(it for it in sys.argv if it.endswith("games.pgn")).removeprefix("file=")
with open(games, "a", encoding="utf-8") as file:
    for fen in pathlib.Path(opening).read_text(encoding="utf-8").splitlines():
        file.write(f'[FEN "{{fen}} 0 1"]\\n[Result "1-0"]\\n\\n1. e4 1-0\\n\\n')
"""


@pytest.fixture(name="play")
def played_by_a_stand_in(tmp_path):
    """Runs the script with a match runner that plays nothing."""
    runner = tmp_path / "bin" / "fastchess"
    runner.parent.mkdir()
    runner.write_text(RUNNER.format(python=sys.executable), encoding="utf-8")
    runner.chmod(0o755)
    path = f"{runner.parent}{os.pathsep}{os.environ['PATH']}"

    def play(*arguments):
        command = [sys.executable, str(SCRIPT), BINARY, "--opponent", BINARY, "--games", "2", "--rules"]
        return subprocess.run(
            [*command, *map(str, arguments)], env={**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True, text=True, timeout=60, check=False,
        )

    return play


def test_a_folder_holds_games_of_the_same_settings(play, tmp_path):
    folder = tmp_path / "games"
    for _ in range(2):
        done = play("--folder", folder)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("plain\t2\t0\t0\t100.0\t+1200 (no interval")
    done = play("--folder", folder, "--margin", 60)
    assert done.returncode == 1 and "margin 30 instead of 60; choose another --folder" in done.stderr
    (folder / "settings.json").unlink()
    done = play("--folder", folder)
    assert done.returncode == 1 and "choose another --folder" in done.stderr


def test_where_the_outcome_cannot_go_is_told_before_a_game(play, tmp_path):
    there, nowhere, folder = tmp_path / "out.json", tmp_path / "none" / "out.json", tmp_path / "games"
    there.write_text("mine", encoding="utf-8")
    for file, told in [(nowhere, "there is no folder"), (there, "is there already")]:
        done = play("--folder", folder, "--json", file)
        assert done.returncode == 1 and told in done.stderr
        assert done.stdout == "" and not folder.exists()
    assert there.read_text(encoding="utf-8") == "mine"
    there.unlink()
    assert play("--folder", folder, "--json", there).returncode == 0
    assert json.loads(there.read_text(encoding="utf-8"))["tables"][0]["rows"][0][:2] == ["plain", 2]


def test_an_outcome_that_cannot_be_written_is_told_all_the_same(speculation, play, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "games"
    assert play("--folder", folder).returncode == 0

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(speculation, "write_new", full)
    monkeypatch.setattr(speculation.shutil, "which", str)
    arguments = ["--opponent", BINARY, "--games", "2", "--folder", str(folder), "--json", str(tmp_path / "out.json"), "--rules"]
    monkeypatch.setattr(sys, "argv", ["speculation", BINARY, *arguments])
    with pytest.raises(OSError):
        speculation.main()
    assert capsys.readouterr().out.startswith("plain\t2\t0\t0\t")


def test_a_version_is_compared_with_plain_and_with_its_control(speculation, monkeypatch):
    games = {
        "plain": {"a": (1.0, ["e4"]), "b": (0.0, ["d4"])},
        "max-cn control": {"a": (0.5, ["e3"]), "b": (0.0, ["d4"])},
        "max-cn": {"a": (0.5, ["e3"]), "b": (1.0, ["d3"])},
    }
    monkeypatch.setattr(speculation, "version", lambda _: {"cassius": "0", "commit": "0"})
    args = argparse.Namespace(cassius="c", opponent="o", level=None, nodes=1, opponent_nodes=1, margin=30)
    table = speculation.describe(args, games, ["a", "b"], 1.0)["tables"][0]
    names = [column["name"] for column in table["columns"]]
    assert all(len(row) == len(names) for row in table["rows"])
    plain, control, rule, controls = (dict(zip(names, row)) for row in table["rows"])
    assert [plain[it] for it in ("won", "drawn", "lost", "points, %")] == [1, 0, 1, 50.0]
    assert (control["games unlike plain"], control["half points saved in 100 games"]) == (1, -50.0)
    assert control["against the control"] is None
    assert plain["Elo against the opponent, 95% interval"].startswith("+0 [")
    assert (rule["half points saved in 100 games"], rule["against the control"]) == (50.0, 100.0)
    assert (rule["games unlike plain"], rule["games unlike the control"]) == (2, 1)
    assert (controls["version"], controls["half points saved in 100 games"]) == ("all controls", -50.0)
