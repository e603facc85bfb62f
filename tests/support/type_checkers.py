"""Type checkers in strict mode, on programs that use generated code."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

GENERATED: Final = Path(__file__).parents[2] / "generated"

CHECKERS: Final = {
    "mypy": ["mypy", "--strict", "--python-version=3.11"],
    "pyright": ["pyright", "--pythonversion=3.11", "-p", "."],
    "ty": ["ty", "check", "--output-format=concise", "--python-version=3.11", f"--extra-search-path={GENERATED}"],
}
"""The commands; the names of files follow, but not for pyright, which reads them from its settings."""

_PLACE: Final = re.compile(r"(\w+\.py):(\d+):(?![^\n]*(?:note|warning):)")


def errors(checker: str, folder: Path, texts: Mapping[str, str]) -> tuple[set[tuple[str, int]], str]:
    """Return the files and lines with errors, and the output of a checker. Skip the test if it is not installed.

    ``texts`` are the files by name, which are written to ``folder``.
    """
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    settings = {"strict": [*texts], "include": [*texts], "extraPaths": [str(GENERATED)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "mypy.ini").write_text(f"[mypy]\nmypy_path = {GENERATED}\n", encoding="utf-8")
    names = [] if checker == "pyright" else list(texts)
    done = subprocess.run(
        [sys.executable, "-m", *CHECKERS[checker], *names],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )
    output = done.stdout + done.stderr
    found = {(name, int(line)) for name, line in _PLACE.findall(done.stdout)}
    assert done.returncode == bool(found), output
    return found, output
