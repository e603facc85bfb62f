"""The counts of a history, which are updated while it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int], None]
"""A function that is called with the number of rows in each batch that was read from a log."""


@dataclass(slots=True)
class HistoryCounts:
    """The counts of a history that was read."""

    rows: int = 0
    """The number of records in the history's topics."""
    malformed: int = 0
    """The number of records that could not be read."""

    def clear(self) -> None:
        """Reset the counts to 0."""
        self.rows = self.malformed = 0
