"""What is asked of Spark, by contestant. Every frame is written to ``noop``, which takes all rows and keeps none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyspark.sql import functions as sql
from pyspark.sql import types as spark_types
from pyspark.sql.avro.functions import from_avro, to_avro

from benchmarks.spark.functions import add_functions, encode_call, function_cases, topic_cases
from benchmarks.spark.fused import questions, write_logs_of_rows
from benchmarks.spark.inputs import (
    ALL_ROWS,
    AVRO,
    FAILFAST_COLUMNS,
    MESSAGE,
    ROWS,
    VALUE,
    Rows,
    catalog_of,
    row_count,
    write_avro,
)
from benchmarks.spark.logs import log_folder, record_count
from benchmarks.spark.names import (
    BROKER,
    CODECS,
    DECODE,
    ENCODE,
    ENCODE_FUNCTION,
    ENCODE_MESSAGES,
    FROM_AVRO,
    FROM_AVRO_PERMISSIVE,
    FROM_AVRO_UNIONS,
    FUNCTIONS,
    FUSED_PART,
    KAFKA_LOG,
    KAFKA_PYTHON,
    LOG_ALL,
    LOG_SPARK,
    OURS,
    OURS_COLUMN,
    OURS_DEFAULT_BATCHES,
    OURS_ONE_FIELD,
    OURS_PERMISSIVE,
    SCAN,
    SPARK_COLUMNS,
    TO_AVRO,
    TO_KAFKA,
    TYPED_SCAN,
    UNTOUCHED,
)
from benchmarks.spark.peers import kafka_python, untouched
from benchmarks.spark.repeated import repeated
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns
from messagegen_spark import decode_messages, encode_messages, from_kafka_message, spark_schema, to_kafka_message

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_BATCH_ROWS: Final = "spark.sql.execution.arrow.maxRecordsPerBatch"
_BATCH_BYTES: Final = "spark.sql.execution.arrow.maxBytesPerBatch"
_ANY_BYTES: Final = str(2**31 - 1)
"""With any other limit Spark asks Arrow for the size of the batch after every row, a sixth of the JVM's time for small
ones.
"""


@dataclass(frozen=True, slots=True)
class Case:
    """One question to Spark: part, data and contestant name it, ``amount`` is its rows, ``run`` asks it."""

    part: str
    data: str
    contestant: str
    amount: int
    run: Callable[[], object]

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it."""
        return self.part, self.data, self.contestant


def cases(spark: SparkSession, folder: Path) -> dict[tuple[str, str, str], Case]:
    """All questions about the inputs in a folder, by name, in the order in which they are asked."""
    found = [case for rows in ROWS for case in _row_cases(spark, folder, rows)]
    found += [case for codec in CODECS for case in _log_cases(spark, folder, codec)]
    for rows, contestant, amount, frame in function_cases(spark, folder):
        found.append(Case(FUNCTIONS, rows.size, contestant, amount, partial(_consume_made, frame)))
    for rows, contestant, amount, ask in questions(spark, folder, _consume_made):
        found.append(Case(FUSED_PART, rows.size, contestant, amount, partial(_run_with_batches, spark, rows, ask)))
    return {case.key: case for case in found}


def broker_cases(spark: SparkSession, folder: Path, bootstrap: str) -> dict[tuple[str, str, str], Case]:
    """All questions about the topics that ``write_topics`` wrote."""
    asked = topic_cases(spark, folder, bootstrap)
    found = [
        Case(BROKER, rows.size, contestant, amount, partial(_consume_made, frame))
        for rows, contestant, amount, frame in asked
    ]
    return {case.key: case for case in found}


def write_avro_form(spark: SparkSession, folder: Path, rows: Rows) -> None:
    """Writes the Avro forms of the rows, which only Spark can make."""
    frame = spark.read.parquet(str(rows.file(folder, "typed"))).limit(rows.distinct)
    # The other form is measured with these alone.
    kinds = list(AVRO) if rows in ROWS else ["avro"]
    for kind in kinds:
        schema = rows.schema_file(folder, kind).read_text(encoding="utf-8")
        encoded = [row[0] for row in frame.select(to_avro(sql.col(MESSAGE), schema)).collect()]
        write_avro(rows, folder, kind, pa.array(encoded, pa.binary()))


def write_message_logs(spark: SparkSession, folder: Path) -> None:
    """Writes the logs of messages, of as many rows as the files have; the Avro forms must be there."""
    for rows in ALL_ROWS:
        write_logs_of_rows(spark, folder, rows)


def consume_repeated(spark: SparkSession, folder: Path, what: str, times: int) -> None:
    """Reads the same data several times in one query, and decodes it (``repeated``)."""
    for rows in ROWS:
        if rows.size == what:
            set_batches(spark, rows)
    consume(repeated(spark, folder, what, times))


def set_batches(spark: SparkSession, rows: Rows) -> None:
    """Has Spark hand rows to Python in batches that suit their size; Spark reads this when a query starts."""
    spark.conf.set(_BATCH_ROWS, rows.batch)
    spark.conf.set(_BATCH_BYTES, _ANY_BYTES)


def _consume_made(make: Callable[[], DataFrame]) -> None:
    consume(make())


def _run_with_batches(spark: SparkSession, rows: Rows, run: Callable[[], object]) -> None:
    set_batches(spark, rows)
    run()


