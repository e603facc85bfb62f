"""The section of a capture: requests and responses."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.capture.columns import CAPTURE_COLUMNS
from messagegen_arrow.columns.model import ColumnOptions
from messagegen_arrow.dump.request import DumpRequest, Section, selected
from messagegen_arrow.frames.columns import FrameReader
from messagegen_arrow.frames.parsing import FrameMessages
from messagegen_arrow.log.options import Bounds, LogOptions
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME
from messagegen_arrow.streams.frames import decoded_frames
from messagegen_arrow.streams.sources import read_capture
from messagegen_arrow.streams.stream import ColumnStream

_DEFAULT: Final = ("time", "connection", "direction", "correlationId", "clientId", "size", "apiName", "apiVersion")
_BRIEF: Final = ("time", "direction", "clientId", "apiName", "apiVersion")
_BODY: Final = ("bodyJson", "body")
OF_ERRORS: Final = ("path", "streamOffset", ERROR_NAME, RAW_NAME)
_NEEDED: Final = ("frame", "direction", "apiKey", "apiVersion", ERROR_NAME, RAW_NAME)


def sections_of_capture(places: Sequence[str | IO[bytes]], request: DumpRequest) -> list[Section]:
    """The section of decoded frames: all, or those of the requested messages. Raises ``ValueError``."""
    messages = FrameMessages.of(request.catalog)
    tables = [request.catalog.message(name) for name in request.messages]
    if tables:
        messages = messages.only(*tables)
    if request.fields is not None and len(tables) != 1:
        raise ValueError("--fields needs one --message")
    is_json = not (request.typed and len(tables) == 1)
    options: ColumnOptions = {} if request.fields is None else {"fields": request.fields}
    reader = FrameReader(messages, options, is_json=is_json, include_secrets=request.include_secrets)
    asked = request.columns or _DEFAULT
    source = [name for name in CAPTURE_COLUMNS if name in {*asked, *_DEFAULT, *_NEEDED, *OF_ERRORS}]
    stream = read_capture(*places, **{**request.options, "columns": source})
    if request.times:
        stream = _between(stream, LogOptions.parse(request.times).bounds)
    keep = [name for name in source if name in {*asked, *OF_ERRORS[:2], "apiVersion"} and name != "frame"]
    frames = decoded_frames(stream, reader, "PERMISSIVE", tables=tables, keep=keep)
    names = request.columns
    if names is not None and is_json:
        names = tuple("bodyJson" if name == "body" else name for name in names)
    if names is None:
        body = [name for name in _BODY if name in frames.schema.names]
        names = (*(_BRIEF if request.brief else _DEFAULT), *body)
    chosen = selected(frames, names, "a frame", OF_ERRORS)
    return [Section(chosen, frozenset(["bodyJson"]), of_errors=frozenset(OF_ERRORS))]


def _between(stream: ColumnStream, bounds: Bounds) -> ColumnStream:
    """The rows within a time range, and those without a time."""

    def wanted(batch: pa.RecordBatch) -> pa.RecordBatch:
        milliseconds = pc.divide(batch.column("time").cast(pa.int64()), 1000)
        is_later = pc.greater_equal(milliseconds, bounds.min_timestamp)
        is_within = pc.and_(is_later, pc.less_equal(milliseconds, bounds.max_timestamp))
        return batch.filter(pc.fill_null(is_within, fill_value=True))

    return ColumnStream(stream.schema, lambda: map(wanted, stream))
