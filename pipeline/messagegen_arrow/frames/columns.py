"""Decodes batches of Kafka frames to columns: rows are grouped by message and version, and each group is decoded at once."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import Rows, error_array, first_error, scattered, take_rows, without_errors
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.decoding import column_decoder, decode_columns
from messagegen_arrow.columns.json_text import json_column, json_fields
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns
from messagegen_arrow.columns.schemas import arrow_struct
from messagegen_arrow.columns.secrets import REDACTED_BYTES, may_hold_secrets, redact, without_secrets
from messagegen_arrow.frames.api_names import api_name
from messagegen_arrow.frames.parsing import (
    API_VERSIONS,
    Direction,
    FrameError,
    FrameMessages,
    response_version,
)
from messagegen_arrow.frames.topic_names import TopicNames
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME

REMARK: Final = "remark"
"""The column of what is unusual about a frame that can be read."""
_DIRECTIONS: Final[tuple[Direction, ...]] = ("request", "response")
_BIAS: Final = 1 << 15
_SKIP: Final = -1
_FAILED: Final = -2
_UNPAIRED: Final = -3
_Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FrameBatch:
    """Columns of frames, with a row each."""

    frames: pa.BinaryArray
    directions: pa.StringArray
    api_keys: pa.Array
    api_versions: pa.Array
    errors: pa.StructArray | None = None
    """Why a row has no frame, if the source has an error."""
    raws: pa.BinaryArray | None = None

    def __len__(self) -> int:
        return len(self.frames)


@dataclass(frozen=True, slots=True)
class FrameParts:
    """Frames of one message in one version, split into header and body."""

    rows: Rows
    """Their rows in the batch."""
    direction: Direction
    table: MessageTable
    version: int
    header_version: int
    frames: pa.BinaryArray
    headers: pa.BinaryArray
    bodies: pa.BinaryArray
    header_lengths: _Integers


@dataclass(slots=True)
class _Found:
    """The result for some rows of a batch; missing columns are null."""

    rows: Rows
    columns: dict[str, pa.Array] = field(default_factory=dict)


@dataclass(frozen=True)
class FrameReader:
    """Decodes batches of frames in workers; it pickles, with the plans of all messages it may need.

    The body is a struct if ``messages`` has only one message and ``is_json`` is false, otherwise JSON text.
    """

    messages: FrameMessages
    options: ColumnOptions
    is_json: bool
    include_secrets: bool = False

    def read(self, batch: FrameBatch, topics: TopicNames | None = None) -> pa.RecordBatch:
        """The columns of ``column_types``; ``topics`` has names for ids."""
        names = TopicNames(None) if topics is None else topics
        found = list(self._found(batch, names)) if len(batch) else []
        columns = [
            scattered([(each.rows, each.columns[name]) for each in found if name in each.columns], type_, len(batch))
            for name, type_ in self.column_types.items()
        ]
        return pa.RecordBatch.from_arrays(columns, list(self.column_types))

    @cached_property
    def column_types(self) -> dict[str, pa.DataType]:
        """The columns of the result and their types."""
        body = pa.string() if self.is_json else arrow_struct(self.body_columns.columns, self.body_columns.uuid)
        return {
            "apiName": pa.string(),
            "messageVersion": pa.int16(),
            "header": pa.struct([("version", pa.int16()), *arrow_struct(self.header_columns.columns, "string")]),
            "bodyJson" if self.is_json else "body": body,
            REMARK: pa.string(),
            ERROR_NAME: ERROR_ARROW_TYPE,
            RAW_NAME: pa.binary(),
        }

    @cached_property
    def header_columns(self) -> MessageColumns:
        """The columns of headers: those of requests, which include those of responses."""
        return self._header_columns("request", None)

    @cached_property
    def body_columns(self) -> MessageColumns:
        """The columns of the one message."""
        (table,) = self.messages.bodies.values()
        return self._columns(table, None)

    def _header_columns(self, direction: Direction, version: int | None) -> MessageColumns:
        options: ColumnOptions = {"names": self.options.get("names", "kafka"), "unknown_tagged_fields": True}
        if "limits" in self.options:
            options["limits"] = self.options["limits"]
        return MessageColumns.of(self.messages.headers[direction], version, options)

    def _columns(self, table: MessageTable, version: int | None) -> MessageColumns:
        wanted = MessageColumns.of(table, version, self.options)
        return wanted if self.include_secrets else without_secrets(table, wanted)

    def _found(self, batch: FrameBatch, topics: TopicNames) -> Iterator[_Found]:
        for each in split_frames(self.messages, batch):
            yield self._decoded(each, topics) if isinstance(each, FrameParts) else self._failed(batch, each)

    def _failed(self, batch: FrameBatch, unread: UnreadFrames) -> _Found:
        found = _Found(unread.rows)
        if unread.api_name is not None:
            found.columns["apiName"] = _constant(unread.api_name, pa.string(), len(unread.rows))
        found.columns[ERROR_NAME] = unread.errors
        frames = take_rows(batch.frames, unread.rows)
        if batch.raws is not None:
            frames = pc.coalesce(frames, take_rows(batch.raws, unread.rows))
        found.columns[RAW_NAME] = self._shown(unread.table, frames)
        return found

    def _shown(self, table: MessageTable | None, frames: pa.BinaryArray) -> pa.BinaryArray:
        """Bytes that can't be decoded, if they cannot contain a secret."""
        if self.include_secrets or not may_hold_secrets(table):
            return frames
        return pc.if_else(frames.is_valid(), pa.scalar(REDACTED_BYTES, pa.binary()), frames)

    def _decoded(self, parts: FrameParts, topics: TopicNames) -> _Found:
        count = len(parts.rows)
        header, header_error = self._header(parts)
        body, body_error, remarks = self._body(parts, topics)
        errors = first_error(
            _placed(header_error, "header", np.zeros(count, np.int64)),
            _placed(body_error, "body", parts.header_lengths),
        )
        found = _Found(parts.rows)
        found.columns = {
            "apiName": _constant(_api_name(parts.table), pa.string(), count),
            "messageVersion": _constant(parts.version, pa.int16(), count),
            "header": header,
            "bodyJson" if self.is_json else "body": body,
            REMARK: remarks,
        }
        if errors.null_count < count:
            found.columns[ERROR_NAME] = errors
            frames = pc.if_else(errors.is_valid(), parts.frames, pa.scalar(None, pa.binary()))
            found.columns[RAW_NAME] = self._shown(parts.table, frames)
        return found

    def _header(self, parts: FrameParts) -> tuple[pa.StructArray, pa.StructArray]:
        wanted = self._header_columns(parts.direction, parts.header_version)
        decoded, errors = without_errors(decode_columns(wanted, parts.headers, parts.header_version))
        columns = dict(zip(decoded.type.names, decoded.flatten(), strict=True))
        columns["version"] = _constant(parts.header_version, pa.int16(), len(parts.rows))
        type_ = self.column_types["header"]
        arrays = [columns.get(each.name, pa.nulls(len(parts.rows), each.type)) for each in type_.fields]
        mask = decoded.is_null() if decoded.null_count else None
        return pa.StructArray.from_arrays(arrays, fields=type_.fields, mask=mask), errors

    def _body(self, parts: FrameParts, topics: TopicNames) -> tuple[pa.Array, pa.StructArray, pa.StringArray]:
        """Bodies, their errors, and remarks about bytes after them."""
        wanted = self._columns(parts.table, parts.version) if self.is_json else self.body_columns
        decoded, errors = without_errors(decode_columns(wanted, parts.bodies, parts.version))
        remarks = pa.nulls(len(parts.rows), pa.string())
        if errors.null_count < len(errors):
            bodies, remarks = _without_extra_bytes(parts)
            decoded, errors = without_errors(decode_columns(wanted, bodies, parts.version))
        if not self.include_secrets:
            decoded = redact(wanted, decoded)
        decoded = topics.filled(wanted, decoded, may_add=self.is_json)
        return (json_column(decoded, json_fields(wanted)) if self.is_json else decoded), errors, remarks


