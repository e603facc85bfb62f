"""Pauses between attempts: exponential, capped, with jitter, as in Kafka's own clients (KIP-580)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Final

from messagegen_client.net.deadlines import Deadline

_JITTER: Final = 0.2
_SHORTEST: Final = 0.05
"""With so little time left (seconds), another attempt would only be cut off; a shorter first pause makes it less."""


def pauses(first: float, highest: float) -> Iterator[float]:
    """Seconds to wait before each new attempt, without end.

    Each is twice the one before, up to ``highest``, and off by up to a fifth, so that clients that failed
    together do not come back together.
    """
    pause = first
    while True:
        yield jittered(min(pause, highest))
        pause = min(pause * 2, highest)


def jittered(seconds: float) -> float:
    """About so many seconds: off by up to a fifth."""
    return seconds * random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 - spreads load, no secret


class Backoff:
    """The pauses of one call, made to use all the time that it has.

    A pause takes at most half of the time that is left, so that the last attempts come shortly before the deadline.
    """

    def __init__(self, first: float, highest: float, deadline: Deadline) -> None:
        self._pauses = pauses(first, highest)
        self._shortest = min(first / 2, _SHORTEST)
        self._deadline = deadline

    def next(self) -> float | None:
        """Seconds to wait before the next attempt; ``None`` where there is no time for one."""
        left = self._deadline.remaining()
        return None if left <= self._shortest else min(next(self._pauses), left / 2)

    async def pause(self) -> bool:
        """Waits before the next attempt; ``False``, at once, where there is no time for one."""
        seconds = self.next()
        if seconds is None:
            return False
        await asyncio.sleep(seconds)
        return True
