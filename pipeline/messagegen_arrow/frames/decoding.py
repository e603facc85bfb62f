"""Decoding of Kafka frames to columns, in batches."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import errors_within, first_error, null_unless, repeated, take_rows, without_errors
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.json_text import json_column, json_fields
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns
from messagegen_arrow.columns.row_groups import DecodedRows, merged_columns
from messagegen_arrow.columns.schemas import arrow_struct
from messagegen_arrow.columns.secrets import may_hold_secrets, redact, redacted_bytes, without_secrets
from messagegen_arrow.frames.api_names import name_of_message
from messagegen_arrow.frames.messages import Direction, FrameMessages
from messagegen_arrow.frames.split import (
    FrameBatch,
    FrameParts,
    UnreadFrames,
    message_ends,
    split_frames,
    split_values,
)
from messagegen_arrow.frames.topic_names import TopicNames
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME

REMARK: Final = "remark"
"""The column with remarks about a readable frame, such as extra bytes."""
_API_NAME: Final = "apiName"
_MESSAGE_VERSION: Final = "messageVersion"
_HEADER: Final = "header"
_BODY: Final = "body"
_BODY_JSON: Final = "bodyJson"
_VERSION: Final = "version"
"""The name of the field of ``header`` that holds the header version."""


@dataclass(frozen=True)
class FrameReader:
    """A decoder of frame batches in workers. It can be pickled, with the plans of all messages that it may need.

    The body is a struct if ``messages`` has only one message and ``is_json`` is false; otherwise it is JSON text.
    """

    messages: FrameMessages
    options: ColumnOptions
    is_json: bool
    include_secrets: bool = False

    def read(self, batch: FrameBatch, topics: TopicNames | None = None) -> pa.RecordBatch:
        """Return the columns that ``fields`` describes; ``topics`` has the names for topic ids."""
        names = TopicNames(None) if topics is None else topics
        groups = []
        for found in split_frames(self.messages, batch):
            if isinstance(found, FrameParts):
                groups.append(self._decoded(found, names))
            else:
                groups.append(self._unread(batch, found))
        columns = merged_columns(groups, self._types, len(batch))
        return pa.RecordBatch.from_arrays(columns, list(self._types))

    def fields(self, *, with_comments: bool) -> list[pa.Field]:
        """Return the columns of the result. ``with_comments`` must be false in workers, where messages have none."""

        def comment(text: str) -> dict[str, str] | None:
            return {"comment": text} if with_comments else None

        header_table = self.messages.headers["request"] if with_comments else None
        header_columns = self._header_columns("request", None)
        header_type = pa.struct(
            [
                pa.field(_VERSION, pa.int16(), metadata=comment("The header's version.")),
                *arrow_struct(header_columns.columns, header_columns.uuid, header_table),
            ]
        )
        if self.is_json:
            body = pa.field(_BODY_JSON, pa.string(), metadata=comment("The body in Kafka's JSON form."))
        else:
            body_table = self._only_message if with_comments else None
            body = pa.field(_BODY, arrow_struct(self._body_columns.columns, self._body_columns.uuid, body_table))
        return [
            pa.field(_API_NAME, pa.string(), metadata=comment("The message without Request or Response.")),
            pa.field(_MESSAGE_VERSION, pa.int16(), metadata=comment("The version of the body.")),
            pa.field(_HEADER, header_type),
            body,
            pa.field(REMARK, pa.string(), metadata=comment("What is unusual about a frame that can be read.")),
            pa.field(ERROR_NAME, ERROR_ARROW_TYPE),
            pa.field(RAW_NAME, pa.binary()),
        ]

    @cached_property
    def _types(self) -> dict[str, pa.DataType]:
        return {field.name: field.type for field in self.fields(with_comments=False)}

    @property
    def _body_name(self) -> str:
        return _BODY_JSON if self.is_json else _BODY

    @property
    def _only_message(self) -> MessageTable:
        (table,) = self.messages.bodies.values()
        return table

    @cached_property
    def _body_columns(self) -> MessageColumns:
        """The columns of the only message, for all its versions."""
        return self._message_columns(self._only_message, None)

    def _message_columns(self, table: MessageTable, version: int | None) -> MessageColumns:
        wanted = MessageColumns.of(table, version, self.options)
        return wanted if self.include_secrets else without_secrets(table, wanted)

    def _header_columns(self, direction: Direction, version: int | None) -> MessageColumns:
        """Return the columns of headers; request headers have all columns of response headers."""
        options: ColumnOptions = {"names": self.options.get("names", "kafka"), "unknown_tagged_fields": True}
        if "limits" in self.options:
            options["limits"] = self.options["limits"]
        return MessageColumns.of(self.messages.headers[direction], version, options)

    def _unread(self, batch: FrameBatch, unread: UnreadFrames) -> DecodedRows:
        """Return the rows whose frames can't be split, with the error and the available bytes."""
        found = DecodedRows(unread.rows)
        if unread.api_name is not None:
            found.repeat(_API_NAME, unread.api_name, pa.string())
        found.columns[ERROR_NAME] = unread.errors
        frames = take_rows(batch.frames, unread.rows)
        if batch.raws is not None:
            frames = pc.coalesce(frames, take_rows(batch.raws, unread.rows))
        found.columns[RAW_NAME] = self._shown(unread.table, frames)
        return found

    def _shown(self, table: MessageTable | None, frames: pa.BinaryArray) -> pa.BinaryArray:
        """Return bytes that can't be decoded, redacted if they may contain a secret."""
        if self.include_secrets or not may_hold_secrets(table):
            return frames
        return redacted_bytes(frames)

    def _decoded(self, parts: FrameParts, topics: TopicNames) -> DecodedRows:
        """Return the decoded frames of one message in one version."""
        header, header_errors = self._header(parts)
        body, body_errors, remarks = self._body(parts, topics)
        errors = first_error(
            errors_within(header_errors, "header", 0),
            errors_within(body_errors, "body", pa.array(parts.header_lengths)),
        )

        found = DecodedRows(parts.rows)
        found.repeat(_API_NAME, name_of_message(parts.table.name), pa.string())
        found.repeat(_MESSAGE_VERSION, parts.version, pa.int16())
        found.columns[_HEADER] = header
        found.columns[self._body_name] = body
        found.columns[REMARK] = remarks
        if errors.null_count < len(errors):
            found.columns[ERROR_NAME] = errors
            found.columns[RAW_NAME] = self._shown(parts.table, null_unless(errors.is_valid(), parts.frames))
        return found

    def _header(self, parts: FrameParts) -> tuple[pa.StructArray, pa.StructArray]:
        """Return the headers, with the fields of all versions, and their errors."""
        count = len(parts.rows)
        wanted = self._header_columns(parts.direction, parts.header_version)
        decoded, errors = without_errors(decode_columns(wanted, parts.headers, parts.header_version))
        columns = dict(zip(decoded.type.names, decoded.flatten(), strict=True))
        columns[_VERSION] = repeated(parts.header_version, pa.int16(), count)

        fields = self._types[_HEADER].fields
        arrays = [columns.get(field.name, pa.nulls(count, field.type)) for field in fields]
        mask = decoded.is_null() if decoded.null_count else None
        return pa.StructArray.from_arrays(arrays, fields=fields, mask=mask), errors

    def _body(self, parts: FrameParts, topics: TopicNames) -> tuple[pa.Array, pa.StructArray, pa.StringArray]:
        """Return the bodies, their errors, and remarks about extra bytes after the bodies."""
        wanted = self._message_columns(parts.table, parts.version) if self.is_json else self._body_columns
        decoded, errors = without_errors(decode_columns(wanted, parts.bodies, parts.version))
        remarks = pa.nulls(len(parts.rows), pa.string())
        if errors.null_count < len(errors):
            bodies, remarks = _without_extra_bytes(parts)
            decoded, errors = without_errors(decode_columns(wanted, bodies, parts.version))
        if not self.include_secrets:
            decoded = redact(wanted, decoded)
        decoded = topics.filled(wanted, decoded, may_add=self.is_json)
        body = json_column(decoded, json_fields(wanted)) if self.is_json else decoded
        return body, errors, remarks


def learn_topics(topics: TopicNames, messages: FrameMessages, batch: FrameBatch) -> None:
    """Learn the names of topics from the MetadataResponses of a batch."""
    if topics.metadata is None:
        return
    for parts in split_frames(messages.only(topics.metadata), batch):
        if isinstance(parts, FrameParts):
            topics.learn(parts.bodies, parts.version)


def _without_extra_bytes(parts: FrameParts) -> tuple[pa.BinaryArray, pa.StringArray]:
    """Return the bodies without extra bytes after them, which Kafka ignores, and remarks about these bytes.

    For example, librdkafka sends 4 extra bytes in ApiVersionsRequest version 0.
    """
    ends = message_ends(parts.table, parts.bodies, parts.version)
    bodies, extra = split_values(parts.bodies, ends)
    counts = pc.binary_length(extra)
    texts = pc.binary_join_element_wise("bytes after the body, which Kafka ignores:", counts.cast(pa.string()), " ")
    return bodies, null_unless(pc.greater(counts, 0), texts)
