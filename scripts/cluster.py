"""Runs a suite, the analysis of games or self-play in parts, on many cores or machines, and joins the parts.

    scripts/cluster suite epd/wac.epd --nodes 100000 --json wac.json
    scripts/cluster --scheduler tcp://host:8786 analyze games.pgn --nodes 20000 --json games.json --html games.html
    scripts/cluster --workers 8 selfplay games --shards 0..100 --games 500

What follows the command is what `cassius suite`, `cassius analyze` and `cassius lab selfplay` take: the files or the folder
first, then the options. The results are those of the run in one piece; only times and the lines that tell how they were
made differ.

Dask distributes the parts. Without --scheduler it starts workers here, one for each core. With it the workers are those of a
running scheduler: every machine needs the same Python packages (tests/python/requirements.txt) and the same binary at the path
of --binary. Files are sent there and back; none need be shared, but what a search's options name (EvalFile) must be there. A part whose
worker dies is run again by another one. What is done is kept beside the results until all is: --resume goes on after this program
was stopped.

Exit code: as that of the command in one piece.
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
# Parts for each worker: one that is slow keeps the others waiting for a part of a part only.
PARTS_PER_WORKER = 4
# Options of a search that are paths, with their values, as in depth-first:EvalFile=FILE.
PATHS = re.compile(r"\b((?:EvalFile|SyzygyPath)\s*=)\s*([^:,]*)", re.IGNORECASE)


class Refused(Exception):
    """What is asked for cannot be done; says why."""


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
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler that runs already, as tcp://host:8786")
    where.add_argument("--scheduler-file", metavar="FILE", help="the file in which such a scheduler says where it is")
    where.add_argument("--workers", metavar="N", type=positive, default=os.cpu_count() or 1, help="workers here [default: one a core]")
    parser.add_argument(
        "--parts", metavar="N", type=positive, help=f"parts of all but self-play [default: {PARTS_PER_WORKER} for each worker]"
    )
    parser.add_argument("--retries", metavar="N", type=int, default=3, help="how often to run a part that fails again [default: 3]")
    binary = os.environ.get("CASSIUS_BIN", str(ROOT / "target" / "release" / "cassius"))
    parser.add_argument("--binary", metavar="PATH", default=binary, help="the engine, here and on the workers [default: %(default)s]")
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
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


@contextlib.contextmanager
def connect(args):
    """A client of the scheduler asked for, or of one that lasts as long as it."""
    with contextlib.ExitStack() as stack:
        if args.scheduler or args.scheduler_file:
            try:
                client = Client(args.scheduler, scheduler_file=args.scheduler_file, timeout="60s")
            except OSError as error:
                raise Refused(f"no scheduler answers at {args.scheduler or args.scheduler_file}: {error}") from error
        else:
            # One search at a time for each worker, as in a run in one piece. Nobody looks at the dashboard of a run here.
            cluster = LocalCluster(
                n_workers=args.workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                # A worker that dies is replaced: nothing to tell of.
                silence_logs=logging.CRITICAL,
            )
            client = Client(stack.enter_context(cluster))
        yield stack.enter_context(client)


# On the workers.


def run_part(binary, arguments, inputs, produced):
    """Runs the engine in a folder of its own, with some files; returns what it said and the files it produced."""
    # Sent to workers on its own: it brings along what it needs.
    import pathlib  # pylint: disable=reimported,redefined-outer-name,import-outside-toplevel
    import shutil  # pylint: disable=reimported,redefined-outer-name,import-outside-toplevel
    import socket  # pylint: disable=import-outside-toplevel
    import subprocess  # pylint: disable=reimported,redefined-outer-name,import-outside-toplevel
    import tempfile  # pylint: disable=reimported,redefined-outer-name,import-outside-toplevel

    with tempfile.TemporaryDirectory(prefix="cassius-") as name:
        folder = pathlib.Path(name)
        for file, contents in inputs.items():
            (folder / file).write_bytes(contents)
        # A worker that is killed takes its engine with it, where the system can see to that.
        setpriv = shutil.which("setpriv")
        prefix = [setpriv, "--pdeathsig", "KILL"] if setpriv else []

        def run(*rest):
            return subprocess.run([*prefix, binary, *rest], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)

        version = run("--version").stdout.decode(errors="replace").strip()
        done = run(*arguments)
        errors = done.stderr.decode(errors="replace")
        if done.returncode < 0 or done.returncode > 2:
            raise RuntimeError(f"{socket.gethostname()}: {binary} ended with {done.returncode}: {errors}")
        files = {str(file.relative_to(folder)): file.read_bytes() for file in folder.glob(produced) if file.is_file()}
        return {"machine": socket.gethostname(), "version": version, "code": done.returncode, "errors": errors, "files": files}


# Here.


def distribute(client, job, retries):
    """Has the parts run that are not done, and keeps what comes of each. Tells whether there were flaws."""
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
            raise Refused(f"{result['machine']} has another engine: {result['version']}; here it is {job.version}")
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
    """The first line of a file of JSON lines, as a value, and the others, each with its value."""
    # Not `splitlines`: a name may hold what Python takes for the end of a line too.
    first, *rest = part.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    return json.loads(first), [(json.loads(line), line) for line in rest]


def json_lines(header, lines):
    """The bytes of such a file."""
    return ("\n".join([json.dumps(header, ensure_ascii=False, separators=(",", ":")), *lines]) + "\n").encode()


def replace(path, contents):
    """Writes a file as a whole: nobody sees a part of it."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(contents)
    os.replace(new, path)


