"""scripts/measure: its statistics against known answers, its position sets, its files, and all of it end to end."""

import json
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import warnings

import chess
import chess.pgn
import numpy
import pytest

from loading import BINARY, ROOT, SCRIPTS, run_here
from measuring import compare, engines, files, positions, statistics
from measuring.__main__ import main
from measuring.engines import Engine, Spec, stated
from measuring.files import Trouble

SETTINGS = {"seed": 1, "from": 4, "to": 40, "every": 8, "per_game": None, "count": None, "games": None, "part": (1, 1), "quiet": False}


def write_games(path, number, plies=48, seed=5):
    """Games of random moves."""
    dice = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(number):
            board = chess.Board()
            while board.ply() < plies and not board.is_game_over():
                board.push(dice.choice(sorted(board.legal_moves, key=chess.Move.uci)))
            print(chess.pgn.Game.from_board(board), file=file, end="\n\n")
    return path


def measure(*arguments):
    with warnings.catch_warnings():
        # A program writes them to standard error, where nothing but refusals may be.
        warnings.simplefilter("error", RuntimeWarning)
        return run_here(main, *arguments)


def done(*arguments):
    result = measure(*arguments)
    assert result.returncode == 0, result.stdout + result.stderr
    # Progress is for terminals only.
    assert result.stderr == ""
    return result.stdout


def refused(*arguments):
    result = measure(*arguments)
    assert result.returncode == 1 and result.stderr.startswith("measure: "), result.stdout + result.stderr
    return result.stderr


# Statistics


def test_chances():
    assert statistics.chance({"cp": 0}) == 0.5
    assert statistics.chance({"cp": 200}) == pytest.approx(1 / (1 + math.exp(-1)))
    assert statistics.chance({"cp": 100}, factor=2.0) == statistics.chance({"cp": 200})
    assert statistics.chance({"cp": -77}) == pytest.approx(1 - statistics.chance({"cp": 77}))
    assert statistics.chance({"mate": 9}) == 1.0 and statistics.chance({"mate": -1}) == 0.0
    assert statistics.chance({"cp": 10**9}) == 1.0 and statistics.chance({"cp": -(10**9)}) == 0.0


def test_distance_and_loss():
    even, ahead = {"cp": 0}, {"cp": round(200 * math.log(3))}
    assert statistics.distance(ahead, even) == pytest.approx(250, abs=0.5)
    assert statistics.distance({"mate": 3}, {"mate": 7}) == 0
    assert statistics.distance({"mate": -3}, {"mate": 7}) == 1000
    judged = {"e2e4": ahead, "d2d4": even, "f2f3": {"mate": -2}}
    assert statistics.loss("e2e4", judged) == 0
    assert statistics.loss("d2d4", judged) == pytest.approx(250, abs=0.5)
    assert statistics.loss("f2f3", judged) == pytest.approx(750, abs=0.5)


def test_a_factor_is_found_again():
    for factor in (0.5, 1.0, 2.0):
        pairs = [({"cp": cp}, {"cp": round(factor * cp)}) for cp in range(-400, 401, 10)] + [({"mate": 1}, {"cp": 0})]
        assert statistics.fit_factor(pairs) == pytest.approx(factor, rel=0.006)
    # Where any will do, values stay what they are.
    assert statistics.fit_factor([({"cp": 0}, {"cp": 50})]) == 1.0


