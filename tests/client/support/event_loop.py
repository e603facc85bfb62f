"""A decorator that runs coroutine tests, and checks for leftover tasks and unhandled errors."""

from __future__ import annotations

import asyncio
import functools
import gc
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

P = ParamSpec("P")

GUARD_SECONDS = 30
"""The maximum time of a test, in seconds, so that a test that hangs fails instead."""


def in_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Return a test that runs a coroutine.

    It fails for leftover tasks, and for errors that the test does not handle.
    """

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        unheard: list[dict[str, Any]] = []

        async def guarded() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, context: unheard.append(context))
            async with asyncio.timeout(GUARD_SECONDS):
                await test(*args, **kwargs)
            left = asyncio.all_tasks() - {asyncio.current_task()}
            assert not left, f"tasks are left over: {left}"

        asyncio.run(guarded())
        # Leftovers of the test are young objects. Collecting all objects in the process would take longer than most
        # tests.
        gc.collect(1)
        assert not unheard

    return run
