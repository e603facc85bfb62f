"""The connections of a client: one to a broker, made when it is first needed and shared by all calls."""

from __future__ import annotations

import asyncio
import ssl
import time

from messagegen_client.config import ClientConfig
from messagegen_client.connecting import connect
from messagegen_client.connection import Connection
from messagegen_client.deadlines import Progress
from messagegen_client.errors import ClientClosedError
from messagegen_client.metadata import Broker


class ConnectionPool:
    """Connections by address, so that an address of the bootstrap list and the broker behind it share one."""

    def __init__(self, config: ClientConfig) -> None:
        self._config = config
        self._context: ssl.SSLContext | None = None
        self._open: dict[str, Connection] = {}
        self._opening: dict[str, _Opening] = {}
        self._retired: set[Connection] = set()
        self._failed_at: dict[str, float] = {}
        self._closed = False

    def is_open(self, broker: Broker) -> bool:
        """Whether there is a connection to the broker that is ready for use."""
        connection = self._open.get(broker.address)
        return connection is not None and connection.usable

    def failed_at(self, broker: Broker) -> float:
        """When connecting or asking last failed there, on the clock of ``time.monotonic``; 0 for never."""
        return self._failed_at.get(broker.address, 0.0)

    def note_failure(self, broker: Broker) -> None:
        """Remembers that the broker could not be used just now, so that others are tried first."""
        self._failed_at[broker.address] = time.monotonic()

    async def get(self, broker: Broker, progress: Progress) -> Connection:
        """A connection to the broker that is ready for use; raises what ``connecting.connect`` raises.

        Callers that come while it is being made share the attempt, which goes on if one of them gives up.
        """
        self.check_open()
        address = broker.address
        connection = self._open.get(address)
        if connection is not None:
            if connection.usable:
                if broker.id >= 0:
                    connection.broker = broker  # So far it was an address of the bootstrap list.
                return connection
            self._retire(address, connection)
        opening = self._opening.get(address)
        if opening is None:
            opening = self._opening[address] = _Opening(broker, self._config, self._tls())
            opening.task.add_done_callback(lambda task: self._opened(address, task))
        progress.stage = lambda: opening.stage
        try:
            return await asyncio.shield(opening.task)
        except asyncio.CancelledError:
            me = asyncio.current_task()
            if me is not None and me.cancelling():
                raise
            # It was the attempt that was cancelled, and only ``close`` does that.
            raise self.closed_error() from None

    def check_open(self) -> None:
        """Raises ``ClientClosedError`` after ``close``."""
        if self._closed:
            raise self.closed_error()

    @staticmethod
    def closed_error() -> ClientClosedError:
        """What calls on a closed client end with."""
        return ClientClosedError("the client is closed")

    async def close(self) -> None:
        """Closes all sockets and waits until that is done; requests under way end with ``ClientClosedError``."""
        self._closed = True
        tasks = [opening.task for opening in self._opening.values()]
        for task in tasks:
            task.cancel()
        # An attempt that had just succeeded is among the open ones after this.
        await asyncio.gather(*tasks, return_exceptions=True)
        connections = [*self._open.values(), *self._retired]
        for connection in connections:
            connection.fail(self.closed_error())
        await asyncio.gather(*(connection.lost for connection in connections))

    def _tls(self) -> ssl.SSLContext | None:
        if self._context is None and self._config.security.ssl is not None:
            self._context = self._config.security.ssl.context()
        return self._context

    def _opened(self, address: str, task: asyncio.Task[Connection]) -> None:
        self._opening.pop(address, None)
        if task.cancelled():
            return
        # Asking for the exception also tells asyncio that a failure was seen, should all callers be gone.
        if task.exception() is None:
            connection = self._open[address] = task.result()
            self._failed_at.pop(address, None)
            connection.lost.add_done_callback(lambda _: self._forget(address, connection))

    def _forget(self, address: str, connection: Connection) -> None:
        self._retired.discard(connection)
        if self._open.get(address) is connection:
            del self._open[address]

    def _retire(self, address: str, connection: Connection) -> None:
        """Lets a connection answer what was sent, while a new one takes its place."""
        del self._open[address]
        self._retired.add(connection)
        connection.retire()


class _Opening:
    """A connection that is being made, and what for is being waited."""

    def __init__(self, broker: Broker, config: ClientConfig, context: ssl.SSLContext | None) -> None:
        self.stage = f"connecting to {broker}"
        self.task = asyncio.create_task(self._open(broker, config, context), name=f"connect to {broker.address}")

    async def _open(self, broker: Broker, config: ClientConfig, context: ssl.SSLContext | None) -> Connection:
        return await connect(broker, config, context, self._set_stage)

    def _set_stage(self, stage: str) -> None:
        self.stage = stage
