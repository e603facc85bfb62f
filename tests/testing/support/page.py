"""Runs an unchanged file from the page about faults, in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.docs.examples import blocks

PAGE: Final = Path(__file__).parents[3] / "docs" / "testing.md"


@dataclass(frozen=True)
class Outcome:
    """The output of pytest."""

    printed: str

    @property
    def passed(self) -> int:
        """The number of passed tests. Raises ``AssertionError`` with the output unless all tests passed."""
        found = re.search(r"^(\d+) passed(?:, \d+ warnings)? in ", self.printed, re.MULTILINE)
        assert found, self.printed
        return int(found[1])


def write_files(folder: Path, broker: str = "") -> None:
    """Write the files of the page; ``broker`` replaces the address of the page's broker."""
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        if "." in block.second:
            (folder / block.second).write_text(_at(block.text, broker), encoding="utf-8")


def _at(text: str, broker: str) -> str:
    return text.replace("localhost:9092", broker) if broker else text


def run_file(
    name: str,
    folder: Path,
    *,
    text: str = "",
    broker: str = "",
    python: Path = Path(sys.executable),
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Outcome:
    """Write the files of the page to a folder, and run pytest on the file ``name``.

    ``text`` replaces the content of this file, and ``broker`` replaces the address of the page's broker.
    """
    write_files(folder, broker)
    if text:
        (folder / name).write_text(_at(text, broker), encoding="utf-8")
    options = ["-p", "no:cacheprovider", "-q", "--tb=short", "--disable-warnings", "--color=no"]
    done = subprocess.run(
        [python, "-m", "pytest", *options, name],
        cwd=folder,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return Outcome(done.stdout.decode())
