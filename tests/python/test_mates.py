"""Mates found are real: each one announced over a file of positions is replayed to mate.

Every third position is searched, with 5,000 nodes; with `CASSIUS_MATE_NODES` all are, with so many. With `-s` the number of mates
found is shown.
"""

import itertools
import os
import pathlib

import chess
import chess.engine
import pytest

from loading import BINARY, ROOT

SHARED = pathlib.Path(os.environ.get("CASSIUS_SHARED", ROOT.parent / "shared"))
NODES = int(os.environ.get("CASSIUS_MATE_NODES", "5000"))
STRIDE = 1 if "CASSIUS_MATE_NODES" in os.environ else 3


def positions(path):
    """The positions of a file, each with its distance to mate in moves if the file has it."""
    with open(path) as file:
        for text in file:
            board = chess.Board()
            operations = board.set_epd(text)
            yield board, operations.get("dm")


def replay(board, info):
    """Plays the line of a mate score: it must end in mate, and at the announced distance if that is
    said to be exact."""
    score = info["score"].relative
    line = board.copy()
    for move in info["pv"]:
        assert move in line.legal_moves, (board.fen(), info)
        line.push(move)
    if {"lowerbound", "upperbound"} & info.keys():
        return False
    plies = 2 * score.mate() - 1 if score.mate() > 0 else -2 * score.mate()
    assert line.is_checkmate(), (board.fen(), info)
    assert len(info["pv"]) == plies, (board.fen(), info)
    return True


@pytest.mark.parametrize("search", ["depth-first", "alpha-beta", "depth-first in analysis"])
@pytest.mark.parametrize(
    "path", [ROOT / "epd" / "wac.epd", SHARED / "epd" / "mates500.epd"], ids=lambda path: path.stem
)
def test_every_mate_is_replayed_to_mate(path, search):
    if not path.exists():
        pytest.skip(f"{path} is not here")
    mated = bounds = 0
    with chess.engine.SimpleEngine.popen_uci(BINARY, timeout=20) as engine:
        name, *in_analysis = search.split(maxsplit=1)
        engine.configure({"Search": name, "UCI_AnalyseMode": bool(in_analysis)})
        for board, distance in itertools.islice(positions(path), 0, None, STRIDE):
            last = None
            with engine.analysis(board, chess.engine.Limit(nodes=NODES), game=object()) as analysis:
                for info in analysis:
                    score = info.get("score")
                    if score is None or not score.relative.is_mate():
                        continue
                    last = info if replay(board, info) else None
                    bounds += last is None
                    moves = score.relative.mate()
                    # "At least mated in three" promises the winner nothing.
                    promised = ("lowerbound" if moves < 0 else "upperbound") not in info
                    if distance is not None and promised:
                        # Proven can be more moves than it takes, never fewer, and never the other side.
                        assert (moves > 0) == (distance > 0), (board.fen(), info)
                        assert abs(moves) >= abs(distance), (board.fen(), info)
                        # In analysis one that is no bound is the shortest.
                        if in_analysis and not {"lowerbound", "upperbound"} & info.keys():
                            assert moves == distance, (board.fen(), info)
            mated += last is not None
    print(f"\n{path.stem}, {search}, {NODES} nodes: {mated} mates, {bounds} bounds on the way")
    assert mated > 0
