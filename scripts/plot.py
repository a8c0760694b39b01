"""Draws as SVG the tables of an experiment's outcome, or how many problems a suite's searches had solved after how long.
Of networks it draws the loss by epoch, and errors against predictions.

The pictures are legible on light and on dark ground.
"""

import argparse
import json
import math
import sys
import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator  # noqa: E402

# Colours of middling lightness: they stand out on white as well as on black.
INK = "#808890"
COLOURS = ["#3b8bd9", "#e0703c", "#2aa876", "#b56bd1", "#c9a227", "#d64d6a", "#4fa9b8", "#8a7f5c"]
MARKERS = "osD^vPX*"

# Folders of the networks on record and of their pictures; the tables that are drawn, with the pictures' names.
ROOT = Path(__file__).resolve().parents[1]
NETWORKS, PICTURES = ROOT / "networks", ROOT / "docs" / "img"
NETWORK_PICTURES = {"value-loss": "network-learning", "scale-tenths": "network-calibration"}

plt.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "cassius",
        "font.family": "sans-serif",
        "font.size": 11,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "grid.color": INK,
        "grid.alpha": 0.3,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "savefig.transparent": True,
    }
)


def labels(table, name):
    """A column without the total."""
    index = [column["name"] for column in table["columns"]].index(name)
    return [row[index] for row in table["rows"] if row[0] != "total"]


def numbers(table, name):
    """The same as numbers; what is missing becomes a gap."""
    cells = labels(table, name)
    return [cell if isinstance(cell, (int, float)) else float("nan") for cell in cells]


def with_thousands(number, _position=None):
    if number == int(number):
        return f"{int(number):,}".replace(",", " ")
    return f"{number:g}"


def draw(table, target):
    plot = table["plot"]
    published = {column["name"] for column in table["columns"] if column["published"]}
    x = labels(table, plot["x"])
    is_text = any(isinstance(cell, str) for cell in x)
    own = sum(name not in published for name in plot["y"])
    figure, axes = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
    for number, name in enumerate(plot["y"]):
        y = numbers(table, name)
        label = f"{name} (printed)" if name in published else name
        colour = COLOURS[number % len(COLOURS)]
        if is_text:
            width = 0.8 / len(plot["y"])
            places = [place - 0.4 + width * (number + 0.5) for place in range(len(x))]
            if name in published:
                if 2 * own == len(plot["y"]):
                    # One printed bar for each of ours, which come first.
                    colour = COLOURS[(number - own) % len(COLOURS)]
                fill = {"facecolor": "none", "edgecolor": colour, "hatch": "//"}
            else:
                fill = {"color": colour}
            axes.bar(places, y, width * 0.92, label=label, **fill)
        else:
            axes.plot(
                numbers(table, plot["x"]),
                y,
                label=label,
                color=colour,
                marker=MARKERS[number % len(MARKERS)],
                markersize=5,
                linewidth=1.8,
                linestyle="--" if name in published else "-",
            )
    if is_text:
        # As many characters as have room.
        width = (75 if len(x) < 7 else 100) // len(x)
        axes.set_xticks(range(len(x)), [textwrap.fill(str(cell), max(width, 11)) for cell in x])
        axes.tick_params(axis="x", labelsize=11 if len(x) < 7 else 9)
        axes.grid(axis="x", visible=False)
    elif plot["log_x"]:
        axes.set_xscale("log")
        axes.set_xticks([place for place in x if place is not None])
        axes.minorticks_off()
        axes.xaxis.set_major_formatter(FuncFormatter(with_thousands))
    else:
        axes.xaxis.set_major_formatter(FuncFormatter(with_thousands))
    if plot["log_y"]:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(with_thousands))
    else:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=7))
        axes.yaxis.set_major_formatter(FuncFormatter(with_thousands))
    axes.set_xlabel(plot["x"])
    axes.set_ylabel(plot["y_label"])
    finish(figure, axes, target, table["title"])


