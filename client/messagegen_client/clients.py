"""What the clients of this package have in common: settings, one cluster, closing, and calls that block."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Coroutine, Sequence
from typing import Any, Self, TypeVar

from messagegen_client.config.settings import ClientConfig
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.threads import LoopThread

T = TypeVar("T")


class SecurityWarning(UserWarning):
    """Settings that work and are not safe, such as a password that travels without encryption."""


def _caller_level() -> int:
    """The level of the stack, as ``warnings.warn`` counts it, that is the first outside this package."""
    level, frame = 1, inspect.currentframe()
    # warnings can skip the frames of a package by itself from Python 3.12 on.
    while (frame := frame and frame.f_back) is not None and frame.f_globals.get("__package__") == __package__:
        level += 1
    return level


class AsyncClient:
    """The base of clients whose calls are coroutines; to be used within one event loop, with ``async with``.

    ``config`` is a ``ClientConfig``, or the bootstrap servers alone, as ``"one:9092,two:9092"``. Nothing is connected before the
    first call. Warns with ``SecurityWarning`` of settings that are allowed and unwise.
    """

    def __init__(self, config: ClientConfig | str | Sequence[str]) -> None:
        self.config = config if isinstance(config, ClientConfig) else ClientConfig.of(config)
        for text in self.config.security.warnings():
            warnings.warn(text, SecurityWarning, stacklevel=_caller_level())
        self.cluster = Cluster(self.config)
        """The connections, for requests that this client has no call for."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes all connections; calls under way and later ones end with ``ClientClosedError``."""
        await self.cluster.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({','.join(self.config.bootstrap_servers)!r})"


class BlockingClient:
    """The base of clients whose calls block; made for ``with``, and safe to use from several threads.

    The calls run in an event loop in a thread of this client. Ctrl-C ends the call that waits.
    """

    def __init__(self, client: AsyncClient) -> None:
        self.config = client.config
        self._thread = LoopThread(client)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections; calls under way in other threads and later ones end with ``ClientClosedError``."""
        self._thread.close()

    def _run(self, call: Coroutine[Any, Any, T]) -> T:
        return self._thread.run(call)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({','.join(self.config.bootstrap_servers)!r})"

    def __del__(self) -> None:
        thread = getattr(self, "_thread", None)
        if thread is not None and not thread.closed:
            warnings.warn(f"{self!r} was not closed; use it with `with`", ResourceWarning, source=self, stacklevel=2)
