"""Shows the progress of slow work on standard error: in one line that goes away, or where it is no terminal in lines."""

from __future__ import annotations

import shutil
import sys
from typing import Final

import click

from messagegen.findings import printable

_ERASE_LINE: Final = "\r\x1b[K"
"""Back to the start of the line, and erase it (ECMA-48)."""


class Progress:
    """A listener of progress, for one run of a command."""

    def __init__(self) -> None:
        self._written: set[str] = set()

    def __call__(self, text: str, item: str) -> None:
        """Shows a step. Where standard error is not a terminal, a step with many items is one line; a shell may have closed it."""
        if sys.stderr is not None and sys.stderr.isatty():
            # A line that is wrapped could not be erased.
            width = shutil.get_terminal_size().columns - 1
            shown = printable(f"{text} {item}".strip())[:width]
            click.echo(f"{_ERASE_LINE}{shown}", nl=False, err=True)
        elif text and text not in self._written:
            self._written.add(text)
            click.echo(printable(text), err=True)
