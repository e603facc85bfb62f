"""One socket to one broker, with TCP or TLS: sends requests, and gives each of them its response."""

from __future__ import annotations

import asyncio
import logging
import ssl
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from messagegen_client.errors import ProtocolError
from messagegen_client.text import printable
from messagegen_client.transport.messages import api_name
from messagegen_client.transport.metadata import Broker
from messagegen_client.transport.pairing import Pairing, UnexpectedBytesError
from messagegen_kafka import DecodeError, Limits, Request, Response

R = TypeVar("R", bound=Response)

_LOG: Final = logging.getLogger(__name__)
"""Only names, versions and numbers: requests may have passwords in them."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a connection ended."""

    cause: Exception | None
    """Why; ``None`` if the broker closed it."""
    incomplete: int
    """How many bytes of an incomplete response had come in."""


class ChannelEndedError(Exception):
    """The connection has ended, and no response came. ``Channel.ending`` says how."""


class Channel(asyncio.Protocol):
    """A socket. Several requests may wait for their responses at the same time.

    asyncio calls ``connection_made``, ``data_received``, ``eof_received`` and ``connection_lost``.
    """

    def __init__(self, broker: Broker, client_id: str, *, max_response_size: int, response_limits: Limits) -> None:
        self.broker = broker
        """For the texts of errors; a bootstrap address becomes a broker with an id."""
        self.ending: Ending | None = None
        self._pairing = Pairing(client_id, max_response_size)
        self._response_limits = response_limits
        self._transport: asyncio.Transport | None = None
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        """The requests that somebody waits for, by number."""
        self._socket_closed = asyncio.Event()

    @property
    def connected(self) -> bool:
        """Whether there is a connection now."""
        return self._transport is not None and self.ending is None

    async def connect(self, context: ssl.SSLContext | None) -> None:
        """Makes the connection, with TLS if there is a context.

        Raises ``OSError``, and ``ValueError`` for a bad host.
        """
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, self.broker.host, self.broker.port, ssl=context)

    async def ask(self, request: Request, response_type: type[R], version: int) -> R:
        """Sends a request and returns its response.

        Raises ``EncodeError`` before anything is sent, ``ChannelEndedError``, and ``ProtocolError`` for an invalid
        response, after which the connection is closed.
        """
        body = await self.send(request, version, header_version=response_type.header_version(version))
        return self.decode(body, response_type, version)

    async def send(self, request: Request, version: int, *, header_version: int) -> bytes:
        """Sends a request and returns the body of its response, of which ``header_version`` is the header's version.

        Raises ``EncodeError`` before anything is sent, and ``ChannelEndedError``.
        """
        number, data = self._pairing.request(request, version, header_version=header_version)
        _LOG.debug("%s: request %d is %s v%d", printable(str(self.broker)), number, api_name(type(request)), version)
        return await self._exchange(number, data)

    def decode(self, body: bytes, response_type: type[R], version: int) -> R:
        """The response in a body. Raises ``ProtocolError`` and closes the connection if it is invalid."""
        try:
            return response_type.decode(body, version=version, limits=self._response_limits)
        except DecodeError as problem:
            # Generated code names the argument of decode; here the limit is a setting.
            reason = str(problem).replace("pass limits=", "set ClientConfig.response_limits to ")
            invalid = ProtocolError(f"{self.broker} sent an invalid response: {reason}")
            self.abort(invalid)
            raise invalid from problem

    async def send_bare_token(self, token: bytes, *, answered: bool) -> bytes:
        """Sends a SASL token without header, and returns the token that answers it. Raises ``ChannelEndedError``."""
        number, data = self._pairing.bare_token(token, answered=answered)
        if answered:
            return await self._exchange(number, data)
        self._write(data)
        return b""

    def abort(self, reason: Exception | None = None) -> None:
        """Closes the socket at once, without waiting for the broker. Requests that wait get a ``ChannelEndedError``."""
        self._end(reason)
        if self._transport is not None:
            self._transport.abort()

    async def closed(self) -> None:
        """Waits until the socket is closed, after ``abort``."""
        if self._transport is not None:
            await self._socket_closed.wait()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Passes responses on to those who wait for them. A response that nobody waits for any more is dropped."""
        if self.ending is not None:
            return
        try:
            for number, body in self._pairing.receive(data):
                future = self._waiting.get(number)
                if future is not None and not future.done():
                    future.set_result(body)
        except UnexpectedBytesError as problem:
            self.abort(ProtocolError(f"{self.broker} {problem}"))

    def eof_received(self) -> None:
        """Closes the socket: a broker that sends no more has nothing to answer."""
        self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the connection; the socket is closed."""
        self._end(exc)
        self._socket_closed.set()

    async def _exchange(self, number: int, data: bytes) -> bytes:
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            self._write(data)
            return await future
        finally:
            del self._waiting[number]

    def _write(self, data: bytes) -> None:
        if self._transport is None or self.ending is not None:
            raise ChannelEndedError
        self._transport.write(data)

    def _end(self, cause: Exception | None) -> None:
        """Notes how the connection ended, the first time, and fails all requests that wait."""
        if self.ending is not None:
            return
        self.ending = Ending(cause, self._pairing.incomplete)
        why = "closed" if cause is None else type(cause).__name__
        _LOG.debug("%s: the connection ended: %s", printable(str(self.broker)), why)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ChannelEndedError())
