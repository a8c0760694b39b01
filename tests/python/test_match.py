"""scripts/match with python-chess as the runner, and the openings it starts from."""

import argparse
import math
import sys
import time

import chess
import chess.pgn
import pytest

from loading import BINARY, ROOT, load_script, run_here, run_script


@pytest.fixture(scope="module")
def match():
    return load_script("match")


def run(*arguments):
    return run_script("match", *arguments)


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


# Knows one game only. In its first search of all it does something else.
FAKE = """
import pathlib, sys, time
moves = ["g1f3", "g8f6", "f3g1", "f6g8"]
first = pathlib.Path({first!r})
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("id name fake\\nuciok")
    elif words == ["isready"]:
        print("readyok")
    elif words[:1] == ["position"]:
        played = len(words) - words.index("moves") - 1 if "moves" in words else 0
    elif words[:1] == ["go"]:
        if not first.exists():
            first.touch()
            {fault}
        print("bestmove", moves[played])
    elif words == ["quit"]:
        break
    sys.stdout.flush()
"""


def settings(tmp_path, **more):
    openings = tmp_path / "start.epd"
    openings.write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n", encoding="utf-8")
    given = {"tc": None, "movetime": 1.0, "nodes": None, "games": 4, "concurrency": 1, "openings": str(openings), "seed": 1}
    return argparse.Namespace(**{**given, **more})


HANG = "time.sleep(60)"
# What its answer is instead of a move.
ANSWER = "print({!r}, flush=True); continue"


@pytest.mark.parametrize(
    "fault, limit, told",
    [
        ("sys.exit(3)", {}, "crash of bad"),
        (HANG, {}, "timeout of bad"),
        (HANG, {"movetime": None, "nodes": 5}, "timeout of bad: no move in 2 s"),
        (HANG, {"movetime": None, "tc": (1.0, 1.0)}, "time forfeit of bad: no move in 3 s"),
        (ANSWER.format("bestmove 0000"), {}, "illegal move of bad: 0000"),
        (ANSWER.format("bestmove (none)"), {}, "illegal move of bad: none"),
        (ANSWER.format("bestmove"), {}, "illegal move of bad: none"),
        (ANSWER.format("bestmove e2e5"), {}, "illegal move or crash of bad"),
    ],
)
def test_an_engine_that_fails_loses_one_game(match, tmp_path, monkeypatch, fault, limit, told):
    monkeypatch.setattr(match, "MOST_PLIES", 4)
    monkeypatch.setattr(match, "ENGINE_TIMEOUT", 2)
    monkeypatch.setattr(match, "NODES_TIMEOUT", 2)
    engines = []
    for name, fault_of in [("bad", fault), ("good", "pass")]:
        script = tmp_path / f"{name}.py"
        script.write_text(FAKE.format(first=str(tmp_path / f"{name}.first"), fault=fault_of), encoding="utf-8")
        engines.append(match.Engine(name, [sys.executable, "-S", str(script)], []))
    pgn = tmp_path / "games.pgn"
    match.play_with_python(engines, settings(tmp_path, **limit), pgn)
    result = match.read_result(pgn, "bad")
    assert (result.wins, result.draws, result.losses) == (0, 3, 1)
    assert len(result.faults) == 1 and told in result.faults[0]


def test_games_that_are_done_are_kept_when_one_cannot_be_played(match, tmp_path, monkeypatch):
    begun = []

    def play_from(_opening, _engines, _limits, label):
        begun.append(label)
        time.sleep(0.5 if label == "2.1" else 0.02)
        if label == "2.1":
            raise RuntimeError("no engine")
        game = chess.pgn.Game()
        game.headers["Round"], game.headers["Termination"] = label, "normal"
        return game

    monkeypatch.setattr(match, "play_from", play_from)
    pgn = tmp_path / "games.pgn"
    with pytest.raises(RuntimeError, match="no engine"):
        match.play_with_python([None, None], settings(tmp_path, games=400), pgn)
    assert '[Round "1.1"]' in pgn.read_text(encoding="utf-8") and '[Round "1.2"]' in pgn.read_text(encoding="utf-8")
    assert len(begun) < 100


@pytest.mark.parametrize("runner", ["fastchess", "cutechess-cli"])
def test_runners_are_given_absolute_paths(match, tmp_path, monkeypatch, runner):
    """They start engines in another folder."""
    for name in "own.net", "engine.py":
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    told = []
    monkeypatch.setattr(match.subprocess, "run", lambda command, **_: told.extend(command) or argparse.Namespace(returncode=0))
    engine = match.Engine("a", [sys.executable, "engine.py", "-q"], [("EvalFile", "own.net"), ("Hash", "1")])
    match.play_with_runner(runner)([engine], settings(tmp_path), tmp_path / "games.pgn")
    assert f"option.EvalFile={tmp_path / 'own.net'}" in told and "option.Hash=1" in told
    if runner == "fastchess":
        assert f"args={tmp_path / 'engine.py'} -q" in told
    else:
        assert f"arg={tmp_path / 'engine.py'}" in told and "arg=-q" in told


