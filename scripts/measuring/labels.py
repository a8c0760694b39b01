"""A judge's labels of whole games: its value and its move in every position, and so what each move played costs.

A game is searched from its last position to its first, with the table kept: what the judge sees in a position it
still knows in the one before. So values of neighbours agree, and costs are differences of neighbours. The file has
a header, then for each position a record:

    game      what the game is known by: the first 16 digits of the SHA-256 of its start (FEN) and its moves (UCI), blanks between
    ply       0 before the first move
    played    the move played there, in UCI; null behind the last one
    cp, mate  one of them: the value for the side to move, in centipawns, or in moves to mate (0: it is mated)
    bound     true where the value rests on a bound
    best, pv  the judge's move, and how its line begins; left out where the game is over by the rules
    nodes, ms what it took
"""

import math
import re

import chess
import chess.pgn

from .engines import TIMEOUT, Engine
from .files import Log, Trouble, check_file, read
from .positions import game_id, is_plain

KIND = "labels"
# Moves of the judge's line that are kept.
LINE = 8
PV = re.compile(r"^info (?!.*\bmultipv (?!1\b)).*?\bpv (.+)")
# Lichess's curve: centipawns in which the odds of a point grow by a factor of e.
LICHESS = 1 / 0.00368208


def points(value):
    """The points, 0 to 1, that the side to move can expect: Lichess's curve, and certainty with a mate."""
    if "mate" in value:
        return 1.0 if value["mate"] > 0 else 0.0
    return (1.0 + math.tanh(value["cp"] / LICHESS / 2.0)) / 2.0


def games_of(paths):
    """By id the start and the moves of all games that can be labelled: ordinary chess without faults."""
    games = {}
    for path in paths:
        check_file(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                moves = list(game.mainline_moves())
                if is_plain(game) and moves:
                    games.setdefault(game_id(game.board(), moves), (game.board(), moves))
    if not games:
        raise Trouble(f"{', '.join(map(str, paths))}: no game to label; expected ordinary chess without faults")
    return games


def label(paths, output, spec, limit, plies=None, timeout=TIMEOUT, told=print):
    """Labels games, of each the first `plies` moves; continues a file that holds some of them.

    A game that was cut short begins again: its values depend on what the table knew.
    """
    games = games_of(paths)
    with Engine(spec, timeout) as engine:
        header = {
            "measure": KIND, "judge": {"name": engine.name, "command": spec.command, **spec.identity()},
            "limit": list(limit), "plies": plies,
        }
        with Log(output, header) as log:
            done = {record["game"] for record in log.records if record["ply"] == 0}
            log.forget(sum(record["game"] not in done for record in log.records))
            for number, (name, (start, moves)) in enumerate(games.items(), 1):
                if name not in done:
                    for record in backwards(engine, start, moves[:plies], moves[plies:plies + 1] if plies else [], limit):
                        log.write({"game": name, **record})
                    told(f"game {number} of {len(games)}: {name}, {len(moves)} moves")


def backwards(engine, start, moves, behind, limit):
    """Records of a game's positions, the last one first; `behind`: the move played in the last one, if it is known."""
    engine.begin_game()
    played = [move.uci() for move in moves]
    board = start.copy()
    for move in moves:
        board.push(move)
    for ply in range(len(moves), -1, -1):
        here = (played + [it.uci() for it in behind])[ply:ply + 1]
        record = {"ply": ply, "played": here[0] if here else None}
        yield record | (ending(board) or searched(engine, start, played[:ply], limit))
        if ply:
            board.pop()


def ending(board):
    """The value of a position that ends the game by the rules, whatever the players say."""
    if any(board.legal_moves):
        return {"cp": 0} if board.is_insufficient_material() else None
    return {"mate": 0} if board.is_check() else {"cp": 0}


def searched(engine, start, moves, limit):
    """What the engine says of the position after `moves`."""
    answer, lines = engine.search(start.fen(), limit, moves)
    lines = [match[1].split() for line in lines if (match := PV.match(line.split(" string ")[0]))]
    best = answer.pop("move")
    line = next((line for line in reversed(lines) if line[0] == best), [best])
    kept = {key: answer.pop(key) for key in ("cp", "mate", "bound") if key in answer}
    return {**kept, "best": best, "pv": line[:LINE], **answer}


class Labels:
    """What a file of labels holds: records by game and ply."""

    def __init__(self, path):
        self.header, records = read(path, KIND)
        self.games = {}
        for record in records:
            self.games.setdefault(record["game"], {})[record["ply"]] = record

    def cost(self, game, ply):
        """Points that the move played costs by the judge: 0 if the judge would have played it, None if unknown."""
        before, after = (self.games.get(game, {}).get(it) for it in (ply, ply + 1))
        if before is None or after is None or before["played"] is None:
            return None
        if before.get("best") == before["played"]:
            return 0.0
        return max(0.0, points(before) - (1.0 - points(after)))
