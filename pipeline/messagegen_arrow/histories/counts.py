"""What is counted while a history is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int], None]
"""Is called with the number of rows of each batch of a log that was read."""


@dataclass(slots=True)
class HistoryCounts:
    """The counts of a history that was read."""

    rows: int = 0
    """Records of its topics."""
    malformed: int = 0
    """Those that could not be read."""

    def clear(self) -> None:
        """Begins again."""
        self.rows = self.malformed = 0
