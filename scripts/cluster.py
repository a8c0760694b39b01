"""Runs a suite, an analysis of games or self-play in parts on many cores or machines, and joins the results.

    scripts/cluster suite epd/wac.epd --nodes 100000 --json wac.json
    scripts/cluster --scheduler tcp://host:8786 analyze games.pgn --nodes 20000 --json games.json --html games.html
    scripts/cluster --workers 8 selfplay games --shards 0..100 --games 500

The command takes the arguments of `cassius suite`, `cassius analyze` or `cassius lab selfplay`: first the files or the
folder, then the options. The results are those of an undivided run, except times and the record of how they were made.

Dask distributes the parts. Without --scheduler this program starts workers on this machine, one for each core. With
--scheduler it uses the workers of a running scheduler. Their machines need the same Python packages
(tests/python/requirements.txt) and the same binary at the path of --binary. Input files and results are sent; only
files that a search's options name (EvalFile) must be on every machine. If a worker dies, another one runs its part.
Finished parts are kept beside the results until all are done, so that --resume can continue a run that was stopped.

Exit code: that of the undivided run.
"""

import argparse
import contextlib
import hashlib
import itertools
import json
import logging
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from dask.distributed import Client, LocalCluster, as_completed

from measuring.files import gave_up, lock, sha256

ROOT = pathlib.Path(__file__).resolve().parents[1]
# The results of a part, in the worker's folder.
PART = "part.json"
# Parts for each worker: with several, the last worker to finish keeps the others waiting less.
PARTS_PER_WORKER = 4
# Finds a search's options whose values are paths, as in depth-first:EvalFile=FILE; groups: `EvalFile=`, path.
PATHS = re.compile(r"\b((?:EvalFile|SyzygyPath)\s*=)\s*([^:,]*)", re.IGNORECASE)


class Refused(Exception):
    """The request cannot be carried out; the text says why."""


