"""Records of Kafka's internal topics in DataFrames: their types and versions, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as sql
from pyspark.sql import types as spark

from messagegen_arrow.catalog import Catalog, default_catalog
from messagegen_arrow.columns.model import Names, UuidType
from messagegen_arrow.internal_topics.contents import Contents, Types
from messagegen_arrow.internal_topics.decoder import InternalTopicDecoder
from messagegen_arrow.internal_topics.reading import RecordBatch, RecordReader
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, Mode, check_mode
from messagegen_kafka._runtime.limits import DEFAULT_LIMITS, Limits
from messagegen_spark.functions.dataframes import (
    Convert,
    converted,
    kept_fields,
    mark_fields,
    result_schema,
    without_marked,
)
from messagegen_spark.schemas import spark_struct

# PySpark's annotations know neither that it is there nor that it takes any type.
_arrow_udf: Final[Any] = vars(sql)["arrow_udf"]

_OF_COLUMNS: Final[tuple[Mode, ...]] = ("PERMISSIVE", "FAILFAST")
_RECORD_COLUMNS: Final = ("key", "value", ERROR_NAME, RAW_NAME)
"""Columns of a log that the decoded ones replace."""


def from_internal_topic(  # noqa: PLR0913 - keyword arguments of a public function
    key: Column | str,
    value: Column | str,
    topic: Column | str,
    types: Types | None = None,
    mode: str = "PERMISSIVE",
    *,
    is_control: Column | str | None = None,
    catalog: Catalog | None = None,
    names: Names = "kafka",
    uuid: UuidType = "string",
    limits: Limits = DEFAULT_LIMITS,
) -> Column:
    """Decodes records of internal topics to a struct, each by its type and version; all rows may be of different ones.

    ``topic`` says whose records they are: a column, or ``lit("__consumer_offsets")``; ``is_control`` marks control records of any
    topic. The struct has ``recordType``, ``keyVersion``, ``valueVersion`` and ``isTombstone``, and the content:

    - without ``types`` as ``key`` and ``value``, JSON text in Kafka's own form;
    - with them as a struct for each of these types, under its name, null for records of other types, which then are not
      decoded. Where keys have content, it is a struct of ``key`` and ``value``. Types without fields get none. A mapping from type
      to paths, as ``{"OffsetCommit": ["key.group", "value.offset"]}``, chooses fields.

    Members of classic groups get ``consumerSubscription`` and ``consumerAssignment``, which say what the bytes beside them mean.
    Keys of SCRAM users have no columns, and configs that are passwords are ``<redacted>``.

    PERMISSIVE adds ``_error`` (``message``, ``path``, ``offset``) and ``_raw`` (``key``, ``value``): unknown topics, types and versions,
    damaged bytes, and those beyond ``limits``. FAILFAST ends the query with the first such row.

    Raises ``LookupError`` for a type that there is not, and ``ValueError`` for anything else that is asked wrongly.
    """
    contents = Contents.of(types, catalog, names=names, uuid=uuid, limits=limits)
    decoder = InternalTopicDecoder(RecordReader(contents), check_mode(mode, _OF_COLUMNS))
    schema = _schema(contents, with_errors=decoder.mode == "PERMISSIVE")

    def without_control(keys: pa.Array, values: pa.Array, topics: pa.Array) -> pa.Array:
        return decoder.decode(RecordBatch(_binary(keys), _binary(values), topics))[0]

    def with_control(keys: pa.Array, values: pa.Array, topics: pa.Array, control: pa.Array) -> pa.Array:
        return decoder.decode(RecordBatch(_binary(keys), _binary(values), topics, control))[0]

    made: Column = (
        _arrow_udf(without_control, schema)(key, value, topic)
        if is_control is None
        else _arrow_udf(with_control, schema)(key, value, topic, is_control)
    )
    return made


def schema_of_internal_topic(
    types: Types | None = None,
    mode: str = "PERMISSIVE",
    *,
    catalog: Catalog | None = None,
    names: Names = "kafka",
    uuid: UuidType = "string",
) -> spark.StructType:
    """The type of what ``from_internal_topic`` gives, with the specs' words about fields as comments; raises the same."""
    known = default_catalog() if catalog is None else catalog
    contents = Contents.of(types, known, names=names, uuid=uuid)
    return _schema(contents, with_errors=check_mode(mode) == "PERMISSIVE", catalog=known)


