"""scripts/plot.py draws what the recorded outcomes say is to be drawn."""

import json
import xml.etree.ElementTree as ElementTree

from loading import ROOT, load_script, run_here

script = load_script("plot.py")


def outcomes():
    for path in sorted((ROOT / "lab" / "docs" / "results").glob("*.json")):
        first = path.read_text(encoding="utf-8").split("\n", 1)[0]
        # Outcomes are one object over many lines; results of suites are JSON lines.
        if first == "{":
            yield path


def plot(*arguments):
    """Draws, which must succeed."""
    done = run_here(script.main, *arguments)
    assert done.returncode == 0, done.stderr


def test_recorded_outcomes_have_their_pictures(tmp_path):
    paths = list(outcomes())
    assert paths
    plot("--out", tmp_path, *paths)
    for path in paths:
        for table in json.loads(path.read_text(encoding="utf-8"))["tables"]:
            name = f"{path.stem}-{table['id']}.svg"
            assert (tmp_path / name).exists() == (table["plot"] is not None), name
            if table["plot"] is not None:
                text = "".join(ElementTree.parse(tmp_path / name).getroot().itertext())
                assert table["plot"]["y_label"] in text
                assert (path.parent / name).exists(), f"{name} is not on record"


def test_the_networks_on_record_have_their_pictures(tmp_path):
    plot("--out", tmp_path, ROOT / "networks" / "value.json", ROOT / "networks" / "scale.json")
    said = {
        "network-learning.svg": ["epoch", "mean loss", "learnt from", "held back"],
        "network-calibration.svg": ["predicted scale, centipawns", "mean |error|, centipawns", "ideal"],
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(said)
    for name, expected in said.items():
        for folder in (tmp_path, ROOT / "docs" / "img"):
            texts = [text.strip() for text in ElementTree.parse(folder / name).getroot().itertext()]
            assert set(expected) <= set(texts), folder / name


def test_a_calibration_elsewhere_stays_beside_its_file(tmp_path):
    path = tmp_path / "mine.json"
    path.write_bytes((ROOT / "networks" / "scale.json").read_bytes())
    plot(path)
    pictures = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert pictures == ["mine-loss.svg", "mine-tenths.svg"]
    drawn = ElementTree.parse(tmp_path / "mine-tenths.svg").getroot()
    assert "ideal" in "".join(drawn.itertext())


def test_a_table_without_rows_is_not_drawn(tmp_path):
    outcome = json.loads((ROOT / "networks" / "scale.json").read_text(encoding="utf-8"))
    next(table for table in outcome["tables"] if table["id"] == "tenths")["rows"] = []
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(outcome), encoding="utf-8")
    plot(path)
    assert [picture.name for picture in tmp_path.glob("*.svg")] == ["mine-loss.svg"]


def test_what_is_no_outcome_is_named(tmp_path):
    path = tmp_path / "not.json"
    path.write_text("[1, 2]", encoding="utf-8")
    done = run_here(script.main, path)
    assert done.returncode == 1
    assert "not.json" in done.stderr


def test_an_id_may_hold_what_python_takes_for_the_end_of_a_line(tmp_path):
    header, entry, *_ = (ROOT / "lab" / "docs" / "results" / "suite-ecm-1000.json").read_text(encoding="utf-8").split("\n")
    entry = json.dumps({**json.loads(entry), "id": "A\u2028B\u0085C"}, ensure_ascii=False)
    path = tmp_path / "suite.json"
    path.write_text(f"{header}\n{entry}\n", encoding="utf-8")
    plot(path)
    assert (tmp_path / "suite-solutions.svg").exists()


def test_a_suite_with_a_limit_of_depth_is_drawn_over_nodes(tmp_path):
    header, *entries = (ROOT / "lab" / "docs" / "results" / "suite-ecm-1000.json").read_text(encoding="utf-8").split("\n")[:20]
    header = json.dumps({**json.loads(header), "limit": {"depth": 5}})
    unsolved = [json.dumps({**json.loads(entry), "solved": False, "solution": None}) for entry in entries]
    for name, lines in [("some", entries), ("none", unsolved)]:
        (tmp_path / f"{name}.json").write_text("\n".join([header, *lines, ""]), encoding="utf-8")
        plot(tmp_path / f"{name}.json")
        drawn = ElementTree.parse(tmp_path / f"{name}-solutions.svg").getroot()
        assert "nodes a position" in "".join(drawn.itertext())


def test_a_suite_is_drawn_as_what_was_solved_after_how_long(tmp_path):
    path = ROOT / "lab" / "docs" / "results" / "suite-ecm-1000.json"
    plot("--out", tmp_path, path)
    drawn = ElementTree.parse(tmp_path / "suite-ecm-1000-solutions.svg").getroot()
    texts = [text.strip() for text in drawn.itertext()]
    header = json.loads(path.read_text(encoding="utf-8").split("\n", 1)[0])
    assert header["searches"] and set(header["searches"]) <= set(texts)
    assert "ms a position" in texts
