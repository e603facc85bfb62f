"""How benchmarks talk to people: tables on standard output, progress on standard error."""

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
"""Columns that the widest table needs; files and pipes get them, terminals have the width they have."""


def console(width: int | None = None) -> Console:
    """The console for results; ``width`` counts where it is no terminal."""
    made = Console()
    return made if made.is_terminal else Console(width=width or _WIDTH)


@contextmanager
def progress_lines() -> Iterator[Progress]:
    """Says on standard error what is being measured: a line on terminals, else a line each."""
    errors = Console(stderr=True)
    if not errors.is_terminal:
        yield lambda text: errors.print(text, highlight=False)
        return
    with errors.status("") as status:
        yield status.update
