"""One deadline for a whole call, for connecting and for each attempt."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Self, TypeAlias

from messagegen_client.errors import KafkaError, KafkaTimeoutError


@dataclass(slots=True)
class Progress:
    """The progress of a call, for the error when it times out."""

    stage: Callable[[], str] | None = None
    """Returns what the call is waiting for."""
    last_error: KafkaError | None = None
    """Why the last attempt failed."""
    outcome_unknown: bool = False
    """Whether a broker may have received a request that changes something."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time at which a call ends; several calls may share one. ``seconds`` is the whole timeout."""

    moment: float
    """On the clock of ``time.monotonic``."""
    seconds: float

    @classmethod
    def after(cls, seconds: float) -> Self:
        """The deadline that many seconds from now. Raises ``ValueError`` unless that is a positive number."""
        if not seconds > 0:
            raise ValueError(f"a timeout must be a positive number of seconds, not {seconds!r}")
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
        """Ends the body with ``KafkaTimeoutError`` when the deadline passes; ``doing`` names what took too long.

        An error of the body, also a ``TimeoutError``, is raised unchanged.
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
        message = f"{doing}: timed out after {self.seconds:g} s"
        if progress.stage is not None:
            message += f" while {progress.stage()}"
        if progress.last_error is not None:
            message += f"; last error: {progress.last_error}"
        return KafkaTimeoutError(message, outcome_unknown=progress.outcome_unknown)


Timeout: TypeAlias = float | Deadline | None
"""Seconds for a whole call; a deadline that several calls share; ``None`` for the config's ``api_timeout``."""
