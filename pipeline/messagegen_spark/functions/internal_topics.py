"""Records of Kafka's internal topics, in DataFrames: their types, versions and contents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog, default_catalog
from messagegen_arrow.columns.model import Names, UuidType
from messagegen_arrow.internal_topics.contents import Contents, Types
from messagegen_arrow.internal_topics.reading import RecordBatch, RecordReader
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, check_mode
from messagegen_kafka._runtime.errors import DEFAULT_LIMITS, Limits
from messagegen_spark.functions.dataframes import (
    Convert,
    converted,
    kept_fields,
    mark_fields,
    result_schema,
    without_marked,
)
from messagegen_spark.schemas import spark_struct

_RECORD_COLUMNS: Final = ("key", "value", ERROR_NAME, RAW_NAME)
"""The columns of a log that the decoded columns replace."""


def decode_internal_topics(  # noqa: PLR0913 - keyword arguments of a public function
    df: DataFrame,
    types: Types | None = None,
    mode: str = "PERMISSIVE",
    *,
    topic: str | None = None,
    keep: Sequence[str] | None = None,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
    names: Names = "kafka",
    uuid: UuidType = "string",
    limits: Limits = DEFAULT_LIMITS,
) -> DataFrame:
    """Decode the records in a batch or streaming DataFrame from ``kafka-log`` or Spark's own ``kafka`` source.

    Arguments, columns, modes and errors are as in ``messagegen_arrow.decode_internal_topics``. ``observe`` counts all
    rows under ``rows``, and malformed rows under ``malformed``. For streaming DataFrames, it is a name instead of an
    ``Observation``.
    """
    known = default_catalog() if catalog is None else catalog
    contents = Contents.of(types, known, names=names, uuid=uuid, limits=limits)
    reader = RecordReader(contents, check_mode(mode))
    decoded = spark_struct(contents.arrow_schema(with_errors=reader.mode == "PERMISSIVE", catalog=known))
    kept = kept_fields(df, keep, _RECORD_COLUMNS)
    schema = result_schema([*kept, *decoded.fields, *mark_fields(reader.mode)])
    arguments = _arguments(df, topic)
    convert = _convert(reader, list(arguments))
    result = converted(df, kept, arguments.values(), convert, schema, reader.mode)
    return without_marked(result, reader.mode, sql.col(ERROR_NAME), observe)


def _arguments(df: DataFrame, topic: str | None) -> dict[str, Column]:
    """Return the columns that workers need, by their field in ``RecordBatch``."""
    needed = ["key", "value"] if topic is not None else ["key", "value", "topic"]
    missing = [name for name in needed if name not in df.columns]
    if missing:
        advice = "; if all records are of one topic, pass topic=" if missing == ["topic"] else ""
        raise ValueError(f"the DataFrame has no column {', '.join(missing)}{advice}")
    found = {
        "keys": sql.col("key"),
        "values": sql.col("value"),
        "topics": sql.col("topic") if topic is None else sql.lit(topic),
    }
    optional = {"is_control": "isControl", "errors": ERROR_NAME, "raws": RAW_NAME}
    found |= {field: sql.col(name) for field, name in optional.items() if name in df.columns}
    return found


def _convert(reader: RecordReader, fields: Sequence[str]) -> Convert:
    def convert(*columns: pa.Array) -> tuple[Sequence[pa.Array], pa.BooleanArray]:
        arguments = dict(zip(fields, columns, strict=True))
        arguments |= {field: _binary(arguments[field]) for field in ("keys", "values")}
        decoded, malformed = reader.read(RecordBatch(**arguments))
        return decoded.flatten(), malformed

    return convert


def _binary(array: pa.Array) -> pa.BinaryArray:
    """Return a column as ``binary``, because sessions can be configured to use ``large_binary``."""
    return array if array.type == pa.binary() else array.cast(pa.binary())