def finish(figure, axes, target, title):
    """Adds the legend and writes the picture."""
    handles, names = axes.get_legend_handles_labels()
    figure.legend(
        handles,
        names,
        loc="outside lower center",
        ncols=max(1, min(3, 90 // (max(map(len, names)) + 4))),
        frameon=False,
        labelcolor=INK,
    )
    figure.savefig(target, metadata={"Date": None, "Title": title})
    plt.close(figure)


def draw_calibration(table, target):
    """Errors against what was predicted of them, class by class, both in centipawns."""
    scale, error = numbers(table, "scale"), numbers(table, "error")
    figure, axes = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
    ends = [min(scale) / 1.2, max(scale) * 1.2]
    # The mean of |error| over scale of a logistic distribution.
    ideal = [2 * math.log(2) * end for end in ends]
    axes.plot(ends, ideal, label="ideal", color=INK, linewidth=1.4, linestyle="--")
    axes.plot(scale, error, label="tenths of the positions", color=COLOURS[0], marker="o", markersize=6, linestyle="")
    axes.loglog()
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(FixedLocator([10, 20, 50, 100, 200, 500]))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(with_thousands))
    axes.set_xlim(*ends)
    axes.set_xlabel("predicted scale, centipawns")
    axes.set_ylabel("mean |error|, centipawns")
    finish(figure, axes, target, table["title"])


def draw_solutions(header, entries, target):
    """How many positions each search had solved for good after so much time, or so many nodes."""
    limit = header["limit"]
    unit = "ms" if "movetime_ms" in limit else "nodes"
    # A run with a limit of depth alone goes as far as its last solution.
    last = max((entry["solution"][unit] for entry in entries if entry["solved"]), default=0)
    most = limit.get("movetime_ms") or limit.get("nodes") or max(last, 1)
    least = most / 1000
    figure, axes = plt.subplots(figsize=(7.5, 4.8), layout="constrained")
    for number, search in enumerate(header["searches"]):
        found = sorted(
            entry["solution"][unit] for entry in entries if entry["search"] == search and entry["solved"]
        )
        axes.step(
            [least] + [min(max(effort, least), most) for effort in found] + [most],
            [0, *range(1, len(found) + 1), len(found)],
            where="post",
            label=search,
            color=COLOURS[number % len(COLOURS)],
            linestyle="-" if number < len(COLOURS) else ":",
            linewidth=1.8,
        )
    axes.set_xscale("log")
    axes.set_xlim(least, most)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(FuncFormatter(with_thousands))
    axes.set_xlabel(f"{unit} a position")
    axes.set_ylabel("solved for good")
    finish(figure, axes, target, "Solved for good after so long")


def draw_file(path, folder):
    """Draws whatever a file of results holds; returns the pictures."""
    lines = path.read_text(encoding="utf-8")
    header, _, rest = lines.partition("\n")
    if header.startswith('{"cassius"'):
        # A suite's results are JSON lines. Not `splitlines`: a name may hold what Python takes for the end of a line too.
        entries = [json.loads(line) for line in rest.split("\n") if line]
        targets = [folder / f"{path.stem}-solutions.svg"]
        draw_solutions(json.loads(header), entries, targets[0])
        return targets
    is_on_record = path.resolve().parent == NETWORKS
    targets = []
    for table in json.loads(lines)["tables"]:
        name = f"{path.stem}-{table['id']}"
        if is_on_record:
            name = NETWORK_PICTURES.get(name)
        # Of few games there are no tenths.
        if table["plot"] is not None and table["rows"] and name is not None:
            targets.append(folder / f"{name}.svg")
            (draw_calibration if table["id"] == "tenths" else draw)(table, targets[-1])
    return targets


def folder_for(path):
    """Where the pictures of a file go without --out."""
    return PICTURES if path.resolve().parent == NETWORKS else path.parent


def main():
    parser = argparse.ArgumentParser(prog="scripts/plot", description=__doc__)
    parser.add_argument("outcomes", nargs="+", type=Path, metavar="OUTCOME.json")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the pictures go")
    arguments = parser.parse_args()
    for path in arguments.outcomes:
        try:
            targets = draw_file(path, arguments.out or folder_for(path))
        except (OSError, ValueError, KeyError, TypeError) as error:
            sys.exit(f"scripts/plot: {path}: no results to draw ({error})")
        for target in targets:
            print(target)


if __name__ == "__main__":
    main()
