"""Lists of calls, and how they run."""

from __future__ import annotations

import asyncio
import inspect
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

PATIENCE = 30.0
"""The time limit for a broker's answer, in seconds."""


@dataclass(frozen=True)
class Cluster:
    """A cluster that clients reach at ``bootstrap``. It has a topic with ten records in each of two partitions."""

    bootstrap: str
    topic: str
    run: str = field(default_factory=lambda: uuid.uuid4().hex[:8])
    """A random string for the names in this run."""

    def name(self, what: str) -> str:
        """Return a name that no other run uses."""
        return f"{what}-{self.run}"


Call = Callable[[Any, Cluster], object]
"""Makes a call with a client. Raises the client's errors."""


AsyncCall = Callable[[Any, Cluster], Awaitable[object]]
"""Makes a call with a client whose calls are coroutines."""


@dataclass(frozen=True)
class ClientCalls:
    """The calls of a client's class, in the order of their use.

    ``excluded`` are public methods that send nothing to a broker, with the reason.
    """

    client: type[Any]
    calls: Mapping[str, Call] | Mapping[str, AsyncCall]
    excluded: Mapping[str, str]

    def public_methods(self) -> set[str]:
        """Return the names of all public methods of the client."""
        return {name for name in dir(self.client) if name[0] != "_" and callable(getattr(self.client, name))}


def outcomes(listed: ClientCalls, make: Callable[[], Any], cluster: Cluster) -> dict[str, str]:
    """Make all calls with a new client, and return the error of each call that fails."""
    return asyncio.run(_outcomes(listed, make, cluster))


async def _outcomes(listed: ClientCalls, make: Callable[[], Any], cluster: Cluster) -> dict[str, str]:
    found: dict[str, str] = {}
    client = make()
    for name, call in listed.calls.items():
        try:
            result = call(client, cluster)
            if inspect.isawaitable(result):
                await asyncio.wait_for(result, PATIENCE)
        except Exception as error:  # noqa: BLE001 - the test compares it
            found[name] = f"{type(error).__name__}: {error}"
    return found
