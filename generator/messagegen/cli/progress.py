"""The progress of slow work on standard error, with the durations of its steps at the end.

A run of less than a second prints no progress. On a terminal, progress is one line that is erased; elsewhere, such as
in the log of CI, each step is a line.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Final, Self

import click

from messagegen.console import progress
from messagegen.progress import told_to

_MOST_STEPS: Final = 4
"""The maximum number of steps in the summary, which contains the longest steps."""


@contextmanager
def shown_progress() -> Generator[None]:
    """Show the steps of a ``with`` block, unless ``MESSAGEGEN_PROGRESS`` is 0."""
    if not progress.is_on():
        yield
        return
    with Progress() as listener, told_to(listener):
        yield


class Progress:
    """A listener of progress, for one run of a command, as a ``with`` block."""

    def __init__(self, patience: float = progress.PATIENCE) -> None:
        self._patience = patience
        self._running: list[tuple[str, str]] = []
        self._seconds: dict[str, float] = {}
        """The seconds of each step by its text, without the steps in it."""
        self._started = 0.0
        self._changed = 0.0
        """The time when the last step began or ended."""
        self._shown = False
        """Whether ``patience`` seconds are over, so that progress is shown."""
        self._logged: set[str] = set()
        self._timer: threading.Timer | None = None
        # The timer runs in a thread of its own.
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            succeeded = kind is None or kind is click.exceptions.Exit
            # If all steps ended before progress was shown, they were fast and need no summary.
            is_slow = self._shown and self._changed - self._started >= self._patience
            if succeeded and is_slow:
                progress.show_line(self._summary())

    def begin(self, text: str, item: str) -> None:
        """Begin a step."""
        with self._lock:
            if self._timer is None:
                self._start()
            self._count_time()
            self._running.append((text, item))
            self._show()

    def end(self) -> None:
        """Finish the current step."""
        with self._lock:
            self._count_time()
            self._running.pop()
            self._show()

    def _start(self) -> None:
        """Start a timer thread that shows progress after ``patience`` seconds. Without threads, never show it."""
        self._started = self._changed = time.monotonic()
        self._timer = threading.Timer(self._patience, self._lose_patience)
        self._timer.daemon = True
        if self._patience <= 0:
            self._shown = True
            return
        with suppress(RuntimeError):  # Containers may limit threads; WebAssembly has none.
            self._timer.start()

    def _lose_patience(self) -> None:
        with self._lock:
            self._shown = True
            self._show()

    def _count_time(self) -> None:
        """Add the time since the last change to the innermost step."""
        now = time.monotonic()
        if self._running:
            text = self._running[-1][0]
            self._seconds[text] = self._seconds.get(text, 0.0) + now - self._changed
        self._changed = now

    def _show(self) -> None:
        """Show the innermost step. If standard error is not a terminal, print each step once, not each item."""
        if not self._shown:
            return
        text, item = self._running[-1] if self._running else ("", "")
        if progress.is_terminal():
            progress.show_now(f"{text} {item}".strip())
        elif text and text not in self._logged:
            self._logged.add(text)
            progress.show_line(text)

    def _summary(self) -> str:
        """Return the summary, such as ``Took 4.2 s: Checking specs 1.1 s, Rendering files 2.8 s``."""
        longest = sorted(self._seconds, key=self._seconds.__getitem__, reverse=True)[:_MOST_STEPS]
        steps = [f"{text} {self._seconds[text]:.1f} s" for text in self._seconds if text in longest]
        return f"Took {self._changed - self._started:.1f} s: {', '.join(steps)}"
