"""Tables as the output of jobs: each unit replaces its own rows, so that one that is written twice is there once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from messagegen_arrow.files import shown
from messagegen_spark.jobs.targets import UNIT_COLUMN, KeptTable, Target, Writer, check_columns, table_is_gone
from messagegen_spark.jobs.unit_store import Begun, OutputError, UnitStore
from messagegen_spark.jobs.units import Unit

_OVERWRITE_MODE: Final = "spark.sql.sources.partitionOverwriteMode"
_FILE_FORMATS: Final = ("parquet", "orc")
"""Tables of these formats are folders of files, which Spark replaces folder by folder, and not by a condition on rows."""


def table_target(spark: SparkSession, table: str, format_: str, partition_by: Sequence[str]) -> Target:
    """A table, with a column ``unit`` that says which job and unit rows are of.

    The table is made if it is not there. A unit that is written again, because a process died between the table's commit and ours, replaces
    itself: in one commit where the format can replace rows by a condition, such as Delta and Iceberg, and folder by folder in
    Parquet and ORC tables. Raises ``OutputError`` for one of the latter that is not partitioned by ``unit`` first, and where
    units are done and the table is not there.
    """

    def writer(store: UnitStore) -> Writer:
        if store.done() and not spark.catalog.tableExists(table):
            raise table_is_gone(f"table {table}", len(store.done()))

        def write(df: DataFrame, unit: Unit, staged: Path) -> None:
            check_columns(df, partition_by)
            name = f"{store.id}-{unit.name}"
            rows = df.withColumn(UNIT_COLUMN, sql.lit(name))
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

    kept = KeptTable(table, lambda: spark.catalog.tableExists(table), lambda id_: _has_rows_of(spark, table, id_))
    return Target(writer, {"table": table, "table-format": format_, "partition-by": list(partition_by)}, table=kept)


def check_no_rows_left(spark: SparkSession, begun: Begun, output: Path | str, asked: KeptTable | None) -> None:
    """Raises ``OutputError`` where a job or stream that gives way has written rows into a table already, although no unit is done.

    ``asked`` is the table that its successor writes to. Another one that a library keeps can't be opened here.
    """
    table = begun.arguments.get("table")
    if table is None:
        return
    reason = f"{shown(str(output))} is the output of a job with other arguments, which has begun to write into {table}"
    if begun.has_commit:
        raise OutputError(f"{reason}: give the same arguments to go on, or name another output")
    is_of_library = ":" in table
    if asked is not None and asked.name == table:
        has_rows = asked.has_rows_of(begun.id)
    else:
        has_rows = not is_of_library and _has_rows_of(spark, table, begun.id)
    if has_rows:
        advice = f"delete the rows whose column {UNIT_COLUMN} begins with {begun.id} and name another output"
        other = "name another output and another table" if is_of_library else advice
        raise OutputError(f"{reason}: give the same arguments to go on, or {other}")


def _has_rows_of(spark: SparkSession, table: str, id_: str) -> bool:
    if not spark.catalog.tableExists(table) or UNIT_COLUMN not in spark.table(table).columns:
        return False
    return not spark.table(table).where(sql.col(UNIT_COLUMN).startswith(id_)).isEmpty()


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
            "name a new table"
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
    before = spark.conf.getAll.get(_OVERWRITE_MODE)
    spark.conf.set(_OVERWRITE_MODE, "dynamic")
    try:
        yield
    finally:
        if before is None:
            spark.conf.unset(_OVERWRITE_MODE)
        else:
            spark.conf.set(_OVERWRITE_MODE, before)
