"""scripts/causes: the halves of the positions, and all of it end to end."""

import json

import pytest

from loading import BINARY, ROOT, load_script, run_script

WAC = (ROOT / "epd" / "wac.epd").read_text().splitlines(True)


@pytest.fixture(scope="module")
def causes():
    return load_script("causes")


def run(*arguments):
    return run_script("causes", BINARY, *arguments)


def test_halves_share_nothing_and_miss_nothing(causes):
    shown, held_back = causes.half(WAC, False), causes.half(WAC, True)
    assert sorted(shown + held_back) == sorted(WAC)
    assert min(len(shown), len(held_back)) > len(WAC) / 3
    # What stands behind the position decides nothing.
    assert causes.half([line.split(" bm ")[0] + ' bm Ka1; id "x";\n' for line in shown], True) == []


def test_lines_are_positions_with_their_ends(causes):
    lines = ["# a comment\n", "; another\n", "\n", WAC[0].strip()]
    assert causes.half(lines, False) + causes.half(lines, True) == [WAC[0]]


def test_what_is_missed_is_explained(tmp_path):
    epd = tmp_path / "some.epd"
    # The suite writes the first without its en passant square.
    odd = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 bm a6; id "x";\n'
    epd.write_text("".join([odd, *WAC[:60]]))
    arguments = [epd, "--nodes", 500, "--folder", tmp_path / "found"]
    said = run(*arguments).stdout
    rows = [json.loads(line) for line in (tmp_path / "found" / "explanations.jsonl").read_text().splitlines()]
    assert {row["asked"] for row in rows} == {"depth-first", "alpha-beta"}
    for row in rows:
        told = row["explanation"]
        assert told["nodes"] <= 500 and told["cause"] and f"{told['search']}: " in said
    assert "## depth-first: " in said and "| cut off by |" in said
    # It goes on where it was, and there is nothing left to do.
    assert run(*arguments).stdout == said
    assert len((tmp_path / "found" / "explanations.jsonl").read_text().splitlines()) == len(rows)


def test_a_search_that_fails_is_told(tmp_path):
    epd = tmp_path / "some.epd"
    epd.write_text("".join(WAC[:4]))
    said = run(epd, "--folder", tmp_path / "found", "--search", "chess", "checkers")
    assert said.returncode == 1 and "there is no search called 'chess'" in said.stderr
