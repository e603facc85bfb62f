"""One socket to one broker, over TCP or TLS: sends requests, and matches responses to them."""

from __future__ import annotations

import asyncio
import logging
import ssl
from dataclasses import dataclass
from typing import Final, TypeVar, cast

import messagegen_kafka
from messagegen_client.console.text import printable
from messagegen_client.transport.failures import invalid_response, unexpected_bytes
from messagegen_client.transport.messages import api_name, highest_common
from messagegen_client.transport.metadata import Broker
from messagegen_kafka import (
    ClientSessionWithTokens,
    DecodeError,
    Limits,
    ReceivedResponse,
    Request,
    Response,
    SaslToken,
    SentRequest,
    SentToken,
    SessionError,
)

R = TypeVar("R", bound=Response)

_Event = ReceivedResponse[SentRequest] | SaslToken

_LOG: Final = logging.getLogger(__name__)
"""The logger. It gets only names, versions and numbers, because requests may contain passwords."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a connection."""

    cause: Exception | None
    """The reason; ``None`` if the broker closed the connection."""
    incomplete: int
    """The number of received bytes of an incomplete response."""


class ChannelEndedError(Exception):
    """The connection ended before the response came. ``Channel.ending`` has the reason."""


class Channel(asyncio.Protocol):
    """A socket. Several requests may wait for their responses at the same time.

    asyncio calls ``connection_made``, ``data_received``, ``eof_received`` and ``connection_lost``.
    """

    def __init__(self, broker: Broker, client_id: str, *, max_response_size: int, response_limits: Limits) -> None:
        self.broker = broker
        """The broker, for error texts. A bootstrap address is replaced once the id of its broker is known."""
        self.ending: Ending | None = None
        self._session = ClientSessionWithTokens(
            messagegen_kafka, client_id=client_id, max_frame_size=max_response_size, limits=response_limits
        )
        self._response_limits = response_limits
        self._transport: asyncio.Transport | None = None
        self._waiting: dict[object, asyncio.Future[_Event]] = {}
        """The pending answers, by their requests or tokens."""
        self._socket_closed = asyncio.Event()

    @property
    def connected(self) -> bool:
        """Whether there is a connection now."""
        return self._transport is not None and self.ending is None

    async def connect(self, context: ssl.SSLContext | None) -> None:
        """Connect, with TLS if there is a context.

        Raises ``OSError``, and ``ValueError`` for a bad host.
        """
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, self.broker.host, self.broker.port, ssl=context)

    def version_for(self, request: type[Request], versions: range | None = None) -> int:
        """Return the highest version that both the broker and the client support; ``versions`` restricts it.

        Raises ``NoCommonVersionError``.
        """
        return highest_common(request, self._session.offered, versions, self.broker)

    async def ask(self, request: Request[R], version: int) -> R:
        """Send a request and return its response.

        Raises ``EncodeError`` before anything is sent, and ``ChannelEndedError``. After an invalid response, closes the
        connection and raises ``ProtocolError``.
        """
        response_type = request.RESPONSE
        assert response_type is not None
        return self.decode(await self.send(request, version), response_type)

    async def send(self, request: Request, version: int) -> ReceivedResponse:
        """Send a request and return its response undecoded.

        Raises ``EncodeError`` before anything is sent, and ``ChannelEndedError``.
        """
        sent = self._session.send(request, version=version)
        number, api = sent.correlation_id, api_name(type(request))
        _LOG.debug("%s: request %d is %s v%d", printable(str(self.broker)), number, api, version)
        response = await self._exchange(sent)
        assert isinstance(response, ReceivedResponse)
        return response

    def decode(self, response: ReceivedResponse, response_type: type[R]) -> R:
        """Return the message of a response. Raises ``ProtocolError`` and closes the connection if it is invalid."""
        assert response.version is not None
        try:
            return response_type.decode(response.body, version=response.version, limits=self._response_limits)
        except DecodeError as problem:
            invalid = invalid_response(self.broker, problem)
            self.abort(invalid)
            raise invalid from problem

    async def send_bare_token(self, token: bytes, *, answered: bool) -> bytes:
        """Send a SASL token without a header, and return the token that answers it. Raises ``ChannelEndedError``."""
        sent = self._session.send_token(token, expects_response=answered)
        if not answered:
            self._write(sent.frame)
            return b""
        answer = await self._exchange(sent)
        assert isinstance(answer, SaslToken)
        return answer.token

    def abort(self, reason: Exception | None = None) -> None:
        """Close the socket without waiting for the broker. Pending requests get a ``ChannelEndedError``."""
        self._end(reason)
        if self._transport is not None:
            self._transport.abort()

    async def closed(self) -> None:
        """Wait until the socket is closed, after ``abort``."""
        if self._transport is not None:
            await self._socket_closed.wait()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Pass responses to their waiting requests. A response to a cancelled request is dropped."""
        if self.ending is not None:
            return
        try:
            for event in self._session.receive(data):
                future = self._waiting.get(event.request)
                if future is not None and not future.done():
                    future.set_result(event)
        except SessionError as problem:
            self.abort(unexpected_bytes(self.broker, problem))

    def eof_received(self) -> None:
        """Close the socket: a broker that has stopped sending cannot answer."""
        self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the connection; the socket is closed."""
        self._end(exc)
        self._socket_closed.set()

    async def _exchange(self, sent: SentRequest | SentToken) -> _Event:
        future: asyncio.Future[_Event] = asyncio.get_running_loop().create_future()
        self._waiting[sent] = future
        try:
            self._write(sent.frame)
            return await future
        finally:
            del self._waiting[sent]

    def _write(self, data: bytes) -> None:
        if self._transport is None or self.ending is not None:
            raise ChannelEndedError
        self._transport.write(data)

    def _end(self, cause: Exception | None) -> None:
        """Record the end of the connection, once, and fail all pending requests."""
        if self.ending is not None:
            return
        self.ending = Ending(cause, self._session.pending)
        why = "closed" if cause is None else type(cause).__name__
        _LOG.debug("%s: the connection ended: %s", printable(str(self.broker)), why)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ChannelEndedError())
