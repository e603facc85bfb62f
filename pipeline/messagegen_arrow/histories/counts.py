"""The counts of a history while it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int], None]
"""A function that is called with the number of rows of each batch that was read from a log."""


@dataclass(slots=True)
class HistoryCounts:
    """The counts of a history that was read."""

    rows: int = 0
    """Records of its topics."""
    malformed: int = 0
    """The records that could not be read."""

    def clear(self) -> None:
        """Reset the counts to 0."""
        self.rows = self.malformed = 0
