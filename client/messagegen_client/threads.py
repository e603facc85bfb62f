"""Runs an event loop in a thread, for blocking calls."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Final, NamedTuple, TypeVar

from messagegen_client.errors import ClientClosedError, ClientUsageError

T = TypeVar("T")

_CLOSED: Final = "the client is closed"


class DaemonExecutor(ThreadPoolExecutor):
    """Runs each function in a daemon thread, so that nobody waits at the end for a name server or a Kerberos server."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Called by asyncio."""
        answer: Future[T] = Future()
        answer.set_running_or_notify_cancel()  # From here it can't be cancelled.

        def work() -> None:
            try:
                answer.set_result(fn(*args, **kwargs))
            except BaseException as problem:  # noqa: BLE001 - passed on to the caller
                answer.set_exception(problem)

        threading.Thread(target=work, daemon=True).start()
        return answer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT002 - as in the base
        """Waits for nothing."""


class _Running(NamedTuple):
    loop: asyncio.AbstractEventLoop
    stop: asyncio.Event


class LoopThread:
    """Runs coroutines within ``async with resource``, in a thread that ends with ``close``.

    The thread is a daemon. It also ends when this object is garbage-collected or the interpreter exits. Several threads may
    call ``run`` at the same time. After ``fork`` it can't be used in the child process, because threads are not copied.
    """

    def __init__(self, resource: AbstractAsyncContextManager[object]) -> None:
        self._process = os.getpid()
        started: Future[_Running] = Future()
        self._thread = threading.Thread(target=_serve, args=(resource, started), name="messagegen-client", daemon=True)
        self._thread.start()
        self._running = started.result()
        self._submitting = threading.Lock()
        # Neither the thread nor the finalizer may refer to this object, or it would never be collected.
        self._stop = weakref.finalize(self, _stop, self._running, self._process)

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called, or this is a child process, where there is nothing to close."""
        return self._forked or not self._stop.alive

    @property
    def _forked(self) -> bool:
        return os.getpid() != self._process

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of ``work``. An interrupt (Ctrl-C) cancels it.

        Raises ``ClientClosedError`` after ``close``, and ``ClientUsageError`` in a child process and in the loop's thread.
        """
        if self._forked:
            # Before the lock, which another thread may have held during fork.
            work.close()
            raise ClientUsageError(
                "the client was made before fork and does not work in this process; make another client here"
            )
        if threading.current_thread() is self._thread:
            work.close()
            raise ClientUsageError("a blocking call in the event loop of the client would wait for itself")
        # Made before the work is submitted, because an interrupt may come before the result of submitting it is known.
        interrupted: Future[None] = Future()
        try:
            return self._submit(work, interrupted).result()
        except CancelledError:
            raise ClientClosedError(_CLOSED) from None
        except BaseException:
            interrupted.set_result(None)
            raise

    def _submit(self, work: Coroutine[Any, Any, T], interrupted: Future[None]) -> Future[T]:
        with self._submitting:
            # Work that is submitted under the lock comes before the stop, so it is run or cancelled.
            if self.closed:
                work.close()
                raise ClientClosedError(_CLOSED)
            return asyncio.run_coroutine_threadsafe(_unless(interrupted, work), self._running.loop)

    def close(self) -> None:
        """Closes the resource and ends the thread. Calls in progress raise an error. May be called twice.

        Does nothing in a child process, because the connections belong to the parent.
        """
        if self._forked:
            return
        with self._submitting:
            self._stop()
        if threading.current_thread() is not self._thread:
            self._thread.join()


async def _unless(interrupted: Future[None], work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work``, which is cancelled as soon as ``interrupted`` is done."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)

    def cancel(_: Future[None]) -> None:
        with suppress(RuntimeError):  # The loop is closed.
            loop.call_soon_threadsafe(task.cancel)

    interrupted.add_done_callback(cancel)
    return await task


def _serve(resource: AbstractAsyncContextManager[object], started: Future[_Running]) -> None:
    async def serve() -> None:
        asyncio.get_running_loop().set_default_executor(DaemonExecutor())
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
        return  # The parent shares the pipe that wakes the loop.
    running.loop.call_soon_threadsafe(running.stop.set)
