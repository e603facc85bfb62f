"""The page of a run: numbers at the top, what could not be read, types and versions, and what the rows say over time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa

from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.kinds import CONSUMER_LAG, METADATA, TRANSACTIONS
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.text_tables import Row, Table, number
from messagegen_spark.jobs.decode import MESSAGE
from messagegen_spark.jobs.runner import JobSummary
from messagegen_spark.pages.page import Chart, Fact, Section, html_page
from messagegen_spark.report import queries
from messagegen_spark.report.charts import COLOURS, lines_chart, stacked_chart
from messagegen_spark.report.queries import Span
from messagegen_spark.report.rows import Rows
from messagegen_spark.report.sums import COUNT, counts

_MOST_ROWS: Final = 50
_MOST_REASONS: Final = 20
_MOST_LINES: Final = len(COLOURS)
_REASONS: Final = (f"{ERROR_NAME}.message", f"{MESSAGE}.{ERROR_NAME}.message")
"""Where rows say why they could not be read: as a whole, and the message in them."""
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
    rows: Rows
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
    else:
        yield from _of_rows(run.rows)
    if run.summary.malformed:
        yield _reasons(run)
    if run.counts is not None and run.counts.types:
        yield _types(run.counts.types)


def _of_lag(history: Rows) -> Iterator[Section]:
    partitions, spanned = history.sums(queries.lag_query(), queries.commit_span_query())
    groups, span = queries.lag_by_group(partitions, _MOST_ROWS), queries.span_of(spanned)
    if span is None:
        return
    yield _lag_over_time(history, groups, span)
    is_known = any(group.lag is not None for group in groups)
    rows = (
        Row(
            (
                each.group,
                _known(each.lag),
                _known(each.highest),
                number(each.commits),
                number(each.partitions),
                each.type or "",
                each.latest,
            )
        )
        for each in groups
    )
    names = ("lag now", "highest lag", "commits", "partitions", "type", "last commit (UTC)")
    note = "" if is_known else "Lags need the logs of the consumed topics (--ends). "
    most = f"The {_MOST_ROWS} groups that lag most. " if len(groups) == _MOST_ROWS else ""
    words = f"{note}{most}The highest lag is that of one partition."
    yield Section("Groups", (words,), tables=(Table(("group",), names, tuple(rows)),))


def _lag_over_time(history: Rows, groups: Sequence[queries.GroupLag], span: Span) -> Section:
    shown = [each.group for each in groups][:_MOST_LINES]
    lagging = [each.group for each in groups if each.lag is not None][:_MOST_LINES]
    asked = (
        queries.counts_over_time_query("group", "logTimestamp", span, shown),
        queries.lag_over_time_query(lagging, span),
    )
    counted, lags = history.sums(*asked)
    commits = queries.counts_over_time(counted, "group", shown)
    charts = [Chart("commits of groups over time", stacked_chart(span.times, commits, "commits"))]
    if not lagging:
        return Section("Over time", (), tuple(charts), has_pairs=True)
    lines = queries.lag_over_time(lags, lagging)
    charts.insert(0, Chart("lag of groups over time", lines_chart(span.times, lines, "records behind")))
    said = ("The lag is the sum over all partitions of a group, as of the last commit of each.",)
    return Section("Over time", said, tuple(charts), has_pairs=True)


def _of_metadata(history: Rows) -> Iterator[Section]:
    columns = ("subject", "action", "property")
    spanned, counted, changed = history.sums(
        queries.span_query(("timestamp",), queries.CHANGES), counts(columns), counts(("subject", "action"))
    )
    span = queries.span_of(spanned)
    if span is not None:
        names = queries.frequent(changed.filter(queries.CHANGES.wanted(changed["action"])), "subject", _MOST_LINES)
        query = queries.counts_over_time_query("subject", "timestamp", span, names, queries.CHANGES)
        (over_time,) = history.sums(query)
        lines = queries.counts_over_time(over_time, "subject", names)
        chart = Chart("changes over time", stacked_chart(span.times, lines, "changes"))
        yield Section("Changes over time", charts=(chart,))
    yield _counted("Changes by subject", counted, columns, "rows")


def _of_transactions(history: Rows) -> Iterator[Section]:
    spanned, states, ids = history.sums(
        queries.span_query(("logTimestamp",)), counts(("state",)), queries.last_states_query()
    )
    span = queries.span_of(spanned)
    if span is None:
        return
    names = queries.frequent(states, "state", _MOST_LINES)
    (over_time,) = history.sums(queries.counts_over_time_query("state", "logTimestamp", span, names))
    lines = queries.counts_over_time(over_time, "state", names)
    chart = Chart("states over time", stacked_chart(span.times, lines, "records"))
    yield Section("States over time", charts=(chart,))
    yield _counted("Transactional ids by their last state", queries.last_states(ids), ("state",), "ids")


def _of_rows(rows: Rows) -> Iterator[Section]:
    known = (("topic", "recordType", "valueVersion"), ("apiName", "direction", "apiVersion"), ("topic",))
    columns = next((names for names in known if rows.columns >= set(names)), None)
    if columns is not None:
        title = "Rows by type and version" if len(columns) > 1 else "Rows by topic"
        (found,) = rows.sums(counts(columns))
        yield _counted(title, found, columns, "rows")


def _known(value: int | None) -> str:
    return "" if value is None else number(value)


def _counted(title: str, found: pa.Table, columns: Sequence[str], counted: str) -> Section:
    most = queries.most_of(found, columns, _MOST_ROWS)
    cells = (
        Row((*("" if row[name] is None else str(row[name]) for name in columns), number(row[COUNT]))) for row in most
    )
    note = (f"The {_MOST_ROWS} most frequent.",) if len(most) == _MOST_ROWS else ()
    return Section(title, note, tables=(Table(tuple(columns), (counted,), tuple(cells)),))


def _reasons(run: Run) -> Section:
    reasons: Mapping[str, int] = {} if run.counts is None else run.counts.reasons
    columns = [name for name in _REASONS if name in run.rows.columns]
    if not reasons and columns:
        reasons = queries.reasons_of(run.rows.sums(*map(queries.reasons_query, columns)))
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
