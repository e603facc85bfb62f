"""An event loop in a thread of its own, for callers that block."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, NamedTuple, TypeVar

from messagegen_client.errors import ClientClosedError, ClientUsageError

T = TypeVar("T")

_CLOSED: Final = "the client is closed"


class _Running(NamedTuple):
    loop: asyncio.AbstractEventLoop
    stop: asyncio.Event


class LoopThread:
    """Runs coroutines for threads that wait for them, within ``async with resource``, which ends when this is closed.

    The thread is a daemon and is stopped when this object is garbage or the interpreter ends. ``run`` may be called from
    several threads at once. Only the process that made this object can use it: threads do not survive ``fork``.
    """

    def __init__(self, resource: AbstractAsyncContextManager[object]) -> None:
        self._process = os.getpid()
        started: Future[_Running] = Future()
        self._thread = threading.Thread(target=_serve, args=(resource, started), name="messagegen-client", daemon=True)
        self._thread.start()
        self._running = started.result()
        self._submitting = threading.Lock()
        # Neither the thread nor the finalizer refers to this object, or it would never be garbage.
        self._stop = weakref.finalize(self, _stop, self._running, self._process)

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called, or this is a copy in a child process, where there is nothing to close."""
        return self._forked or not self._stop.alive

    @property
    def _forked(self) -> bool:
        return os.getpid() != self._process

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What ``work`` gives, or raises; an interrupt (Ctrl-C) cancels it.

        Raises ``ClientClosedError`` after ``close``, and ``ClientUsageError`` in a child process and in the loop itself.
        """
        if self._forked:
            # Before the lock, which another thread may have held when the process was copied.
            work.close()
            raise ClientUsageError(
                "the client was made before fork, and its event loop does not run in this process: make a client here"
            )
        if threading.current_thread() is self._thread:
            work.close()
            raise ClientUsageError("a blocking call inside the client's own event loop would wait for itself")
        with self._submitting:
            # What is submitted under the lock comes before the stop, so it is run or cancelled, and never forgotten.
            if self.closed:
                work.close()
                raise ClientClosedError(_CLOSED)
            future = asyncio.run_coroutine_threadsafe(work, self._running.loop)
        try:
            return future.result()
        except CancelledError:
            raise ClientClosedError(_CLOSED) from None
        finally:
            future.cancel()

    def close(self) -> None:
        """Closes the resource and ends the thread; calls under way end with an error. Closing twice does no harm.

        In a child process this does nothing: connections and thread belong to the parent.
        """
        if self._forked:
            return
        with self._submitting:
            self._stop()
        if threading.current_thread() is not self._thread:
            self._thread.join()


def _serve(resource: AbstractAsyncContextManager[object], started: Future[_Running]) -> None:
    async def serve() -> None:
        stop = asyncio.Event()
        async with resource:
            started.set_result(_Running(asyncio.get_running_loop(), stop))
            await stop.wait()

    try:
        asyncio.run(serve())
    except BaseException as problem:
        if started.done():
            raise
        started.set_exception(problem)


def _stop(running: _Running, process: int) -> None:
    if os.getpid() != process:
        return  # The pipe that wakes the loop is shared with the parent.
    running.loop.call_soon_threadsafe(running.stop.set)
