"""Tables for people: colours only on terminals, and long names folded where a terminal is narrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import RenderableType

_WIDE: Final = 10_000
"""Columns where nobody looks at a terminal: lines are not broken."""
_NARROWEST: Final = 16


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its name; numbers stand at the right."""

    name: str
    left: bool = False


def table_text(title: str, columns: Sequence[Column], rows: Sequence[Sequence[RenderableType]]) -> str:
    """A table with a title. The first column is folded where a terminal is too narrow; if it still is, that is left to it."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    first, *others = columns
    table.add_column(first.name, overflow="fold")
    for column in others:
        table.add_column(column.name, justify="left" if column.left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, width=_WIDE, height=1)
    if console.is_terminal:
        longest = max((len(str(row[0])) for row in rows), default=0)
        spare = Console().width - console.measure(table).maximum
        table.columns[0].max_width = max(longest + spare, _NARROWEST)
    with console.capture() as captured:
        console.print(Text(title, style="bold"), soft_wrap=True)
        console.print(table)
    return "".join(line.rstrip() + "\n" for line in captured.get().splitlines())
