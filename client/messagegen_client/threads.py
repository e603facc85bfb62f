"""Runs an event loop in a thread, for blocking calls."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, TypeAlias, TypeVar

from messagegen_client.errors import ClientClosedError, ClientUsageError, KafkaError, used_after_fork

T = TypeVar("T")

_CLOSED: Final = "the client is closed"
_Running: TypeAlias = tuple[asyncio.AbstractEventLoop, asyncio.Event]
"""A loop, and the event that stops it."""


class DaemonExecutor(ThreadPoolExecutor):
    """Runs each function in a daemon thread, so that exiting does not wait for a name server or a Kerberos server."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a function, for asyncio."""
        answer: Future[T] = Future()
        answer.set_running_or_notify_cancel()  # From now on it can't be cancelled.

        def work() -> None:
            try:
                answer.set_result(fn(*args, **kwargs))
            except BaseException as problem:  # noqa: BLE001 - passed on to the caller
                answer.set_exception(problem)

        threading.Thread(target=work, daemon=True).start()
        return answer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT002 - as in the base
        """Return immediately, without waiting for threads."""


class LoopThread:
    """Runs coroutines within ``async with resource``, in a thread that ends with ``close``.

    The thread is a daemon. It also ends when this object is garbage-collected or the interpreter exits. Several threads
    may call ``run`` at the same time. After ``fork`` it can't be used in the child process, because threads are not
    copied.
    """

    def __init__(self, resource: AbstractAsyncContextManager[object]) -> None:
        self._process = os.getpid()
        self._submitting = threading.Lock()
        started: Future[_Running] = Future()
        self._thread = threading.Thread(target=_serve, args=(resource, started), name="messagegen-client", daemon=True)
        self._thread.start()
        # Neither the thread nor the finalizer may refer to this object, or it would never be collected.
        self._loop, stop = started.result()
        self._stop = weakref.finalize(self, _in_process, self._process, self._loop.call_soon_threadsafe, stop.set)

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called, or this is a child process, where there is nothing to close."""
        return os.getpid() != self._process or not self._stop.alive

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run ``work`` and return its result. An interrupt (Ctrl-C) cancels it.

        Raises ``ClientClosedError`` after ``close``, and ``ClientUsageError`` in a child process and in the loop's
        thread.
        """
        try:
            if os.getpid() != self._process:
                # Checked before the lock is taken, because another thread may have held it during the fork.
                raise used_after_fork()
            if threading.current_thread() is self._thread:
                raise ClientUsageError(
                    "a blocking call in the client's own event loop would wait for itself; call it from another thread"
                )
            return self._answer(work)
        except KafkaError:
            work.close()  # Does nothing if the error came from the work itself.
            raise
        except CancelledError:
            raise ClientClosedError(_CLOSED) from None

    def _check_open(self) -> None:
        if self.closed:
            raise ClientClosedError(_CLOSED)

    def _answer(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            with self._submitting:
                # Work that is submitted under the lock reaches the loop before the stop event, so it is run or
                # cancelled.
                self._check_open()
                answer = asyncio.run_coroutine_threadsafe(work, self._loop)
            return answer.result()
        except (KafkaError, CancelledError):
            raise
        except BaseException:
            # An interrupt may come before ``answer`` is assigned, so the task is found by its coroutine.
            with self._submitting:
                if not self.closed:
                    self._loop.call_soon_threadsafe(_cancel, work)
            raise

    def close(self) -> None:
        """Close the resource and end the thread. Calls in progress raise an error. May be called twice.

        Does nothing in a child process, because the connections belong to the parent.
        """
        if os.getpid() != self._process:
            return
        with self._submitting:
            self._stop()
        if threading.current_thread() is not self._thread:
            self._thread.join()


def _serve(resource: AbstractAsyncContextManager[object], started: Future[_Running]) -> None:
    async def serve() -> None:
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        loop.set_default_executor(DaemonExecutor())
        async with resource:
            started.set_result((loop, stop))
            await stop.wait()

    try:
        asyncio.run(serve())
    except BaseException as problem:
        if started.done():
            raise
        started.set_exception(problem)


def _cancel(work: Coroutine[Any, Any, object]) -> None:
    for task in asyncio.all_tasks():
        if task.get_coro() is work:
            task.cancel()


def _in_process(process: int, call: Callable[..., object], *arguments: object) -> None:
    """Make the call, except in a child process, which shares the pipe that wakes the parent's loop."""
    if os.getpid() == process:
        call(*arguments)
