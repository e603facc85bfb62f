"""The output folder: units are there whole or not at all, for one process and one job."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_spark.jobs.unit_store import OutputError, UnitCounts, UnitStore, begun_job, unit_store
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


def test_a_job_that_may_have_written_into_a_table_does_not_give_way(tmp_path: Path) -> None:
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store:
        store.pending.write_text("{}")
    with (
        pytest.raises(OutputError, match=r"a job with other arguments \(mode\)"),
        unit_store(tmp_path, "decode", {**ARGUMENTS, "mode": "FAILFAST"}, UNITS),
    ):
        pass
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store:
        assert store.pending.is_file()


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
        pytest.raises(OutputError, match="same path here and on every executor"),
    ):
        store.commit(UNITS[0], staged, UnitCounts(1, 0))


@pytest.mark.parametrize(
    ("job", "arguments", "reason"),
    [
        ("conformance", ARGUMENTS, "the output of another job, decode"),
        ("decode", {**ARGUMENTS, "mode": "FAILFAST"}, r"other arguments \(mode\)"),
        ("decode", {**ARGUMENTS, "more": 1}, r"other arguments \(more\)"),
        ("decode", {**ARGUMENTS, "catalog": "a3"}, r"other arguments \(catalog: the message specs differ\)"),
    ],
)
def test_the_output_of_another_job_is_refused(tmp_path: Path, job: str, arguments: dict[str, Any], reason: str) -> None:
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store:
        write(store, UNITS[0])
    with pytest.raises(OutputError, match=reason), unit_store(tmp_path, job, arguments, UNITS):
        pass


def test_a_job_without_units_gives_way_to_the_corrected_one(tmp_path: Path) -> None:
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store:
        first = store.id
    corrected = {**ARGUMENTS, "mode": "FAILFAST"}
    with unit_store(tmp_path, "decode", corrected, UNITS[:1]) as store:
        assert store.id != first
        assert store.units == (UNITS[0],)
    with pytest.raises(OutputError, match="has begun another job"), unit_store(tmp_path, "decode", ARGUMENTS, None):
        pass


@pytest.mark.parametrize(
    ("before", "now", "goes_on"),
    [
        (["native"], ["native"], True),
        (["native"], ["python"], False),
        (["native"], ["native", "python"], False),
        (["native", "python"], ["python"], True),
        (["native"], None, True),
    ],
)
def test_a_job_goes_on_with_the_engine_that_it_had(
    tmp_path: Path, before: list[str], now: list[str] | None, *, goes_on: bool
) -> None:
    with unit_store(tmp_path, "decode", {"engines": before}, UNITS) as store:
        write(store, UNITS[0])
    begun = begun_job(tmp_path)
    assert begun is not None
    difference = begun.difference("decode", {"engines": now})
    assert (difference is None) == goes_on
    assert goes_on or "engines: executors decode with another engine" in str(difference)


def test_a_disk_that_was_full_leaves_nothing_in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("messagegen_spark.jobs.unit_store.os.fsync", full)
        named = pytest.raises(OSError, match=rf"No space left on device: '{tmp_path}/_job.json'")
        with named, unit_store(tmp_path, "decode", ARGUMENTS, UNITS):
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["_lock"]
    # A process that was killed, or a disk that takes no removal either, leaves the file itself.
    (tmp_path / "_job.json.new").write_text("{")
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store:
        write(store, UNITS[0])


def test_what_a_dead_process_still_writes_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks may outlive the process that started them for a moment."""
    removed = shutil.rmtree

    def removed_and_written_again(folder: Path, **options: Any) -> None:
        removed(folder, **options)
        (folder / "000000-dead" / "unit").mkdir(parents=True)

    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS):
        pass
    monkeypatch.setattr("messagegen_spark.jobs.unit_store.shutil.rmtree", removed_and_written_again)
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store:
        monkeypatch.undo()
        write(store, UNITS[0])
        assert list(store.done()) == ["000000"]


@pytest.mark.parametrize(
    ("name", "advice"), [("_job.json", "name another output"), ("unit=000000/_unit.json", "remove")]
)
def test_damaged_files_are_named(tmp_path: Path, name: str, advice: str) -> None:
    with unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store:
        write(store, UNITS[0])
    (tmp_path / name).write_text("{")
    with (
        pytest.raises(OutputError, match=rf"{name} is damaged .*: {advice}"),
        unit_store(tmp_path, "decode", ARGUMENTS, UNITS) as store,
    ):
        store.done()


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
