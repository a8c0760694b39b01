"""What the tests share: the program, scripts as commands, and scripts as modules, to be tested function by function."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
# The program that CASSIUS_BIN names, or else the release build in the target folder.
BINARY = os.environ.get("CASSIUS_BIN", str(ROOT / "target" / "release" / "cassius"))


def run_script(name, *arguments, cwd=None, timeout=300):
    """A script that has ended, with what it said."""
    command = [sys.executable, str(SCRIPTS / name), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=timeout, check=False)


def load_script(name):
    # Scripts find there what they share.
    if str(SCRIPTS) not in sys.path:
        sys.path.insert(0, str(SCRIPTS))
    loader = importlib.machinery.SourceFileLoader(pathlib.Path(name).stem.replace("-", "_"), str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module
