"""Messages out of DataFrames of logs and captures, by the functions of ``messagegen_arrow.advisor.sources``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame

from messagegen_arrow.advisor.sources import (
    FRAME_COLUMNS,
    RECORD_COLUMNS,
    VALUES,
    bodies_of_batch,
    check_has_version,
    records_of_batch,
)
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.frames.parsing import FrameMessages
from messagegen_spark.schemas import spark_struct


def bodies_of(df: DataFrame, table: MessageTable) -> DataFrame:
    """The bodies of a request or response, as ``value`` and ``version``, out of the columns of ``kafka-capture``.

    Raises ``ValueError`` for a message that is neither request nor response.
    """
    messages = FrameMessages.of().only(table)

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return (bodies_of_batch(batch, table, messages) for batch in batches)

    return df.select(*FRAME_COLUMNS).mapInArrow(work, spark_struct(VALUES))


def records_of(df: DataFrame, table: MessageTable) -> DataFrame:
    """The records of a message, as ``value`` and ``version``, out of the columns of ``kafka-log``.

    Raises ``ValueError`` for a message whose version the log does not have.
    """
    check_has_version(table)

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return (records_of_batch(batch, table) for batch in batches)

    return df.select(*RECORD_COLUMNS).mapInArrow(work, spark_struct(VALUES))
