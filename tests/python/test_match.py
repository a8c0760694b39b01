"""scripts/match with python-chess as the runner, and the openings it starts from."""

import importlib.machinery
import importlib.util
import math
import pathlib
import subprocess
import sys

import chess
import chess.pgn
import pytest

from test_client import BINARY, ROOT

MATCH = ROOT / "scripts" / "match"


@pytest.fixture(scope="module")
def match():
    loader = importlib.machinery.SourceFileLoader("match", str(MATCH))
    spec = importlib.util.spec_from_loader("match", loader)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def run(*arguments):
    command = [sys.executable, str(MATCH), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_two_games_are_played_counted_and_kept(tmp_path):
    pgn = tmp_path / "games.pgn"
    done = run(
        BINARY, BINARY, "--option2", "Search=alpha-beta", "--option", "Hash=1",
        "--nodes", 200, "--games", 2, "--runner", "python", "--pgn", pgn,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "of 2 (" in done.stdout and "Elo difference " in done.stdout
    assert "fault" not in done.stdout
    with pgn.open(encoding="utf-8") as file:
        first, second = chess.pgn.read_game(file), chess.pgn.read_game(file)
        assert chess.pgn.read_game(file) is None
    assert first.headers["FEN"] == second.headers["FEN"]
    assert first.headers["White"] == second.headers["Black"] != first.headers["Black"]
    for game in first, second:
        assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2") and not game.errors
    # Games are never mixed with those of another match.
    assert run(BINARY, BINARY, "--nodes", 1, "--pgn", pgn).returncode != 0


def test_games_that_come_again_are_told_of(tmp_path):
    openings = tmp_path / "one.epd"
    openings.write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n", encoding="utf-8")
    common = [BINARY, BINARY, "--option", "Hash=1", "--nodes", 50, "--runner", "python", "--openings", openings]
    for games, is_told in (2, False), (4, True):
        done = run(*common, "--games", games, "--pgn", tmp_path / f"{games}.pgn")
        assert done.returncode == 0, done.stdout + done.stderr
        assert ("the same games come again" in done.stderr) == is_told


def test_nonsense_is_refused():
    for wrong in [["--nodes", 5, "--games", 3], ["--tc", "soon"], ["--nodes", 5, "--tc", "1+1"], []]:
        done = run(BINARY, BINARY, *wrong)
        assert done.returncode == 2 and "usage" in done.stderr


def test_elo_and_its_bars(match):
    result = match.Result()
    result.wins, result.draws, result.losses = 40, 40, 20
    elo, low, high = result.elo()
    assert elo == pytest.approx(70.4, abs=0.1)
    assert low == pytest.approx(18.6, abs=0.2) and high == pytest.approx(125.6, abs=0.2)
    assert match.elo_of(1) == math.inf and match.elo_of(0) == -math.inf
    assert match.elo_of(0.5) == 0


def test_faults_are_told_apart(match, tmp_path):
    pgn = tmp_path / "games.pgn"
    games = [
        ("a", "b", "1-0", "time forfeit"),
        ("b", "a", "1-0", "normal"),
        ("a", "b", "1/2-1/2", "adjudication"),
        ("b", "a", "*", "unterminated"),
    ]
    text = "".join(
        f'[Event "?"]\n[Round "1"]\n[White "{white}"]\n[Black "{black}"]\n'
        f'[Result "{result}"]\n[Termination "{end}"]\n\n1. e4 {result}\n\n'
        for white, black, result, end in games
    )
    pgn.write_text(text, encoding="utf-8")
    result = match.read_result(pgn, "a")
    assert (result.wins, result.draws, result.losses) == (1, 1, 1)
    assert result.faults == ["round 1: time forfeit"]


def test_openings_are_positions_to_play_from():
    lines = (pathlib.Path(ROOT) / "epd" / "openings.epd").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 200 and len(set(lines)) == len(lines)
    for line in lines:
        board, operations = chess.Board.from_epd(line)
        assert board.is_valid() and not operations and not board.is_check()
        assert board.legal_moves.count() > 1