def main():
    args, arguments = parse_arguments()
    job = Job
    try:
        job = JOBS[args.command](args, arguments)
        job.prepare()
        with connect(args) as client:
            flawed = distribute(client, job, args.retries)
        flawed |= job.join()
    except Refused as error:
        job.forget_nothing_done()
        sys.exit(f"cluster: {error}")
    sys.exit(1 if flawed else 0)


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/cluster",
        description=__doc__.split("\n\n", maxsplit=1)[0],
        epilog=__doc__.split("\n\n", maxsplit=1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS", help="address of a running Dask scheduler: tcp://host:8786")
    where.add_argument("--scheduler-file", metavar="FILE", help="file to which a running scheduler wrote its address")
    where.add_argument(
        "--workers",
        metavar="N",
        type=positive,
        default=os.cpu_count() or 1,
        help="workers to start here [default: one for each core]",
    )
    parser.add_argument(
        "--parts",
        metavar="N",
        type=positive,
        help=f"number of parts of suite and analyze [default: {PARTS_PER_WORKER} for each worker]",
    )
    parser.add_argument("--retries", metavar="N", type=int, default=3, help="reruns of a part that fails [default: 3]")
    binary = os.environ.get("CASSIUS_BIN", str(ROOT / "target" / "release" / "cassius"))
    parser.add_argument(
        "--binary",
        metavar="PATH",
        default=binary,
        help="path of the engine, the same on all machines [default: %(default)s]",
    )
    parser.add_argument("command", choices=JOBS, help="what to run")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its files or folder, then its options")
    args = parser.parse_args()
    binary = shutil.which(args.binary)
    if binary is None:
        parser.error(f"there is no engine {args.binary}: build it (cargo build --release), or name it with --binary")
    args.binary = os.path.abspath(binary)
    return args, args.arguments


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number, at least 1; found {number}")
    return number


@contextlib.contextmanager
def connect(args):
    """A client of the given scheduler, or of workers started here, which end with the client."""
    with contextlib.ExitStack() as stack:
        if args.scheduler or args.scheduler_file:
            try:
                client = Client(args.scheduler, scheduler_file=args.scheduler_file, timeout="60s")
            except OSError as error:
                raise Refused(
                    f"no scheduler answers at {args.scheduler or args.scheduler_file}: {error}; "
                    "start one with `dask scheduler`, or give its address"
                ) from error
        else:
            # One search at a time for each worker, as in an undivided run; no dashboard, since nobody would look at it.
            cluster = LocalCluster(
                n_workers=args.workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                # Dask replaces a worker that dies; the user need not know.
                silence_logs=logging.CRITICAL,
            )
            client = Client(stack.enter_context(cluster))
        yield stack.enter_context(client)


# On the workers.


def run_part(binary, arguments, inputs, produced):
    """Runs the engine on input files in a temporary folder; returns its messages and the files that it produced."""
    # Workers get this function without the rest of the file: it imports what it needs.
    import pathlib  # pylint: disable=reimported,redefined-outer-name,import-outside-toplevel
    import shutil  # pylint: disable=reimported,redefined-outer-name,import-outside-toplevel
    import socket  # pylint: disable=import-outside-toplevel
    import subprocess  # pylint: disable=reimported,redefined-outer-name,import-outside-toplevel
    import tempfile  # pylint: disable=reimported,redefined-outer-name,import-outside-toplevel

    with tempfile.TemporaryDirectory(prefix="cassius-") as name:
        folder = pathlib.Path(name)
        for file, contents in inputs.items():
            (folder / file).write_bytes(contents)
        # Where setpriv exists, the engine of a killed worker is killed, too.
        setpriv = shutil.which("setpriv")
        prefix = [setpriv, "--pdeathsig", "KILL"] if setpriv else []

        def run(*rest):
            return subprocess.run([*prefix, binary, *rest], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)

        version = run("--version").stdout.decode(errors="replace").strip()
        done = run(*arguments)
        errors = done.stderr.decode(errors="replace")
        if done.returncode < 0 or done.returncode > 2:
            raise RuntimeError(f"{socket.gethostname()}: {binary} ended with exit code {done.returncode}: {errors}")
        files = {str(file.relative_to(folder)): file.read_bytes() for file in folder.glob(produced) if file.is_file()}
        return {"machine": socket.gethostname(), "version": version, "code": done.returncode, "errors": errors, "files": files}


# Here.


def distribute(client, job, retries):
    """Has workers run the parts that are not done, and keeps their results. Returns whether any part has flaws."""
    # The inputs go to each worker once.
    inputs = client.scatter(job.inputs, hash=False) if job.inputs else {}
    parts = job.parts(sum(client.nthreads().values()))
    futures = {}
    for number, arguments in parts.items():
        future = client.submit(run_part, job.binary, arguments, inputs, job.produced, retries=retries, pure=False)
        futures[future] = number
    flawed, done = job.had_flaws(), 0
    if flawed:
        print("cluster: parts that were done before have flaws; they were told of then", file=sys.stderr)
    show = sys.stderr.isatty()
    for future in as_completed(futures):
        number = futures[future]
        if future.status != "finished":
            client.cancel(list(futures))
            raise Refused(f"part {job.name(number)}: {future.exception()}")
        result = future.result()
        future.release()
        if result["version"] != job.version:
            client.cancel(list(futures))
            raise Refused(
                f"{result['machine']} has another engine: expected {job.version} as here, found {result['version']}; "
                "install the same one there"
            )
        if job.is_empty(result):
            result = {**result, "code": 0, "files": {PART: b""}}
        if result["code"] == 2 or not result["files"] or gave_up(result["code"], result["errors"]):
            client.cancel(list(futures))
            raise Refused(f"{shlex.join(['cassius', *parts[number]])}:\n{result['errors'].strip()}")
        if result["code"] != 0:
            flawed = True
            job.note_flaws()
            sys.stderr.write(result["errors"])
        job.keep(number, result["files"])
        done += 1
        if show:
            end = "\n" if done == len(parts) else ""
            print(f"\r{done} of {len(parts)} parts, {len(client.nthreads())} workers ", end=end, file=sys.stderr, flush=True)
    return flawed


def leading_files(arguments):
    """The arguments up to the first option, and the others."""
    first = next((index for index, argument in enumerate(arguments) if argument.startswith("-")), len(arguments))
    return arguments[:first], arguments[first:]


def header_and_lines(part):
    """The header of a file of JSON lines, parsed, and the other lines, each as a pair of parsed value and text."""
    # Not `splitlines`: it also splits at characters that a name may contain, such as U+2028.
    first, *rest = part.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    return json.loads(first), [(json.loads(line), line) for line in rest]


def json_lines(header, lines):
    """The bytes of a file of JSON lines."""
    return ("\n".join([json.dumps(header, ensure_ascii=False, separators=(",", ":")), *lines]) + "\n").encode()


def replace(path, contents):
    """Writes a file atomically: nobody sees a part of it."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(contents)
    os.replace(new, path)


class Job:
    """A run in parts: the arguments of each part by its number, and how to join the results."""

    produced = PART

    def __init__(self, args, arguments):
        self.binary = args.binary
        self.count = args.parts
        told = subprocess.run([self.binary, "--version"], capture_output=True, text=True, check=True)
        self.version = told.stdout.strip()
        self.given = [args.command, *arguments]
        self.inputs = {}
        # Files that options name, each with its checksum.
        self.named = {}
        self.files, options = leading_files(arguments)
        if not self.files:
            raise Refused(
                "expected files or a folder before the options, found none; "
                f"run scripts/cluster {args.command} FILE ... OPTIONS"
            )
        own = argparse.ArgumentParser(prog=f"scripts/cluster {args.command}", add_help=False, allow_abbrev=False)
        for name in self.own_options:
            own.add_argument(name, dest=name)
        for name in ["--overwrite", "--resume"]:
            own.add_argument(name, dest=name, action="store_true")
        own, self.options = own.parse_known_args(options)
        self.own = vars(own)
        for name, why in self.refused.items():
            if any(option == name or option.startswith(name + "=") for option in self.options):
                raise Refused(f"{name} makes no sense here: {why}")
        self.check_paths()

    def check_paths(self):
        """Refuses relative paths, as workers run in other folders; takes the checksums of files.

        A path made absolute here would change the search's name in the results.
        """
        for name, path in [*self.paths_in_options(), *self.engines()]:
            if not os.path.isabs(path):
                whole = os.path.abspath(path)
                raise Refused(f"{name}{path}: workers run in folders of their own; give the whole path, {name}{whole}")
            if os.path.isfile(path):
                self.named[path] = sha256(path)

    def paths_in_options(self):
        """Paths in the options of searches, each as a pair: the text before it (`EvalFile=`), and the path."""
        found = [(name, path.strip()) for option in self.options for name, path in PATHS.findall(option)]
        return [(name, path) for name, path in found if path not in ("", "<empty>")]

    def engines(self):
        """Engines given by a path, each as a pair: `--engine `, and the path. Each machine looks for others itself."""
        commands = [after for option, after in itertools.pairwise(self.options) if option == "--engine"]
        commands += [option.partition("=")[2] for option in self.options if option.startswith("--engine=")]
        try:
            programs = [shlex.split(command)[:1] for command in commands]
        except ValueError as error:
            raise Refused(f"--engine: {error}") from error
        return [("--engine ", path) for program in programs for path in program if os.sep in path]

    @staticmethod
    def is_empty(_result):
        """Whether a part had nothing to do."""
        return False

    def note_flaws(self):
        """Records that a part has flaws, for the exit code of a run that continues this one."""

    def had_flaws(self):
        """Whether this run or the one that it continues has recorded flaws."""
        return False

    @staticmethod
    def forget_nothing_done():
        """Removes the folder of parts if no part is done."""

    def call(self, *arguments):
        """Runs the engine here, to join parts; returns whether there were flaws."""
        done = subprocess.run([self.binary, *arguments], stderr=subprocess.PIPE, text=True, check=False)
        sys.stderr.write(done.stderr)
        if done.returncode not in (0, 1) or gave_up(done.returncode, done.stderr):
            raise Refused(f"the parts could not be joined, for the reason above; they are kept in {self.folder}")
        return done.returncode == 1


class Sharded(Job):
    """A run divided by --shard; each part makes a file of JSON lines."""

    own_options = ("--json", "--csv", "--html")
    folder = None
    # Lock file: while it is open, the folder belongs to this run.
    lock = None
    refused = {"--shard": "this program makes the parts; use --parts", "--jobs": "use --workers instead"}
    # Options that keep a worker from using all cores.
    alone = ()

    def prepare(self):
        paths = [pathlib.Path(name) for name in self.files]
        try:
            for path in paths:
                if path.name in self.inputs:
                    raise Refused(f"two files are called {path.name}, and workers get both in one folder; rename one")
                self.inputs[path.name] = path.read_bytes()
        except OSError as error:
            raise Refused(f"{error.filename}: {error.strerror}") from error
        sources = {path.resolve() for path in paths}
        outputs = [pathlib.Path(self.own[name]) for name in self.own_options if self.own[name]]
        for path in outputs:
            if path.resolve() in sources:
                raise Refused(f"{path}: would be read and written; choose another file")
        self.claim()
        # Only after the claim: before it, another run might still make them.
        for path in outputs:
            if not self.own["--overwrite"] and path.is_file() and path.stat().st_size > 0:
                raise Refused(f"{path}: already exists; use --overwrite to replace it")
        self.agree()

    def claim(self):
        """Creates the folder of parts or takes the existing one, and locks it; refuses if another run has locked it."""
        if self.own["--json"]:
            self.folder = pathlib.Path(self.own["--json"] + ".parts")
            self.folder.mkdir(parents=True, exist_ok=True)
        elif self.own["--resume"]:
            raise Refused("--resume needs --json FILE: finished parts are kept beside it")
        else:
            self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cassius-parts-"))
        file = (self.folder / "lock").open("ab")
        if not lock(file):
            file.close()
            raise Refused(f"{self.folder}: another run is at work on it; wait for its end, or name another file")
        self.lock = file

    def agree(self):
        """Refuses a folder of parts whose run.json describes another run."""
        file = self.folder / "run.json"
        files = {name: hashlib.sha256(text).hexdigest() for name, text in sorted(self.inputs.items())}
        mine = {"version": self.version, "files": files, "named": self.named, "options": self.options, "parts": self.count}
        if file.exists() and not self.own["--resume"]:
            raise Refused(f"{self.folder}: a run was stopped; go on with --resume, or remove the folder")
        if file.exists():
            there = {"named": {}, **json.loads(file.read_text(encoding="utf-8"))}
            # Without --parts, the number of parts is that of the run to be continued.
            self.count = self.count or there["parts"]
            if there != {**mine, "parts": self.count}:
                other = ", other files" if [there["files"], there["named"]] != [files, self.named] else ""
                raise Refused(f"{self.folder}: is of another run: {shlex.join(there['options'])}, {there['version']}{other}")
        self.run = mine

    def parts(self, workers):
        if self.count is None:
            self.count = PARTS_PER_WORKER * max(workers, 1)
        replace(self.folder / "run.json", json.dumps({**self.run, "parts": self.count}).encode())
        numbers = [number for number in range(1, self.count + 1) if not self.part(number).exists()]
        common = [self.given[0], *self.inputs, *self.options]
        return {number: [*common, *self.alone, "--shard", self.name(number), "--json", PART] for number in numbers}

    def note_flaws(self):
        (self.folder / "flawed").touch()

    def had_flaws(self):
        return (self.folder / "flawed").exists()

    def forget_nothing_done(self):
        # Without the lock, the folder belongs to another run.
        if self.lock and not list(self.folder.glob("*[0-9].json")):
            self.forget()

    def forget(self):
        """Removes the folder of parts."""
        # Some systems cannot remove an open file.
        self.lock.close()
        shutil.rmtree(self.folder)

    def name(self, number):
        return f"{number}/{self.count}"

    def part(self, number):
        return self.folder / f"{number:05}.json"

    def keep(self, number, files):
        replace(self.part(number), files[PART])

    def all_parts(self):
        parts = [self.part(number) for number in range(1, self.count + 1)]
        return [part for part in parts if part.stat().st_size > 0]

    def output_options(self, *names):
        return [part for name in names if self.own[name] for part in (name, self.own[name])]


class Suite(Sharded):
    """`cassius suite`."""

    own_options = ("--json", "--csv")

    @staticmethod
    def is_empty(result):
        # There may be more parts than positions.
        return result["code"] == 1 and not result["files"] and "there are no positions to run" in result["errors"]

    def join(self):
        if not self.all_parts():
            raise Refused("there are no positions to run")
        overwrite = ["--overwrite"] if self.own["--overwrite"] else []
        parts = map(str, self.all_parts())
        flawed = self.call("suite", "merge", *parts, *self.output_options("--json", "--csv"), *overwrite)
        self.forget()
        return flawed


class Analyze(Sharded):
    """`cassius analyze` of games."""

    own_options = (*Sharded.own_options, "--html-dir")
    alone = ("--jobs", "1")

    def prepare(self):
        if len(self.files) != 1:
            raise Refused(f"analyze: expected one file of games, found {len(self.files)}")
        index = pathlib.Path(self.own["--html-dir"] or "", "index.html")
        if self.own["--html-dir"] and index.exists() and not self.own["--overwrite"]:
            raise Refused(f"{index}: already exists; use --overwrite to replace it")
        super().prepare()

    def join(self):
        header, lines = None, []
        for part in self.all_parts():
            first, rest = header_and_lines(part)
            header = header or first
            lines += [(value["game"], line) for value, line in rest]
        header["command"] = shlex.join(["scripts/cluster", *self.given])
        # By game only: the sort is stable, and the lines of each game are in order.
        lines.sort(key=lambda line: line[0])
        whole = pathlib.Path(self.own["--json"] or self.folder / "whole.json")
        replace(whole, json_lines(header, [line for _, line in lines]))
        # With --resume the engine finds all games done: it only reports them and makes the other files.
        flawed = self.call("analyze", *self.files, *self.options, "--json", str(whole), "--resume", *self.output_options("--csv", "--html", "--html-dir"))
        self.forget()
        return flawed


class Selfplay(Job):
    """`cassius lab selfplay`: its shards are the parts, and its folder keeps them."""

    own_options = ("--shards",)
    refused = {"--jobs": "use --workers instead"}
    produced = "games/*"

    def prepare(self):
        if len(self.files) != 1:
            raise Refused(f"selfplay: expected one folder, found {len(self.files)}")
        self.folder = pathlib.Path(self.files[0])
        self.range = self.own["--shards"] or "0..1"
        try:
            first, end = map(int, self.range.split(".."))
        except ValueError as error:
            raise Refused(f"--shards: expected FROM..TO, as in 0..10, found '{self.range}'") from error
        self.numbers = range(first, end)

    def parts(self, _workers):
        # A machine that lost power may have left an empty shard.
        has_games = [shard.name for shard in self.folder.glob("*.viri") if shard.stat().st_size > 0]
        missing = [number for number in self.numbers if self.shard(number).name not in has_games]
        return {number: ["lab", "selfplay", "games", *self.options, "--shards", f"{number}..{number + 1}"] for number in missing}

    def name(self, number):
        return str(number)

    def shard(self, number):
        return self.folder / f"games-{number:05}.viri"

    def keep(self, number, files):
        files = {pathlib.PurePath(name).name: contents for name, contents in files.items()}
        self.folder.mkdir(parents=True, exist_ok=True)
        recipe = self.folder / "recipe.json"
        if not recipe.exists():
            replace(recipe, files[recipe.name])
        elif json.loads(recipe.read_bytes()) != json.loads(files[recipe.name]):
            raise Refused(f"{self.folder}: holds games by another recipe: {recipe}; choose another folder")
        replace(self.shard(number), files[self.shard(number).name])

    def join(self):
        # The engine finds all shards made, and lists them in the manifest.
        return self.call("lab", "selfplay", str(self.folder), *self.options, "--shards", self.range)


JOBS = {"suite": Suite, "analyze": Analyze, "selfplay": Selfplay}

if __name__ == "__main__":
    main()
