"""The section of a capture: requests and responses."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import IO, Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.capture.columns import CAPTURE_COLUMNS
from messagegen_arrow.columns.model import ColumnOptions
from messagegen_arrow.dump.request import OF_ERRORS, DumpRequest, Section, selected
from messagegen_arrow.frames.decoding import REMARK, FrameReader
from messagegen_arrow.frames.messages import METADATA_RESPONSE, FrameMessages
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.streams.frames import decoded_frames
from messagegen_arrow.streams.sources import read_capture

_DEFAULT: Final = ("time", "connection", "direction", "correlationId", "clientId", "size", "apiName", "apiVersion")
_BRIEF: Final = ("time", "direction", "clientId", "apiName", "apiVersion")
_NEEDED: Final = ("frame", "direction", "apiKey", "apiVersion")


def section_of_captures(places: Sequence[str | IO[bytes]], request: DumpRequest) -> Section:
    """Return the section with all decoded frames, or only with the requested messages. Raises ``ValueError``."""
    tables = [request.catalog.message(name) for name in request.messages]
    if request.fields is not None and len(tables) != 1:
        raise ValueError("--fields needs one --message")
    is_json = not (request.typed and len(tables) == 1)
    options: ColumnOptions = {} if request.fields is None else {"fields": request.fields}
    known = FrameMessages.of(request.catalog)
    reader = FrameReader(
        known.only(*tables) if tables else known, options, is_json=is_json, include_secrets=request.include_secrets
    )
    requested = {*(request.columns or ()), *_DEFAULT, *OF_ERRORS}
    stream = read_capture(*places, columns=[name for name in CAPTURE_COLUMNS if name in {*requested, *_NEEDED}])
    keep = [name for name in stream.schema.names if name in requested and name not in ("frame", *OF_ERRORS[-2:])]
    frames = decoded_frames(
        stream,
        reader,
        "PERMISSIVE",
        tables=tables,
        keep=keep,
        metadata=known.bodies.get(METADATA_RESPONSE),
        chosen=_between(request),
    )
    body = "bodyJson" if is_json else "body"
    usual = (*_BRIEF, body) if request.brief else (*_DEFAULT, body, REMARK)
    names = request.columns or usual
    chosen = selected(frames, [body if name == "body" else name for name in names], "a frame")
    return Section(chosen, frozenset(["bodyJson"]), left_out=frozenset([REMARK]))


def _between(request: DumpRequest) -> Callable[[pa.RecordBatch], pa.RecordBatch] | None:
    """Return a filter that keeps rows within the requested times and rows without a time; ``None`` keeps all."""
    if not request.options:
        return None
    bounds = LogOptions.parse(request.options).bounds

    def wanted(batch: pa.RecordBatch) -> pa.RecordBatch:
        milliseconds = pc.divide(batch.column("time").cast(pa.int64()), 1000)
        is_later = pc.greater_equal(milliseconds, bounds.min_timestamp)
        is_within = pc.and_(is_later, pc.less_equal(milliseconds, bounds.max_timestamp))
        return batch.filter(pc.fill_null(is_within, fill_value=True))

    return wanted
