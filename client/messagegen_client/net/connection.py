"""One connection to one broker: requests go out one after the other, answers come back in the same order."""

from __future__ import annotations

import asyncio
import copy
import logging
import ssl
import struct
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar, cast

from messagegen_client.errors import BrokerConnectionError, KafkaError, ProtocolError, SslAuthenticationError
from messagegen_client.net.metadata import Broker
from messagegen_kafka import DecodeError, Limits, RequestHeader, ResponseHeader

if TYPE_CHECKING:
    # Generated code offers the bases of messages for annotations only.
    from messagegen_kafka._runtime.messages import Request, Response

R = TypeVar("R", bound="Response")

_LOG: Final = logging.getLogger("messagegen_client")
_SIZE: Final = struct.Struct(">i")
RESPONSE_LIMITS: Final = Limits(memory_factor=32)
"""The default of 10 is too small: a response about 10,000 entities with short names takes 20 times its bytes. The bytes themselves
are bounded by ``max_response_size``."""
_CORRELATION_IDS: Final = 2**31
_MEANT_FOR_OTHERS: Final = (
    (b"\x15\x03", "it speaks TLS there: set security.protocol to SSL or SASL_SSL"),
    (b"\x16\x03", "it speaks TLS there: set security.protocol to SSL or SASL_SSL"),
    (b"HTTP", "that is a web server, not a Kafka broker"),
    (b"SSH-", "that is an SSH server, not a Kafka broker"),
)
"""What other protocols begin with, where Kafka has the size of an answer."""


@dataclass(slots=True)
class _InFlight:
    """A request whose answer has not come; nobody may be waiting for it any more."""

    api: str
    correlation_id: int
    header_version: int
    answer: asyncio.Future[bytes]
    timer: asyncio.TimerHandle
    sent_at: float


