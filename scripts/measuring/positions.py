"""Position sets from games: which positions are taken, and the file that says where they come from."""

import hashlib
import random

import chess.pgn

from .files import Trouble, check_new, dump, progress, sha256, write_new

KIND = "positions"


def game_id(start, moves):
    """Tells games apart by what was played: the same game has the same id in any file."""
    text = " ".join([start.fen(), *(move.uci() for move in moves)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_fit(board):
    """Whether there is something to choose: two moves or more, no check, mating material."""
    if board.is_check() or board.is_insufficient_material():
        return False
    return board.legal_moves.count() > 1


def sample(start, moves, dice, settings, seen):
    """Positions of one game as (ply, board): one at random of each block of `every` plies.

    `seen` holds the EPDs already taken; it gains those taken here.
    """
    blocks = {}
    board = start.copy(stack=False)
    for ply in range(min(len(moves), settings["to"]) + 1):
        if ply >= settings["from"] and is_fit(board) and board.epd() not in seen:
            blocks.setdefault((ply - settings["from"]) // settings["every"], []).append((ply, board.copy(stack=False)))
        if ply < len(moves):
            board.push(moves[ply])
    taken = {}
    for block in blocks.values():
        ply, board = dice.choice(block)
        # A position that stands twice in a game may be drawn from two blocks.
        taken.setdefault(board.epd(), (ply, board))
    taken = list(taken.values())
    if settings["per_game"] and len(taken) > settings["per_game"]:
        taken = sorted(dice.sample(taken, settings["per_game"]), key=lambda it: it[0])
    seen.update(board.epd() for _, board in taken)
    return taken


def games_of(path, most):
    """The games of a PGN file, at most so many."""
    with open(path, encoding="utf-8", errors="replace") as file:
        number = 0
        while (most is None or number < most) and (game := chess.pgn.read_game(file)):
            number += 1
            yield game


def is_plain(game):
    """Whether it is ordinary chess, read without errors: of others the values would mean something else."""
    return not game.errors and type(game.board()) is chess.Board and not game.board().chess960


def make(paths, output, settings):
    """Writes a position set; its header is the manifest."""
    check_new(output)
    part, parts = settings["part"]
    header = {"measure": KIND, **settings, "sources": [], "left_out": {}}
    left_out = {"damaged or variant": 0, "second copy": 0, "other part": 0, "without a position": 0, "not needed": 0}
    seen, known, games = set(), set(), []
    for path in paths:
        count = 0
        for game in progress(games_of(path, settings["games"]), f"{path}: game"):
            count += 1
            if not is_plain(game):
                left_out["damaged or variant"] += 1
                continue
            start, moves = game.board(), list(game.mainline_moves())
            name = game_id(start, moves)
            if name in known:
                left_out["second copy"] += 1
                continue
            known.add(name)
            if int(name, 16) % parts != part - 1:
                left_out["other part"] += 1
                continue
            # By game and seed alone: other games and other files change nothing.
            dice = random.Random(f"{settings['seed']} {name}")
            taken = sample(start, moves, dice, settings, seen)
            if taken:
                games.append((name, taken))
            else:
                left_out["without a position"] += 1
        header["sources"].append({"file": str(path), "sha256": sha256(path), "games": count})
    chosen = choose(games, settings["count"], settings["seed"])
    left_out["not needed"] = len(games) - len(chosen)
    records = [
        {"game": name, "ply": ply, "fen": board.fen(), "pieces": chess.popcount(board.occupied)}
        for name, taken in chosen
        for ply, board in taken
    ]
    if not records:
        raise Trouble(f"no position of {sum(it['games'] for it in header['sources'])} games fits: {dump(left_out)}")
    header["left_out"] = left_out
    header["chosen"] = {"games": len(chosen), "positions": len(records)}
    if settings["per_game"]:
        header["chosen"]["games with fewer"] = sum(len(taken) < settings["per_game"] for _, taken in chosen)
    lines = [header, *({"id": number, **record} for number, record in enumerate(records, 1))]
    write_new(output, "".join(dump(line) + "\n" for line in lines))
    return header


def choose(games, count, seed):
    """Games at random until they have `count` positions, in the order of the files."""
    if count is None:
        return games
    order = list(range(len(games)))
    random.Random(f"{seed} games").shuffle(order)
    chosen, left = {}, count
    for number in order:
        if left > 0:
            name, taken = games[number]
            # The last one gives what is missing.
            chosen[number] = name, taken[:left]
            left -= len(taken)
    return [chosen[number] for number in sorted(chosen)]