def test_errors_are_those_of_games():
    dice = numpy.random.RandomState(3)
    values = dice.normal(size=200)
    alone = statistics.Bootstrap(range(200)).mean(values)
    assert alone.value == pytest.approx(values.mean())
    assert alone.error() == pytest.approx(values.std(ddof=1) / math.sqrt(200), rel=0.1)
    # The same position five times from each game tells nothing new.
    five = statistics.Bootstrap(numpy.repeat(numpy.arange(200), 5)).mean(numpy.repeat(values, 5))
    assert five.value == pytest.approx(alone.value) and five.error() == pytest.approx(alone.error())
    # Games of different sizes, against the formula for a ratio.
    games = dice.randint(40, size=200)
    mean = statistics.Bootstrap(games, resamples=4000).mean(values)
    sums = numpy.array([(values[games == game] - values.mean()).sum() for game in range(40)])
    assert mean.error() == pytest.approx(math.sqrt((sums**2).sum() * 40 / 39) / 200, rel=0.1)
    # Seeded.
    assert statistics.Bootstrap(games, 2).mean(values).error() == statistics.Bootstrap(games, 2).mean(values).error()
    assert statistics.Bootstrap(games, 2).mean(values).error() != statistics.Bootstrap(games, 3).mean(values).error()


def test_differences_are_paired():
    dice = numpy.random.RandomState(4)
    values = dice.normal(size=100)
    bootstrap = statistics.Bootstrap(range(100))
    one, other = bootstrap.mean(values), bootstrap.mean(values + 3)
    difference = other - one
    assert difference.value == pytest.approx(3) and difference.error() == pytest.approx(0, abs=1e-9)
    assert one.error() > 0.05


def test_means_over_some_positions():
    bootstrap = statistics.Bootstrap(["a", "a", "b", "c"])
    assert bootstrap.mean([1, 2, 4, 8], [True, False, True, False]).value == 2.5
    # One game tells nothing about others, and no position nothing at all.
    assert math.isnan(bootstrap.mean([1, 2, 4, 8], [True, True, False, False]).error())
    nothing = bootstrap.mean([1, 2, 4, 8], [False] * 4)
    assert math.isnan(nothing.value) and math.isnan(nothing.error())
    assert compare.pair(nothing) == [None, None]


def test_slopes_are_for_each_doubling():
    bootstrap = statistics.Bootstrap(range(30))
    noise = numpy.random.RandomState(5).normal(size=30)
    figures = [bootstrap.mean(noise + 80 - 3 * doublings) for doublings in (0, 1, 3)]
    slope = statistics.slope([1000, 2000, 8000], figures)
    assert slope.value == pytest.approx(-3) and slope.error() == pytest.approx(0, abs=1e-9)
    # Two limits: the difference of the means, and its error.
    other = bootstrap.mean(numpy.random.RandomState(6).normal(size=30))
    slope, difference = statistics.slope([500, 1000], [figures[0], other]), other - figures[0]
    assert slope.value == pytest.approx(difference.value) and slope.error() == pytest.approx(difference.error())


def test_every_position_is_in_one_class():
    extremes = [
        {"ply": 0, "pieces": 2, "cp": 0}, {"ply": 999, "pieces": 32, "cp": -32000}, {"ply": 49, "pieces": 20, "mate": -1},
    ]
    for measure, classes in compare.CLASSES.values():
        limits = [-math.inf, *(high for _, high in classes)]
        for position in extremes:
            assert sum(low <= measure(position) < high for low, high in zip(limits, limits[1:])) == 1


# What engines say


@pytest.mark.parametrize(
    "told, value",
    [
        (["cp 20", "cp 31"], {"cp": 31}),
        (["cp 20", "cp 40 lowerbound"], {"cp": 40, "bound": True}),
        # A bound that the value keeps changes nothing.
        (["cp 20", "cp 10 lowerbound", "cp 50 upperbound"], {"cp": 20}),
        (["cp 20", "cp 40 lowerbound", "cp 5"], {"cp": 5}),
        (["cp 20", "cp 40 lowerbound", "cp 30 upperbound"], {"cp": 30, "bound": True}),
        (["cp -9 upperbound"], {"cp": -9, "bound": True}),
        (["cp 900", "mate 4 lowerbound"], {"mate": 4, "bound": True}),
        (["mate 4", "cp 900 lowerbound"], {"mate": 4}),
        (["mate -3", "mate -5 lowerbound"], {"mate": -5, "bound": True}),
        ([], None),
    ],
)
def test_the_value_stated(told, value):
    assert stated([f"info depth 3 multipv 1 score {it} nodes 5 pv e2e4" for it in told]) == value


