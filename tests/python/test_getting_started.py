"""The commands of docs/getting-started.md, in an empty folder, as a new user gives them."""

import concurrent.futures
import os
import pty
import re
import shlex
import shutil
import subprocess

from loading import BINARY, ROOT


def commands():
    text = (ROOT / "docs" / "getting-started.md").read_text()
    return [shlex.split(line) for line in re.findall(r"^    (cassius .*)$", text, re.MULTILINE)]


def everything(terminal):
    """What is written to a terminal until the other end is closed."""
    said = b""
    try:
        while part := os.read(terminal, 65536):
            said += part
    except OSError:  # The end, on Linux.
        pass
    return said


def on_a_terminal(command, folder):
    """What a command says on standard error where that is a terminal."""
    ours, theirs = pty.openpty()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        # Read while the command runs: an unread terminal is full after some 16,000 bytes, and then the command waits.
        said = pool.submit(everything, ours)
        try:
            done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=theirs, timeout=120, check=False)
        finally:
            os.close(theirs)
    os.close(ours)
    assert done.returncode == 0, said.result()
    return said.result().decode()


def test_its_commands_do_what_it_says(tmp_path):
    (tmp_path / "docs").mkdir()
    for name in ("docs/opera-game.pgn", "my-game.pgn"):
        shutil.copy(ROOT / "docs" / "opera-game.pgn", tmp_path / name)
    said = {}
    for name, *words in commands():
        assert name == "cassius"
        quick = ["--minutes", "0.02"] if words[:2] == ["analyze", "my-game.pgn"] else []
        said[tuple(words)] = on_a_terminal([BINARY, *words, *quick], tmp_path)
    pages = {words[-1]: text for words, text in said.items() if "--html" in words}
    assert sorted(pages) == ["my-game.html", "puzzles.html"]
    for page, text in pages.items():
        assert f"{page}: written; open it in a browser" in text, text
        assert (tmp_path / page).stat().st_size > 10_000
    assert "1 puzzle\r\n" in pages["puzzles.html"], "the Opera Game has one"
    position = next(list(words) for words in said if "--fen" in words)
    by_player = [BINARY, *position, "--search", "depth-first:Evaluation=network"]
    assert subprocess.run(by_player, capture_output=True, text=True, check=True).stdout.startswith("+3.72: 1... c3 ")
    assert "[%eval" in (tmp_path / "my-game-annotated.pgn").read_text()
