"""Holds random UCI sessions against a model of the protocol.

    scripts/torture-sessions
    scripts/torture-sessions target/quick/cassius --sessions 20000 --seed 7

A session sets options, good and bad; sets up positions, good and bad; starts searches with limits in any combination; and talks
while they run: `isready`, `stop`, `ponderhit`, options, positions, further searches. The model keeps options and position, and says
for every line of the answer whether it may stand there:

- each `go` gets one `bestmove`, in order, and no `info` comes behind it; what has no limit waits for `stop` or `ponderhit`;
- `isready` is answered during a search;
- every move of every line is legal by another program's rules (python-chess), none comes behind the end of the game;
- a mate is shown to its end, and true if it is near; a value in centipawns does not end in mate;
- fields, depths, nodes, chances and the order of MultiPV are as documented, and no limit is exceeded;
- what is refused is told and changes nothing; after `ucinewgame` the same search prints the same;
- `quit` and the end of the input end the program, with exit code 0.

A few dozen sessions share a process, which ends in one way or another. Exit code: 0 if nothing is wrong, else 1, with the end of the
conversation. `--from` begins at another process: with the same seed it talks as in the whole run.
"""

import argparse
import collections
import dataclasses
import multiprocessing
import os
import pathlib
import random
import re
import select
import subprocess
import sys
import time

import chess

ROOT = pathlib.Path(__file__).resolve().parents[1]

# Seconds to wait for an answer, even on a busy machine.
PATIENCE = 60
# Sessions of a process.
SESSIONS = 25
# Lines of a conversation that are shown if something is wrong.
SHOWN = 60
# Milliseconds after which a line may come by the clock, as on a machine with too much to do.
SILENCE = 3_000
# Nodes searched where no limit is left of those given.
WITHOUT_LIMIT = 10_000

POSITIONS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
    # Near mates, promotions, captures en passant.
    "6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1",
    "k7/8/2K5/8/8/8/7Q/8 w - - 0 1",
    "k7/8/1K6/8/8/8/8/7R b - - 0 1",
    "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1",
    "8/5P1k/8/7K/8/8/8/6R1 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    # Drawn, or nearly; the clock of fifty moves about to run out, or beyond.
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "8/8/8/8/3k4/8/3PK3/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/4KR2 w - - 97 90",
    "8/8/4k3/8/8/3K4/8/7R w - - 99 120",
    "8/8/4k3/8/8/3K4/8/7R b - - 120 130",
    "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
    # One legal move; over.
    "r6k/8/8/8/8/8/1r6/K7 w - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
]
BAD_POSITIONS = [
    "position",
    "position nowhere",
    "position fen",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1",
    "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
    "position fen k7/8/8/8/8/8/8/K6P w - - 0 1",
    "position startpos e2e4",
    "position startpos moves e2e5",
    "position startpos moves e2e4 e2e4",
    "position startpos moves e2e4 e7e5 0000",
    "position startpos moves hello",
]
# Nothing is answered.
NOISE = ["", "   ", "\t", "xboard", "protover 2", "joho", "ponderhit", "stop", "register later", "\u00e9\u00e9", "position?"]
SEARCHES = {
    "depth-first": 40, "alpha-beta": 12, "best-first": 12, "proof-number": 10, "proof-number-tree": 8, "depth-first-unit": 4,
    "alpha-beta-plain": 4, "minimax": 3, "b-star": 2, "b-star-conspiracy": 2, "sibling-conspiracy": 2, "controlled-conspiracy": 1,
    "controlled-conspiracy-2": 1, "alpha-beta-conspiracy": 1,
}  # fmt: skip
PROOFS = {"proof-number", "proof-number-tree"}
# Searches whose first iteration may take long: they get no MultiPV and a limit of nodes.
PAPERS = set(list(SEARCHES)[5:])

