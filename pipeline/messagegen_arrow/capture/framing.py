"""Finds Kafka frames in the bytes of one direction. A frame is a 4-byte size, followed by that number of bytes.

After bytes that were not captured, reading continues behind the damaged frame if its size is known. Otherwise, it
continues at the first segment that begins like a frame.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from messagegen_arrow.capture.streams import Piece
from messagegen_kafka._runtime.session.protocol import CONTROLLED_SHUTDOWN_0, HIGHEST_API_KEY, HIGHEST_VERSION

_SIZE: Final = struct.Struct(">i")
REQUEST_HEAD_BYTES: Final = 8
"""The size of the API key, the version and the correlation id."""
CORRELATION_ID_BYTES: Final = 4
"""The size of the correlation id, the first field of a response."""
_CLIENT_ID_LENGTH_BYTES: Final = 2
_REQUEST_START: Final = struct.Struct(">ihh")
"""The size of the frame, the API key and the version."""
HEAD: Final = _SIZE.size + REQUEST_HEAD_BYTES + _CLIENT_ID_LENGTH_BYTES
"""The number of bytes needed to detect a request: size, API key, version, correlation id, length of the client id."""

_LONGEST_CLIENT_ID: Final = 1024
"""The maximum length in bytes; if the length is larger, the bytes are not a request."""


class Frame(NamedTuple):
    """A frame without its size. ``data`` ends before the damage if the frame is damaged."""

    time: int
    """The time when the last byte was captured, in microseconds since 1970."""
    position: int
    """The position of the frame's size, in bytes from the start of the stream."""
    data: bytes
    size: int
    """The number of bytes in the frame on the wire."""
    problem: str | None = None
    """The damage of the frame; ``None`` if it is complete."""


class Skipped(NamedTuple):
    """Bytes without a recognizable start of a frame."""

    time: int
    position: int
    length: int
    problem: str


class Refused(NamedTuple):
    """The stream does not contain frames."""

    time: int
    problem: str


FrameItem = Frame | Skipped | Refused


class _State(Enum):
    START = auto()
    """At the start of the stream, where a frame must start."""
    IN_STEP = auto()
    """Between frames: the next byte is the start of a frame."""
    LOST = auto()
    """The start of the next frame is unknown."""
    REFUSED = auto()
    """The stream does not contain frames, or has ended."""


