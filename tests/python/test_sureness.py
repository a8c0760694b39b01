"""scripts/sureness: its statistics against known answers, and all of it end to end."""

import math
import os
import sys

import pytest

from loading import BINARY, load_script, run_script

# The name of a player holds what Python takes for the end of a line.
GAME = '[White "A\u2028B\u0085C"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'


@pytest.fixture(scope="module")
def sureness():
    return load_script("sureness")


def run(*arguments):
    return run_script("sureness", BINARY, *arguments)


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
    # One game is no sample of games.
    rho, low, high = sureness.correlation([pairs], 1)
    assert rho == pytest.approx(0.8) and math.isnan(low) and math.isnan(high)


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


def test_positions_are_paired_by_their_place(sureness):
    first, second = {(1, 0): ("a", "b"), (3, 0): ("c", "d")}, {(3, 0): ("c", "e"), (1, 0): ("a", "f")}
    assert sureness.pairs(first, second) == [("a", "b", "f"), ("c", "d", "e")]
    del second[3, 0]
    with pytest.raises(sureness.Trouble, match="only one analysis has ply 0 of game 3"):
        sureness.pairs(first, second)


def test_an_analysis_that_gave_up_is_not_told_of(tmp_path):
    pgn, folder = tmp_path / "games.pgn", tmp_path / "kept"
    # A game with a fault is no reason to give up.
    pgn.write_text(GAME + "\n1. e4 e5 2. Ke3 *\n", encoding="utf-8")
    asked = [pgn, "--nodes", 100, "--factor", 2, "--hash", 1, "--folder", folder]
    assert run(*asked).returncode == 0
    engine = tmp_path / "engine"
    engine.write_text('#!/bin/sh\necho "cassius: the disk is full" >&2\nexit 1\n', encoding="utf-8")
    engine.chmod(0o755)
    done = run_script("sureness", engine, *asked, timeout=60)
    assert done.returncode == 1 and done.stdout == ""
    assert "the disk is full" in done.stderr and "failed with 1" in done.stderr


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


def test_a_folder_is_for_the_same_draw(tmp_path):
    epd = tmp_path / "some.epd"
    epd.write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/4p3/8/8/8/8/8/4K3 b - -\n", encoding="utf-8")
    folder = tmp_path / "kept"
    asked = [epd, "--nodes", 300, "--factor", 2, "--hash", 1, "--folder", folder]
    first = run(*asked)
    assert first.returncode == 0, first.stderr
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    refused = [run(*asked, *more) for more in (["--seed", 2], ["--positions", 1], ["--margin", 30])]
    epd.write_text(epd.read_text(encoding="utf-8").replace("4P3", "3P4"), encoding="utf-8")
    refused.append(run(*asked))
    for done, name in zip(refused, ["seed 1", "positions 200", "margin 50", "files ['some.epd"]):
        assert done.returncode == 1 and done.stdout == "", done.stdout
        assert f"it was made with {name}" in done.stderr and "choose another --folder" in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == kept
    # Of a folder without settings nobody knows what was drawn.
    (folder / "settings.json").unlink()
    assert "nobody knows" in run(*asked).stderr


def test_positions_are_all_drawn_or_none(sureness, tmp_path, monkeypatch):
    epd = tmp_path / "some.epd"
    epd.write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n", encoding="utf-8")
    folder = tmp_path / "kept"
    monkeypatch.setattr(sys, "argv", ["sureness", BINARY, str(epd), "--folder", str(folder)])

    def killed(_, target):
        if target.name == "positions.pgn":
            raise KeyboardInterrupt
        return replace(_, target)

    replace = os.replace
    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        sureness.main()
    assert [path.name for path in folder.iterdir()] == ["settings.json"]


def test_nonsense_is_refused(tmp_path):
    for wrong in [["--nodes", 0], ["--margin", "half"], []]:
        done = run(*wrong)
        assert done.returncode == 2 and "usage" in done.stderr
    assert run(tmp_path / "nothing.pgn").returncode == 1