@dataclass(frozen=True, slots=True)
class UnreadFrames:
    """Rows whose frames can't be split, and why."""

    rows: Rows
    errors: pa.StructArray
    table: MessageTable | None = None
    api_key: int | None = None

    @property
    def api_name(self) -> str | None:
        """The name of the API in the catalog, otherwise in Kafka."""
        if self.table is not None:
            return _api_name(self.table)
        return None if self.api_key is None else api_name(self.api_key)


def split_frames(messages: FrameMessages, batch: FrameBatch) -> Iterator[FrameParts | UnreadFrames]:
    """Splits the frames of a batch, grouped by message and version. Rows without a frame are in no group."""
    codes = _codes(messages, batch)
    for code in np.unique(codes):
        rows: Rows = np.flatnonzero(codes == code)
        if code == _SKIP:
            continue
        if code == _FAILED:
            assert batch.errors is not None
            for table, api_key, some in _by_message(messages, batch, rows):
                errors = take_rows(batch.errors, some).cast(ERROR_ARROW_TYPE)
                yield UnreadFrames(some, errors, table, api_key)
        elif code == _UNPAIRED:
            reason = "unknown API key and version"
            yield UnreadFrames(rows, _all_errors(reason, len(rows)))
        else:
            yield _split_group(messages, batch, rows, int(code))


