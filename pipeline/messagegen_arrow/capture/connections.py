"""TCP connections built from segments: their endpoints, their two streams, and the frames in them."""

from __future__ import annotations

import struct
from collections import OrderedDict, deque
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from messagegen_arrow.capture.dialogue import Dialogue, FrameRow
from messagegen_arrow.capture.framing import (
    CORRELATION_ID_BYTES,
    HEAD,
    TLS,
    FrameItem,
    Framer,
    Refused,
    is_request_head,
    is_tls,
)
from messagegen_arrow.capture.segments import End, Segment
from messagegen_arrow.capture.settings import CaptureSettings
from messagegen_arrow.capture.streams import SEGMENT_COST, SEQUENCE_NUMBERS, Piece, Stream

_RESPONSE_HEAD: Final = struct.Struct(">ii")
_MOST_UNDECIDED: Final = 1 << 20
"""The maximum number of bytes that wait until it is known which end is the client."""
_MOST_CLOSED: Final = 4096
"""The maximum number of ended connections that are remembered."""


class ConnectionName(NamedTuple):
    """The name of a connection."""

    connection: str
    client: str | None
    broker: str | None


@lru_cache(maxsize=8192)
def _name(ends: tuple[End, End], client: End | None, number: int) -> ConnectionName:
    if client is None:
        return ConnectionName(f"{ends[0]} - {ends[1]} #{number}", None, None)
    broker = ends[1] if client == ends[0] else ends[0]
    return ConnectionName(f"{client} > {broker} #{number}", str(client), str(broker))


class ConnectionRow(NamedTuple):
    """A row and its connection."""

    name: ConnectionName
    row: FrameRow


class Connection:
    """One connection.

    The settings may name the broker's port. Otherwise, the client is the endpoint that opened the connection or, if
    that was not captured, sent the first request. If no request is found, it is the endpoint with the higher port.
    """

    def __init__(self, ends: tuple[End, End], settings: CaptureSettings, *, number: int) -> None:
        self._ends = ends
        self._settings = settings
        self._number = number
        self._client = settings.named_client(ends)
        self._streams = {end: Stream(settings.max_reorder_bytes) for end in ends}
        self._undecided: list[tuple[End, Piece]] = []
        self._undecided_bytes = 0
        self._held: deque[Piece] = deque()
        self._held_bytes = 0
        self._framers: dict[End, Framer] = {}
        self._dialogue = Dialogue()
        self._is_refused = False
        self.opened_at: int | None = None
        """The client's first sequence number."""

    @property
    def is_over(self) -> bool:
        """Whether both streams have ended."""
        return all(stream.is_complete for stream in self._streams.values())

    @property
    def name(self) -> ConnectionName:
        """The name of the connection, with its endpoints if it is known which of them is the client.

        The number distinguishes connections between the same endpoints.
        """
        return _name(self._ends, self._client, self._number)

    def add(self, segment: Segment) -> Iterator[FrameRow]:
        """Add a segment, and yield the frames that are complete."""
        stream = self._streams[segment.source]
        other = self._streams[segment.target]
        if segment.is_begin:
            self._open(segment)
            segment = segment._replace(sequence=segment.sequence + 1, is_begin=False)
        if segment.acknowledged is not None:
            other.begin_within(segment.acknowledged)
        if self._is_refused:
            # The bytes of the connection are skipped, but its end must be detected.
            for _ in stream.add(segment):
                pass
            return
        if segment.length or segment.is_end:
            yield from self._deliver(segment.source, stream.add(segment))

    def finish(self) -> Iterator[FrameRow]:
        """Yield the remaining rows at the end of the connection or the capture."""
        if self._is_refused:
            return
        for end in self._in_order():
            yield from self._deliver(end, self._streams[end].finish())
        if self._client is None and self._undecided:
            self._client = self._higher_port()
            yield from self._decided()
        if self._client is None or self._is_refused:
            return
        yield from self._release(all_of_them=True)
        for end in self._in_order():
            yield from self._rows(end, self._framer(end).finish())

    def _in_order(self) -> tuple[End, End]:
        """Return both endpoints. The client comes first, because decoding a response requires its request."""
        if self._client is None:
            return self._ends
        return self._client, self._other(self._client)

    def _other(self, end: End) -> End:
        return self._ends[1] if end == self._ends[0] else self._ends[0]

    def _higher_port(self) -> End:
        """Return the endpoint that is probably the client: ephemeral ports are higher than the ports of services."""
        return max(self._ends, key=lambda end: end.port)

    def _open(self, segment: Segment) -> None:
        self._streams[segment.source].begin(segment.sequence + 1)
        if segment.acknowledged is not None:
            self._streams[segment.target].begin(segment.acknowledged)
        if segment.acknowledged is None:
            # The first segment, from the client.
            client = segment.source
            self.opened_at = segment.sequence
        else:
            # The broker's answer, which acknowledges the sequence number after the client's first one.
            client = segment.target
            self.opened_at = (segment.acknowledged - 1) % SEQUENCE_NUMBERS
        if self._client is None:
            self._client = client

    def _deliver(self, end: End, pieces: Iterator[Piece]) -> Iterator[FrameRow]:
        for piece in pieces:
            if self._client is None:
                yield from self._decide(end, piece)
            elif end == self._client:
                yield from self._feed(end, piece)
                yield from self._release()
            else:
                self._hold(piece)
                yield from self._release()

    def _decide(self, end: End, piece: Piece) -> Iterator[FrameRow]:
        """Try to find out from the received bytes which end is the client, and yield the rows that waited for that."""
        if piece.data and is_tls(piece.data):
            self._is_refused = True
            yield self._dialogue.row("request", Refused(piece.time, TLS))
            return
        self._undecided.append((end, piece))
        self._undecided_bytes += len(piece.data) + SEGMENT_COST
        if is_request_head(piece.data[:HEAD], self._settings.max_frame_bytes):
            self._client = end
        elif self._undecided_bytes > _MOST_UNDECIDED:
            self._client = self._higher_port()
        if self._client is not None:
            yield from self._decided()

    def _decided(self) -> Iterator[FrameRow]:
        undecided = self._undecided
        self._undecided = []
        for end, piece in undecided:
            yield from self._deliver(end, iter((piece,)))

    def _hold(self, piece: Piece) -> None:
        self._held.append(piece)
        self._held_bytes += len(piece.data) + SEGMENT_COST

    def _release(self, *, all_of_them: bool = False) -> Iterator[FrameRow]:
        """Yield rows from the broker's bytes, once all client bytes that the broker had acknowledged have arrived.

        In this way, requests precede their responses.
        """
        assert self._client is not None
        requests = self._streams[self._client]
        broker = self._other(self._client)
        while self._held:
            acknowledged = self._held[0].acknowledged
            if acknowledged is not None and not all_of_them and not requests.is_received(acknowledged):
                if self._held_bytes <= self._settings.max_reorder_bytes:
                    return
                for piece in requests.skip_to(requests.at(acknowledged), self._held[0].time):
                    yield from self._feed(self._client, piece)
                continue
            piece = self._held.popleft()
            self._held_bytes -= len(piece.data) + SEGMENT_COST
            yield from self._feed(broker, piece)

    def _feed(self, end: End, piece: Piece) -> Iterator[FrameRow]:
        if not self._is_refused:
            yield from self._rows(end, self._framer(end).feed(piece))

    def _rows(self, end: End, items: Iterator[FrameItem]) -> Iterator[FrameRow]:
        for item in items:
            self._is_refused |= isinstance(item, Refused)
            yield self._dialogue.row("request" if end == self._client else "response", item)
            if self._is_refused:
                self._held.clear()
                return

    def _framer(self, end: End) -> Framer:
        if end not in self._framers:
            self._framers[end] = self._new_framer(end)
        return self._framers[end]

    def _new_framer(self, end: End) -> Framer:
        largest = self._settings.max_frame_bytes
        starts_within = self._streams[end].starts_within
        if end == self._client:
            return Framer(
                is_head=lambda head: is_request_head(head, largest),
                smallest=lambda: self._dialogue.smallest_request,
                largest=largest,
                starts_within=starts_within,
                is_checked=True,
            )
        return Framer(
            is_head=self._is_response_head,
            smallest=lambda: self._dialogue.smallest_response,
            largest=largest,
            starts_within=starts_within,
            is_checked=False,
        )

    def _is_response_head(self, head: bytes) -> bool:
        """Whether these bytes can be a size and a correlation id that a request waits for."""
        if len(head) < _RESPONSE_HEAD.size:
            return False
        size, correlation_id = _RESPONSE_HEAD.unpack_from(head)
        if not CORRELATION_ID_BYTES <= size <= self._settings.max_frame_bytes:
            return False
        return self._dialogue.expects(correlation_id)


