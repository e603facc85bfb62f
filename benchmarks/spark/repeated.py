"""The same data several times in one query.

Memory may not grow with it, and the gain of a second core shows where what each query costs anyway is a small part.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.spark.fused import message_options, read_log
from benchmarks.spark.inputs import FAILFAST_COLUMNS, ROWS, SMALL, VALUE, catalog_of
from benchmarks.spark.logs import log_folder
from benchmarks.spark.message_logs import copies, message_log
from benchmarks.spark.names import KAFKA_LOG, LOG_MESSAGE, SPARK_COLUMNS
from messagegen_spark import decode_messages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def repeated(spark: SparkSession, folder: Path, what: str, times: int) -> DataFrame:
    """Decoded rows of a size (``small``, ``large``), or a source, by its name in ``names``.

    Each file is read ``times`` times.
    """
    if what == KAFKA_LOG:
        return read_log(spark, copies(log_folder(folder, "lz4"), times), columns=SPARK_COLUMNS)
    if what == LOG_MESSAGE:
        return read_log(spark, copies(message_log(folder, "small-kafka"), times), **message_options(folder, SMALL))
    (rows,) = (rows for rows in ROWS if rows.size == what)
    frame = spark.read.parquet(*[str(rows.file(folder, "kafka"))] * times)
    return decode_messages(
        frame, VALUE, rows.message, rows.version, "FAILFAST", catalog=catalog_of(folder), **FAILFAST_COLUMNS
    )
