"""A decorator that runs tests of coroutines, and checks for leftover tasks and unheard errors."""

from __future__ import annotations

import asyncio
import functools
import gc
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

P = ParamSpec("P")

GUARD_SECONDS = 30
"""No test takes that long: a test that would hang fails instead."""


def in_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Return a test that runs a coroutine; it fails for leftover tasks, and for errors that no test code receives."""

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
        # Leftovers of the test are young objects. Collecting all objects of the process takes longer than most tests.
        gc.collect(1)
        assert not unheard

    return run
