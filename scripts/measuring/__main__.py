"""The command line of scripts/measure."""

import argparse
import datetime
import json
import os
import shlex
import sys

from . import compare, judge, labels, marks, positions, words
from .engines import TIMEOUT, Spec
from .files import Trouble, check_new, dump, write_new

TERMS = """\
terms (docs/measuring.md has the formulas):
  position set   positions drawn from games, and a manifest: the files, their sha256, seed and counts
  judge          the engine whose values count as true; it should search much longer than what is measured
  search         what is measured: a search of Cassius, or any UCI engine, with its options
  limit          nodes or milliseconds for one position; every search begins with an empty table
  value          centipawns or mate for the side to move, the last that the search told: exact, or moved
                 as little as later bounds require ("bounds" counts values that rest on such a bound)
  chance         wins and half of the draws of the side to move: 1 / (1 + exp(-factor * centipawns / 200));
                 1 with a mate, 0 being mated, 1/2 with a value of 0 (a draw)
  factor         brings a search's centipawns to the judge's; 1 unless fitted, on other games ("fit")
  distance       |chance of the value stated - chance of the judge's value|, in permille
  loss           judge's chance of its best move - judge's chance of the move chosen, in permille
  contested      positions where the searches of the table do not all choose the same move, at that limit
  Δ              the mean over positions of a search's figure less that of the first search: a paired difference
  ±              one standard error, from resamples of whole games (bootstrap)
"""


