"""The requests that came in, for tests that look at them."""

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

    ``message`` is the request, in ``version``. ``connection`` counts the connections of all clients from 1.
    """

    message: R
    version: int
    client_id: str | None
    connection: int
    received: ReceivedRequest

    @classmethod
    def of(cls, received: ReceivedRequest, connection: int) -> SeenRequest[Any]:
        """Decodes a request. Raises ``SessionError``."""
        return SeenRequest(received.decode(), received.version, received.client_id, connection, received)


class Journal:
    """All requests, in the order in which they came in. Several threads may use it."""

    def __init__(self) -> None:
        self._arrived = threading.Condition()
        self._seen: list[SeenRequest[Any]] = []
        self._unreadable: Counter[str] = Counter()

    def add(self, request: SeenRequest[Any]) -> None:
        """Notes a request."""
        with self._arrived:
            self._seen.append(request)
            self._arrived.notify_all()

    def add_unreadable(self, what: str) -> None:
        """Notes a request that the package can't read."""
        with self._arrived:
            self._unreadable[what] += 1

    def seen(self, request_class: type[R], where: Callable[[R], bool] | None = None) -> list[SeenRequest[R]]:
        """The requests of a class that came in."""
        with self._arrived:
            return self._of(request_class, where)

    def wait(
        self, request_class: type[R], where: Callable[[R], bool] | None, count: int, timeout: float
    ) -> list[SeenRequest[R]]:
        """Waits until ``count`` requests of a class have come in, and returns them.

        Raises ``TimeoutError``, whose text says what came in instead.
        """
        with self._arrived:
            if not self._arrived.wait_for(lambda: len(self._of(request_class, where)) >= count, timeout):
                found = len(self._of(request_class, where))
                wanted = f"expected {count} of {request_class.__name__} within {timeout:g} s, got {found}"
                raise TimeoutError(f"{wanted}; {self._summary()}")
            return self._of(request_class, where)

    def summary(self) -> str:
        """How many requests of each class came in, as a sentence."""
        with self._arrived:
            return self._summary()

    def _of(self, request_class: type[R], where: Callable[[R], bool] | None) -> list[SeenRequest[R]]:
        found = cast("list[SeenRequest[R]]", [one for one in self._seen if isinstance(one.message, request_class)])
        return [one for one in found if where is None or where(one.message)]

    def _summary(self) -> str:
        counts = Counter(type(one.message).__name__ for one in self._seen) + self._unreadable
        if not counts:
            return "no requests came in: does the client connect to `bootstrap`?"
        return f"requests that came in: {', '.join(f'{name} {count}' for name, count in sorted(counts.items()))}"
