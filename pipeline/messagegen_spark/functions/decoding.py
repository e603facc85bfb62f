"""Decoding the messages in a column of a DataFrame, in the JVM or in Python workers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as sql
from pyspark.sql import types as spark

from messagegen_arrow.catalog import Catalog, MessageClass, MessageTable, message_table
from messagegen_arrow.columns.message_decoder import MessageDecoder, decoded_fields
from messagegen_arrow.columns.model import ColumnOptions
from messagegen_arrow.columns.row_errors import ERROR_COLUMNS, with_row_errors
from messagegen_arrow.malformed import ERROR_NAME, Mode, check_mode
from messagegen_spark.functions.dataframes import (
    converted,
    errors_of_rows,
    kept_fields,
    mark_fields,
    quoted,
    result_schema,
    without_marked,
)
from messagegen_spark.functions.jvm_decoding import JvmCall
from messagegen_spark.jvm.catalog import jvm_call
from messagegen_spark.schemas import spark_struct


def decode_messages(  # noqa: PLR0913 - keyword arguments of a public function
    df: DataFrame,
    column: Column | str,
    message: str | MessageTable | MessageClass,
    version: int | Column | str,
    mode: str = "PERMISSIVE",
    *,
    into: str | None = "message",
    keep: Sequence[str] | None = None,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
    include_secrets: bool = False,
    **options: Unpack[ColumnOptions],
) -> DataFrame:
    """Decode a byte column of a batch or streaming DataFrame; each value is one message without a header or frame.

    ``version`` is the version of all messages, or a column of integers (or its name) with the version of each row. The
    message then has the fields of all versions, and fields that a row's version lacks are null. A null value becomes
    null.

    The result has the columns ``keep`` (default: all except ``column``, if that is a name) and a struct column
    ``into``. With ``into=None``, the message's fields are columns. Spark cannot push a later ``select`` into this
    function, so select the fields with ``fields`` and the other columns with ``keep``.

    In mode PERMISSIVE, the struct ends with ``_error`` (``message``, ``path``, ``offset``), null for valid rows, and
    ``_raw``, the bytes of malformed rows. If ``_error`` or ``_raw`` of ``kafka-log`` are among the kept columns, they
    get the errors of messages instead. The message of a row with an error is then null. FAILFAST ends the query at the
    first malformed row, and DROPMALFORMED leaves such rows out. ``observe`` counts all rows under ``rows``, and
    malformed rows under ``malformed``. For streaming DataFrames, it is a name instead of an ``Observation``.

    Unless ``include_secrets`` is set, sensitive fields get no column. Config values that are passwords are
    ``<redacted>``, and so is ``_raw`` of a message that may contain secrets. ``ColumnOptions`` lists the other options.

    The JVM decodes if the session has the catalog from ``register(spark, messages=...)``, with the same plan of the
    message. Otherwise, Python workers decode with Arrow, to the same rows and errors.

    Raises ``LookupError`` for an unknown message or version, and ``ValueError`` for other invalid arguments and if two
    columns have the same name.
    """
    table = message_table(message, catalog)
    fixed = version if isinstance(version, int) else None
    checked = check_mode(mode)
    decoder = MessageDecoder.of(table, fixed, checked, options, include_secrets=include_secrets)
    kept = kept_fields(df, keep, replaced=[column] if isinstance(column, str) else [])
    of_rows = errors_of_rows(kept) if checked == "PERMISSIVE" else []
    kept = [field for field in kept if field.name not in of_rows]
    decoded = spark_struct(decoded_fields(decoder.wanted, checked, table))
    schema = _schema(kept, decoded, checked, into, has_errors_of_rows=bool(of_rows))

    call = jvm_call(df.sparkSession, column, version, decoder)
    if call is not None:
        value = sql.col(column) if isinstance(column, str) else column
        fields = [field.name for field in decoder.wanted.columns]
        decoded_rows = JvmCall(call, value, kept, of_rows, fields, checked, into).decoded(df)
    else:
        # Workers receive these values with the function.
        work = _Work(decoder, tuple(of_rows), into)
        arguments = (column, version, *(sql.col(name) for name in of_rows))
        decoded_rows = converted(df, kept, arguments, work, schema, checked)
    is_in_struct = into is not None and not of_rows
    error = sql.col(f"{quoted(into or '')}.{ERROR_NAME}" if is_in_struct else quoted(ERROR_NAME))
    return without_marked(decoded_rows, checked, error, observe)


@dataclass(frozen=True, slots=True)
class _Work:
    """Decodes the columns of a batch in workers; it is small, and can be pickled."""

    decoder: MessageDecoder
    errors_of_rows: tuple[str, ...]
    """The error columns of rows that also get the errors of messages; they are the last arguments."""
    into: str | None

    def __call__(self, *columns: pa.Array) -> tuple[Sequence[pa.Array], pa.BooleanArray]:
        """Return the message, as a struct or as columns; the errors of rows; and which messages are malformed."""
        count = len(columns) - len(self.errors_of_rows)
        decoded, malformed = self.decoder.decode(*columns[:count])
        errors: list[pa.Array] = []
        if self.errors_of_rows:
            given = dict(zip(self.errors_of_rows, columns[count:], strict=True))
            decoded, *errors = with_row_errors(decoded, self.into or "", *(given.get(name) for name in ERROR_COLUMNS))
        message = decoded.flatten() if self.into is None else [decoded]
        return [*message, *errors], malformed


def _schema(
    kept: Sequence[spark.StructField],
    decoded: spark.StructType,
    mode: Mode,
    into: str | None,
    *,
    has_errors_of_rows: bool,
) -> spark.StructType:
    """Return the schema of the workers' result: kept columns, message, errors of rows, mark for DROPMALFORMED."""
    own = list(decoded.fields)
    errors: list[spark.StructField] = []
    if has_errors_of_rows:
        # These two fields of the message become columns.
        *own, error, raw = own
        errors = [error, raw]
    message = own if into is None else [spark.StructField(into, spark.StructType(own))]
    advice = "leave them out of keep=, or choose a different name in into="
    return result_schema([*kept, *message, *errors, *mark_fields(mode)], advice)
