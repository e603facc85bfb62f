"""Frames requests, and pairs the responses of a broker with them. Without I/O: bytes go in and come out."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from messagegen_kafka import DecodeError, Request, RequestHeader, ResponseHeader

_SIZE: Final = struct.Struct(">i")
"""The size of a request or response, which comes before it."""
_SMALLEST_RESPONSE: Final = 4
"""Bytes: a response begins with a correlation id. A bare SASL token may be empty."""
_LARGEST_CORRELATION_ID: Final = 2**31 - 1
_OTHER_PROTOCOLS: Final = (
    ((b"\x15\x03", b"\x16\x03"), "the port uses TLS; set security.protocol to SSL or SASL_SSL"),
    ((b"HTTP",), "it is a web server, not a Kafka broker"),
    ((b"SSH-",), "it is an SSH server, not a Kafka broker"),
)
"""The first bytes of other protocols, in place of the size of a response."""


class UnexpectedBytesError(Exception):
    """Bytes that are not an expected response. The text says what the broker did: "sent 5 bytes without a request"."""


@dataclass(frozen=True, slots=True)
class _Expected:
    """What the broker sends next. A bare SASL token has no header, hence no version of it."""

    number: int
    header_version: int | None


class Pairing:
    """One connection: the requests on it, and the responses that are still expected, which come in the same order.

    A request is known by its correlation id. Bare SASL tokens (SaslHandshake version 0) get numbers too, which are not
    sent.
    """

    def __init__(self, client_id: str, max_response_size: int) -> None:
        self._client_id = client_id
        self._max_response_size = max_response_size
        self._last_number = 0
        self._expected: deque[_Expected] = deque()
        self._buffer = bytearray()

    @property
    def incomplete(self) -> int:
        """How many bytes of an incomplete response have come in."""
        return len(self._buffer)

    def request(self, request: Request, version: int, *, header_version: int) -> tuple[int, bytes]:
        """The correlation id of a request, and its bytes; ``header_version`` is that of the response.

        Raises ``EncodeError``, after which nothing is expected.
        """
        number = self._next_number()
        header = RequestHeader(
            request_api_key=request.API_KEY,
            request_api_version=version,
            correlation_id=number,
            client_id=self._client_id,
        )
        encoded_header = header.encode(version=request.header_version(version))
        body = request.encode(version=version)

        self._expected.append(_Expected(number, header_version))
        return number, _SIZE.pack(len(encoded_header) + len(body)) + encoded_header + body

    def bare_token(self, token: bytes, *, answered: bool) -> tuple[int, bytes]:
        """The number and the bytes of a SASL token without header.

        ``answered`` is whether the broker sends a token back.
        """
        number = self._next_number()
        if answered:
            self._expected.append(_Expected(number, None))
        return number, _SIZE.pack(len(token)) + token

    def receive(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The number and the body of each response that ``data`` completes.

        Raises ``UnexpectedBytesError`` as soon as the bytes can't be an expected response, before a whole one is there.
        """
        self._buffer += data
        while len(self._buffer) >= _SIZE.size:
            end = _SIZE.size + self._next_size()
            if len(self._buffer) < end:
                return
            with memoryview(self._buffer) as received:
                frame = bytes(received[_SIZE.size : end])
            del self._buffer[:end]
            yield self._paired(frame)

    def _next_number(self) -> int:
        self._last_number = self._last_number % _LARGEST_CORRELATION_ID + 1
        return self._last_number

    def _next_size(self) -> int:
        """The size of the response at the beginning of the buffer."""
        head = bytes(self._buffer[: _SIZE.size])
        (size,) = _SIZE.unpack(head)
        bare = bool(self._expected) and self._expected[0].header_version is None
        smallest = 0 if bare else _SMALLEST_RESPONSE
        if not smallest <= size <= self._max_response_size:
            raise _bad_size(head, size, self._max_response_size)
        if not self._expected:
            raise UnexpectedBytesError(f"sent {size} bytes without a request")
        return int(size)

    def _paired(self, frame: bytes) -> tuple[int, bytes]:
        """The number of the request that a frame answers, and the frame without its header."""
        expected = self._expected.popleft()
        if expected.header_version is None:
            return expected.number, frame
        try:
            header, end = ResponseHeader.decode_from(frame, version=expected.header_version)
        except DecodeError as problem:
            raise UnexpectedBytesError(f"sent an invalid response header: {problem}") from problem
        if header.correlation_id != expected.number:
            raise UnexpectedBytesError(f"sent correlation id {header.correlation_id}, expected {expected.number}")
        return expected.number, frame[end:]


def _bad_size(head: bytes, size: int, most: int) -> UnexpectedBytesError:
    """Why ``head`` is not the size of a response of at most ``most`` bytes."""
    for beginnings, hint in _OTHER_PROTOCOLS:
        if head.startswith(beginnings):
            return UnexpectedBytesError(f"did not send a Kafka response: {hint}")
    return UnexpectedBytesError(
        f"sent {size:,} as the size of a response, expected {_SMALLEST_RESPONSE} to {most:,} (max_response_size); "
        "check that it is a Kafka broker, and security.protocol"
    )
