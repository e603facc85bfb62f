"""One connection to one broker: sends requests, and receives their responses in the same order."""

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

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import BrokerConnectionError, KafkaError, ProtocolError, SslAuthenticationError
from messagegen_client.net.metadata import Broker
from messagegen_kafka import DecodeError, RequestHeader, ResponseHeader

if TYPE_CHECKING:
    # Generated code exports the base classes of messages for annotations only.
    from messagegen_kafka._runtime.messages import Request, Response

R = TypeVar("R", bound="Response")

_LOG: Final = logging.getLogger("messagegen_client")
_SIZE: Final = struct.Struct(">i")
_CORRELATION_IDS: Final = 2**31
_OTHER_PROTOCOLS: Final = (
    (b"\x15\x03", "the port uses TLS; set security.protocol to SSL or SASL_SSL"),
    (b"\x16\x03", "the port uses TLS; set security.protocol to SSL or SASL_SSL"),
    (b"HTTP", "it is a web server, not a Kafka broker"),
    (b"SSH-", "it is an SSH server, not a Kafka broker"),
)
"""The first bytes of other protocols, in place of the size of a response."""


@dataclass(slots=True)
class _InFlight:
    """A request without response so far. Its caller may have given up."""

    api: str
    correlation_id: int
    header_version: int
    answer: asyncio.Future[bytes]
    timer: asyncio.TimerHandle
    sent_at: float