def test_chances_are_stated_with_the_value():
    lines = ["info depth 3 score cp 5 wdl 30 940 30 nodes 9", "info depth 4 score cp 9 upperbound wdl 40 930 30"]
    assert stated(lines) == {"cp": 5, "wdl": [30, 940, 30]}


def test_only_the_first_line_of_play_counts():
    lines = ["info multipv 1 score cp 5", "info multipv 2 score cp -70", "info string score cp 99", "bestmove e2e4"]
    assert stated(lines) == {"cp": 5}


def test_specifications():
    assert Spec.of("stockfish") == ("stockfish", "stockfish", {})
    assert Spec.of("old=gnuchess --uci:Hash=16:SyzygyPath=/a:/b") == (
        "old", "gnuchess --uci", {"Hash": "16", "SyzygyPath": "/a:/b"}
    )
    assert Spec.of("alpha-beta:Hash=4", "bin/cassius") == (
        "alpha-beta:Hash=4", "bin/cassius", {"Search": "alpha-beta", "Hash": "4"}
    )
    # Names with hyphens, values with signs.
    assert Spec.of("wide=depth-first:Depth-First=leaf=12 late=8:Hash=4", "cassius") == (
        "wide", "cassius", {"Search": "depth-first", "Depth-First": "leaf=12 late=8", "Hash": "4"}
    )


def test_a_path_may_hold_blanks(tmp_path):
    engine = tmp_path / "my engine"
    engine.symlink_to(BINARY)
    for spec in Spec.of(str(engine)), Spec.of("alpha-beta", str(engine)), Spec.of(f"'{engine}'"):
        assert spec.binary() == (engine, [])
    # No arguments of --cassius.
    with pytest.raises(Trouble, match="there is no engine"):
        Spec.of("alpha-beta", f"{BINARY} uci").binary()
    assert Spec.of(f"{BINARY} uci").binary() == (pathlib.Path(BINARY), ["uci"])


FAKE = """
import sys
for line in sys.stdin:
    line = line.strip()
    if line == "uci":
        print("id name Fake\\noption name Level type spin default 1 min 0 max 9")
        print("option name EvalFile type string default inside.nnue\\nuciok")
    elif line == "isready":
        print("readyok")
    elif line.startswith("go"):
        {go}
    sys.stdout.flush()
"""


@pytest.fixture
def fake(tmp_path):
    """The command of an engine that does this at each `go`."""

    def command(go="pass"):
        script = tmp_path / "fake.py"
        script.write_text(FAKE.format(go=go), encoding="utf-8")
        return f"{sys.executable} {script}"

    return command


@pytest.mark.parametrize(
    "go, move, trouble",
    [
        ('print("info score cp 3\\nbestmove e2e5")', None, "'e2e5' is no legal move in"),
        ('print("info score cp 3\\nbestmove (none)")', None, "no legal move"),
        ('print("bestmove e2e4")', None, "told no value"),
        ("sys.exit(3)", None, "ended before 'bestmove'"),
        ("pass", None, "did not say 'bestmove' within 1 s$"),
        ('print("info score cp 3\\nbestmove e2e4")', "d2d4", "searchmoves"),
    ],
)
def test_engines_that_misbehave(fake, monkeypatch, go, move, trouble):
    monkeypatch.setattr(engines, "PATIENCE", 1)
    with Engine(Spec("fake", fake(go), {})) as engine:
        with pytest.raises(Trouble, match=trouble.replace("(", r"\(")):
            engine.ask(chess.STARTING_FEN, ("movetime", 10), move)


def test_a_search_by_nodes_is_not_waited_for_without_end(fake):
    with Engine(Spec("fake", fake(), {}), timeout=1) as engine:
        with pytest.raises(Trouble, match="fake: the engine did not say 'bestmove' within 1 s; --engine-timeout"):
            engine.ask(chess.STARTING_FEN, ("nodes", 10))


