"""The page of a run: numbers at the top, what could not be read, types and versions, and what the rows say over time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.kinds import CONSUMER_LAG, METADATA, TRANSACTIONS
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.text_tables import Row, Table, number
from messagegen_spark.jobs.runner import JobSummary
from messagegen_spark.pages.page import Chart, Fact, Section, html_page
from messagegen_spark.report import queries
from messagegen_spark.report.charts import COLOURS, lines_chart, stacked_chart

_MOST_ROWS: Final = 50
_MOST_REASONS: Final = 20
_MOST_LINES: Final = len(COLOURS)
_UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB")
_KILO: Final = 1024
_TITLES: Final[Mapping[str, str]] = {
    CONSUMER_LAG.name: "Consumer lag",
    METADATA.name: "Changes of metadata",
    TRANSACTIONS.name: "Transactions",
}


@dataclass(frozen=True)
class Run:
    """What a page is about."""

    summary: JobSummary
    rows: DataFrame
    """All rows that are written."""
    log_bytes: int | None
    """The bytes of the files that were read, where they are known."""
    counts: HistoryCounts | None = None
    """What was counted while a history was read."""
    engines: Sequence[str] = field(default_factory=tuple)


def run_page(run: Run) -> str:
    """HTML that needs nothing else. The rows are read for it, a few columns at a time."""
    name = run.summary.job
    return html_page(
        _TITLES.get(name, name), _said(run.summary), _basis(run), [*_sections(run)], facts=list(_facts(run))
    )


def _said(summary: JobSummary) -> str:
    if not summary.rows:
        return "There were no records to read."
    if not summary.malformed:
        return f"All {number(summary.rows)} records could be read."
    share = 100 * summary.malformed / summary.rows
    return f"{number(summary.malformed)} of {number(summary.rows)} records ({share:.2g} %) could not be read."


def _basis(run: Run) -> str:
    summary = run.summary
    before = f", of which {number(summary.units_done_before)} were done before" if summary.units_done_before else ""
    engines = " and ".join("the native engine" if each == "native" else "pure Python" for each in run.engines)
    decoded = f" Decoded by {engines}." if engines else ""
    return f"{summary.job}: {number(summary.units)} unit{'s' * (summary.units != 1)}{before}.{decoded}"


def _facts(run: Run) -> Iterator[Fact]:
    summary = run.summary
    yield Fact("Records read", number(summary.rows))
    yield Fact("Could not be read", number(summary.malformed), is_bad=summary.malformed > 0)
    yield Fact("Rows written", number(run.rows.count()))
    if run.log_bytes:
        yield Fact("Log files", size_text(run.log_bytes))
    if run.counts is not None and run.counts.bytes:
        yield Fact("Keys and values", size_text(run.counts.bytes))
    if not summary.units_done_before:
        yield Fact("Time", f"{summary.seconds:,.1f} s")


def _sections(run: Run) -> Iterator[Section]:
    parts = {CONSUMER_LAG.name: _of_lag, METADATA.name: _of_metadata, TRANSACTIONS.name: _of_transactions}
    part = parts.get(run.summary.job)
    if part is not None:
        yield from part(run.rows)
    elif run.rows.columns:
        yield from _of_rows(run.rows)
    if run.summary.malformed:
        yield _reasons(run)
    if run.counts is not None and run.counts.types:
        yield _types(run.counts.types)


def _of_lag(history: DataFrame) -> Iterator[Section]:
    groups, span = queries.lag_by_group(history, _MOST_ROWS), queries.commit_span(history)
    if span is None:
        return
    shown = [row["group"] for row in groups][:_MOST_LINES]
    lagging = [row["group"] for row in groups if row["lag"] is not None][:_MOST_LINES]
    commits = queries.counts_over_time(history, "group", "logTimestamp", span, shown)
    charts = [Chart("commits of groups over time", stacked_chart(span.times, commits, "commits"))]
    said: tuple[str, ...] = ()
    if lagging:
        lines = queries.lag_over_time(history, lagging, span)
        charts.insert(0, Chart("lag of groups over time", lines_chart(span.times, lines, "records behind")))
        said = ("The lag is the sum over all partitions of a group, as of the last commit of each.",)
    yield Section("Over time", said, tuple(charts), has_pairs=True)
    numbers = {"lag": "lag now", "highest": "highest lag", "commits": "commits", "partitions": "partitions"}
    rows = (
        Row((row["group"], *(number(row[name]) for name in numbers), row["type"] or "", row["latest"] or ""))
        for row in groups
    )
    names = (*numbers.values(), "type", "last commit (UTC)")
    note = "" if lagging else "Lags need the logs of the consumed topics (--ends). "
    most = f"The {_MOST_ROWS} groups that lag most. " if len(groups) == _MOST_ROWS else ""
    words = f"{note}{most}The highest lag is that of one partition."
    yield Section("Groups", (words,), tables=(Table(("group",), names, tuple(rows)),))


def _of_metadata(history: DataFrame) -> Iterator[Section]:
    changes = history.where("action != 'present'")
    span = queries.span_of(changes, "timestamp")
    if span is not None:
        lines = queries.counts_over_time(changes, "subject", "timestamp", span, _frequent(changes, "subject"))
        chart = Chart("changes over time", stacked_chart(span.times, lines, "changes"))
        yield Section("Changes over time", charts=(chart,))
    yield _counted("Changes by subject", history, ("subject", "action", "property"), "rows")


def _of_transactions(history: DataFrame) -> Iterator[Section]:
    span = queries.span_of(history, "logTimestamp")
    if span is None:
        return
    known = history.where("state is not null")
    lines = queries.counts_over_time(known, "state", "logTimestamp", span, _frequent(known, "state"))
    chart = Chart("states over time", stacked_chart(span.times, lines, "records"))
    yield Section("States over time", charts=(chart,))
    last = sql.max_by(sql.col("state"), sql.col("logOffset")).alias("state")
    now = history.groupBy("logPartition", "transactionalId").agg(last)
    yield _counted("Transactional ids by their last state", now.na.fill("given up"), ("state",), "ids")


def _of_rows(rows: DataFrame) -> Iterator[Section]:
    known = (("topic", "recordType", "valueVersion"), ("apiName", "direction", "apiVersion"), ("topic",))
    columns = next((names for names in known if set(names) <= set(rows.columns)), None)
    if columns is not None:
        yield _counted("Rows by type and version" if len(columns) > 1 else "Rows by topic", rows, columns, "rows")


def _frequent(rows: DataFrame, column: str) -> list[str]:
    return [row[column] for row in queries.counts_of(rows, [column], _MOST_LINES)]


def _counted(title: str, rows: DataFrame, columns: Sequence[str], counted: str) -> Section:
    found = queries.counts_of(rows, columns, _MOST_ROWS)
    cells = (
        Row((*("" if row[name] is None else str(row[name]) for name in columns), number(row["count"]))) for row in found
    )
    note = (f"The {_MOST_ROWS} most frequent.",) if len(found) == _MOST_ROWS else ()
    return Section(title, note, tables=(Table(tuple(columns), (counted,), tuple(cells)),))


def _reasons(run: Run) -> Section:
    reasons: Mapping[str, int] = {} if run.counts is None else run.counts.reasons
    if not reasons and ERROR_NAME in run.rows.columns:
        wrong = run.rows.where(sql.col(ERROR_NAME).isNotNull()).select(f"{ERROR_NAME}.message")
        reasons = {row["message"]: row["count"] for row in queries.counts_of(wrong, ["message"], 10 * _MOST_REASONS)}
    if not reasons:
        return Section("What could not be read", ("The rows do not say why: --mode permissive keeps the reasons.",))
    found = grouped_reasons(reasons)[:_MOST_REASONS]
    rows = tuple(Row((reason, number(count))) for reason, count in found)
    said = "Reasons that differ only in numbers are counted together, under the first of them."
    return Section("What could not be read", (said,), tables=(Table(("reason",), ("records",), rows),))


def grouped_reasons(reasons: Mapping[str, int]) -> list[tuple[str, int]]:
    """Reasons that differ in numbers only as one, the most frequent first."""
    shown: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for reason, count in reasons.items():
        plain = re.sub(r"\d+", "0", reason)
        shown.setdefault(plain, reason)
        counts[plain] += count
    return [(shown[plain], count) for plain, count in counts.most_common()]


def _types(types: Mapping[tuple[str, int | None], int]) -> Section:
    ordered = sorted(types.items(), key=lambda each: (each[0][0], -1 if each[0][1] is None else each[0][1]))
    rows = tuple(
        Row((name, "no value" if version is None else str(version), number(count)))
        for (name, version), count in ordered
    )
    return Section("Record types and versions", tables=(Table(("type", "version"), ("records",), rows),))


def size_text(size: int) -> str:
    """Bytes in the unit that has few digits."""
    value, unit = float(size), _UNITS[0]
    for unit in _UNITS:
        if value < _KILO or unit == _UNITS[-1]:
            break
        value /= _KILO
    return f"{value:,.0f} {unit}" if unit == _UNITS[0] or value >= 100 else f"{value:,.1f} {unit}"
