"""Games that `cassius analyze --pgn` has annotated, read back with python-chess: nothing is lost. And scripts/compare-games sees what is."""

import io
import subprocess

import chess.pgn
import pytest

from loading import BINARY, load_script, run_script

SCRIPT = "compare_games.py"
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


@pytest.fixture(scope="module")
def compare_games():
    return load_script(SCRIPT)


def compare(folder):
    return run_script(SCRIPT, "in.pgn", "out.pgn", cwd=folder, timeout=60)


def read(text):
    return load_script(SCRIPT).read_stream(io.StringIO(text))


def annotate(folder, before, after, nodes=3000):
    command = [BINARY, "analyze", before, "--nodes", str(nodes), "--hash", "4", "--pgn", after]
    subprocess.run(command, cwd=folder, check=True, timeout=120, stdout=subprocess.DEVNULL)


def test_nothing_is_lost(tmp_path, compare_games):
    (tmp_path / "in.pgn").write_text(GAMES, encoding="utf-8")
    annotate(tmp_path, "in.pgn", "out.pgn")
    before, after = [compare_games.read(tmp_path / name) for name in ("in.pgn", "out.pgn")]
    assert len(before) == len(after) == 4
    assert not any(game.errors for game in after)
    assert list(compare_games.lost(before, after)) == []
    told = compare(tmp_path)
    there = "all there: games 4, moves 26, variations 4, comments 7, values 1, NAGs 5, clocks 3, Chess960 starts 1\n"
    assert (told.returncode, told.stderr) == (0, "") and told.stdout.startswith(there), told
    for new in after:
        assert new.headers["Annotator"].startswith("Cassius ")
        for node in new.mainline():
            if not node.board().is_game_over():
                assert node.eval() is not None, node
    # A mate in one allowed is a blunder; a move that is marked already gets no second mark.
    assert chess.pgn.NAG_BLUNDER in after[1].next().next().next().nags
    better = after[1].next().next().variations
    assert len(better) == 2 and "costs" in better[0].comment
    assert after[0].next().next().nags == {chess.pgn.NAG_MISTAKE}
    assert after[1].end().parent.eval().white().mate() == -1


def test_remarks_are_replaced_and_nothing_else(tmp_path, compare_games):
    (tmp_path / "in.pgn").write_text(GAMES, encoding="utf-8")
    annotate(tmp_path, "in.pgn", "out.pgn")
    annotate(tmp_path, "out.pgn", "again.pgn")
    assert (tmp_path / "again.pgn").read_bytes() == (tmp_path / "out.pgn").read_bytes()
    # Another program joins comments and breaks lines where it likes.
    for length, name in [(40, "narrow"), (None, "wide")]:
        games = compare_games.read(tmp_path / "out.pgn")
        exporter = [game.accept(chess.pgn.StringExporter(columns=length)) for game in games]
        (tmp_path / f"{name}.pgn").write_text("\n\n".join(exporter) + "\n", encoding="utf-8")
        annotate(tmp_path, f"{name}.pgn", f"{name}-fewer.pgn", nodes=30)
        annotate(tmp_path, f"{name}-fewer.pgn", f"{name}-again.pgn")
        texts = [name, f"{name}-fewer", f"{name}-again", "in"]
        there, fewer, again, first = [compare_games.read(tmp_path / f"{it}.pgn") for it in texts]
        for before, after in [(there, fewer), (fewer, again), (first, again)]:
            assert list(compare_games.lost(before, after)) == []
        assert compare_games.count(there) == compare_games.count(again)
        # What remains when all remarks are taken away again is what was there.
        assert list(compare_games.lost(again, first)) == []


@pytest.mark.parametrize(
    ("was", "became"),
    [
        ("f3 is bad. ", ""),
        ("as I said", ""),
        (" $4", ""),
        ("(1. d4 {[%eval 0.30]})", ""),
        ("(1. d4 {[%eval 0.30] [%cassius line]} d5)", ""),
    ],
)
def test_remarks_of_others_may_not_go(was, became, compare_games):
    there = (
        "1. f3 $4 {f3 is bad. as I said [%cassius 2] f3 costs 0.05 points. 1. e4 is\nworth +0.30. [%cassius end]} (1. d4 {[%eval 0.30]}) "
        "(1. c4 {[%cassius line]}) (1. d4 {[%eval 0.30] [%cassius line]} d5) *\n"
    )
    bare = "1. f3 $4 {f3 is bad. as I said} (1. d4 {[%eval 0.30]}) (1. d4 {[%eval 0.30] [%cassius line]} d5) *\n"
    assert list(compare_games.lost(read(there), read(bare))) == []
    assert list(compare_games.lost(read(there), read(bare.replace(was, became)))) != []


@pytest.mark.parametrize(
    ("was", "became", "told"),
    [
        ('[TimeControl "180+2"]\n', "", "game 1: tags"),
        ("{The start} ", "", "game 1: after nothing, ply 0: comment 'The start' became ''"),
        ("best}", "good}", "game 1: after e4, ply 1: comment"),
        ("0:02:59", "0:02:58", "clock"),
        ("[%csl Gf7]", "", "arrows"),
        ("1. e4 $1", "1. e4", "NAGs {1} became set()"),
        ("1... f6?", "1... f6? $4", "NAGs {2} became {2, 4}"),
        ("(2. f4 exf4 $5 {sharp})\n", "", "variations"),
        ("(2. f4 exf4 $5 {sharp})\n", "(2. f4 exf4 $5 {sharp}) (2. d4)\n", "variations"),
        ("{sharp}", "{sharp, +0.30}", "comment"),
        ("{too}", "{too} {and more}", "a remark in a variation that was there"),
        ("3. Qh5#", "3. Qg4", "variations"),
        ("[Event \"No comments\"]\n[Result \"0-1\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n", "", "4 games before, 3 after"),
        ("nrk1rbbq", "nrkr1bbq", "starts at"),
    ],
)
def test_what_is_lost_is_told(was, became, told, compare_games):
    assert GAMES.count(was) == 1
    assert any(told in fault for fault in compare_games.lost(read(GAMES), read(GAMES.replace(was, became))))


@pytest.mark.parametrize(
    "tags",
    ['[FEN ""]', '[FEN "?"]', '[FEN "nonsense"]', '[FEN "8/8/8"]\n[SetUp "1"]', '[Variant "Never heard of"]', '[Variant "?"]\n[FEN ""]'],
)
def test_tags_without_a_board_are_compared_as_text(tags, compare_games):
    there = f'[White "A"]\n{tags}\n\n1. e4 {{so}} e5 1-0\n'
    assert list(compare_games.lost(read(there), read(there))) == []
    assert compare_games.count(read(there))["moves"] == 2
    for was, became in [(tags, ""), ("{so}", ""), ("e5", "c5")]:
        assert list(compare_games.lost(read(there), read(there.replace(was, became)))) != [], was


def test_a_loss_is_an_error(tmp_path):
    (tmp_path / "in.pgn").write_text(GAMES, encoding="utf-8")
    (tmp_path / "out.pgn").write_text(GAMES.replace("{too}", ""), encoding="utf-8")
    told = compare(tmp_path)
    assert (told.returncode, told.stdout) == (1, "game 1: after c5, ply 2: comment 'too' became ''\n"), told