class Connection(asyncio.Protocol):
    """A connection on which requests can be sent at any time. ``connecting.connect`` makes it.

    A request that is not answered within ``request_timeout`` seconds closes the connection, because responses come in order:
    later requests would wait too. When a connection is closed, all its requests fail.
    """

    def __init__(self, broker: Broker, config: ClientConfig) -> None:
        self.broker = broker
        self.offered: dict[int, range] = {}
        """The versions that the broker offers, by API key."""
        self.expires_at: float | None = None
        """When the connection must be replaced because its SASL session ends (KIP-368), on the loop's clock."""
        self.answered_at = time.monotonic()
        """When the last response came, on the clock of ``time.monotonic``."""
        self.settings_work = False
        """Whether a broker of this cluster has answered more than ApiVersions, so the settings for TLS and SASL are right."""
        self._config = config
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
    def silent_for(self) -> float:
        """Seconds of waiting for the next response; 0 if none is due."""
        if not self._in_flight:
            return 0.0
        return time.monotonic() - max(self.answered_at, self._in_flight[0].sent_at)

    @property
    def usable(self) -> bool:
        """Whether a request can be sent now."""
        if self._transport is None or self._failure is not None or self._retiring:
            return False
        return self.expires_at is None or self._loop.time() < self.expires_at

    async def ask(self, request: Request, response_type: type[R], version: int) -> R:
        """Sends a request and returns its response, both in ``version``.

        Raises ``EncodeError`` before anything is sent, and ``BrokerConnectionError`` or a subclass after that.
        """
        body = await self.exchange(request, version, response_type.header_version(version))
        try:
            return response_type.decode(body, version=version, limits=self._config.response_limits)
        except DecodeError as problem:
            # Generated code names the argument of decode; here the limit is a setting.
            reason = str(problem).replace("pass limits=", "set ClientConfig.response_limits to ")
            error = ProtocolError(f"{self.broker} sent an invalid response: {reason}", outcome_unknown=True)
            self.fail(error)
            raise error from problem

    async def exchange(self, request: Request, version: int, response_header_version: int) -> bytes:
        """Sends a request and returns the bytes of its response after the header."""
        # The request may come from generated code that has no headers.
        header = RequestHeader(
            request_api_key=request.API_KEY,
            request_api_version=version,
            correlation_id=self._next_correlation_id,
            client_id=self._config.client_id,
        )
        data = header.encode(version=request.header_version(version)) + request.encode(version=version)
        if self._failure is not None:
            raise _copy(self._failure, outcome_unknown=False)
        assert self._transport is not None, "asyncio calls connection_made first"
        api = type(request).__name__.removesuffix("Request")
        sent = _InFlight(
            api=api,
            correlation_id=header.correlation_id,
            header_version=response_header_version,
            answer=self._loop.create_future(),
            timer=self._loop.call_later(self._config.request_timeout, self._time_out, api),
            sent_at=time.monotonic(),
        )
        self._next_correlation_id = (self._next_correlation_id + 1) % _CORRELATION_IDS
        self._in_flight.append(sent)
        _LOG.debug("%s: sending %s version %d, correlation id %d", self.broker, api, version, sent.correlation_id)
        self._transport.write(_SIZE.pack(len(data)) + data)
        return await sent.answer

    def retire(self) -> None:
        """Closes the connection after its last response."""
        self._retiring = True
        if not self._in_flight:
            self.fail(BrokerConnectionError(f"{self.broker}: the connection was closed because it is no longer used"))

    def fail(self, error: KafkaError) -> None:
        """Closes the connection at once because of ``error``. Pending requests fail with a copy of it."""
        if self._failure is not None:
            return
        self._failure = error
        _LOG.debug("%s: closing the connection: %s", self.broker, error)
        if self._transport is not None:
            # No pending request will be answered, so nothing has to be flushed.
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
        """Called by asyncio once, when the socket is closed from either side."""
        self.fail(self._loss(exc))
        if not self.lost.done():
            self.lost.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Called by asyncio with bytes of responses, cut anywhere."""
        self._received += data
        while len(self._received) >= _SIZE.size and self._failure is None:
            (size,) = _SIZE.unpack_from(self._received)
            if not _SIZE.size <= size <= self._config.max_response_size:
                self.fail(self._bad_size(size))
                return
            end = _SIZE.size + size
            if len(self._received) < end:
                return
            frame = bytes(memoryview(self._received)[_SIZE.size : end])
            del self._received[:end]
            self._take(frame)

    def _take(self, frame: bytes) -> None:
        """Passes a response to the oldest request."""
        if not self._in_flight:
            self.fail(ProtocolError(f"{self.broker} sent {len(frame)} bytes without a request"))
            return
        due = self._in_flight[0]
        try:
            header, offset = ResponseHeader.decode_from(frame, version=due.header_version)
        except DecodeError as problem:
            self.fail(ProtocolError(f"{self.broker} sent an invalid response header: {problem}"))
            return
        if header.correlation_id != due.correlation_id:
            self.fail(
                ProtocolError(
                    f"{self.broker} sent a response with correlation id {header.correlation_id}, expected "
                    f"{due.correlation_id} for {due.api}"
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

    def _time_out(self, api: str) -> None:
        self.fail(
            BrokerConnectionError(
                f"{self.broker} did not answer {api} within {self._config.request_timeout:g} s (request_timeout)"
            )
        )

    def _bad_size(self, size: int) -> ProtocolError:
        start = bytes(self._received[:4])
        for prefix, hint in _OTHER_PROTOCOLS:
            if start.startswith(prefix):
                return ProtocolError(f"{self.broker} did not send a Kafka response: {hint}")
        return ProtocolError(
            f"{self.broker} sent {size:,} as the size of a response, expected {_SIZE.size} to "
            f"{self._config.max_response_size:,} (max_response_size); check that it is a Kafka broker, and security.protocol"
        )

    def _loss(self, problem: Exception | None) -> KafkaError:
        if isinstance(problem, ssl.SSLError):
            return SslAuthenticationError(f"{self.broker} ended the TLS connection: {problem.reason or problem}")
        message = f"{self.broker} closed the connection"
        if self._received:
            message += f" in the middle of a response, after {len(self._received)} bytes"
        elif self._in_flight:
            message += f" instead of answering {self._in_flight[0].api}"
        if problem is not None:
            message += f" ({problem})"
        if self._answered <= 1 and not self.settings_work:
            message += "; brokers do that if they expect TLS or SASL: check security.protocol"
        return BrokerConnectionError(message)


def _copy(error: KafkaError, *, outcome_unknown: bool) -> KafkaError:
    """A copy of the error for one request, because each one adds its own traceback."""
    copied = copy.copy(error)
    copied.outcome_unknown = outcome_unknown
    return copied
