"""Games as GUIs and bots play them, by python-chess, which is lichess-bot's client too: at a limited strength, and Chess960 with
pondering and chances."""

import re

import chess
import chess.engine
import pytest

from loading import ROOT

LONGEST = 300


def test_a_whole_game_between_two_levels(engine):
    """One engine plays for both sides; each move is answered at once, though the clock has hours."""
    board = chess.Board()
    game = object()
    engine.configure({"UCI_LimitStrength": True})
    limit = chess.engine.Limit(white_clock=7200, black_clock=7200)
    while not board.is_game_over(claim_draw=True) and board.ply() < LONGEST:
        engine.configure({"UCI_Elo": 1900 if board.turn else 1300})
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves
        assert result.info["pv"][0] == result.move
        assert result.info["time"] < 20
        assert result.info["nodes"] < 20_000
        board.push(result.move)
    assert board.ply() > 10


def test_games_at_a_level_are_not_all_the_same(engine):
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1200})
    games = set()
    for _ in range(3):
        board = chess.Board()
        game = object()
        for _ in range(12):
            board.push(engine.play(board, chess.engine.Limit(time=10), game=game).move)
        games.add(board.fen())
    assert len(games) > 1


def test_a_range_is_told_and_kept(engine):
    option = engine.options["UCI_Elo"]
    assert (option.min, option.max, option.default) == (1200, 3000, 2000)
    with pytest.raises(chess.engine.EngineError):
        engine.configure({"UCI_Elo": 3001})


@pytest.mark.parametrize("number", [0, 518, 959])
def test_chess960_with_pondering_and_chances(engine, number):
    board = chess.Board.from_chess960_pos(number)
    game = object()
    engine.configure({"UCI_ShowWDL": True})
    castled = 0
    for _ in range(24):
        limit = chess.engine.Limit(white_clock=4, black_clock=4, white_inc=0.05, black_inc=0.05)
        result = engine.play(board, limit, game=game, ponder=True, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves
        wins, draws, losses = result.info["wdl"].relative
        assert wins + draws + losses == 1000
        castled += board.is_castling(result.move)
        board.push(result.move)
    # A king that has castled stands where it may.
    assert board.is_valid()
    assert castled <= 2


def test_analysis_at_a_level_shows_all_lines_at_full_strength(engine):
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1200})
    board = chess.Board()
    with engine.analysis(board, multipv=3) as analysis:
        for info in analysis:
            if info.get("nodes", 0) > 20_000 and len(analysis.multipv) == 3:
                break
    assert [info["multipv"] for info in analysis.multipv] == [1, 2, 3]


def test_evidence_is_shown_unless_it_is_not_wanted(engine):
    board = chess.Board()

    def strings():
        with engine.analysis(board, chess.engine.Limit(nodes=20_000)) as analysis:
            return [info["string"] for info in analysis if "string" in info]

    assert any(text.startswith("demand") for text in strings())
    engine.configure({"Show Evidence": False})
    assert strings() == []


def test_the_options_in_the_documented_configuration_exist(engine):
    """The engine's part of lichess-bot's configuration in docs/guis.md."""
    text = (ROOT / "docs" / "guis.md").read_text(encoding="utf-8")
    block = re.search(r"  uci_options:\n((?:    .*\n)+)", text).group(1)
    given = dict(re.findall(r"^    ([\w ]+): (\w+)", block, re.MULTILINE))
    assert given
    for name, value in given.items():
        option = engine.options[name]
        option.parse({"true": True, "false": False}.get(value, value))
        assert not option.is_managed(), name
