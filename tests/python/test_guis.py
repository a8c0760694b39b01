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


@pytest.mark.parametrize("number", [0, 518, 959])
def test_chess960_with_pondering_and_chances(engine, number):
    board = chess.Board.from_chess960_pos(number)
    game = object()
    engine.configure({"UCI_ShowWDL": True})
    castled = 0
    for _ in range(24):
        limit = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.05, black_inc=0.05)
        result = engine.play(board, limit, game=game, ponder=True, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves
        wins, draws, losses = result.info["wdl"].relative
        assert wins + draws + losses == 1000
        castled += board.is_castling(result.move)
        board.push(result.move)
    # A king that has castled stands where it may.
    assert board.is_valid()
    assert castled <= 2


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