def decode_internal_topics(  # noqa: PLR0913 - as above
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
    """Decodes a DataFrame of records, batch or streaming, of ``kafka-log`` or of Spark's own ``kafka`` source.

    It must have the columns ``key``, ``value`` and ``topic``, unless ``topic`` names that of all. Where it has ``isControl``, control
    records are read too, and where it has the ``_error`` and ``_raw`` of damaged batches, those are handed on. The result has the
    columns ``keep`` (default: all but those that are replaced) and the fields of ``from_internal_topic``'s struct as columns.

    DROPMALFORMED leaves out rows that cannot be read. ``observe`` counts under ``rows`` all rows, and under ``malformed`` those
    that cannot be read; a name instead of an ``Observation`` is for streaming DataFrames. Raises what ``from_internal_topic`` raises.
    """
    known = default_catalog() if catalog is None else catalog
    contents = Contents.of(types, known, names=names, uuid=uuid, limits=limits)
    decoder = InternalTopicDecoder(RecordReader(contents), check_mode(mode))
    return decoded_rows(df, decoder, topic=topic, keep=keep, observe=observe, catalog=known)


def decoded_rows(
    df: DataFrame,
    decoder: InternalTopicDecoder,
    *,
    topic: str | None = None,
    keep: Sequence[str] | None = None,
    observe: Observation | str | None = None,
    catalog: Catalog,
) -> DataFrame:
    """What ``decode_internal_topics`` gives, by a decoder that is there; ``catalog`` has the comments of fields."""
    contents = decoder.reader.contents
    decoded = _schema(contents, with_errors=decoder.mode == "PERMISSIVE", catalog=catalog)
    kept = kept_fields(df, keep, _RECORD_COLUMNS)
    schema = result_schema([*kept, *decoded.fields, *mark_fields(decoder.mode)])
    arguments = _arguments(df, topic)
    convert = _convert(decoder, list(arguments))
    result = converted(df, kept, arguments.values(), convert, schema, decoder.mode)
    return without_marked(result, decoder.mode, sql.col(ERROR_NAME), observe)


def _arguments(df: DataFrame, topic: str | None) -> dict[str, Column]:
    """The columns that workers need, by the field of ``RecordBatch`` that they are for."""
    needed = ["key", "value"] if topic is not None else ["key", "value", "topic"]
    missing = [name for name in needed if name not in df.columns]
    if missing:
        advice = "; topic= names the topic of all records" if missing == ["topic"] else ""
        raise ValueError(f"the DataFrame has no column {', '.join(missing)}{advice}")
    found = {
        "keys": sql.col("key"),
        "values": sql.col("value"),
        "topics": sql.col("topic") if topic is None else sql.lit(topic),
    }
    optional = {"is_control": "isControl", "errors": ERROR_NAME, "raws": RAW_NAME}
    found |= {field: sql.col(name) for field, name in optional.items() if name in df.columns}
    return found


def _convert(decoder: InternalTopicDecoder, fields: Sequence[str]) -> Convert:
    def convert(*columns: pa.Array) -> tuple[Sequence[pa.Array], pa.BooleanArray]:
        arguments = dict(zip(fields, columns, strict=True))
        arguments |= {field: _binary(arguments[field]) for field in ("keys", "values")}
        decoded, malformed = decoder.decode(RecordBatch(**arguments))
        return decoded.flatten(), malformed

    return convert


def _binary(array: pa.Array) -> pa.BinaryArray:
    """Large binary columns are of sessions that ask for them."""
    return array if array.type == pa.binary() else array.cast(pa.binary())


def _schema(contents: Contents, *, with_errors: bool, catalog: Catalog | None = None) -> spark.StructType:
    return spark_struct(contents.arrow_schema(with_errors=with_errors, catalog=catalog))
