"""scripts/speculation: what each version is told to do, and how games are counted."""

import argparse
import importlib.machinery
import importlib.util
import pathlib
import sys

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "speculation"
GAME = '[White "a"]\n[FEN "{fen} 0 1"]\n[Result "{result}"]\n\n1. e4 {{+0.1}} e5 {{x}}\n2. {last} {result}\n\n'


@pytest.fixture(scope="module")
def speculation():
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


def test_a_folder_holds_games_of_the_same_settings(speculation, tmp_path):
    settings = {"commit": "0", "nodes": 100, "margin": 30}
    folder = tmp_path / "games"
    speculation.claim(folder, settings)
    speculation.claim(folder, settings)
    with pytest.raises(SystemExit, match="margin 30 instead of 60; choose another --folder"):
        speculation.claim(folder, {**settings, "margin": 60})
    (tmp_path / "old" / "plain").mkdir(parents=True)
    (tmp_path / "old" / "plain" / "games.pgn").write_text("", encoding="utf-8")
    with pytest.raises(SystemExit, match="choose another --folder"):
        speculation.claim(tmp_path / "old", settings)


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
    assert (rule["half points saved in 100 games"], rule["against the control"]) == (50.0, 100.0)
    assert (rule["games unlike plain"], rule["games unlike the control"]) == (2, 1)
    assert (controls["version"], controls["half points saved in 100 games"]) == ("all controls", -50.0)