def test_engines_and_options_that_are_not_there(fake, tmp_path):
    command = fake()
    for options, trouble in [({"Depth": "1"}, "no option"), ({"Level": "10"}, "from 0 to 9"), ({"Level": "x"}, "from 0")]:
        with pytest.raises(Trouble, match=trouble):
            Engine(Spec("fake", command, options))
    with pytest.raises(Trouble, match="there is no engine"):
        Engine(Spec("fake", str(tmp_path / "nobody"), {}))
    with pytest.raises(Trouble, match="is one of depth-first"):
        Engine(Spec("cassius", BINARY, {"Search": "guessing"}))


def test_networks_that_are_not_taken(fake, tmp_path):
    engine = fake()
    other = tmp_path / "other.nnue"
    other.touch()
    for value in "", "<empty>", "inside.nnue", str(other):
        Engine(Spec("fake", engine, {"EvalFile": value})).close()
    for command in engine, BINARY:
        with pytest.raises(Trouble, match="'EvalFile': there is no file 'othr.nnue'"):
            Engine(Spec("x", command, {"EvalFile": "othr.nnue"}))
    # What Cassius says to a file that is no network, and to other values.
    for options, trouble in [({"evalfile": str(other)}, "x: option EvalFile: .*not a network"), ({"Depth-First": "late=many"}, "late=many")]:
        with pytest.raises(Trouble, match=trouble):
            Engine(Spec("x", BINARY, options))


def test_files_in_options_are_known_by_what_they_hold(tmp_path):
    network = tmp_path / "a.net"
    spec = Spec("x", sys.executable, {"EvalFile": str(network), "Long": 999 * "x"})
    without = spec.identity()
    assert set(without) == {"sha256", "arguments", "options"}
    network.write_text("one", encoding="utf-8")
    one = spec.identity()
    assert one == {**without, "files": {"EvalFile": files.sha256(network)}}
    network.write_text("two", encoding="utf-8")
    assert engines.is_same(one, dict(one)) and not engines.is_same(one, spec.identity())
    # Older records have no files.
    assert engines.is_same({**without, "name": "x"}, without) and not engines.is_same(without, one)


# Position sets


@pytest.fixture
def games(tmp_path):
    """A file of twelve games."""
    return write_games(tmp_path / "games.pgn", 12)


def take(path, output, **settings):
    output.unlink(missing_ok=True)
    header = positions.make([path], output, SETTINGS | settings)
    return header, files.read(output, "positions")[1]


