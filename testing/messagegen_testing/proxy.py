"""A proxy in front of the brokers of a cluster, with faults."""

from __future__ import annotations

import warnings
from contextlib import suppress
from ssl import SSLContext
from types import ModuleType
from typing import Final

import messagegen_kafka
from messagegen_testing.conversation import Backend, Client
from messagegen_testing.endpoint import HOST, Endpoint
from messagegen_testing.problems import UnreadableRequestWarning
from messagegen_testing.upstream import Address, Upstream, address_text

_DEFAULT_PORT: Final = 9092


class KafkaFaults(Endpoint):
    """A proxy in front of a cluster: clients that connect to ``bootstrap`` reach all brokers through the proxy.

    ``upstream`` is the address of a broker, or several separated by commas. ``ssl`` is a server-side context, with
    which clients connect over TLS; ``upstream_ssl`` is a client-side context, for brokers that listen with TLS.
    ``package`` is the generated package with the messages. Requests that it can't read are passed on unchanged.

    At the end of the ``with`` block, a rule that was never used is an error, and a request whose bytes could not be
    read is an ``UnreadableRequestWarning``.
    """

    def __init__(
        self,
        upstream: str,
        *,
        ssl: SSLContext | None = None,
        upstream_ssl: SSLContext | None = None,
        package: ModuleType = messagegen_kafka,
    ) -> None:
        super().__init__(package, ssl)
        self.upstream = [_address(text) for text in upstream.split(",")]
        self._upstream_ssl = upstream_ssl
        self._ports: dict[Address, int] = {}

    def own_address(self, host: str, port: int, node_id: int | None) -> Address:  # noqa: ARG002 - the address is enough
        """Return the address at which clients reach a broker through this proxy."""
        if (host, port) not in self._ports:
            self._ports[host, port] = self._listen_for([(host, port)])
        return HOST, self._ports[host, port]

    def close(self) -> None:
        """Close all connections, end the thread, and warn about requests that were passed on unread."""
        super().close()
        for reason, count in self._shared.unreadable.items():
            warnings.warn(
                f"passed on unreadable requests unchanged ({count} times): {reason}",
                UnreadableRequestWarning,
                stacklevel=2,
            )
        self._shared.unreadable.clear()

    async def _start(self) -> int:
        return self._listen_for(self.upstream)

    def _listen_for(self, addresses: list[Address]) -> int:
        """Listen on a port, and return it. Each client gets a connection to the first address that can be reached."""

        async def connect(client: Client) -> Backend:
            *others, last = addresses
            for address in others:
                with suppress(OSError):
                    return await self._connect(address, client)
            return await self._connect(last, client)

        return self._listen(connect, ",".join(map(address_text, addresses)))

    async def _connect(self, address: Address, client: Client) -> Upstream:
        try:
            return await Upstream.connect(self._shared, self, address, client, self._upstream_ssl)
        except OSError as error:
            self._shared.journal.add_trouble(self._why_unreachable(address, error))
            raise

    def _why_unreachable(self, address: Address, error: OSError) -> str:
        broker = f"the broker at {address_text(address)}"
        if isinstance(error, ConnectionRefusedError):
            return f"{broker} refused the connection"
        tls = "" if self._upstream_ssl is None else " with TLS"
        return f"{broker} could not be reached{tls}: {error}"


def _address(text: str) -> Address:
    """Return the host and port of a text such as ``localhost:9092`` or ``[::1]:9092``. Raises ``ValueError``."""
    host, colon, port = text.strip().rpartition(":")
    if not colon:
        host, port = port, str(_DEFAULT_PORT)
    if not host or not port.isdecimal():
        raise ValueError(f"expected the address of a broker as HOST:PORT, got {text!r}")
    return host.strip("[]"), int(port)


def kafka_faults(
    upstream: str,
    *,
    ssl: SSLContext | None = None,
    upstream_ssl: SSLContext | None = None,
    package: ModuleType = messagegen_kafka,
) -> KafkaFaults:
    """Return a proxy in front of a broker, as a context manager: see ``KafkaFaults``."""
    return KafkaFaults(upstream, ssl=ssl, upstream_ssl=upstream_ssl, package=package)
