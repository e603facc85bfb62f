"""Finding the next batch after one whose length can't be trusted: batches lead from one to the next by their lengths only."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import pyarrow as pa

from messagegen_arrow.files import OpenFile
from messagegen_arrow.log.scan import Tail, headers_between
from messagegen_kafka._runtime.records.headers import (
    BEFORE_LENGTH,
    HEADER_SIZE,
    MAGIC_AT,
    BatchHeader,
    Frame,
    frame_at,
    header_at,
    header_of,
    is_intact,
)

_WINDOW_BYTES: Final = 1 << 22
_MOST_CHECKED: Final = 64
"""So many times the bytes of a file are checksummed in a search, no more: hostile bytes may look like many batches."""
_KNOWN_ATTRIBUTES: Final = 0x7F


def intact_batch_at(file: OpenFile, position: int, end: int) -> bool:
    """Whether a batch of magic 2 with the right checksum begins at a position of a file and ends before ``end``."""
    frame = _frame(file, position, end)
    return isinstance(frame, Frame) and _is_intact(file, position, frame.length)


def find_batch(file: OpenFile, start: int, end: int) -> int | None:
    """Where the first batch begins that looks like one and has the right checksum, ``None`` if there is none before ``end``."""
    budget = _MOST_CHECKED * (end - start)
    position = start
    while position < end:
        data = memoryview(file.read_at(min(_WINDOW_BYTES, end - position), position))
        for at, length in _candidates(data, end - position):
            budget -= length
            if budget < 0:
                return None
            if _is_intact(file, position + at, length):
                return position + at
        if len(data) < HEADER_SIZE:
            return None
        position += len(data) - HEADER_SIZE + 1
    return None


def batch_after(file: OpenFile, tail: Tail, end: int) -> int | None:
    """Where the next batch begins after bytes that are none, ``None`` if there is none before ``end``.

    For zeros it may be the place itself: a broker may have written there in the meantime.
    """
    if tail.stopped != "preallocated":
        return find_batch(file, tail.position + 1, end)
    first = first_byte(file, tail.position, end)
    # A base offset may be zero, but no length is.
    return None if first is None else find_batch(file, max(tail.position, first - BEFORE_LENGTH + 1), end)


def first_byte(file: OpenFile, start: int, end: int) -> int | None:
    """The position of the first byte that is not zero, ``None`` if there is none before ``end``."""
    position = start
    while (position := file.after_hole(position, end)) < end:
        data = file.read_at(min(_WINDOW_BYTES, end - position), position)
        if not data:
            return None
        rest = data.lstrip(b"\0")
        if rest:
            return position + len(data) - len(rest)
        position += len(data)
    return None


def headers_past_damage(
    file: OpenFile, start: int, end: int, *, is_complete: bool
) -> Generator[pa.RecordBatch, None, Tail]:
    """Tables of headers as ``headers_between`` gives them, and of the batches after bytes that are none.

    A part of a batch at the end is searched only where nothing is ever appended: it may hold a whole batch in a value.
    """
    position = start
    while True:
        tail = yield from headers_between(file, position, end)
        if tail.stopped == "end" or (tail.stopped == "truncated" and not is_complete):
            return tail
        found = batch_after(file, tail, end)
        if found is None:
            return tail
        position = found


def after_damaged(file: OpenFile, position: int, length: int, end: int) -> int:
    """Where to go on after a batch with a wrong checksum: at its end, if its length seems to be right."""
    following = position + length
    frame = _frame(file, following, end)
    if not (_looks_like_batch(file, following, frame) or frame in ("end", "preallocated")):
        found = find_batch(file, position + 1, end)
        return following if found is None else found
    # A wrong length may be that of several batches. They end where it says; one within a value of a record does not.
    within = find_batch(file, position + 1, following)
    return within if within is not None and _leads_to(file, within, following) else following


def _candidates(data: memoryview, left: int) -> Iterator[tuple[int, int]]:
    """Position and length of what has the header of a batch that fits into the ``left`` bytes of the file."""
    content = data.obj
    assert isinstance(content, bytes)
    found = content.find(b"\2", MAGIC_AT)
    while 0 <= found <= len(content) - (HEADER_SIZE - MAGIC_AT):
        at = found - MAGIC_AT
        frame = frame_at(data, at, left)
        if isinstance(frame, Frame) and frame.length >= HEADER_SIZE and _looks_right(header_at(data, at)):
            yield at, frame.length
        found = content.find(b"\2", found + 1)


def _frame(file: OpenFile, position: int, end: int) -> Frame | str:
    data = file.read_at(min(HEADER_SIZE, max(end - position, 0)), position)
    if len(data) < min(HEADER_SIZE, end - position):
        return "truncated"
    return frame_at(memoryview(data), 0, end - position)


def _looks_like_batch(file: OpenFile, position: int, frame: Frame | str) -> bool:
    if isinstance(frame, str) or frame.magic != 2 or frame.length < HEADER_SIZE:
        return False
    return _looks_right(header_at(memoryview(file.read_at(HEADER_SIZE, position)), 0))


def _looks_right(header: BatchHeader) -> bool:
    """Whether a header of magic 2 is one that Kafka writes."""
    return (
        header.attributes & ~_KNOWN_ATTRIBUTES == 0
        and header.codec is not None
        and header.base_offset >= 0
        and 0 <= header.record_count <= header.last_offset_delta + 1
        and min(header.leader_epoch, header.producer_id, header.base_sequence) >= -1
    )


def _is_intact(file: OpenFile, position: int, length: int) -> bool:
    data = memoryview(file.read_at(length, position))
    frame = frame_at(data, 0, len(data))
    if not isinstance(frame, Frame):
        return False
    header = header_of(data, frame)
    return header is not None and is_intact(data, frame, header)


def _leads_to(file: OpenFile, position: int, end: int) -> bool:
    """Whether batch follows upon batch up to ``end``."""
    while isinstance(frame := _frame(file, position, end), Frame):
        position += frame.length
    return frame == "end"
