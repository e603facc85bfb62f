"""The output folder: units are there whole or not at all, for one process and one job."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_spark.jobs.unit_store import (
    OutputError,
    UnitCounts,
    UnitStore,
    unit_store,
)
from messagegen_spark.jobs.units import Unit

UNITS = [Unit("000000", ("/a",), 1), Unit("000001", ("/b", "/c"), 2)]
ARGUMENTS: dict[str, Any] = {"mode": "PERMISSIVE", "keep": ("topic",), "fields": None}


def write(store: UnitStore, unit: Unit, rows: int = 5) -> None:
    with store.staged(unit) as staged:
        staged.mkdir()
        (staged / "part.parquet").write_text("rows")
        store.commit(unit, staged, UnitCounts(rows, 1))


def test_what_is_done_stays_done(tmp_path: Path) -> None:
    output = tmp_path / "new" / "out"
    with unit_store(output, "decode", ARGUMENTS, UNITS) as store:
        assert store.done() == {}
        write(store, UNITS[1])
        assert store.done() == {"000001": UnitCounts(5, 1)}
        first = store.id
    assert sorted(path.name for path in output.iterdir()) == ["_job.json", "_lock", "unit=000001"]
    with unit_store(output, "decode", ARGUMENTS, []) as store:
        assert store.id == first
        assert store.units == tuple(UNITS), "the plan is that of the first time"
        assert store.done() == {"000001": UnitCounts(5, 1)}
        write(store, UNITS[0])
        assert list(store.done()) == ["000000", "000001"]


def fail(store: UnitStore) -> None:
    with store.staged(UNITS[0]) as staged:
        staged.mkdir()
        (staged / "part.parquet").write_text("half")
        raise ZeroDivisionError


def test_a_unit_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store:
        with pytest.raises(ZeroDivisionError):
            fail(store)
        assert store.done() == {}
        assert not list((tmp_path / "_staging").iterdir())


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS):
        pass
    left = tmp_path / "_staging" / "000000-dead" / "unit"
    left.mkdir(parents=True)
    (left / "part.parquet").write_text("half")
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store:
        assert store.done() == {}
        assert not left.exists()


def test_a_unit_is_committed_once(tmp_path: Path) -> None:
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store:
        write(store, UNITS[0], rows=1)
        with pytest.raises(OSError, match="not empty"):
            write(store, UNITS[0], rows=2)
        assert store.done()["000000"].rows == 1


def test_what_was_written_elsewhere_is_missed(tmp_path: Path) -> None:
    with (
        unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store,
        store.staged(UNITS[0]) as staged,
        pytest.raises(OutputError, match="same place here and on every executor"),
    ):
        store.commit(UNITS[0], staged, UnitCounts(1, 0))


@pytest.mark.parametrize(
    ("job", "arguments", "reason"),
    [
        ("conformance", ARGUMENTS, "the output of another job, decode"),
        ("decode", {**ARGUMENTS, "mode": "FAILFAST"}, r"other arguments \(mode\)"),
        ("decode", {**ARGUMENTS, "more": 1}, r"other arguments \(more\)"),
    ],
)
def test_the_output_of_another_job_is_refused(tmp_path: Path, job: str, arguments: dict[str, Any], reason: str) -> None:
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS):
        pass
    with pytest.raises(OutputError, match=reason), unit_store(tmp_path, job, arguments, UNITS):
        pass


def test_folders_of_others_are_refused(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(OutputError, match="a new or an empty folder"), unit_store(tmp_path, "decode", {}, UNITS):
        pass
    assert (tmp_path / "precious.txt").read_text() == "mine"


def test_two_processes_do_not_share_an_output(tmp_path: Path) -> None:
    with (
        unit_store(tmp_path, "decode", ARGUMENTS, UNITS),
        pytest.raises(OutputError, match="another process works on"),
        unit_store(tmp_path, "decode", ARGUMENTS, UNITS),
    ):
        pass


def test_the_job_is_written_down(tmp_path: Path) -> None:
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS):
        job = json.loads((tmp_path / "_job.json").read_text())
    assert job["arguments"] == {"mode": "PERMISSIVE", "keep": ["topic"], "fields": None}
    assert [unit["name"] for unit in job["units"]] == ["000000", "000001"]
