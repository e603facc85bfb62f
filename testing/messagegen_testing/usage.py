"""Counts the uses of a rule, and signals its end."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from functools import partial


class Usage:
    """Counts the events of one rule. Several threads may use it.

    ``take`` reserves a use. The fault then calls ``note``, or ``give_back`` if it found nothing to change.
    """

    def __init__(self, *, after: int, times: int | None, probability: float, seed: int) -> None:
        self._after = after
        self._times = times
        self._probability = probability
        self._draws = random.Random(seed)  # noqa: S311 - a repeatable draw, no secret
        self._matched = 0
        self._taken = 0
        self._used = 0
        self._has_ended = False
        self._wakers: set[Callable[[], object]] = set()
        self._changed = threading.Condition()

    @property
    def used(self) -> int:
        """The number of events that the fault was applied to."""
        with self._changed:
            return self._used

    def take(self) -> bool:
        """Count an event that the selectors match, and return whether the fault applies to it."""
        with self._changed:
            if self._has_ended:
                return False
            self._matched += 1
            if self._matched <= self._after or self._taken == self._times:
                return False
            if self._draws.random() >= self._probability:
                return False
            self._taken += 1
            return True

    def note(self) -> None:
        """Count a use."""
        with self._changed:
            self._used += 1
            self._changed.notify_all()

    def give_back(self) -> None:
        """Undo ``take``, because the fault found nothing to change."""
        with self._changed:
            self._taken -= 1

    def wait(self, count: int, timeout: float) -> bool:
        """Wait for ``count`` uses, and return whether they happened within ``timeout`` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._used >= count, timeout)

    def end(self) -> None:
        """Apply the fault to no further event, and wake all callers of ``until_ended``."""
        with self._changed:
            self._has_ended = True
            for wake in self._wakers:
                wake()
            self._wakers.clear()

    async def until_ended(self) -> None:
        """Return once the rule has ended."""
        ended = asyncio.Event()
        wake = partial(asyncio.get_running_loop().call_soon_threadsafe, ended.set)
        with self._changed:
            if self._has_ended:
                return
            self._wakers.add(wake)
        try:
            await ended.wait()
        finally:
            with self._changed:
                self._wakers.discard(wake)
