"""Labels of positions and moves (docs/games.md, *Labels*) against a judge: how often each is right.

The labels are those of `cassius analyze --csv`. A file of the judge's labels tells which side stands better; for only moves
the judge is also asked what the position is worth without the move.
"""

import csv
import math

import chess

from .engines import TIMEOUT, Engine, Spec, is_same
from .files import Log, Trouble, check_file, progress, table
from .labels import points
from .marks import LOSSES, shown
from .positions import game_id
from .statistics import Bootstrap

KIND = "only moves"
COLUMNS = {"game", "ply", "side", "fen", "played", "best", "cp", "mate", "band", "band_chance", "words", "only", "found"}
# Points of the judge, for the side that stands better, within which each band is right.
BANDS = {"decisive": (0.85, 1.0), "better": (0.6, 1.0), "level": (0.4, 0.6), "dead drawn": (0.45, 0.55)}
# Words for a chance, and the least chance of each.
WORDS = {"surely": 0.85, "probably": 0.65, "perhaps": 0.0}
# Points that every other move loses, at the least, if one alone holds.
LOSS = min(LOSSES)
# Positions that a search visits before it has a move, if that is hard to find, and at most if it is easy.
HARD, EASY = 1000, 200


class Games:
    """The rows of a CSV file by game and ply, and of each game its start and its moves; games that the labels lack are left out."""

    def __init__(self, path, labels):
        check_file(path)
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if missing := COLUMNS.difference(reader.fieldnames or ()):
                raise Trouble(f"{path}: expected CSV of 'cassius analyze --csv', found no column '{min(missing)}'")
            numbered = {}
            for row in reader:
                numbered.setdefault(row["game"], []).append(row)
        self.rows, self.moves = {}, {}
        for rows in numbered.values():
            board = chess.Board(rows[0]["fen"])
            start = board.copy()
            moves = [board.push_san(row["played"]) for row in rows if row["played"]]
            name = game_id(start, moves)
            if name in labels.games:
                self.moves[name] = start.fen(), [it.uci() for it in moves]
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
    """Claims about only moves, as `bands`; and of those that are right, whether players missed the hard ones and played the easy ones.

    `answers` has the judge's answers by game, ply and the move left out.
    """
    for key, label, word, move in claims(games):
        judged = labels.games[key[0]].get(key[1])
        if judged is None:
            continue
        row = games.rows[key]
        is_right = judged["best"] == move and points(judged) - points(answers[(*key, move)]) >= LOSS
        yield label, word, key[0], float(row["only"] or "nan"), is_right
        if not is_right or not row["found"]:
            continue
        is_missed, visited = label == "only move missed", int(row["found"])
        if visited >= HARD:
            yield "hard to find", "", key[0], math.nan, is_missed
        elif visited <= EASY:
            yield "easy to find", "", key[0], math.nan, not is_missed


def claims(games):
    """Only moves: game and ply, label, word, the move in question."""
    for key, row in games.rows.items():
        for label in row["words"].split("; "):
            label, _, word = label.partition(", ")
            if label in ("only move", "only move missed"):
                yield key, label, word, games.move(key, "played" if label == "only move" else "best")


def ask(path, games, labels, judge, timeout=TIMEOUT):
    """What positions are worth without their only moves, by game, ply and move; continues a file that holds part of that."""
    header = {"measure": KIND, **{key: labels.header[key] for key in ("judge", "limit")}}
    spec = Spec.of(judge or header["judge"]["command"])._replace(label="judge", options=header["judge"]["options"])
    if not is_same(spec.identity(), header["judge"]):
        raise Trouble(f"'{spec.command}' is not the engine of the labels; name that one with --judge")
    wanted = [(*key, move) for key, _, _, move in claims(games) if key[1] in labels.games[key[0]]]
    with Engine(spec, timeout) as engine, Log(path, header) as log:
        answers = {(it["game"], it["ply"], it["without"]): it for it in log.records}
        for game, ply, move in progress([it for it in wanted if it not in answers], "judge: only move"):
            start, before = games.position(game, ply)
            legal = chess.Board(games.rows[game, ply]["fen"]).legal_moves
            engine.begin_game()
            told, _ = engine.search(start, labels.header["limit"], before, [it.uci() for it in legal if it.uci() != move])
            record = {"game": game, "ply": ply, "without": move, "best": told.pop("move"), **told}
            log.write(record)
            answers[game, ply, move] = record
    return answers


def report(claimed, seed):
    """The table: labels with their words, how many there are, the mean chance stated, and how many are right."""
    claimed = list(claimed)
    games = Bootstrap([game for _, _, game, _, _ in claimed], seed)
    came = [right for *_, right in claimed]
    order = [*BANDS, "only move", "only move missed", "hard to find", "easy to find"]
    kinds = sorted({it[:2] for it in claimed}, key=lambda it: (order.index(it[0]), [*WORDS, ""].index(it[1])))
    rows = []
    for kind in kinds:
        chosen = [it[:2] == kind for it in claimed]
        chances = [chance for *it, chance, _ in claimed if tuple(it[:2]) == kind and not math.isnan(chance)]
        stated = f"{sum(chances) / len(chances):.3f}" if chances else ""
        rows.append([*kind, sum(chosen), stated, shown(games.mean(came, chosen))])
    return table(["label", "word", "said", "chance", "right"], rows)
