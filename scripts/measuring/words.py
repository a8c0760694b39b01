"""Labels of positions and moves (docs/games.md, *Labels*) against a judge: how often each is right.

The labels are those of `cassius analyze --csv`. A file of the judge's labels tells who stands how; the judge is asked
what the label of a move needs besides: what the position is worth without that move, and what the judge plays with a
64th of the effort and an empty table.
"""

import csv
import math

import chess

from .engines import TIMEOUT, Engine, Spec
from .files import Log, Trouble, check_file, progress, table
from .labels import points
from .marks import shown
from .positions import game_id
from .statistics import Bootstrap

KIND = "answers about labels"
# Points of the judge, for the side that stands better, within which each band is right.
BANDS = {"decisive": (0.85, 1.0), "better": (0.6, 1.0), "level": (0.4, 0.6), "dead drawn": (0.45, 0.55)}
# Words for a chance, and the least chance of each.
WORDS = {"surely": 0.85, "probably": 0.65, "perhaps": 0.0}
# Points that every other move loses, at the least, where one alone holds.
LOSS = 0.05
# The part of the judge's effort within which a move is easy to find.
QUICK = 64


class Games:
    """The rows of a CSV file by game and ply, and of each game its start and its moves; games that the labels lack are left out."""

    def __init__(self, path, labels):
        check_file(path)
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if missing := {"game", "ply", "fen", "played", "best", "band", "words"}.difference(reader.fieldnames or ()):
                raise Trouble(f"{path}: expected CSV of 'cassius analyze --csv', found no column '{min(missing)}'")
            numbered = {}
            for row in reader:
                numbered.setdefault(row["game"], []).append(row)
        self.rows, self.moves = {}, {}
        for rows in numbered.values():
            board = chess.Board(rows[0]["fen"])
            start, moves = board.fen(), []
            for row in rows:
                if row["played"]:
                    moves.append(board.push_san(row["played"]).uci())
            name = game_id(chess.Board(start), [chess.Move.from_uci(it) for it in moves])
            if name in labels.games:
                self.moves[name] = start, moves
                self.rows |= {(name, int(row["ply"])): row for row in rows}
        if not self.rows:
            raise Trouble("no game is both in the labels and in the CSV; were they made of the same games?")

    def position(self, game, ply):
        """The start of a game and the moves before a position."""
        start, moves = self.moves[game]
        return start, moves[:ply]

    def move(self, key, column):
        """A move of a row, in UCI."""
        row = self.rows[key]
        return chess.Board(row["fen"]).parse_san(row[column]).uci()


def bands(games, labels):
    """Claims about positions: label, word, game, chance stated, whether it is right."""
    for (game, ply), row in games.rows.items():
        judged = labels.games[game].get(ply)
        if judged is None or not row["band"]:
            continue
        # Values of the CSV are White's, those of the judge the mover's.
        is_black_ahead = (row["mate"] or row["cp"]).startswith("-")
        ours = points(judged) if (row["side"] == "black") == is_black_ahead else 1.0 - points(judged)
        least, most = BANDS[row["band"]]
        chance = float(row["band_chance"]) if row["band_chance"] else math.nan
        word = next((word for word, least in WORDS.items() if chance >= least), "")
        yield row["band"], word, game, chance, least <= ours <= most


def moves(games, labels, answers):
    """Claims about moves, as `bands`; `answers` has the judge's answers by game, ply and question."""
    for key, label, word, move in claims(games):
        judged = labels.games[key[0]].get(key[1])
        if judged is None:
            continue
        if label in ("hard to find", "easy to miss"):
            found = answers[*key, "quick"]["best"] == judged["best"]
            yield label, word, key[0], math.nan, found == (label == "easy to miss")
        else:
            lost = points(judged) - points(answers[*key, move])
            row = games.rows[key]
            chance = float(row["only"]) if row["only"] else math.nan
            yield label, word, key[0], chance, judged["best"] == move and lost >= LOSS


def claims(games):
    """Labels of moves: game and ply, label, word, the move in question."""
    for key, row in games.rows.items():
        for label in filter(None, row["words"].split("; ")):
            label, _, word = label.partition(", ")
            if label != "only legal move":
                yield key, label, word, games.move(key, "played" if label == "only move" else "best")


def ask(path, games, labels, judge, timeout=TIMEOUT):
    """The judge's answers to what labels of moves claim, by game, ply and question; a file that holds part of them is gone on with."""
    header = {"measure": KIND, **{key: labels.header[key] for key in ("judge", "limit")}}
    kind, amount = labels.header["limit"]
    spec = Spec.of(judge or header["judge"]["command"])._replace(label="judge", options=header["judge"]["options"])
    if spec.identity()["sha256"] != header["judge"]["sha256"]:
        raise Trouble(f"'{spec.command}' is not the engine of the labels; name that one with --judge")
    wanted = dict.fromkeys(
        (*key, "quick" if label in ("hard to find", "easy to miss") else move) for key, label, _, move in claims(games)
        if key[1] in labels.games[key[0]])
    with Engine(spec, timeout) as engine, Log(path, header) as log:
        answers = {(it["game"], it["ply"], it["question"]): it for it in log.records}
        for game, ply, question in progress([it for it in wanted if it not in answers], "judge: label"):
            start, before = games.position(game, ply)
            engine.begin_game()
            if question == "quick":
                told, _ = engine.search(start, (kind, max(1, amount // QUICK)), before)
            else:
                board = chess.Board(games.rows[game, ply]["fen"])
                others = [it.uci() for it in board.legal_moves if it.uci() != question]
                told, _ = engine.search(start, (kind, amount), before, others)
            record = {"game": game, "ply": ply, "question": question, "best": told.pop("move"), **told}
            log.write(record)
            answers[game, ply, question] = record
    return answers


def report(claimed, seed):
    """The table: labels with their words, how many there are, the mean chance stated, and how many are right."""
    claimed = list(claimed)
    games = Bootstrap([game for _, _, game, _, _ in claimed], seed)
    came = [right for *_, right in claimed]
    order = [*BANDS, "only move", "only move missed", "hard to find", "easy to miss"]
    kinds = sorted({it[:2] for it in claimed}, key=lambda it: (order.index(it[0]), [*WORDS, ""].index(it[1])))
    rows = []
    for kind in kinds:
        chosen = [it[:2] == kind for it in claimed]
        chances = [chance for *it, chance, _ in claimed if tuple(it[:2]) == kind and not math.isnan(chance)]
        stated = f"{sum(chances) / len(chances):.3f}" if chances else ""
        rows.append([*kind, sum(chosen), stated, shown(games.mean(came, chosen))])
    return table(["label", "word", "said", "chance", "right"], rows)
