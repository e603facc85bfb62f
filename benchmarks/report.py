"""Results as tables, for terminals and, as ``markdown``, for documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.goals import Goal, best_peer, goals
from benchmarks.processes import JAVA, KAFKA_PYTHON, NATIVE, OPERATIONS, PURE, Operation
from benchmarks.results import Results, Timing, geometric_mean, ratios
from benchmarks.workloads import WORKLOADS

_STYLES: Final = {True: "green", False: "red", None: "yellow"}


def show(results: Results, console: Console, *, markdown: bool = False) -> None:
    """Prints everything that was measured, and each goal."""
    console.print(" | ".join(results.machine.values()), highlight=False)
    if results.versions:
        console.print(", ".join(f"{name} {version}" for name, version in results.versions.items()), highlight=False)
    box_style = box.MARKDOWN if markdown else box.SIMPLE_HEAD
    for title, table in _tables(results):
        table.box = box_style
        show_table(title, table, console)


def show_table(title: str, table: Table, console: Console) -> None:
    """Prints a table below its title; as a title of the table itself it would wrap at the table's width."""
    console.print(f"\n[bold]{title}[/]", highlight=False)
    console.print(table)


def new_table(left: Sequence[str], right: Sequence[str]) -> Table:
    """A table with columns of text on the left and of numbers on the right."""
    table = Table(box=box.SIMPLE_HEAD)
    for name in left:
        table.add_column(name, overflow="fold")
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def number(value: float | None) -> str:
    """Three digits or more, without an exponent; a dash for nothing."""
    if value is None:
        return "-"
    digits = 0 if value >= 1000 else 1 if value >= 100 else 2
    return f"{value:,.{digits}f}"


def _tables(results: Results) -> Iterator[tuple[str, Table]]:
    """All tables with their titles; parts that were not measured have none, goals always have."""
    yield from _codec_tables(results, results.timings, "")
    yield from _codec_tables(results, results.collected, ", with the collector on", collector=True)
    yield from _lazy_tables(results)
    if results.memory:
        megabytes = {name: size / 1e6 for name, size in results.memory.items()}
        yield "memory kept by decoded W2 (aiokafka: version 5)", _list("MB", megabytes)
    if results.imports:
        yield "import, above the bare interpreter (median)", _list("ms", results.imports)
    if results.generation:
        yield "generation of all official specs", _generation(results)
    if results.help:
        yield "--help, above the bare interpreter (best)", _list("ms", results.help)
    if results.columns:
        yield "Arrow columns of MetadataResponse rows", _list("MB/s", results.columns)
    if results.records:
        yield "record batches, uncompressed: microseconds of CPU time (best)", _records(results.records)
    if results.growth:
        yield "growth: MetadataResponse 12, one topic", _growth(results)
    yield "goals", goal_table(goals(results))


def _codec_tables(
    results: Results, timings: Sequence[Timing], how: str, *, collector: bool = False
) -> Iterator[tuple[str, Table]]:
    for operation in OPERATIONS if timings else ():
        title = f"{operation}{how}, microseconds: best (median) of {results.rounds} rounds"
        yield title, _microseconds([timing for timing in timings if timing.operation == operation])
    for operation in OPERATIONS if timings else ():
        yield f"{operation}{how}, how many times as fast (best rounds)", _ratios(results, operation, collector)


