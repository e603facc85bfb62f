"""The first steps of the page on the pipeline, run as they are printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "pipeline.md").read_text(encoding="utf-8")
CHAPTER = PAGE.split("\n## First steps\n")[1].split("\n## ")[0]
INSTALL = ["make spark", ". .venv/bin/activate"]
BLOCKS = re.findall(r"^```(sh|py)\n(.*?)^```", CHAPTER, re.MULTILINE | re.DOTALL)

# A group of two tests starts before what has none, so that nobody waits for this long one at the end.
pytestmark = [pytest.mark.spark, pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("first steps")]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder from which the commands find what they find in a clone, and into which they write."""
    (tmp_path / "tests").symlink_to(REPOSITORY / "tests")
    return tmp_path


def run(command: list[str], folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYSPARK_")} | {"PATH": path}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_steps_run_as_printed(clone: Path) -> None:
    printed: list[str] = []
    for language, text in BLOCKS:
        if language == "py":
            printed.append(run(["python", "-c", text], clone))
            continue
        printed.extend(run(["sh", "-c", line], clone) for line in text.splitlines() if line not in INSTALL)

    everything = "\n".join(printed)
    assert list((clone / "commits").rglob("*.parquet"))
    assert list((clone / "changes").rglob("*.parquet"))
    assert "OffsetCommitValue" in everything
    assert re.search(r"\| *Produce\|", everything) or "PRODUCE" in everything.upper()
    assert "<svg" in (clone / "advice.html").read_text(encoding="utf-8")


def test_the_first_commands_install() -> None:
    assert BLOCKS[0][1].splitlines()[:2] == INSTALL
    assert "\nspark:" in (REPOSITORY / "Makefile").read_text(encoding="utf-8")
