"""The output folder of a job: a folder for each unit, which is there whole or not at all.

    OUTPUT/_job.json                 what the job is, and its units; written once, when the job is first started
    OUTPUT/_lock                     held while a process works here
    OUTPUT/_staging/                 units that are being written; whatever a killed process left is removed
    OUTPUT/unit=000000/_unit.json    what was counted in the unit
    OUTPUT/unit=000000/...parquet    its rows

Spark passes over names that begin with an underscore, so ``spark.read.parquet(OUTPUT)`` reads all units that are done, at any time.
A unit is committed by one rename, which brings its rows and its counts: there is no moment at which a unit is done and its
rows are not there, or the other way round. The folder has to be on a file system that this process and all executors see.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from messagegen_spark.jobs.units import Unit

_FORMAT: Final = 1
_JOB: Final = "_job.json"
_COUNTS: Final = "_unit.json"
_LOCK: Final = "_lock"
_STAGING: Final = "_staging"

SHARED_PATH_ADVICE: Final = (
    "the output has to be a path that leads to the same place here and on every executor, such as a mounted file system"
)


class OutputError(ValueError):
    """Raised for an output that belongs to something else, is in use, or does not get what executors write."""


@dataclass(frozen=True, slots=True)
class UnitCounts:
    """What was counted while a unit was worked on."""

    rows: int
    malformed: int


class UnitStore:
    """Where units go that are done; made by ``unit_store``."""

    def __init__(self, folder: Path, id_: str, units: Sequence[Unit]) -> None:
        self._folder = folder
        self.id = id_
        """What no other job has; it stays when a job goes on."""
        self.units = tuple(units)
        """The units of the job, as they were planned when it was first started."""

    def done(self) -> dict[str, UnitCounts]:
        """The counts of the units that are done, by name."""
        return {unit.name: self._counts(unit) for unit in self.units if self.place(unit).is_dir()}

    @contextmanager
    def staged(self, unit: Unit) -> Iterator[Path]:
        """A new path to write a unit to; what lies there afterwards is removed, unless it was committed."""
        # The usual permissions, not those of scratch files: executors may be of another user in the same group.
        scratch = self._folder / _STAGING / f"{unit.name}-{uuid.uuid4().hex}"
        scratch.mkdir()
        try:
            yield scratch / "unit"
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def commit(self, unit: Unit, staged: Path, counts: UnitCounts) -> None:
        """Makes a unit that was written to ``staged`` part of the output.

        Raises ``OutputError`` where nothing arrived.
        """
        if not staged.is_dir():
            raise OutputError(f"what was written is not in {self._folder}: {SHARED_PATH_ADVICE}")
        _write_json(staged / _COUNTS, asdict(counts))
        staged.rename(self.place(unit))
        _sync(self._folder)

    def place(self, unit: Unit) -> Path:
        """The folder of a unit, which is there once it is done."""
        return self._folder / f"unit={unit.name}"

    def _counts(self, unit: Unit) -> UnitCounts:
        return UnitCounts(**json.loads((self.place(unit) / _COUNTS).read_text(encoding="utf-8")))


@contextmanager
def unit_store(folder: Path, job: str, arguments: Mapping[str, Any], planned: Sequence[Unit]) -> Iterator[UnitStore]:
    """The output folder of a job, made or found again, for this process alone.

    ``arguments`` are all that decides what the rows are; JSON values. ``planned`` are the units of a job that begins; one that was
    begun keeps those that it had. Raises ``OutputError`` where the folder has anything else, or another process works there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        described = {"format": _FORMAT, "job": job, "arguments": json.loads(json.dumps(arguments))}
        if not planned_before(folder):
            _check_empty(folder)
            units = [asdict(unit) for unit in planned]
            _write_json(folder / _JOB, {"id": uuid.uuid4().hex, **described, "units": units})
        job_id, known = _begun(folder, described)
        shutil.rmtree(folder / _STAGING, ignore_errors=True)
        (folder / _STAGING).mkdir()
        try:
            yield UnitStore(folder, job_id, known)
        finally:
            shutil.rmtree(folder / _STAGING, ignore_errors=True)


def remove_half_written(folder: Path) -> None:
    """Removes what tasks wrote that ended after their job; nothing, where another process works there or no job has begun."""
    if planned_before(folder):
        with suppress(OutputError), _locked(folder):
            shutil.rmtree(folder / _STAGING, ignore_errors=True)


def planned_before(folder: Path) -> bool:
    """Whether a job has begun in a folder, so that no plan has to be made again."""
    return (folder / _JOB).is_file()


def _begun(folder: Path, described: Mapping[str, Any]) -> tuple[str, tuple[Unit, ...]]:
    """The id and the units of the job that was begun here. Raises ``OutputError`` where it is another one."""
    found = json.loads((folder / _JOB).read_text(encoding="utf-8"))
    old, new = found["arguments"], described["arguments"]
    if (found["format"], found["job"]) != (described["format"], described["job"]):
        raise OutputError(f"{folder} is the output of another job, {found['job']}: name another output")
    different = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    if different:
        raise OutputError(
            f"{folder} is the output of a job with other arguments ({', '.join(different)}): name another output, "
            "or give the same arguments to go on"
        )
    return found["id"], tuple(Unit(each["name"], tuple(each["paths"]), each["size"]) for each in found["units"])


def _check_empty(folder: Path) -> None:
    if any(entry.name != _LOCK for entry in folder.iterdir()):
        raise OutputError(f"{folder} has files that are not of a job: name a new or an empty folder")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError(f"another process works on {folder}: wait for it, or name another output") from None
        yield


def _write_json(path: Path, value: Any) -> None:
    scratch = path.with_name(f"{path.name}.new")
    with scratch.open("w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
