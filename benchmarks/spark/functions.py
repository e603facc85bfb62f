"""The catalog of functions in the JVM, beside ``from_avro`` and ``to_avro``: over Parquet files, and over topics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pyspark.sql import functions as sql
from pyspark.sql.avro.functions import from_avro

from benchmarks.spark.inputs import ALL_ROWS, LOG_ROWS, MESSAGE, ROWS, VALUE, Rows, catalog_of, rows_read
from benchmarks.spark.names import (
    FROM_AVRO,
    FROM_AVRO_PERMISSIVE,
    FROM_AVRO_UNSET,
    FUNCTION,
    FUNCTION_FIELD,
    FUNCTION_PERMISSIVE,
    FUNCTION_UNSET,
    READ_TIMES,
    SCAN,
    SCAN_UNSET,
)

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

# Another name than that of `register`: with that, decode_messages and from_kafka_message would decode in the JVM too.
_CATALOG: Final = "functions"
_SETTING: Final = f"spark.sql.catalog.{_CATALOG}"

FORMS: Final = ("kafka", "avro")

_CONSUMER: Final = {"kafka.max.poll.records": "10000", "kafka.fetch.max.wait.ms": "10"}
_V1_SOURCES: Final = "spark.sql.sources.useV1SourceList"
_WITHOUT_KAFKA: Final = "avro,csv,json,orc,parquet,text"
"""Both are what docs/spark.md recommends for topics, with the reasons."""
_UNSET: Final = {SCAN: SCAN_UNSET, FROM_AVRO: FROM_AVRO_UNSET, FUNCTION: FUNCTION_UNSET}

Asked = tuple[Rows, str, int, Callable[[], "DataFrame"]]
"""Data, contestant, number of rows, and what makes the frame."""


def add_functions(spark: SparkSession, folder: Path) -> None:
    """The catalog, with the messages of the inputs."""
    spark.conf.set(_SETTING, "messagegen.spark.Functions")
    for table in catalog_of(folder):
        spark.conf.set(f"{_SETTING}.plan.{table.name}", table.plan)


def function_cases(spark: SparkSession, folder: Path) -> Iterator[Asked]:
    """All questions, in the order in which they are asked."""
    add_functions(spark, folder)
    for rows in ALL_ROWS:
        kafka, avro = (_read(spark, folder, rows, form) for form in FORMS)
        frames = _compared(folder, rows, kafka, avro)
        if rows in LOG_ROWS:
            frames |= _others(folder, rows, kafka, avro)
        yield from _asked(folder, rows, frames)


def write_topics(spark: SparkSession, folder: Path, bootstrap: str) -> None:
    """Writes the rows to topics, in both forms, with Spark's sink, as often as queries of files read them."""
    for rows, form in product(ALL_ROWS, FORMS):
        values = _read(spark, folder, rows, form).select(VALUE)
        sink = values.write.format("kafka").option("kafka.bootstrap.servers", bootstrap)
        sink.option("topic", _topic(rows, form)).save()


def topic_cases(spark: SparkSession, folder: Path, bootstrap: str) -> Iterator[Asked]:
    """The questions that the goals need about topics, which ``write_topics`` wrote, as Spark's source reads them.

    Much of the time is for reading, whoever decodes, so the other modes would tell nothing new.
    """
    add_functions(spark, folder)

    def compared(rows: Rows, consumer: dict[str, str]) -> dict[str, DataFrame]:
        source = spark.read.format("kafka").options(**consumer).option("kafka.bootstrap.servers", bootstrap)
        kafka, avro = (source.option("subscribe", _topic(rows, form)).load().select(VALUE) for form in FORMS)
        return _compared(folder, rows, kafka, avro)

    for rows in ALL_ROWS:
        # Spark chooses how to read when a frame is made.
        spark.conf.set(_V1_SOURCES, _WITHOUT_KAFKA)
        frames = compared(rows, _CONSUMER)
        spark.conf.unset(_V1_SOURCES)
        if rows in ROWS:
            frames |= {_UNSET[name]: frame for name, frame in compared(rows, {}).items()}
        yield from _asked(folder, rows, frames)


def _read(spark: SparkSession, folder: Path, rows: Rows, form: str) -> DataFrame:
    return spark.read.parquet(*[str(rows.file(folder, form))] * READ_TIMES)


def _topic(rows: Rows, form: str) -> str:
    return f"{rows.size}-{form}"


def _compared(folder: Path, rows: Rows, kafka: DataFrame, avro: DataFrame) -> dict[str, DataFrame]:
    """What the goals compare, by contestant."""
    return {
        SCAN: kafka,
        FROM_AVRO: avro.select(_from_avro(folder, rows, "FAILFAST")),
        FUNCTION: kafka.select(call(rows, "FAILFAST")),
    }


def _others(folder: Path, rows: Rows, kafka: DataFrame, avro: DataFrame) -> dict[str, DataFrame]:
    return {
        FROM_AVRO_PERMISSIVE: avro.select(_from_avro(folder, rows, "PERMISSIVE")),
        FUNCTION_PERMISSIVE: kafka.select(call(rows, "PERMISSIVE")),
        FUNCTION_FIELD: kafka.select(call(rows, "FAILFAST", f"fields={rows.field}")),
    }


def _asked(folder: Path, rows: Rows, frames: dict[str, DataFrame]) -> Iterator[Asked]:
    amount = rows_read(folder, rows)
    for contestant, frame in frames.items():
        yield rows, contestant, amount, partial(_itself, frame)


def _itself(frame: DataFrame) -> DataFrame:
    return frame


def _from_avro(folder: Path, rows: Rows, mode: str) -> Column:
    schema = rows.schema_file(folder, "avro").read_text(encoding="utf-8")
    return from_avro(VALUE, schema, {"mode": mode}).alias(MESSAGE)


def call(rows: Rows, mode: str, *others: str) -> Column:
    """The call of the function for these rows, which gives the same columns as the Avro form has."""
    options = (f"mode={mode}", f"versions={rows.version}", "uuid=binary", *others)
    name = ".".join(f"`{part}`" for part in (_CATALOG, *options, rows.message))
    return sql.call_function(name, VALUE, sql.lit(rows.version)).alias(MESSAGE)


def encode_call(rows: Rows) -> Column:
    """The call of the function that encodes these rows."""
    name = ".".join(f"`{part}`" for part in (_CATALOG, "mode=FAILFAST", f"encode_{rows.message}"))
    return sql.call_function(name, MESSAGE, sql.lit(rows.version)).alias(VALUE)
