"""Splitting of frames into headers and bodies, grouped by message and version."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import Rows, errors_everywhere, take_rows
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.decoding import column_decoder
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.columns.row_groups import Kinds, rows_by_kind
from messagegen_arrow.frames.api_names import api_name, name_of_message
from messagegen_arrow.frames.messages import API_VERSIONS, Direction, FrameError, FrameMessages, response_version
from messagegen_arrow.malformed import ERROR_ARROW_TYPE

Integers = npt.NDArray[np.int64]

_DIRECTIONS: Final[tuple[Direction, ...]] = ("request", "response")
_NO_DIRECTION: Final = -1
_RESPONSE: Final = _DIRECTIONS.index("response")
_NO_NUMBER: Final = 1 << 15
"""The number in place of a null API key or version. Both are signed 16-bit numbers, so they are lower."""
_KEY_SHIFT: Final = 20
_DIRECTION_SHIFT: Final = 40
"""The bit positions of API key and direction in the number of a kind of frame; the version is in the lowest bits."""

_NO_FRAME: Final = -1
_FAILED: Final = -2
_UNPAIRED: Final = -3
"""The kinds of rows without a frame, rows with an error of the source, and rows whose frame can't be identified."""

_CORRELATION_ID_BYTES: Final = 4
_ERROR_CODE_BYTES: Final = 2


@dataclass(frozen=True, slots=True)
class FrameBatch:
    """The columns of a batch, with one row for each frame."""

    frames: pa.BinaryArray
    directions: pa.StringArray
    api_keys: pa.Array
    api_versions: pa.Array
    errors: pa.StructArray | None = None
    """The error of the source, for rows without a frame."""
    raws: pa.BinaryArray | None = None

    def __len__(self) -> int:
        return len(self.frames)


@dataclass(frozen=True, slots=True)
class FrameParts:
    """Frames of one message in one version, split into header and body."""

    rows: Rows
    """The rows of these frames in the batch."""
    direction: Direction
    table: MessageTable
    version: int
    header_version: int
    frames: pa.BinaryArray
    headers: pa.BinaryArray
    bodies: pa.BinaryArray
    header_lengths: Integers


@dataclass(frozen=True, slots=True)
class UnreadFrames:
    """Rows whose frames can't be split, and the reason."""

    rows: Rows
    errors: pa.StructArray
    table: MessageTable | None = None
    api_key: int | None = None

    @property
    def api_name(self) -> str | None:
        """The name of the API in the catalog or, if the catalog lacks it, in Kafka."""
        if self.table is not None:
            return name_of_message(self.table.name)
        return None if self.api_key is None else api_name(self.api_key)


def split_frames(messages: FrameMessages, batch: FrameBatch) -> Iterator[FrameParts | UnreadFrames]:
    """Yield the split frames of a batch, grouped by message and version. Rows without a frame are in no group."""
    identities = _Identities.of(messages, batch)
    for kind, rows in rows_by_kind(_kinds(identities, batch)):
        if kind == _NO_FRAME:
            continue
        if kind == _FAILED:
            yield from _failed(messages, batch, identities, rows)
        elif kind == _UNPAIRED:
            yield UnreadFrames(rows, errors_everywhere("unknown API key and version", "", len(rows)))
        else:
            yield _split_group(messages, batch, identities, rows)


@dataclass(frozen=True, slots=True)
class _Identities:
    """The direction, API key and version of the body of each row, as numbers."""

    directions: Integers
    """Indexes of ``_DIRECTIONS``, or ``_NO_DIRECTION``."""
    api_keys: Integers
    versions: Integers
    """Like API keys, these are ``_NO_NUMBER`` where they are null."""

    @classmethod
    def of(cls, messages: FrameMessages, batch: FrameBatch) -> _Identities:
        directions = _numbers(pc.index_in(batch.directions, pa.array(_DIRECTIONS)), _NO_DIRECTION)
        api_keys = _numbers(batch.api_keys, _NO_NUMBER)
        versions = _numbers(batch.api_versions, _NO_NUMBER)
        is_api_versions = (directions == _RESPONSE) & (api_keys == API_VERSIONS) & (versions != _NO_NUMBER)
        for row in np.flatnonzero(is_api_versions):
            error_code = _first_error_code(batch.frames[row].as_py() or b"")
            versions[row] = response_version(messages, API_VERSIONS, int(versions[row]), error_code)
        return cls(directions, api_keys, versions)

    @property
    def are_complete(self) -> npt.NDArray[np.bool_]:
        """For each row, whether direction, API key and version are all known."""
        found: npt.NDArray[np.bool_] = (
            (self.directions != _NO_DIRECTION) & (self.api_keys != _NO_NUMBER) & (self.versions != _NO_NUMBER)
        )
        return found

    @property
    def packed(self) -> Kinds:
        """For each row, one number for its direction, API key and version; not negative if all of them are known."""
        keys = self.api_keys + _NO_NUMBER
        versions = self.versions + _NO_NUMBER
        return (self.directions << _DIRECTION_SHIFT) + (keys << _KEY_SHIFT) + versions


