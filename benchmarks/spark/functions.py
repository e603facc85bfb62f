"""The catalog of functions in the JVM, beside ``from_avro`` and ``to_avro``: over Parquet files, and over topics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pyspark.sql import functions as sql
from pyspark.sql.avro.functions import from_avro

from benchmarks.spark.inputs import LOG_ROWS, MESSAGE, VALUE, Rows, catalog_of, row_count
from benchmarks.spark.names import (
    FROM_AVRO,
    FROM_AVRO_PERMISSIVE,
    FUNCTION,
    FUNCTION_FIELD,
    FUNCTION_PERMISSIVE,
    SCAN,
)

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

# Another name than that of `register`: with that, decode_messages and from_kafka_message would decode in the JVM too.
_CATALOG: Final = "functions"
_SETTING: Final = f"spark.sql.catalog.{_CATALOG}"

FORMS: Final = ("kafka", "avro")

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
    for rows in LOG_ROWS:
        kafka, avro = (spark.read.parquet(str(rows.file(folder, form))) for form in FORMS)
        yield from _asked(folder, rows, kafka, avro)


def write_topics(spark: SparkSession, folder: Path, bootstrap: str) -> None:
    """Writes the rows to topics, in both forms, with Spark's sink."""
    for rows, form in product(LOG_ROWS, FORMS):
        values = spark.read.parquet(str(rows.file(folder, form))).select(VALUE)
        sink = values.write.format("kafka").option("kafka.bootstrap.servers", bootstrap)
        sink.option("topic", _topic(rows, form)).save()


def topic_cases(spark: SparkSession, folder: Path, bootstrap: str) -> Iterator[Asked]:
    """The same questions about topics, which ``write_topics`` wrote, as Spark's source reads them."""
    source = spark.read.format("kafka").option("kafka.bootstrap.servers", bootstrap)
    add_functions(spark, folder)
    for rows in LOG_ROWS:
        kafka, avro = (source.option("subscribe", _topic(rows, form)).load().select(VALUE) for form in FORMS)
        yield from _asked(folder, rows, kafka, avro)


def _topic(rows: Rows, form: str) -> str:
    return f"{rows.size}-{form}"


def _asked(folder: Path, rows: Rows, kafka: DataFrame, avro: DataFrame) -> Iterator[Asked]:
    schema = rows.schema_file(folder, "avro").read_text(encoding="utf-8")
    decoded = {
        SCAN: kafka,
        FROM_AVRO: avro.select(from_avro(VALUE, schema, {"mode": "FAILFAST"}).alias(MESSAGE)),
        FUNCTION: kafka.select(call(rows, "FAILFAST")),
        FROM_AVRO_PERMISSIVE: avro.select(from_avro(VALUE, schema, {"mode": "PERMISSIVE"}).alias(MESSAGE)),
        FUNCTION_PERMISSIVE: kafka.select(call(rows, "PERMISSIVE")),
        FUNCTION_FIELD: kafka.select(call(rows, "FAILFAST", f"fields={rows.field}")),
    }
    amount = row_count(rows.file(folder, "kafka"))
    for contestant, frame in decoded.items():
        yield rows, contestant, amount, partial(_itself, frame)


def _itself(frame: DataFrame) -> DataFrame:
    return frame


def call(rows: Rows, mode: str, *others: str) -> Column:
    """The call of the function for these rows, which gives the same columns as the Avro form has."""
    options = (f"mode={mode}", f"versions={rows.version}", "uuid=binary", *others)
    name = ".".join(f"`{part}`" for part in (_CATALOG, *options, rows.message))
    return sql.call_function(name, VALUE, sql.lit(rows.version)).alias(MESSAGE)


def encode_call(rows: Rows) -> Column:
    """The call of the function that encodes these rows."""
    name = ".".join(f"`{part}`" for part in (_CATALOG, "mode=FAILFAST", f"encode_{rows.message}"))
    return sql.call_function(name, MESSAGE, sql.lit(rows.version)).alias(VALUE)
