"""Searches against a judge: runs them, has their moves judged, and tables distance, loss and differences."""

import contextlib
import itertools
import json
import math
import pathlib

from .engines import TIMEOUT, Engine, Spec, is_same
from .files import Log, Trouble, progress, read, table
from .judge import Judgement, value_moves
from .statistics import Bootstrap, distance, fit_factor, loss, slope

RUNS = "runs"
FACTORS = "factors"
# Classes of positions: the name of each and the number below which it ends.
CLASSES = {
    "ply": (lambda it: it["ply"], [("ply below 30", 30), ("ply 30 to 49", 50), ("ply 50 and more", math.inf)]),
    "pieces": (
        lambda it: it["pieces"],
        [("10 pieces or fewer", 11), ("11 to 20 pieces", 21), ("21 pieces and more", math.inf)],
    ),
    "closeness": (
        # A mate is further than any number of centipawns, and below infinity.
        lambda it: 1e9 if "mate" in it else abs(it["cp"]),
        [("judge below 1.00", 100), ("judge 1.00 to 2.99", 300), ("judge 3.00 and more", math.inf)],
    ),
}


class Runs:
    """What a file of runs holds: the searches by label, and the answers by (label, limit) and id."""

    def __init__(self, path, records):
        self.path, self.searches, self.answers = path, {}, {}
        for record in records:
            self.add(record)

    def add(self, record):
        if "id" in record:
            self.answers.setdefault((record["search"], tuple(record["limit"])), {})[record["id"]] = record
        else:
            self.searches[record["search"]] = record

    @staticmethod
    def read(path, judgement):
        header, records = read(path, RUNS)
        if header["set"] != judgement.header["set"]:
            raise Trouble(f"{path} and {judgement.path} are of different position sets")
        return Runs(path, records)


def run(path, judgement, specs, limits, timeout=TIMEOUT):
    """Runs every search at every limit on every position, as far as it has not been done."""
    identities = [spec.identity() for spec in specs]
    with Log(path, {"measure": RUNS, "set": judgement.header["set"]}) as log, contextlib.ExitStack() as stack:
        runs = Runs(path, log.records)
        for spec, identity in zip(specs, identities):
            known = runs.searches.get(spec.label)
            if known and not is_same(known, identity):
                raise Trouble(
                    f"{path}: '{spec.label}' was another binary or had other options there, or other files in them; "
                    "give it another label (LABEL=...) or name another file"
                )
        left = [
            (position, spec, limit)
            for position in judgement.positions.values()
            for spec in specs
            for limit in limits
            if position["id"] not in runs.answers.get((spec.label, limit), {})
        ]
        # All engines are started before the first search, so that one that cannot run is reported at once.
        running = {spec.label: stack.enter_context(Engine(spec, timeout)) for spec in specs} if left else {}
        for spec, identity in zip(specs, identities):
            if left and spec.label not in runs.searches:
                about = {"search": spec.label, "name": running[spec.label].name, "command": spec.command, **identity}
                log.write(about)
                runs.add(about)
        for position, spec, limit in progress(left, "search"):
            answer = running[spec.label].ask(position["fen"], limit)
            record = {"id": position["id"], "search": spec.label, "limit": list(limit), **answer}
            log.write(record)
            runs.add(record)


def judge_moves(judgement, runs, command=None, timeout=TIMEOUT):
    """The judgement with the values of all moves that were chosen; asks the judge for those missing."""
    wanted = [(record["id"], record["move"]) for cell in runs.answers.values() for record in cell.values()]
    if not judgement.missing(wanted):
        return judgement
    about = judgement.header["judge"]
    spec = Spec("judge", command or about["command"], about["options"])
    if not is_same(about, spec.identity()):
        raise Trouble(
            f"'{spec.command}' is not the judge of {judgement.path}, {about['name']}: it is another binary, or a file in "
            "its options is another one; name that one with --judge"
        )
    with Log(judgement.path, judgement.header) as log, Engine(spec, timeout) as engine:
        # Another run may have written since.
        judgement = Judgement(judgement.path, judgement.header, log.records)
        value_moves(log, engine, judgement, wanted)
    return judgement


