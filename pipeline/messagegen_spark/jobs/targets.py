"""Where the rows of a job go. What decides that is part of the job: it goes on only where the same is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pyspark.sql import DataFrame, Observation, SparkSession

from messagegen_spark.jobs.folders import as_hadoop_path, keep_readable
from messagegen_spark.jobs.unit_store import LocalUnits, OutputError, UnitCounts, UnitStore
from messagegen_spark.jobs.units import Unit
from messagegen_spark.jobs.written_files import LogFiles

Writer = Callable[[DataFrame, Unit, Path], None]
"""Writes the rows of a unit, into the staged folder or elsewhere; a second time replaces the first."""

UNIT_COLUMN: Final = "unit"


@dataclass(frozen=True)
class UnitWork:
    """A unit that is to be done."""

    spark: SparkSession
    unit: Unit
    store: LocalUnits
    rows: Callable[[Observation], DataFrame]
    """Its rows, with an observation that counts ``rows`` and ``malformed`` of what was read."""
    files: Callable[[tuple[str, ...]], LogFiles | None]
    """How workers write the same rows without Spark's help, in folders by these columns; ``None`` if they can't."""


@dataclass(frozen=True)
class KeptTable:
    """What is asked of a table before a stream goes on."""

    name: str
    exists: Callable[[], bool]
    has_rows_of: Callable[[str], bool]
    """Whether rows of the job or stream with this id are there."""


@dataclass(frozen=True)
class Target:
    """A way to write units, and what it is: a ``writer`` of rows, or a function that does all of a unit (``commit``)."""

    writer: Callable[[UnitStore], Writer] | None
    described: Mapping[str, Any]
    """What another process has to ask for to go on, by the names of the command's options; JSON values."""
    folders: tuple[str, ...] | None = None
    """The columns in the names of folders, if units are Parquet files in folders of their own; ``None`` for anything else."""
    commit: Callable[[UnitWork], UnitCounts] | None = None
    """Writes a unit and adds it to the output with its counts; called again for a unit of which that was interrupted."""
    append: Callable[[DataFrame, str, int], None] | None = None
    """Adds the rows of a micro-batch, by the stream's id and the number of the batch, unless they are there."""
    table: KeptTable | None = None
    """The table that rows go to, whoever writes it."""

    def stream_writer(self, store: UnitStore) -> Writer:
        """What writes the rows of micro-batches, which are units."""
        if self.writer is not None:
            return self.writer(store)
        append = self.append
        assert append is not None

        def write(rows: DataFrame, unit: Unit, staged: Path) -> None:
            append(rows, store.id, int(unit.name))
            # The unit only has the state.
            staged.mkdir()

        return write


def table_is_gone(table: str, units: int) -> OutputError:
    """The error of a table that is not there, although so many units were written to it."""
    written = "1 unit was" if units == 1 else f"{units} units were"
    return OutputError(
        f"{table} does not exist, but {written} written to it: configure the catalog that has it, or name another output to start again"
    )


def parquet_target(partition_by: Sequence[str] = ()) -> Target:
    """Parquet files in the folder of each unit, in folders by columns."""

    def writer(_: UnitStore) -> Writer:
        def write(df: DataFrame, _: Unit, staged: Path) -> None:
            check_columns(df, partition_by)
            df.write.partitionBy(*partition_by).parquet(as_hadoop_path(staged))
            keep_readable(staged, df, partition_by)

        return write

    return Target(writer, {"partition-by": list(partition_by)}, tuple(partition_by))


def check_columns(df: DataFrame, partition_by: Sequence[str]) -> None:
    """Raises ``OutputError`` for columns to partition by that there are not, and for one with the name of ours."""
    missing = [name for name in partition_by if name not in df.columns]
    if missing:
        raise OutputError(f"there is no column {', '.join(missing)} to partition by; there are {', '.join(df.columns)}")
    if UNIT_COLUMN in df.columns:
        raise OutputError(f"the rows have a column {UNIT_COLUMN}, which is the name of the folders: rename or drop it")