DEFAULTS = {
    "Search": "depth-first", "MultiPV": 1, "UCI_Chess960": False, "UCI_AnalyseMode": False, "UCI_ShowWDL": False,
    "UCI_LimitStrength": False, "UCI_Elo": 2000, "Show Evidence": True, "Ponder": False, "Move Overhead": 20, "Threads": 1, "Hash": 1,
}  # fmt: skip
SPINS = {"MultiPV": (1, 256), "Move Overhead": (0, 10_000), "Threads": (1, 1024), "Hash": (1, 65_536)}
FIELDS = re.compile(
    r"info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<multipv>\d+) score (?P<kind>cp|mate) (?P<value>-?\d+)"
    r"(?: (?P<bound>lowerbound|upperbound))?(?: wdl (?P<wdl>\d+ \d+ \d+))? nodes (?P<nodes>\d+) nps (?P<nps>\d+)"
    r" hashfull (?P<hashfull>\d+) tbhits (?P<tbhits>\d+) time (?P<time>\d+) pv(?P<pv>(?: [a-h][1-8][a-h][1-8][nbrq]?)+)"
)
PROGRESS = re.compile(r"info nodes \d+ nps \d+ time \d+")
BESTMOVE = re.compile(r"bestmove (?P<best>\S+)(?: ponder (?P<ponder>\S+))?")
# Messages about commands, not about values.
REFUSALS = ("info string option ", "info string there is no option ", "info string position", "info string setoption: ")


class Wrong(Exception):
    """What must not be."""


def check(holds, *what):
    if not holds:
        raise Wrong(" ".join(map(str, what)))


