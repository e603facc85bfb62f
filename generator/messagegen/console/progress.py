"""Progress on standard error: a line that is replaced on a terminal, but separate lines elsewhere, as in CI logs."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Final

import click

from .text import printable

PATIENCE: Final = 1.0
"""The number of seconds before progress is shown."""
_SWITCH: Final = "MESSAGEGEN_PROGRESS"
_ERASE_LINE: Final = "\r\x1b[K"
"""Moves to the start of the line and erases the line (ECMA-48)."""


def is_on() -> bool:
    """Whether progress is shown: ``MESSAGEGEN_PROGRESS`` is not 0, and standard error is not closed."""
    return os.environ.get(_SWITCH) != "0" and sys.stderr is not None


def is_terminal() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def show_now(text: str) -> None:
    """Replace the terminal's current line with a text, which is cut to one line; an empty text erases the line."""
    # A line that wraps can't be erased.
    width = shutil.get_terminal_size().columns - 1
    click.echo(f"{_ERASE_LINE}{printable(text)[:width]}", nl=False, err=True)


def show_line(text: str) -> None:
    """Print a text on its own line, unless standard error is closed."""
    if sys.stderr is not None:
        click.echo(printable(text), err=True)
