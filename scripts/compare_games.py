"""Is all that stood in games still there after `cassius analyze --pgn`? Reads both files with python-chess.

    scripts/compare-games games.pgn annotated.pgn

Compared are tags, start positions, moves, variations, the words of comments, NAGs, clocks and arrows, of the whole tree of each game;
not comments from ; to the end of a line, which python-chess leaves out.
What may differ is what the documents say: a value in a comment is another one, and the tag Annotator, values, remarks,
marks and one variation for each move of the game come in addition. Tells what there was and what came, or each place where
something is lost, with exit code 1.
"""

import argparse
import collections
import itertools
import logging
import re
import sys

import chess.pgn

EVAL = re.compile(r"\[%eval [^]]*\]")
# From !! over ?? to ?!, the judgements of a move.
MARKS = set(range(chess.pgn.NAG_GOOD_MOVE, chess.pgn.NAG_DUBIOUS_MOVE + 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", help="the games as they were (PGN)")
    parser.add_argument("after", help="the games as `cassius analyze --pgn` wrote them")
    args = parser.parse_args()
    # python-chess logs the faults of games, which are compared here.
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    before, after = read(args.before), read(args.after)
    faults = list(lost(before, after))
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(1)
    there, now = count(before), count(after)
    print("all there: " + ", ".join(f"{what} {number}" for what, number in there.items()))
    print("new: " + ", ".join(f"{what} {now[what] - number}" for what, number in there.items() if now[what] > number))


def read(path):
    """All games of a file. Bytes that are not UTF-8 are kept apart from one another."""
    games = []
    with open(path, encoding="utf-8-sig", errors="surrogateescape") as stream:
        while (game := chess.pgn.read_game(stream)) is not None:
            games.append(game)
    return games


def lost(before, after):
    """What of the games before is not in the games after, a sentence for each place."""
    if len(before) != len(after):
        yield f"{len(before)} games before, {len(after)} after"
    for number, (old, new) in enumerate(zip(before, after), start=1):
        for fault in lost_of_game(old, new):
            yield f"game {number}: {fault}"


def lost_of_game(old, new):
    tags = dict(new.headers)
    if "Annotator" not in old.headers:
        tags.pop("Annotator", None)
    if tags != dict(old.headers):
        yield f"tags {dict(old.headers)} became {tags}"
    board, other = old.board(), new.board()
    if (board.fen(), board.chess960) != (other.fen(), other.chess960):
        yield f"starts at {other.fen()} instead of {board.fen()}"
    if list(map(str, old.errors)) != list(map(str, new.errors)):
        yield f"faults {old.errors} became {new.errors}"
    # A stack: games are longer than calls may be nested.
    stack = [(old, new)]
    while stack:
        old, new = stack.pop()
        for fault in lost_of_node(old, new):
            yield f"after {old.san() if old.parent else 'nothing'}, ply {old.ply()}: {fault}"
        stack += zip(old.variations, new.variations)


def lost_of_node(old, new):
    if old.move != new.move:
        yield f"move {old.move} became {new.move}"
    if not is_within(said(old.comment), said(new.comment)):
        yield f"comment {old.comment!r} became {new.comment!r}"
    elif not old.is_mainline() and old.comment != new.comment:
        yield f"a remark in a variation that was there: {old.comment!r} became {new.comment!r}"
    if old.starting_comment != new.starting_comment:
        yield f"comment before the move {old.starting_comment!r} became {new.starting_comment!r}"
    for what, of_old, of_new in [
        ("clock", old.clock(), new.clock()),
        ("time", old.emt(), new.emt()),
        ("arrows", *([arrow.pgn() for arrow in node.arrows()] for node in (old, new))),
    ]:
        if of_old != of_new:
            yield f"{what} {of_old} became {of_new}"
    # A move that is marked already gets no mark, nor does one of a variation.
    may_get = old.is_mainline() and not old.nags & MARKS
    if not old.nags <= new.nags or (old.nags != new.nags and not may_get):
        yield f"NAGs {old.nags} became {new.nags}"
    of_old, of_new = [[child.move for child in node.variations] for node in (old, new)]
    # Only moves of the game get something of their own.
    room = 1 if old.is_mainline() and of_old else 0
    if of_old != of_new[: len(of_old)] or len(of_new) > len(of_old) + room:
        yield f"variations {of_old} became {of_new}"


def said(comment):
    """The words of a comment but for values."""
    return EVAL.sub("", comment).split()


def is_within(part, whole):
    """Whether all words of a part stand in the whole, in their order."""
    rest = iter(whole)
    return all(word in rest for word in part)


def count(games):
    """How much there is of what may be lost."""
    number = collections.Counter(games=len(games))
    for node in itertools.chain.from_iterable(map(nodes, games)):
        number["moves"] += node.parent is not None
        number["variations"] += max(0, len(node.variations) - 1)
        number["comments"] += bool(said(node.comment)) + bool(node.starting_comment)
        number["values"] += node.eval() is not None
        number["NAGs"] += len(node.nags)
        number["clocks"] += node.clock() is not None
        number["Chess960 starts"] += node.parent is None and node.board().chess960
    return number


def nodes(game):
    stack = [game]
    while stack:
        node = stack.pop()
        yield node
        stack += node.variations


if __name__ == "__main__":
    main()
