"""``Admin`` and ``AsyncAdmin``: Kafka's ``Admin`` for client quotas and offsets, blocking and with coroutines.

Each call is a coroutine function that takes a cluster. Both classes are made from these functions, so a call has one
signature and one docstring. The types of ``_method`` and ``_blocking_method`` carry the signatures over to type
checkers and editors.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from messagegen_client.config.settings import ClientConfig
from messagegen_client.offsets import calls as offsets
from messagegen_client.offsets import partitions
from messagegen_client.quotas import calls as quotas
from messagegen_client.threads import LoopThread
from messagegen_client.transport.cluster import Cluster

P = ParamSpec("P")
T = TypeVar("T")
_Call = Callable[Concatenate[Cluster, P], Coroutine[Any, Any, T]]
F = TypeVar("F", bound=Callable[..., object])


class SecurityWarning(UserWarning):
    """A warning about settings that are allowed but not safe, such as a password that is sent without encryption."""


class _Client:
    """The settings and the cluster of a client."""

    def __init__(self, config: ClientConfig | str | Sequence[str]) -> None:
        self.config = config if isinstance(config, ClientConfig) else ClientConfig.of(config)
        for text in self.config.security.warnings():
            warnings.warn(text, SecurityWarning, stacklevel=2)
        self.cluster = Cluster(self.config)
        """The connections. ``cluster.call`` sends requests that have no method of their own."""
        self._start()

    def _start(self) -> None:
        """Start using the cluster; subclasses override this hook."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({','.join(self.config.bootstrap_servers)!r})"


def _method(call: _Call[P, T]) -> Callable[Concatenate[AsyncAdmin, P], Coroutine[Any, Any, T]]:
    """Return the method of ``AsyncAdmin`` for a call."""

    @functools.wraps(call)
    async def method(self: AsyncAdmin, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await call(self.cluster, *args, **kwargs)

    return _signed(method)


def _blocking_method(call: _Call[P, T]) -> Callable[Concatenate[Admin, P], T]:
    """Return the method of ``Admin`` for a call."""

    @functools.wraps(call)
    def method(self: Admin, /, *args: P.args, **kwargs: P.kwargs) -> T:
        thread = self._thread  # pyright: ignore[reportPrivateUsage]  # its own class
        return thread.run(call(self.cluster, *args, **kwargs))

    return _signed(method)


def _signed(method: F) -> F:
    """Return the method with ``self`` instead of the cluster in its signature, for ``help`` and ``inspect``."""
    signature = inspect.signature(method)
    _, *others = signature.parameters.values()
    this = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    vars(method)["__signature__"] = signature.replace(parameters=[this, *others])
    return method


class AsyncAdmin(_Client):
    """The calls as coroutines. Use it in one event loop, with ``async with``.

    ``config`` is a ``ClientConfig``, or only the bootstrap servers, such as ``"one:9092,two:9092"``. The first call
    connects. Settings that are allowed but not safe cause a ``SecurityWarning``.

    The ``timeout`` of a call is in seconds and covers all its requests; the default is the config's ``api_timeout``.
    To share a timeout between several calls, pass them the same ``Deadline``, from ``cluster.deadline(seconds)``.

    Calls raise ``KafkaError``. For invalid arguments they raise ``ValueError``, before they send anything. A call for
    several things raises a ``PartialError`` if some of them fail. A call that alters several things returns a result
    for each; see ``AlterClientQuotasResult``.
    """

    describe_client_quotas = _method(quotas.describe_client_quotas)
    alter_client_quotas = _method(quotas.alter_client_quotas)
    resolve_client_quotas = _method(quotas.resolve_client_quotas)

    partitions_for = _method(partitions.partitions_for)
    list_offsets = _method(offsets.list_offsets)
    offsets_for_times = _method(offsets.offsets_for_times)
    beginning_offsets = _method(offsets.beginning_offsets)
    end_offsets = _method(offsets.end_offsets)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections. Calls in progress and later calls raise ``ClientClosedError``."""
        await self.cluster.close()


class Admin(_Client):
    """The calls of ``AsyncAdmin``, blocking. Use it with ``with``; several threads may share it.

    The calls run in an event loop in a thread of this client. Ctrl-C cancels the call in progress.
    """

    describe_client_quotas = _blocking_method(quotas.describe_client_quotas)
    alter_client_quotas = _blocking_method(quotas.alter_client_quotas)
    resolve_client_quotas = _blocking_method(quotas.resolve_client_quotas)

    partitions_for = _blocking_method(partitions.partitions_for)
    list_offsets = _blocking_method(offsets.list_offsets)
    offsets_for_times = _blocking_method(offsets.offsets_for_times)
    beginning_offsets = _blocking_method(offsets.beginning_offsets)
    end_offsets = _blocking_method(offsets.end_offsets)

    def _start(self) -> None:
        self._thread = LoopThread(self.cluster)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections. Calls in progress in other threads and later calls raise ``ClientClosedError``."""
        self._thread.close()

    def __del__(self) -> None:
        thread = getattr(self, "_thread", None)
        if thread is not None and not thread.closed:
            warnings.warn(f"{self!r} was not closed; use it with `with`", ResourceWarning, source=self, stacklevel=2)
