"""One client connection. Like a broker, it answers each request before it reads the next one."""

from __future__ import annotations

import asyncio
import socket
import struct
from abc import ABC, abstractmethod
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any, Final, Protocol
from uuid import UUID

from messagegen_kafka import (
    FrameSizeError,
    Observer,
    ReceivedRequest,
    Request,
    SaslToken,
    SessionError,
    UnreadableFrame,
)
from messagegen_testing.errors.versions import refusal
from messagegen_testing.problems import FunctionError
from messagegen_testing.replies import Reply
from messagegen_testing.rules import Rule, apply_rules
from messagegen_testing.seen import Journal, SeenRequest

Event = ReceivedRequest | SaslToken | UnreadableFrame
"""An event from a client."""

CHUNK = 1 << 16

_API_VERSIONS = 18

_RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)
"""``SO_LINGER`` for 0 seconds: closing the socket sends RST and drops unsent bytes."""


class Client(Protocol):
    """The part of a client connection that the backend needs."""

    def send(self, data: bytes) -> None:
        """Send bytes that answer no request."""
        ...

    def end(self) -> None:
        """Close the connection, because the broker has closed its own. A pending answer is sent first."""
        ...


class Backend(ABC):
    """The other end of a client connection: a real broker, or the answers that a test defines."""

    def refuse(self, event: ReceivedRequest) -> Reply | None:  # noqa: ARG002 - only scripted brokers refuse
        """Return the answer to a request of an API or version that is not offered, else ``None``."""
        return None

    @abstractmethod
    async def ask(self, request: SeenRequest[Any], message: Request) -> Reply:
        """Return the answer to a request; ``message`` is the request after the rules."""

    def note_unanswered(self, request: SeenRequest[Any]) -> None:  # noqa: B027 - only scripted brokers note it
        """Note that neither the broker nor a rule answered a request."""

    @abstractmethod
    async def pass_on(self, event: Event) -> Reply:
        """Return the answer to an event that rules do not apply to, such as an unreadable request."""

    @abstractmethod
    async def finish(self) -> None:
        """Send the remaining bytes, and end the connection to the broker."""

    @abstractmethod
    def abort(self) -> None:
        """End the connection to the broker immediately."""


@dataclass
class Shared:
    """The state that all connections of a proxy or scripted broker share."""

    package: ModuleType
    journal: Journal = field(default_factory=Journal)
    rules: list[Rule[Any]] = field(default_factory=list[Rule[Any]])
    topic_names: dict[UUID, str] = field(default_factory=dict[UUID, str])
    failures: list[BaseException] = field(default_factory=list[BaseException])
    unreadable: Counter[str] = field(default_factory=Counter[str])
    """The number of requests that were passed on unread, by reason."""

    def fail(self, error: Exception) -> None:
        """Store an error, which is raised at the end of the test."""
        self.failures.append(error.error if isinstance(error, FunctionError) else error)


class Conversation:
    """One client connection."""

    _backend: Backend

    def __init__(self, shared: Shared, writer: asyncio.StreamWriter, number: int) -> None:
        self._shared = shared
        self._writer = writer
        self._number = number
        self._is_answering = False
        self._ends = False

    def send(self, data: bytes) -> None:
        """Send bytes that answer no request."""
        self._writer.write(data)

    def end(self) -> None:
        """Close the connection, because the broker has closed its own. A pending answer is sent first."""
        self._ends = True
        if not self._is_answering:
            self._writer.close()

    async def run(self, reader: asyncio.StreamReader, backend: Backend) -> None:
        """Answer requests until the client or the backend ends the connection."""
        self._backend = backend
        # The observer sees no answers, because rules may change or drop them.
        observer = Observer(self._shared.package, gaps=True)
        try:
            while data := await reader.read(CHUNK):
                for event in observer.from_client(data):
                    if not await self._answer(event, reader):
                        return
        except ConnectionError:
            pass  # Clients and brokers may hang up at any time.
        except FrameSizeError as error:
            self._shared.journal.add_trouble(_what_client_speaks(error))
        except Exception as error:  # noqa: BLE001 - the test gets it at its end
            self._shared.fail(error)

    async def _answer(self, event: Event, reader: asyncio.StreamReader) -> bool:
        """Answer an event from the client. Return whether the connection stays open."""
        self._is_answering = True
        reply = await self._reply(event)
        self._is_answering = not reply.silent
        goes_on = await carry_out(reply, self._data(event, reply), reader, self._writer)
        self._is_answering = False
        return goes_on and not self._ends

    @staticmethod
    def _data(event: Event, reply: Reply) -> bytes:
        if isinstance(event, ReceivedRequest):
            return reply.data(event.version, event.correlation_id)
        return reply.frame or b""

    async def _reply(self, event: Event) -> Reply:
        if isinstance(event, SaslToken):
            return await self._backend.pass_on(event)
        if isinstance(event, UnreadableFrame):
            return await self._reply_unread(event, event.error)
        if not event.supported:
            return await self._reply_to_unsupported(event)
        try:
            request = SeenRequest.of(event, self._number)
        except SessionError as error:
            return await self._reply_unread(event, error)
        self._shared.journal.add(request)
        refused = self._backend.refuse(event)
        if refused is not None:
            return refused
        last = partial(self._backend.ask, request)
        reply = await apply_rules(tuple(self._shared.rules), request, self._shared.topic_names, last)
        if reply.missing:
            self._backend.note_unanswered(request)
        return reply

    async def _reply_unread(self, event: Event, error: SessionError) -> Reply:
        """Answer a request whose bytes can't be read."""
        self._shared.journal.add_unreadable("bytes that can't be read,")
        self._shared.unreadable[str(error)] += 1
        return await self._backend.pass_on(event)

    async def _reply_to_unsupported(self, event: ReceivedRequest) -> Reply:
        """Answer a request of an API or version that the package lacks."""
        self._shared.journal.add_unreadable(f"API key {event.api_key} version {event.version}, which can't be read,")
        refused = self._backend.refuse(event)
        if refused is not None:
            return refused
        if event.api_key == _API_VERSIONS:
            (request_class,) = self._shared.package.message_classes("request", _API_VERSIONS)
            return Reply(refusal(request_class, event.version), version=0)
        return await self._backend.pass_on(event)


def _what_client_speaks(error: FrameSizeError) -> str:
    if error.protocol == "TLS":
        return "a client speaks TLS, but `bootstrap` listens without TLS; pass ssl= with the context of a server"
    return f"a client does not speak Kafka's protocol: {error}"


async def carry_out(reply: Reply, data: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Send a reply, whose bytes are ``data``. Return whether the connection stays open."""
    if reply.silent:
        await _discard(reader)
        return False
    if reply.reset:
        _reset(writer)
        return False
    writer.write(data if reply.cut_after is None else data[: reply.cut_after])
    await writer.drain()
    return reply.cut_after is None


def _reset(writer: asyncio.StreamWriter) -> None:
    """End a connection with RST."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
    writer.transport.abort()


async def finish(writer: asyncio.StreamWriter) -> None:
    """Send the remaining bytes, and close a connection."""
    writer.close()
    with suppress(OSError):  # The peer may have hung up.
        await writer.wait_closed()


async def _discard(reader: asyncio.StreamReader) -> None:
    """Read and drop the client's bytes until it hangs up."""
    while await reader.read(CHUNK):
        pass
