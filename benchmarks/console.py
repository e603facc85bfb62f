"""Prints tables to standard output, and progress to standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from rich.console import Console

Progress = Callable[[str], None]

FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_WIDTH: Final = 140
"""The width of the widest table, for files and pipes."""


def console(width: int | None = None) -> Console:
    """Return the console for results; ``width`` applies to files and pipes."""
    made = Console()
    return made if made.is_terminal else Console(width=width or _WIDTH)


@contextmanager
def progress_lines() -> Iterator[Progress]:
    """Yield a function that prints progress to standard error: in place on terminals, otherwise in separate lines."""
    errors = Console(stderr=True)
    if not errors.is_terminal:
        yield lambda text: errors.print(text, highlight=False)
        return
    with errors.status("") as status:
        yield status.update
