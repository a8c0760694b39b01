"""Cassius as python-chess sees it: options, analysis, whole games."""

import random
import time

import chess
import chess.engine
import pytest
from chess.engine import INFO_ALL, Limit

from loading import BINARY

TACTIC = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"
MIDDLEGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def play_game(engine, board, limit, most_plies):
    """Plays the engine against itself; python-chess refuses illegal moves."""
    game = object()
    plies = 0
    while not board.is_game_over(claim_draw=True) and plies < most_plies:
        result = engine.play(board, limit, game=game, info=INFO_ALL)
        assert result.move in board.legal_moves
        check_info(board, result.info)
        assert result.info["pv"][0] == result.move
        board.push(result.move)
        plies += 1
    return plies


def check_info(board, info):
    """A full info line, whose line can be played to its end."""
    for field in ("depth", "seldepth", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv"):
        assert field in info, field
    line = board.copy()
    for move in info["pv"]:
        assert not line.is_game_over(), info["pv"]
        assert move in line.legal_moves, info["pv"]
        line.push(move)
    score = info["score"].relative
    if score.is_mate() and not {"lowerbound", "upperbound"} & info.keys():
        plies = 2 * score.mate() - 1 if score.mate() > 0 else -2 * score.mate()
        assert line.is_checkmate(), (board.fen(), info["pv"], score)
        assert len(info["pv"]) == plies


def test_options_are_read_without_complaint(caplog):
    """Words such as `min` begin a field of an option, for this client even within the name of a value."""
    with chess.engine.SimpleEngine.popen_uci(BINARY, timeout=20) as engine:
        for option in engine.options.values():
            for value in option.var if option.type == "combo" else []:
                engine.configure({option.name: value})
    assert [it for it in caplog.records if it.levelname == "ERROR"] == []


def test_options_are_those_everyone_expects(engine):
    for kind, names in [
        ("spin", ["Hash", "Threads", "Move Overhead"]),
        ("button", ["Clear Hash"]),
        ("combo", ["Search"]),
        ("check", ["UCI_Chess960", "UCI_AnalyseMode"]),
    ]:
        assert {engine.options[name].type for name in names} == {kind}
    for option in engine.options.values():
        if option.type == "spin":
            assert option.min <= option.default <= option.max
        if option.type == "combo":
            assert option.default in option.var
    engine.configure({"Hash": 8, "Threads": 1, "Move Overhead": 30, "Clear Hash": None})
    engine.ping()
    with pytest.raises(chess.engine.EngineError):
        engine.configure({"Hash": 0})


def test_analysis_of_a_tactic(engine):
    board = chess.Board(TACTIC)
    info = engine.analyse(board, Limit(time=2))
    check_info(board, info)
    assert info["pv"][0] == chess.Move.from_uci("g3g6")
    assert info["score"].relative > chess.engine.Cp(200)


def test_analysis_goes_on_until_it_is_stopped(engine):
    board = chess.Board(MIDDLEGAME)
    depths = []
    with engine.analysis(board) as analysis:
        begun = time.monotonic()
        for info in analysis:
            if "pv" in info:
                check_info(board, analysis.info | info)
                depths.append(info["depth"])
            if time.monotonic() - begun > 1.5:
                break
    assert depths and depths == sorted(depths)


@pytest.mark.parametrize("limit", [Limit(nodes=2_000), Limit(depth=3), Limit(time=0.01)], ids=str)
def test_short_games(engine, limit):
    assert play_game(engine, chess.Board(), limit, 80) > 10


def test_a_game_on_a_clock_is_not_forfeited(engine):
    clock = {chess.WHITE: 3.0, chess.BLACK: 3.0}
    board = chess.Board()
    game = object()
    for _ in range(160):
        if board.is_game_over(claim_draw=True):
            break
        limit = Limit(white_clock=clock[chess.WHITE], black_clock=clock[chess.BLACK], white_inc=0.02, black_inc=0.02)
        begun = time.monotonic()
        result = engine.play(board, limit, game=game)
        clock[board.turn] += 0.02 - (time.monotonic() - begun)
        assert clock[board.turn] > 0, "lost on time"
        board.push(result.move)


def test_pondering_through_a_game(engine):
    """A game in which the opponent plays what was expected every other time: hits and misses."""
    clock = 3.0
    board = chess.Board()
    game = object()
    numbers = random.Random(6)
    hits = misses = 0
    for _ in range(24):
        if board.is_game_over(claim_draw=True):
            break
        limit = Limit(white_clock=clock, black_clock=clock, white_inc=0.05, black_inc=0.05)
        begun = time.monotonic()
        result = engine.play(board, limit, game=game, ponder=True)
        clock += 0.05 - (time.monotonic() - begun)
        assert clock > 0, "lost on time"
        assert result.move in board.legal_moves
        board.push(result.move)
        replies = list(board.legal_moves)
        if not replies:
            break
        assert result.ponder is None or result.ponder in replies
        if result.ponder is not None and numbers.random() < 0.5:
            hits += 1
            reply = result.ponder
        else:
            misses += 1
            reply = numbers.choice(replies)
        # Time on the opponent's clock, which the engine thinks through.
        time.sleep(0.03)
        board.push(reply)
    assert hits > 0 and misses > 0


def test_games_of_chess960(engine):
    numbers = random.Random(1960)
    for number in [518, *numbers.sample(range(960), 3)]:
        board = chess.Board.from_chess960_pos(number)
        board.chess960 = True
        play_game(engine, board, Limit(nodes=1_000), 60)


def test_endgames_from_random_play(engine):
    """Positions nobody would think of, with a legal answer each."""
    numbers = random.Random(20)
    for _ in range(25):
        board = chess.Board()
        for _ in range(numbers.randrange(200)):
            if board.is_game_over():
                break
            board.push(numbers.choice(list(board.legal_moves)))
        if board.is_game_over():
            continue
        result = engine.play(board, Limit(nodes=3_000), game=object(), info=INFO_ALL)
        assert result.move in board.legal_moves
        check_info(board, result.info)