def test_positions_are_spread_over_games(games, tmp_path):
    header, records = take(games, tmp_path / "a.set")
    assert header["sources"] == [{"file": str(games), "sha256": files.sha256(games), "games": 12}]
    assert header["chosen"]["positions"] == len(records) > 30
    assert [record["id"] for record in records] == list(range(1, len(records) + 1))
    blocks = [(record["game"], (record["ply"] - 4) // 8) for record in records]
    assert len(set(blocks)) == len(blocks)
    boards = [chess.Board(record["fen"]) for record in records]
    assert len({board.epd() for board in boards}) == len(boards)
    assert {board.turn for board in boards} == {chess.WHITE, chess.BLACK}
    for record, board in zip(records, boards):
        assert 4 <= record["ply"] <= 40 and board.ply() == record["ply"]
        assert not board.is_check() and board.legal_moves.count() > 1
        assert record["pieces"] == len(board.piece_map())


def test_position_sets_come_out_the_same_by_seed(games, tmp_path):
    _, first = take(games, tmp_path / "a.set")
    # The same games under another name, one of them twice.
    again = tmp_path / "again.pgn"
    again.write_text(2 * games.read_text(encoding="utf-8"), encoding="utf-8")
    header, second = take(again, tmp_path / "b.set")
    assert first == second and header["left_out"]["second copy"] == 12
    assert take(games, tmp_path / "c.set", seed=2)[1] != first


def test_parts_share_no_game(games, tmp_path):
    whole = {record["game"] for record in take(games, tmp_path / "a.set")[1]}
    one, other = ({it["game"] for it in take(games, tmp_path / "a.set", part=(n, 2))[1]} for n in (1, 2))
    assert one and other and not one & other and one | other == whole


def test_no_position_comes_twice(tmp_path):
    # Games that part at their last move; and one that goes through the same positions again and again.
    lines = [f"1. e4 e5 2. Nf3 Nc6 3. {last} *" for last in ("Bb5", "Bc4", "d4", "Nc3")]
    lines.append("1. Nf3 Nf6 " + " ".join(f"{n}. Ng1 Ng8 {n + 1}. Nf3 Nf6" for n in range(2, 20, 2)) + " *")
    games = tmp_path / "games.pgn"
    games.write_text("".join(f'[Event "{n}"]\n\n{line}\n\n' for n, line in enumerate(lines)), encoding="utf-8")
    _, records = take(games, tmp_path / "a.set", **{"from": 0, "every": 1})
    epds = [chess.Board(record["fen"]).epd() for record in records]
    assert len(set(epds)) == len(epds) == 6 + 3 + 3


@pytest.mark.parametrize(
    "fen, move, pawns",
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 1),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        ("4k3/8/2p5/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", -2),
        # Queen for pawn and rook: the rook behind her takes back.
        ("3rk3/8/8/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d5", -3),
        # The pawn behind the rook is pinned.
        ("1k6/1p6/2r5/8/4B3/8/8/KR6 w - - 0 1", "e4c6", 5),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 1),
        ("8/4P3/8/1k6/8/8/8/K7 w - - 0 1", "e7e8q", 8),
        ("8/4P1k1/8/8/8/2b5/8/K3r3 b - - 0 1", "e1e7", 1),
    ],
)
def test_exchanges(fen, move, pawns):
    board = chess.Board(fen)
    assert positions.gain(board, chess.Move.from_uci(move)) == pawns
    assert board.fen() == fen


def test_quiet_positions(games, tmp_path):
    _, records = take(games, tmp_path / "a.set", quiet=True)
    assert records
    assert all(positions.is_quiet(chess.Board(record["fen"])) for record in records)
    assert not all(positions.is_quiet(chess.Board(record["fen"])) for record in take(games, tmp_path / "b.set")[1])


def test_numbers_of_positions(games, tmp_path):
    header, records = take(games, tmp_path / "a.set", per_game=2)
    assert len(records) == 24 and header["chosen"]["games with fewer"] == 0
    header, records = take(games, tmp_path / "a.set", per_game=2, count=7)
    assert len(records) == 7 and header["chosen"]["games"] == 4