class Engine:
    """The program, spoken to line by line."""

    def __init__(self, binary):
        self.process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.conversation = collections.deque(maxlen=SHOWN)
        self.buffer, self.lines = b"", collections.deque()

    def send(self, *lines):
        for line in lines:
            self.conversation.append(f"> {line}")
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def line(self):
        """The next line; `None` at the end."""
        deadline = time.monotonic() + PATIENCE
        while not self.lines:
            ready, _, _ = select.select([self.process.stdout], [], [], max(deadline - time.monotonic(), 0))
            check(ready, f"nothing said for {PATIENCE} s")
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                return None
            *whole, self.buffer = (self.buffer + read).split(b"\n")
            self.lines.extend(line.decode() for line in whole)
        self.conversation.append(line := self.lines.popleft())
        return line

    def until(self, last):
        """The lines up to one that begins so."""
        lines = []
        while not lines or not lines[-1].startswith(last):
            lines.append(self.line())
            check(lines[-1] is not None, "ended by itself, waiting for", last)
        return lines

    def end(self):
        """The lines left of a program that must end well."""
        lines = list(iter(self.line, None))
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Wrong("does not end") from None
        check(code == 0, "exit code", code)
        errors = self.process.stderr.read()
        check(not errors, errors)
        return lines

    def kill(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()


@dataclasses.dataclass
class Go:
    """A search asked for."""

    words: list
    board: chess.Board
    # Keys of the positions that a line may not come back to.
    past: list
    options: dict
    depth: int = None
    nodes: int = None
    mate: int = None
    # Of the legal moves, those to choose from.
    moves: list = None
    # What it waits for: "stop", "ponderhit" or nothing.
    waits: str = None
    # Limits that depend on the clock, or a `stop`: what is printed is not the same every time.
    is_timed: bool = False
    is_endless: bool = False
    # Answers to `isready` that come before its move.
    ready_before: int = 0

    @property
    def has_level(self):
        at_a_level = self.options["UCI_LimitStrength"] and not self.options["UCI_AnalyseMode"]
        return at_a_level and not self.is_endless and self.mate is None

    @property
    def is_proof(self):
        return self.mate is not None or (self.options["Search"] in PROOFS and not self.has_level)


def key(board):
    return board._transposition_key()


def parse(board, word, chess960):
    """The move that a word of the engine's stands for."""
    move = chess.Move.from_uci(word)
    check(move in board.legal_moves, word, "is not legal in", board.fen())
    if board.is_castling(move):
        # As king takes rook in Chess960, else to the king's square.
        takes_rook = bool(board.rooks & chess.BB_SQUARES[move.to_square] & board.occupied_co[board.turn])
        check(takes_rook == chess960, word, "castles in the other notation in", board.fen())
    return move


def is_mate_in_one(board):
    for move in board.legal_moves:
        if board.gives_check(move):
            board.push(move)
            mates = board.is_checkmate()
            board.pop()
            if mates:
                return True
    return False


def allow_mate_in_one(board):
    """Whether every legal move lets the other side mate."""
    for move in list(board.legal_moves):
        board.push(move)
        mates = is_mate_in_one(board)
        board.pop()
        if not mates:
            return False
    return True


class Answer:
    """Checks the lines between a `go` and its `bestmove`."""

    def __init__(self, go, chance):
        self.go, self.chance = go, chance
        self.choices = len(go.moves or list(go.board.legal_moves))
        wanted = 1 if go.has_level else go.options["MultiPV"]
        self.count = min(wanted, self.choices)

    def check(self, lines, last):
        go = self.go
        full = [line for line in lines if line.startswith("info depth")]
        for line in lines:
            if line.startswith("info string"):
                check("internal error" not in line, line)
                is_told = go.options["Show Evidence"] and not go.has_level
                is_about_go = line.startswith(("info string go: ", "info string go searchmoves: ", *REFUSALS))
                check(is_told or is_about_go, "evidence though it is off:", line)
            elif not line.startswith("info depth"):
                check(PROGRESS.fullmatch(line), "a strange line:", line)
        match = BESTMOVE.fullmatch(last)
        check(match, last)
        if not any(go.board.legal_moves):
            score = "mate 0" if go.board.is_check() else "cp 0"
            check(full == [f"info depth 0 score {score}"], "the game is over:", full)
            check(last == "bestmove (none)", last)
            return
        check(full, "no full line before", last)
        told = [self.line(line) for line in full]
        self.groups(told)
        self.answer(match, [it for it in told if it["multipv"] == 1])

    def line(self, line):
        """The fields of a full line, each checked alone, and its moves."""
        go = self.go
        match = FIELDS.fullmatch(line)
        check(match, "malformed:", line)
        told = match.groupdict()
        for name in ("depth", "seldepth", "multipv", "value", "nodes", "nps", "hashfull", "tbhits", "time"):
            told[name] = int(told[name])
        check(told["seldepth"] >= told["depth"] or go.is_proof, line)
        check(told["hashfull"] <= 1000, line)
        check((told["wdl"] is not None) == go.options["UCI_ShowWDL"], "chances:", line)
        if told["wdl"]:
            check(sum(map(int, told["wdl"].split())) == 1000, line)
        if go.depth is not None:
            check(told["depth"] <= max(go.depth, 1), "deeper than asked:", line)
        board = go.board.copy(stack=False)
        seen = set(go.past)
        moves = []
        for word in told["pv"].split():
            if moves:
                is_over = board.is_insufficient_material() or board.halfmove_clock >= 100 or key(board) in seen
                check(not is_over, "goes on after the end:", line)
            seen.add(key(board))
            moves.append(parse(board, word, go.options["UCI_Chess960"]))
            board.push(moves[-1])
        told["moves"] = moves
        check(not go.moves or moves[0] in go.moves, "not among searchmoves:", line)
        self.value(told, board, line)
        return told

    def value(self, told, end, line):
        value = told["value"]
        is_mate = not any(end.legal_moves) and end.is_check()
        if told["kind"] == "cp":
            check(abs(value) <= 30_000, line)
            check(not is_mate, "a mate that is not told:", line)
            return
        plies = 2 * value - 1 if value > 0 else -2 * value
        # Under a bound the side that is mated may fall into a nearer mate in the line.
        length = len(told["moves"])
        shows_it = length == plies or (told["bound"] is not None and length < plies)
        check(value != 0 and is_mate and shows_it, "not the mate told:", line)
        board = self.go.board.copy(stack=False)
        if abs(value) > 2 or self.chance.random() > 0.2:
            return
        if value == -1 and told["multipv"] == 1 and not self.go.moves:
            check(allow_mate_in_one(board), "no mate:", line)
        elif value == 2:
            if told["bound"] is None and told["multipv"] == 1 and not self.go.moves:
                check(not is_mate_in_one(board), "there is a nearer mate:", line)
            board.push(told["moves"][0])
            check(allow_mate_in_one(board), "no mate:", line)

    def groups(self, told):
        """Lines of MultiPV come together, the best first; depths and nodes never fall."""
        go = self.go
        numbers = [it["multipv"] for it in told]
        expected = list(range(1, self.count + 1)) * (len(told) // self.count)
        check(numbers == expected, "lines", numbers, "of", self.count)
        check(not go.has_level or len(told) == 1, "more than a line at a limited strength")
        for at in range(0, len(told), self.count):
            group = told[at : at + self.count]
            check(len({it["depth"] for it in group}) == 1, "depths of a group differ", group)
            check(len({it["moves"][0] for it in group}) == len(group), "a move twice", group)
            values = [rank(it) for it in group]
            check(values == sorted(values, reverse=True), "not the best first:", group)
        for one, following in zip(told, told[1:]):
            check(one["nodes"] <= following["nodes"], "fewer nodes", following)
            check(one["time"] <= following["time"], "less time", following)
            # The last line may be of an iteration that did not end.
            check(one["depth"] <= following["depth"], "less depth", following)

    def answer(self, match, best):
        go = self.go
        board = go.board.copy(stack=False)
        move = parse(board, match["best"], go.options["UCI_Chess960"])
        check(not go.moves or move in go.moves, "not among searchmoves:", match[0])
        check(move == best[-1]["moves"][0], "not the move of the last line:", match[0])
        board.push(move)
        if match["ponder"]:
            parse(board, match["ponder"], go.options["UCI_Chess960"])
        if go.nodes is not None and self.count == 1 and go.options["Threads"] == 1:
            check(best[-1]["nodes"] <= max(go.nodes, 1) + 300, "more nodes than asked:", best[-1]["nodes"], go.nodes)
        if go.mate == 1 and not go.is_timed and go.nodes is None and not go.moves and is_mate_in_one(go.board):
            check(board.is_checkmate(), "overlooks a mate in one:", match[0])


def rank(told):
    """A number that grows with the value."""
    value = told["value"]
    if told["kind"] == "cp":
        return value
    return 100_000 - value if value > 0 else -100_000 - value


class Session:
    """What a GUI says, and the model of what holds after it."""

    def __init__(self, engine, chance, searches):
        self.engine, self.chance, self.searches = engine, chance, searches
        self.options = dict(DEFAULTS)
        self.board, self.past = chess.Board(), []
        # Of the commands sent since the last answer to `isready` that was waited for:
        self.asked, self.refused, self.ready, self.to_tell = [], 0, 0, 0

    def reset(self):
        changed = [name for name in DEFAULTS if self.options[name] != DEFAULTS[name]]
        self.send(*(set_option(name, DEFAULTS[name]) for name in changed), "ucinewgame", "position startpos")
        self.options = dict(DEFAULTS)
        self.board, self.past = chess.Board(), []

    def send(self, *lines):
        self.engine.send(*lines)

    # Options.

    def option(self):
        """Sets an option, well or badly."""
        chance = self.chance
        if chance.random() < 0.3:
            self.send(self.bad_option())
            self.refused += 1
            return
        name = chance.choice(list(DEFAULTS))
        value = self.value(name)
        self.options = {**self.options, name: value}
        self.send(set_option(chance.choice([name, name.lower(), name.upper()]), value))
        if name == "UCI_Chess960":
            # The position is one of the other kind of chess.
            self.send("position startpos")
            self.board, self.past = chess.Board(), []

    def value(self, name):
        chance = self.chance
        if name == "Search":
            return chance.choices(list(SEARCHES), SEARCHES.values())[0]
        if isinstance(DEFAULTS[name], bool):
            return chance.random() < 0.5
        values = {"MultiPV": [1, 1, 2, 3, 256], "UCI_Elo": [1200, 1800, 3000], "Move Overhead": [0, 5, 100], "Threads": [1, 1, 2]}
        return chance.choice(values.get(name, [1, 2]))

    def bad_option(self):
        chance = self.chance
        name = chance.choice(list(SPINS))
        least, most = SPINS[name]
        check_name = chance.choice(["UCI_Chess960", "UCI_ShowWDL", "Show Evidence", "Ponder"])
        bad = [
            f"setoption name {name} value {chance.choice([least - 1, most + 1, 'many', '1e3', '', '99999999999999999999', '2.5'])}",
            f"setoption name {name}",
            f"setoption name {check_name} value {chance.choice(['maybe', '1', '', 'truefalse'])}",
            f"setoption name Search value {chance.choice(['best', '', 'depth first'])}",
            "setoption name No Such Option value 3",
            "setoption",
            "setoption Hash value 3",
            "setoption name",
        ]
        return chance.choice(bad)

    # Positions.

    def position(self):
        chance = self.chance
        kind = chance.random()
        if kind < 0.15:
            self.send(chance.choice(BAD_POSITIONS))
            self.refused += 1
            return
        if kind < 0.35 and self.board.move_stack:
            board = self.board.copy()
        elif self.options["UCI_Chess960"] and kind < 0.7:
            board = chess.Board.from_chess960_pos(chance.randrange(960))
        else:
            board = chess.Board(chance.choice(POSITIONS), chess960=self.options["UCI_Chess960"])
        for _ in range(chance.choice([0, 0, 1, 2, 4, 8, 20])):
            moves = list(board.legal_moves)
            if not moves:
                break
            # Back to where it came from, now and then: repetitions.
            back = chess.Move(board.move_stack[-2].to_square, board.move_stack[-2].from_square) if len(board.move_stack) > 1 else None
            board.push(back if back in moves and chance.random() < 0.4 else chance.choice(moves))
        root = board.root()
        if chance.random() < 0.15 and board.move_stack:
            # An illegal move behind good ones: all of it is refused.
            self.send(written(root, board.move_stack, chance) + chance.choice([" a1a1", " e9e4", " 0000", " e2e4e5"]))
            self.refused += 1
            return
        self.send(written(root, board.move_stack, chance))
        self.board = board
        self.past = past(board)

    # Searches.

    def limits(self, go):
        """Adds random limits to a search."""
        chance = self.chance
        search = self.options["Search"]
        pick = chance.random()
        words = go.words
        if search in PAPERS or pick < 0.3:
            go.nodes = chance.choice([0, 1, 20, 150, 150, 400])
            words.append(f"nodes {go.nodes}")
        elif pick < 0.5:
            go.depth = chance.choice([0, 1, 1, 2, 2, 3])
            words.append(f"depth {go.depth}")
            if self.options["MultiPV"] > 3 or search in PROOFS or search == "best-first":
                go.nodes = 2000
                words.append("nodes 2000")
        elif pick < 0.62:
            go.mate = chance.choice([1, 1, 2, -1])
            words.append(f"mate {go.mate}")
            if go.mate != 1 or chance.random() < 0.5:
                go.nodes = 1500
                words.append("nodes 1500")
        elif pick < 0.66:
            go.nodes = WITHOUT_LIMIT
            self.to_tell += 1
            words.append(chance.choice(["winc 200 binc 200", "movestogo 10", "depth", "nodes many", "wtime", "binc 5 movestogo 3"]))
        else:
            go.is_timed = True
            clock = chance.choice([-5, 0, 1, 30, 100])
            side, other = ("w", "b") if self.board.turn else ("b", "w")
            words += chance.choice(
                [
                    [f"movetime {chance.choice([0, 1, 3])}"],
                    [f"{side}time {clock}"],
                    [f"{other}time {clock}"],
                    [f"{other}time 100000", f"{side}time {clock}", f"{other}inc 100"],
                    [f"{side}time {clock}", f"{other}time {clock}", "movestogo 1"],
                    [f"{side}time {clock}", f"{side}inc 1", "movestogo 0"],
                    ["movetime 5", "depth 60"],
                ]
            )
            if "depth 60" in words:
                go.depth = 60
        if go.mate is not None:
            go.mate = max(abs(go.mate), 1)

    def go(self):
        """Starts a search; returns it."""
        chance = self.chance
        go = Go([], self.board.copy(), self.past, self.options)
        kind = chance.random()
        if kind < 0.16:
            go.words.append(chance.choice(["infinite", "infinite", "", "infinite winc 200", "infinite depth 1", "movestogo 3 infinite"]))
            go.depth = 1 if "depth 1" in go.words[0] else None
            go.waits, go.is_timed, go.is_endless = "stop", True, True
        elif kind < 0.26:
            go.words.append("ponder")
            go.waits, go.is_timed = "ponderhit", True
            if chance.random() < 0.1:
                go.waits, go.is_endless = "stop", True
            else:
                self.limits(go)
        else:
            self.limits(go)
        legal = list(self.board.legal_moves)
        if legal and chance.random() < 0.2:
            go.moves = chance.sample(legal, min(len(legal), chance.choice([1, 2, 5])))
            names = [self.board.uci(move) for move in go.moves]
            if chance.random() < 0.3:
                names.append("a1a1")
                self.to_tell += 1
            chance.shuffle(names)
            go.words.append(f"searchmoves {' '.join(names)}")
        chance.shuffle(go.words)
        self.send(" ".join(["go", *go.words]))
        self.asked.append(go)
        return go

    def talk(self):
        """What is said while searches may run: anything that a GUI may say."""
        chance = self.chance
        pick = chance.random()
        if pick < 0.3:
            self.send("isready")
            self.ready += 1
        elif pick < 0.45:
            self.send(chance.choice([it for it in NOISE if it not in ("stop", "ponderhit")]))
        elif pick < 0.55:
            self.option()
        elif pick < 0.65:
            self.position()
        elif pick < 0.75 and len(self.asked) < 4:
            self.go()
        elif pick < 0.85:
            self.hit()
        elif pick < 0.95:
            self.stop()
        else:
            time.sleep(chance.choice([0, 0.001, 0.004]))

    def stop(self):
        self.release("stop", "ponderhit")
        self.send("stop")

    def hit(self):
        self.release("ponderhit")
        self.send("ponderhit")

    def release(self, *commands):
        """Notes that searches need no longer wait, and may have ended early."""
        for go in self.asked:
            go.is_timed |= "stop" in commands
            if go.waits in commands:
                go.waits, go.ready_before = None, self.ready

    def round(self):
        """Commands, up to a moment at which nothing is under way; checks all that was said since the last one."""
        chance = self.chance
        for _ in range(chance.choice([0, 0, 1, 2])):
            self.option()
        if chance.random() < 0.1:
            self.send(chance.choice(NOISE + ["setoption name Clear Hash", "setoption name clear hash value"]))
        if chance.random() < 0.7:
            self.position()
        if chance.random() < 0.2:
            return self.twice()
        if chance.random() < 0.85:
            self.go()
            if chance.random() < 0.5:
                for _ in range(chance.choice([1, 2, 4])):
                    self.talk()
        if any(go.waits for go in self.asked):
            if chance.random() < 0.5:
                # Answered though the search goes on.
                self.send("isready")
                self.ready += 1
                self.settle(self.said("readyok", self.ready), may_end=False)
                return None
            if any(go.waits == "stop" for go in self.asked) or chance.random() < 0.5:
                self.stop()
            else:
                self.hit()
        return self.settle([])

    def said(self, what, count):
        lines = []
        for _ in range(count):
            lines += self.engine.until(what)
        return lines

    def settle(self, lines, may_end=True):
        """Ends all searches and checks what was said, of which `lines` have been read."""
        if not may_end:
            if any(go.waits for go in self.asked):
                self.stop()
        moves = sum(line.startswith("bestmove") for line in lines)
        lines += self.said("bestmove", len(self.asked) - moves)
        self.send("isready")
        self.ready += 1
        ready = sum(line == "readyok" for line in lines)
        lines += self.said("readyok", self.ready - ready)
        self.compare(lines)

    def compare(self, lines):
        """Compares what was said with the model."""
        ready, part, answered = 0, [], 0
        messages = [line for line in lines if line.startswith(REFUSALS)]
        # Castling rights that do not fit are dropped with a message, too; no position here has such.
        check(len(messages) == self.refused, "refused:", self.refused, "told:", messages)
        told = sum(line.startswith("info string go") for line in lines)
        check(told >= self.to_tell, "of unreadable words told:", told, "of", self.to_tell)
        for line in lines:
            if line == "readyok":
                ready += 1
            elif line.startswith("bestmove"):
                check(answered < len(self.asked), "a bestmove too many:", line)
                go = self.asked[answered]
                answered += 1
                check(ready >= go.ready_before, "not waited for", line)
                Answer(go, self.chance).check(part, line)
                part = []
            else:
                part.append(line)
        check(answered == len(self.asked), "searches:", len(self.asked), "moves:", answered)
        left = [line for line in part if not line.startswith(REFUSALS)]
        check(not left, "said after the last move:", left)
        self.searches.extend(self.asked)
        self.asked, self.refused, self.ready, self.to_tell = [], 0, 0, 0

    def twice(self):
        """The same search in two new games, with something between: both print the same."""
        self.settle([])
        first, slow = None, False
        for _ in range(2):
            go = Go([], self.board.copy(), self.past, self.options)
            while not go.words or go.is_timed:
                go.words, go.is_timed, go.nodes, go.depth, go.mate, self.to_tell = [], False, None, None, None, 0
                self.limits(go)
            words = first.words if first else go.words
            if first:
                go = dataclasses.replace(first)
                self.to_tell = to_tell
            to_tell = self.to_tell
            self.send("ucinewgame", "go " + " ".join(words))
            self.asked.append(go)
            lines = self.said("bestmove", 1)
            self.settle(list(lines))
            kept = [re.sub(r" (nps|time) \d+", "", line) for line in lines]
            slow |= any(int(ms) >= SILENCE for ms in re.findall(r" time (\d+)", "\n".join(lines)))
            if first and self.options["Threads"] == 1 and not go.has_level and not slow:
                check(kept == before, "another time it said", before)
            first, before = go, kept
            if self.chance.random() < 0.5:
                self.send("go nodes 50")
                self.asked.append(Go(["nodes 50"], self.board.copy(), self.past, self.options, nodes=50))
                self.settle([])

    def shows_position(self):
        """The position that `d` shows is the one of the model."""
        self.send("d")
        *_, line = self.engine.until("fen ")
        self.engine.until("key ")
        fen = self.board.fen()
        if self.options["UCI_Chess960"] or self.board.chess960:
            # Rights may be written either way.
            line, fen = (re.sub(r"^(\S+ \S+) \S+", r"\1", it) for it in (line.removeprefix("fen "), fen))
            check(line == fen, line, "is not", fen)
        else:
            check(line == f"fen {fen}", line, "is not", fen)

    def end(self):
        """Ends the process in one of several ways."""
        chance = self.chance
        way = chance.randrange(4)
        expected = 0
        if way > 0:
            if chance.random() < 0.5:
                self.position()
            self.refused = 0
            for _ in range(chance.choice([1, 1, 2])):
                self.go()
            expected = len(self.asked)
        if way < 2:
            self.send("quit")
            lines = self.engine.end()
            moves = sum(line.startswith("bestmove") for line in lines)
            check(moves == min(expected, 1) or moves <= expected, "moves:", moves, "of", expected)
            check(not moves or lines[-1].startswith("bestmove") or expected > 1, "behind the last move:", lines[-1:])
            return
        for go in self.asked:
            go.is_timed = True
            go.waits = None
        self.engine.process.stdin.close()
        lines = self.engine.end()
        self.refused = sum(line.startswith(REFUSALS) for line in lines)
        self.compare(lines)


def set_option(name, value):
    return f"setoption name {name} value {str(value).lower() if isinstance(value, bool) else value}"


def past(board):
    """Keys of the positions of the game that a line may not come back to: those that have stood twice before."""
    before = board.copy()
    keys = collections.Counter()
    while before.move_stack:
        before.pop()
        keys[key(before)] += 1
    return [it for it, times in keys.items() if times > 1]


def written(root, moves, chance):
    """A `position` command."""
    if root.fen() == chess.STARTING_FEN and chance.random() < 0.7:
        words = "position startpos"
    else:
        fen = root.fen()
        # Four fields are enough where the others are 0 and 1.
        words = "position fen " + (fen.removesuffix(" 0 1") if chance.random() < 0.3 else fen)
    if moves or chance.random() < 0.1:
        words += " moves"
    board = root.copy()
    for move in moves:
        words += " " + board.uci(move)
        board.push(move)
    return words


def talk(binary, seed, number, sessions):
    """Some sessions with one process; the number of searches, moves of lines, and what was wrong."""
    chance = random.Random(f"{seed} {number}")
    engine = Engine(binary)
    searches = []
    try:
        engine.send("uci")
        engine.until("uciok")
        engine.send("setoption name Hash value 1")
        session = Session(engine, chance, searches)
        for _ in range(sessions):
            session.reset()
            for _ in range(chance.choice([2, 4, 6])):
                session.round()
                if chance.random() < 0.2:
                    session.shows_position()
        session.end()
    except Wrong as wrong:
        said = "\n".join(engine.conversation)
        return len(searches), f"{said}\nprocess {number}: {wrong}"
    finally:
        engine.kill()
    return len(searches), None


def run(binary, seed, sessions, first=0, jobs=1):
    """Holds sessions; returns the number of searches and the faults found."""
    processes = range(first, first + -(-sessions // SESSIONS))
    asked = [(binary, seed, number, min(SESSIONS, sessions)) for number in processes]
    if jobs == 1:
        results = [talk(*it) for it in asked]
    else:
        with multiprocessing.Pool(jobs) as pool:
            results = pool.starmap(talk, asked, chunksize=1)
    return sum(searches for searches, _ in results), [fault for _, fault in results if fault]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    default = ROOT / "target" / "release" / "cassius"
    parser.add_argument("binary", nargs="?", default=str(default), help="the engine [default: target/release/cassius]")
    parser.add_argument("--sessions", type=int, default=1000, metavar="N", help="how many [default: 1000]")
    parser.add_argument("--seed", type=int, default=None, metavar="N", help="seed of the sessions [default: another each time]")
    parser.add_argument("--from", type=int, default=0, metavar="N", dest="first", help="number of the first process [default: 0]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes at a time [default: all cores]")
    args = parser.parse_args()
    seed = args.seed if args.seed is not None else random.randrange(1_000_000)
    searches, faults = run(args.binary, seed, args.sessions, args.first, args.jobs)
    for fault in faults:
        print(fault, end="\n\n")
    print(f"{args.sessions} sessions with seed {seed}, {searches} searches: {len(faults)} processes went wrong")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
