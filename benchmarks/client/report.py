"""Results as tables, for terminals and, as ``markdown``, for documents."""

from __future__ import annotations

from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.client.names import OFFSETS, QUOTAS
from benchmarks.measures import Measure, Measures
from benchmarks.report import new_table, number, show_table

_TITLES: Final = {QUOTAS: "quotas of users", OFFSETS: "offsets by time"}


def show(found: Measures, console: Console, *, markdown: bool = False) -> None:
    """Prints everything that was measured; seconds of those who did fewer are also scaled to all."""
    console.print(" | ".join(found.machine.values()), highlight=False)
    console.print(", ".join(f"{name} {version}" for name, version in found.versions.items()), highlight=False)
    console.print(f"best (median) of {found.rounds} rounds", highlight=False)
    for part, title in _TITLES.items():
        if measures := found.of(part):
            table = _seconds(measures)
            table.box = box.MARKDOWN if markdown else box.SIMPLE_HEAD
            show_table(f"{title}: seconds for {_most(measures):,}", table, console)


def _seconds(measures: list[Measure]) -> Table:
    table = new_table(["what", "contestant"], ["done for", "best, s", "median, s", "scaled to all, s"])
    for each in measures:
        scaled = each.best * _most(measures) / each.amount
        table.add_row(each.data, each.contestant, f"{each.amount:,}", *map(_text, (each.best, each.median, scaled)))
    return table


def _text(seconds: float) -> str:
    """Milliseconds count where there are few of them."""
    return f"{seconds:.3f}" if seconds < 1 else number(seconds)


def _most(measures: list[Measure]) -> int:
    return max(each.amount for each in measures)
