"""One direction of a TCP connection: sorts the bytes of captured segments (RFC 9293, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple

from messagegen_arrow.capture.segments import Segment

SEQUENCE_NUMBERS: Final = 1 << 32
"""The number of different sequence numbers; 0 follows the highest."""
SEGMENT_COST: Final = 256
"""The approximate memory in bytes that a segment or piece takes in addition to its data."""


class Piece(NamedTuple):
    """The next bytes of a stream; if ``data`` is empty, ``missing`` bytes are missing."""

    time: int
    """The time when the bytes were captured, in microseconds since 1970."""
    position: int
    """The position, in bytes from the start of the stream."""
    data: bytes
    missing: int
    acknowledged: int | None
    """The acknowledgement number: what the sender had received from the other direction."""


class Stream:
    """The segments of one direction, in order. If segments overlap, the bytes that were captured first are used.

    Early segments wait for missing bytes. If more than ``limit`` bytes wait, the missing bytes are skipped.
    """

    def __init__(self, limit: int) -> None:
        self.position = 0
        """The position of the next byte, from the start of the stream."""
        self.end: int | None = None
        """The end of the stream, once it is known."""
        self.starts_within = True
        """Whether the start of the connection is missing from the capture."""
        self._sequence: int | None = None
        self._limit = limit
        self._waiting: list[tuple[int, int, Segment]] = []
        """A heap of segments after missing bytes: the position, a number that keeps their order, and the segment."""
        self._waiting_bytes = 0
        self._order = count()

    @property
    def is_complete(self) -> bool:
        """Whether all bytes up to the end have been returned."""
        return self.end is not None and self.position >= self.end

    def begin(self, sequence: int) -> None:
        """Set the sequence number of the first byte of the stream, unless a sequence number is already known."""
        if self._sequence is None:
            self._sequence = sequence % SEQUENCE_NUMBERS
            self.starts_within = False

    def begin_within(self, sequence: int) -> None:
        """Set the sequence number of the first captured byte, unless a sequence number is already known."""
        if self._sequence is None:
            self._sequence = sequence % SEQUENCE_NUMBERS

    def at(self, sequence: int) -> int:
        """Return the position of a sequence number. Of all possible positions, it is the nearest to ``position``."""
        assert self._sequence is not None
        ahead = (sequence - self._sequence) % SEQUENCE_NUMBERS
        is_behind = ahead >= SEQUENCE_NUMBERS // 2
        return self.position + ahead - (SEQUENCE_NUMBERS if is_behind else 0)

    def is_received(self, acknowledged: int) -> bool:
        """Whether all bytes before this sequence number have been returned; FIN counts as a byte."""
        position = self.at(acknowledged)
        return position <= self.position or (self.is_complete and position == self.position + 1)

    def add(self, segment: Segment) -> Iterator[Piece]:
        """Add a segment, and yield the bytes that are now in order."""
        self.begin_within(segment.sequence)
        start = self.at(segment.sequence)
        if segment.is_end and self.end is None:
            self.end = start + segment.length
        if start + segment.length <= self.position:
            return
        if start > self.position:
            heappush(self._waiting, (start, next(self._order), segment))
            self._waiting_bytes += len(segment.data) + SEGMENT_COST
            while self._waiting_bytes > self._limit:
                yield from self.give_up()
            return
        yield from self._take(start, segment)
        yield from self._drain()

    def give_up(self) -> Iterator[Piece]:
        """Skip the missing bytes before the first waiting segment, and yield the gap and the segments after it."""
        if self._waiting:
            start, _, segment = self._waiting[0]
            yield from self.skip_to(start, segment.time)

    def skip_to(self, position: int, time: int) -> Iterator[Piece]:
        """Skip missing bytes before a position, and yield the gaps and the segments that wait before it."""
        while self.position < position:
            end = min(position, self._waiting[0][0]) if self._waiting else position
            yield self._gap(end - self.position, time)
            yield from self._drain()

    def finish(self) -> Iterator[Piece]:
        """Yield all waiting segments at the end of the capture."""
        while self._waiting:
            yield from self.give_up()

    def _drain(self) -> Iterator[Piece]:
        while self._waiting and self._waiting[0][0] <= self.position:
            start, _, segment = heappop(self._waiting)
            self._waiting_bytes -= len(segment.data) + SEGMENT_COST
            yield from self._take(start, segment)

    def _take(self, start: int, segment: Segment) -> Iterator[Piece]:
        """Yield the new bytes of a segment that begins at or before the current position."""
        data = segment.data[self.position - start :] if start < self.position else segment.data
        end = start + segment.length
        if data:
            piece = Piece(segment.time, self.position, data, 0, segment.acknowledged)
            self._advance(len(data))
            yield piece
        if self.position < end:
            yield self._gap(end - self.position, segment.time)

    def _gap(self, missing: int, time: int) -> Piece:
        piece = Piece(time, self.position, b"", missing, None)
        self._advance(missing)
        return piece

    def _advance(self, length: int) -> None:
        assert self._sequence is not None
        self.position += length
        self._sequence = (self._sequence + length) % SEQUENCE_NUMBERS
