"""The output of a job in a store, where folders are not renamed and nothing is locked: manifests say which units are done.

    OUTPUT/_job.json                       what the job is, and its units
    OUTPUT/_lock                           who works here; its owner writes it again every few seconds
    OUTPUT/_staging/000000-<attempt>/...   what tasks write; whatever is not in a manifest is removed
    OUTPUT/_units/000000.json              the manifest: what was counted in the unit, and its files
    OUTPUT/unit=000000/...parquet          its rows

A manifest is written only if there is none yet: that is the moment at which a unit is done, and only one attempt
gets there, whatever else goes wrong. Then its files are brought from the staging folder to their places, within the store. A process that
is killed in between leaves that to the next one.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from messagegen_arrow.files import joined, name_of, read_bytes, shown
from messagegen_arrow.files.writing import everything_in, move_each, put, put_new, remove, remove_all_in
from messagegen_spark.jobs.stored_lock import Lock, held_lock
from messagegen_spark.jobs.unit_store import FORMAT, Begun, OutputError, UnitCounts
from messagegen_spark.jobs.units import Unit

_JOB: Final = "_job.json"
_LOCK: Final = "_lock"
_STAGING: Final = "_staging"
_MANIFESTS: Final = "_units"
_UNIT: Final = "unit="


@dataclass(frozen=True, slots=True)
class _Manifest:
    """What is in a unit."""

    unit: str
    attempt: str
    rows: int
    malformed: int
    files: dict[str, str]
    """The places of its files, by what they are called in the attempt."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """More that was counted, as ``UnitCounts`` has it."""


class StoredUnits:
    """Where units go that are done; made by ``stored_units``."""

    def __init__(self, folder: str, begun: Begun, lock: Lock) -> None:
        self._folder = folder
        self._lock = lock
        self._finished: dict[Path, dict[str, str]] = {}
        self._may_be_done: set[Path] = set()
        """Attempts that a manifest may name: their files can be the only ones of a unit."""
        self.id = begun.id
        """What no other job has; it stays when a job goes on."""
        self.units = begun.units
        """The units of the job, as they were planned when it was first started."""

    def done(self) -> dict[str, UnitCounts]:
        """The counts of the units that are done, by name."""
        return counts_of_stored(self._folder)

    @contextmanager
    def staged(self, unit: Unit) -> Iterator[Path]:
        """A path on this machine for what this process writes of a unit itself; tasks write to ``attempt``."""
        with TemporaryDirectory(prefix="messagegen-") as scratch:
            staged = Path(scratch) / f"{unit.name}-{uuid.uuid4().hex}"
            try:
                yield staged
            finally:
                self._finished.pop(staged, None)
                if staged not in self._may_be_done:
                    remove_all_in(self.attempt(staged))

    def attempt(self, staged: Path) -> str:
        """The folder of the store that tasks write to."""
        return joined(self._folder, _STAGING, staged.name)

    def take(self, staged: Path, files: Mapping[str, str]) -> None:
        """Takes files of an attempt into its unit: their places in it by their names in the attempt."""
        self._finished[staged] = {**self._finished.get(staged, {}), **files}

    def commit(self, unit: Unit, staged: Path, counts: UnitCounts) -> None:
        """Makes an attempt part of the output. Raises ``OutputError`` where another process has done the unit, or works here now."""
        files = self._finished.pop(staged, {})
        for file in sorted(staged.rglob("*")) if staged.is_dir() else ():
            if file.is_file():
                name = file.relative_to(staged).as_posix()
                put(joined(self.attempt(staged), *name.split("/")), file)
                files[name] = name
        self._lock.check()
        self._may_be_done.add(staged)
        manifest = _Manifest(unit.name, staged.name, counts.rows, counts.malformed, files, counts.details)
        place = _place_of(self._folder, unit.name)
        try:
            put_new(place, _json(asdict(manifest)))
        except FileExistsError:
            # The store may have taken ours although its answer was lost, and the library asked again.
            found = _manifest_at(place, self._folder)
            if found is None or found.attempt != staged.name:
                self._may_be_done.discard(staged)
                raise OutputError(
                    f"another process has done unit {unit.name} of {shown(self._folder)}: start again"
                ) from None
        _roll_forward(self._folder, manifest)

    def json(self, unit: Unit, name: str) -> Any:
        """What a file of a unit holds; ``None`` where the unit is not done. Raises ``OutputError`` where it is damaged."""
        place = joined(self._folder, f"{_UNIT}{unit.name}", name)
        found = _read(place)
        advice = f"remove {shown(_place_of(self._folder, unit.name))}, and the unit is done again"
        return None if found is None else _parsed(found, place, advice)


@contextmanager
def stored_units(
    folder: str, job: str, arguments: Mapping[str, Any], planned: Sequence[Unit] | None
) -> Iterator[StoredUnits]:
    """The output of a job at a URL, begun or found again, for this process alone; as ``unit_store``, and raising the same."""
    with held_lock(joined(folder, _LOCK), folder) as lock:
        begun = _to_go_on(folder, job, arguments)
        if begun is None:
            if planned is None:
                raise OutputError(f"another process has begun another job in {shown(folder)}: start again")
            described = {"id": uuid.uuid4().hex, "format": FORMAT, "job": job, "arguments": arguments}
            put(joined(folder, _JOB), _json({**described, "units": [asdict(unit) for unit in planned]}))
            begun = begun_stored_job(folder)
            assert begun is not None
        for manifest in _manifests(folder):
            _roll_forward(folder, manifest)
        remove_all_in(joined(folder, _STAGING))
        yield StoredUnits(folder, begun, lock)


def begun_stored_job(folder: str) -> Begun | None:
    """The job that was begun at a URL, ``None`` if there is none. Raises ``OutputError`` where it can't be read."""
    found = _read(joined(folder, _JOB))
    if found is None:
        return None
    return Begun.of_json(
        _parsed(found, joined(folder, _JOB), "name another output"),
        has_units=bool(everything_in(joined(folder, _MANIFESTS))),
    )


