"""Position sets from games: which positions are taken, and the file that says where they come from."""

import hashlib
import random

import chess
import chess.pgn

from .files import Trouble, check_new, dump, progress, sha256, write_new

KIND = "positions"
# Pawns that a piece is worth in an exchange; a king cannot be taken.
WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}


def game_id(start, moves):
    """Tells games apart by what was played: the same game has the same id in any file."""
    text = " ".join([start.fen(), *(move.uci() for move in moves)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_fit(board):
    """Whether there is something to choose: two moves or more, no check, mating material."""
    if board.is_check() or board.is_insufficient_material():
        return False
    return board.legal_moves.count() > 1


def is_quiet(board):
    """Whether no capture and no promotion wins material by exchanges on its square."""
    pawns_to_promote = board.pawns & board.occupied_co[board.turn] & (chess.BB_RANK_7 if board.turn else chess.BB_RANK_2)
    moves = [*board.generate_legal_captures(), *board.generate_legal_moves(pawns_to_promote)]
    return all(gain(board, move) <= 0 for move in moves)


def gain(board, move):
    """Pawns that a move wins if both sides go on to take on its square, the least piece first, for as long as it pays."""
    taken = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
    won = WORTH[taken] if taken else 0
    if move.promotion:
        won += WORTH[move.promotion] - WORTH[chess.PAWN]
    board.push(move)
    answers = board.generate_legal_captures(to_mask=chess.BB_SQUARES[move.to_square])
    answers = [it for it in answers if it.to_square == move.to_square and not board.is_en_passant(it)]
    # A king takes last; a pawn that promotes takes with the queen's worth to win.
    least = min(answers, key=lambda it: WORTH[board.piece_type_at(it.from_square)] or 10, default=None)
    if least:
        won -= max(0, gain(board, least))
    board.pop()
    return won


def drawn(block, dice, is_wanted):
    """One position of a block at random, if any is wanted."""
    if is_wanted is None:
        return dice.choice(block)
    return next((it for it in dice.sample(block, len(block)) if is_wanted(it[1])), None)


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
        if one := drawn(block, dice, is_quiet if settings["quiet"] else None):
            # A position that stands twice in a game may be drawn from two blocks.
            taken.setdefault(one[1].epd(), one)
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
