"""UCI engines: one search from one position, one answer.

python-chess is not used here: it waits for ever where an engine's best move is illegal in an analysis, and its
merged information does not tell whether the last value was a bound.
"""

import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import threading
import time
from typing import NamedTuple

import chess

from .files import Trouble, sha256

# Seconds for what takes no time: the handshake, and a search beyond its time limit.
PATIENCE = 30
# Seconds for a search by nodes, unless --engine-timeout says otherwise.
TIMEOUT = 600
OPTION = re.compile(r"option name (?P<name>.+?) type (?P<type>\w+)(?P<rest>.*)")
SCORE = re.compile(r"\bscore (cp|mate) (-?\d+)(?: (lowerbound|upperbound))?")
WDL = re.compile(r"\bwdl (\d+) (\d+) (\d+)")


class Spec(NamedTuple):
    """An engine as it is asked for: how it is called in tables, its command and its options."""

    label: str
    command: str
    options: dict

    @staticmethod
    def of(text, cassius=None):
        """`[LABEL=]COMMAND[:OPTION=VALUE]...`; with `cassius` a search of that binary stands for the command."""
        match = re.match(r"([\w.+-]+)=(.*)", text)
        label, rest = match.groups() if match else (text, text)
        # Not at every colon: values are paths, too.
        command, *options = re.split(r":(?=[A-Za-z][\w -]*=)", rest)
        options = dict(option.split("=", 1) for option in options)
        if cassius:
            # A path, and no command with arguments.
            return Spec(label, shlex.quote(cassius), {"Search": command, **options})
        return Spec(label, command, options)

    def binary(self):
        words = [self.command] if os.path.isfile(self.command) else shlex.split(self.command)
        path = shutil.which(words[0]) if words else None
        if path is None:
            raise Trouble(f"there is no engine '{self.command}'")
        return pathlib.Path(path).absolute(), words[1:]

    def identity(self):
        """What decides its answers: the binary's checksum, its arguments and options, the checksums of files named there."""
        path, arguments = self.binary()
        identity = {"sha256": sha256(path), "arguments": arguments, "options": self.options}
        # Not a Path's `is_file`, which fails where a value is too long for a name.
        files = {name: sha256(value) for name, value in self.options.items() if os.path.isfile(value)}
        return identity | ({"files": files} if files else {})


def is_same(one, other):
    """Whether two records are of the same engine with the same options; those of engines without files name none."""
    return all(one.get(key) == other.get(key) for key in ("sha256", "arguments", "options", "files"))