def main():
    args = parse_arguments()
    try:
        args.run(args)
    except Trouble as trouble:
        sys.exit(f"measure: {trouble}")
    except BrokenPipeError:
        # The reader of the output has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        sys.exit(f"measure: {error.filename or 'writing'}: {error.strerror}")
    except KeyboardInterrupt:
        print("\nmeasure: stopped; run the same command to go on", file=sys.stderr)
        sys.exit(130)


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/measure",
        description="Measures how well searches value positions and choose moves, against a judge.",
        epilog=TERMS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, run, text):
        added = commands.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", epilog=TERMS,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.set_defaults(run=run)
        return added

    add = command("positions", run_positions, "make a position set from games").add_argument
    add("games", nargs="+", metavar="GAMES.pgn", help="ordinary chess; damaged games and variants are left out")
    add("-o", "--output", required=True, metavar="SET", help="the file to make")
    add("--from", dest="first", type=number(0), default=14, metavar="PLY", help="first ply, from 0 on (default: 14)")
    add("--to", dest="last", type=number(0), default=70, metavar="PLY", help="last ply (default: 70)")
    add("--every", type=number(1), default=8, metavar="PLIES",
        help="one position from each block of so many plies, at random (default: 8); none in check, "
        "with one move only, without mating material, or already in the set (same EPD)")
    add("--per-game", type=number(1), metavar="N", help="at most so many positions of a game, at random")
    add("--count", type=number(1), metavar="N", help="so many positions in all, of games at random")
    add("--games", dest="most", type=number(1), metavar="N", help="read so many games of each file and no more")
    add("--part", type=part, default=(1, 1), metavar="I/N",
        help="use the I-th of N parts of the games only; no game is in two parts (1/2 to measure, 2/2 to fit)")
    add("--quiet", action="store_true", help="only positions in which no capture and no promotion wins material by exchanges")
    add("--seed", type=int, default=1, metavar="N", help="(default: 1)")

    add = command("judge", run_judge, "have a judge value a position set").add_argument
    add("set", metavar="SET", help="made by 'positions'")
    add("-o", "--output", required=True, metavar="JUDGED", help="the file to make, or to go on with")
    add("--engine", required=True, metavar="COMMAND[:OPTION=VALUE]...", type=Spec.of, help="the judge")
    add_limits(add, "for each search of the judge")
    add("--all-moves", action="store_true",
        help="value every legal move now (some forty times the work); else 'compare' has those valued that are chosen")
    add("--only-positions", action="store_true",
        help="value no move, which halves the work: enough for 'cassius lab yardstick', not for 'compare'")

    add = command("compare", run_compare, "run searches and compare them with the judge").add_argument
    add("judged", metavar="JUDGED", help="made by 'judge'; gains the values of the moves that are chosen")
    add("--runs", required=True, metavar="RUNS", help="where the searches' answers are kept: made, or gone on with")
    add("--cassius", metavar="BINARY", default="target/release/cassius", help="of --search (default: %(default)s)")
    add("--search", dest="searches", action="append", default=[], metavar="[LABEL=]SEARCH[:OPTION=VALUE]...",
        type=lambda text: (text, True), help="a search of Cassius; the first search named is the reference")
    add("--engine", dest="searches", action="append", metavar="[LABEL=]COMMAND[:OPTION=VALUE]...",
        type=lambda text: (text, False), help="a UCI engine; without either all that RUNS holds are shown")
    add_limits(add, "for each search; several with commas between")
    add("--judge", metavar="COMMAND", help="where the judge is, if not where it was")
    add("--factors", metavar="FACTORS", help="made by 'fit' on other games")
    add("--by", nargs="+", choices=compare.CLASSES, default=[], help="tables of each class of positions, too")
    add("--json", metavar="FILE", help="the table as JSON, with all that it comes from; the file must not exist yet")
    add("--seed", type=number(0), default=1, metavar="N", help="of the resamples (default: 1)")

    add = command("fit", run_fit, "fit the factors of searches, for 'compare --factors' on other games").add_argument
    add("judged", metavar="JUDGED")
    add("runs", metavar="RUNS")
    add("-o", "--output", required=True, metavar="FACTORS", help="the file to make")

    add = command("label", run_label, "have a judge value every position of games").add_argument
    add("games", nargs="+", metavar="GAMES.pgn", help="ordinary chess; damaged games and variants are left out")
    add("-o", "--output", required=True, metavar="LABELS", help="the file to make, or to go on with")
    add("--engine", required=True, metavar="COMMAND[:OPTION=VALUE]...", type=Spec.of, help="the judge")
    add_limits(add, "for each position")
    add("--plies", type=number(1), metavar="N", help="of each game the first N moves of both sides together, and no more")

    add = command("marks", run_marks, "hold the marks of analysed games against labels").add_argument
    add("labels", metavar="LABELS", help="made by 'label'")
    add("records", nargs="+", metavar="[NAME=]RECORD", help="JSON lines of 'cassius analyze --json', or labels of another judge")
    add("--loss", type=float, choices=marks.LOSSES, default=0.05, help="points from which a move is marked (default: %(default)s)")
    add("--bands", type=numbers, default=[1500, 1900, 2300], metavar="N,N...",
        help="tables by the mean rating of the players, cut there (default: 1500,1900,2300)")
    add("--json", metavar="FILE", help="all figures as JSON; the file must not exist yet")
    add("--seed", type=number(0), default=1, metavar="N", help="of the resamples (default: 1)")

    add = command("words", run_words, "hold the labels of analysed games against a judge").add_argument
    add("labels", metavar="LABELS", help="the judge's, made by 'label'")
    add("games", metavar="GAMES.csv", help="of 'cassius analyze --csv'")
    add("--answers", required=True, metavar="FILE",
        help="where the judge's answers about only moves are kept: made, or gone on with")
    add("--judge", metavar="COMMAND", help="where the judge is, if not where it was")
    add("--engine-timeout", type=number(1), default=TIMEOUT, metavar="SECONDS", help="as for 'label' (default: %(default)s)")
    add("--seed", type=number(0), default=1, metavar="N", help="of the resamples (default: 1)")

    args = parser.parse_args()
    if args.command == "positions" and args.last < args.first:
        parser.error("--to is before --from")
    return args


def add_limits(add, text):
    add("--nodes", type=numbers, metavar="N", help=f"nodes {text}")
    add("--movetime", type=numbers, metavar="MS", help=f"milliseconds {text}")
    add("--engine-timeout", type=number(1), default=TIMEOUT, metavar="SECONDS",
        help="seconds that an engine may search where there is no --movetime; then it is given up (default: %(default)s)")


def number(least):
    def parse(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a whole number, {least} or more, found '{text}'")
        return int(text)

    return parse


def numbers(text):
    return sorted({number(1)(it) for it in text.split(",")})


def part(text):
    first, _, last = text.partition("/")
    if not (first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last)):
        raise argparse.ArgumentTypeError(f"expected I/N, as 1/2, found '{text}'")
    return int(first), int(last)


