"""No sentence of a report contradicts the table below it: ten games, few nodes; scripts/check-reports does it for any games, and has the rules."""

import re

import pytest

from loading import BINARY, ROOT, load_script, run_here

NODES = 300
# Games of people that are history, and a few made up: a draw in a won position, a win given for perpetual check, an agreed draw, a win on time.
GAMES = [
    ("1-0", "", (ROOT / "docs" / "opera-game.pgn").read_text().split("\n\n", 1)[1]),
    ("1-0", "", "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0"),
    ("0-1", "", "1. d4 Nf6 2. Nd2 e5 3. dxe5 Ng4 4. h3 Ne3 0-1"),
    ("1-0", "", "1. e4 b6 2. d4 Bb7 3. Bd3 f5 4. exf5 Bxg2 5. Qh5+ g6 6. fxg6 Nf6 7. gxh7+ Nxh5 8. Bg6# 1-0"),
    ("1-0", "", "1. d4 f5 2. Bg5 h6 3. Bh4 g5 4. Bg3 f4 5. e3 h5 6. Bd3 Rh6 7. Qxh5+ Rxh5 8. Bg6# 1-0"),
    ("1-0", "", "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4 9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0"),
    ("1/2-1/2", "6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1", "1. h3 h6 2. Rb7 Kh7 3. Raa7 Kg6 1/2-1/2"),
    ("1/2-1/2", "6k1/6p1/8/7Q/8/8/1r3PP1/1q4K1 w - - 0 1", "1. Kh2 Qe1 2. Qe8+ Kh7 3. Qh5+ Kg8 4. Qe8+ Kh7 1/2-1/2"),
    ("1/2-1/2", "", "1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6 4. Nf3 Nxe4 5. d3 Nf6 6. d4 d5 1/2-1/2"),
    ("1-0", "", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 1-0"),
]


def pgn():
    for number, (result, fen, moves) in enumerate(GAMES, 1):
        yield f'[Event "{number}"]\n[Result "{result}"]\n' + (f'[SetUp "1"]\n[FEN "{fen}"]\n' if fen else "") + f"\n{moves}\n\n"


# Changes to pages, and the rules that they break.
LIES = [
    (r"went from \+", "went from +9", "number"),
    (r"a blunder \(", "an inaccuracy (", "mark"),
    (r"did not recover", "got even", "unknown"),
    (r"Better was (\d+\.+) \S+ \(", r"Better was \1 Na9 (", "better"),
    (r"It costs 0\.", "It costs 1.", "cost"),
    (r"<td>White winning", "<td>level", "words"),
    (r"the position at the end is winning for White", "the position at the end is worth +0.10 for White", "number"),
    (r"The draw gave a won position away: .*?\(White winning\)|The draw gave a won .*? by Cassius", "Neither side made a mistake, by Cassius", "quiet"),
]


def pages(script, folder):
    return script.reports(folder / "games.json", folder / "pages", folder / "annotated.pgn")


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """The script, the folder of its files, and what it said."""
    folder = tmp_path_factory.mktemp("reports")
    (folder / "games.pgn").write_text("".join(pgn()))
    script = load_script("check-reports")
    return script, folder, run_here(script.main, BINARY, folder / "games.pgn", "--nodes", NODES, "--folder", folder)


def test_no_sentence_contradicts_its_table(checked):
    script, _, ended = checked
    assert ended.returncode == 0 and "10 games, 0 faults" in ended.stdout, ended.stdout + ended.stderr
    tried = dict(re.findall(r"([a-z ]+) (\d+)(?:,|$)", ended.stdout.partition("tried:")[2]))
    tried = {name.strip(): int(count) for name, count in tried.items()}
    assert set(tried) == set(script.RULES)
    # Each part of a report was there.
    parts = ("number", "mark", "fall", "recover", "draw", "better", "line", "cost", "words", "error", "remark")
    assert all(tried[rule] > 0 for rule in parts), tried


@pytest.mark.parametrize(("told", "lie", "rule"), LIES)
def test_a_sentence_that_contradicts_its_table_is_found(checked, told, lie, rule):
    script, folder, _ = checked
    found = []
    for _, report, remarks in pages(script, folder):
        page = re.sub(told, lie, report.page)
        if page != report.page:
            changed = script.Report(page, report.info, [row.record for row in report.rows])
            found.append(rule in {name for name, _ in changed.all(remarks)})
    assert found and all(found), found