class Engine:
    """A running engine. Every search begins with a new game, so answers do not depend on what was asked before."""

    def __init__(self, spec, timeout=TIMEOUT):
        """`timeout`: seconds that it may search where there is no limit of time."""
        path, arguments = spec.binary()
        self.timeout = timeout
        self.label, self.name, self.options = spec.label, spec.label, {}
        try:
            self.process = subprocess.Popen(
                [str(path), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace"
            )
        except OSError as error:
            raise Trouble(f"'{spec.command}' cannot be started: {error.strerror}") from None
        try:
            self._begin(spec)
        except BaseException:
            self.close()
            raise

    def _begin(self, spec):
        self._send("uci")
        for line in self._lines("uciok", PATIENCE):
            if match := OPTION.match(line):
                self.options[match["name"].lower()] = match
            elif line.startswith("id name "):
                self.name = line.removeprefix("id name ")
        given = {name.lower() for name in spec.options}
        if "threads" in self.options and "threads" not in given:
            self._send("setoption name Threads value 1")
        for name, value in spec.options.items():
            self._check_option(name, value)
            self._send(f"setoption name {name} value {value}")
        self._check_answers(given)

    def _check_option(self, name, value):
        """Refuses an option that the engine cannot take: UCI reports none, and the engine would be measured without it."""
        option = self.options.get(name.lower())
        if option is None and self.name.startswith("Cassius"):
            # Cassius has options for experiments that it does not list, and reports those that it does not have.
            return
        if option is None:
            raise Trouble(f"{self.label}: the engine has no option '{name}'")
        kind, rest = option["type"], option["rest"]
        if kind == "combo":
            # The first piece is the default.
            allowed = [it.strip() for it in rest.split(" var ")[1:]]
            if value not in allowed:
                raise Trouble(f"{self.label}: '{name}' is one of {', '.join(allowed)}; found '{value}'")
        if kind == "spin":
            low, high = (int(re.search(rf"\b{end} (-?\d+)", rest)[1]) for end in ("min", "max"))
            if not re.fullmatch(r"-?\d+", value) or not low <= int(value) <= high:
                raise Trouble(f"{self.label}: '{name}' is a whole number from {low} to {high}; found '{value}'")
        if name.lower() == "evalfile":
            # The default may be a name without a file: Stockfish calls the network inside it so.
            default = rest.partition("default ")[2].strip()
            if value not in ("", "<empty>", default) and not os.path.isfile(value):
                raise Trouble(f"{self.label}: '{name}': there is no file '{value}'; give the path of a network")

    def _check_answers(self, given):
        """Refuses an option of which Cassius reports that it keeps another value than the one given."""
        refusals = tuple(f"info string option {name}: " for name in given)
        for line in self._wait():
            if line.lower().startswith(refusals):
                raise Trouble(f"{self.label}: {line.removeprefix('info string ')}")

    def ask(self, fen, limit, move=None):
        """Searches, with `move` that move alone; returns the value (`cp` or `mate`, `bound` if it rests on one, `wdl` if told), move, effort."""
        self.begin_game()
        answer, _ = self.search(fen, limit, among=[move] if move else ())
        return answer

    def begin_game(self):
        """Has the engine forget what it searched before."""
        self._send("ucinewgame")
        self._wait()

    def search(self, fen, limit, moves=(), among=()):
        """An answer as of `ask`, after `moves` from the position, and the engine's lines. The engine keeps its table.

        With `among` it chooses among these moves only.
        """
        self._send(f"position fen {fen}" + (f" moves {' '.join(moves)}" if moves else ""))
        board = chess.Board(fen)
        for it in moves:
            board.push_uci(it)
        kind, amount = limit
        begun = time.monotonic()
        self._send(f"go {kind} {amount}" + (f" searchmoves {' '.join(among)}" if among else ""))
        lines = list(self._lines("bestmove", PATIENCE + amount / 1000 if kind == "movetime" else self.timeout))
        milliseconds = round(1000 * (time.monotonic() - begun))
        words = lines[-1].split()
        best = words[1] if len(words) > 1 else "nothing"
        if best not in {it.uci() for it in board.legal_moves}:
            raise Trouble(f"{self.label}: '{best}' is no legal move in {board.fen()}")
        if among and best not in among:
            raise Trouble(f"{self.label} does not obey 'searchmoves': asked for {' '.join(among)}, it played {best} in {board.fen()}")
        value = stated(lines)
        if value is None:
            raise Trouble(f"{self.label}: told no value of {board.fen()}")
        nodes = [int(it[1]) for line in lines if (it := re.search(r"^info .*?\bnodes (\d+)", line))]
        return {**value, "move": best, "nodes": nodes[-1] if nodes else None, "ms": milliseconds}, lines

    def _send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            raise Trouble(f"{self.label}: the engine ended before '{line}'") from None

    def _wait(self):
        """What the engine says until it is ready."""
        self._send("isready")
        return list(self._lines("readyok", PATIENCE))

    def _lines(self, last, seconds):
        """What the engine says up to the line that begins with `last`; it is killed if that takes too long."""
        timer = threading.Timer(seconds, self.process.kill)
        timer.daemon = True
        begun = time.monotonic()
        timer.start()
        try:
            for line in self.process.stdout:
                yield line.strip()
                if line.split()[:1] == [last]:
                    return
        finally:
            timer.cancel()
        if time.monotonic() - begun < seconds:
            raise Trouble(f"{self.label}: the engine ended before '{last}'")
        longer = "; --engine-timeout gives it longer" if last == "bestmove" and seconds == self.timeout else ""
        raise Trouble(f"{self.label}: the engine did not say '{last}' within {seconds:.0f} s{longer}")

    def close(self):
        """Ends the engine without waiting for a search under way."""
        self.process.kill()
        self.process.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def stated(lines):
    """The value that an engine's lines tell: the last exact one, moved as little as the bounds told after it require.

    None if there is none. `bound` is set where a bound has the last word; `wdl` has the permille of wins, draws and losses, if told.
    """
    best, is_bound = None, False
    for line in lines:
        line = line.split(" string ")[0]
        score = SCORE.search(line) if line.startswith("info ") else None
        if not score or re.search(r"\bmultipv (?!1\b)", line):
            continue
        kind, number, bound = score.groups()
        value = {kind: int(number)}
        if wdl := WDL.search(line):
            value["wdl"] = [int(it) for it in wdl.groups()]
        if (
            bound is None
            or best is None
            or (bound == "lowerbound" and order(value) > order(best))
            or (bound == "upperbound" and order(value) < order(best))
        ):
            best, is_bound = value, bound is not None
    return best and ({**best, "bound": True} if is_bound else best)


def order(value):
    """A number to sort values by: a mate lies beyond all centipawns, the sooner the further."""
    if "cp" in value:
        return value["cp"]
    return 1e9 / value["mate"] if value["mate"] else -math.inf