class Comparison:
    """Searches at limits, on the positions that all of them have done. The first search is the reference."""

    def __init__(self, judgement, runs, labels, limits, factors, seed=1):
        self.labels, self.limits, self.seed = labels, limits, seed
        cells = {(label, limit): runs.answers.get((label, limit), {}) for label in labels for limit in limits}
        common = set.intersection(*(set(cell) for cell in cells.values())) if cells else set()
        if not common:
            there = "; ".join(f"{label} at {kind} {amount}" for label, (kind, amount) in runs.answers) or "nothing"
            raise Trouble(
                f"{runs.path}: no position has been searched by {', '.join(labels) or 'any'} at every limit asked for; "
                f"there is {there}. Name limits, or searches and limits"
            )
        self.positions = [judgement.positions[number] for number in sorted(common)]
        self.unfinished = len(judgement.positions) - len(common)
        ids = [position["id"] for position in self.positions]
        self.cells = {
            key: {
                "distance": [distance(cell[it], judgement.positions[it], factors.get(key[0], 1.0)) for it in ids],
                "loss": [loss(cell[it]["move"], judgement.moves[it]) for it in ids],
                "answers": [cell[it] for it in ids],
            }
            for key, cell in cells.items()
        }
        self.contested = {
            limit: [len({cells[label, limit][it]["move"] for label in labels}) > 1 for it in ids] for limit in limits
        }

    def rows(self, chosen):
        """A row of numbers for each limit and search, over the positions that are chosen; then their slopes."""
        bootstrap = Bootstrap([position["game"] for position in self.positions], self.seed)
        rows, means = [], {}
        for limit in self.limits:
            contested = [a and b for a, b in zip(chosen, self.contested[limit])]
            for label in self.labels:
                cell = self.cells[label, limit]
                means[label, limit] = figures = {
                    "distance": bootstrap.mean(cell["distance"], chosen),
                    "loss": bootstrap.mean(cell["loss"], chosen),
                    "contested loss": bootstrap.mean(cell["loss"], contested),
                }
                row = {"limit": list(limit), "search": label, "positions": sum(chosen), "contested": sum(contested)}
                answers = list(itertools.compress(cell["answers"], chosen))
                row["bounds"] = sum("bound" in answer for answer in answers)
                row |= {key: mean_of(answer[key] for answer in answers) for key in ("nodes", "ms")}
                rows.append(row | with_differences(figures, means[self.labels[0], limit]))
        if len(self.limits) > 1 and len({kind for kind, _ in self.limits}) == 1:
            amounts = [amount for _, amount in self.limits]
            for label in self.labels:
                # Contested positions have no slope: they are others at each limit.
                figures = means[label, "slope"] = {
                    name: slope(amounts, [means[label, limit][name] for limit in self.limits])
                    for name in ("distance", "loss")
                }
                row = {"limit": ["per doubling"], "search": label}
                rows.append(row | with_differences(figures, means[self.labels[0], "slope"]))
        return rows

    def report(self, by=()):
        """Everything as text and as an object for JSON."""
        sections = [("all positions", [True] * len(self.positions))]
        for kind in by:
            measure, classes = CLASSES[kind]
            low = -math.inf
            for name, high in classes:
                sections.append((name, [low <= measure(position) < high for position in self.positions]))
                low = high
        games = len({position["game"] for position in self.positions})
        text = [
            f"{len(self.positions)} positions of {games} game{'s' * (games != 1)}; permille, ± one standard error; "
            f"Δ: less {self.labels[0]}'s"
        ]
        if self.unfinished:
            text.append(f"{self.unfinished} positions are left out: not all searches have done them")
        told = []
        for name, chosen in sections:
            if any(chosen):
                rows = self.rows(chosen)
                told.append({"positions": name, "rows": rows})
                text += ["", f"{name}: {sum(chosen)}", "", rows_table(rows)]
        return "\n".join(text), {"reference": self.labels[0], "games": games, "sections": told}


