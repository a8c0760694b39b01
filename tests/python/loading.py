"""What the tests share: the program; scripts as commands, here or in a process of their own; scripts as modules, to be tested function by function."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import subprocess
import sys
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
# The program that CASSIUS_BIN names, or else the release build in the target folder.
BINARY = os.environ.get("CASSIUS_BIN", str(ROOT / "target" / "release" / "cassius"))

# Scripts find there what they share, and so do tests. Nothing is written beside it.
sys.path.insert(0, str(SCRIPTS))
sys.dont_write_bytecode = True


def run_script(name, *arguments, cwd=None, timeout=300):
    """A script that has ended, with what it said."""
    command = [sys.executable, str(SCRIPTS / name), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=timeout, check=False)


def run_here(main, *arguments):
    """The same of a script's `main` in this process: many take less time than to start Python and import what they need."""
    command = ["script", *map(str, arguments)]
    code, out, err = 0, io.StringIO(), io.StringIO()
    with mock.patch.object(sys, "argv", command), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    # A program that ends with a text writes it, and its exit code is 1.
    if isinstance(code, str):
        print(code, file=err)
        code = 1
    return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())


def load_script(name):
    loader = importlib.machinery.SourceFileLoader(pathlib.Path(name).stem.replace("-", "_"), str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
