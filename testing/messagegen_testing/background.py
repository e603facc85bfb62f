"""An event loop in a thread of its own, so that tests of any kind of client can use it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

Connected = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]
"""Serves a connection of a client."""


class BackgroundLoop:
    """An event loop that runs in a thread until ``stop``, with its listeners and their connections."""

    def __init__(self, name: str) -> None:
        """``name`` is that of the thread. The loop runs from now on."""
        self._loop = asyncio.new_event_loop()
        self._servers: list[asyncio.Server] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._serving: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine in the loop, and waits for its result. It is called by other threads."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def listen(self, host: str, connected: Connected) -> int:
        """Listens on a free port of an address, and returns it. It is called in the loop.

        The port takes connections at once, and they are served soon after. A connection is closed when the coroutine
        that serves it has ended.
        """
        listener = socket.create_server((host, 0))
        port: int = listener.getsockname()[1]
        task = self._loop.create_task(self._start_server(listener, connected))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)
        return port

    def stop(self) -> None:
        """Ends all connections and the thread."""
        self.run(self._end_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start_server(self, listener: socket.socket, connected: Connected) -> None:
        def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = self._loop.create_task(connected(reader, writer))
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
            # A ``finally`` in the coroutine is not enough: a task that is cancelled before its first step has none.
            task.add_done_callback(lambda _: writer.transport.abort())

        self._servers.append(await asyncio.start_server(begin, sock=listener))

    async def _end_all(self) -> None:
        """Cancels what serves connections, waits for all tasks, and closes the listeners.

        Tasks of asyncio that take a connection are not cancelled, because they would not close it, and find their
        server open. When no task is left, nothing can come between that and the end of the listeners.
        """
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in self._serving:
                task.cancel()
            await asyncio.wait(others, return_when=asyncio.FIRST_COMPLETED)
        for server in self._servers:
            server.close()
