"""The connections of a client: opened when they are first needed, shared, and replaced when they can't be used."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import ClientClosedError
from messagegen_client.transport.metadata import Broker

if TYPE_CHECKING:
    from messagegen_client.transport.connection import Connection


class Load(IntEnum):
    """The load of a broker. A broker with a lower load can answer sooner, so it is asked first."""

    IDLE = 0
    NOT_CONNECTED = 1
    BUSY = 2


@dataclass(frozen=True, slots=True)
class _Key:
    """The identity of a connection.

    ``waits_for_controller`` is whether the connection is for requests that brokers forward to the controller: other
    requests would wait behind them.
    """

    address: str
    waits_for_controller: bool


class ConnectionPool:
    """At most two usable connections to each broker: one for requests that wait for the controller, one for others."""

    def __init__(self, config: ClientConfig) -> None:
        self._config = config
        self._current: dict[_Key, Connection] = {}
        self._opened: list[Connection] = []
        """All open connections, including replaced connections that still wait for a response."""
        self._opening: dict[_Key, asyncio.Task[Connection]] = {}
        self._ssl_context: ssl.SSLContext | None = None
        self.closed = False
        """Whether ``close`` was called."""

    def check_open(self) -> None:
        """Raise ``ClientClosedError`` after ``close``."""
        if self.closed:
            raise _closed_error()

    async def close(self) -> None:
        """Close all connections. Requests in progress raise ``ClientClosedError``."""
        self.closed = True
        attempts = list(self._opening.values())
        for attempt in attempts:
            attempt.cancel()
        await asyncio.gather(*attempts, return_exceptions=True)
        for connection in self._opened:
            connection.abort(_closed_error())
        await asyncio.gather(*(connection.closed() for connection in self._opened))

    def load(self, broker: Broker) -> Load:
        """Return the load of the connection for requests that do not wait for the controller."""
        connection = self._current.get(_Key(broker.address, waits_for_controller=False))
        if connection is None:
            return Load.NOT_CONNECTED
        return Load.BUSY if connection.waiting else Load.IDLE

    async def connection(self, broker: Broker, *, waits_for_controller: bool) -> Connection:
        """Return a usable connection to a broker. Raises the errors of ``Connection.open``, and ``ClientClosedError``.

        Concurrent callers share one attempt to connect, which continues if one of them is cancelled.
        """
        self.check_open()
        key = _Key(broker.address, waits_for_controller)
        connection = self._current.get(key)
        if connection is not None and connection.usable:
            if broker.id >= 0:
                connection.broker = broker  # So far, the broker may have been a bootstrap address.
            return connection
        if connection is not None:
            del self._current[key]
            connection.retire()
        return await self._shared_attempt(key, broker)

    async def _shared_attempt(self, key: _Key, broker: Broker) -> Connection:
        if key not in self._opening:
            attempt = asyncio.create_task(self._open(key, broker))
            # asyncio would log an exception that is never retrieved because all callers are gone.
            attempt.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._opening[key] = attempt
        attempt = self._opening[key]
        try:
            return await asyncio.shield(attempt)
        except asyncio.CancelledError:
            if self.closed and attempt.cancelled():
                raise _closed_error() from None
            raise

    async def _open(self, key: _Key, broker: Broker) -> Connection:
        from messagegen_client.transport.connection import Connection  # noqa: PLC0415 - help needs no connection

        settings = self._config.security.ssl
        if self._ssl_context is None and settings is not None:
            self._ssl_context = settings.context()
        try:
            connection = await Connection.open(broker, self._config, self._ssl_context)
        finally:
            del self._opening[key]
        self._current[key] = connection
        self._opened = [connection, *(other for other in self._opened if other.connected)]
        return connection


def _closed_error() -> ClientClosedError:
    return ClientClosedError("the client is closed")
