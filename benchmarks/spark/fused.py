"""Logs to typed columns: decoded where they are read, beside reading first and ``from_avro`` then."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pyspark.sql import Column
from pyspark.sql import functions as sql
from pyspark.sql.avro.functions import from_avro
from pyspark.sql.types import StructField, StructType

from benchmarks.spark.inputs import ALL_ROWS, LOG_ROWS, MESSAGE, ROWS, VALUE, Rows, catalog_of, row_count, rows_read
from benchmarks.spark.message_logs import copies, message_log, pairs, write_message_log
from benchmarks.spark.names import (
    FUSED,
    FUSED_COUNT,
    FUSED_FIELD,
    FUSED_PARQUET,
    LOG_AVRO,
    LOG_AVRO_FIELD,
    LOG_AVRO_PARQUET,
    LOG_DECODE,
    LOG_FUNCTION,
    PYTHON_AVRO,
    PYTHON_AVRO_PARQUET,
    READ_TIMES,
)
from benchmarks.spark.python_log import PYTHON_LOG
from messagegen_spark import decode_messages, from_kafka_message, spark_schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_STRICT: Final = {"mode": "FAILFAST"}

_OF_ALL_ROWS: Final = (PYTHON_AVRO, FUSED, FUSED_FIELD)
"""What the goals compare for the second data set, too."""

Question = tuple[Rows, str, int, Callable[[], object]]
"""Data, contestant, number of rows, and what asks."""


def write_logs_of_rows(spark: SparkSession, folder: Path, rows: Rows) -> None:
    """Writes the logs of these messages, in both forms; the Avro form must be there."""
    count = row_count(rows.file(folder, "kafka"))
    for form in ("kafka", "avro"):
        values = spark.read.parquet(str(rows.file(folder, form))).limit(rows.distinct).toArrow().column(VALUE)
        write_message_log(message_log(folder, f"{rows.size}-{form}"), pairs(values.combine_chunks()), count)


def questions(
    spark: SparkSession, folder: Path, consume: Callable[[Callable[[], DataFrame]], None]
) -> Iterator[Question]:
    """What is asked, in order; ``consume`` gets what makes a frame, and has Spark compute it."""
    for rows in ALL_ROWS:
        amount = rows_read(folder, rows)
        for contestant, frame in _of_rows(spark, folder, rows):
            if rows in LOG_ROWS or contestant in _OF_ALL_ROWS:
                yield rows, contestant, amount, partial(consume, frame)
    for rows in LOG_ROWS:
        amount = rows_read(folder, rows)
        kafka = _logs(folder, rows, "kafka")
        yield rows, FUSED_COUNT, amount, read_log(spark, kafka, **message_options(folder, rows)).count
    for rows in ROWS:
        amount = rows_read(folder, rows)
        for contestant, write in _writers(spark, folder, rows):
            yield rows, contestant, amount, partial(_write, write)


def read_log(spark: SparkSession, log: Path, *, schema: StructType | None = None, **options: str) -> DataFrame:
    """What is in a log, or a folder of logs, as ``kafka-log`` gives it; ``schema`` chooses columns and fields."""
    reader = spark.read.format("kafka-log").options(**options)
    return (reader if schema is None else reader.schema(schema)).load(str(log))


def message_options(folder: Path, rows: Rows) -> dict[str, Any]:
    """What has values of these rows decoded where they are read."""
    plan = catalog_of(folder).message(rows.message).plan
    return {"message": rows.message, "plan": plan, "version": str(rows.version), "uuid": "binary", "columns": MESSAGE}


def _logs(folder: Path, rows: Rows, form: str) -> Path:
    """What a query reads: the log of these messages several times."""
    return copies(message_log(folder, f"{rows.size}-{form}"), READ_TIMES)


def _through_python(spark: SparkSession, log: Path) -> DataFrame:
    return spark.read.format(PYTHON_LOG).load(str(log))


def _field(rows: Rows, message: Column) -> Column:
    """The field of the message that queries for one field ask for."""
    *outer, name = rows.field.split(".")
    if len(outer) < 2:
        return reduce(Column.getItem, rows.field.split("."), message)
    return sql.transform(message[outer[0]][outer[1]], lambda each: each[name])


def _schema_of_field(folder: Path, rows: Rows) -> StructType:
    """The column of messages, with one field of them alone."""
    one = spark_schema(
        rows.message, catalog=catalog_of(folder), versions=rows.version, fields=[rows.field], uuid="binary"
    )
    return StructType([StructField(MESSAGE, one)])


def _of_rows(spark: SparkSession, folder: Path, rows: Rows) -> Iterator[tuple[str, Callable[[], DataFrame]]]:
    kafka, avro = (_logs(folder, rows, form) for form in ("kafka", "avro"))
    schema = rows.schema_file(folder, "avro").read_text(encoding="utf-8")
    decoded = from_avro(VALUE, schema, _STRICT)
    message = message_options(folder, rows)

    function = from_kafka_message(
        VALUE, rows.message, rows.version, "FAILFAST", catalog=catalog_of(folder), uuid="binary"
    )

    def ours() -> DataFrame:
        return decode_messages(
            read_log(spark, kafka, columns=VALUE),
            VALUE,
            rows.message,
            rows.version,
            "FAILFAST",
            catalog=catalog_of(folder),
            uuid="binary",
        )

    yield PYTHON_AVRO, lambda: _through_python(spark, avro).select(decoded)
    yield LOG_AVRO, lambda: read_log(spark, avro, columns=VALUE).select(decoded)
    yield LOG_AVRO_FIELD, lambda: read_log(spark, avro, columns=VALUE).select(_field(rows, decoded))
    yield LOG_DECODE, ours
    yield LOG_FUNCTION, lambda: read_log(spark, kafka, columns=VALUE).select(function)
    yield FUSED, lambda: read_log(spark, kafka, **message)
    if rows in ROWS:
        # Spark leaves out no fields of an array within another one; a schema does.
        yield FUSED_FIELD, lambda: read_log(spark, kafka, schema=_schema_of_field(folder, rows), **message)
    else:
        yield FUSED_FIELD, lambda: read_log(spark, kafka, **message).select(_field(rows, sql.col(MESSAGE)))


def _writers(spark: SparkSession, folder: Path, rows: Rows) -> Iterator[tuple[str, Callable[[Path], object]]]:
    kafka, avro = (_logs(folder, rows, form) for form in ("kafka", "avro"))
    decoded = from_avro(VALUE, rows.schema_file(folder, "avro").read_text(encoding="utf-8"), _STRICT)
    message = message_options(folder, rows)

    def of_python(out: Path) -> None:
        _through_python(spark, avro).select(decoded).write.parquet(f"file://{out}")

    def of_bytes(out: Path) -> None:
        read_log(spark, avro, columns=VALUE).select(decoded).write.parquet(f"file://{out}")

    def of_messages(out: Path) -> None:
        read_log(spark, kafka, **message).write.parquet(f"file://{out}")

    yield PYTHON_AVRO_PARQUET, of_python
    yield LOG_AVRO_PARQUET, of_bytes
    yield FUSED_PARQUET, of_messages


def _write(write: Callable[[Path], object]) -> None:
    with tempfile.TemporaryDirectory(prefix="messagegen-benchmarks-") as scratch:
        write(Path(scratch) / "out")