class Job:
    """What is to be run: parts by number, and how to join them."""

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
            raise Refused(f"the files or the folder come first: scripts/cluster {args.command} FILE ... OPTIONS")
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
        """Workers run elsewhere. A path made absolute here would be another name of the search in the results."""
        for name, path in [*self.paths_in_options(), *self.engines()]:
            if not os.path.isabs(path):
                whole = os.path.abspath(path)
                raise Refused(f"{name}{path}: workers run in folders of their own; give the whole path, {name}{whole}")
            if os.path.isfile(path):
                self.named[path] = sha256(path)

    def paths_in_options(self):
        """The files and folders that options of searches name, each behind what names it."""
        found = [(name, path.strip()) for option in self.options for name, path in PATHS.findall(option)]
        return [(name, path) for name, path in found if path not in ("", "<empty>")]

    def engines(self):
        """The engines given by their path. The others are looked for on each machine."""
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
        """Keeps in mind that a part had flaws, for the exit code of a run that goes on after this one was stopped."""

    def had_flaws(self):
        """Whether a part of a run that was stopped had flaws."""
        return False

    @staticmethod
    def forget_nothing_done():
        """Leaves no folder behind if nothing is in it."""

    def call(self, *arguments):
        """Runs the engine here, to join parts; tells whether there were flaws."""
        done = subprocess.run([self.binary, *arguments], stderr=subprocess.PIPE, text=True, check=False)
        sys.stderr.write(done.stderr)
        if done.returncode not in (0, 1) or gave_up(done.returncode, done.stderr):
            raise Refused(f"the parts could not be joined; they are kept in {self.folder}")
        return done.returncode == 1