def _kinds(identities: _Identities, batch: FrameBatch) -> Kinds:
    """Return a number for each row, which is equal for frames of the same message in the same version."""
    kinds = identities.packed
    kinds[~identities.are_complete] = _UNPAIRED
    kinds[batch.frames.is_null().to_numpy(zero_copy_only=False)] = _NO_FRAME
    if batch.errors is not None and batch.errors.null_count < len(batch):
        kinds[batch.errors.is_valid().to_numpy(zero_copy_only=False)] = _FAILED
    return kinds


def _first_error_code(frame: bytes) -> int | None:
    """Return the error code after the correlation id of an ApiVersionsResponse; ``None`` if the frame is too short."""
    end = _CORRELATION_ID_BYTES + _ERROR_CODE_BYTES
    if len(frame) < end:
        return None
    return int.from_bytes(frame[_CORRELATION_ID_BYTES:end], "big", signed=True)


def _failed(messages: FrameMessages, batch: FrameBatch, identities: _Identities, rows: Rows) -> Iterator[UnreadFrames]:
    """Yield the rows with an error of the source, grouped by direction and API key, which may be unknown."""
    assert batch.errors is not None
    directions = identities.directions[rows]
    api_keys = identities.api_keys[rows]
    for direction, api_key in sorted(set(zip(directions.tolist(), api_keys.tolist(), strict=True))):
        some = rows[(directions == direction) & (api_keys == api_key)]
        table = None if direction == _NO_DIRECTION else messages.bodies.get((_DIRECTIONS[direction], api_key))
        errors = take_rows(batch.errors, some).cast(ERROR_ARROW_TYPE)
        yield UnreadFrames(some, errors, table, api_key)


def _split_group(
    messages: FrameMessages, batch: FrameBatch, identities: _Identities, rows: Rows
) -> FrameParts | UnreadFrames:
    """Split frames of one direction, API key and version."""
    direction = _DIRECTIONS[identities.directions[rows[0]]]
    api_key = int(identities.api_keys[rows[0]])
    version = int(identities.versions[rows[0]])
    try:
        table, header_version = messages.body(direction, api_key, version)
    except FrameError as problem:
        errors = errors_everywhere(str(problem), "", len(rows))
        return UnreadFrames(rows, errors, messages.bodies.get((direction, api_key)), api_key)

    frames = take_rows(batch.frames, rows)
    header_lengths = message_ends(messages.headers[direction], frames, header_version)
    headers, bodies = split_values(frames, header_lengths)
    return FrameParts(
        rows=rows,
        direction=direction,
        table=table,
        version=version,
        header_version=header_version,
        frames=frames,
        headers=headers,
        bodies=bodies,
        header_lengths=header_lengths,
    )


def _numbers(array: pa.Array, null: int) -> Integers:
    """Return a copy of the numbers, with the number ``null`` in place of nulls."""
    numbers: Integers = pc.fill_null(array.cast(pa.int64()), null).to_numpy(zero_copy_only=False).copy()
    return numbers


def message_ends(table: MessageTable, values: pa.BinaryArray, version: int) -> Integers:
    """Return the length of the message at the start of each value; without a message, the length of the value."""
    decoder = column_decoder(MessageColumns(table.plan, (version,), ()))
    found = pa.record_batch(decoder.ends(values, version))
    lengths = pc.binary_length(values).cast(pa.int64())
    ends: Integers = pc.coalesce(found.column("end"), lengths).to_numpy()
    return ends


def split_values(values: pa.BinaryArray, lengths: Integers) -> tuple[pa.BinaryArray, pa.BinaryArray]:
    """Return the first bytes of each value, and the rest."""
    count = len(values)
    _, offset_buffer, data = values.buffers()
    starts = np.frombuffer(offset_buffer, np.int32)[values.offset : values.offset + count + 1].astype(np.int64)

    # Split each value into two pieces, in an array that shares the bytes of ``values``; only ``take`` copies them.
    offsets: Any = np.empty(2 * count + 1, np.int32)
    offsets[0::2] = starts
    offsets[1::2] = starts[:-1] + lengths
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"") if data is None else data]
    pieces = pa.Array.from_buffers(pa.binary(), 2 * count, buffers)
    places_of_first = np.arange(0, 2 * count, 2)
    return pieces.take(pa.array(places_of_first)), pieces.take(pa.array(places_of_first + 1))