def learn_topics(topics: TopicNames, messages: FrameMessages, batch: FrameBatch) -> None:
    """Takes note of the topics in the MetadataResponses of a batch."""
    if topics.metadata is None:
        return
    for parts in split_frames(messages.only(topics.metadata), batch):
        if isinstance(parts, FrameParts):
            topics.learn(parts.bodies, parts.version)


def _by_message(
    messages: FrameMessages, batch: FrameBatch, rows: Rows
) -> Iterator[tuple[MessageTable | None, int, Rows]]:
    """Rows without a complete frame, by message and API key if the source has them."""
    directions = _numbers(pc.index_in(batch.directions, pa.array(_DIRECTIONS)), -1)[rows]
    api_keys = _numbers(batch.api_keys, _BIAS)[rows]
    for direction, api_key in sorted(set(zip(directions.tolist(), api_keys.tolist(), strict=True))):
        table = messages.bodies.get((_DIRECTIONS[direction], api_key)) if direction >= 0 else None
        yield table, api_key, rows[(directions == direction) & (api_keys == api_key)]


def _split_group(messages: FrameMessages, batch: FrameBatch, rows: Rows, code: int) -> FrameParts | UnreadFrames:
    direction = _DIRECTIONS[code >> 32]
    api_key, version = (code >> 16 & 0xFFFF) - _BIAS, (code & 0xFFFF) - _BIAS
    try:
        table, header_version = messages.body(direction, api_key, version)
    except FrameError as problem:
        table_here = messages.bodies.get((direction, api_key))
        return UnreadFrames(rows, _all_errors(str(problem), len(rows)), table_here, api_key)
    frames = take_rows(batch.frames, rows)
    lengths = _ends(messages.headers[direction], frames, header_version)
    headers, bodies = _split(frames, lengths)
    return FrameParts(rows, direction, table, version, header_version, frames, headers, bodies, lengths)


def _codes(messages: FrameMessages, batch: FrameBatch) -> _Integers:
    """A number for each group of rows with the same layout."""
    directions: _Integers = _numbers(pc.index_in(batch.directions, pa.array(_DIRECTIONS)), -1)
    api_keys, versions = _numbers(batch.api_keys, _BIAS), _numbers(batch.api_versions, _BIAS)
    is_asked = (api_keys == API_VERSIONS) & (directions == 1)
    for row in np.flatnonzero(is_asked & (versions != _BIAS)):
        frame = batch.frames[row].as_py() or b""
        error_code = int.from_bytes(frame[4:6], "big", signed=True) if len(frame) >= 6 else None
        versions[row] = response_version(messages, API_VERSIONS, int(versions[row]), error_code)
    codes = (directions << 32) + ((api_keys + _BIAS) << 16) + versions + _BIAS
    codes[(directions < 0) | (api_keys == _BIAS) | (versions == _BIAS)] = _UNPAIRED
    codes[batch.frames.is_null().to_numpy(zero_copy_only=False)] = _SKIP
    if batch.errors is not None and batch.errors.null_count < len(batch):
        codes[batch.errors.is_valid().to_numpy(zero_copy_only=False)] = _FAILED
    return codes