def test_damaged_games_and_variants_are_left_out(tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text(
        '[Event "a"]\n\n1. e4 e5 2. Ke3 *\n\n[Event "b"]\n[Variant "Atomic"]\n\n1. e4 e5 *\n\n'
        '[Event "c"]\n[FEN "nonsense"]\n[SetUp "1"]\n\n1. e4 *\n\n[Event "d"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n',
        encoding="utf-8",
    )
    header, records = take(games, tmp_path / "a.set")
    assert header["left_out"]["damaged or variant"] == 3 and len(records) == 1
    with pytest.raises(Trouble, match="no position"):
        take(games, tmp_path / "a.set", **{"from": 30})
    assert not (tmp_path / "a.set").exists()


# Files


def test_a_line_cut_off_is_written_again(tmp_path):
    path, header = tmp_path / "log", {"measure": "runs", "limit": ("nodes", 5)}
    with files.Log(path, header) as log:
        log.write({"id": 1})
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": 2')
    with files.Log(path, header) as log:
        assert log.records == [{"id": 1}]
        log.write({"id": 2})
        with pytest.raises(Trouble, match="another run"):
            files.Log(path, header)
    assert files.read(path, "runs")[1] == [{"id": 1}, {"id": 2}]
    with pytest.raises(Trouble, match="another limit"):
        files.Log(path, {"measure": "runs", "limit": ("nodes", 6)})
    with pytest.raises(Trouble, match="expected a file of judgement, found runs"):
        files.read(path, "judgement")


def test_files_of_others_are_left_alone(tmp_path):
    for text in ["1. e4 e5", "1. e4 e5\n", '{"a": 1}\n{"b"']:
        path = tmp_path / "notes"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(Trouble):
            files.Log(path, {"measure": "runs"})
        assert path.read_text(encoding="utf-8") == text


def test_devices_are_not_read():
    # Not /dev/full: it would be read without end.
    with pytest.raises(Trouble, match="/dev/null: is not a regular file"):
        files.Log("/dev/null", {"measure": "runs"})
    with pytest.raises(Trouble, match="/dev/null: is not a regular file"):
        files.read("/dev/null", "runs")


def test_new_files_need_a_folder_and_a_free_name(tmp_path):
    files.write_new(tmp_path / "a", "text")
    with pytest.raises(Trouble, match="is there already"):
        files.check_new(tmp_path / "a")
    with pytest.raises(Trouble, match="there is no folder .*none; make it"):
        files.check_new(tmp_path / "none" / "a")


def test_a_folder_is_for_the_same_settings(tmp_path):
    settings = {"seed": 1, "files": [["a", "b"]]}
    for _ in range(2):
        files.claim(tmp_path / "new", settings, "*.pgn")
    with pytest.raises(Trouble, match="made with seed 1 instead of 2; choose another --folder"):
        files.claim(tmp_path / "new", {**settings, "seed": 2}, "*.pgn")
    (tmp_path / "old.pgn").touch()
    with pytest.raises(Trouble, match="nobody knows"):
        files.claim(tmp_path, settings, "*.pgn")


# End to end


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A set of six positions, judged by Cassius."""
    folder = tmp_path_factory.mktemp("measure")
    games = write_games(folder / "games.pgn", 6, plies=24)
    done("positions", games, "-o", folder / "a.set", "--from", 6, "--to", 20, "--per-game", 1)
    told = done("judge", folder / "a.set", "-o", folder / "a.judged", "--engine", f"{BINARY}:Hash=1", "--nodes", 300)
    assert "6 positions and 6 moves valued by Cassius" in told
    return folder


def compare_two(folder, runs, *more):
    searches = ["--search", "depth-first:Hash=1", "--search", "ab=alpha-beta:Hash=1"]
    return done(
        "compare", folder / "a.judged", "--runs", folder / runs, "--cassius", BINARY, *searches, "--nodes", "50,200", *more
    )


def test_from_games_to_a_table(judged):
    text = compare_two(judged, "a.runs", "--json", judged / "a.json", "--by", "closeness")
    assert "6 positions of 6 games" in text and text.count("per doubling") >= 2
    _, records = files.read(judged / "a.runs", "runs")
    answers = [record for record in records if "id" in record]
    assert len(answers) == len({(it["id"], it["search"], *it["limit"]) for it in answers}) == 24
    # Done again nothing is searched, and the table is the same; without engines, too.
    before = (judged / "a.runs").read_bytes(), (judged / "a.judged").read_bytes()
    assert compare_two(judged, "a.runs", "--by", "closeness") == text
    assert done("compare", judged / "a.judged", "--runs", judged / "a.runs", "--by", "closeness") == text
    assert ((judged / "a.runs").read_bytes(), (judged / "a.judged").read_bytes()) == before
    # The table is what the files say.
    rows = json.loads((judged / "a.json").read_text(encoding="utf-8"))["sections"][0]["rows"]
    judgement = [json.loads(line) for line in before[1].splitlines()[1:]]
    values = {record["id"]: record for record in judgement if "fen" in record}
    moves = {(record["id"], record["of"]): statistics.chance(record) for record in judgement if "of" in record}
    assert [row["limit"] for row in rows] == 2 * [["nodes", 50]] + 2 * [["nodes", 200]] + 2 * [["per doubling"]]
    for row in rows[:4]:
        mine = [it for it in answers if it["search"] == row["search"] and it["limit"] == row["limit"]]
        distances = [1000 * abs(statistics.chance(it) - statistics.chance(values[it["id"]])) for it in mine]
        losses = [
            1000 * (max(chance for (number, _), chance in moves.items() if number == it["id"]) - moves[it["id"], it["move"]])
            for it in mine
        ]
        assert row["distance"][0] == pytest.approx(sum(distances) / 6)
        assert row["loss"][0] == pytest.approx(sum(losses) / 6) and min(losses) >= 0


def test_killed_runs_go_on(judged):
    games = judged / "games.pgn"
    done("positions", games, "-o", judged / "k.set", "--from", 6, "--to", 20, "--every", 2)
    arguments = ["judge", judged / "k.set", "--engine", f"{BINARY}:Hash=1", "--nodes", 2000, "-o"]
    done(*arguments, judged / "whole.judged")
    command = [sys.executable, "-m", "measuring", *map(str, arguments), str(judged / "k.judged")]
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS), "PYTHONDONTWRITEBYTECODE": "1"}
    dice = random.Random(1)
    for attempt in range(4):
        run = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.3 + 0.3 * dice.random())
        run.send_signal([signal.SIGKILL, signal.SIGINT][attempt % 2])
        run.communicate(timeout=30)
    done(*arguments, judged / "k.judged")
    assert sorted(pathlib.Path(judged / "k.judged").read_bytes().splitlines()) == sorted(
        pathlib.Path(judged / "whole.judged").read_bytes().splitlines()
    )


def test_factors_come_from_other_games(judged):
    compare_two(judged, "f.runs")
    told = done("fit", judged / "a.judged", judged / "f.runs", "-o", judged / "a.factors")
    assert "ab: factor " in told
    runs = ["--runs", judged / "f.runs", "--factors", judged / "a.factors"]
    assert "6 games of the fit are measured here" in refused("compare", judged / "a.judged", *runs)
    # Other games.
    write_games(judged / "b.pgn", 3, plies=24, seed=6)
    done("positions", judged / "b.pgn", "-o", judged / "b.set", "--from", 6, "--to", 20, "--per-game", 1)
    done("judge", judged / "b.set", "-o", judged / "b.judged", "--engine", f"{BINARY}:Hash=1", "--nodes", 300)
    both = ["compare", judged / "b.judged", "--runs", judged / "b.runs", "--cassius", BINARY, "--nodes", 50]
    text = done(*both, "--search", "ab=alpha-beta:Hash=1", "--factors", judged / "a.factors")
    assert "3 positions of 3 games" in text
    assert "no factor of minimax" in refused(*both, "--search", "minimax", "--factors", judged / "a.factors")
    # Another search of the same label, to be run or shown.
    other = ["--factors", judged / "a.factors", "--search", "ab=alpha-beta:Hash=2"]
    assert "'ab' was another binary or had other options in the fit" in refused(*both, *other)
    other_runs = ["compare", judged / "b.judged", "--runs", judged / "other.runs"]
    done(*other_runs, "--cassius", BINARY, "--nodes", 50, "--search", "ab=alpha-beta:Hash=2")
    assert "'ab' was another binary" in refused(*other_runs, "--factors", judged / "a.factors")
    # Factors as they were once.
    factors = json.loads((judged / "a.factors").read_text(encoding="utf-8"))
    del factors["searches"]["ab"]["search"]
    (judged / "old.factors").write_text(json.dumps(factors), encoding="utf-8")
    old = refused("compare", judged / "b.judged", "--runs", judged / "b.runs", "--factors", judged / "old.factors")
    assert "make it again by 'scripts/measure fit'" in old


def test_a_network_of_the_same_name_is_another_one(judged, tmp_path):
    network = tmp_path / "my.net"
    network.write_bytes((ROOT / "networks" / "default.net").read_bytes())
    engine, mine = f"x={BINARY}:Hash=1:EvalFile={network}", tmp_path / "mine.judged"
    judge = ["judge", judged / "a.set", "-o", mine, "--engine", f"{BINARY}:Hash=1:EvalFile={network}", "--nodes", 300]
    compare_with = ["compare", judged / "a.judged", "--runs", tmp_path / "x.runs", "--engine", engine, "--nodes", 20]
    done(*judge)
    done(*compare_with)
    header = json.loads(mine.read_text(encoding="utf-8").split("\n")[0])
    assert header["judge"]["files"] == {"EvalFile": files.sha256(network)}
    network.write_bytes(network.read_bytes() + b"more")
    assert "other files in them" in refused(*compare_with)
    # Shown are the answers of the first one, whose checksum is on record.
    assert "| x " in done("compare", judged / "a.judged", "--runs", tmp_path / "x.runs")
    # As it was before the judge had valued a move.
    mine.write_text("".join(it for it in mine.read_text(encoding="utf-8").splitlines(True) if '"of"' not in it), encoding="utf-8")
    assert "is not the judge" in refused("compare", mine, "--runs", tmp_path / "x.runs")
    network.write_bytes(network.read_bytes().removesuffix(b"more"))
    done("compare", mine, "--runs", tmp_path / "x.runs")


def test_troubles_are_told(judged, tmp_path):
    a, runs = judged / "a.judged", judged / "trouble.runs"
    assert "is there already" in refused("positions", judged / "games.pgn", "-o", judged / "a.set")
    assert "no such file" in refused("positions", judged / "nothing.pgn", "-o", tmp_path / "x").lower()
    (tmp_path / "empty").touch()
    assert "found nothing" in refused("judge", tmp_path / "empty", "-o", tmp_path / "x", "--engine", BINARY, "--nodes", 5)
    assert "there is no engine" in refused("judge", judged / "a.set", "-o", tmp_path / "x", "--engine", "no", "--nodes", 5)
    again = ["judge", judged / "a.set", "-o", a, "--engine", f"{BINARY}:Hash=1", "--nodes", 301]
    assert "begun with another limit" in refused(*again)
    assert "need a limit" in refused("compare", a, "--runs", runs, "--engine", BINARY)
    assert "same label" in refused("compare", a, "--runs", runs, "--engine", BINARY, "--engine", BINARY, "--nodes", 5)
    done("compare", a, "--runs", runs, "--engine", f"x={BINARY}:Hash=1", "--nodes", 20)
    assert "another label" in refused("compare", a, "--runs", runs, "--engine", f"x={BINARY}:Hash=2", "--nodes", 20)
    # Searches that have no limit in common: one limit is shown, all of them cannot be.
    done("compare", a, "--runs", runs, "--engine", f"y={BINARY}:Hash=1", "--nodes", 30)
    assert "x at nodes 20; y at nodes 30" in refused("compare", a, "--runs", runs)
    assert "nodes 30 | y " in done("compare", a, "--runs", runs, "--nodes", 30).replace("   ", " ")
    lines = a.read_bytes().splitlines(keepends=True)
    (tmp_path / "part.judged").write_bytes(b"".join(lines[:3]))
    assert "4 positions have no value yet" in refused("compare", tmp_path / "part.judged", "--runs", runs)
    # A judge that is another engine by now.
    other = a.read_text(encoding="utf-8").replace('"Hash": "1"', '"Hash": "2"')
    (tmp_path / "other.judged").write_text("".join(it for it in other.splitlines(True) if '"of"' not in it), encoding="utf-8")
    assert "is not the judge" in refused("compare", tmp_path / "other.judged", "--runs", runs, "--judge", sys.executable)


def test_every_term_is_in_the_help():
    for arguments in [[], ["positions"], ["judge"], ["compare"], ["fit"]]:
        text = done(*arguments, "--help")
        for term in ("judge", "distance", "loss", "contested", "chance", "factor", "limit", "±"):
            assert term in text
