"""Shows results as tables, on terminals or, as ``markdown``, for pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.goals import Goal, best_peer, goals
from benchmarks.processes import ALL_OPERATIONS, JAVA, KAFKA_PYTHON, NATIVE, PURE, Operation
from benchmarks.results import Results, geometric_mean, ratios
from benchmarks.workloads import WORKLOADS

_STYLES: Final = {True: "green", False: "red", None: "yellow"}


def show(results: Results, console: Console, *, markdown: bool = False) -> None:
    """Print everything that was measured, and each goal."""
    console.print(" | ".join(results.machine.values()), highlight=False)
    if results.versions:
        console.print(", ".join(f"{name} {version}" for name, version in results.versions.items()), highlight=False)
    for title, table in _tables(results):
        table.box = box.MARKDOWN if markdown else box.SIMPLE_HEAD
        show_table(title, table, console)


def show_table(title: str, table: Table, console: Console) -> None:
    """Print a table below its title. Rich would wrap the title of a table at the table's width."""
    console.print(f"\n[bold]{title}[/]", highlight=False)
    console.print(table)


def new_table(left: Sequence[str], right: Sequence[str]) -> Table:
    """Return a table with left-aligned columns of text and right-aligned columns of numbers."""
    table = Table(box=box.SIMPLE_HEAD)
    for name in left:
        table.add_column(name, overflow="fold")
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def number(value: float | None) -> str:
    """Return text with three digits or more, without an exponent; a dash for ``None``."""
    if value is None:
        return "-"
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 100 else f"{value:.2f}"


def _tables(results: Results) -> Iterator[tuple[str, Table]]:
    """Yield all tables with their titles. Parts that were not measured have no table, but goals always have one."""
    for operation in ALL_OPERATIONS if results.timings else ():
        yield (
            f"{operation}, microseconds: best (median) of {results.rounds} rounds",
            _microseconds(results, operation),
        )
        yield f"{operation}, how many times as fast (best rounds)", _ratios(results, operation)
    values = {
        "memory kept by decoded W2, MB": {name: {"": size / 1e6} for name, size in results.memory.items()},
        "import above the bare interpreter, ms (median)": {name: {"": time} for name, time in results.imports.items()},
        "generation of all official specs, seconds": {
            runs.kind: {"best": runs.best, "median": runs.median} for runs in results.generation
        },
        "record batches, uncompressed: microseconds of CPU time (best)": results.records,
    }
    yield from ((title, _rows(rows)) for title, rows in values.items() if rows)
    yield "goals", goal_table(goals(results))


def _microseconds(results: Results, operation: Operation) -> Table:
    found = {(each.workload, each.contestant): each for each in results.timings if each.operation == operation}
    contestants = [name for name in results.contestants() if any(name == contestant for _, contestant in found)]
    table = new_table(["workload"], ["bytes", *contestants])
    for workload in WORKLOADS:
        row = [found.get((workload.name, contestant)) for contestant in contestants]
        cells = [f"{number(each.best)} ({number(each.median)})" if each else "-" for each in row]
        table.add_row(workload.name, f"{workload.size:,}", *cells)
    return table


def _ratios(results: Results, operation: Operation) -> Table:
    """Return our speed as a multiple of other libraries', by workload and on average; lazy reads count as decoding."""
    theirs: Operation = "decode" if operation == "read" else operation
    pure, native = (results.best(operation, contestant) for contestant in (PURE, NATIVE))
    peer = best_peer(results, theirs)
    every_column = {
        f"pure / {KAFKA_PYTHON}": ratios(results.best(theirs, KAFKA_PYTHON), pure),
        "pure / best Python peer": ratios(peer, pure),
        "native / best Python peer": ratios(peer, native),
        "native / Java": ratios(results.best(theirs, JAVA), native),
    }
    columns = {name: values for name, values in every_column.items() if values}
    table = new_table(["workload"], list(columns))
    for workload in WORKLOADS:
        table.add_row(workload.name, *(number(values.get(workload.name)) for values in columns.values()))
    table.add_section()
    table.add_row("geometric mean", *(number(geometric_mean(values.values())) for values in columns.values()))
    return table


def _rows(rows: Mapping[str, Mapping[str, float]]) -> Table:
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    table = new_table([""], columns)
    for name, row in rows.items():
        table.add_row(name, *(number(row.get(column)) for column in columns))
    return table


def goal_table(found: Sequence[Goal]) -> Table:
    """Return each goal with the measured value and the verdict."""
    table = new_table(["goal", "measured", "verdict"], [])
    for goal in found:
        table.add_row(goal.text, goal.measured or "-", Text(goal.verdict, style=_STYLES[goal.met]))
    return table