def _lazy_tables(results: Results) -> Iterator[tuple[str, Table]]:
    read, deep = (results.best(operation, NATIVE) for operation in ("read", "read-deep"))
    if read:
        peer, at_once, java = (best_peer(results, "decode"), *(results.best("decode", each) for each in (NATIVE, JAVA)))
        columns = {
            "peer decode": peer,
            "native decode": at_once,
            "read": read,
            "read deep": deep,
            "read / peer": ratios(peer, read),
            "deep / peer": ratios(peer, deep),
            "read / Java": ratios(java, read),
        }
        yield "lazy decode, fields read, beside decode: microseconds (best rounds)", _by_workload(columns, means=3)
    proxy = [timing for timing in results.timings if timing.operation == "proxy"]
    if proxy:
        yield f"proxy, microseconds: best (median) of {results.rounds} rounds", _microseconds(proxy)
        yield "proxy, how many times as fast (best rounds)", _ratios(results, "proxy", collector=False)
    touch, lazily = (results.best(operation, NATIVE) for operation in ("touch", "touch-lazy"))
    if touch:
        columns = {"at once": touch, "lazily": lazily, "times as long": ratios(lazily, touch)}
        yield "decode, then everything touched: microseconds (best rounds)", _by_workload(columns, means=1)


def _records(times: Mapping[str, Mapping[str, float]]) -> Table:
    libraries = list(dict.fromkeys(library for row in times.values() for library in row))
    table = new_table(["operation, batch"], libraries)
    for what, row in times.items():
        table.add_row(what, *(number(row.get(library)) for library in libraries))
    return table


def _by_workload(columns: Mapping[str, Mapping[str, float]], means: int) -> Table:
    """A row for each workload, and the geometric means of the last columns."""
    table = new_table(["workload"], list(columns))
    for workload in WORKLOADS:
        table.add_row(workload.name, *(number(values.get(workload.name)) for values in columns.values()))
    table.add_section()
    blank = [""] * (len(columns) - means)
    found = [number(geometric_mean(values.values())) if values else "-" for values in columns.values()]
    table.add_row("geometric mean", *blank, *found[-means:])
    return table


def _microseconds(timings: Sequence[Timing]) -> Table:
    contestants = list(dict.fromkeys(timing.contestant for timing in timings))
    table = new_table(["workload"], ["bytes", *contestants])
    found = {(t.workload, t.contestant): t for t in timings}
    for workload in WORKLOADS:
        row = [found.get((workload.name, contestant)) for contestant in contestants]
        cells = [f"{number(t.best)} ({number(t.median)})" if t else "-" for t in row]
        table.add_row(workload.name, f"{workload.size:,}", *cells)
    return table


def _ratios(results: Results, operation: Operation, collector: bool) -> Table:
    pure, native, kafka_python, java = (
        results.best(operation, contestant, collector=collector) for contestant in (PURE, NATIVE, KAFKA_PYTHON, JAVA)
    )
    peer = best_peer(results, operation, collector=collector)
    every_column = {
        "pure / kafka-python": ratios(kafka_python, pure),
        "pure / best Python peer": ratios(peer, pure),
        "native / best Python peer": ratios(peer, native),
        "native / Java": ratios(java, native),
    }
    columns = {name: values for name, values in every_column.items() if values}
    return _by_workload(columns, len(columns))


def _list(unit: str, values: Mapping[str, float]) -> Table:
    table = new_table([""], [unit])
    for name, value in values.items():
        table.add_row(name, number(value))
    return table


def _generation(results: Results) -> Table:
    table = new_table([""], ["best, s", "median, s"])
    for runs in results.generation:
        table.add_row(runs.kind, number(runs.best), number(runs.median))
    return table


def _growth(results: Results) -> Table:
    table = new_table(
        ["contestant", "operation"], ["partitions", "microseconds", "ns a partition", "peak bytes a partition"]
    )
    for point in sorted(results.growth, key=lambda point: (point.contestant, point.operation, point.partitions)):
        count = point.partitions
        costs = [point.seconds * 1e6, point.seconds * 1e9 / count, point.peak_bytes / count]
        table.add_row(point.contestant, point.operation, f"{count:,}", *map(number, costs))
    return table


def goal_table(found: Sequence[Goal]) -> Table:
    """Each goal with what was measured and the verdict."""
    table = new_table(["goal", "measured", "verdict"], [])
    for goal in found:
        table.add_row(goal.text, goal.measured or "-", Text(goal.verdict, style=_STYLES[goal.met]))
    return table
