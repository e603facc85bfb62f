"""Splits a stream of bytes into payloads. A four-byte length precedes each payload."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

LENGTH_SIZE = 4
"""The size of the length before a payload, in bytes."""

MAX_FRAME_SIZE = 100 * 1024 * 1024
"""The default limit for the size of a payload, the same as in brokers (``socket.request.max.bytes``)."""

_HTTP_STARTS = (b"HTTP", b"GET ", b"POST", b"PUT ", b"HEAD", b"DELE", b"OPTI", b"PATC", b"CONN", b"TRAC", b"PRI ")
"""The first bytes of HTTP responses and requests, including HTTP/2."""

_OTHER_PROTOCOLS = {
    b"\x15\x03": "TLS",
    b"\x16\x03": "TLS",
    b"SSH-": "SSH",
    **dict.fromkeys(_HTTP_STARTS, "HTTP"),
}
"""The first bytes of other protocols, which take the place of a frame's length."""


class SessionError(ValueError):
    """The error for bytes or calls that do not follow the protocol. Close the connection after it.

    ``direction`` is ``request`` or ``response``. The correlation id, API key and version are ``None`` if they are
    unknown. If a header or message can't be read, the ``DecodeError`` is the ``__cause__``.
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

    def __reduce__(self) -> tuple[Any, ...]:
        return _session_error, (type(self), self.args, vars(self))

    def copy(self) -> SessionError:
        """Return an equal error without a traceback, because a traceback would keep the bytes of the calls alive."""
        made = _session_error(type(self), self.args, vars(self))
        cause = self.__cause__
        made.__cause__ = None if cause is None else type(cause)(*cause.args)
        return made


class FrameSizeError(SessionError):
    """The four bytes before a payload are not a valid length.

    ``size`` is the invalid length; ``smallest`` and ``largest`` are the limits, in bytes. If the bytes are the start of
    a different protocol, ``protocol`` is ``TLS``, ``HTTP`` or ``SSH``.
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


def _session_error(cls: type[SessionError], args: tuple[object, ...], attributes: dict[str, Any]) -> SessionError:
    made = cls.__new__(cls, *args)
    vars(made).update(attributes)
    return made


def framed(payload: bytes) -> bytes:
    """Return a payload with its length in front."""
    return len(payload).to_bytes(LENGTH_SIZE, "big", signed=True) + payload


class Framer:
    """Collects the bytes of one direction, and returns whole payloads, without their lengths.

    ``max_size`` is the largest payload in bytes. A larger length is refused as soon as its four bytes are complete,
    before memory is allocated. After an error, all methods raise the same error, and no bytes are stored.
    """

    def __init__(self, direction: str, max_size: int = MAX_FRAME_SIZE) -> None:
        self.direction = direction
        self.max_size = max_size
        self._buffer = bytearray()
        self._failure: SessionError | None = None

    @property
    def pending(self) -> int:
        """The number of bytes that are not part of a returned payload yet; 0 after an error."""
        return len(self._buffer)

    def fail(self, failure: SessionError) -> None:
        """Drop all bytes. From now on, all methods raise the same error."""
        self._failure = failure.copy()
        self._buffer.clear()

    def check(self) -> None:
        """Raise the error of an earlier call, if there was one: the framer can't be used after it."""
        if self._failure is not None:
            raise self._failure.copy()

    def feed(self, data: bytes | bytearray | memoryview) -> Iterator[bytes]:
        """Add ``data`` immediately, and return an iterator over the complete payloads.

        Payloads that are not read from the iterator are returned by later calls. Reading may raise ``FrameSizeError``,
        which all further calls raise, too.
        """
        self.add(data)
        return iter(self.take, None)

    def add(self, data: bytes | bytearray | memoryview) -> None:
        """Add bytes; ``take`` returns the payloads."""
        self.check()
        self._buffer += data

    def next_size(self, smallest: int = 0) -> int | None:
        """Return the size of the next payload, or ``None`` if its length is incomplete.

        The payload itself may be incomplete. Raises ``FrameSizeError`` for a size below ``smallest`` or above the
        limit.
        """
        self.check()
        if len(self._buffer) < LENGTH_SIZE:
            return None
        head = bytes(self._buffer[:LENGTH_SIZE])
        size = _size(head)
        if not smallest <= size <= self.max_size:
            failure = FrameSizeError(head, smallest=smallest, largest=self.max_size, direction=self.direction)
            self.fail(failure)
            raise failure
        return size

    def take(self) -> bytes | None:
        """Remove and return the next payload, or return ``None`` if it is incomplete.

        Raises ``FrameSizeError``.
        """
        size = self.next_size()
        if size is None or len(self._buffer) < LENGTH_SIZE + size:
            return None
        payload = bytes(self._buffer[LENGTH_SIZE : LENGTH_SIZE + size])
        del self._buffer[: LENGTH_SIZE + size]
        return payload

    def close(self) -> None:
        """Note the end of the stream. Raises ``SessionError`` if it ends inside a frame."""
        self.check()
        if self._buffer:
            raise SessionError(
                f"the stream ends in the middle of a frame, after {len(self._buffer)} bytes of it",
                direction=self.direction,
            )


class EventReader:
    """Turns the bytes of one direction into events.

    All iterators of a reader share its bytes: whichever iterator is read, events come in the order of the bytes. An
    event that one iterator does not return is left for the next. After an error, all methods raise the same error, and
    no bytes are stored.
    """

    def __init__(self, framer: Framer, take: Callable[[], bytes | None], read: Callable[..., Any]) -> None:
        """Store the functions: ``take`` returns the next complete payload of ``framer``; ``read`` makes it an event."""
        self._framer = framer
        self._take = take
        self._read = read

    def feed(self, data: bytes | bytearray | memoryview) -> Iterator[Any]:
        """Add ``data`` immediately, and return an iterator over the complete events.

        Reading may raise ``SessionError``, which all further calls raise, too.
        """
        self._framer.add(data)
        return self._events()

    def read(self, payload: bytes, **options: Any) -> Any:
        """Return the event of a payload. Raises ``SessionError``."""
        self._framer.check()
        try:
            return self._read(payload, **options)
        except SessionError as failure:
            self._framer.fail(failure)
            raise

    def _events(self) -> Iterator[Any]:
        while (payload := self._next()) is not None:
            yield self.read(payload)

    def _next(self) -> bytes | None:
        try:
            return self._take()
        except SessionError as failure:
            self._framer.fail(failure)
            raise


def _size(head: bytes) -> int:
    return int.from_bytes(head, "big", signed=True)
