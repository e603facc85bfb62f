"""The connections of a client: one for each broker, made when first needed and shared by all calls."""

from __future__ import annotations

import asyncio
import ssl
import time
from dataclasses import dataclass
from typing import Final

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import ClientClosedError, ClientUsageError
from messagegen_client.net.connecting import connect
from messagegen_client.net.connection import Connection
from messagegen_client.net.deadlines import Progress
from messagegen_client.net.metadata import Broker
from messagegen_client.net.retries import jittered

_SILENT: Final = 1.0
"""After so many seconds without a response, a connection gets no new requests."""


class ConnectionPool:
    """Connections by address, so that a bootstrap address and its broker share one."""

    def __init__(self, config: ClientConfig) -> None:
        self._config = config
        self._context: ssl.SSLContext | None = None
        self._open: dict[str, Connection] = {}
        self._opening: dict[str, _Opening] = {}
        self._retired: set[Connection] = set()
        self._failed_at: dict[str, float] = {}
        self._refusals: dict[str, _Refusals] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def preference(self, broker: Broker) -> tuple[bool, bool, float]:
        """The order in which to ask brokers: lower is better.

        First the brokers that never failed, or have answered since, and of these the ones with an open connection. Then the
        others, by the time of their failure.
        """
        failed_at = self._failed_at.get(broker.address)
        connection = self._open.get(broker.address)
        is_open = connection is not None and connection.usable
        if failed_at is None or (connection is not None and is_open and connection.answered_at > failed_at):
            return False, not is_open, 0.0
        return True, False, failed_at

    def note_failure(self, broker: Broker) -> None:
        """Notes a failure of the broker: others are asked first until it answers again."""
        self._failed_at[broker.address] = time.monotonic()

    def note_timeout(self, broker: Broker) -> None:
        """Notes that the broker has not answered by a deadline, and replaces a connection that has been silent for long.

        Brokers answer the requests of a connection in order, so later requests would wait too.
        """
        self.note_failure(broker)
        connection = self._open.get(broker.address)
        if connection is not None and connection.silent_for >= _SILENT:
            self._retire(broker.address, connection)

    async def get(self, broker: Broker, progress: Progress) -> Connection:
        """A connection to the broker that is ready for use. Raises what ``connecting.connect`` raises.

        Callers at the same time share one attempt, which continues if one of them is cancelled.
        """
        self.check_usable()
        address = broker.address
        connection = self._open.get(address)
        if connection is not None:
            if connection.usable:
                if broker.id >= 0:
                    connection.broker = broker  # Before, it was a bootstrap address.
                return connection
            self._retire(address, connection)
        opening = self._opening.get(address)
        if opening is None:
            opening = self._opening[address] = _Opening(broker, self._config, self._tls(), self._refusals.get(address))
            opening.task.add_done_callback(lambda task: self._opened(address, task))
        progress.stage = lambda: opening.stage
        try:
            return await asyncio.shield(opening.task)
        except asyncio.CancelledError:
            me = asyncio.current_task()
            if me is not None and me.cancelling():
                raise
            # The attempt was cancelled, which only ``close`` does.
            raise self.closed_error() from None

    def check_usable(self) -> None:
        """Raises ``ClientClosedError`` after ``close``, and ``ClientUsageError`` in another event loop than the first."""
        if self._closed:
            raise self.closed_error()
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop
        elif self._loop is not loop:
            which = "a closed" if self._loop.is_closed() else "another"
            raise ClientUsageError(
                f"the client belongs to {which} event loop, in which it was first used: use and close it there, and make "
                "another client for this event loop (each asyncio.run makes a new one)"
            )

    @staticmethod
    def closed_error() -> ClientClosedError:
        """The error of calls on a closed client."""
        return ClientClosedError("the client is closed")

    async def close(self) -> None:
        """Closes all sockets and waits for it. Pending requests raise ``ClientClosedError``."""
        if self._closed and self._loop is not asyncio.get_running_loop():
            return
        if not self._closed:
            self.check_usable()
        self._closed = True
        tasks = [opening.task for opening in self._opening.values()]
        for task in tasks:
            task.cancel()
        # After this, an attempt that has just succeeded is among the open connections.
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
        # Reading the exception also keeps asyncio from logging it if all callers are gone.
        problem = task.exception()
        if problem is not None:
            count = self._refusals[address].count if address in self._refusals else 0
            self._refusals[address] = _Refusals(count + 1, time.monotonic(), str(problem))
        else:
            connection = self._open[address] = task.result()
            self._failed_at.pop(address, None)
            self._refusals.pop(address, None)
            connection.lost.add_done_callback(lambda _: self._forget(address, connection))

    def _forget(self, address: str, connection: Connection) -> None:
        self._retired.discard(connection)
        if self._open.get(address) is connection:
            del self._open[address]

    def _retire(self, address: str, connection: Connection) -> None:
        """Keeps a connection for its pending requests only."""
        del self._open[address]
        self._retired.add(connection)
        connection.retire()


@dataclass(frozen=True, slots=True)
class _Refusals:
    """How often in a row connecting has failed, and when and why the last time."""

    count: int
    at: float
    reason: str

    def wait(self, config: ClientConfig) -> float:
        """Seconds until the next attempt: exponential, as Kafka's ``reconnect.backoff.ms``."""
        longest = max(config.reconnect_backoff, config.reconnect_backoff_max)
        # The limit keeps the power within the range of float.
        backoff = min(config.reconnect_backoff * 2.0 ** min(self.count - 1, 60), longest)
        return self.at + jittered(backoff) - time.monotonic()


class _Opening:
    """A connection that is being made, and what it is waiting for."""

    def __init__(
        self, broker: Broker, config: ClientConfig, context: ssl.SSLContext | None, refusals: _Refusals | None
    ) -> None:
        self.stage = f"connecting to {broker}"
        work = self._open(broker, config, context, refusals)
        self.task = asyncio.create_task(work, name=f"connect to {broker.address}")

    async def _open(
        self, broker: Broker, config: ClientConfig, context: ssl.SSLContext | None, refusals: _Refusals | None
    ) -> Connection:
        if refusals is not None and (wait := refusals.wait(config)) > 0:
            self.stage = f"waiting to reconnect to {broker} after an error ({refusals.reason})"
            await asyncio.sleep(wait)
        return await connect(broker, config, context, self._set_stage)

    def _set_stage(self, stage: str) -> None:
        self.stage = stage
