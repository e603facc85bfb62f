"""Pauses between attempts: exponential with a limit and jitter, as in Kafka's clients (KIP-580)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Final

from messagegen_client.net.deadlines import Deadline

_JITTER: Final = 0.2
_SHORTEST: Final = 0.05
"""Seconds. With less time left there is no further attempt; half the first pause, if that is shorter."""


def pauses(first: float, highest: float) -> Iterator[float]:
    """Seconds to wait before each attempt, without end.

    Each pause is twice the last one, up to ``highest``, with a jitter of 20 %, so that clients that fail at the same time do
    not retry at the same time.
    """
    pause = first
    while True:
        yield jittered(min(pause, highest))
        pause = min(pause * 2, highest)


def jittered(seconds: float) -> float:
    """The seconds with a jitter of 20 %."""
    return seconds * random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 - not for secrets


class Backoff:
    """The pauses of one call.

    A pause takes at most half of the remaining time, so that there are attempts shortly before the deadline.
    """

    def __init__(self, first: float, highest: float, deadline: Deadline) -> None:
        self._pauses = pauses(first, highest)
        self._shortest = min(first / 2, _SHORTEST)
        self._deadline = deadline

    def next(self) -> float | None:
        """Seconds to wait before the next attempt; ``None`` if there is no time for it."""
        left = self._deadline.remaining()
        return None if left <= self._shortest else min(next(self._pauses), left / 2)

    async def pause(self) -> bool:
        """Waits before the next attempt. Returns ``False`` at once if there is no time for it."""
        seconds = self.next()
        if seconds is None:
            return False
        await asyncio.sleep(seconds)
        return True
