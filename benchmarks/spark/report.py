"""Shows the results of a run as tables, with the goals of the pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.goals import Goal
from benchmarks.measures import Measure, Measures, names, ratio
from benchmarks.report import goal_table, new_table, number, show_table
from benchmarks.spark.logs import AIOKAFKA, CODECS, FIVE_COLUMNS, LOGS
from benchmarks.spark.workloads import DECODE, ENCODE, FUNCTIONS, LOGS_OF_MESSAGES, REFERENCES, promises

_TITLES: Final = {
    LOGS: "log segments to Arrow columns, one core, no Spark, records/s",
    FUNCTIONS: "bytes of messages to typed columns, in the JVM, local[2], rows/s",
    DECODE: "bytes of messages to typed columns, in Python's workers, local[2], rows/s",
    ENCODE: "typed columns to bytes of messages, local[2], rows/s",
    LOGS_OF_MESSAGES: "log segments to typed columns, local[2], records/s",
}
_ALL_REFERENCES: Final = {**REFERENCES, LOGS: AIOKAFKA}
_RECORDS_A_SECOND: Final = 1e6


def goals(found: Measures) -> list[Goal]:
    """Return all goals, in the order of the tables."""
    return [*_logs(found), *_workloads(found)]


def _logs(found: Measures) -> Iterator[Goal]:
    for codec in CODECS:
        ours = found.find(LOGS, codec, FIVE_COLUMNS)
        text = f"log segments, {codec}: a million records/s a core"
        if ours is None:
            yield Goal(text, "", None)
            continue
        beside = ratio(ours, found.find(LOGS, codec, AIOKAFKA))
        measured = f"{ours.rate / 1e6:.2f} million/s" + (f", {beside:.1f} times aiokafka" if beside else "")
        yield Goal(text, measured, ours.rate >= _RECORDS_A_SECOND)


def _workloads(found: Measures) -> Iterator[Goal]:
    for workload, size, least in promises():
        reference = REFERENCES[workload.part]
        text = f"{size}, {workload.contestant}: at least {least:g} times {reference}"
        ours = found.find(workload.part, size, workload.contestant)
        compared = ratio(ours, found.find(workload.part, size, reference))
        measured = "" if compared is None else f"{compared:.2f} times"
        yield Goal(text, measured, None if compared is None else compared >= least)


def show(found: Measures, console: Console, *, markdown: bool = False) -> None:
    """Print everything that was measured, and each goal."""
    console.print(" | ".join(found.machine.values()), highlight=False)
    console.print(", ".join(f"{name} {version}" for name, version in found.versions.items()), highlight=False)
    console.print(f"best (median) of {found.rounds} rounds; CPU is processor time of all processes", highlight=False)
    style = box.MARKDOWN if markdown else box.SIMPLE_HEAD
    tables = [(_TITLES[part], _rates(found, part, found.of(part))) for part in _TITLES if found.of(part)]
    for title, table in [*tables, ("goals", goal_table(goals(found)))]:
        table.box = style
        show_table(title, table, console)


def _rates(found: Measures, part: str, measures: list[Measure]) -> Table:
    """Return a row for each data and contestant, compared with the reference."""
    reference = _ALL_REFERENCES[part]
    table = new_table(["data", "contestant"], ["best", "median", f"times {reference}", "CPU µs"])
    for data in dict.fromkeys(each.data for each in measures):
        for contestant in names(measures):
            each = found.find(part, data, contestant)
            if each is None:
                continue
            compared = number(ratio(each, found.find(part, data, reference)))
            cpu = number(each.cpu / each.amount * 1e6) if each.cpu is not None else "-"
            table.add_row(data, contestant, f"{each.rate:,.0f}", f"{each.median_rate:,.0f}", compared, cpu)
        table.add_section()
    return table