class Sharded(Job):
    """A run whose parts are those of --shard, each with a file of JSON lines."""

    own_options = ("--json", "--csv", "--html")
    folder = None
    # The file that keeps the folder for this run, while it is open.
    lock = None
    refused = {"--shard": "parts are what this program makes", "--jobs": "there are several workers (--workers)"}
    # What keeps a worker from taking all cores.
    alone = ()

    def prepare(self):
        paths = [pathlib.Path(name) for name in self.files]
        try:
            for path in paths:
                if path.name in self.inputs:
                    raise Refused(f"two files are called {path.name}")
                self.inputs[path.name] = path.read_bytes()
        except OSError as error:
            raise Refused(f"{error.filename}: {error.strerror}") from error
        sources = {path.resolve() for path in paths}
        outputs = [pathlib.Path(self.own[name]) for name in self.own_options if self.own[name]]
        for path in outputs:
            if path.resolve() in sources:
                raise Refused(f"{path}: would be read and written; choose another file")
        self.claim()
        # Now that no other run can be about to make them.
        for path in outputs:
            if not self.own["--overwrite"] and path.is_file() and path.stat().st_size > 0:
                raise Refused(f"{path}: already exists; use --overwrite to replace it")
        self.agree()

    def claim(self):
        """Makes the folder of parts, or takes the one that is there, unless another run is at work on it."""
        if self.own["--json"]:
            self.folder = pathlib.Path(self.own["--json"] + ".parts")
            self.folder.mkdir(parents=True, exist_ok=True)
        elif self.own["--resume"]:
            raise Refused("--resume needs --json FILE: what was done is kept beside it")
        else:
            self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cassius-parts-"))
        file = (self.folder / "lock").open("ab")
        if not lock(file):
            file.close()
            raise Refused(f"{self.folder}: another run is at work on it; wait for its end, or name another file")
        self.lock = file

    def agree(self):
        """A folder of parts is of one run only: that which its file names."""
        file = self.folder / "run.json"
        files = {name: hashlib.sha256(text).hexdigest() for name, text in sorted(self.inputs.items())}
        mine = {"version": self.version, "files": files, "named": self.named, "options": self.options, "parts": self.count}
        if file.exists() and not self.own["--resume"]:
            raise Refused(f"{self.folder}: a run was stopped; go on with --resume, or remove the folder")
        if file.exists():
            there = {"named": {}, **json.loads(file.read_text(encoding="utf-8"))}
            # Unless told otherwise the number of parts is that of the run that is continued.
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
        # What another run is at work on is not ours to remove.
        if self.lock and not list(self.folder.glob("*[0-9].json")):
            self.forget()

    def forget(self):
        """Removes the folder of parts."""
        # Some systems remove no file that is open.
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
            raise Refused("analyze takes one file of games")
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
        # By game; within one the lines are in order.
        lines.sort(key=lambda line: line[0])
        whole = pathlib.Path(self.own["--json"] or self.folder / "whole.json")
        replace(whole, json_lines(header, [line for _, line in lines]))
        # It finds all games done: it tells of them, and makes the other files.
        flawed = self.call("analyze", *self.files, *self.options, "--json", str(whole), "--resume", *self.output_options("--csv", "--html", "--html-dir"))
        self.forget()
        return flawed


class Selfplay(Job):
    """`cassius lab selfplay`: its shards are the parts, and its folder keeps them."""

    own_options = ("--shards",)
    refused = {"--jobs": "there are several workers (--workers)"}
    produced = "games/*"

    def prepare(self):
        if len(self.files) != 1:
            raise Refused("selfplay takes one folder")
        self.folder = pathlib.Path(self.files[0])
        self.range = self.own["--shards"] or "0..1"
        try:
            first, end = map(int, self.range.split(".."))
        except ValueError as error:
            raise Refused(f"--shards: expected FROM..TO, as in 0..10, found '{self.range}'") from error
        self.numbers = range(first, end)

    def parts(self, _workers):
        # An empty one may be left of a machine that lost power.
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
            raise Refused(f"{self.folder}: holds games by another recipe: {recipe}")
        replace(self.shard(number), files[self.shard(number).name])

    def join(self):
        # It finds all shards there, and lists them in the manifest.
        return self.call("lab", "selfplay", str(self.folder), *self.options, "--shards", self.range)


JOBS = {"suite": Suite, "analyze": Analyze, "selfplay": Selfplay}

if __name__ == "__main__":
    main()
