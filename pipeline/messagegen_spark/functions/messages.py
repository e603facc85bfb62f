"""Kafka messages in columns of DataFrames, in the manner of ``from_avro`` and ``to_avro``."""

from __future__ import annotations

from typing import Any, Final, Unpack

import pyarrow as pa
from pyspark.sql import Column, SparkSession, functions
from pyspark.sql import types as spark

from messagegen_arrow.catalog import Catalog, MessageClass, MessageTable, message_table
from messagegen_arrow.columns.message_decoder import MessageDecoder, decoded_fields
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns
from messagegen_arrow.malformed import Mode, check_mode
from messagegen_spark.functions.encoding import MessageEncoder
from messagegen_spark.functions.workers import keep_imports
from messagegen_spark.jvm.catalog import jvm_call, jvm_encoder
from messagegen_spark.schemas import spark_struct

# PySpark's annotations know neither that it is there nor that it takes any type.
_arrow_udf: Final[Any] = vars(functions)["arrow_udf"]

_OF_COLUMNS: Final[tuple[Mode, ...]] = ("PERMISSIVE", "FAILFAST")


def schema_of_kafka_message(
    message: str | MessageTable | MessageClass,
    version: int | None = None,
    mode: str = "PERMISSIVE",
    *,
    catalog: Catalog | None = None,
    include_secrets: bool = False,
    **options: Unpack[ColumnOptions],
) -> spark.StructType:
    """The type of what ``from_kafka_message`` gives; ``None`` means that each row has its own version.

    It is ``spark_schema`` without fields that are secret, unless ``include_secrets``, and, under PERMISSIVE, ``_error``
    and ``_raw``.
    """
    table = message_table(message, catalog)
    decoder = MessageDecoder.of(table, version, check_mode(mode), options, include_secrets=include_secrets)
    return decoded_schema(decoder.wanted, decoder.mode, table)


def decoded_schema(wanted: MessageColumns, mode: Mode, table: MessageTable | None) -> spark.StructType:
    """``schema_of_kafka_message`` for options that are checked already; without a table, without comments."""
    return spark_struct(decoded_fields(wanted, mode, table))


def from_kafka_message(
    column: Column | str,
    message: str | MessageTable | MessageClass,
    version: int | Column | str,
    mode: str = "PERMISSIVE",
    *,
    catalog: Catalog | None = None,
    include_secrets: bool = False,
    **options: Unpack[ColumnOptions],
) -> Column:
    """Decodes a column of bytes, each one message without header or frame, to a struct.

    ``version`` is the version of all messages, or a column of integers (or its name) that has it for each row; then the
    struct has the fields of all versions, and those that a row's version lacks are null. ``ColumnOptions`` has the
    options.

    Under PERMISSIVE the struct ends with ``_error`` (``message``, ``path``, ``offset``), null for rows that are right,
    and ``_raw``, the bytes of a row that is not. FAILFAST ends the query with the first such row. Null gives null.

    Fields that are secret get no column, passwords among configs are ``<redacted>``, and so is ``_raw`` of a message
    that may hold them, unless ``include_secrets``.

    If the active session has the catalog of ``register(spark, messages=...)``, and the same plan of the message in it,
    the JVM decodes, and not Python; the struct has comments then.

    Raises ``LookupError`` for a message or a version that there is not, ``ValueError`` for anything else that is asked
    wrongly.
    """
    table = message_table(message, catalog)
    fixed = version if isinstance(version, int) else None
    checked = check_mode(mode, _OF_COLUMNS)
    decoder = MessageDecoder.of(table, fixed, checked, options, include_secrets=include_secrets)
    call = jvm_call(SparkSession.getActiveSession(), column, version, decoder)
    if call is not None:
        return call
    # Spark compares the types of results with this one, and takes what comes from Python to have no comments.
    return _column_function(decoder, decoded_schema(decoder.wanted, checked, None), column, version)


def register_function(
    spark_session: SparkSession,
    name: str,
    message: str | MessageTable | MessageClass,
    version: int | None = None,
    mode: str = "PERMISSIVE",
    *,
    catalog: Catalog | None = None,
    include_secrets: bool = False,
    **options: Unpack[ColumnOptions],
) -> None:
    """Makes ``from_kafka_message`` of one message a function of SQL: ``SELECT offset_commit_value(value) FROM logs``.

    Without ``version`` it takes the version of each row as its second argument: ``offset_commit_value(value,
    version)``. It is there until the session ends, and replaces a temporary function of that name. Raises what
    ``from_kafka_message`` raises.
    """
    table = message_table(message, catalog)
    checked = check_mode(mode, _OF_COLUMNS)
    decoder = MessageDecoder.of(table, version, checked, options, include_secrets=include_secrets)
    function = _function(decoder, decoded_schema(decoder.wanted, checked, None), takes_version=version is None)
    spark_session.udf.register(name, function)


def to_kafka_message(
    column: Column | str,
    message: str | MessageTable | MessageClass,
    version: int | Column | str,
    mode: str = "FAILFAST",
    *,
    catalog: Catalog | None = None,
) -> Column:
    """Encodes a column of structs, as ``from_kafka_message`` gives them, to the bytes of messages; null gives null.

    The fields of the struct may be in any order, under Kafka's names or in snake case. A field that is not there takes
    its default. Null is null where the version allows it, the default of a field that the version does not have, and an
    error elsewhere; so is anything but the default in a field that the version does not have, unless the spec calls it
    ignorable. ``_error`` and ``_raw`` are passed over, except that a row with an ``_error`` is an error again.

    FAILFAST ends the query with the first row that cannot be written; PERMISSIVE gives a struct of ``value`` and
    ``_error`` (``message``, ``path``), of which one is null. The JVM encodes where it decodes for
    ``from_kafka_message``. Raises what ``from_kafka_message`` raises.
    """
    table = message_table(message, catalog)
    fixed = version if isinstance(version, int) else None
    encoder = MessageEncoder.of(table, fixed, check_mode(mode, _OF_COLUMNS))
    function = jvm_encoder(SparkSession.getActiveSession(), table, encoder.mode)
    if function is not None:
        return function.call(column, version)
    return _column_function(encoder, encoder.type, column, version)


def _column_function(
    work: MessageDecoder | MessageEncoder, type_: spark.DataType, column: Column | str, version: int | Column | str
) -> Column:
    """The function of one column, or of that and the versions."""
    takes_version = not isinstance(version, int)
    arguments = (column, version) if takes_version else (column,)
    made: Column = _function(work, type_, takes_version=takes_version)(*arguments)
    return made


def _function(work: MessageDecoder | MessageEncoder, type_: spark.DataType, *, takes_version: bool) -> Any:
    """A function of Spark; it learns its kind from the annotations."""

    def of_one(values: pa.Array) -> pa.Array:
        keep_imports()
        return work(values)

    def of_two(values: pa.Array, versions: pa.Array) -> pa.Array:
        keep_imports()
        return work(values, versions)

    return _arrow_udf(of_two if takes_version else of_one, type_)