def consume(frame: DataFrame) -> None:
    """Makes Spark compute every row and column."""
    frame.write.format("noop").mode("overwrite").save()


def _row_cases(spark: SparkSession, folder: Path, rows: Rows) -> Iterator[Case]:
    for part, file, frames in (
        (DECODE, "kafka", _decoders(spark, folder, rows)),
        (DECODE, "avro", _avro_decoders(spark, folder, rows)),
        (DECODE, "few", _slow_decoders(spark, folder, rows)),
        (ENCODE, "typed", _encoders(spark, folder, rows)),
    ):
        amount = row_count(rows.file(folder, file))
        for contestant, frame in frames:
            run = partial(_run_with_batches, spark, rows, partial(_consume_made, frame))
            yield Case(part, rows.size, contestant, amount, run)
    kafka = spark.read.parquet(str(rows.file(folder, "kafka")))
    catalog = catalog_of(folder)
    amount = row_count(rows.file(folder, "kafka"))

    def with_default_batches() -> None:
        spark.conf.unset(_BATCH_ROWS)
        spark.conf.unset(_BATCH_BYTES)
        consume(
            decode_messages(kafka, VALUE, rows.message, rows.version, "FAILFAST", catalog=catalog, **FAILFAST_COLUMNS)
        )

    yield Case(DECODE, rows.size, OURS_DEFAULT_BATCHES, amount, with_default_batches)


_Frames = Iterator[tuple[str, Callable[[], "DataFrame"]]]


def _decoders(spark: SparkSession, folder: Path, rows: Rows) -> _Frames:
    kafka = spark.read.parquet(str(rows.file(folder, "kafka")))
    catalog = catalog_of(folder)
    message, version = rows.message, rows.version

    def ours(mode: str, options: ColumnOptions = FAILFAST_COLUMNS) -> DataFrame:
        return decode_messages(kafka, VALUE, message, version, mode, catalog=catalog, **options)

    column = from_kafka_message(VALUE, message, version, "FAILFAST", catalog=catalog, **FAILFAST_COLUMNS)
    yield SCAN, lambda: kafka
    yield UNTOUCHED, lambda: kafka.mapInArrow(untouched(), kafka.schema)
    yield OURS, lambda: ours("FAILFAST")
    yield OURS_PERMISSIVE, lambda: ours("PERMISSIVE")
    yield OURS_ONE_FIELD, lambda: ours("FAILFAST", {**FAILFAST_COLUMNS, "fields": [rows.field]})
    yield OURS_COLUMN, lambda: kafka.select(column.alias(MESSAGE))


def _avro_decoders(spark: SparkSession, folder: Path, rows: Rows) -> _Frames:
    def theirs(mode: str, kind: str = "avro") -> DataFrame:
        schema = rows.schema_file(folder, kind).read_text(encoding="utf-8")
        return spark.read.parquet(str(rows.file(folder, kind))).select(from_avro(VALUE, schema, {"mode": mode}))

    strict, permissive, unions = theirs("FAILFAST"), theirs("PERMISSIVE"), theirs("FAILFAST", "avro-unions")
    yield FROM_AVRO, lambda: strict
    yield FROM_AVRO_PERMISSIVE, lambda: permissive
    yield FROM_AVRO_UNIONS, lambda: unions


def _slow_decoders(spark: SparkSession, folder: Path, rows: Rows) -> _Frames:
    # Two files, for one of so few rows would be one task, and all others have both cores.
    half = spark.read.parquet(str(rows.file(folder, "few"))).repartition(2).cache()
    half.count()
    wanted = MessageColumns.of(
        catalog_of(folder).message(rows.message), rows.version, {**FAILFAST_COLUMNS, "names": "snake"}
    )
    columns = spark_schema(
        rows.message, catalog=catalog_of(folder), versions=rows.version, names="snake", uuid="binary"
    )
    schema = spark_types.StructType([spark_types.StructField(MESSAGE, columns)])
    yield KAFKA_PYTHON, lambda: half.mapInArrow(kafka_python(rows, wanted), schema)


def _encoders(spark: SparkSession, folder: Path, rows: Rows) -> _Frames:
    typed = spark.read.parquet(str(rows.file(folder, "typed")))
    schema = rows.schema_file(folder, "avro").read_text(encoding="utf-8")
    catalog = catalog_of(folder)

    encoded = to_kafka_message(MESSAGE, rows.message, rows.version, "FAILFAST", catalog=catalog)
    yield TYPED_SCAN, lambda: typed
    yield TO_AVRO, lambda: typed.select(to_avro(sql.col(MESSAGE), schema))
    yield TO_KAFKA, lambda: typed.select(encoded.alias(VALUE))
    yield ENCODE_MESSAGES, lambda: encode_messages(typed, MESSAGE, rows.message, rows.version, catalog=catalog)
    add_functions(spark, folder)
    yield ENCODE_FUNCTION, lambda: typed.select(encode_call(rows))


def _log_cases(spark: SparkSession, folder: Path, codec: str) -> Iterator[Case]:
    log = str(log_folder(folder, codec))
    amount = record_count(folder)
    for contestant, options in ((LOG_ALL, {}), (LOG_SPARK, {"columns": SPARK_COLUMNS})):
        frame = spark.read.format("kafka-log").options(**options).load(log)
        yield Case(KAFKA_LOG, codec, contestant, amount, partial(consume, frame))
