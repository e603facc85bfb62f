"""Encoding the structs in a column of a DataFrame to messages, in the JVM or in Python workers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as sql
from pyspark.sql import types as spark

from messagegen_arrow.catalog import Catalog, MessageClass, MessageTable, message_table
from messagegen_arrow.columns.encoding import encode_columns
from messagegen_arrow.columns.row_errors import as_messages
from messagegen_arrow.malformed import (
    ENCODE_ERROR_ARROW_TYPE,
    ERROR_NAME,
    VALUE_NAME,
    Mode,
    check_mode,
    fail_on_first,
)
from messagegen_arrow.plans import root_layouts
from messagegen_spark.functions.dataframes import (
    Convert,
    converted,
    errors_of_rows,
    kept_fields,
    mark_fields,
    quoted,
    result_schema,
    without_marked,
)
from messagegen_spark.functions.jvm_encoding import JvmEncoding
from messagegen_spark.jvm.catalog import jvm_encoder
from messagegen_spark.schemas import spark_type

_PERMISSIVE = pa.struct([(VALUE_NAME, pa.binary()), (ERROR_NAME, ENCODE_ERROR_ARROW_TYPE)])


@dataclass(frozen=True, slots=True)
class MessageEncoder:
    """An encoder of Arrow struct arrays in workers; it is small, and can be pickled."""

    message: str
    plan: str
    version: int | None
    """The version of all messages; ``None`` if each row has its own version."""
    mode: Mode

    @classmethod
    def of(cls, table: MessageTable, version: int | None, mode: Mode) -> MessageEncoder:
        """Return an encoder for a message. Raises ``LookupError`` for an unknown version."""
        if version is not None:
            root_layouts(table.parsed_plan, [version])
        return cls(table.name, table.plan, version, mode)

    @property
    def type(self) -> spark.DataType:
        """Spark's type of the results: bytes or, in mode PERMISSIVE, a struct of the bytes and ``_error``."""
        return spark_type(_PERMISSIVE if self.mode == "PERMISSIVE" else pa.binary())

    def encode(self, rows: pa.StructArray, versions: pa.Array | None = None) -> tuple[pa.Array, pa.BooleanArray]:
        """Return the bytes of each row (with ``_error`` in a struct if PERMISSIVE), and which rows are malformed.

        Raises ``MalformedMessageError`` under FAILFAST.
        """
        version = versions if self.version is None else self.version
        assert version is not None
        values, errors = encode_columns(self.plan, rows, version)
        malformed = errors.is_valid()
        if self.mode == "PERMISSIVE":
            return pa.StructArray.from_arrays([values, errors], [VALUE_NAME, ERROR_NAME]), malformed
        if self.mode == "FAILFAST":
            fail_on_first(errors, self.message, version)
        return values, malformed


def encode_messages(  # noqa: PLR0913 - keyword arguments of a public function
    df: DataFrame,
    column: Column | str,
    message: str | MessageTable | MessageClass,
    version: int | Column | str,
    mode: str = "FAILFAST",
    *,
    into: str = VALUE_NAME,
    keep: Sequence[str] | None = None,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
) -> DataFrame:
    """Encode a column of structs, as ``decode_messages`` returns them, of a batch or streaming DataFrame.

    The fields of the struct may be in any order, with Kafka's names or in snake case. A missing field takes its
    default. Null is written if the version allows null. It means the default if the version lacks the field, and is an
    error otherwise. If the version lacks a field, a value other than the default is also an error, unless the field is
    ignorable in the spec. A null struct becomes null.

    The result has the columns ``keep`` (default: all except ``column``, if that is a name) and a column ``into``. That
    is bytes or, in mode PERMISSIVE, a struct of ``value`` and ``_error`` (``message``, ``path``), one of which is null.

    A row with an ``_error``, in the struct or in a column of the DataFrame, cannot be written. FAILFAST ends the query
    at the first row that cannot be written, and DROPMALFORMED leaves such rows out. ``observe`` counts all rows under
    ``rows``, and rows that cannot be written under ``malformed``. For streaming DataFrames, it is a name instead of an
    ``Observation``.

    The JVM encodes under the same conditions as for ``decode_messages``. Otherwise, Python workers encode with Arrow,
    to the same bytes and errors.

    Raises ``LookupError`` for an unknown message or version. Raises ``ValueError`` for other invalid arguments, and if
    ``into`` is the name of a kept column.
    """
    table = message_table(message, catalog)
    encoder = MessageEncoder.of(table, version if isinstance(version, int) else None, check_mode(mode))
    kept = kept_fields(df, keep, replaced=[column] if isinstance(column, str) else [])
    fields = [*kept, spark.StructField(into, encoder.type), *mark_fields(encoder.mode)]
    schema = result_schema(fields, "leave them out of keep=, or choose a different name in into=")

    # Malformed rows from decode_messages have a null message, which would be encoded as null.
    has_errors = ERROR_NAME in errors_of_rows(df.schema)
    function = jvm_encoder(df.sparkSession, table, encoder.mode)
    if function is not None:
        encoding = JvmEncoding(function, _column(column), _column(version), kept, has_errors, encoder.mode, into)
        given = encoding.encoded(df)
    else:
        arguments = [column, version, *([sql.col(ERROR_NAME)] if has_errors else [])]
        convert = _work(encoder, has_errors=has_errors)
        given = converted(df, kept, arguments, convert, schema, encoder.mode)
    return without_marked(given, encoder.mode, sql.col(f"{quoted(into)}.{ERROR_NAME}"), observe)


def _column(given: Column | str | int) -> Column:
    """Return the given column, the column with the given name, or a literal of the given number."""
    if isinstance(given, int):
        return sql.lit(given)
    return sql.col(given) if isinstance(given, str) else given


def _work(encoder: MessageEncoder, *, has_errors: bool) -> Convert:
    """Return the function that workers call with the column of structs, the versions, and the errors of rows."""

    def convert(rows: pa.StructArray, *others: pa.Array) -> tuple[Sequence[pa.Array], pa.BooleanArray]:
        versions = others[:-1] if has_errors else others
        if has_errors and ERROR_NAME not in rows.type.names:
            rows = as_messages(rows, others[-1])
        values, malformed = encoder.encode(rows, *versions)
        return [values], malformed

    return convert
