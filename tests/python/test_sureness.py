"""scripts/sureness: its statistics against known answers, and all of it end to end."""

import importlib.machinery
import importlib.util
import math
import subprocess
import sys

import pytest

from test_client import BINARY, ROOT

SCRIPT = ROOT / "scripts" / "sureness"
GAME = '[Event "?"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'


@pytest.fixture(scope="module")
def sureness():
    loader = importlib.machinery.SourceFileLoader("sureness", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("sureness", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def run(*arguments):
    command = [sys.executable, str(SCRIPT), BINARY, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_equal_numbers_share_a_rank(sureness):
    assert sureness.ranks([5, 1, 5, math.inf]) == [1.5, 0, 1.5, 3]
    assert sureness.ranks([]) == []


def test_correlations_of_known_pairs(sureness):
    assert sureness.spearman([(1, 10), (2, 20), (3, 400)]) == pytest.approx(1)
    assert sureness.spearman([(1, 3), (2, 2), (3, 1)]) == pytest.approx(-1)
    # Ranks 0 1 2 3 4 against 1 0 3 2 4: squares of differences 4, so 1 - 6 * 4 / (5 * 24).
    pairs = list(zip([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]))
    assert sureness.spearman(pairs) == pytest.approx(0.8)
    assert math.isnan(sureness.spearman([(1, 1), (1, 2)]))
    rho, low, high = sureness.correlation([[pair] for pair in pairs * 8], 1)
    assert rho == pytest.approx(0.8) and 0.4 < low < rho < high <= 1


def test_what_became_of_a_value(sureness):
    def row(cp=None, mate=None, best="e4", **told):
        return {"cp": cp, "mate": mate, "best": best, "confidence": 2, **told}

    fell = sureness.Position("1", row(20, margin_lower=3), row(-30, best="d4"))
    outcomes = [fell.outcome(name, 50) for name in sureness.OUTCOMES]
    assert outcomes == [1, 0, 50, 1]
    assert fell.number("worse") == 3 and fell.number("better") == math.inf
    mated = sureness.Position("1", row(20), row(mate=-3))
    assert mated.is_open and mated.outcome("how far", 50) == 3020
    assert not sureness.Position("1", row(mate=1), row(mate=1)).is_open


def test_positions_of_games_and_lists_are_told(tmp_path):
    pgn, epd = tmp_path / "games.pgn", tmp_path / "more.epd"
    pgn.write_text(GAME, encoding="utf-8")
    epd.write_text("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5;\n", encoding="utf-8")
    folder = tmp_path / "kept"
    asked = [pgn, epd, "--nodes", 300, "--factor", 4, "--hash", 4, "--folder", folder]
    first = run(*asked)
    assert first.returncode == 0, first.stderr
    # Of the seven positions of the game the last one is a mate in one.
    assert first.stdout.startswith("7 positions of 2 games, 300 and 1200 nodes, margin 50 centipawns\n")
    for column in ["worse", "better", "other", "MaxCN", "confidence", "±"]:
        assert f"| {column} |" in first.stdout
    # What is kept is not analysed again.
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert run(*asked).stdout == first.stdout
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == kept


def test_nonsense_is_refused(tmp_path):
    for wrong in [["--nodes", 0], ["--margin", "half"], []]:
        done = run(*wrong)
        assert done.returncode == 2 and "usage" in done.stderr
    assert run(tmp_path / "nothing.pgn").returncode == 1
