"""Kafka frames in DataFrames: header and body of requests and responses, each by its own message and version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Unpack

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation, Window
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.columns.model import ColumnOptions
from messagegen_arrow.frames.columns import FrameBatch, FrameReader
from messagegen_arrow.frames.fields import frame_fields
from messagegen_arrow.frames.parsing import FrameMessages
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, Mode, check_mode, fail_on_first
from messagegen_spark.functions.dataframes import (
    Convert,
    converted,
    kept_fields,
    observed,
    quoted,
    result_schema,
)
from messagegen_spark.schemas import spark_struct

_FRAME: Final = "frame"
_NEEDED: Final = {"frames": _FRAME, "directions": "direction", "api_keys": "apiKey", "api_versions": "apiVersion"}
"""The columns that workers need, by the field of ``FrameBatch`` that they are for."""
_OPTIONAL: Final = {"errors": ERROR_NAME, "raws": RAW_NAME}


def from_kafka_frame(
    df: DataFrame,
    message: str | MessageTable | None = None,
    mode: str = "PERMISSIVE",
    *,
    keep: Sequence[str] | None = None,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
    include_secrets: bool = False,
    **options: Unpack[ColumnOptions],
) -> DataFrame:
    """Decodes frames, as ``kafka-capture`` gives them: header and body, each by its own message and version.

    The DataFrame, batch or streaming, has ``frame`` (the bytes without size), ``direction`` (``request`` or ``response``), ``apiKey`` and
    ``apiVersion``, those of a response being the ones of its request. Without the last two, ``pair_frames`` finds them. The result
    has the columns ``keep`` (default: all but ``frame``), and

    - ``apiName``, as ``Metadata``, and ``messageVersion``, the version of the body;
    - ``header``: ``version``, ``requestApiKey``, ``requestApiVersion``, ``correlationId``, ``clientId`` and unknown tagged fields; of a
      response, the request's are null;
    - without ``message`` all frames with ``bodyJson``, in the form of Kafka's own ``JsonConverter`` classes; with it the frames of
      that request or response alone, with the struct ``body``, for which ``ColumnOptions`` has the options.

    PERMISSIVE adds ``_error`` (``message``, ``path``, ``offset`` in bytes from the start of the frame) and ``_raw``; what the source
    says of rows without whole frames is handed on there. FAILFAST ends the query with the first such row, DROPMALFORMED leaves
    them out. ``observe`` counts under ``rows`` all rows, and under ``malformed`` those that can't be read.

    Fields that are secret (SASL, SCRAM, delegation tokens) are left out and passwords among configs are ``<redacted>``, unless
    ``include_secrets``. ``catalog`` is that of the specs that the traffic follows; the default one has the messages of
    ``messagegen_kafka`` only. Raises what ``from_kafka_message`` raises.
    """
    known = FrameMessages.of(catalog)
    table = None if message is None else message_table(message, catalog)
    if table is not None:
        known = known.only(table)
    elif set(options) - {"unknown_tagged_fields", "names", "uuid", "limits"}:
        raise ValueError("versions and fields need message=")
    reader = FrameReader(known, _pickled(options), is_json=table is None, include_secrets=include_secrets)
    checked = check_mode(mode)
    paired = df if {"apiKey", "apiVersion"} <= set(df.columns) else pair_frames(df)
    if table is not None:
        paired = paired.where((sql.col("direction") == table.kind) & (sql.col("apiKey") == table.api_key))
    kept = kept_fields(paired, keep, (_FRAME, ERROR_NAME, RAW_NAME))
    schema = result_schema([*kept, *spark_struct(frame_fields(reader, table)).fields])
    arguments = _arguments(paired)
    # Rows are dropped by their errors, so they need no marks.
    decoded = converted(
        paired, kept, arguments.values(), _convert(reader, checked, list(arguments)), schema, "PERMISSIVE"
    )
    return _counted(decoded, checked, observe)


def pair_frames(
    df: DataFrame, connection: str | Sequence[str] = "connection", time: str = "time", column: str = _FRAME
) -> DataFrame:
    """Adds ``apiKey``, ``apiVersion``, ``correlationId`` and ``requestTime`` to frames whose source does not know them.

    A response gets them from the last request with its correlation id on its ``connection`` (one column or several) that is
    not later than it; null without one. Columns of these names are replaced. Rows are put together by connection and
    correlation id, which is one shuffle; streaming frames can't be. ``kafka-capture`` has paired its frames already.
    """
    names = [connection] if isinstance(connection, str) else list(connection)
    missing = [name for name in (*names, time, column, "direction") if name not in df.columns]
    if missing:
        raise ValueError(
            f"pairing frames needs the columns {', '.join(missing)}; the DataFrame has {', '.join(df.columns)}"
        )
    is_request = sql.col("direction") == "request"
    frames = df.withColumn(
        "correlationId", sql.when(is_request, _integer(column, 5, 4)).otherwise(_integer(column, 1, 4)).cast("int")
    )
    asked = sql.struct(
        _integer(column, 1, 2).cast("smallint").alias("apiKey"),
        _integer(column, 3, 2).cast("smallint").alias("apiVersion"),
        sql.col(quoted(time)).alias("requestTime"),
    )
    until_now = (
        Window.partitionBy(*map(quoted, names), "correlationId")
        .orderBy(sql.col(quoted(time)), sql.col("direction"))
        .rowsBetween(Window.unboundedPreceding, Window.currentRow)
    )
    request = sql.last(sql.when(is_request, asked), ignorenulls=True).over(until_now)
    return (
        frames.withColumn("_request", request)
        .withColumn("apiKey", sql.col("_request.apiKey"))
        .withColumn("apiVersion", sql.col("_request.apiVersion"))
        .withColumn("requestTime", sql.when(~is_request, sql.col("_request.requestTime")))
        .drop("_request")
    )


def _integer(column: str, first: int, width: int) -> Column:
    """The big-endian signed integer at a place (from 1) of a column of bytes; null where it is shorter."""
    part = sql.substring(sql.col(quoted(column)), first, width)
    unsigned = sql.conv(sql.hex(part), 16, 10).cast("bigint")
    signed = sql.when(unsigned >= 1 << (8 * width - 1), unsigned - (1 << (8 * width))).otherwise(unsigned)
    return sql.when(sql.octet_length(part) == width, signed)


def _pickled(options: ColumnOptions) -> ColumnOptions:
    """The options with plain values, as they travel to workers."""
    plain: ColumnOptions = {**options}
    versions = plain.get("versions")
    if versions is not None and not isinstance(versions, int):
        plain["versions"] = tuple(versions)
    return plain


def _arguments(df: DataFrame) -> dict[str, Column]:
    missing = [name for name in _NEEDED.values() if name not in df.columns]
    if missing:
        raise ValueError(f"the DataFrame has no column {', '.join(missing)}; its columns are {', '.join(df.columns)}")
    present = _NEEDED | {field: name for field, name in _OPTIONAL.items() if name in df.columns}
    return {field: sql.col(name) for field, name in present.items()}


def _convert(reader: FrameReader, mode: Mode, fields: Sequence[str]) -> Convert:
    def convert(*columns: pa.Array) -> tuple[Sequence[pa.Array], pa.BooleanArray]:
        arguments = dict(zip(fields, columns, strict=True))
        for name in {"frames", "raws"} & arguments.keys():
            arguments[name] = arguments[name].cast(pa.binary())
        decoded = reader.read(FrameBatch(**arguments))
        errors = decoded.column(ERROR_NAME)
        if mode == "FAILFAST":
            fail_on_first(errors, *map(decoded.column, ("apiName", "messageVersion")))
        return decoded.columns, errors.is_valid()

    return convert


def _counted(df: DataFrame, mode: Mode, observe: Observation | str | None) -> DataFrame:
    is_malformed = sql.col(ERROR_NAME).isNotNull()
    df = observed(df, is_malformed, observe)
    if mode == "DROPMALFORMED":
        df = df.where(~is_malformed)
    return df if mode == "PERMISSIVE" else df.drop(ERROR_NAME, RAW_NAME)
