"""A scripted broker on a real socket."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

import messagegen_kafka
from messagegen_client.config.settings import ClientConfig
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    BrokerSession,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    FrameSizeError,
    ListOffsetsRequest,
    ListOffsetsResponse,
    MetadataRequest,
    MetadataResponse,
    ReceivedRequest,
    Request,
    Response,
    SaslAuthenticateRequest,
    SaslHandshakeRequest,
    SaslToken,
)
from messagegen_kafka.api_versions_response import ApiVersion
from messagegen_kafka.metadata_response import MetadataResponseBroker
from tests.client.support.event_loop import GUARD_SECONDS


class Silence(Enum):
    """The ways for a broker to leave a request unanswered."""

    NOTHING = "nothing"
    HANG_UP = "hang up"


class Cut(bytes):
    """The beginning of an answer, after which the connection is closed."""


Reply = Response | bytes | Silence
"""A response, which is framed; bytes, which are sent unchanged; or no answer."""


@dataclass(frozen=True)
class Received:
    """A received request; ``connection`` is the number of its connection, counted from 0."""

    request: Request
    event: ReceivedRequest
    connection: int

    @property
    def version(self) -> int:
        return self.event.version

    def frame(self, response: Response, version: int | None = None) -> bytes:
        """Return the bytes of an answer, including length and header."""
        version = self.version if version is None else version
        return response.encode_frame(version=version, correlation_id=self.event.correlation_id)


Answerer = Callable[[Received], Awaitable[Reply]]
TokenAnswerer = Callable[[int, bytes], bytes | None]
"""Answers a SASL token on a connection with a token, or with ``None``."""

_MAX_REQUEST_SIZE = 1_000_000
_CHUNK = 65_536

OFFERED: dict[int, tuple[int, int]] = {
    cls.API_KEY: (cls.VALID_VERSIONS[0], cls.VALID_VERSIONS[-1])
    for cls in (
        ApiVersionsRequest,
        DescribeClientQuotasRequest,
        ListOffsetsRequest,
        MetadataRequest,
        SaslAuthenticateRequest,
        SaslHandshakeRequest,
    )
}


def api_versions(offered: dict[int, tuple[int, int]] | None = None, error_code: int = 0) -> ApiVersionsResponse:
    """Return an answer to ApiVersions that offers these versions."""
    keys = tuple(
        ApiVersion(api_key=key, min_version=lowest, max_version=highest)
        for key, (lowest, highest) in (OFFERED if offered is None else offered).items()
    )
    return ApiVersionsResponse(error_code=error_code, api_keys=keys)


class FakeBroker:
    """A cluster of one broker, which listens on a free port of 127.0.0.1 during an ``async with`` block.

    ``on`` contains answers by request class; all other requests get the answers of a healthy broker. At the end of the
    block, the broker waits until the client has closed all sockets, so that a leaked socket fails the test.
    """

    def __init__(
        self, on: dict[type[Request], Answerer] | None = None, *, tls: ssl.SSLContext | None = None, broker_id: int = 1
    ) -> None:
        self.on = dict(on or {})
        self.offered = dict(OFFERED)
        """The versions in the response to ApiVersions."""
        self.on_token: TokenAnswerer | None = None
        """Answers SASL tokens without a header (SaslHandshake version 0), until ``login_is_done``."""
        self.broker_id = broker_id
        self.controller_id = broker_id
        self.peers: list[FakeBroker] = [self]
        self.received: list[Received] = []
        self.connections = 0
        self.writers: dict[int, asyncio.StreamWriter] = {}
        """The open connections, by number."""
        self._sessions: dict[int, BrokerSession] = {}
        self._tls = tls
        self._handlers: set[asyncio.Task[None]] = set()
        self._port = 0
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        await self.listen()
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        server = self._server
        self.stop_listening()
        if kind is None:
            async with asyncio.timeout(GUARD_SECONDS):
                await asyncio.gather(*self._handlers)
                # Connections in the middle of a TLS handshake have no handler yet. Before Python 3.12, polling is the
                # only way to wait for them.
                while getattr(server, "_active_count", None):  # noqa: ASYNC110 - the server has no event for it
                    await asyncio.sleep(0.001)
        else:
            await self.drop_connections()

    async def listen(self) -> None:
        """Accept connections; after ``stop_listening``, use the same port again."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port, ssl=self._tls)
        self._port = self._server.sockets[0].getsockname()[1]

    def stop_listening(self) -> None:
        """Refuse new connections from now on; open connections stay open."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def drop_connections(self) -> None:
        """Close all connections."""
        handlers = list(self._handlers)
        for handler in handlers:
            handler.cancel()
        await asyncio.gather(*handlers, return_exceptions=True)

    @property
    def port(self) -> int:
        return self._port

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._port}"

    def config(self, **settings: Any) -> ClientConfig:
        """Return a config for this broker, with short pauses."""
        return ClientConfig.of(
            self.address,
            **{
                "retry_backoff": 0.001,
                "retry_backoff_max": 0.01,
                **settings,
            },
        )

    def requests(self, kind: type[Request]) -> list[Received]:
        """Return the received requests of a class."""
        return [received for received in self.received if isinstance(received.request, kind)]

    def login_is_done(self, connection: int) -> None:
        """Expect requests on a connection again, after SASL tokens without headers."""
        self._sessions[connection].expects_tokens = False

    def metadata(self) -> MetadataResponse:
        """Return this broker's Metadata response, which lists the brokers."""
        brokers = tuple(
            MetadataResponseBroker(node_id=peer.broker_id, host="127.0.0.1", port=peer.port) for peer in self.peers
        )
        return MetadataResponse(brokers=brokers, controller_id=self.controller_id, cluster_id="fake")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._handlers.add(task)
        number = self.connections
        self.connections = self.connections + 1
        self.writers[number] = writer
        try:
            await self._answer_all(reader, writer, number)
        except (FrameSizeError, ConnectionError, asyncio.CancelledError):
            pass  # A real broker also hangs up on other bytes, such as the first bytes of TLS.
        finally:
            if not writer.is_closing():
                writer.transport.abort()
            self._handlers.discard(task)
            del self.writers[number]

    async def _answer_all(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        session = BrokerSession(messagegen_kafka, max_frame_size=_MAX_REQUEST_SIZE)
        self._sessions[number] = session
        while data := await reader.read(_CHUNK):
            for event in session.receive(data):
                if isinstance(event, SaslToken):
                    self._answer_token(session, event, number)
                    continue
                reply = await self._reply(Received(event.decode(), event, number))
                if reply is Silence.HANG_UP:
                    return
                if isinstance(reply, Response):
                    frame = session.respond(event, reply)
                else:
                    frame = session.respond_frame(event, reply if isinstance(reply, bytes) else b"")
                if frame:
                    writer.write(frame)
                if isinstance(reply, Cut):
                    await writer.drain()
                    writer.close()
                    return

    async def _reply(self, received: Received) -> Reply:
        self.received.append(received)
        return await self.on.get(type(received.request), self._healthy)(received)

    def _answer_token(self, session: BrokerSession, event: SaslToken, number: int) -> None:
        assert self.on_token is not None
        token = self.on_token(number, event.token)
        if token is not None:
            self.writers[number].write(session.send_token(token))

    async def _healthy(self, received: Received) -> Reply:
        if isinstance(received.request, ApiVersionsRequest):
            return api_versions(self.offered)
        if isinstance(received.request, MetadataRequest):
            return self.metadata()
        if isinstance(received.request, DescribeClientQuotasRequest):
            return DescribeClientQuotasResponse(entries=())
        if isinstance(received.request, ListOffsetsRequest):
            return ListOffsetsResponse()
        return Silence.HANG_UP


async def nothing(received: Received) -> Reply:
    """Do not answer the request."""
    return Silence.NOTHING


async def hang_up(received: Received) -> Reply:
    """Close the connection."""
    return Silence.HANG_UP


def answers(*replies: Reply) -> Answerer:
    """Return an answerer that sends these replies one after the other, and then repeats the last one."""
    left = list(replies)

    async def answer(received: Received) -> Reply:
        return left.pop(0) if len(left) > 1 else left[0]

    return answer