def _numbers(array: pa.Array, null: int) -> _Integers:
    numbers: _Integers = pc.fill_null(array.cast(pa.int64()), null).to_numpy(zero_copy_only=False).copy()
    return numbers


def _without_extra_bytes(parts: FrameParts) -> tuple[pa.BinaryArray, pa.StringArray]:
    """Bodies without the bytes after them, which brokers and Java's clients ignore, and remarks that tell their number.

    librdkafka sends 4 of them in ApiVersionsRequest version 0.
    """
    lengths = _numbers(pc.binary_length(parts.bodies), 0)
    ends = _ends(parts.table, parts.bodies, parts.version)
    bodies, _ = _split(parts.bodies, ends)
    counts = pa.array(lengths - ends)
    texts = pc.binary_join_element_wise("bytes after the body, which Kafka ignores:", counts.cast(pa.string()), " ")
    return bodies, pc.if_else(pc.greater(counts, 0), texts, pa.scalar(None, pa.string()))


def _ends(table: MessageTable, frames: pa.BinaryArray, version: int) -> _Integers:
    """Where messages end; the end of the bytes if the message can't be read."""
    found = pa.record_batch(column_decoder(MessageColumns(table.plan, (version,), ())).ends(frames, version))
    ends: _Integers = pc.coalesce(found.column("end"), pc.binary_length(frames).cast(pa.int64())).to_numpy()
    return ends


def _split(frames: pa.BinaryArray, lengths: _Integers) -> tuple[pa.BinaryArray, pa.BinaryArray]:
    """The first bytes of each frame, and the others."""
    buffer, ends, _ = _buffers(frames)
    offsets: Any = np.empty(2 * len(frames) + 1, np.int32)
    offsets[0::2] = ends
    offsets[1::2] = ends[:-1] + lengths
    pieces = pa.Array.from_buffers(pa.binary(), 2 * len(frames), [None, pa.py_buffer(offsets), buffer])
    first = np.arange(0, 2 * len(frames), 2)
    return pieces.take(pa.array(first)), pieces.take(pa.array(first + 1))


def _buffers(frames: pa.BinaryArray) -> tuple[pa.Buffer, _Integers, npt.NDArray[np.uint8]]:
    """The bytes of all rows, the offsets of rows, and the bytes as numbers."""
    _, offsets, data = frames.buffers()
    data = data if data is not None else pa.py_buffer(b"")
    ends = np.frombuffer(offsets, np.int32)[frames.offset : frames.offset + len(frames) + 1].astype(np.int64)
    return data, ends, np.frombuffer(data, np.uint8)


def _placed(errors: pa.StructArray, path: str, skipped: _Integers) -> pa.StructArray:
    """Converts errors in a part of a frame to errors in the frame."""
    if errors.null_count == len(errors):
        return errors
    message, inner, offset = errors.flatten()
    whole = pc.if_else(pc.equal(inner, ""), path, pc.binary_join_element_wise(path, inner, "."))
    return error_array(message, whole, pc.add(offset, pa.array(skipped)), errors.is_valid())


def _all_errors(reason: str, count: int) -> pa.StructArray:
    return error_array(reason, "", 0, _constant(True, pa.bool_(), count))  # noqa: FBT003 - a value among others


def _constant(value: str | int | bool, type_: pa.DataType, count: int) -> pa.Array:
    return pa.repeat(pa.scalar(value, type_), count)


def _api_name(table: MessageTable) -> str:
    return table.name.removesuffix("Request").removesuffix("Response")
