"""Tests generated code on every installed Python, in an environment with only the requirements of the tests.

Interpreters come from the PATH, pyenv and uv: the newest of each minor version since 3.11, and the newest free-threaded
interpreter of each minor version since 3.14, such as 3.14t (the tests' requirements do not support 3.13t). If cargo is
on the PATH, the native engine is built for free-threaded interpreters, and its tests run there, too. Generated packages
also support 3.10, but the tests do not: on 3.10, only vectors are checked (``tests/generated/test_old_pythons.py``).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

ROOT: Final = Path(__file__).parents[2]
_LOCK: Final = ROOT / "release/constraints/test.txt"
_ENVIRONMENTS: Final = ROOT / ".cache" / "pythons"
_SOURCES: Final = ("generator", "generated", "client")
_TESTS: Final = ("tests/generated", "tests/runtime")
_NATIVE_TESTS: Final = ("tests/native", "tests/generated")
OLDEST_FOR_OUTPUT: Final = (3, 10)
"""The oldest Python that generated packages support."""
_OLDEST: Final = (3, 11)
_OLDEST_FREE_THREADED: Final = (3, 14)
_FOLDERS: Final = ("~/.pyenv/versions", "~/.local/share/uv/python")
_ABOUT: Final = """\
import ensurepip, json, sys, sysconfig, venv
print(json.dumps([sys.version_info[:3], bool(sysconfig.get_config_var("Py_GIL_DISABLED")), sys.executable]))
"""


@dataclass(frozen=True, order=True)
class Interpreter:
    """A Python: its version, whether it is free-threaded, and its executable."""

    version: tuple[int, int, int]
    free_threaded: bool
    executable: Path

    @property
    def name(self) -> str:
        """The minor version, such as ``3.14`` or ``3.14t``."""
        suffix = "t" if self.free_threaded else ""
        return f"{self.version[0]}.{self.version[1]}{suffix}"


def candidates() -> list[Path]:
    """Return every file or link that is named like a Python interpreter, in a stable order."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    installed = [path for folder in _FOLDERS for path in sorted(Path(folder).expanduser().glob("*/bin"))]
    return [path for folder in folders + installed for path in sorted(folder.glob("python3*")) if _named_python(path)]


def _named_python(path: Path) -> bool:
    version = path.name.removeprefix("python").removesuffix("t")
    return version.replace(".", "").isdigit() and os.access(path, os.X_OK)


def about(python: Path) -> Interpreter | None:
    """Return the properties of an interpreter; ``None`` if it does not run or can't create environments."""
    answer = subprocess.run([python, "-I", "-c", _ABOUT], capture_output=True, text=True, check=False)
    if answer.returncode:
        return None
    (major, minor, patch), free_threaded, executable = json.loads(answer.stdout)
    return Interpreter((major, minor, patch), free_threaded, Path(executable))


def _runs_tests(interpreter: Interpreter) -> bool:
    oldest = _OLDEST_FREE_THREADED if interpreter.free_threaded else _OLDEST
    return interpreter.version[:2] >= oldest


def found() -> list[Interpreter]:
    """Return the newest interpreter of each minor version that the tests support, with and without the GIL."""
    every = sorted(filter(None, map(about, candidates())))
    return sorted({interpreter.name: interpreter for interpreter in every if _runs_tests(interpreter)}.values())


def oldest_for_output() -> Path | None:
    """Return an interpreter of the oldest version that generated packages support, if one is installed."""
    every = sorted(filter(None, map(about, candidates())))
    return next((each.executable for each in every if each.version[:2] == OLDEST_FOR_OUTPUT), None)


def environment(interpreter: Interpreter, folder: Path = _ENVIRONMENTS) -> Path:
    """Return the Python of an environment with the pinned requirements.

    Each minor version has its own environment, which is created again if the lock file has changed.
    """
    folder /= interpreter.name
    inside, stamp = folder / "bin" / "python", folder / "installed"
    digest = hashlib.sha256(_LOCK.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != digest:
        subprocess.run([interpreter.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([inside, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", _LOCK], check=True)
        stamp.write_text(digest, encoding="utf-8")
    return inside


def engine(python: Path) -> Path:
    """Return the folder of the native engine, built for the Python of an environment."""
    wheels, installed = python.parents[1] / "wheels", python.parents[1] / "engine"
    for folder in (wheels, installed):
        shutil.rmtree(folder, ignore_errors=True)
    build = ["build", "--quiet", "--release", "-m", "native/python/Cargo.toml", "-i", str(python), "--out", str(wheels)]
    subprocess.run([sys.executable, "-m", "maturin", *build], cwd=ROOT, check=True)
    (wheel,) = wheels.glob("*.whl")
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(installed), str(wheel)]
    subprocess.run(command, check=True)
    return installed


def passes(interpreter: Interpreter) -> bool:
    """Whether the tests of generated code, and of the native engine if it can be built, pass on an interpreter."""
    click.echo(f"Python {interpreter.name}: {interpreter.executable}")
    python = environment(interpreter)
    sources = [ROOT / folder for folder in _SOURCES]
    passed = _pass(python, sources, _TESTS)
    if interpreter.free_threaded and shutil.which("cargo"):
        passed = _pass(python, [engine(python), *sources], _NATIVE_TESTS) and passed
    return passed


def _pass(python: Path, sources: Sequence[Path], tests: Sequence[str]) -> bool:
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not java", *tests]
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sources))}
    return not subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode


def main() -> None:
    """Exit with status 1 if the tests fail on an interpreter, and with 2 if no interpreter was found."""
    pythons = found()
    if not pythons:
        click.echo("found no Python 3.11 or newer with the module venv", err=True)
        sys.exit(2)
    failed = [interpreter for interpreter in pythons if not passes(interpreter)]
    if oldest_for_output() is None:
        click.echo("Python 3.10 is not installed: generated packages were not tested on it")
    click.echo(f"passed on {', '.join(each.name for each in pythons if each not in failed) or 'none'}")
    if failed:
        sys.exit(f"failed on {', '.join(each.name for each in failed)}")


if __name__ == "__main__":
    main()
