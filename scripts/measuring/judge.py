"""A judge's values: of every position, of the move that the judge chooses there, and of any other moves asked for.

A move's value comes from a search of that move alone (`searchmoves`), with the same limit for each. One search
of all moves at once (`MultiPV`) would share the nodes among forty moves and value the good ones badly.
"""

import chess

from .engines import TIMEOUT, Engine
from .files import Log, Trouble, progress, read, sha256
from . import positions

KIND = "judgement"


class Judgement:
    """What a judge's file holds: `positions` by id, and by id the values of `moves`."""

    def __init__(self, path, header, records):
        self.path, self.header, self.positions, self.moves = path, header, {}, {}
        for record in records:
            self.add(record)

    def add(self, record):
        if "of" in record:
            self.moves.setdefault(record["id"], {})[record["of"]] = record
        else:
            self.positions[record["id"]] = record

    @staticmethod
    def read(path):
        """A judge's file, which must have all positions."""
        judgement = Judgement(path, *read(path, KIND))
        missing = judgement.header["positions"] - len(judgement.positions)
        if missing:
            raise Trouble(f"{path}: {missing} positions have no value yet; run 'scripts/measure judge' to its end")
        return judgement

    def missing(self, wanted):
        """Of pairs (id, move) those without a value, once each."""
        return [it for it in dict.fromkeys(wanted) if it[1] not in self.moves.get(it[0], {})]


def answer(engine, fen, limit, move=None):
    """A judge's answer without its time, so that the same judge writes the same file."""
    return {key: value for key, value in engine.ask(fen, limit, move).items() if key != "ms"}


def value_moves(log, engine, judgement, wanted):
    """Has the judge value the moves of `wanted`, pairs (id, move), that have no value yet."""
    for number, move in progress(judgement.missing(wanted), "judge: move"):
        told = answer(engine, judgement.positions[number]["fen"], judgement.header["limit"], move)
        record = {"id": number, "of": told.pop("move"), **told}
        log.write(record)
        judgement.add(record)


def judge(set_path, output, spec, limit, all_moves, timeout=TIMEOUT, only_positions=False):
    """Values a set; continues a file that holds part of it. `only_positions`: no moves, not even the judge's own."""
    _, records = read(set_path, positions.KIND)
    if not records:
        raise Trouble(f"{set_path}: no position")
    identity = spec.identity()
    with Engine(spec, timeout) as engine:
        header = {
            "measure": KIND, "set": sha256(set_path), "positions": len(records),
            "judge": {"name": engine.name, "command": spec.command, **identity}, "limit": list(limit),
        }
        with Log(output, header) as log:
            judgement = Judgement(output, header, log.records)
            left = [record for record in records if record["id"] not in judgement.positions]
            for record in progress(left, "judge: position"):
                record = {**record, **answer(engine, record["fen"], limit)}
                log.write(record)
                judgement.add(record)
            if only_positions:
                return judgement
            best = [(number, record["move"]) for number, record in judgement.positions.items()]
            rest = [
                (number, move.uci())
                for number, record in judgement.positions.items()
                for move in chess.Board(record["fen"]).legal_moves
            ]
            value_moves(log, engine, judgement, best + (rest if all_moves else []))
    return judgement
