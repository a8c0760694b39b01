"""Marks of moves against a judge's labels: how many of those shown are right, how many of the judge's are found.

What is measured is a record, the JSON lines of `cassius analyze --json`, or another file of labels: two judges against
each other tell how well anybody can do.
"""

import math
import pathlib
from typing import NamedTuple

import chess

from .files import Trouble, check_file, parse, table
from .labels import KIND, Labels
from .positions import game_id
from .statistics import Bootstrap, bins_of

# Losses of which records state chances, in points, with the names of the chances.
LOSSES = {0.05: "dubious", 0.1: "mistake", 0.2: "blunder"}
# A mark is shown from this chance on, where chances are stated.
SHOWN = 0.5
# An earlier model of wins and draws of Cassius, in centipawns; for records that do not state what moves cost.
HALF_WON, ODDS = 144.0, 189.0


class Move(NamedTuple):
    """What is said of a move played: points that it costs, the move preferred, chances of losses by their names."""

    cost: float
    best: str
    chances: dict | None


class Record:
    """What somebody says of the moves of games: by game and ply; and the ratings of the players, as far as they are told."""

    def __init__(self, name):
        self.name, self.moves, self.ratings = name, {}, {}

    @staticmethod
    def read(text):
        """`[NAME=]FILE`: a record of games analysed, or labels."""
        name, _, path = text.partition("=") if "=" in text else (pathlib.Path(text).stem, "", text)
        record = Record(name)
        check_file(path)
        data = pathlib.Path(path).read_bytes()
        data = data[: data.rfind(b"\n") + 1]
        first = parse(path, None, data)[0] if data else {}
        if first.get("measure") == KIND:
            record.take_labels(Labels(path))
        elif first.get("kind") == "header":
            record.take_games(parse(path, None, data)[1])
        else:
            raise Trouble(f"{path}: expected JSON lines of 'cassius analyze --json', or labels")
        if not record.moves:
            raise Trouble(f"{path}: no game whose moves are all known")
        return record

    def take_labels(self, labels):
        for game, records in labels.games.items():
            for ply, it in records.items():
                # Where the game is over by the rules the judge has no move, even if the players went on.
                if "best" in it and (cost := labels.cost(game, ply)) is not None:
                    self.moves[game, ply] = Move(cost, it["best"], None)

    def take_games(self, lines):
        games, rows = {}, {}
        for line in lines:
            if line.get("kind") == "game":
                games[line["game"]] = line
            elif line.get("kind") == "position":
                rows.setdefault(line["game"], {})[line["ply"]] = line
        for number, game in games.items():
            own = [it for _, it in sorted(rows.get(number, {}).items())]
            if game.get("chess960") or not own or not is_whole(game, own):
                continue
            played = [chess.Move.from_uci(it["played"]["uci"]) for it in own if it["played"]]
            name = game_id(chess.Board(game["start"]), played)
            tags = dict(game["tags"])
            ratings = [tags.get(f"{side}Elo", "") for side in ("White", "Black")]
            if all(it.isdecimal() for it in ratings):
                self.ratings[name] = sum(map(int, ratings)) / 2
            for row, after in zip(own, [*own[1:], None]):
                cost = cost_of(row, after)
                if cost is not None and row["played"] and row["best"]:
                    self.moves[name, row["ply"]] = Move(cost, row["best"]["uci"], row.get("chances"))


def is_whole(game, rows):
    """Whether all moves of a game are in the record: else nobody knows which game it is."""
    return [it["ply"] for it in rows] == list(range(len(rows))) and sum(it["played"] is not None for it in rows) == game["plies"]


def cost_of(row, after):
    """What a move costs by a record, as stated, or as src/game_report/move_marks.rs has it."""
    if row.get("cost") is not None or not row["played"] or not row["best"]:
        return row.get("cost")
    if row["played"]["uci"] == row["best"]["uci"]:
        return 0.0
    before, after = points(row), points(after) if after else None
    if before is None or after is None:
        return None
    lost = after - before if row["black"] else before - after
    return max(0.0, round(2000.0 * lost) / 2000.0)


def points(row):
    """The points that White can expect; None where no value is known."""
    if row.get("mate"):
        return 1.0 if row["mate"] > 0 else 0.0
    if row.get("cp") is None:
        return None
    win, loss = (round(1000.0 / (1.0 + math.exp((HALF_WON - it) / ODDS))) for it in (row["cp"], -row["cp"]))
    return (1000.0 + win - loss) / 2000.0


def is_marked(move, loss):
    """Whether a mark for such a loss is shown: by its chance if that is stated, else by the cost."""
    if move.chances is not None:
        return move.chances[LOSSES[loss]] >= SHOWN
    return move.cost >= loss


