"""What proxies and scripted brokers have in common: listeners in the background, rules, and what came in."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from types import ModuleType, TracebackType
from typing import Any, Self, TypeVar

from messagegen_testing.background import BackgroundLoop
from messagegen_testing.conversation import Backend, Conversation, Shared, finish
from messagegen_testing.problems import UnusedRuleError
from messagegen_testing.rules import Rule
from messagegen_testing.seen import SeenRequest

R = TypeVar("R")
"""The class of a request, of any generated package."""

HOST = "127.0.0.1"

Connect = Callable[[asyncio.StreamWriter], Awaitable[Backend]]
"""Makes what is behind a new connection. Raises ``OSError`` if nobody is there."""


class Endpoint(ABC):
    """Listens on free ports of ``127.0.0.1`` within ``with``, in a thread of its own.

    At the end of the block, a rule that was never used is an error.
    """

    def __init__(self, package: ModuleType) -> None:
        self.port = 0
        """The port to connect to."""
        self._shared = Shared(package)
        self._loop: BackgroundLoop | None = None
        self._connections = 0

    @property
    def bootstrap(self) -> str:
        """The address to connect to, for ``bootstrap.servers``."""
        return f"{HOST}:{self.port}"

    def seen(self, request_class: type[R], *, where: Callable[[R], bool] | None = None) -> list[SeenRequest[R]]:
        """The requests of a class that came in so far, in order."""
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
        """Waits until ``count`` requests of a class have come in, and returns them.

        It blocks the thread, so a test with coroutines calls it with ``asyncio.to_thread``. Raises ``TimeoutError``.
        """
        self._check_package(request_class)
        return self._shared.journal.wait(request_class, where, count, timeout)

    def assert_all_used(self) -> None:
        """Raises ``UnusedRuleError`` if a rule was never used."""
        unused = [rule for rule in self._shared.rules if not rule.used]
        if unused:
            says_nothing = any(rule.fault is None for rule in unused)
            advice = " add .error(...), .delay(...) or another fault to it;" if says_nothing else ""
            names = ", ".join(map(str, unused))
            raise UnusedRuleError(f"never used: {names};{advice} {self._shared.journal.summary()}")

    def __enter__(self) -> Self:
        self._loop = BackgroundLoop(type(self).__name__)
        self.port = self._loop.run(self._start())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
        problems = self._problems()
        if error is None and problems:
            raise problems[0]
        for problem in problems:
            if error is not None:
                error.add_note(f"{type(self).__name__}: {problem}")

    def close(self) -> None:
        """Closes all connections, and ends the thread. What came in can still be asked for."""
        if self._loop is not None:
            self._loop.stop()
            self._loop = None

    def _problems(self) -> list[Exception]:
        """What went wrong, the most telling first."""
        problems = list(self._shared.failures)
        try:
            self.assert_all_used()
        except UnusedRuleError as error:
            problems.append(error)
        return problems

    def _add(self, rule: Rule[Any]) -> None:
        self._check_package(rule.request_class)
        self._shared.rules.append(rule)

    def _check_package(self, request_class: Any) -> None:
        package = self._shared.package
        if request_class not in package.message_classes("request", request_class.API_KEY):
            other = request_class.__module__.rpartition(".")[0]
            name = type(self).__name__
            raise ValueError(
                f"{request_class.__name__} is a class of {other}, but this {name} reads requests with"
                f" {package.__name__}; pass package={other}"
            )

    @abstractmethod
    async def _start(self) -> int:
        """Starts to listen, and returns the port."""

    def _listen(self, connect: Connect) -> int:
        """Listens on a free port, and returns it. It may be called in the middle of an answer."""
        assert self._loop is not None

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._serve(reader, writer, connect)

        return self._loop.listen(HOST, connected)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connect: Connect) -> None:
        self._connections += 1
        try:
            backend = await connect(writer)
        except OSError:
            return  # The connection is closed, as if nobody listened.
        try:
            await Conversation(self._shared, backend, writer, self._connections).run(reader)
            await asyncio.gather(backend.finish(), finish(writer))
        finally:
            backend.abort()
