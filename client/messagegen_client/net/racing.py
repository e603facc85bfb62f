"""Sends one request to several brokers, one after the other. The first answer counts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Generic, Self, TypeVar

from messagegen_client.errors import BrokerConnectionError, KafkaError
from messagegen_client.net.deadlines import Progress
from messagegen_client.net.metadata import Broker

T = TypeVar("T")


class Race(Generic[T]):
    """Asks several brokers, within ``async with``. Requests without an answer at the end are cancelled.

    A slow broker is still waited for after the next one is asked.
    """

    def __init__(self, ask: Callable[[Broker, Progress], Awaitable[T]]) -> None:
        self._ask = ask
        self._running: dict[asyncio.Task[T], tuple[Broker, Progress]] = {}
        self.failures: list[tuple[str, KafkaError]] = []
        """The addresses and errors of brokers that have failed since this list was cleared."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._running:
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    @property
    def running(self) -> Collection[Broker]:
        """The brokers that have not answered or failed."""
        return [broker for broker, _ in self._running.values()]

    def stage(self) -> str:
        """What the requests are waiting for."""
        stages = [progress.stage() for _, progress in self._running.values() if progress.stage is not None]
        return " and ".join(stages) or "waiting to retry"

    def start(self, broker: Broker) -> None:
        """Asks another broker."""
        progress = Progress()
        task = asyncio.ensure_future(self._ask(broker, progress))
        self._running[task] = (broker, progress)

    async def answer(self, seconds: float | None) -> T | None:
        """The first answer; ``None`` after ``seconds``, and when a broker fails.

        Raises all errors but ``BrokerConnectionError`` at once, because no other broker can help.
        """
        if not self._running:
            await asyncio.sleep(seconds or 0)
            return None
        done, _ = await asyncio.wait(self._running, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in sorted(done, key=lambda task: task.exception() is not None):
            broker, _ = self._running.pop(task)
            problem = task.exception()
            if not isinstance(problem, BrokerConnectionError):
                return task.result()
            self.failures.append((broker.address, problem))
        return None