def _opens(segment: Segment) -> bool:
    """Whether a segment is the first one that the client of a connection sends."""
    return segment.is_begin and segment.acknowledged is None


class Assembler:
    """All connections of a capture."""

    def __init__(self, settings: CaptureSettings) -> None:
        self._settings = settings
        self._open: OrderedDict[tuple[End, End], Connection] = OrderedDict()
        self._closed: OrderedDict[tuple[End, End], None] = OrderedDict()
        self._number = 0

    def add(self, segment: Segment) -> Iterator[ConnectionRow]:
        """Add the next segment of the capture, and yield the frames that are complete."""
        ends = (min(segment.source, segment.target), max(segment.source, segment.target))
        if not self._settings.takes(ends):
            return
        connection = self._open.get(ends)
        if connection is not None and _opens(segment) and connection.opened_at != segment.sequence:
            # This is a new connection between the same ends.
            yield from self._end(ends)
            connection = None
        if connection is None:
            if not self._begins_connection(segment, ends):
                return
            yield from self._make_room()
            connection = self._new(ends)
        self._open.move_to_end(ends)
        for row in connection.add(segment):
            yield ConnectionRow(connection.name, row)
        if segment.is_reset or connection.is_over:
            yield from self._end(ends)

    def finish(self) -> Iterator[ConnectionRow]:
        """Yield the remaining rows of all connections at the end of the capture."""
        for ends in list(self._open):
            yield from self._end(ends)

    def _begins_connection(self, segment: Segment, ends: tuple[End, End]) -> bool:
        """Whether a segment without an open connection begins one; late segments of ended connections do not."""
        if _opens(segment):
            return True
        if ends in self._closed:
            return False
        return segment.is_begin or segment.length > 0

    def _new(self, ends: tuple[End, End]) -> Connection:
        self._closed.pop(ends, None)
        self._number += 1
        self._open[ends] = Connection(ends, self._settings, number=self._number)
        return self._open[ends]

    def _make_room(self) -> Iterator[ConnectionRow]:
        while len(self._open) >= self._settings.max_connections:
            yield from self._end(next(iter(self._open)))

    def _end(self, ends: tuple[End, End]) -> Iterator[ConnectionRow]:
        connection = self._open.pop(ends)
        # Remember the ends, because retransmitted segments would look like a connection whose start was not captured.
        self._closed[ends] = None
        if len(self._closed) > _MOST_CLOSED:
            self._closed.popitem(last=False)
        for row in connection.finish():
            yield ConnectionRow(connection.name, row)
