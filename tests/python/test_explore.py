"""The page of `cassius explore` in a real browser, on a phone and on a desk; skipped where there is no Chromium."""

import json
import re
import shutil
import subprocess

import pytest

from loading import BINARY

NAMES = ["chromium", "chromium-browser", "google-chrome"]
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium")

PROBLEM = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1"
MATE = "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1"
CASTLING = "r3k2r/ppp2ppp/8/3pP3/8/8/PPP2PPP/R3K2R w KQkq d6 0 1"

# Uses the page as a reader does, and leaves what it has seen in the document.
SCRIPT = """<script>
const rows = () => [...document.querySelectorAll(".node")];
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const slide = (id, value) => {
  const slider = document.getElementById(id);
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
};
const number = (row, kind) => row.querySelector(kind).textContent;
const text = (selector) => document.querySelector(selector).textContent;
const men = () => [...document.querySelectorAll(".board .men use")].map((it) => it.getAttribute("href").slice(1) + it.getAttribute("x") + it.getAttribute("y")).sort().join(" ");
const seen = {};
%s
seen.width = document.documentElement.scrollWidth;
seen.inner = innerWidth;
document.body.dataset.seen = JSON.stringify(seen);
</script>"""


def explore(folder, fen, *options):
    """The page of a tree, and the tree."""
    page, tree = folder / "tree.html", folder / "tree.json"
    command = [BINARY, "explore", "--fen", fen, "--html", str(page), "--tree", str(tree), *options]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return page, json.loads(tree.read_text())


def use(page, script, width=1280, address=""):
    """What a script has seen on a page, and what the page says of itself."""
    used = page.with_name("used.html")
    used.write_text(page.read_text().replace("</body>", SCRIPT % script + "</body>"))
    if width < 500:
        # Windows are no narrower, frames are.
        frame = page.with_name("frame.html")
        frame.write_text(
            f'<iframe src="used.html{address}" style="width:{width}px;height:800px"></iframe>'
            "<script>onload = () => {"
            "  const inner = document.querySelector('iframe').contentDocument;"
            "  document.body.innerHTML = '';"
            "  Object.assign(document.documentElement.dataset, inner.documentElement.dataset);"
            "  document.body.dataset.seen = inner.body.dataset.seen;"
            "};</script>"
        )
        used, address = frame, ""
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
    command += [f"--window-size={max(width, 500)},900", "--virtual-time-budget=4000", "--dump-dom"]
    done = subprocess.run([*command, used.as_uri() + address], capture_output=True, text=True, timeout=120, check=True)
    told = dict(re.findall(r'data-(ready|nodes)="([^"]*)"', done.stdout))
    found = re.search(r'data-seen="([^"]*)"', done.stdout)
    assert found, done.stdout[-2000:] + done.stderr
    return json.loads(found[1].replace("&quot;", '"').replace("&amp;", "&")), told


# Folds and unfolds by key and by click, and moves both sliders.
WALK = """
seen.rows = rows().length;
seen.up = number(rows()[0], ".u");
rows()[0].focus();
press("ArrowDown"); press("ArrowRight");
seen.unfolded = rows().length;
press("ArrowLeft");
seen.folded = rows().length;
rows()[2].querySelector(".twist").click();
seen.touched = rows().length;
rows()[2].querySelector(".twist").click();
document.getElementById("conspirators").click();
seen.conspirators = [...document.querySelectorAll(".sign.conspirator")].length;
slide("threshold", 3);
seen.threshold = text("#threshold-told");
seen.target = text("#target-told");
const before = performance.now();
slide("target", 0);
seen.slid = performance.now() - before;
seen.lost = text("#target-told");
document.getElementById("aim").click();
seen.aimed = text("#target-told");
"""


def test_a_large_tree_opens_at_once_and_is_usable(tmp_path):
    page, record = explore(tmp_path, PROBLEM, "--nodes", "320000")
    assert record["size"] >= 100_000
    children = record["tree"]["children"]
    is_up = record["above"] is not None and record["above"] <= (record["below"] or 1 << 30)
    leaves = record["tree"]["raisers" if is_up else "lowerers"]
    for width in 390, 1280:
        seen, told = use(page, WALK, width)
        assert float(told["ready"]) < 1000 and int(told["nodes"]) == len(children)
        assert seen["rows"] == seen["folded"] == 1 + children[0]
        assert seen["unfolded"] == seen["rows"] + children[1]
        assert seen["touched"] == seen["rows"] + children[2]
        assert seen["conspirators"] == min(len(leaves), 50)
        assert seen["threshold"].startswith("3: likely range ")
        assert seen["target"].startswith("Black worth at " + ("least" if is_up else "most"))
        assert seen["lost"] == "Black worth at most lost" and seen["slid"] < 500
        assert seen["aimed"] != seen["lost"]
        assert seen["width"] <= seen["inner"], f"{width}: nothing sticks out sideways"


def test_numbers_are_those_of_the_record(tmp_path):
    page, record = explore(tmp_path, PROBLEM, "--nodes", "20000")
    script = """
    seen.numbers = rows().map((row) => number(row, ".u"));
    seen.downs = rows().map((row) => number(row, ".d"));
    seen.target = text("#target-told");
    """
    seen, _ = use(page, script)
    is_up = seen["target"].startswith("Black worth at least")
    column = record["tree"]["up" if is_up else "down"]
    expected = ["∞" if it is None else str(it) for it in column]
    shown = seen["numbers" if is_up else "downs"]
    assert shown == expected[: len(shown)]


def test_boards_follow_the_moves(tmp_path):
    page, record = explore(tmp_path, CASTLING, "--nodes", "3000")
    moves = record["tree"]["uci"][1 : 1 + record["tree"]["children"][0]]
    assert {"e1g1", "e1c1", "e5d6"} <= set(moves)
    for move, there, gone in [
        ("e1g1", ["k67", "r57"], ["r77", "k47"]),
        ("e1c1", ["k27", "r37"], ["r07", "k47"]),
        ("e5d6", ["p32"], ["p33", "p43"]),
    ]:
        seen, _ = use(page, "seen.men = men();", address="#" + move)
        men = seen["men"].split()
        assert set(there) <= set(men) and not set(gone) & set(men), (move, men)


def test_proofs_open_too(tmp_path):
    page, record = explore(tmp_path, MATE, "--nodes", "20000", "--search", "proof-number-tree")
    seen, _ = use(page, 'seen.target = text("#target-told"); seen.verdict = text(".verdict"); rows()[0].focus(); press("Enter"); seen.path = text(".path");')
    assert record["value"] > 30_000
    assert seen["target"].startswith("White wins") and seen["verdict"] == "That is proven."
    assert seen["path"].startswith("1. ")