def limits_of(args):
    return [(kind, amount) for kind in ("nodes", "movetime") for amount in getattr(args, kind) or []]


def run_positions(args):
    settings = {
        "seed": args.seed, "from": args.first, "to": args.last, "every": args.every,
        "per_game": args.per_game, "count": args.count, "games": args.most, "part": args.part,
        "quiet": args.quiet,
    }
    header = positions.make(args.games, args.output, settings)
    print(f"{args.output}: {dump(header['chosen'])}; left out: {dump(header['left_out'])}")


def only_limit(args):
    limits = limits_of(args)
    if len(limits) != 1:
        raise Trouble("the judge needs --nodes or --movetime, and one of them only")
    return limits[0]


def run_label(args):
    spec = args.engine._replace(label="judge")
    labels.label(args.games, args.output, spec, only_limit(args), args.plies, args.engine_timeout,
        told=lambda line: print(line, flush=True))


def run_judge(args):
    judged = judge.judge(
        args.set, args.output, args.engine._replace(label="judge"), only_limit(args), args.all_moves, args.engine_timeout,
        args.only_positions,
    )
    counts = f"{len(judged.positions)} positions and {sum(map(len, judged.moves.values()))} moves"
    print(f"{args.output}: {counts} valued by {judged.header['judge']['name']}")


def run_marks(args):
    if args.json:
        check_new(args.json)
    records = [marks.Record.read(it) for it in args.records]
    if len({record.name for record in records}) < len(records):
        raise Trouble("two records have the same name; give them others (NAME=...)")
    text, told = marks.Agreement(labels.Labels(args.labels), records, args.bands, args.loss, args.seed).report()
    if args.json:
        write_new(args.json, json.dumps(origin("marks") | told, indent=1, ensure_ascii=False) + "\n")
    print(text)


def run_words(args):
    judged = labels.Labels(args.labels)
    games = words.Games(args.games, judged)
    answers = words.ask(args.answers, games, judged, args.judge, args.engine_timeout)
    print(words.report([*words.bands(games, judged), *words.moves(games, judged, answers)], args.seed))


def origin(kind):
    """The command and the date that a file of figures comes from."""
    return {
        "measure": kind,
        "command": "scripts/measure " + shlex.join(sys.argv[1:]),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
    }


def run_compare(args):
    judgement = judge.Judgement.read(args.judged)
    limits = limits_of(args)
    specs = [Spec.of(text, args.cassius if is_search else None) for text, is_search in args.searches]
    labels = [spec.label for spec in specs]
    if len(set(labels)) < len(labels):
        raise Trouble("two searches have the same label; give them others (LABEL=...)")
    if args.json:
        check_new(args.json)
    if args.factors and specs:
        compare.read_factors(args.factors, judgement, {spec.label: spec.identity() for spec in specs})
    if specs:
        if not limits:
            raise Trouble("searches need a limit: --nodes or --movetime")
        compare.run(args.runs, judgement, specs, limits, args.engine_timeout)
    runs = compare.Runs.read(args.runs, judgement)
    limits = limits or sorted({limit for _, limit in runs.answers})
    labels = labels or [it for it in runs.searches if any((it, limit) in runs.answers for limit in limits)]
    judgement = compare.judge_moves(judgement, runs, args.judge, args.engine_timeout)
    searches = {label: runs.searches[label] for label in labels}
    factors = compare.read_factors(args.factors, judgement, searches) if args.factors else {}
    comparison = compare.Comparison(judgement, runs, labels, limits, factors, args.seed)
    text, told = comparison.report(args.by)
    if args.json:
        made_of = {
            "judgement": judgement.header,
            "searches": list(searches.values()),
            "settings": {"factors": factors, "seed": args.seed},
        }
        write_new(args.json, json.dumps(origin("comparison") | made_of | told, indent=1, ensure_ascii=False) + "\n")
    print(text)


def run_fit(args):
    judgement = judge.Judgement.read(args.judged)
    found = compare.fit(judgement, compare.Runs.read(args.runs, judgement))
    write_new(args.output, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    for label, it in found["searches"].items():
        print(f"{label}: factor {it['factor']:.3f}, distance {it['distance']:.1f} -> {it['distance with factor']:.1f}")


if __name__ == "__main__":
    main()
