"""One deadline for a whole call, whatever connects, asks and asks again within it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Self

from messagegen_client.errors import KafkaError, KafkaTimeoutError


@dataclass(slots=True)
class Progress:
    """How far a call has come; the body of ``Deadline.limit`` keeps it, and the error of a time-out tells it."""

    stage: Callable[[], str] | None = None
    """Says what is being waited for."""
    last_error: KafkaError | None = None
    """Why it was tried again, where it was."""
    outcome_unknown: bool = False
    """Whether a request that changes something may have reached a broker."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment until which a call may last; ``seconds`` is how long that was when it began."""

    moment: float
    """On the clock of ``time.monotonic``."""
    seconds: float

    @classmethod
    def after(cls, seconds: float) -> Self:
        """The deadline that many seconds from now; raises ``ValueError`` unless that is a positive number."""
        if not seconds > 0:
            raise ValueError(f"a timeout is a positive number of seconds, not {seconds!r}")
        return cls(time.monotonic() + seconds, seconds)

    def remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self.moment - time.monotonic())

    @property
    def expired(self) -> bool:
        """Whether no time is left."""
        return self.remaining() == 0.0

    @asynccontextmanager
    async def limit(self, doing: str) -> AsyncGenerator[Progress, None]:
        """Ends the body with ``KafkaTimeoutError`` when the deadline passes; ``doing`` says what took too long.

        An error of the body, a ``TimeoutError`` of its own included, passes through as it is.
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
        """The error to raise when the deadline has passed."""
        progress = progress or Progress()
        message = f"{doing}: not done within {self.seconds:g} s"
        if progress.stage is not None:
            message += f", while {progress.stage()}"
        if progress.last_error is not None:
            message += f"; what went wrong before: {progress.last_error}"
        return KafkaTimeoutError(message, outcome_unknown=progress.outcome_unknown)