class Connection(asyncio.Protocol):
    """A connection that requests can be sent over at any time; made by ``connecting.connect``.

    A request that is not answered within ``request_timeout`` seconds ends the connection, because answers come in
    order: whatever was sent later would wait for the same answer. What ends a connection fails all of its requests.
    """

    def __init__(self, broker: Broker, *, client_id: str, request_timeout: float, max_response_size: int) -> None:
        self.broker = broker
        self.offered: dict[int, range] = {}
        """The versions that the broker offers, by api key."""
        self.expires_at: float | None = None
        """When the broker's SASL session ends, on the loop's clock (KIP-368)."""
        self.answered_at = time.monotonic()
        """When the last answer came, on the clock of ``time.monotonic``."""
        self.settings_are_right = False
        """Whether a broker of this cluster has answered more than ApiVersions, so that TLS and SASL must be set right."""
        self._client_id = client_id
        self._request_timeout = request_timeout
        self._max_response_size = max_response_size
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._in_flight: deque[_InFlight] = deque()
        self._next_correlation_id = 0
        self._failure: KafkaError | None = None
        self._retiring = False
        self._answered = 0
        self.lost: asyncio.Future[None] = self._loop.create_future()
        """Done when the socket is closed."""

    @property
    def in_flight(self) -> int:
        """How many requests are not answered yet."""
        return len(self._in_flight)

    @property
    def silent_for(self) -> float:
        """Seconds for which an answer is due and none has come; 0 where none is due."""
        if not self._in_flight:
            return 0.0
        return time.monotonic() - max(self.answered_at, self._in_flight[0].sent_at)

    @property
    def usable(self) -> bool:
        """Whether a request may be sent now."""
        if self._transport is None or self._failure is not None or self._retiring:
            return False
        return self.expires_at is None or self._loop.time() < self.expires_at

    async def ask(self, request: Request, response_type: type[R], version: int) -> R:
        """Sends a request and waits for its response, both in ``version``.

        Raises ``EncodeError`` before anything is sent, and ``BrokerConnectionError`` or a subclass after that.
        """
        body = await self.exchange(request, version, response_type.header_version(version))
        try:
            return response_type.decode(body, version=version, limits=RESPONSE_LIMITS)
        except DecodeError as problem:
            error = ProtocolError(f"{self.broker} sent a response that can't be read: {problem}", outcome_unknown=True)
            self.fail(error)
            raise error from problem

    async def exchange(self, request: Request, version: int, response_header_version: int) -> bytes:
        """Sends a request and gives the bytes of its response after the header."""
        # The header is ours: a request may be of another output, which need not have one.
        header = RequestHeader(
            request_api_key=request.API_KEY,
            request_api_version=version,
            correlation_id=self._next_correlation_id,
            client_id=self._client_id,
        )
        data = header.encode(version=request.header_version(version)) + request.encode(version=version)
        if self._failure is not None:
            raise _copy(self._failure, outcome_unknown=False)
        assert self._transport is not None, "asyncio calls connection_made before anybody gets the connection"
        api = type(request).__name__.removesuffix("Request")
        sent = _InFlight(
            api=api,
            correlation_id=header.correlation_id,
            header_version=response_header_version,
            answer=self._loop.create_future(),
            timer=self._loop.call_later(self._request_timeout, self._give_up, api),
            sent_at=time.monotonic(),
        )
        self._next_correlation_id = (self._next_correlation_id + 1) % _CORRELATION_IDS
        self._in_flight.append(sent)
        _LOG.debug("%s: sending %s version %d, correlation id %d", self.broker, api, version, sent.correlation_id)
        self._transport.write(_SIZE.pack(len(data)) + data)
        return await sent.answer

    def retire(self) -> None:
        """Closes the connection when the answers have come that are still due."""
        self._retiring = True
        if not self._in_flight:
            self.fail(BrokerConnectionError(f"{self.broker}: the connection was closed, as it was no longer needed"))

    def fail(self, error: KafkaError) -> None:
        """Closes the connection at once; ``error`` is why. Requests that wait for answers fail with an error like it."""
        if self._failure is not None:
            return
        self._failure = error
        _LOG.debug("%s: closing the connection: %s", self.broker, error)
        if self._transport is not None:
            # Nothing is waiting to be sent that anybody still waits for, so there is nothing to be polite about.
            self._transport.abort()
        while self._in_flight:
            sent = self._in_flight.popleft()
            sent.timer.cancel()
            if not sent.answer.done():
                sent.answer.set_exception(_copy(error, outcome_unknown=True))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio, once, when the socket is closed from either side."""
        self.fail(self._loss(exc))
        if not self.lost.done():
            self.lost.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Called by asyncio with the bytes of answers, cut anywhere."""
        self._received += data
        while len(self._received) >= _SIZE.size and self._failure is None:
            (size,) = _SIZE.unpack_from(self._received)
            if not _SIZE.size <= size <= self._max_response_size:
                self.fail(self._bad_size(size))
                return
            end = _SIZE.size + size
            if len(self._received) < end:
                return
            frame = bytes(memoryview(self._received)[_SIZE.size : end])
            del self._received[:end]
            self._take(frame)

    def _take(self, frame: bytes) -> None:
        """Gives an answer to the request that is due."""
        if not self._in_flight:
            self.fail(ProtocolError(f"{self.broker} sent {len(frame)} bytes that nobody had asked for"))
            return
        due = self._in_flight[0]
        try:
            header, offset = ResponseHeader.decode_from(frame, version=due.header_version)
        except DecodeError as problem:
            self.fail(ProtocolError(f"{self.broker} sent a response header that can't be read: {problem}"))
            return
        if header.correlation_id != due.correlation_id:
            self.fail(
                ProtocolError(
                    f"{self.broker} sent an answer with correlation id {header.correlation_id} where the one to "
                    f"{due.api}, {due.correlation_id}, was due"
                )
            )
            return
        self._in_flight.popleft()
        self._answered += 1
        self.answered_at = time.monotonic()
        due.timer.cancel()
        if not due.answer.done():
            due.answer.set_result(frame[offset:])
        if self._retiring and not self._in_flight:
            self.retire()

    def _give_up(self, api: str) -> None:
        self.fail(
            BrokerConnectionError(
                f"{self.broker} did not answer {api} within {self._request_timeout:g} s (request timeout)"
            )
        )

    def _bad_size(self, size: int) -> ProtocolError:
        start = bytes(self._received[:4])
        for prefix, hint in _MEANT_FOR_OTHERS:
            if start.startswith(prefix):
                return ProtocolError(f"{self.broker} does not speak Kafka's plain protocol: {hint}")
        return ProtocolError(
            f"{self.broker} announced an answer of {size:,} bytes, which can't be (the limit is "
            f"{self._max_response_size:,}); is that a Kafka broker, and security.protocol right?"
        )

    def _loss(self, problem: Exception | None) -> KafkaError:
        if isinstance(problem, ssl.SSLError):
            return SslAuthenticationError(f"{self.broker} ended the TLS connection: {problem.reason or problem}")
        message = f"{self.broker} closed the connection"
        if self._received:
            message += f" in the middle of an answer, after {len(self._received)} bytes of it"
        elif self._in_flight:
            message += f" instead of answering {self._in_flight[0].api}"
        if problem is not None:
            message += f" ({problem})"
        if self._answered <= 1 and not self.settings_are_right:
            message += (
                "; brokers do that to clients that should have come with TLS or SASL: is security.protocol right?"
            )
        return BrokerConnectionError(message)


def _copy(error: KafkaError, *, outcome_unknown: bool) -> KafkaError:
    """An error for one of those who wait, each of whom adds a traceback of its own."""
    copied = copy.copy(error)
    copied.outcome_unknown = outcome_unknown
    return copied
