"""Results as tables, for terminals and, as ``markdown``, for documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.measures import Measure, Measures, names, ratio
from benchmarks.report import goal_table, new_table, number, show_table
from benchmarks.spark.goals import goals
from benchmarks.spark.names import (
    BROKER,
    DECODE,
    ENCODE,
    FUNCTIONS,
    FUSED_PART,
    KAFKA_LOG,
    LOGS,
    REFERENCES,
    SCALING,
)

_TITLES: Final = {
    DECODE: "decode: bytes of messages to typed columns, local[2], rows/s",
    FUNCTIONS: "functions in the JVM: bytes of messages in Parquet files to typed columns, local[2], rows/s",
    BROKER: "functions in the JVM: bytes of messages from a broker to typed columns, local[2], rows/s",
    ENCODE: "encode: typed columns to bytes of messages, local[2], rows/s",
    LOGS: "log segments to Arrow columns, one core, no Spark, records/s",
    KAFKA_LOG: "log segments through Spark's kafka-log, local[2], records/s",
    FUSED_PART: "log segments to typed columns, local[2], records/s",
    SCALING: "one core and two, rows/s",
}


def show(found: Measures, console: Console, *, markdown: bool = False) -> None:
    """Prints everything that was measured, and each goal."""
    console.print(" | ".join(found.machine.values()), highlight=False)
    console.print(", ".join(f"{name} {version}" for name, version in found.versions.items()), highlight=False)
    console.print(f"best (median) of {found.rounds} rounds; CPU is processor time of all processes", highlight=False)
    style = box.MARKDOWN if markdown else box.SIMPLE_HEAD
    for title, table in _tables(found):
        table.box = style
        show_table(title, table, console)


def _tables(found: Measures) -> Iterator[tuple[str, Table]]:
    for part, title in _TITLES.items():
        if measures := found.of(part):
            yield title, _rates(found, part, measures)
    if found.memory:
        yield "peaks of resident memory, local[2], MB", _memory(found)
    yield "goals", goal_table(goals(found))


def _rates(found: Measures, part: str, measures: list[Measure]) -> Table:
    """A row for each data and contestant, beside the one that all are compared with."""
    reference = REFERENCES.get(part)
    beside = [f"times {reference}"] if reference else []
    table = new_table(["data", "contestant"], ["best", "median", *beside, "CPU µs"])
    for data in dict.fromkeys(each.data for each in measures):
        for contestant in names(measures):
            each = found.find(part, data, contestant)
            if each is None:
                continue
            compared = [number(ratio(each, found.find(part, data, reference)))] if reference else []
            cpu = number(each.cpu / each.amount * 1e6) if each.cpu is not None else "-"
            table.add_row(data, contestant, f"{each.rate:,.0f}", f"{each.median_rate:,.0f}", *compared, cpu)
        table.add_section()
    return table


def _memory(found: Measures) -> Table:
    table = new_table(["read"], ["times", "Python workers", "JVM"])
    for each in found.memory:
        table.add_row(each.data, str(each.times), f"{each.workers / 1e6:,.0f}", f"{each.jvm / 1e6:,.0f}")
    return table