def test_games_that_come_again_are_told_of(tmp_path):
    openings = tmp_path / "one.epd"
    openings.write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n", encoding="utf-8")
    common = [BINARY, BINARY, "--option", "Hash=1", "--nodes", 50, "--runner", "python", "--openings", openings]
    for games, is_told in (2, False), (4, True):
        done = run(*common, "--games", games, "--pgn", tmp_path / f"{games}.pgn")
        assert done.returncode == 0, done.stdout + done.stderr
        assert ("the same games come again" in done.stderr) == is_told


def test_nonsense_is_refused():
    wrong_numbers = [["--nodes", 0], ["--movetime", 0], ["--movetime", "nan"], ["--tc", "0+1"], ["--nodes", 5, "--concurrency", 0]]
    for wrong in [["--nodes", 5, "--games", 3], ["--tc", "soon"], ["--nodes", 5, "--tc", "1+1"], [], *wrong_numbers]:
        done = run(BINARY, BINARY, *wrong)
        assert done.returncode == 2 and "usage" in done.stderr
    assert run("", BINARY, "--nodes", 5).returncode == 2


def test_what_cannot_be_played_is_told_without_a_traceback(tmp_path):
    empty, garbage = tmp_path / "empty.epd", tmp_path / "garbage.epd"
    empty.write_text("\n", encoding="utf-8")
    garbage.write_text("1. e4 e5\n", encoding="utf-8")
    for engine, more, told in [
        (BINARY, ["--option1", "Foo=1"], "cassius Foo=1: engine does not support option Foo"),
        ("/bin/true", [], "true: engine process died"),
        (BINARY, ["--openings", empty], "there are no openings"),
        (BINARY, ["--openings", tmp_path / "none.epd"], "none.epd: No such file"),
        (BINARY, ["--openings", garbage], "'1. e4 e5' is no position"),
        (BINARY, ["--pgn", tmp_path / "none" / "a.pgn"], "there is no folder"),
    ]:
        done = run(engine, BINARY, "--nodes", 5, "--games", 2, "--runner", "python", "--pgn", tmp_path / "a.pgn", *more)
        assert done.returncode == 1 and done.stderr.startswith("match: ") and told in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


def test_a_path_may_hold_blanks(match, tmp_path):
    engine = tmp_path / "my engine"
    engine.touch()
    assert match.command(str(engine)) == [str(engine)]
    assert match.command("gnuchess --uci") == ["gnuchess", "--uci"]


def test_elo_and_its_bars(match):
    result = match.Result()
    result.wins, result.draws, result.losses = 40, 40, 20
    elo, low, high = result.elo()
    assert elo == pytest.approx(70.4, abs=0.1)
    assert low == pytest.approx(18.6, abs=0.2) and high == pytest.approx(125.6, abs=0.2)
    assert match.elo_of(1) == math.inf and match.elo_of(0) == -math.inf
    assert match.elo_of(0.5) == 0


def test_games_that_all_end_alike_tell_no_interval(match):
    engines = [match.Engine("a", [], []), match.Engine("b", [], [])]
    for counts, told in [((2, 0, 0), "+inf"), ((0, 2, 0), "+0"), ((0, 0, 2), "-inf")]:
        result = match.Result()
        result.wins, result.draws, result.losses = counts
        assert result.text(engines).endswith(f"\nElo difference {told} (no interval: all games ended alike)")


def test_openings_are_given_up_where_there_are_no_more(monkeypatch):
    openings = load_script("openings")
    monkeypatch.setattr(openings, "MOST_MISSES", 500)
    # After one ply there are twenty positions.
    done = run_here(openings.main, BINARY, "--nodes", 100, "--plies", 1, "--count", 25)
    assert done.returncode == 1 and "of 25 were found" in done.stderr
    lines = done.stdout.splitlines()
    assert 0 < len(lines) <= 20 and len(set(lines)) == len(lines)


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
    lines = (ROOT / "epd" / "openings.epd").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 200 and len(set(lines)) == len(lines)
    for line in lines:
        board, operations = chess.Board.from_epd(line)
        assert board.is_valid() and not operations and not board.is_check()
        assert board.legal_moves.count() > 1
