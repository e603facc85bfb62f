"""The first steps of the page on the pipeline, run as they are printed."""

from __future__ import annotations

import json
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

# Runs commands and programs one after another as they would be run by hand, but in one process whose session they share.
IN_ONE_PROCESS = """\
import json, shlex, sys
from importlib.metadata import entry_points
from pyspark.sql import SparkSession

SparkSession.builder.master("local[2]").getOrCreate()
for language, text in json.loads(sys.argv[1]):
    if language == "py":
        exec(text, {"__name__": "__main__"})
        continue
    command, *arguments = shlex.split(text)
    (script,) = entry_points(group="console_scripts", name=command)
    sys.argv = [command, *arguments]
    try:
        script.load()()
    except SystemExit as ended:
        assert not ended.code, (text, ended.code)
"""

# A group of two tests starts before what has none, so that nobody waits for this long one at the end.
pytestmark = [pytest.mark.spark, pytest.mark.java, pytest.mark.exhaustive, pytest.mark.xdist_group("first steps")]


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
    """Commands that would each start Spark share one that is running, which saves most of the time."""
    parts = [
        (language, part)
        for language, text in BLOCKS
        for part in ([text] if language == "py" else [line for line in text.splitlines() if line not in INSTALL])
    ]
    (_, sample), *others = parts
    assert sample.startswith("python -m tests.broker sample ")
    run(["sh", "-c", sample], clone)
    everything = run(["python", "-c", IN_ONE_PROCESS, json.dumps(others)], clone)

    assert list((clone / "commits").rglob("*.parquet"))
    assert list((clone / "changes").rglob("*.parquet"))
    assert "OffsetCommitValue" in everything
    assert re.search(r"\| *Produce\|", everything) or "PRODUCE" in everything.upper()
    assert "<svg" in (clone / "advice.html").read_text(encoding="utf-8")


def test_the_first_commands_install() -> None:
    assert BLOCKS[0][1].splitlines()[:2] == INSTALL
    assert "\nspark:" in (REPOSITORY / "Makefile").read_text(encoding="utf-8")
