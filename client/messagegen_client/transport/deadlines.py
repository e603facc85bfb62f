"""One deadline for a whole call and its attempts, and the pauses between them (KIP-580)."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

from messagegen_client.errors import KafkaError, KafkaTimeoutError

_JITTER: Final = 0.2
_SHORTEST: Final = 0.05
"""If less than this time, in seconds, or less than half the first pause is left, no further attempt is made."""


@dataclass(slots=True)
class Progress:
    """The progress of a call, for the error when it times out."""

    stage: str = ""
    """The current step of the call."""
    last_error: KafkaError | None = None
    """The error of the last attempt."""
    outcome_unknown: bool = False
    """Whether a broker may have received a request that changes something."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time at which a call times out; several calls may share it. ``seconds`` is the whole timeout."""

    moment: float
    """The time on the clock of ``time.monotonic``."""
    seconds: float

    @classmethod
    def after(cls, seconds: float) -> Self:
        """Return the deadline ``seconds`` from now. Raises ``ValueError`` unless ``seconds`` is positive."""
        if not seconds > 0:
            raise ValueError(f"a timeout must be a positive number of seconds, not {seconds!r}")
        return cls(time.monotonic() + seconds, seconds)

    def remaining(self) -> float:
        """Return the remaining seconds, never below 0."""
        return max(0.0, self.moment - time.monotonic())

    def half(self) -> Self:
        """Return an earlier deadline, after half of the remaining time."""
        left = self.remaining() / 2
        return type(self)(time.monotonic() + left, left)

    @asynccontextmanager
    async def limit(self, doing: str) -> AsyncGenerator[Progress, None]:
        """End the body with ``KafkaTimeoutError`` when the deadline passes; ``doing`` names the slow operation.

        An error of the body, even a ``TimeoutError``, is raised unchanged.
        """
        progress = Progress()
        scope = asyncio.timeout(self.remaining())
        try:
            async with scope:
                yield progress
        except TimeoutError as problem:
            if isinstance(problem, KafkaTimeoutError) or not scope.expired():
                raise
            raise self.error(doing, progress) from progress.last_error

    def error(self, doing: str, progress: Progress | None = None) -> KafkaTimeoutError:
        """Return the error to raise when the deadline has passed."""
        progress = progress or Progress()
        message = f"{doing}: timed out after {self.seconds:g} s"
        if progress.stage:
            message += f" while {progress.stage}"
        if progress.last_error is not None:
            message += f"; last error: {progress.last_error}"
        return KafkaTimeoutError(message, outcome_unknown=progress.outcome_unknown)


Timeout: TypeAlias = float | Deadline | None
"""Seconds for a whole call; a deadline that several calls share; ``None`` for the config's ``api_timeout``."""


class Backoff:
    """The pauses of one call, in seconds: each is twice the previous one, up to ``highest``, with a jitter of 20 %.

    A pause takes at most half of the remaining time, so that the last attempts are close to the deadline.
    """

    def __init__(self, first: float, highest: float, deadline: Deadline) -> None:
        self._next = first
        self._highest = highest
        self._shortest = min(first / 2, _SHORTEST)
        self._deadline = deadline

    def next(self) -> float | None:
        """Return the seconds to wait before the next attempt; ``None`` if too little time is left."""
        left = self._deadline.remaining()
        if left <= self._shortest:
            return None
        jitter = random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 - not for secrets
        pause = min(self._next, self._highest) * jitter
        self._next = min(self._next * 2, self._highest)
        return min(pause, left / 2)

    async def pause(self) -> bool:
        """Wait before the next attempt. If too little time is left, return ``False`` immediately."""
        seconds = self.next()
        if seconds is None:
            return False
        await asyncio.sleep(seconds)
        return True
