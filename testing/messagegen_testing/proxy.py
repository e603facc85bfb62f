"""A proxy before the brokers of a cluster, with faults."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import ModuleType
from typing import Final, TypeVar

import messagegen_kafka
from messagegen_testing.conversation import Backend
from messagegen_testing.endpoint import HOST, Connect, Endpoint
from messagegen_testing.rules import ProxyRule
from messagegen_testing.upstream import Address, Upstream

R = TypeVar("R")
"""The class of a request, of any generated package."""

_DEFAULT_PORT: Final = 9092


class KafkaFaults(Endpoint):
    """A proxy before a cluster: clients that connect to ``bootstrap`` reach all its brokers through it.

    ``upstream`` is the address of a broker, or several with commas between them. The listener must be without TLS.
    ``package`` is the generated package with the messages. Requests that it can't read are passed on.

    At the end of the ``with`` block, a rule that was never used is an error.
    """

    def __init__(self, upstream: str, *, package: ModuleType = messagegen_kafka) -> None:
        super().__init__(package)
        self.upstream = [_address(text) for text in upstream.split(",")]
        self._ports: dict[Address, int] = {}

    def when(
        self,
        request_class: type[R],
        *,
        topic: str | None = None,
        partition: int | None = None,
        where: Callable[[R], bool] | None = None,
        times: int | None = None,
    ) -> ProxyRule[R]:
        """What happens to requests of a class: a method of the result says it.

        ``topic``, ``partition`` and ``where`` limit the requests, ``times`` how many of them. All rules that are for a
        request apply, in the order in which they were written.
        """
        rule = ProxyRule(request_class, topic=topic, partition=partition, where=where, times=times)
        self._add(rule)
        return rule

    def own_address(self, host: str, port: int, node_id: int | None) -> Address:  # noqa: ARG002 - the address is enough
        """Where clients reach a broker through this proxy."""
        if (host, port) not in self._ports:
            self._ports[host, port] = self._listen(self._to([(host, port)]))
        return HOST, self._ports[host, port]

    async def _start(self) -> int:
        return self._listen(self._to(self.upstream))

    def _to(self, addresses: list[Address]) -> Connect:
        async def connect(client: asyncio.StreamWriter) -> Backend:
            *others, last = addresses
            for address in others:
                try:
                    return await Upstream.connect(self._shared, self, address, client)
                except OSError:
                    continue
            return await Upstream.connect(self._shared, self, last, client)

        return connect


def _address(text: str) -> Address:
    """The host and port of a text such as ``localhost:9092`` or ``[::1]:9092``. Raises ``ValueError``."""
    host, colon, port = text.strip().rpartition(":")
    if not colon:
        host, port = port, str(_DEFAULT_PORT)
    if not host or not port.isdecimal():
        raise ValueError(f"expected the address of a broker as HOST:PORT, got {text!r}")
    return host.strip("[]"), int(port)


def kafka_faults(upstream: str, *, package: ModuleType = messagegen_kafka) -> KafkaFaults:
    """A proxy before a broker, as a context manager: see ``KafkaFaults``."""
    return KafkaFaults(upstream, package=package)
