"""Logs to typed columns: decoded where they are read, beside reading first and ``from_avro`` then."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyspark.sql import functions as sql
from pyspark.sql.avro.functions import from_avro, to_avro
from pyspark.sql.types import StructField, StructType

from benchmarks.spark.inputs import MESSAGE, ROWS, VALUE, Rows, avro_schema, catalog_of, row_count
from benchmarks.spark.message_logs import message_log, pairs, write_message_log
from benchmarks.spark.names import (
    COMMITS,
    FUSED,
    FUSED_FIELD,
    FUSED_PARQUET,
    FUSED_STREAM,
    LOG_AVRO,
    LOG_AVRO_FIELD,
    LOG_AVRO_PARQUET,
    LOG_AVRO_STREAM,
    LOG_DECODE,
)
from messagegen_arrow import decode_arrow, default_catalog
from messagegen_spark import decode_messages, schema_of_internal_topic, spark_schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_STRICT: Final = {"mode": "FAILFAST"}
_COMMIT_COUNT: Final = 600_000
_DISTINCT: Final = 1000
_COMMIT_VERSION: Final = 3
_COMMIT_FIELD: Final = {"OffsetCommit": ["value.offset"]}

Question = tuple[str, str, int, Callable[[], object]]
"""Data, contestant, rows, and what asks."""


def write_logs_of_rows(spark: SparkSession, folder: Path, rows: Rows) -> None:
    """Writes the logs of these messages, in both forms; the Avro form must be there."""
    count = row_count(rows.file(folder, "kafka"))
    for form in ("kafka", "avro"):
        values = spark.read.parquet(str(rows.file(folder, form))).limit(rows.distinct).toArrow().column(VALUE)
        write_message_log(message_log(folder, f"{rows.size}-{form}"), pairs(values.combine_chunks()), count)


def write_commits(spark: SparkSession, folder: Path, scale: float) -> None:
    """Writes a log of commits as ``__consumer_offsets`` has them, and the same with keys and values in Avro."""
    import messagegen_kafka as kafka  # noqa: PLC0415 - loaded where messages are made

    keys = [
        kafka.OffsetCommitKey(group=f"group-{at % 40:03}", topic=f"topic-{at % 50:02}", partition=at % 8).encode(
            version=0
        )
        for at in range(_DISTINCT)
    ]
    values = [
        kafka.OffsetCommitValue(
            offset=1_000_003 * at, leader_epoch=5, metadata="", commit_timestamp=10**12 + at
        ).encode(version=_COMMIT_VERSION)
        for at in range(_DISTINCT)
    ]
    count = max(_DISTINCT, int(_COMMIT_COUNT * scale))
    prefixed = [(b"\0\1" + key, b"\0\3" + value) for key, value in zip(keys, values, strict=True)]
    write_message_log(message_log(folder, "__consumer_offsets"), prefixed, count)
    columns = []
    for name, data, version in (("OffsetCommitKey", keys, 0), ("OffsetCommitValue", values, _COMMIT_VERSION)):
        decoded = decode_arrow(pa.array(data, pa.binary()), name, version, catalog=default_catalog())
        typed = pa.StructArray.from_arrays(decoded.flatten()[:-1], fields=list(decoded.type)[:-1])
        schema = avro_schema(typed, name)
        (folder / f"{name}.avsc").write_text(schema, encoding="utf-8")
        frame = spark.createDataFrame(pa.table({MESSAGE: typed}))
        columns.append([row[0] for row in frame.select(to_avro(sql.col(MESSAGE), schema)).collect()])
    write_message_log(message_log(folder, f"{COMMITS}-avro"), list(zip(*columns, strict=True)), count)


def questions(spark: SparkSession, folder: Path, consume: Callable[[DataFrame], None]) -> Iterator[Question]:
    """What is asked, in order."""
    for rows in ROWS:
        amount = row_count(rows.file(folder, "kafka"))
        for contestant, frame in _of_rows(spark, folder, rows):
            yield rows.size, contestant, amount, partial(_ask, consume, frame)
    amount = _read(spark, message_log(folder, "__consumer_offsets"), columns="offset").count()
    for contestant, frame in _of_commits(spark, folder):
        yield COMMITS, contestant, amount, partial(_ask, consume, frame)
    for rows in ROWS:
        amount = row_count(rows.file(folder, "kafka"))
        for contestant, frame in _streams(spark, folder, rows):
            yield rows.size, contestant, amount, partial(_ask, _run, frame)
        for contestant, write in _writers(spark, folder, rows):
            yield rows.size, contestant, amount, partial(_write, write)


def _ask(consume: Callable[[DataFrame], None], make: Callable[[], DataFrame]) -> None:
    consume(make())


def read_log(
    spark: SparkSession, logs: Sequence[Path], *, schema: StructType | None = None, **options: str
) -> DataFrame:
    """What is in logs, as ``kafka-log`` gives it; ``schema`` chooses columns and fields."""
    reader = spark.read.format("kafka-log").options(**options)
    return (reader if schema is None else reader.schema(schema)).load([str(log) for log in logs])


def message_options(rows: Rows) -> dict[str, Any]:
    """What has values of these rows decoded where they are read."""
    return {"message": rows.message, "version": str(rows.version), "uuid": "binary", "columns": MESSAGE}


def commit_options() -> dict[str, Any]:
    """What has commits decoded where they are read."""
    return {"types": "OffsetCommit", "columns": "OffsetCommit"}


def _read(spark: SparkSession, log: Path, *, schema: StructType | None = None, **options: str) -> DataFrame:
    return read_log(spark, [log], schema=schema, **options)


def _schema_of_field(folder: Path, rows: Rows) -> StructType:
    """The column of messages, with one field of them alone."""
    one = spark_schema(
        rows.message, catalog=catalog_of(folder), versions=rows.version, fields=[rows.field], uuid="binary"
    )
    return StructType([StructField(MESSAGE, one)])


def _of_rows(spark: SparkSession, folder: Path, rows: Rows) -> Iterator[tuple[str, Callable[[], DataFrame]]]:
    kafka, avro = (message_log(folder, f"{rows.size}-{form}") for form in ("kafka", "avro"))
    schema = rows.schema_file(folder, "avro").read_text(encoding="utf-8")
    decoded = from_avro(VALUE, schema, _STRICT)
    *outer, name = rows.field.split(".")
    one = sql.transform(decoded[outer[0]][outer[1]], lambda each: each[name])
    message = message_options(rows)

    def ours() -> DataFrame:
        return decode_messages(
            _read(spark, kafka, columns=VALUE),
            VALUE,
            rows.message,
            rows.version,
            "FAILFAST",
            catalog=catalog_of(folder),
            uuid="binary",
        )

    yield LOG_AVRO, lambda: _read(spark, avro, columns=VALUE).select(decoded)
    yield LOG_AVRO_FIELD, lambda: _read(spark, avro, columns=VALUE).select(one)
    yield LOG_DECODE, ours
    yield FUSED, lambda: _read(spark, kafka, **message)
    yield FUSED_FIELD, lambda: _read(spark, kafka, schema=_schema_of_field(folder, rows), **message)


def _of_commits(spark: SparkSession, folder: Path) -> Iterator[tuple[str, Callable[[], DataFrame]]]:
    log, avro = message_log(folder, "__consumer_offsets"), message_log(folder, f"{COMMITS}-avro")
    key, value = (
        from_avro(name, (folder / f"OffsetCommit{name.title()}.avsc").read_text(encoding="utf-8"), _STRICT)
        for name in ("key", "value")
    )
    types = commit_options()
    yield LOG_AVRO, lambda: _read(spark, avro, columns="key,value").select(key, value)
    yield LOG_AVRO_FIELD, lambda: _read(spark, avro, columns="value").select(value["offset"])
    yield FUSED, lambda: _read(spark, log, **types)
    one = StructType([schema_of_internal_topic(_COMMIT_FIELD, "FAILFAST")["OffsetCommit"]])
    yield FUSED_FIELD, lambda: _read(spark, log, schema=one, **types)


def _writers(spark: SparkSession, folder: Path, rows: Rows) -> Iterator[tuple[str, Callable[[Path], object]]]:
    kafka, avro = (message_log(folder, f"{rows.size}-{form}") for form in ("kafka", "avro"))
    decoded = from_avro(VALUE, rows.schema_file(folder, "avro").read_text(encoding="utf-8"), _STRICT)
    message = message_options(rows)
    yield LOG_AVRO_PARQUET, lambda out: _read(spark, avro, columns=VALUE).select(decoded).write.parquet(f"file://{out}")
    yield FUSED_PARQUET, lambda out: _read(spark, kafka, **message).write.parquet(f"file://{out}")


def _write(write: Callable[[Path], object]) -> None:
    with tempfile.TemporaryDirectory(prefix="messagegen-benchmarks-") as scratch:
        write(Path(scratch) / "out")


def _streams(spark: SparkSession, folder: Path, rows: Rows) -> Iterator[tuple[str, Callable[[], DataFrame]]]:
    kafka, avro = (str(message_log(folder, f"{rows.size}-{form}")) for form in ("kafka", "avro"))
    schema = rows.schema_file(folder, "avro").read_text(encoding="utf-8")

    def read(log: str, **options: Any) -> DataFrame:
        return spark.readStream.format("kafka-log").options(**options).load(log)

    message = message_options(rows)
    yield LOG_AVRO_STREAM, lambda: read(avro, columns=VALUE).select(from_avro(VALUE, schema, _STRICT))
    yield FUSED_STREAM, lambda: read(kafka, **message)


def _run(frame: DataFrame) -> None:
    """Reads all that there is in one micro-batch, as a query that starts anew."""
    checkpoint = tempfile.mkdtemp(prefix="messagegen-benchmarks-")
    try:
        query = (
            frame.writeStream.format("noop").option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
        )
        query.awaitTermination()
    finally:
        shutil.rmtree(checkpoint, ignore_errors=True)
