"""An event loop in a thread of its own, so that it works in tests of blocking and of asynchronous clients."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine
from ssl import SSLContext
from typing import Any, TypeVar

T = TypeVar("T")

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Accepted:
    """An accepted client connection: at first only a socket, after ``open`` also streams."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket: socket.socket | None = connection
        self._writer: asyncio.StreamWriter | None = None

    async def open(self, ssl: SSLContext | None) -> Streams:
        """Start reading, after a TLS handshake if there is a context. Raises ``OSError``."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        assert self._socket is not None
        # From now on, the transport closes the socket, even if the handshake fails.
        connection, self._socket = self._socket, None
        transport, _ = await loop.connect_accepted_socket(lambda: protocol, connection, ssl=ssl)
        self._writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        return reader, self._writer

    def abort(self) -> None:
        """Close the connection immediately."""
        if self._socket is not None:
            self._socket.close()
        if self._writer is not None:
            self._writer.transport.abort()


Connected = Callable[[Accepted], Coroutine[Any, Any, None]]
"""A coroutine function that serves one client connection."""


class BackgroundLoop:
    """An event loop that runs in a thread until ``stop``, with its listeners and their connections."""

    def __init__(self, name: str) -> None:
        """Start the loop in a thread called ``name``."""
        # Listeners need `add_reader`. Only this kind of loop has it on all platforms.
        self._loop = asyncio.SelectorEventLoop()
        self._listeners: list[socket.socket] = []
        self._serving: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the loop, and return its result. Call it from other threads."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def listen(self, host: str, connected: Connected) -> int:
        """Listen on a free port of ``host``, and return the port. Call it in the loop.

        A connection is closed when the coroutine that serves it has ended.
        """
        listener = socket.create_server((host, 0))
        listener.settimeout(0)
        self._listeners.append(listener)
        self._loop.add_reader(listener, self._accept, listener, connected)
        port: int = listener.getsockname()[1]
        return port

    def stop(self) -> None:
        """End all connections and the thread."""
        self.run(self._end_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _accept(self, listener: socket.socket, connected: Connected) -> None:
        try:
            connection, _ = listener.accept()
        except OSError:
            return  # The client has already hung up.
        connection.settimeout(0)
        accepted = Accepted(connection)
        task = self._loop.create_task(connected(accepted))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        # A ``finally`` in the coroutine is not enough: it does not run if the task is cancelled before its first step.
        task.add_done_callback(lambda _: accepted.abort())

    async def _end_all(self) -> None:
        """Close the listeners, cancel the tasks that serve connections, and wait for all tasks."""
        for listener in self._listeners:
            self._loop.remove_reader(listener)
            listener.close()
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in self._serving:
                task.cancel()
            await asyncio.wait(others, return_when=asyncio.FIRST_COMPLETED)
