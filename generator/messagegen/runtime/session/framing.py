"""Frames: cuts a stream of bytes into payloads, each after its length of four bytes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LENGTH_SIZE = 4
"""The bytes of a frame before its payload."""

MAX_FRAME_SIZE = 100 * 1024 * 1024
"""The default limit of a payload, that of brokers (``socket.request.max.bytes``)."""

_OTHER_PROTOCOLS = {
    b"\x15\x03": "TLS",
    b"\x16\x03": "TLS",
    b"HTTP": "HTTP",
    b"SSH-": "SSH",
}
"""The first bytes of servers that are not brokers, which come where a length is expected."""


class SessionError(ValueError):
    """Bytes or calls that do not follow the protocol. The connection can't be used any more.

    ``direction`` is ``request`` or ``response``. The correlation id, API key and version are ``None`` where they are
    not known. If a header or message can't be read, the ``DecodeError`` is the ``__cause__``.
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


class FrameSizeError(SessionError):
    """The four bytes before a payload are not a length that it can have.

    ``size`` is the number that they are, ``smallest`` and ``largest`` are the limits, in bytes. ``protocol`` is the
    protocol that begins with these bytes, ``TLS``, ``HTTP`` or ``SSH``, if they are no length at all.
    """

    def __init__(self, head: bytes, *, smallest: int, largest: int, direction: str) -> None:
        self.size = _size(head)
        self.smallest = smallest
        self.largest = largest
        self.protocol = next((name for start, name in _OTHER_PROTOCOLS.items() if head.startswith(start)), None)
        expected = f"expected the length of a frame, from {smallest} to {largest}"
        reason = f"{expected}, got {self.size} (bytes {head.hex(' ')})"
        if self.protocol is not None:
            reason = f"{reason}; the other side speaks {self.protocol}"
        super().__init__(reason, direction=direction)


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
        """Takes bytes, and yields the payloads that they complete. Raises ``FrameSizeError``."""
        self.add(data)
        while (payload := self.take()) is not None:
            yield payload

    def add(self, data: bytes | bytearray | memoryview) -> None:
        """Takes bytes; ``take`` gives the payloads."""
        self._buffer += data

    def next_size(self, smallest: int = 0) -> int | None:
        """The size of the next payload, which need not be there yet; ``None`` if bytes of its length are missing.

        Raises ``FrameSizeError`` for a size below ``smallest`` or above the limit.
        """
        if len(self._buffer) < LENGTH_SIZE:
            return None
        head = bytes(self._buffer[:LENGTH_SIZE])
        size = _size(head)
        if not smallest <= size <= self.max_size:
            raise FrameSizeError(head, smallest=smallest, largest=self.max_size, direction=self.direction)
        return size

    def take(self) -> bytes | None:
        """Removes the next payload, ``None`` if bytes of it are missing. Raises ``FrameSizeError``."""
        size = self.next_size()
        if size is None or len(self._buffer) < LENGTH_SIZE + size:
            return None
        payload = bytes(self._buffer[LENGTH_SIZE : LENGTH_SIZE + size])
        del self._buffer[: LENGTH_SIZE + size]
        return payload

    def close(self) -> None:
        """Notes the end of the stream. Raises ``SessionError`` in the middle of a frame."""
        if self._buffer:
            raise SessionError(
                f"the stream ends in the middle of a frame, after {len(self._buffer)} bytes of it",
                direction=self.direction,
            )


def _size(head: bytes) -> int:
    return int.from_bytes(head, "big", signed=True)
