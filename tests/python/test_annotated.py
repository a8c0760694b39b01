"""Games that `cassius analyze --pgn` has annotated, read back with python-chess: nothing is lost."""

import io
import os
import pathlib
import re
import subprocess

import chess.pgn

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("CASSIUS_BIN", str(ROOT / "target" / "release" / "cassius"))

GAMES = """\
[Event "Clocks"]
[Site "?"]
[Date "2024.01.01"]
[Round "1"]
[White "A \\"B\\" C"]
[Black "Dé"]
[Result "1-0"]
[TimeControl "180+2"]

{The start} 1. e4 $1 {[%clk 0:03:00] best} 1... f6? {[%clk 0:02:59]} (1... e5 2. Nf3 (2. f4 exf4 $5 {sharp})
2... Nc6) (1... c5 {too}) 2. d4 g5 {[%eval 0.3] [%clk 0:02:50] [%csl Gf7] why} {twice} 3. Qh5# 1-0

[Event "No comments"]
[Result "0-1"]

1.f3 e5 2.g4 Qh4# 0-1

[Event "960"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "nrk1rbbq/pppppppp/8/8/8/8/PPPPPPPP/NRK1RBBQ w KQkq - 0 1"]
[Result "*"]

1. O-O-O {castled} O-O-O 2. e4 ; to the end
f5 3. Bc4?? $16 d5 *

[Event "From a position, Black first"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/q3P3/4K2R b K - 0 30"]
[Result "*"]

30... Qb1+ 31. Kf2 Qxh1 (31... Qa2) 32. e4 *
"""

EVAL = re.compile(r"\[%eval [^]]*\]")


def read(text):
    stream, games = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors, game.errors
        games.append(game)
    return games


def said(comment):
    """The words of a comment but for values."""
    return EVAL.sub("", comment).split()


def is_within(part, whole):
    rest = iter(whole)
    return all(word in rest for word in part)


def compare(old, new, is_mainline):
    """All that the old node has the new one has, in the same order; a new variation comes last."""
    assert old.move == new.move
    assert old.nags <= new.nags and is_within(said(old.comment), said(new.comment)), (old.comment, new.comment)
    assert old.starting_comment == new.starting_comment
    assert old.clock() == new.clock()
    if not is_mainline:
        assert len(old.variations) == len(new.variations) and old.comment == new.comment
    assert len(old.variations) <= len(new.variations) <= len(old.variations) + 1
    for number, (of_old, of_new) in enumerate(zip(old.variations, new.variations)):
        compare(of_old, of_new, is_mainline and number == 0)


def test_nothing_is_lost(tmp_path):
    (tmp_path / "in.pgn").write_text(GAMES, encoding="utf-8")
    command = [BINARY, "analyze", "in.pgn", "--nodes", "3000", "--hash", "4", "--pgn", "out.pgn"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120, stdout=subprocess.DEVNULL)
    before, after = read(GAMES), read((tmp_path / "out.pgn").read_text(encoding="utf-8"))
    assert len(before) == len(after) == 4
    for old, new in zip(before, after):
        headers = dict(new.headers)
        assert headers.pop("Annotator").startswith("Cassius ")
        assert headers == dict(old.headers)
        compare(old, new, True)
        for node in new.mainline():
            if not node.board().is_game_over():
                assert node.eval() is not None, node
    # A mate in one allowed is a blunder; a move that is marked already gets no second mark.
    assert chess.pgn.NAG_BLUNDER in after[1].next().next().next().nags
    better = after[1].next().next().variations
    assert len(better) == 2 and "costs" in better[0].comment
    assert after[0].next().next().nags == {chess.pgn.NAG_MISTAKE}
    assert after[1].end().parent.eval().white().mate() == -1
