"""Runs a file of the page about faults, as it is, in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.docs.examples import blocks

PAGE: Final = Path(__file__).parents[3] / "docs" / "testing.md"


@dataclass(frozen=True)
class Outcome:
    """What pytest printed."""

    printed: str

    @property
    def passed(self) -> int:
        """How many tests passed, if all did. Raises ``AssertionError`` with what was printed."""
        found = re.search(r"^(\d+) passed(?:, \d+ warnings)? in ", self.printed, re.MULTILINE)
        assert found, self.printed
        return int(found[1])


def write_files(folder: Path, broker: str = "") -> None:
    """Writes the files of the page; ``broker`` is the address of a broker in place of that in the page."""
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        if "." in block.second:
            text = block.text.replace("localhost:9092", broker) if broker else block.text
            (folder / block.second).write_text(text, encoding="utf-8")


def run_file(
    name: str, folder: Path, *, broker: str = "", python: Path = Path(sys.executable), **variables: str
) -> Outcome:
    """Writes the files of the page to a folder, and runs one of them with pytest; ``broker`` is the address of one."""
    write_files(folder, broker)
    options = ["-p", "no:cacheprovider", "-q", "--tb=short", "--disable-warnings", "--color=no"]
    done = subprocess.run(
        [python, "-m", "pytest", *options, name],
        cwd=folder,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return Outcome(done.stdout.decode())
