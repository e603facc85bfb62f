"""The archive for executors: all that they import, and the same bytes each time."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from messagegen_spark.jobs.packaging import write_package


def test_equal_packages_give_equal_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "a.zip", tmp_path / "b.zip"
    second.write_text("replaced")
    assert write_package(first) == write_package(second) > 100
    assert first.read_bytes() == second.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip", "b.zip"]


def test_it_has_sources_and_data_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "package.zip"
    write_package(path)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert names == sorted(names)
    assert {name.split("/")[0] for name in names} == {"messagegen_arrow", "messagegen_spark", "messagegen_kafka"}
    assert {
        "messagegen_spark/cli/main.py",
        "messagegen_arrow/engine.py",
        "messagegen_kafka/_runtime/walk/__init__.py",
    } <= set(names)
    assert not [name for name in names if name.endswith((".pyc", ".so"))]


def test_python_decodes_with_the_archive_alone(tmp_path: Path) -> None:
    path = tmp_path / "package.zip"
    write_package(path)
    code = """
import messagegen_arrow, messagegen_spark, messagegen_kafka, pyarrow
value = messagegen_kafka.OffsetCommitValue(offset=42).encode(version=3)
table = messagegen_arrow.default_catalog().message("OffsetCommitValue")
print(messagegen_spark.__file__.endswith("package.zip/messagegen_spark/__init__.py"))
print(messagegen_arrow.decode_arrow(pyarrow.array([value]), table, 3)[0]["offset"])
"""
    environment = {"PYTHONPATH": str(path), "MESSAGEGEN_PURE": "1"}
    done = subprocess.run([sys.executable, "-c", code], check=False, env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["True", "42"], done.stderr


def test_what_is_not_there_can_not_be_packed(tmp_path: Path) -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        write_package(tmp_path / "package.zip", ["no_such_package"])
    assert not list(tmp_path.iterdir())
