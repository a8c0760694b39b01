"""Files of JSON lines that survive being killed, folders of one run, tables for people, progress on a terminal.

A file is a header line that says what decides its contents, then one object a line. It grows by whole
lines: a run that is killed loses at most the line that it was writing, and the same command goes on.
"""

import hashlib
import json
import os
import pathlib
import sys

try:
    import fcntl
except ImportError:  # Windows: nothing guards a file against two writers there.
    fcntl = None


class Trouble(Exception):
    """What the user can mend; its text says how."""


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def lock(file):
    """Locks an open file until this run closes it or ends, in whatever way; False if another run has locked it."""
    if fcntl:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def gave_up(code, errors):
    """Whether cassius gave up with an error, so that its output is not whole, and did not run to its end with flaws."""
    return code == 1 and errors.rstrip().rpartition("\n")[2].startswith("cassius: ")


def check_file(path):
    """Refuses a path that exists and is no regular file: a device may be read without end."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise Trouble(f"{path}: is not a regular file; name another")


def dump(value):
    return json.dumps(value, ensure_ascii=False)


def read(path, kind):
    """The header and the records of a file of this kind; a line cut off at the end is left out."""
    check_file(path)
    data = pathlib.Path(path).read_bytes()
    return parse(path, kind, data[: data.rfind(b"\n") + 1])


def parse(path, kind, data):
    lines = []
    for number, line in enumerate(data.splitlines(), 1):
        try:
            lines.append(json.loads(line))
            if not isinstance(lines[-1], dict):
                raise ValueError
        except ValueError:
            raise Trouble(f"{path}, line {number}: not an object in JSON") from None
    if kind and (not lines or lines[0].get("measure") != kind):
        found = lines[0].get("measure", "something else") if lines else "nothing"
        raise Trouble(f"{path}: expected a file of {kind}, found {found}")
    return lines[0], lines[1:]


class Log:
    """A file that grows by records. One that exists goes on, if its header is the same."""

    def __init__(self, path, header):
        check_file(path)
        self.path = path
        self.file = open(path, "a+b")
        try:
            self.records = self._begin(header)
        except BaseException:
            self.file.close()
            raise

    def _begin(self, header):
        if not lock(self.file):
            raise Trouble(f"{self.path}: another run is writing to it")
        self.file.seek(0)
        data = self.file.read()
        end = data.rfind(b"\n") + 1
        first = dump(header).encode() + b"\n"
        if end == 0:
            if not first.startswith(data):
                raise Trouble(f"{self.path}: not a file of {header['measure']}; name another")
            self.file.truncate(0)
            self.write(header)
            return []
        found, records = parse(self.path, header["measure"], data[:end])
        # Compared as read from JSON, where pairs are lists.
        header = json.loads(first)
        if found != header:
            other = sorted(key for key in found.keys() | header.keys() if found.get(key) != header.get(key))
            raise Trouble(
                f"{self.path} was begun with another {', '.join(other)}; "
                "give the settings that it was begun with, or name another file"
            )
        self.file.truncate(end)
        return records

    def write(self, record):
        self.file.write(dump(record).encode() + b"\n")
        self.file.flush()

    def forget(self, count):
        """Takes back the last records of those that were there at the beginning."""
        if count:
            self.records, lost = self.records[:-count], self.records[-count:]
            self.file.truncate(self.file.seek(0, os.SEEK_END) - sum(len(dump(it).encode()) + 1 for it in lost))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


def write_new(path, text):
    """Writes a file that must not exist yet, whole or not at all."""
    path = pathlib.Path(path)
    check_new(path)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def check_new(path):
    """Refuses a path at which no new file can be made. Call it before the work, too, which would be lost."""
    if pathlib.Path(path).exists():
        raise Trouble(f"{path} is there already; name another file or remove it")
    folder = pathlib.Path(path).absolute().parent
    if not folder.is_dir():
        raise Trouble(f"{path}: there is no folder {folder}; make it, or name a file elsewhere")


def claim(folder, settings, made):
    """Keeps a folder for work of the same settings; `made` is a pattern of files that earlier work may have left there."""
    file = folder / "settings.json"
    folder.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        if any(folder.glob(made)):
            raise Trouble(f"{folder}: nobody knows by which settings it was made; choose another --folder")
        write_new(file, json.dumps(settings, indent=2, ensure_ascii=False) + "\n")
    there = json.loads(file.read_text(encoding="utf-8"))
    if there != settings:
        names = [name for name in settings if there.get(name) != settings[name]]
        told = ", ".join(f"{name} {there.get(name)} instead of {settings[name]}" for name in names)
        raise Trouble(f"{folder}: it was made with {told}; choose another --folder")


def progress(items, what):
    """The same items; on a terminal it shows how far they are."""
    total = f" of {len(items)}" if hasattr(items, "__len__") else ""
    shown = sys.stderr.isatty()
    for number, item in enumerate(items, 1):
        if shown:
            print(f"\r{what} {number}{total}\033[K", end="", file=sys.stderr, flush=True)
        yield item
    if shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def table(heading, rows):
    """A Markdown table, readable as text: the first two columns to the left, the rest to the right."""
    rows = [heading, *([str(cell) for cell in row] for row in rows)]
    widths = [max(3, *(len(row[column]) for row in rows)) for column in range(len(heading))]
    rule = ["-" * width if column < 2 else "-" * (width - 1) + ":" for column, width in enumerate(widths)]
    return "\n".join(
        "| " + " | ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ) + " |"
        for row in [rows[0], rule, *rows[1:]]
    )
