"""Runs tests of coroutines, and looks for what they leave behind."""

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
    """Makes a test of a coroutine; it fails for tasks that are left over, and for what only the event loop hears of."""

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
        # What the test left behind is young. Collecting all that its process holds takes longer than most tests.
        gc.collect(1)
        assert not unheard

    return run
