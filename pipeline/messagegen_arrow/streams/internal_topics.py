"""Records in internal topics as a stream of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pyarrow as pa

from messagegen_arrow.catalog import Catalog, default_catalog
from messagegen_arrow.columns.model import Names, UuidType
from messagegen_arrow.internal_topics.contents import Contents, Types
from messagegen_arrow.internal_topics.reading import RecordBatch, RecordReader
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, check_mode
from messagegen_arrow.streams.stream import (
    Batches,
    ColumnStream,
    as_binary,
    as_string,
    kept_fields,
    require_columns,
    result_schema,
    stream_of,
    without_malformed,
)
from messagegen_kafka._runtime.errors import DEFAULT_LIMITS, Limits

_RECORD_COLUMNS: Final = ("key", "value", ERROR_NAME, RAW_NAME)
"""The columns of a log that the decoded columns replace."""


def decode_internal_topics(  # noqa: PLR0913 - keyword arguments of a public function
    rows: Any,
    types: Types | None = None,
    mode: str = "PERMISSIVE",
    *,
    topic: str | None = None,
    keep: Sequence[str] | None = None,
    catalog: Catalog | None = None,
    names: Names = "kafka",
    uuid: UuidType = "string",
    limits: Limits = DEFAULT_LIMITS,
) -> ColumnStream:
    """Decode records of internal topics by type and version, from ``read_log(...)`` or anything with Arrow columns.

    The columns are ``keep`` (default: all except the replaced columns), then ``recordType``, ``keyVersion``,
    ``valueVersion``, ``isTombstone`` and the content. The content is ``key`` and ``value`` as JSON text. With
    ``types``, it is a struct column for each of these types, which is null for all other records. A mapping from types
    to paths, such as ``{"OffsetCommit": ["key.group", "value.offset"]}``, selects fields.

    The rows need ``key``, ``value`` and ``topic``; pass ``topic`` if all rows have the same topic. Control records are
    read if there is a column ``isControl`` (``read_log(..., include_control=True)``). Damaged batches that the log
    reports stay rows with an error.

    PERMISSIVE adds ``_error`` and ``_raw`` (``key``, ``value``). FAILFAST raises ``MalformedMessageError`` at the first
    row that can't be read, and DROPMALFORMED leaves such rows out. Secrets, such as the keys of SCRAM users, are never
    decoded.

    Raises ``LookupError`` for an unknown type, and ``ValueError`` for other invalid arguments.
    """
    known = default_catalog() if catalog is None else catalog
    contents = Contents.of(types, known, names=names, uuid=uuid, limits=limits)
    return decoded_records(rows, contents, mode, topic=topic, keep=keep, catalog=known)


def decoded_records(
    rows: Any,
    contents: Contents,
    mode: str,
    *,
    topic: str | None,
    keep: Sequence[str] | None,
    catalog: Catalog,
) -> ColumnStream:
    """Decode as ``decode_internal_topics`` does, with given contents; ``catalog`` contains the comments of fields."""
    source = stream_of(rows)
    reader = RecordReader(contents, check_mode(mode))
    require_columns(source, ["key", "value"])
    if topic is None:
        require_columns(source, ["topic"], "; if all records are of one topic, pass topic=")
    kept = kept_fields(source, keep, _RECORD_COLUMNS)
    own = contents.arrow_schema(with_errors=reader.mode == "PERMISSIVE", catalog=catalog)
    schema = result_schema([*kept, *own])

    def decoded(batches: Batches) -> Batches:
        for batch in batches:
            found, malformed = reader.read(_records(batch, topic))
            columns = [batch.column(field.name) for field in kept]
            columns += found.flatten()
            result = pa.RecordBatch.from_arrays(columns, schema=schema)
            yield without_malformed(result, malformed, reader.mode)

    # A source that was read already fails here, before any row.
    return ColumnStream(schema, lambda: decoded(iter(source)))


def _records(batch: pa.RecordBatch, topic: str | None) -> RecordBatch:
    def optional(name: str) -> pa.Array | None:
        return batch.column(name) if name in batch.schema.names else None

    topics = as_string(batch.column("topic")) if topic is None else pa.repeat(pa.scalar(topic), batch.num_rows)
    return RecordBatch(
        keys=as_binary(batch.column("key")),
        values=as_binary(batch.column("value")),
        topics=topics,
        is_control=optional("isControl"),
        errors=optional(ERROR_NAME),
        raws=optional(RAW_NAME),
    )