def counts_of_stored(folder: str) -> dict[str, UnitCounts]:
    """What was counted in the units at a URL that are done, by their names. Raises ``OutputError`` where it is damaged."""
    return {each.unit: UnitCounts(each.rows, each.malformed, each.details) for each in _manifests(folder)}


def files_of_stored(folder: str) -> Iterator[tuple[str, str]]:
    """The Parquet files of the units at a URL that are done, and their names relative to it."""
    for manifest in _manifests(folder):
        for place in manifest.files.values():
            if place.endswith(".parquet"):
                name = f"{_UNIT}{manifest.unit}/{place}"
                yield joined(folder, *name.split("/")), name


def _to_go_on(folder: str, job: str, arguments: Mapping[str, Any]) -> Begun | None:
    begun = begun_stored_job(folder)
    if begun is not None:
        return begun if begun.goes_on(shown(folder), job, arguments) else None
    if any(not _is_ours(folder, path) for path in everything_in(folder)):
        raise OutputError(f"{shown(folder)} has files that are not of a job: name a new or an empty folder")
    return None


def _is_ours(folder: str, path: str) -> bool:
    return path == joined(folder, _LOCK) or shown(path).startswith(f"{shown(joined(folder, _STAGING))}/")


def _manifests(folder: str) -> list[_Manifest]:
    found = (_manifest_at(path, folder) for path in everything_in(joined(folder, _MANIFESTS)))
    return [manifest for manifest in found if manifest is not None]


def _manifest_at(path: str, folder: str) -> _Manifest | None:
    """What a manifest holds; ``None`` if there is none. Raises ``OutputError`` where it is damaged."""
    data = _read(path)
    if data is None:
        return None
    unit = f"{shown(joined(folder, _UNIT))}{name_of(path).removesuffix('.json')}"
    return _Manifest(**_parsed(data, path, f"remove it and {unit}, and the unit is done again"))


def _place_of(folder: str, unit: str) -> str:
    return joined(folder, _MANIFESTS, f"{unit}.json")


def _roll_forward(folder: str, manifest: _Manifest) -> None:
    """Brings the files of a unit to their places, and removes what else is there; what was done before stays done.

    Raises ``OutputError`` for a file that is in neither place.
    """
    unit = joined(folder, f"{_UNIT}{manifest.unit}")
    staging = joined(folder, _STAGING, manifest.attempt)
    there = set(everything_in(unit))
    places = {
        joined(staging, *name.split("/")): joined(unit, *place.split("/")) for name, place in manifest.files.items()
    }
    missing = [(source, place) for source, place in places.items() if place not in there]
    try:
        move_each(missing)
    except FileNotFoundError as problem:
        raise OutputError(
            f"{problem.filename} is gone, and unit {manifest.unit} needs it: remove {shown(_place_of(folder, manifest.unit))}, and the "
            "unit is done again"
        ) from None
    remove(there - set(places.values()))
    remove_all_in(staging)


def _read(path: str) -> bytes | None:
    """What a file holds; ``None`` if there is none."""
    try:
        return read_bytes(path)
    except FileNotFoundError:
        return None


def _json(value: Any) -> bytes:
    return f"{json.dumps(value, indent=1)}\n".encode()


def _parsed(data: bytes, path: str, advice: str) -> Any:
    try:
        return json.loads(data)
    except ValueError as problem:
        raise OutputError(f"{shown(path)} is damaged ({problem}): {advice}") from problem