class Agreement:
    """Records held against a judge's labels, over the moves that all of them know."""

    def __init__(self, labels, records, bands, loss, seed):
        self.records, self.loss, self.seed = records, loss, seed
        judge = Record("judge")
        judge.take_labels(labels)
        known = set(judge.moves).intersection(*(record.moves for record in records))
        if not known:
            raise Trouble("no move is both in the labels and in all records; were they made of the same games?")
        self.known, self.judge = sorted(known), judge
        ratings = {game: rating for record in records for game, rating in record.ratings.items()}
        self.bands = {"all": self.known}
        for name, least, most in ranges(bands):
            own = [it for it in self.known if least <= ratings.get(it[0], math.nan) < most]
            if own:
                self.bands[name] = own

    def figures(self, keys, record):
        """Name to number, or to a figure with an error, of one record over some moves."""
        games = Bootstrap([game for game, _ in keys], self.seed)
        judged = [self.judge.moves[key] for key in keys]
        told = [record.moves[key] for key in keys]
        bad = [it.cost >= self.loss for it in judged]
        marked = [is_marked(it, self.loss) for it in told]
        return {
            "games": games.games, "moves": len(keys), "judge": sum(bad), "marked": sum(marked),
            "both": sum(a and b for a, b in zip(bad, marked)),
            "right": games.mean(bad, marked),
            "found": games.mean(marked, bad),
            "AUC": games.auc([it.cost for it in told], bad),
            "correlation": games.correlation([it.cost for it in told], [it.cost for it in judged]),
            "same move": games.mean([a.best == b.best for a, b in zip(told, judged)]),
        }

    def reliability(self, record, loss):
        """Figures of a record's chances of a loss, and rows: bin, moves, mean chance, share that the judge calls such a loss."""
        keys = [key for key in self.known if record.moves[key].chances is not None]
        if not keys:
            return None
        games = Bootstrap([game for game, _ in keys], self.seed)
        chances = [record.moves[key].chances[LOSSES[loss]] for key in keys]
        came = [self.judge.moves[key].cost >= loss for key in keys]
        rows = []
        for number in range(10):
            chosen = bins_of(chances) == number
            rows.append((f"{number / 10:.1f} to {(number + 1) / 10:.1f}", int(chosen.sum()),
                games.mean(chances, chosen), games.mean(came, chosen)))
        return {"calibration error": games.calibration_error(chances, came), "AUC": games.auc(chances, came)}, rows

    def report(self):
        """The tables, as text and as data."""
        told = {"bands": {}, "calibration": {}}
        rows, differences = [], []
        for band, keys in self.bands.items():
            of = {record.name: self.figures(keys, record) for record in self.records}
            told["bands"][band] = {name: {key: plain(it) for key, it in figures.items()} for name, figures in of.items()}
            heading = ["band", "record", *next(iter(of.values()))]
            first = of[self.records[0].name]
            for name, figures in of.items():
                rows.append([band, name, *map(shown, figures.values())])
                if figures is not first:
                    less = [shown(it - first[key]) for key, it in figures.items() if hasattr(it, "error")]
                    differences.append([band, name, *less])
        texts = [table(heading, rows)]
        if differences:
            texts += [f"less {self.records[0].name}:", table(["band", "record", *heading[-5:]], differences)]
        for record in self.records:
            for loss in LOSSES:
                if calibration := self.reliability(record, loss):
                    texts += self._reliability(record, loss, *calibration, told)
        return "\n\n".join(texts), told

    @staticmethod
    def _reliability(record, loss, figures, rows, told):
        told["calibration"].setdefault(record.name, {})[str(loss)] = {
            **{name: plain(figure) for name, figure in figures.items()},
            "bins": [{"chance": name, "moves": moves, "stated": plain(stated), "came": plain(came)}
                for name, moves, stated, came in rows if moves],
        }
        lines = [[name, str(moves), f"{stated.value:.3f}", shown(came)] for name, moves, stated, came in rows if moves]
        figures = ", ".join(f"{name} {shown(figure)}" for name, figure in figures.items())
        return [f"{record.name}, chance of a loss of {loss}: {figures}",
            table(["chance", "moves", "stated", "came"], lines)]


def ranges(bands):
    """Name, least and most of each band of ratings."""
    edges = [-math.inf, *bands, math.inf]
    for least, most in zip(edges, edges[1:]):
        name = f"below {most}" if least == -math.inf else f"{least} and above" if most == math.inf else f"{least} to {most}"
        yield name, least, most


def shown(figure):
    """A number as a table has it."""
    if not hasattr(figure, "error"):
        return str(figure)
    return f"{figure.value:.3f} ± {figure.error():.3f}"


def plain(figure):
    """A number as JSON has it; None in place of not-a-number."""
    if not hasattr(figure, "error"):
        return figure
    value, error = ((None if math.isnan(it) else round(it, 5)) for it in (figure.value, figure.error()))
    return {"value": value, "error": error}
