"""A full disk: each command that writes names the file, and does not leave partly written files."""

from __future__ import annotations

import importlib
import json
import resource
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from messagegen.publish.files import LEFTOVER
from tests.arrow.support.broker_folder import write_orders
from tests.support.commands import SCRIPTS

SMALL = 1000
"""The limit for sizes of files, in bytes. Exceeding the limit raises an ``OSError``, like a full disk."""

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
    "merge-specs": ["messagegen", "merge-specs", "specs", "specs", "--output", "out"],
    "fetch-specs": ["messagegen", "fetch-specs", "--jar", JAR, "--output", "out"],
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


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Limit the size of files that this process writes. Python ignores the signal, so larger files raise an error."""
    before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))


def exit_code(arguments: Sequence[str]) -> Any:
    module, function = SCRIPTS[arguments[0]].split(":")
    with pytest.raises(SystemExit) as left:
        getattr(importlib.import_module(module), function)(arguments[1:])
    return left.value.code


@pytest.mark.parametrize("name", WRITING)
def test_commands_name_the_file_and_leave_no_partial_files_on_a_full_disk(
    work: Path, name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(work)
    # The limit would also truncate bytecode files of modules that are imported meanwhile.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    if WRITING[name][0] == "messagegen-data":
        (work / "out").mkdir()
    with files_of_at_most(SMALL):
        assert exit_code(WRITING[name]) == 2
    told = capfd.readouterr().err
    assert "File too large" in told
    named = next(word.rstrip(":") for word in told.split() if word.endswith(":") and "/" in word)
    assert (work / named).parent.is_dir()
    assert not named.endswith(LEFTOVER)
    assert [path for path in work.rglob("*") if LEFTOVER in path.name or path.name.startswith(".rows")] == []
    assert exit_code(WRITING[name]) in {0, None}, capfd.readouterr().err
    assert (work / named).is_file()
