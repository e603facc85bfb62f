"""The output of a job in an object store: units are there whole or not at all, wherever a process dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_arrow.files import StoreError, joined, versions, writing
from messagegen_arrow.files.versions import ReplacedError
from messagegen_spark.jobs import stored_lock, stored_units
from messagegen_spark.jobs.stored_units import StoredUnits
from messagegen_spark.jobs.stored_units import stored_units as open_output
from messagegen_spark.jobs.unit_store import OutputError, UnitCounts
from messagegen_spark.jobs.units import Unit
from tests.hdfs.fixtures import Place

UNITS = [Unit("000000", ("/a",), 1), Unit("000001", ("/b", "/c"), 2)]
ARGUMENTS: dict[str, Any] = {"mode": "PERMISSIVE", "keep": ("topic",)}
DONE = {
    "out/_job.json",
    *(f"out/_units/{unit.name}.json" for unit in UNITS),
    *(
        f"out/unit={unit.name}/{file}"
        for unit in UNITS
        for file in ("_small.json", "topic=a/1.parquet", "topic=b/2.parquet")
    ),
}


class Killed(BaseException):
    """What a process meets that was killed: it does nothing any more."""


@pytest.fixture
def output(place: Place) -> str:
    return place.url("out")


def write(store: StoredUnits, unit: Unit, rows: int = 5) -> None:
    """A unit of which tasks wrote two files that count and one that does not."""
    with store.staged(unit) as staged:
        for name in ("topic=a/1.parquet", "topic=b/2.parquet", "topic=b/lost.parquet"):
            writing.put(joined(store.attempt(staged), *name.split("/")), f"{unit.name} {name}".encode())
        store.take(staged, {name: name for name in ("topic=a/1.parquet", "topic=b/2.parquet")})
        staged.mkdir()
        (staged / "_small.json").write_text("[1]")
        store.commit(unit, staged, UnitCounts(rows, 1))


def write_lock(output: str, data: bytes) -> None:
    """Has another process take the lock, whoever holds it."""
    path = joined(output, "_lock")
    found = versions.read_version(path)
    while True:
        with suppress(ReplacedError):
            versions.put_again(path, data, found.version) if found else versions.put_first(path, data)
            return
        found = versions.read_version(path)


def do_all(output: str, units: list[Unit] = UNITS) -> None:
    with open_output(output, "decode", ARGUMENTS, units) as store:
        do_units(store)


def do_units(store: StoredUnits) -> None:
    for unit in store.units:
        if unit.name not in store.done():
            write(store, unit)


def test_what_is_done_stays_done(place: Place, output: str) -> None:
    with open_output(output, "decode", ARGUMENTS, UNITS) as store:
        assert store.done() == {}
        write(store, UNITS[1])
        assert store.done() == {"000001": UnitCounts(5, 1)}
        assert (store.json(UNITS[1], "_small.json"), store.json(UNITS[0], "_small.json")) == ([1], None)
        first = store.id
    with open_output(output, "decode", ARGUMENTS, []) as store:
        assert store.id == first
        assert store.units == tuple(UNITS), "the plan is that of the first time"
        write(store, UNITS[0])
        assert sorted(store.done()) == ["000000", "000001"]
    assert set(place.keys()) == DONE
    assert place.get("out/unit=000001/topic=b/2.parquet") == b"000001 topic=b/2.parquet"


def test_a_process_may_die_at_any_request(place: Place, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each request that changes something the process is gone, with its clean-up; the next one goes on."""
    done = {key for key in DONE if "000001" not in key}
    kills = 0
    for steps in range(1, 100):
        folder = f"{output}-{steps}"
        with monkeypatch.context() as patch:
            die_after(steps, patch)
            try:
                do_all(folder, UNITS[:1])
                was_killed = False
            except Killed:
                was_killed = True
        do_all(folder, UNITS[:1])
        keys = {key.replace(f"out-{steps}/", "out/") for key in place.keys(f"out-{steps}/")}
        assert keys == done, f"after {steps} requests"
        kills += was_killed
        if not was_killed:
            break
    assert kills > 10


def die_after(steps: int, patch: pytest.MonkeyPatch) -> None:
    """Lets so many requests pass that change something. The owner of the lock is taken for a process that is gone."""
    left = [steps]

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any) -> Any:
            if not left[0]:
                raise Killed
            left[0] -= 1
            return call(*arguments)

        return wrapped

    def move_one_by_one(pairs: list[tuple[str, str]]) -> None:
        for pair in pairs:
            move_each([pair])

    move_each = counted(writing.move_each)
    patch.setattr(stored_units, "move_each", move_one_by_one)
    for module, name in (
        (writing, "put"),
        (stored_units, "put"),
        (stored_units, "put_new"),
        (stored_units, "remove"),
        (stored_units, "remove_all_in"),
    ):
        patch.setattr(module, name, counted(getattr(module, name)))
    patch.setattr(stored_lock, "remove_versions", counted(versions.remove_versions))
    patch.setattr(stored_lock, "_started", lambda _: "before this machine was started")


