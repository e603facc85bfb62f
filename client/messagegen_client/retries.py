"""Pauses between attempts: exponential, capped, with jitter, as in Kafka's own clients (KIP-580)."""

from __future__ import annotations

import random
from collections.abc import Iterator

_JITTER = 0.2


def pauses(first: float, highest: float) -> Iterator[float]:
    """Seconds to wait before each new attempt, without end.

    Each is twice the one before, up to ``highest``, and off by up to a fifth, so that clients that failed
    together do not come back together.
    """
    pause = first
    while True:
        yield min(pause, highest) * random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 - spreads load, no secret
        pause = min(pause * 2, highest)
