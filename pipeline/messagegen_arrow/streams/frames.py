"""Frames in captures as a stream of columns: the headers and bodies of requests and responses."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, Unpack

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.catalog import Catalog, MessageClass, MessageTable, message_table
from messagegen_arrow.columns.model import ColumnOptions
from messagegen_arrow.frames.decoding import FrameReader, learn_topics
from messagegen_arrow.frames.messages import METADATA_RESPONSE, FrameMessages
from messagegen_arrow.frames.split import FrameBatch
from messagegen_arrow.frames.topic_names import TopicNames
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, Mode, check_mode, fail_on_first
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

_FRAME_COLUMNS: Final = ("frame", ERROR_NAME, RAW_NAME)
"""The columns of a capture that the decoded columns replace."""
_NEEDED: Final = ("frame", "direction", "apiKey", "apiVersion")


def from_kafka_frame(
    rows: Any,
    message: str | MessageTable | MessageClass | None = None,
    mode: str = "PERMISSIVE",
    *,
    keep: Sequence[str] | None = None,
    catalog: Catalog | None = None,
    include_secrets: bool = False,
    **options: Unpack[ColumnOptions],
) -> ColumnStream:
    """Decode frames by their messages and versions, from ``read_capture(...)`` or anything with Arrow columns.

    The rows need ``frame`` (the bytes without the size), ``direction`` (``request`` or ``response``), ``apiKey`` and
    ``apiVersion`` (for a response, the API key and version of its request). The result has the columns ``keep``
    (default: all except the replaced columns), and

    - ``apiName``, such as ``Metadata``, and ``messageVersion``, the version of the body;
    - ``header``: ``version``, ``requestApiKey``, ``requestApiVersion``, ``correlationId``, ``clientId`` and unknown
      tagged fields; fields that only requests have are null for responses;
    - ``bodyJson``, the body in Kafka's JSON form, or with ``message`` the struct ``body``, whose options are in
      ``ColumnOptions``; the result then only has the frames of that request or response;
    - ``remark``: unusual properties, such as bytes after the body, which Kafka ignores.

    Topics that a version only names by id, such as in FetchRequest from version 13 on, also get a name. The name comes
    from a MetadataResponse before the frame, or in the same batch of about 10,000 frames.

    PERMISSIVE adds ``_error`` and ``_raw``, which also contain the capture's errors about incomplete frames. FAILFAST
    raises ``MalformedMessageError`` at the first row with an error, and DROPMALFORMED leaves such rows out. Unless
    ``include_secrets`` is set, secret fields (SASL, SCRAM, delegation tokens) get no column, and config values that are
    passwords are ``<redacted>``.

    ``catalog`` contains the messages of the traffic; by default, these are only the messages of ``messagegen_kafka``.
    Raises what ``decode_messages`` raises.
    """
    every = FrameMessages.of(catalog)
    if message is None:
        if options.keys() & {"versions", "fields"}:
            raise ValueError("versions= and fields= require message=")
        tables: tuple[MessageTable, ...] = ()
        messages = every
    else:
        tables = (message_table(message, catalog),)
        messages = every.only(*tables)
    reader = FrameReader(messages, options, is_json=message is None, include_secrets=include_secrets)
    metadata = every.bodies.get(METADATA_RESPONSE)
    return decoded_frames(rows, reader, mode, tables=tables, keep=keep, metadata=metadata)


def decoded_frames(
    rows: Any,
    reader: FrameReader,
    mode: str,
    *,
    tables: Sequence[MessageTable],
    keep: Sequence[str] | None,
    metadata: MessageTable | None,
    chosen: Callable[[pa.RecordBatch], pa.RecordBatch] | None = None,
) -> ColumnStream:
    """Decode frames as ``from_kafka_frame`` does, with a given reader.

    If ``tables`` are given, only their frames are read. ``chosen`` returns the rows of a batch to read. ``metadata`` is
    MetadataResponse: topic names are learned from all rows, including rows that are left out.
    """
    source = stream_of(rows)
    checked = check_mode(mode)
    require_columns(source, _NEEDED, "; read_capture returns frames with these columns")
    kept = kept_fields(source, keep, _FRAME_COLUMNS)
    own = reader.fields(with_comments=True)
    if checked != "PERMISSIVE":
        own = [field for field in own if field.name not in (ERROR_NAME, RAW_NAME)]
    decoding = _Decoding(
        reader=reader,
        mode=checked,
        kept=[field.name for field in kept],
        own=[field.name for field in own],
        schema=result_schema([*kept, *own]),
        tables=tables,
        chosen=chosen,
        metadata=metadata,
    )
    # A source that has already been read fails here, before any row.
    return ColumnStream(decoding.schema, lambda: decoding.batches(iter(source)))


@dataclass(frozen=True, slots=True)
class _Decoding:
    """Decodes the frames in batches of rows."""

    reader: FrameReader
    mode: Mode
    kept: Sequence[str]
    """The columns of the capture that are kept."""
    own: Sequence[str]
    """The columns of the reader that are part of the result."""
    schema: pa.Schema
    tables: Sequence[MessageTable]
    """The messages whose frames are read; empty for all."""
    chosen: Callable[[pa.RecordBatch], pa.RecordBatch] | None
    metadata: MessageTable | None

    def batches(self, rows: Iterable[pa.RecordBatch]) -> Batches:
        """Yield the decoded rows. Topic names come from MetadataResponses in the same batch and all earlier batches."""
        topics = TopicNames(self.metadata)
        for batch in rows:
            if self.metadata is not None:
                responses = batch.filter(_is_of(batch, self.metadata))
                learn_topics(topics, self.reader.messages, _frames(responses))
            wanted = self._wanted(batch)
            if wanted.num_rows:
                yield self._decoded(wanted, topics)

    def _wanted(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        rows = batch if self.chosen is None else self.chosen(batch)
        return rows.filter(_is_of_any(rows, self.tables)) if self.tables else rows

    def _decoded(self, batch: pa.RecordBatch, topics: TopicNames) -> pa.RecordBatch:
        found = self.reader.read(_frames(batch), topics)
        errors = found.column(ERROR_NAME)
        if self.mode == "FAILFAST":
            fail_on_first(errors, found.column("apiName"), found.column("messageVersion"))
        columns = [batch.column(name) for name in self.kept]
        columns += [found.column(name) for name in self.own]
        result = pa.RecordBatch.from_arrays(columns, schema=self.schema)
        return without_malformed(result, errors.is_valid(), self.mode)


def _is_of_any(batch: pa.RecordBatch, tables: Sequence[MessageTable]) -> pa.BooleanArray:
    return reduce(pc.or_, (_is_of(batch, table) for table in tables))


def _is_of(batch: pa.RecordBatch, table: MessageTable) -> pa.BooleanArray:
    return pc.and_(
        pc.equal(as_string(batch.column("direction")), table.kind), pc.equal(batch.column("apiKey"), table.api_key)
    )


def _frames(batch: pa.RecordBatch) -> FrameBatch:
    names = batch.schema.names
    return FrameBatch(
        frames=as_binary(batch.column("frame")),
        directions=as_string(batch.column("direction")),
        api_keys=batch.column("apiKey"),
        api_versions=batch.column("apiVersion"),
        errors=batch.column(ERROR_NAME) if ERROR_NAME in names else None,
        raws=as_binary(batch.column(RAW_NAME)) if RAW_NAME in names else None,
    )
