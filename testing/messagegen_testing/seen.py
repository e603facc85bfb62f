"""The requests and connections of clients, for rules and for tests that inspect them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from messagegen_kafka import ReceivedRequest

R = TypeVar("R")
"""The class of a request, of any generated package."""


@dataclass(frozen=True, slots=True)
class SeenRequest(Generic[R]):
    """A request of a client.

    ``message`` is the decoded request, and ``version`` its version. ``connection`` is the number of its connection.
    """

    message: R
    version: int
    client_id: str | None
    connection: int
    received: ReceivedRequest

    @classmethod
    def of(cls, received: ReceivedRequest, connection: int) -> SeenRequest[Any]:
        """Decode a request. Raises ``SessionError``."""
        return SeenRequest(received.decode(), received.version, received.client_id, connection, received)


@dataclass(frozen=True, slots=True)
class Connection:
    """A new client connection, before its first byte.

    ``number`` counts the connections of all clients from 1. ``broker`` is the address that the connection leads to, as
    ``HOST:PORT``: the broker behind a proxy, or the scripted broker.
    """

    number: int
    broker: str


class Journal:
    """All requests in order, and the troubles with clients and brokers. Several threads may use it."""

    def __init__(self) -> None:
        self._arrived = threading.Condition()
        self._seen: list[SeenRequest[Any]] = []
        self._unreadable: Counter[str] = Counter()
        self._troubles: Counter[str] = Counter()
        self._connections = 0

    def connect(self) -> int:
        """Count a connection, and return its number."""
        with self._arrived:
            self._connections += 1
            return self._connections

    def add(self, request: SeenRequest[Any]) -> None:
        """Note a request."""
        with self._arrived:
            self._seen.append(request)
            self._arrived.notify_all()

    def add_unreadable(self, what: str) -> None:
        """Note a request that the package can't read."""
        with self._arrived:
            self._unreadable[what] += 1

    def add_trouble(self, what: str) -> None:
        """Note a trouble with a connection, as a clause. Equal clauses are counted."""
        with self._arrived:
            self._troubles[what] += 1

    def seen(self, request_class: type[R], where: Callable[[R], bool] | None = None) -> list[SeenRequest[R]]:
        """Return the received requests of a class."""
        with self._arrived:
            return self._of(request_class, where)

    def wait(
        self, request_class: type[R], where: Callable[[R], bool] | None, count: int, timeout: float
    ) -> list[SeenRequest[R]]:
        """Wait until ``count`` requests of a class were received, and return them.

        Raises ``TimeoutError``, whose text lists the requests that were received instead.
        """
        with self._arrived:
            if not self._arrived.wait_for(lambda: len(self._of(request_class, where)) >= count, timeout):
                found = len(self._of(request_class, where))
                wanted = f"expected {count} of {request_class.__name__} within {timeout:g} s, got {found}"
                raise TimeoutError(f"{wanted}; {self._summary()}")
            return self._of(request_class, where)

    def summary(self) -> str:
        """Return the number of received requests of each class, and all troubles, as a sentence."""
        with self._arrived:
            return self._summary()

    def troubles(self) -> list[str]:
        """Return the troubles with connections, each with its count."""
        with self._arrived:
            return self._counted_troubles()

    def _of(self, request_class: type[R], where: Callable[[R], bool] | None) -> list[SeenRequest[R]]:
        found = cast("list[SeenRequest[R]]", [one for one in self._seen if isinstance(one.message, request_class)])
        return [one for one in found if where is None or where(one.message)]

    def _summary(self) -> str:
        return "; ".join([self._came_in(), *self._counted_troubles()])

    def _came_in(self) -> str:
        counts = Counter(type(one.message).__name__ for one in self._seen) + self._unreadable
        if counts:
            return f"requests that came in: {', '.join(f'{name} {count}' for name, count in sorted(counts.items()))}"
        if self._connections:
            return f"no requests came in on {self._connections} connections"
        return "no client connected: does it connect to `bootstrap`?"

    def _counted_troubles(self) -> list[str]:
        return [f"{what} ({count} times)" if count > 1 else what for what, count in self._troubles.items()]
