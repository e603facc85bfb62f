"""Bodies of requests and responses out of the frames of a capture: what stands before them are headers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql import types as spark

from kafka_messages import DecodeError, RequestHeader, ResponseHeader, UnsupportedVersionError
from messagegen_spark.catalog import MessageTable

_SCHEMA: Final = spark.StructType(
    [spark.StructField("value", spark.BinaryType()), spark.StructField("version", spark.IntegerType())]
)


def bodies_of(frame: DataFrame, table: MessageTable) -> DataFrame:
    """The bodies of a request or response, as ``value`` and ``version``, out of the columns of ``kafka-capture``.

    A frame whose header cannot be read has a body of no bytes, so that it counts as malformed. Raises ``ValueError`` for a
    message that is neither request nor response.
    """
    if table.kind not in {"request", "response"}:
        raise ValueError(f"{table.name} is no request and no response, so captures hold none")
    wanted = (sql.col("direction") == table.kind) & (sql.col("apiKey") == table.api_key) & sql.col("frame").isNotNull()
    rows = frame.where(wanted).select("frame", sql.col("apiVersion").cast("int"))

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            versions = batch.column(1)
            pairs = zip(batch.column(0).to_pylist(), versions.to_pylist(), strict=True)
            values = pa.array([_body(table, data, version) for data, version in pairs], pa.binary())
            yield pa.RecordBatch.from_arrays([values, versions], _SCHEMA.names)

    return rows.mapInArrow(work, _SCHEMA)


def _body(table: MessageTable, data: bytes, version: int) -> bytes:
    header = RequestHeader if table.kind == "request" else ResponseHeader
    try:
        _, offset = header.decode_from(data, version=table.header_version(version))
    except (DecodeError, UnsupportedVersionError, LookupError):
        return b""
    return data[offset:]
