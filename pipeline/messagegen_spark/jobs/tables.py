"""Tables as the output of jobs: each unit replaces its own rows, so that one that is written twice is there once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from messagegen_spark.jobs.runner import UNIT_COLUMN, Writer, check_columns
from messagegen_spark.jobs.unit_store import OutputError, UnitStore
from messagegen_spark.jobs.units import Unit

_OVERWRITE_MODE: Final = "spark.sql.sources.partitionOverwriteMode"
_FILE_FORMATS: Final = ("parquet", "orc")
"""Tables of these formats are folders of files, which Spark replaces folder by folder, and not by a condition on rows."""


def table_writer(
    spark: SparkSession, table: str, format_: str, partition_by: Sequence[str]
) -> Callable[[UnitStore], Writer]:
    """Writes units into a table, each with a column ``unit`` that says which job and unit rows are of.

    The table is made if it is not there. A unit that is written again, because a process died between the table's commit and ours, replaces
    itself: in one commit where the format can replace rows by a condition, such as Delta and Iceberg, and folder by folder in
    Parquet and ORC tables. Raises ``OutputError`` for one of the latter that is not partitioned by ``unit`` first.
    """

    def writer(store: UnitStore) -> Writer:
        def write(frame: DataFrame, unit: Unit, staged: Path) -> None:
            check_columns(frame, partition_by)
            name = f"{store.id}-{unit.name}"
            rows = frame.withColumn(UNIT_COLUMN, sql.lit(name))
            if not spark.catalog.tableExists(table):
                columns = [sql.col(column) for column in (UNIT_COLUMN, *partition_by)]
                made = spark.createDataFrame([], rows.schema).writeTo(table).using(format_)
                made.partitionedBy(*columns).create()
            if _is_of_files(spark, table):
                _replace_folders(spark, table, rows)
            else:
                rows.writeTo(table).overwrite(sql.col(UNIT_COLUMN) == name)
            staged.mkdir()

        return write

    return writer


def _is_of_files(spark: SparkSession, table: str) -> bool:
    described = spark.sql("DESCRIBE TABLE EXTENDED IDENTIFIER(:name)", args={"name": table})
    provider = described.where("col_name = 'Provider'").collect()
    return bool(provider) and provider[-1]["data_type"].lower() in _FILE_FORMATS


def _replace_folders(spark: SparkSession, table: str, rows: DataFrame) -> None:
    columns = spark.catalog.listColumns(table)
    folders = [column.name for column in columns if column.isPartition]
    if folders[:1] != [UNIT_COLUMN]:
        # Spark would replace all rows that have nothing to do with the unit.
        raise OutputError(
            f"{table} is not partitioned by {UNIT_COLUMN} first, so a unit can't replace its own rows alone: "
            "name a table that is not there yet"
        )
    here, there = set(rows.columns), {column.name for column in columns}
    if here != there:
        raise OutputError(f"{table} has other columns ({', '.join(sorted(here ^ there))}): name another table")
    # Columns of such tables go by position, those of folders last.
    in_order = rows.select(*(column.name for column in columns))
    with _only_folders_with_rows(spark):
        in_order.write.insertInto(table, overwrite=True)


@contextmanager
def _only_folders_with_rows(spark: SparkSession) -> Iterator[None]:
    """Spark replaces all of a table unless the session says so: as an option of the writer it is passed over."""
    before = spark.conf.get(_OVERWRITE_MODE)
    spark.conf.set(_OVERWRITE_MODE, "dynamic")
    try:
        yield
    finally:
        spark.conf.set(_OVERWRITE_MODE, before or "static")
