"""Runs the tests of generated code on every Python that is found, in an environment that has nothing else.

An interpreter is found on the PATH, among pyenv's and among uv's; of each minor version from 3.11 on the newest one is taken.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import click

_ROOT: Final = Path(__file__).parents[2]
_LOCK: Final = _ROOT / "constraints-test.txt"
_ENVIRONMENTS: Final = _ROOT / ".cache" / "pythons"
_TESTS: Final = ("tests/generated", "tests/runtime")
_OLDEST: Final = (3, 11)
_FOLDERS: Final = ("~/.pyenv/versions", "~/.local/share/uv/python")
_ABOUT: Final = "import ensurepip, json, sys, venv; print(json.dumps([sys.version_info[:3], sys.executable]))"


def candidates() -> list[Path]:
    """Every file that is called like a Python, links included, in a stable order."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    installed = [path for folder in _FOLDERS for path in sorted(Path(folder).expanduser().glob("*/bin"))]
    return [path for folder in folders + installed for path in sorted(folder.glob("python3*")) if _named_python(path)]


def _named_python(path: Path) -> bool:
    return path.name.removeprefix("python").replace(".", "").isdigit() and os.access(path, os.X_OK)


def about(python: Path) -> tuple[tuple[int, int, int], Path] | None:
    """The version and the file of an interpreter; None where it does not run, is too old or cannot make environments."""
    answer = subprocess.run([python, "-I", "-c", _ABOUT], capture_output=True, text=True, check=False)
    if answer.returncode:
        return None
    (major, minor, patch), executable = json.loads(answer.stdout)
    return ((major, minor, patch), Path(executable)) if (major, minor) >= _OLDEST else None


def found() -> dict[str, Path]:
    """The newest interpreter of each minor version, by version."""
    by_version = dict(filter(None, map(about, candidates())))
    newest = {version[:2]: version for version in sorted(by_version)}
    return {".".join(map(str, version)): by_version[version] for version in newest.values()}


def environment(version: str, python: Path) -> Path:
    """The interpreter of an environment with what the lock file pins; made when the lock file or the version is new."""
    folder = _ENVIRONMENTS / version
    inside, stamp = folder / "bin" / "python", folder / "installed"
    digest = hashlib.sha256(_LOCK.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != digest:
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([inside, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", _LOCK], check=True)
        stamp.write_text(digest, encoding="utf-8")
    return inside


def passes(version: str, python: Path) -> bool:
    """Whether the tests of generated code pass on an interpreter."""
    click.echo(f"Python {version}: {python}")
    sources = os.pathsep.join(str(_ROOT / folder) for folder in ("generator", "generated", "client"))
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not java", *_TESTS]
    command = [str(environment(version, python)), *pytest]
    return not subprocess.run(command, cwd=_ROOT, env=os.environ | {"PYTHONPATH": sources}, check=False).returncode


def main() -> None:
    """Ends the process with 1 where the tests fail on an interpreter, and with 2 where there is none."""
    pythons = found()
    if not pythons:
        click.echo("no Python 3.11 or newer with its venv module was found", err=True)
        sys.exit(2)
    failed = [version for version, python in pythons.items() if not passes(version, python)]
    click.echo(f"passed on {', '.join(version for version in pythons if version not in failed) or 'none'}")
    if failed:
        sys.exit(f"failed on {', '.join(failed)}")


if __name__ == "__main__":
    main()
