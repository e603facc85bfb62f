"""Tables, with colours only on terminals, and long names folded on narrow ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import RenderableType

_WIDE: Final = 10_000
"""The width if the output is not a terminal, so that lines are not broken."""
_NARROWEST: Final = 16


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its name, aligned right unless ``left``."""

    name: str
    left: bool = False


def table_text(title: str, columns: Sequence[Column], rows: Sequence[Sequence[RenderableType]]) -> str:
    """A table with a title. The first column is folded if the terminal is too narrow."""
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