def mean_of(numbers):
    numbers = list(numbers)
    return None if None in numbers else sum(numbers) / len(numbers)


def with_differences(figures, first):
    """Each figure with its error, and its difference from the first search's."""
    return {name: pair(figure) for name, figure in figures.items()} | {
        f"Δ {name}": pair(figure - first[name]) for name, figure in figures.items() if figures is not first
    }


def pair(figure):
    """Value and error as JSON has them: None in place of not-a-number."""
    return [None if math.isnan(number) else number for number in (figure.value, figure.error())]


def rows_table(rows):
    figures = ["distance", "loss", "contested loss", "Δ distance", "Δ loss", "Δ contested loss"]
    counts = ["contested", "bounds", "nodes", "ms"]

    def figure(row, name):
        """`75.2 ± 3.1`; a dash where there is nothing."""
        value, error = row.get(name, (None, None))
        sign = "+" if name.startswith("Δ") or "positions" not in row else ""
        return "-" if value is None else f"{value:{sign}.1f}" + ("" if error is None else f" ± {error:.1f}")

    return table(
        ["limit", "search", *figures, *counts],
        [
            [" ".join(map(str, row["limit"])), row["search"], *(figure(row, name) for name in figures)]
            + ["-" if row.get(name) is None else round(row[name]) for name in counts]
            for row in rows
        ],
    )


def fit(judgement, runs):
    """For each search the factor on its values that brings them nearest to the judge's, over all its limits."""
    searches = {}
    for label, search in runs.searches.items():
        pairs = [
            (record, judgement.positions[number])
            for (name, _), cell in runs.answers.items()
            if name == label
            for number, record in cell.items()
        ]
        if not pairs:
            continue
        factor = fit_factor(pairs)
        before, after = (mean_of(distance(*it, factor) for it in pairs) for factor in (1.0, factor))
        told = {"factor": factor, "answers": len(pairs), "distance": before, "distance with factor": after}
        searches[label] = {**told, "search": search}
    if not searches:
        raise Trouble(f"{runs.path}: no search has answered yet")
    games = sorted({position["game"] for position in judgement.positions.values()})
    judge = judgement.header["judge"]
    return {"measure": FACTORS, "judge": judge, "searches": searches, "games": games}


def read_factors(path, judgement, searches):
    """The factors of `searches` (label to identity), fitted on other games against the same judge."""
    try:
        found = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("measure") != FACTORS:
        raise Trouble(f"{path}: no file of factors; 'scripts/measure fit' makes one")
    same = set(found["games"]) & {position["game"] for position in judgement.positions.values()}
    if same:
        raise Trouble(f"{path}: {len(same)} games of the fit are measured here; factors must come from other games")
    if not is_same(found["judge"], judgement.header["judge"]):
        raise Trouble(f"{path}: fitted to another judge, {found['judge']['name']}")
    unknown = [label for label in searches if label not in found["searches"]]
    if unknown:
        raise Trouble(f"{path}: no factor of {', '.join(unknown)}; there are {', '.join(found['searches'])}")
    for label, search in searches.items():
        fitted = found["searches"][label].get("search")
        if fitted is None:
            raise Trouble(f"{path}: does not tell which search '{label}' was fitted on; make it again by 'scripts/measure fit'")
        if not is_same(fitted, search):
            raise Trouble(
                f"{path}: '{label}' was another binary or had other options in the fit, or other files in them; "
                "fit again ('scripts/measure fit'), or give it the label of its own factor"
            )
    return {label: found["searches"][label]["factor"] for label in searches}
