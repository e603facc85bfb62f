"""Tables of text, for terminals and pages."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """The cells of a row."""

    cells: tuple[str, ...]
    is_change: bool = False
    """Whether the row is highlighted, because a change is recommended."""


class Table(NamedTuple):
    """Columns of text on the left, columns of numbers on the right."""

    texts: tuple[str, ...]
    numbers: tuple[str, ...]
    rows: tuple[Row, ...]


def number(value: float | None, digits: int = 0) -> str:
    """A number with commas between thousands; an empty text for ``None``."""
    return "" if value is None else f"{value:,.{digits}f}"
