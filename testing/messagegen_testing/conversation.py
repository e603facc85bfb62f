"""One connection of a client: reads its requests, and answers each before it reads the next, as brokers do."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any
from uuid import UUID

from messagegen_kafka import ErrorCode, Observer, ReceivedRequest, Request, Response, SaslToken, UnreadableFrame
from messagegen_testing.errors.selection import Selection
from messagegen_testing.faults import Situation
from messagegen_testing.replies import Reply
from messagegen_testing.rules import Rule
from messagegen_testing.seen import Journal, SeenRequest

Event = ReceivedRequest | SaslToken | UnreadableFrame
"""What a client sends."""

CHUNK = 1 << 16

_API_VERSIONS = 18


class Backend(ABC):
    """What is behind a connection: a broker, or the answers of a test."""

    @abstractmethod
    async def ask(self, request: SeenRequest[Any], message: Request) -> Reply:
        """The answer to a request; ``message`` is what the rules left of it."""

    @abstractmethod
    async def pass_on(self, event: Event) -> Reply:
        """The answer to something that can't be read."""

    @abstractmethod
    async def finish(self) -> None:
        """Sends what is left, and ends the connection behind this one."""

    @abstractmethod
    def abort(self) -> None:
        """Ends the connection behind this one, whatever is left."""


@dataclass
class Shared:
    """What all connections of a proxy or broker have in common."""

    package: ModuleType
    journal: Journal = field(default_factory=Journal)
    rules: list[Rule[Any]] = field(default_factory=list[Rule[Any]])
    topic_names: dict[UUID, str] = field(default_factory=dict[UUID, str])
    failures: list[Exception] = field(default_factory=list[Exception])


class Conversation:
    """One connection of a client."""

    def __init__(self, shared: Shared, backend: Backend, writer: asyncio.StreamWriter, number: int) -> None:
        self._shared = shared
        self._backend = backend
        self._writer = writer
        self._number = number

    async def run(self, reader: asyncio.StreamReader) -> None:
        """Answers requests until the client or the other side ends the connection."""
        observer = Observer(self._shared.package)
        try:
            while data := await reader.read(CHUNK):
                for event in observer.from_client(data):
                    reply = await self._reply(event)
                    if reply.silent:
                        await _discard(reader)
                        return
                    if not await self._send(event, reply):
                        return
        except ConnectionError:
            pass  # Clients and brokers may hang up at any time.
        except Exception as error:  # noqa: BLE001 - the test gets it at its end
            self._shared.failures.append(error)

    async def _send(self, event: Event, reply: Reply) -> bool:
        """Sends a reply; returns whether the connection goes on."""
        data = reply.frame or b""
        if isinstance(event, ReceivedRequest):
            data = reply.data(event.version, event.correlation_id)
        if reply.cut_after is None:
            self._writer.write(data)
        else:
            self._writer.write(data[: reply.cut_after])
        await self._writer.drain()
        return reply.cut_after is None

    async def _reply(self, event: Event) -> Reply:
        if not isinstance(event, ReceivedRequest):
            return await self._backend.pass_on(event)
        if event.supported:
            request = SeenRequest.of(event, self._number)
            self._shared.journal.add(request)
            return await self._apply(tuple(self._shared.rules), request, request.message)
        self._shared.journal.add_unreadable(f"API key {event.api_key} version {event.version}, which can't be read,")
        if event.api_key == _API_VERSIONS:
            return Reply(self._refusal(), version=0)
        return await self._backend.pass_on(event)

    async def _apply(self, rules: Sequence[Rule[Any]], request: SeenRequest[Any], message: Request) -> Reply:
        """The answer to a request after the first of the rules that is for it, which decides what the next ones get."""
        current = SeenRequest(message, request.version, request.client_id, request.connection, request.received)
        for position, rule in enumerate(rules):
            selection = Selection(rule.topic, rule.partition, self._shared.topic_names)
            if rule.fault is not None and rule.takes(current, selection):
                rest = partial(self._apply, rules[position + 1 :], request)
                situation = Situation(current, _response_class(message), selection, rule.give_back)
                return await rule.fault.apply(situation, rest)
        return await self._backend.ask(request, message)

    def _refusal(self) -> Response:
        """Says which versions of ApiVersions there are, to a client that is newer than the package (KIP-511)."""
        (request_class,) = self._shared.package.message_classes("request", _API_VERSIONS)
        offered = {_API_VERSIONS: (request_class.VALID_VERSIONS[0], request_class.VALID_VERSIONS[-1])}
        return api_versions(self._shared.package, offered, ErrorCode.UNSUPPORTED_VERSION)


def _response_class(request: Request) -> type[Response]:
    found = request.RESPONSE
    assert found is not None, f"the package has no response of {type(request).__name__}"
    return found


def api_versions(package: ModuleType, offered: dict[int, tuple[int, int]], error_code: int = 0) -> Response:
    """An ApiVersions response with the lowest and highest version by API key."""
    (response_class,) = package.message_classes("response", _API_VERSIONS)
    (entry,) = [field.struct for field in response_class.fields(version=0) if field.name == "api_keys"]
    keys = [
        entry(api_key=key, min_version=lowest, max_version=highest)
        for key, (lowest, highest) in sorted(offered.items())
    ]
    response: Response = response_class(error_code=int(error_code), api_keys=tuple(keys))
    return response


async def finish(writer: asyncio.StreamWriter) -> None:
    """Sends what is left, and closes a connection."""
    writer.close()
    with suppress(OSError):  # The other side may have hung up.
        await writer.wait_closed()


async def _discard(reader: asyncio.StreamReader) -> None:
    """Reads what a client sends until it hangs up."""
    while await reader.read(CHUNK):
        pass