class Framer:
    """Splits one direction into frames of at most ``largest`` bytes each.

    ``is_head`` decides whether a frame can begin with some bytes (``HEAD`` of them, or fewer at the end of a packet).
    ``smallest`` returns the minimum size of the next frame. If ``starts_within`` is true, the stream may start in the
    middle of a frame, and is searched for the next one. Otherwise, if ``is_checked`` is true, the start of the stream
    must pass ``is_head``.
    """

    def __init__(
        self,
        is_head: Callable[[bytes], bool],
        smallest: Callable[[], int],
        largest: int,
        *,
        starts_within: bool,
        is_checked: bool,
    ) -> None:
        self._is_head = is_head
        self._smallest = smallest
        self._largest = largest
        self._buffer = bytearray()
        self._begin = 0
        """The position of the buffer's first byte."""
        self._state = _State.IN_STEP
        if is_checked and not starts_within:
            self._state = _State.START
        elif starts_within:
            self._state = _State.LOST
        self._is_first = True
        self._damaged: Frame | None = None
        """A damaged frame whose last bytes have not arrived yet."""
        self._to_come = 0
        self._lost = Skipped(0, 0, 0, "MID_STREAM: the capture begins within the connection")
        self._time = 0

    def feed(self, piece: Piece) -> Iterator[FrameItem]:
        """Add the next bytes, and yield the frames that are now complete.

        Use each frame before you request the next one.
        """
        self._time = piece.time
        if self._state == _State.REFUSED:
            return
        if piece.missing:
            yield from self._miss(piece)
            return
        data = piece.data
        position = piece.position
        if self._damaged is not None:
            taken = min(self._to_come, len(data))
            yield from self._pass(taken)
            data = data[taken:]
            position += taken
        if not data:
            return
        if self._state == _State.LOST:
            yield from self._search(data, position)
            return
        if not self._buffer:
            self._begin = position
        self._buffer += data
        yield from self._frames()

    def finish(self) -> Iterator[FrameItem]:
        """Yield incomplete frames at the end of the stream."""
        if self._damaged is not None:
            yield self._damaged._replace(time=self._time)
            self._damaged = None
        if self._state == _State.START and self._buffer:
            refusal = self._check_start()
            if refusal is not None:
                yield refusal
        if self._state == _State.LOST and self._lost.length:
            yield self._lost._replace(time=self._time)
        if self._state == _State.IN_STEP and self._buffer:
            if len(self._buffer) < _SIZE.size:
                problem = "CUT_OFF: the connection or the capture ends within the size of a frame"
                yield Skipped(self._time, self._begin, len(self._buffer), problem)
            else:
                problem = "CUT_OFF: the connection or the capture ends within the frame"
                yield self._partial(problem)
        self._buffer.clear()
        self._state = _State.REFUSED

    def _frames(self) -> Iterator[FrameItem]:
        if self._state == _State.START:
            if len(self._buffer) < HEAD:
                return
            refusal = self._check_start()
            if refusal is not None:
                yield refusal
                return
        start = 0
        while len(self._buffer) - start >= _SIZE.size:
            (size,) = _SIZE.unpack_from(self._buffer, start)
            if not self._smallest() <= size <= self._largest:
                position = self._begin + start
                problem = f"BAD_SIZE: {size} is not a valid frame size (max_frame_bytes is {self._largest})"
                self._lose(Skipped(self._time, position, len(self._buffer) - start, problem))
                return
            end = start + _SIZE.size + size
            if end > len(self._buffer):
                break
            yield Frame(self._time, self._begin + start, bytes(self._buffer[start + _SIZE.size : end]), size)
            start = end
        del self._buffer[:start]
        self._begin += start

    def _check_start(self) -> Refused | None:
        head = bytes(self._buffer[:HEAD])
        if self._is_head(head):
            self._state = _State.IN_STEP
            return None
        self._state = _State.REFUSED
        self._buffer.clear()
        not_kafka = "NOT_KAFKA: the connection does not begin with a Kafka request"
        return Refused(self._time, TLS if is_tls(head) else not_kafka)

    def _miss(self, piece: Piece) -> Iterator[FrameItem]:
        missing = piece.missing
        problem = f"MISSING_BYTES: {missing} bytes were not captured"
        if self._state == _State.START:
            self._state = _State.IN_STEP
        if self._state == _State.LOST:
            self._lost = self._lost._replace(length=self._lost.length + missing)
            self._buffer.clear()
            return
        if self._damaged is None and len(self._buffer) >= _SIZE.size:
            (size,) = _SIZE.unpack_from(self._buffer)
            self._damaged = self._partial(problem)
            self._to_come = _SIZE.size + size - len(self._buffer)
            self._buffer.clear()
        if self._damaged is None:
            begin = self._begin if self._buffer else piece.position
            self._lose(Skipped(piece.time, begin, len(self._buffer) + missing, problem))
            return
        within = min(missing, self._to_come)
        yield from self._pass(within)
        if missing > within:
            self._lose(Skipped(piece.time, piece.position + within, missing - within, problem))

    def _pass(self, count: int) -> Iterator[Frame]:
        """Skip bytes of a damaged frame, and yield the damaged frame once its last byte is skipped."""
        self._to_come -= count
        if self._damaged is not None and not self._to_come:
            damaged = self._damaged
            self._damaged = None
            yield damaged._replace(time=self._time)

    def _partial(self, problem: str) -> Frame:
        (size,) = _SIZE.unpack_from(self._buffer)
        return Frame(self._time, self._begin, bytes(self._buffer[_SIZE.size :]), size, problem)

    def _lose(self, lost: Skipped) -> None:
        self._state = _State.LOST
        self._lost = lost
        self._buffer.clear()

    def _search(self, data: bytes, position: int) -> Iterator[FrameItem]:
        """Check whether a segment begins with a frame, because senders usually start a new segment for each frame."""
        if self._is_first and self._lost.position == 0 and is_tls(data):
            self._state = _State.REFUSED
            yield Refused(self._time, TLS)
            return
        self._is_first = False
        candidates = [(position, data)]
        if self._buffer:
            # Some clients send the size in a separate segment.
            candidates.insert(0, (position - len(self._buffer), bytes(self._buffer) + data))
        for start, candidate in candidates:
            if self._is_head(candidate[:HEAD]):
                found = self._lost._replace(time=self._time, length=self._lost.length - (position - start))
                if found.length:
                    yield found
                self._state = _State.IN_STEP
                self._buffer[:] = candidate
                self._begin = start
                yield from self._frames()
                return
        self._lost = self._lost._replace(time=self._time, length=self._lost.length + len(data))
        self._buffer[:] = data if len(data) < HEAD else b""


TLS: Final = "TLS: the connection is encrypted; capture a listener without TLS, or decrypt the capture first"


def is_tls(head: bytes) -> bool:
    """Whether bytes begin like a TLS record (RFC 8446, section 5.1): content type, and version 3.0 to 3.4."""
    return len(head) >= 3 and 0x14 <= head[0] <= 0x17 and head[1] == 3 and head[2] <= 4


def is_request_head(head: bytes, largest: int) -> bool:
    """Whether these bytes can be a size and the start of a request; text and random bytes rarely are.

    The request may be unknown to this package.
    """
    if len(head) < _SIZE.size + REQUEST_HEAD_BYTES:
        return False
    size, api_key, version = _REQUEST_START.unpack_from(head)
    if not (REQUEST_HEAD_BYTES <= size <= largest and 0 <= api_key <= HIGHEST_API_KEY):
        return False
    if not 0 <= version <= HIGHEST_VERSION:
        return False
    if len(head) < HEAD or head.startswith(CONTROLLED_SHUTDOWN_0, _SIZE.size):
        return True
    length = int.from_bytes(head[HEAD - _CLIENT_ID_LENGTH_BYTES : HEAD], "big", signed=True)
    left = size - REQUEST_HEAD_BYTES - _CLIENT_ID_LENGTH_BYTES
    return -1 <= length <= _LONGEST_CLIENT_ID and length <= left


def has_size(request: bytes) -> bool:
    """Whether a frame that should be a request without its size is a request with it."""
    size = len(request) - _SIZE.size
    if size < 0 or _SIZE.unpack_from(request) != (size,):
        return False
    if not is_request_head(request[:HEAD], size):
        return False
    # A size that begins with two zero bytes could also be Produce's API key and a version. But a version is a small
    # number, and a Produce request has more bytes than that.
    without = _SIZE.pack(len(request)) + request
    return request.startswith(b"\0\0") or not is_request_head(without[:HEAD], len(request))
