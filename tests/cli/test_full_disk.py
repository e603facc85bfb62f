"""A disk that is full: each command that writes names the file, and leaves nothing half written."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from messagegen.publish.files import LEFTOVER
from tests.arrow.support.broker_folder import write_orders
from tests.support.commands import SCRIPTS

SMALL = 1000
"""The size in bytes that no file may exceed. Exceeding it fails as a full disk does."""

SPEC = json.dumps(
    {
        "type": "data",
        "name": "Reading",
        "validVersions": "0",
        "flexibleVersions": "0+",
        "fields": [{"name": f"Sensor{number}", "type": "string", "versions": "0+"} for number in range(40)],
    }
)
JAR = "kafka-clients-1.0.jar"
RECORDS = 100

WRITING: dict[str, Sequence[str]] = {
    "generate": ["messagegen", "generate", "--specs", "specs", "--output", "out"],
    "docs": ["messagegen", "docs", "specs", "--output", "out"],
    "init": ["messagegen", "init", "new"],
    "fmt": ["messagegen", "fmt", "specs"],
    "merge-specs": ["messagegen", "merge-specs", "specs", "specs", "--out", "out"],
    "fetch-specs": ["messagegen", "fetch-specs", "--jar", JAR, "--out", "out"],
    "dump": ["messagegen-data", "dump", "orders-0", "--output", "out/rows.json"],
    "dump to Parquet": ["messagegen-data", "dump", "orders-0", "--format", "parquet", "--output", "out/rows.parquet"],
}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "Reading.json").write_text(SPEC)
    with zipfile.ZipFile(tmp_path / JAR, "w") as jar:
        jar.writestr("common/message/Reading.json", SPEC)
    write_orders(tmp_path, RECORDS)
    return tmp_path


def run(arguments: Sequence[str], folder: Path, most: int) -> subprocess.CompletedProcess[str]:
    module = SCRIPTS[arguments[0]].partition(":")[0]
    program = [sys.executable, "-c", f"from {module} import main; main()", *arguments[1:]]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    return subprocess.run(program, cwd=folder, preexec_fn=limit, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk(work: Path, name: str) -> None:
    if WRITING[name][0] == "messagegen-data":
        (work / "out").mkdir()
    done = run(WRITING[name], work, SMALL)
    assert done.returncode == 2
    assert "File too large" in done.stderr
    named = next(word.rstrip(":") for word in done.stderr.split() if word.endswith(":") and "/" in word)
    assert (work / named).parent.is_dir()
    assert not named.endswith(LEFTOVER)
    assert [path for path in work.rglob("*") if LEFTOVER in path.name or path.name.startswith(".rows")] == []
    again = run(WRITING[name], work, resource.RLIM_INFINITY)
    assert again.returncode == 0, again.stderr
    assert (work / named).is_file()