def test_a_killed_process_leaves_its_lock_and_nothing_else_in_the_way(place: Place, output: str) -> None:
    code = (
        "import os, signal; from tests.spark.jobs.test_stored_units import *; from messagegen_spark.jobs import stored_units as units\n"
        "units.move_each = lambda pairs: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"do_all({output!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert place.keys("out/_lock")
    do_all(output)
    assert set(place.keys()) == DONE


def test_a_store_that_fails_after_the_manifest_leaves_the_files(
    place: Place, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: list[tuple[str, str]]) -> None:
        raise StoreError("the credentials have expired")

    with monkeypatch.context() as patch:
        patch.setattr(stored_units, "move_each", fails)
        with pytest.raises(StoreError, match="expired"):
            do_all(output)
    assert place.keys("out/_units/") == ["out/_units/000000.json"]
    do_all(output)
    assert set(place.keys()) == DONE


@pytest.mark.parametrize("problem", [StoreError("no answer"), FileExistsError("asked twice")])
def test_a_manifest_may_be_written_though_the_answer_is_lost(
    place: Place, output: str, problem: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(path: str, data: bytes) -> None:
        writing.put_new(path, data)
        raise problem

    with monkeypatch.context() as patch, suppress(StoreError):
        patch.setattr(stored_units, "put_new", lost)
        do_all(output)
    do_all(output)
    assert set(place.keys()) == DONE


def raising(problem: Exception) -> Callable[..., None]:
    """What fails when it is called."""

    def fails(*_: object) -> None:
        raise problem

    return fails


class TestLock:
    def test_two_processes_do_not_share_an_output(self, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stored_lock, "BEAT_SECONDS", 0.5)
        reason = (
            rf"another process \(process {os.getpid()} on .*\) works on {output}: wait for it, or name another output"
        )
        with (
            open_output(output, "decode", ARGUMENTS, UNITS),
            pytest.raises(OutputError, match=reason),
            open_output(output, "decode", ARGUMENTS, UNITS),
        ):
            pass

    def test_an_owner_elsewhere_is_watched(self, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stored_lock, "PATIENCE_SECONDS", 0.5)
        monkeypatch.setattr(stored_lock, "BEAT_SECONDS", 0.05)
        with open_output(output, "decode", ARGUMENTS, UNITS), monkeypatch.context() as elsewhere:
            elsewhere.setattr(stored_lock, "_boot", lambda: "another machine")
            with pytest.raises(OutputError, match="another process"):
                do_all(output)
        write_lock(output, b'{"host": "gone", "pid": 1}')
        do_all(output)

    def test_who_was_silent_for_too_long_commits_nothing(self, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stored_lock, "BEAT_SECONDS", 0.05)
        with open_output(output, "decode", ARGUMENTS, UNITS) as store:
            write_lock(output, b'{"host": "other"}')
            store._lock._thread.join(10)  # noqa: SLF001 - it ends when it finds the lock of another
            with pytest.raises(OutputError, match=r"another process works on .* now"):
                write(store, UNITS[0])
            assert store.done() == {}
        assert versions.read_version(joined(output, "_lock")) is not None, "the lock of the other one stays"

    def test_who_was_suspended_notices_before_a_manifest(self, output: str) -> None:
        with open_output(output, "decode", ARGUMENTS, UNITS) as store:
            write_lock(output, b'{"host": "other"}')
            with pytest.raises(OutputError, match=r"another process works on .* now"):
                write(store, UNITS[0])
            assert store.done() == {}

    def test_who_was_suspended_leaves_the_lock_of_another(self, output: str) -> None:
        with open_output(output, "decode", ARGUMENTS, UNITS):
            write_lock(output, b'{"host": "other"}')
        assert versions.read_version(joined(output, "_lock")) is not None

    def test_a_process_that_lives_may_have_left_its_lock(self, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(stored_lock, "remove_versions", raising(StoreError("no answer")))
            do_all(output)
        assert versions.read_version(joined(output, "_lock")) is not None
        monkeypatch.setattr(stored_lock, "PATIENCE_SECONDS", 0.1)
        do_all(output)

    @pytest.mark.parametrize("problem", [ReplacedError("asked twice"), StoreError("no answer")])
    def test_a_beat_may_be_written_though_the_answer_is_lost(
        self, output: str, problem: Exception, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lost = iter([True])

        def put_again(path: str, data: bytes, version: str | None) -> str | None:
            written = versions.put_again(path, data, version)
            if next(lost, False):
                raise problem
            return written

        monkeypatch.setattr(stored_lock, "put_again", put_again)
        with open_output(output, "decode", ARGUMENTS, UNITS) as store:
            with suppress(StoreError):
                store._lock.check()  # noqa: SLF001 - a beat, without waiting for it
            do_units(store)
        assert versions.read_version(joined(output, "_lock")) is None, "the lock was ours to give back"

    def test_the_lock_may_be_taken_though_the_answer_is_lost(
        self, output: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def put_first(path: str, data: bytes) -> None:
            versions.put_first(path, data)
            raise FileExistsError

        def put_again(path: str, data: bytes, version: str | None) -> None:
            versions.put_again(path, data, version)
            raise ReplacedError

        with monkeypatch.context() as patch:
            patch.setattr(stored_lock, "put_first", put_first)
            do_all(output)
        monkeypatch.setattr(stored_lock, "PATIENCE_SECONDS", 0.1)
        write_lock(output, b'{"host": "gone", "pid": 1}')
        with monkeypatch.context() as patch:
            patch.setattr(stored_lock, "put_again", put_again)
            do_all(output)

    def test_an_owner_in_another_container_is_watched(self, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """It may have our host name and boot, and its process numbers mean other processes, or none, here."""
        monkeypatch.setattr(stored_lock, "PATIENCE_SECONDS", 0.5)
        monkeypatch.setattr(stored_lock, "BEAT_SECONDS", 0.05)
        with open_output(output, "decode", ARGUMENTS, UNITS), monkeypatch.context() as elsewhere:
            elsewhere.setattr(stored_lock, "_namespace", lambda: "pid:[1]")
            elsewhere.setattr(stored_lock, "_started", lambda _: None)
            with pytest.raises(OutputError, match="another process"):
                do_all(output)

    def test_a_unit_is_committed_once(self, output: str) -> None:
        with open_output(output, "decode", ARGUMENTS, UNITS) as store:
            write(store, UNITS[0], rows=1)
            with pytest.raises(OutputError, match="another process has done unit 000000"):
                write(store, UNITS[0], rows=2)
            assert store.done()["000000"].rows == 1


@pytest.mark.parametrize(
    ("job", "arguments", "reason"),
    [
        ("conformance", ARGUMENTS, "is the output of another job, decode"),
        ("decode", {**ARGUMENTS, "mode": "FAILFAST"}, r"other arguments \(mode\)"),
    ],
)
def test_the_output_of_another_job_is_refused(output: str, job: str, arguments: dict[str, Any], reason: str) -> None:
    with open_output(output, "decode", ARGUMENTS, UNITS) as store:
        write(store, UNITS[0])
    with pytest.raises(OutputError, match=reason), open_output(output, job, arguments, UNITS):
        pass


def test_a_job_without_units_gives_way_to_the_corrected_one(output: str) -> None:
    with open_output(output, "decode", ARGUMENTS, UNITS) as store:
        first = store.id
    with open_output(output, "decode", {**ARGUMENTS, "mode": "FAILFAST"}, UNITS[:1]) as store:
        assert store.id != first
        assert store.units == (UNITS[0],)


def test_what_is_not_of_a_job_is_not_touched(place: Place, output: str) -> None:
    place.put("out/precious.txt", b"mine")
    with pytest.raises(OutputError, match="a new or an empty folder"), open_output(output, "decode", {}, UNITS):
        pass
    assert place.keys() == ["out/precious.txt"]


@pytest.mark.parametrize(
    ("name", "advice"), [("_job.json", "name another output"), ("_units/000000.json", "remove it and")]
)
def test_damaged_files_are_named(place: Place, output: str, name: str, advice: str) -> None:
    do_all(output)
    place.put(f"out/{name}", b"{")
    with pytest.raises(OutputError, match=rf"{name} is damaged .*: {advice}"):
        do_all(output)


def test_a_file_that_somebody_removed_is_missed(place: Place, output: str) -> None:
    do_all(output)
    place.delete("out/unit=000001/topic=b/2.parquet")
    with pytest.raises(OutputError, match=r"2.parquet is gone, and unit 000001 needs it: remove .*_units/000001.json"):
        do_all(output)
