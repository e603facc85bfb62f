"""Frames: cuts a stream of bytes into payloads, each after its length of four bytes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LENGTH_SIZE = 4
"""The bytes of a frame before its payload."""

MAX_FRAME_SIZE = 100 * 1024 * 1024
"""The default limit of a payload, that of brokers (``socket.request.max.bytes``)."""


class SessionError(ValueError):
    """Bytes or calls that do not follow the protocol. The connection can't be used any more.

    ``direction`` is ``request`` or ``response``. The correlation id, API key and version are ``None`` where they are
    not known.
    """

    def __init__(
        self,
        reason: str,
        *,
        direction: str,
        correlation_id: int | None = None,
        api_key: int | None = None,
        version: int | None = None,
    ) -> None:
        self.reason = reason
        self.direction = direction
        self.correlation_id = correlation_id
        self.api_key = api_key
        self.version = version
        super().__init__(reason)

    def __str__(self) -> str:
        details: list[str] = []
        if self.correlation_id is not None:
            details.append(f"correlation id {self.correlation_id}")
        if self.api_key is not None:
            details.append(f"API key {self.api_key}")
        if self.version is not None:
            details.append(f"version {self.version}")
        place = f"{self.direction} ({', '.join(details)})" if details else self.direction
        return f"{place}: {self.reason}"


def framed(payload: bytes) -> bytes:
    """A payload with its length in front."""
    return len(payload).to_bytes(LENGTH_SIZE, "big", signed=True) + payload


class Framer:
    """Collects the bytes of one direction, and gives whole payloads, without their lengths.

    ``max_size`` is the largest payload in bytes. A larger length is refused when its four bytes are there, before
    memory is taken.
    """

    def __init__(self, direction: str, max_size: int = MAX_FRAME_SIZE) -> None:
        self.direction = direction
        self.max_size = max_size
        self._buffer = bytearray()

    @property
    def pending(self) -> int:
        """The number of bytes of an unfinished frame."""
        return len(self._buffer)

    def feed(self, data: bytes | bytearray | memoryview) -> Iterator[bytes]:
        """Takes bytes, and yields the payloads that they complete.

        Raises ``SessionError`` for a length that is no length.
        """
        self._buffer += data
        # Frames are cut out by position, and removed together: removing each one would copy the rest of the buffer each
        # time.
        position = 0
        try:
            while (payload := self._payload_at(position)) is not None:
                position += LENGTH_SIZE + len(payload)
                yield payload
        finally:
            del self._buffer[:position]

    def _payload_at(self, position: int) -> bytes | None:
        """The payload of the frame that starts there, ``None`` if bytes are missing."""
        start = position + LENGTH_SIZE
        head = self._buffer[position:start]
        if len(head) < LENGTH_SIZE:
            return None
        size = int.from_bytes(head, "big", signed=True)
        if size < 0 or size > self.max_size:
            raise SessionError(self._wrong_size(size, bytes(head)), direction=self.direction)
        if len(self._buffer) - start < size:
            return None
        return bytes(self._buffer[start : start + size])

    def _wrong_size(self, size: int, head: bytes) -> str:
        expected = f"expected the length of a frame, from 0 to {self.max_size}, got {size} (bytes {head.hex(' ')})"
        if head[:2] == b"\x15\x03" or head[:2] == b"\x16\x03":
            return f"{expected}; the other side speaks TLS"
        if head == b"HTTP":
            return f"{expected}; the other side speaks HTTP"
        return expected

    def close(self) -> None:
        """Notes the end of the stream. Raises ``SessionError`` in the middle of a frame."""
        if self._buffer:
            raise SessionError(
                f"the stream ends in the middle of a frame, after {len(self._buffer)} bytes of it",
                direction=self.direction,
            )
