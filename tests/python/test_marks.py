"""scripts/measure label, marks and words: labels of an engine that the test knows, and figures that can be counted by hand."""

import json
import math
import stat
import sys

import chess
import chess.pgn
import pytest

from measuring import labels, marks, statistics
from measuring.files import Trouble
from measuring.positions import game_id
from test_measure import done, measure, refused

# Plays the first legal move, and says that a position is worth ten centipawns for each move played before it; it writes down
# what it was asked, and after so many searches it ends.
ENGINE = """\
#!{python}
import sys
import chess

asked, most = open({log!r}, "a"), {most}
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name Known")
        print("uciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "ucinewgame":
        print("new", file=asked, flush=True)
    elif words[0] == "position":
        board = chess.Board(" ".join(words[2:8]))
        for move in words[9:]:
            board.push_uci(move)
        print(board.ply(), file=asked, flush=True)
    elif words[0] == "go":
        most -= 1
        if most < 0:
            break
        moves = words[4:] or sorted(move.uci() for move in board.legal_moves)
        print(f"info depth 1 multipv 2 score cp 9000 nodes 5 pv {{moves[-1]}}")
        print(f"info depth 1 score cp {{10 * board.ply()}} nodes 7 pv {{moves[0]}} a1a2")
        print(f"info depth 2 score cp 3 upperbound nodes 9 pv {{moves[-1]}}" if board.ply() == 5 else "info string")
        print(f"bestmove {{moves[0]}}")
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""
FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]
OPENING = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]


def test_moves_after_the_end_by_the_rules_are_left_out(tmp_path):
    path = tmp_path / "labels"
    lines = [{"measure": labels.KIND}, {"game": "g", "ply": 0, "played": "d3d4", "cp": 0}, {"game": "g", "ply": 1, "played": None, "cp": 0}]
    path.write_text("".join(json.dumps(it) + "\n" for it in lines))
    record = marks.Record("judge")
    record.take_labels(labels.Labels(path))
    assert not record.moves


def engine(folder, most=10_000):
    path = folder / "known"
    path.write_text(ENGINE.format(python=sys.executable, log=str(folder / "asked"), most=most))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def write_games(path, *games, tags=()):
    with open(path, "w", encoding="utf-8") as file:
        for moves in games:
            board = chess.Board()
            for move in moves:
                board.push_uci(move)
            game = chess.pgn.Game.from_board(board)
            game.headers.update(tags)
            print(game, file=file, end="\n\n")
    return path


def name_of(moves):
    return game_id(chess.Board(), [chess.Move.from_uci(it) for it in moves])


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_games_are_labelled_backwards_and_the_end_by_the_rules(tmp_path):
    games = write_games(tmp_path / "games.pgn", FOOLS_MATE, OPENING, FOOLS_MATE)
    out = tmp_path / "labels"
    text = done("label", games, "-o", out, "--engine", engine(tmp_path), "--nodes", 10)
    assert "game 2 of 2" in text
    header, *records = lines_of(out)
    assert (header["measure"], header["judge"]["name"], header["limit"]) == ("labels", "Known", ["nodes", 10])
    # The mated side is not asked about; between games the engine forgets.
    assert (tmp_path / "asked").read_text().split() == ["new", "3", "2", "1", "0", "new", "6", "5", "4", "3", "2", "1", "0"]
    assert [it["ply"] for it in records] == [4, 3, 2, 1, 0, 6, 5, 4, 3, 2, 1, 0]
    assert records[0] == {"game": name_of(FOOLS_MATE), "ply": 4, "played": None, "mate": 0}
    last = dict(records[5])
    assert last.pop("ms") >= 0
    assert last == {
        "game": name_of(OPENING), "ply": 6, "played": None, "cp": 60, "best": "a2a3", "pv": ["a2a3", "a1a2"], "nodes": 7,
    }
    # A bound has the last word, and the line is of the move that is played.
    assert (records[6]["cp"], records[6]["bound"], records[6]["pv"][0]) == (3, True, records[6]["best"])


def test_a_game_cut_short_begins_again(tmp_path):
    games = write_games(tmp_path / "games.pgn", FOOLS_MATE, OPENING)
    out, whole = tmp_path / "labels", tmp_path / "whole"
    command = ["label", games, "--nodes", 10, "--plies", 5, "--engine"]
    path = engine(tmp_path, most=7)
    assert measure(*command, path, "-o", out).returncode == 1
    assert [it["ply"] for it in lines_of(out)[1:]] == [4, 3, 2, 1, 0, 5, 4, 3]
    # As another binary would be another engine, the header is given the new one's checksum.
    cut = lines_of(out)
    path = engine(tmp_path)
    done(*command, path, "-o", whole)
    out.write_text("".join(json.dumps(it, ensure_ascii=False) + "\n" for it in [lines_of(whole)[0], *cut[1:]]))
    done(*command, path, "-o", out)

    def timeless(path):
        return [{key: value for key, value in it.items() if key != "ms"} for it in lines_of(path)]

    assert timeless(out) == timeless(whole)
    # The move behind the last position looked at is known, but not what it costs.
    assert timeless(whole)[6]["played"] == OPENING[5]
    assert "another limit" in refused("label", games, "-o", out, "--engine", path, "--nodes", 11)


def test_games_that_cannot_be_labelled_are_said(tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text('[Variant "Antichess"]\n\n1. e4 e5 *\n')
    with pytest.raises(Trouble, match="expected ordinary chess"):
        labels.games_of([games])


def judge_file(path, games):
    """Labels of values for White before each move and behind the last one; the judge would always have played another move."""
    with open(path, "w", encoding="utf-8") as file:
        print(json.dumps({"measure": "labels", "judge": {}, "limit": ["nodes", 1], "plies": None}), file=file)
        for moves, values in games:
            for ply in reversed(range(len(values))):
                played = moves[ply] if ply < len(moves) else None
                sign = 1 if ply % 2 == 0 else -1
                record = {"game": name_of(moves), "ply": ply, "played": played, "cp": sign * values[ply], "best": "a2a4", "pv": []}
                print(json.dumps(record), file=file)
    return path


def record_file(path, games, field=None):
    """A record of `cassius analyze --json`: for each game its rating and (played, cost, chances) by ply."""
    with open(path, "w", encoding="utf-8") as file:
        print(json.dumps({"kind": "header", "cassius": "0.1.0"}), file=file)
        for number, (moves, rating, costs) in enumerate(games, 1):
            tags = [["WhiteElo", str(rating)], ["BlackElo", str(rating + 20)]]
            print(json.dumps({"kind": "game", "game": number, "tags": tags, "start": chess.STARTING_FEN, "chess960": False,
                "plies": len(moves)}), file=file)
            for ply, (move, cost) in enumerate(zip(moves, costs)):
                chances = None
                if isinstance(cost, tuple):
                    cost, chance = cost
                    chances = {"chances": {"dubious": chance, "mistake": chance / 2, "blunder": chance / 4}}
                print(json.dumps({"kind": "position", "game": number, "ply": ply, "black": ply % 2 == 1, "cp": 0, "mate": None,
                    "played": {"uci": move}, "best": {"uci": "a2a4" if ply else "h2h4"}, "cost": cost, **(chances or {})}), file=file)
        file.write('{"kind":"position","game":1,"pl')
    return path


def test_a_cost_is_the_loss_by_the_curve_and_nothing_for_the_judges_own_move(tmp_path):
    path = judge_file(tmp_path / "labels", [(OPENING, [0, -100, 50, 50])])
    judged = labels.Labels(path)
    name = name_of(OPENING)
    assert judged.cost(name, 0) == pytest.approx(0.5 - 1 / (1 + math.exp(0.368208)))
    # Black's move made White's game better: it cost Black.
    assert judged.cost(name, 1) == pytest.approx(1 / (1 + math.exp(0.368208 * -0.5)) - 1 / (1 + math.exp(0.368208)))
    assert judged.cost(name, 2) == 0.0
    assert judged.cost(name, 3) is None and judged.cost("another", 0) is None
    judged.games[name][0]["best"] = OPENING[0]
    assert judged.cost(name, 0) == 0.0
    judged.games[name][1] = {"played": OPENING[1], "mate": 2}
    judged.games[name][0] = {"played": OPENING[0], "mate": 1}
    assert judged.cost(name, 0) == 1.0
    judged.games[name][1] = {"played": None, "mate": 0}
    assert judged.cost(name, 0) == 0.0


def table_of(text, number=0):
    """Rows of a table that was printed, as lists of cells."""
    blocks, rows = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            blocks.append(rows)
            rows = []
    heading, _, *body = blocks[number]
    return [dict(zip(heading, row)) for row in body]


def test_marks_are_counted_by_band(tmp_path):
    other = ["d2d4", "d7d5"]
    # By the judge the first move, of White, costs 0.09 and the second nothing; in the other game the second one costs 0.09.
    judged = judge_file(tmp_path / "labels", [(OPENING, [0, -100, -100, -100]), (other, [0, 0, 100])])
    ours = record_file(tmp_path / "ours.json", [
        (OPENING, 1400, [0.2, 0.06, 0.0, 0.0, 0.0, 0.0]), (other, 2000, [0.0, 0.04]),
    ])
    theirs = record_file(tmp_path / "theirs.json", [(OPENING, 1400, [0.2, 0, 0, 0, 0, 0]), (other, 2000, [0.0, 0.07])])
    out = tmp_path / "figures.json"
    text = done("marks", judged, ours, f"better={theirs}", "--json", out)
    rows = {(it["band"], it["record"]): it for it in table_of(text)}
    # Six moves of the first game, of which three have labels on both sides.
    pooled = rows["all", "ours"]
    assert [pooled[it] for it in ("games", "moves", "judge", "marked", "both")] == ["2", "5", "2", "2", "1"]
    assert pooled["right"].startswith("0.500") and pooled["found"].startswith("0.500")
    low, high = rows["below 1500", "ours"], rows["1900 to 2300", "ours"]
    assert [low[it] for it in ("moves", "judge", "marked", "both")] == ["3", "1", "2", "1"]
    assert [high[it] for it in ("moves", "judge", "marked", "both")] == ["2", "1", "0", "0"]
    # Of the pairs of a bad move and a good one, all six are told apart but (0.04, 0.06).
    assert pooled["AUC"].startswith(f"{5 / 6:.3f}")
    assert rows["all", "better"]["AUC"].startswith("1.000")
    # Where there is one game, there is no error.
    assert low["AUC"].endswith("nan")
    assert pooled["same move"].startswith("0.600")
    figures = json.loads(out.read_text())
    assert figures["bands"]["all"]["better"]["found"]["value"] == 1.0
    assert figures["bands"]["below 1500"]["ours"]["right"]["error"] is None
    less = table_of(text, 1)
    assert less[0]["record"] == "better" and less[0]["AUC"].startswith(f"{1 / 6:.3f}")


def test_stated_chances_decide_the_marks_and_are_held_against_what_came(tmp_path):
    judged = judge_file(tmp_path / "labels", [(OPENING, [0, -100, -100, -100, -100])])
    ours = record_file(tmp_path / "ours.json", [(OPENING, 1600, [(0.01, 0.55), (0.3, 0.45), (0.0, 0.02), (0.0, 0.04), (0, 0), (0, 0)])])
    text = done("marks", judged, ours)
    (pooled, band) = table_of(text)
    assert (band["band"], pooled["marked"], pooled["both"]) == ("1500 to 1900", "1", "1")
    assert "ours, chance of a loss of 0.05: calibration error 0.240" in text
    rows = table_of(text, 1)
    assert [(it["chance"], it["moves"], it["stated"], it["came"][:5]) for it in rows] == [
        ("0.0 to 0.1", "2", "0.030", "0.000"), ("0.4 to 0.5", "1", "0.450", "0.000"), ("0.5 to 0.6", "1", "0.550", "1.000"),
    ]
    # A loss of a fifth is none by the judge.
    assert table_of(done("marks", judged, ours, "--loss", "0.2"))[0]["judge"] == "0"


def test_another_judge_is_measured_like_a_record(tmp_path):
    one = judge_file(tmp_path / "one", [(OPENING, [0, -100, -100])])
    text = done("marks", one, f"other={judge_file(tmp_path / 'two', [(OPENING, [0, -100, -100])])}")
    assert [table_of(text)[0][it] for it in ("judge", "marked", "both")] == ["1", "1", "1"]


# By the judge the side to move stands better by 300 before the first move, and is level after it.
LABELLED = """\
game,ply,fen,side,played,best,cp,mate,band,band_chance,words,only,found
1,0,{start},white,e4,d4,210,,better,0.9,"only move missed, surely; easy to find",0.9,1000
1,1,{after},black,e5,e5,-400,,decisive,0.7,"only move, probably",0.7,200
1,2,{last},white,,,0,,level,0.5,,,
"""


def test_labels_are_held_against_the_judge(tmp_path):
    board = chess.Board()
    fens = {}
    for name, move in [("start", "e4"), ("after", "e5"), ("last", None)]:
        fens[name] = board.fen()
        if move:
            board.push_san(move)
    games, answers = tmp_path / "games.csv", tmp_path / "answers"
    games.write_text(LABELLED.format(**fens))
    pgn = write_games(tmp_path / "games.pgn", ["e2e4", "e7e5"])
    path = engine(tmp_path)
    judged = tmp_path / "labels"
    done("label", pgn, "-o", judged, "--engine", path, "--nodes", 6400)
    # The judge values positions by their number and would play the first move by name: here d4 and e5 are its choices.
    header, *records = lines_of(judged)
    values = {0: {"cp": 300, "best": "d2d4"}, 1: {"cp": 0, "best": "e7e5"}, 2: {"cp": 0, "best": "a2a3"}}
    judged.write_text("".join(json.dumps(it) + "\n" for it in [header, *({**it, **values[it["ply"]]} for it in records)]))
    (tmp_path / "asked").write_text("")
    text = done("words", judged, games, "--answers", answers)
    rows = {(it["label"], it["word"]): (it["said"], it["chance"], it["right"][:5]) for it in table_of(text)}
    assert rows == {
        ("decisive", "probably"): ("1", "0.700", "0.000"),
        ("better", "surely"): ("1", "0.900", "1.000"),
        ("level", "perhaps"): ("1", "0.500", "1.000"),
        # Without d4 White has 0, which loses 0.25; without e5 Black has more than with it.
        ("only move", "probably"): ("1", "0.700", "0.000"),
        ("only move missed", "surely"): ("1", "0.900", "1.000"),
        # What was hard to find was missed.
        ("hard to find", ""): ("1", "", "1.000"),
    }
    assert (tmp_path / "asked").read_text().split() == ["new", "0", "new", "1"]
    assert [it["without"] for it in lines_of(answers)[1:]] == ["d2d4", "e7e5"]
    # Nothing is asked twice.
    done("words", judged, games, "--answers", answers)
    assert len((tmp_path / "asked").read_text().split()) == 4
    assert "no column" in refused("words", judged, pgn, "--answers", answers)
    assert "made of the same games" in refused("words", judge_file(tmp_path / "other", [(OPENING, [0])]), games, "--answers", answers)


def test_a_record_without_costs_has_them_by_the_model(tmp_path):
    row = {"played": {"uci": "e2e4"}, "best": {"uci": "d2d4"}, "black": False, "cp": 10, "mate": None}
    after = {**row, "cp": -171}
    # As src/game_report/move_marks.rs has it: just a fifth.
    assert marks.cost_of(row, after) == 0.2
    assert marks.cost_of({**row, "black": True}, after) == 0.0
    assert marks.cost_of({**row, "best": row["played"]}, after) == 0.0
    assert marks.cost_of(row, None) is None
    assert marks.cost_of({**row, "mate": 3, "cp": None}, {**after, "mate": -1, "cp": None}) == 1.0


def test_files_of_another_kind_are_refused(tmp_path):
    judged = judge_file(tmp_path / "labels", [(OPENING, [0, 0, 0])])
    other = tmp_path / "other.json"
    other.write_text('{"measure": "positions"}\n')
    assert "or labels" in refused("marks", judged, other)
    other.write_text('{"kind": "header"}\n')
    assert "no game whose moves are all known" in refused("marks", judged, other)
    apart = record_file(tmp_path / "apart.json", [(FOOLS_MATE, 1500, [0, 0, 0, 0])])
    assert "made of the same games" in refused("marks", judged, apart)
    assert "the same name" in refused("marks", judged, apart, apart)


def test_an_auc_counts_ties_half_and_a_correlation_is_pearsons():
    games = statistics.Bootstrap(["a", "a", "b", "b"])
    assert games.auc([0.0, 0.0, 1.0, 2.0], [True, False, False, True]).value == pytest.approx((0.5 + 0 + 1 + 1) / 4)
    assert math.isnan(games.auc([1, 2, 3, 4], [False] * 4).value)
    assert games.correlation([1, 2, 3, 4], [2, 4, 6, 8]).value == pytest.approx(1.0)
    figure = games.correlation([1, 2, 3, 5], [2, 1, 4, 3])
    assert figure.value == pytest.approx(0.5291503)
    assert figure.error() > 0
