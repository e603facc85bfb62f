"""The output folder of a job: a folder for each unit, which is there whole or not at all.

    OUTPUT/_job.json                 what the job is, and its units; written when the job is first started
    OUTPUT/_lock                     held while a process works here
    OUTPUT/_commit.json              files that are about to be added to a table (``table_commits``)
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
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from messagegen_spark.jobs.units import Unit

FORMAT: Final = 2
_NEW: Final = ".new"
_ENGINES: Final = "engines"
_WHAT: Final[dict[str, str]] = {
    "catalog": "catalog: the message specs differ",
    _ENGINES: "engines: executors decode with another engine",
}
_JOB: Final = "_job.json"
_COUNTS: Final = "_unit.json"
_LOCK: Final = "_lock"
_STAGING: Final = "_staging"
_UNIT: Final = "unit="
_COMMIT: Final = "_commit.json"

SHARED_PATH_ADVICE: Final = (
    "the output must be on a file system that is mounted at the same path here and on every executor"
)


class OutputError(ValueError):
    """Raised for an output that belongs to something else, is in use, or does not get what executors write."""


@dataclass(frozen=True, slots=True)
class UnitCounts:
    """What was counted while a unit was worked on."""

    rows: int
    malformed: int
    details: Mapping[str, Any] = field(default_factory=dict)
    """More that was counted, as JSON values; of histories that of ``HistoryCounts``."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The job that was begun in an output."""

    id: str
    """What no other job has; it stays when a job goes on."""
    format: int
    job: str
    arguments: Mapping[str, Any]
    units: tuple[Unit, ...]
    """As they were planned when the job was first started."""
    has_units: bool
    """Whether any unit is done."""
    has_commit: bool
    """Whether files of a unit were about to be added to a table."""

    @classmethod
    def of_json(cls, found: dict[str, Any], *, has_units: bool, has_commit: bool = False) -> Begun:
        """The job that a ``_job.json`` holds."""
        units = tuple(Unit(each["name"], tuple(each["paths"]), each["size"]) for each in found["units"])
        return cls(found["id"], found["format"], found["job"], found["arguments"], units, has_units, has_commit)

    def goes_on(self, output: str, job: str, arguments: Mapping[str, Any]) -> bool:
        """Whether another process may go on with this job; otherwise it gives way. Raises ``OutputError`` where others' work is in the way."""
        difference = self.difference(job, arguments)
        if difference is not None and (self.has_units or self.has_commit):
            raise OutputError(f"{output} is the output of {difference}")
        return difference is None

    def gives_way(self, job: str, arguments: Mapping[str, Any]) -> bool:
        """Whether another job takes the place of this one, of which no unit is done."""
        return not self.has_units and self.difference(job, arguments) is not None

    def difference(self, job: str, arguments: Mapping[str, Any]) -> str | None:
        """What is wrong about another process that goes on with this job; ``None`` if nothing is."""
        if self.format != FORMAT:
            return "a job of another version of messagegen: finish it with that version, or name another output"
        if self.job != job:
            return f"another job, {self.job}: name another output"
        old, new = self.arguments, json.loads(json.dumps(arguments))
        names: set[str] = {*old, *new}
        different = sorted(name for name in names if not _agree(name, old.get(name), new.get(name)))
        if not different:
            return None
        said = ", ".join(_WHAT.get(name, name) for name in different)
        return f"a job with other arguments ({said}): name another output, or give the same arguments to go on"


def _agree(name: str, old: Any, new: Any) -> bool:
    if name != _ENGINES:
        return bool(old == new)
    # Executors that differ need not all be met by each process.
    return old is None or new is None or set(new) <= set(old)


class UnitStore(Protocol):
    """Where units go that are done."""

    id: str
    """What no other job has; it stays when a job goes on."""
    units: tuple[Unit, ...]
    """The units of the job, as they were planned when it was first started."""

    def done(self) -> dict[str, UnitCounts]:
        """The counts of the units that are done, by name."""
        ...

    def staged(self, unit: Unit) -> AbstractContextManager[Path]:
        """A new path to write a unit to; what lies there afterwards is removed, unless it was committed."""
        ...

    def commit(self, unit: Unit, staged: Path, counts: UnitCounts) -> None:
        """Makes a unit that was written to ``staged`` part of the output. Raises ``OutputError``."""
        ...

    def json(self, unit: Unit, name: str) -> Any:
        """What a file of a unit holds; ``None`` where the unit is not done. Raises ``OutputError`` where it is damaged."""
        ...


