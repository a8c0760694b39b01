"""Games that another engine judges: `cassius analyze --engine` against python-chess, which asks the same engine."""

import json
import math
import shutil
import subprocess

import chess
import chess.engine
import chess.pgn
import pytest

from loading import BINARY, ROOT

GAME = ROOT / "docs" / "opera-game.pgn"
NODES = 40_000
# Debian puts games where the PATH of a service may not lead.
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")

pytestmark = pytest.mark.skipif(STOCKFISH is None, reason="no stockfish on the PATH or in /usr/games")


def points(score):
    """The points that a side can expect, by the model of src/wdl.rs."""
    if score.is_mate():
        return 1.0 if score.mate() > 0 else 0.0
    win, loss = (1 / (1 + math.exp((144 - cp) / 189)) for cp in (score.score(), -score.score()))
    return win + (1 - win - loss) / 2


def costs_by_python_chess():
    """What each move of the game costs, by searches of the position before it and of that after it."""
    with open(GAME) as file:
        game = chess.pgn.read_game(file)
    values, best = [], []
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH) as engine:
        engine.configure({"Threads": 1, "Hash": 64})
        for node in reversed([game, *game.mainline()]):
            board = node.board()
            if board.is_checkmate():
                values.append(0.0)
                best.append(None)
                continue
            info = engine.analyse(board, chess.engine.Limit(nodes=NODES), game=game)
            values.append(points(info["score"].pov(board.turn)))
            best.append(info["pv"][0])
    values.reverse()
    best.reverse()
    moves = list(game.mainline_moves())
    return [
        0.0 if move == best[ply] else max(0.0, values[ply] - (1 - values[ply + 1])) for ply, move in enumerate(moves)
    ]


def correlation(a, b):
    means = [sum(it) / len(it) for it in (a, b)]
    a, b = ([value - mean for value in it] for it, mean in zip((a, b), means))
    return sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def test_costs_are_those_of_the_engine(tmp_path):
    record = tmp_path / "game.json"
    command = [BINARY, "analyze", GAME, "--engine", STOCKFISH, "--engine-nodes", str(NODES), "--nodes", "500"]
    subprocess.run([*command, "--json", record], check=True, capture_output=True)
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert "stockfish" in lines[0]["engine"]["name"].lower()
    rows = [line for line in lines if line["kind"] == "position"]
    expected, found = costs_by_python_chess(), [row["cost"] for row in rows]
    assert len(expected) == len(found) == 33
    # A quarter of the nodes where nothing is doubtful, up to four times as many where something is.
    assert correlation(expected, found) >= 0.9, list(zip(expected, found))
    assert sum(abs(x - y) for x, y in zip(expected, found)) / len(found) <= 0.02
    # Lines can be played, and begin with the best move.
    for row in rows:
        board = chess.Board(row["fen"])
        assert board.parse_uci(row["best"]["uci"]) == board.parse_san(row["best"]["san"])
        words = [word for word in row["line"].split() if not word[0].isdigit()]
        for word in words:
            board.push_san(word)
        assert words[0] == row["best"]["san"]
        assert row["own"]["best"] is not None
