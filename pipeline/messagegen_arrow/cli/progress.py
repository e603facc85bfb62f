"""Shows how many rows a command has read, on standard error, if it reads for more than a second.

On a terminal, progress is one line that goes away. Elsewhere, such as in a log, it is a line each minute. The last line
contains the number of rows and the seconds.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from messagegen_arrow.console import progress

if TYPE_CHECKING:
    import pyarrow as pa

_EACH_ON_TERMINAL: Final = 0.2
"""The number of seconds between two changes of the line."""
_EACH_IN_LOG: Final = 60.0
"""The number of seconds between two lines."""


class RowProgress:
    """A counter of rows that shows progress, for a ``with`` block.

    ``prints_rows`` is whether the command also prints rows to standard output.
    """

    def __init__(self, *, prints_rows: bool = False, patience: float = progress.PATIENCE) -> None:
        self._on = progress.is_on()
        self._terminal = progress.is_terminal()
        if self._terminal and prints_rows and not _writes_a_file():
            # Rows go to the same terminal, or to a program that shows them there, such as a pager.
            self._on = False
        self._patience = patience
        self._rows = 0
        self._started = time.monotonic()
        self._next = self._started + patience
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown and self._terminal:
            progress.show_now("")
        seconds = time.monotonic() - self._started
        if self._on and kind is None and seconds >= self._patience:
            progress.show_line(f"Rows read: {self._rows:,} in {seconds:.1f} s")

    def counted(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the batches, and count their rows."""
        for batch in batches:
            self.add(batch.num_rows)
            yield batch

    def add(self, rows: int) -> None:
        """Count rows that were read."""
        self._rows += rows
        if self._on and time.monotonic() >= self._next:
            self._show()

    def _show(self) -> None:
        now = time.monotonic()
        text = f"Rows read so far: {self._rows:,} in {now - self._started:.0f} s"
        if self._terminal:
            progress.show_now(text)
        else:
            progress.show_line(text)
        self._shown = True
        self._next = now + (_EACH_ON_TERMINAL if self._terminal else _EACH_IN_LOG)


def _writes_a_file() -> bool:
    """Whether standard output is a file."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (AttributeError, OSError, ValueError):
        return False
