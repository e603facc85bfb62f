"""The base class of proxies and scripted brokers: background listeners, rules, and received requests."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from ssl import SSLContext
from types import ModuleType, TracebackType
from typing import Any, Self, TypeVar

from messagegen_testing.background import Accepted, BackgroundLoop, Streams
from messagegen_testing.conversation import Backend, Client, Conversation, Shared, carry_out, finish
from messagegen_testing.problems import UnusedRuleError
from messagegen_testing.replies import NOTHING, Reply
from messagegen_testing.rules import Rule, apply_rules
from messagegen_testing.seen import Connection, SeenRequest
from messagegen_testing.selectors import Selectors, check_request_class

R = TypeVar("R")
"""The class of a request, of any generated package."""

E = TypeVar("E")
"""The class of a request, of any generated package, or ``Connection``."""

HOST = "127.0.0.1"

Connect = Callable[[Client], Awaitable[Backend]]
"""A function that creates the backend of a client connection. It may raise ``OSError``."""


class Endpoint(ABC):
    """Listens on free ports of ``127.0.0.1`` during a ``with`` block, in a thread of its own.

    ``ssl`` is a server-side context, with which clients connect over TLS. At the end of the block, a rule that was
    never used is an error.
    """

    def __init__(self, package: ModuleType, ssl: SSLContext | None) -> None:
        self.port = 0
        """The port to connect to."""
        self._shared = Shared(package)
        self._ssl = ssl
        self._loop: BackgroundLoop | None = None

    @property
    def bootstrap(self) -> str:
        """The address to connect to, for ``bootstrap.servers``."""
        return f"{HOST}:{self.port}"

    def when(  # noqa: PLR0913 - all selectors of rules
        self,
        event_class: type[E],
        *,
        topic: str | None = None,
        partition: int | None = None,
        client_id: str | None = None,
        where: Callable[[E], bool] | None = None,
        after: int = 0,
        times: int | None = None,
        probability: float = 1.0,
        seed: int = 0,
    ) -> Rule[E]:
        """Return a rule for requests of a class, for all requests (``Request``), or for connections (``Connection``).

        A method of the rule chooses the fault. ``topic``, ``partition``, ``client_id`` and ``where``, a function of the
        request, select requests. The first ``after`` of them are skipped. The fault then applies to each further
        request with this ``probability``, drawn with ``seed``, and to at most ``times`` requests. If several rules
        select a request, all apply, in the order in which they were written.
        """
        selectors = Selectors(
            event_class=event_class,
            topic=topic,
            partition=partition,
            client_id=client_id,
            where=where,
            after=after,
            times=times,
            probability=probability,
            seed=seed,
        )
        if event_class is not Connection:
            self._check_package(event_class)
        rule = Rule(selectors, self._shared.journal.summary)
        self._shared.rules.append(rule)
        return rule

    def seen(self, request_class: type[R], *, where: Callable[[R], bool] | None = None) -> list[SeenRequest[R]]:
        """Return the received requests of a class, in order; with ``Request``, all requests."""
        self._check_package(request_class)
        return self._shared.journal.seen(request_class, where)

    def wait_for(
        self,
        request_class: type[R],
        *,
        where: Callable[[R], bool] | None = None,
        count: int = 1,
        timeout: float = 10,
    ) -> list[SeenRequest[R]]:
        """Wait until ``count`` requests of a class were received, and return them.

        This blocks the thread, so call it with ``asyncio.to_thread`` in a coroutine. Raises ``TimeoutError`` after
        ``timeout`` seconds.
        """
        self._check_package(request_class)
        return self._shared.journal.wait(request_class, where, count, timeout)

    def assert_all_used(self) -> None:
        """Raise ``UnusedRuleError`` if a rule was never used."""
        unused = [rule for rule in self._shared.rules if not rule.used]
        if unused:
            lacks_fault = any(rule.fault is None for rule in unused)
            advice = " add .error(...), .delay(...) or another fault to it;" if lacks_fault else ""
            names = ", ".join(map(str, unused))
            raise UnusedRuleError(f"never used: {names};{advice} {self._shared.journal.summary()}")

    def __enter__(self) -> Self:
        self._loop = BackgroundLoop(type(self).__name__)
        try:
            self.port = self._loop.run(self._start())
        except BaseException:
            self._loop.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
        problems = self._problems()
        if error is None and problems:
            raise problems[0]
        if error is not None:
            for problem in [*problems, *self._shared.journal.troubles()]:
                error.add_note(f"{type(self).__name__}: {problem}")

    def close(self) -> None:
        """Close all connections, and end the thread. ``seen`` still returns the received requests."""
        if self._loop is not None:
            self._loop.stop()
            self._loop = None

    def _problems(self) -> list[BaseException]:
        """Return the reasons why the test fails, the most specific first."""
        problems = list(self._shared.failures)
        try:
            self.assert_all_used()
        except UnusedRuleError as error:
            problems.append(error)
        return problems

    def _check_package(self, request_class: Any) -> None:
        """Raise ``TypeError`` unless the class is a request, and ``ValueError`` if it is from a different package."""
        check_request_class(request_class)
        package = self._shared.package
        if request_class is package.Request:
            return
        if request_class not in package.message_classes("request", request_class.API_KEY):
            other = request_class.__module__.rpartition(".")[0]
            name = type(self).__name__
            raise ValueError(
                f"{request_class.__name__} is a class of {other}, but this {name} reads requests with"
                f" {package.__name__}; pass package={other}"
            )

    @abstractmethod
    async def _start(self) -> int:
        """Start listening, and return the port."""

    def _listen(self, connect: Connect, broker: str = "") -> int:
        """Listen on a free port, and return it. This may happen while an answer is being made.

        ``broker`` is the address of the broker that clients reach through the port; by default, the port's own address.
        """
        assert self._loop is not None

        async def connected(client: Accepted) -> None:
            connection = Connection(self._shared.journal.connect(), broker or f"{HOST}:{port}")
            try:
                streams = await self._greet(connection, client)
                if streams is not None:
                    await self._serve(streams, connect, connection)
            except ConnectionError:
                pass  # Clients may hang up at any time.
            except Exception as error:  # noqa: BLE001 - the test gets it at its end
                self._shared.fail(error)

        port = self._loop.listen(HOST, connected)
        return port

    async def _greet(self, connection: Connection, client: Accepted) -> Streams | None:
        """Apply the rules for connections, and start TLS. Return ``None`` if the connection ends."""
        reply = await apply_rules(tuple(self._shared.rules), connection, {}, _accept)
        goes_on = reply == NOTHING
        try:
            streams = await client.open(self._ssl if goes_on else None)
        except OSError as error:
            self._shared.journal.add_trouble(f"the TLS handshake of a client failed: {error}")
            return None
        if goes_on:
            return streams
        await carry_out(reply, b"", *streams)
        await finish(streams[1])
        return None

    async def _serve(self, streams: Streams, connect: Connect, connection: Connection) -> None:
        reader, writer = streams
        conversation = Conversation(self._shared, writer, connection.number)
        try:
            backend = await connect(conversation)
        except OSError:
            return  # The client connection is closed, as if no broker listened.
        try:
            await conversation.run(reader, backend)
            await asyncio.gather(backend.finish(), finish(writer))
        finally:
            backend.abort()


async def _accept(_: object) -> Reply:
    return NOTHING
