"""Where jobs keep their state and units: in folders, and in object stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from messagegen_spark.jobs.stored_units import begun_stored_job, counts_of_stored, files_of_stored, stored_units
from messagegen_spark.jobs.unit_store import (
    Begun,
    UnitCounts,
    UnitStore,
    begun_job,
    counts_of_done,
    files_of_done,
    unit_store,
)
from messagegen_spark.jobs.units import Unit

Output = Path | str
"""A folder, or the URL of one in an object store."""


def output_of(
    output: Output, job: str, arguments: Mapping[str, Any], planned: Sequence[Unit] | None
) -> AbstractContextManager[UnitStore]:
    """``unit_store`` for a folder, ``stored_units`` for a URL."""
    if isinstance(output, str):
        return stored_units(output, job, arguments, planned)
    return unit_store(output, job, arguments, planned)


def begun_in(output: Output) -> Begun | None:
    """The job that was begun in an output, ``None`` if there is none. Raises ``OutputError`` where it can't be read."""
    return begun_stored_job(output) if isinstance(output, str) else begun_job(output)


def counts_in(output: Output) -> dict[str, UnitCounts]:
    """What was counted in the units that are done, by their names. Raises ``OutputError`` where it can't be read."""
    return counts_of_stored(output) if isinstance(output, str) else counts_of_done(output)


def row_files_in(output: Output) -> list[tuple[str, str]]:
    """The paths of the Parquet files of all units that are done, and their names relative to the output."""
    return sorted(files_of_stored(output) if isinstance(output, str) else files_of_done(output))