class LocalUnits:
    """Those of an output folder; made by ``unit_store``."""

    def __init__(self, folder: Path, id_: str, units: Sequence[Unit]) -> None:
        self._folder = folder
        self.id = id_
        """What no other job has; it stays when a job goes on."""
        self.units = tuple(units)
        """The units of the job, as they were planned when it was first started."""

    @property
    def pending(self) -> Path:
        """What is about to be committed to a table that is no folder of ours; the file need not be there."""
        return self._folder / _COMMIT

    def done(self) -> dict[str, UnitCounts]:
        """The counts of the units that are done, by name."""
        return {unit.name: self.counts(unit) for unit in self.units if self.place(unit).is_dir()}

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
        write_json(staged / _COUNTS, asdict(counts))
        staged.rename(self.place(unit))
        _sync(self._folder)

    def json(self, unit: Unit, name: str) -> Any:
        """What a file of a unit holds; ``None`` where the unit is not done. Raises ``OutputError`` where it is damaged."""
        place = self.place(unit)
        return read_json(place / name, f"remove {place}, and the unit is done again") if place.is_dir() else None

    def place(self, unit: Unit) -> Path:
        """The folder of a unit, which is there once it is done."""
        return self._folder / f"{_UNIT}{unit.name}"

    def counts(self, unit: Unit, advice: str = "") -> UnitCounts:
        """What was counted in a unit that is done. Raises ``OutputError`` with the advice where that is damaged."""
        place = self.place(unit)
        return UnitCounts(**read_json(place / _COUNTS, advice or f"remove {place}, and the unit is done again"))


@contextmanager
def unit_store(
    folder: Path, job: str, arguments: Mapping[str, Any], planned: Sequence[Unit] | None
) -> Iterator[LocalUnits]:
    """The output folder of a job, made or found again, for this process alone.

    ``arguments`` are all that decides what the rows are and where they go; JSON values. ``planned`` are the units of a job that
    begins; one that was begun (``begun_job``) keeps those that it had, and needs none. A job whose first unit was not done gives way to one
    with other arguments. Raises ``OutputError`` where the folder has anything else, or another process works there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        begun = _to_go_on(folder, job, arguments)
        if begun is None:
            if planned is None:
                raise OutputError(f"another process has begun another job in {folder}: start again")
            units = [asdict(unit) for unit in planned]
            described = {"format": FORMAT, "job": job, "arguments": arguments}
            write_json(folder / _JOB, {"id": uuid.uuid4().hex, **described, "units": units})
            begun = begun_job(folder)
            assert begun is not None
        _remove(folder / _STAGING)
        # What a killed process asked for may still be written for a moment, and make the folder again.
        (folder / _STAGING).mkdir(exist_ok=True)
        try:
            yield LocalUnits(folder, begun.id, begun.units)
        finally:
            _remove(folder / _STAGING)


def begun_job(folder: Path) -> Begun | None:
    """The job that was begun in a folder, ``None`` if there is none. Raises ``OutputError`` where it cannot be read."""
    if not (folder / _JOB).is_file():
        return None
    found = read_json(folder / _JOB, "name another output")
    return Begun.of_json(found, has_units=any(folder.glob(f"{_UNIT}*")), has_commit=(folder / _COMMIT).is_file())


def counts_of_done(folder: Path) -> dict[str, UnitCounts]:
    """What was counted in the units of a folder that are done, by their names. Raises ``OutputError`` where it is damaged."""
    found = ((path, path.parent) for path in sorted(folder.glob(f"{_UNIT}*/{_COUNTS}")))
    return {
        unit.name.removeprefix(_UNIT): UnitCounts(**read_json(path, f"remove {unit}, and the unit is done again"))
        for path, unit in found
    }


def files_of_done(folder: Path) -> Iterator[tuple[str, str]]:
    """The Parquet files of the units of a folder that are done, and their names relative to it."""
    for path in folder.glob(f"{_UNIT}*/**/*.parquet"):
        yield str(path), path.relative_to(folder).as_posix()


def _to_go_on(folder: Path, job: str, arguments: Mapping[str, Any]) -> Begun | None:
    """The job that was begun here, if this is to go on with it. Raises ``OutputError`` where others' work is in the way."""
    begun = begun_job(folder)
    if begun is None:
        _check_empty(folder)
        return None
    return begun if begun.goes_on(str(folder), job, arguments) else None


def remove_half_written(folder: Path) -> None:
    """Removes what tasks wrote that ended after their job; nothing, where another process works there or no job has begun."""
    if (folder / _JOB).is_file():
        with suppress(OutputError), _locked(folder):
            _remove(folder / _STAGING)


def _check_empty(folder: Path) -> None:
    # A disk that was full leaves what was written of the first file.
    if any(entry.name not in (_LOCK, f"{_JOB}{_NEW}") for entry in folder.iterdir()):
        raise OutputError(f"{folder} has files that are not of a job: name a new or an empty folder")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError(f"another process works on {folder}: wait for it, or name another output") from None
        yield


def write_json(path: Path, value: Any) -> None:
    """Writes a file that is there whole or not at all, also after a power cut. Raises ``OSError``, which names it."""
    scratch = path.with_name(f"{path.name}{_NEW}")
    try:
        with scratch.open("w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    except OSError as problem:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
        # Errors of writing do not know the file.
        raise OSError(problem.errno, problem.strerror, str(path)) from problem
    _sync(path.parent)


def read_json(path: Path, advice: str) -> Any:
    """What a file holds. Raises ``OutputError``, which names it and gives the advice, where it is damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise OutputError(f"{path} is damaged ({problem}): {advice}") from problem


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
