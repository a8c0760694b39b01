"""Is all that stood in games still there after `cassius analyze --pgn`? Reads both files with python-chess.

    scripts/compare-games games.pgn annotated.pgn

It compares tags, start positions, moves, variations, the words of comments, NAGs, clocks and arrows, of the whole tree of each game;
not comments from ; to the end of a line, which python-chess leaves out.
As documented, a value in a comment may change, and the tag Annotator, values, remarks, marks and one variation for each
move of the game may be added. What Cassius itself put into the games before may change or go.
It prints what there was and what was added, or each place where something is lost, with exit code 1.
"""

import argparse
import collections
import itertools
import logging
import re
import sys

import chess.pgn

EVAL = re.compile(r"\[%eval\s[^][]*\]")
# Remarks of Cassius, with the number of their glyph.
MARKED = re.compile(r"\[%cassius\s+(\d+)\s*\](?:(?!\[%).)*(?:\[%cassius\s+end\s*\])?", re.DOTALL)
LINE = re.compile(r"\[%cassius\s+line\s*\]")
GLYPHS = {chess.pgn.NAG_BLUNDER, chess.pgn.NAG_MISTAKE, chess.pgn.NAG_DUBIOUS_MOVE}
# NAGs 1 to 6, from ! to ?!: judgements of a move.
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


class Builder(chess.pgn.GameBuilder):
    """Puts tags aside that python-chess cannot set up a board from, as [FEN ""]."""

    def end_headers(self):
        headers, self.game.aside = self.game.headers, {}
        for name in ("FEN", "Variant"):
            try:
                headers.board()
            except ValueError:
                if name in headers:
                    self.game.aside[name] = headers.pop(name)


def read(path):
    """All games of a file. Bytes that are not UTF-8 are kept apart from one another."""
    with open(path, encoding="utf-8-sig", errors="surrogateescape") as stream:
        return read_stream(stream)


def read_stream(stream):
    games = []
    while (game := chess.pgn.read_game(stream, Visitor=Builder)) is not None:
        games.append(game)
    return games


def lost(before, after):
    """Whatever of the games before is missing in the games after: a sentence for each place."""
    if len(before) != len(after):
        yield f"{len(before)} games before, {len(after)} after"
    for number, (old, new) in enumerate(zip(before, after), start=1):
        for fault in lost_of_game(old, new):
            yield f"game {number}: {fault}"


def lost_of_game(old, new):
    tags, there = [{**game.headers, **game.aside} for game in (new, old)]
    if re.match(r"$|Cassius \d.* a position$", there.get("Annotator", "")):
        tags.pop("Annotator", None)
        there.pop("Annotator", None)
    if tags != there:
        yield f"tags {there} became {tags}"
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
        stack += zip(kept(old), kept(new))


def lost_of_node(old, new):
    if old.move != new.move:
        yield f"move {old.move} became {new.move}"
    if not is_within(said(old.comment), said(new.comment)):
        yield f"comment {old.comment!r} became {new.comment!r}"
    elif not old.is_mainline() and old.comment.split() != new.comment.split():
        yield f"a remark in a variation that was there: {old.comment!r} became {new.comment!r}"
    if old.starting_comment.split() != new.starting_comment.split():
        yield f"comment before the move {old.starting_comment!r} became {new.starting_comment!r}"
    for what, of_old, of_new in [
        ("clock", old.clock(), new.clock()),
        ("time", old.emt(), new.emt()),
        ("arrows", *([arrow.pgn() for arrow in node.arrows()] for node in (old, new))),
    ]:
        if of_old != of_new:
            yield f"{what} {of_old} became {of_new}"
    # A move that is marked already gets no mark, nor does one of a variation.
    there = old.nags - own_glyphs(old) if old.is_mainline() else old.nags
    may_get = old.is_mainline() and not there & MARKS
    if not there <= new.nags or (there != new.nags and not may_get):
        yield f"NAGs {there} became {new.nags}"
    of_old, of_new = [[child.move for child in kept(node)] for node in (old, new)]
    # Only moves of the game get something of their own.
    room = 1 if old.is_mainline() and old.variations else 0
    if of_old != of_new[: len(of_old)] or len(of_new) > len(of_old) or len(own_lines(new)) > room:
        yield f"variations {of_old} became {of_new}"


def said(comment):
    """The words of a comment but for values and remarks of Cassius."""
    return MARKED.sub("", LINE.sub("", EVAL.sub("", comment))).split()


def own_glyphs(node):
    """The glyphs that came with remarks of Cassius."""
    marked = {int(it[1]) for it in MARKED.finditer(node.comment)}
    return marked & GLYPHS


def own_lines(node):
    """The variations behind a move of the game that are Cassius's better lines, with nothing that anybody has added."""
    if not node.is_mainline() or not node.variations:
        return []
    return [child for child in node.variations[1:] if is_own_line(child)]


def is_own_line(first):
    line = [first, *first.mainline()]
    last, said_inside = line[-1], any(node.comment for node in line[:-1]) or first.starting_comment
    if said_inside or any(node.nags or len(node.variations) > 1 for node in line):
        return False
    if LINE.sub("", EVAL.sub("", last.comment)).strip():
        return False
    return LINE.search(last.comment) is not None


def kept(node):
    """The variations that are to stay, the game's own move first."""
    own = own_lines(node)
    return [child for child in node.variations if child not in own]


def is_within(part, whole):
    """Whether all words of a part stand in the whole, in their order."""
    rest = iter(whole)
    return all(word in rest for word in part)


def count(games):
    """Counts of all that may be lost."""
    number = collections.Counter(games=len(games))
    for node in itertools.chain.from_iterable(map(nodes, games)):
        number["moves"] += node.parent is not None
        number["variations"] += max(0, len(node.variations) - 1)
        number["comments"] += bool(LINE.sub("", EVAL.sub("", node.comment)).strip()) + bool(node.starting_comment)
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
