"""Pages that sum up runs: whole, on their own, and with the numbers of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow.histories.counts import HistoryCounts
from tests.spark.advisor.test_report import tags_of

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")
pytest.importorskip("matplotlib", reason="matplotlib is not installed: `make test` installs it")

from messagegen_arrow.histories.kinds import CONSUMER_LAG, HISTORIES
from messagegen_arrow.histories.lag import LAG_HISTORY
from messagegen_spark.jobs.runner import JobSummary
from messagegen_spark.report import queries
from messagegen_spark.report.charts import lines_chart, stacked_chart
from messagegen_spark.report.page import Run, grouped_reasons, run_page, size_text
from messagegen_spark.report.queries import BUCKETS, Series, Span, lag_by_group, lag_over_time, span_of
from messagegen_spark.report.sums import RunningSums, Sums

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_reasons_that_differ_in_numbers_are_one() -> None:
    reasons = {"value: 3 bytes are missing": 2, "key: the key is null": 3, "value: 17 bytes are missing": 5}
    assert grouped_reasons(reasons) == [("value: 3 bytes are missing", 7), ("key: the key is null", 3)]


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (1023, "1,023 bytes"), (1536, "1.5 KiB"), (1 << 30, "1.0 GiB"), (900 << 40, "900 TiB")],
)
def test_sizes(size: int, text: str) -> None:
    assert size_text(size) == text


def test_charts_have_the_colour_of_the_text() -> None:
    span = Span(0, 86_400_000_000)
    series = [Series(name, np.arange(BUCKETS, dtype=float)) for name in ("billing", "_internal", r"$\no$", "x" * 60)]
    for chart in (lines_chart, stacked_chart):
        text = chart(span.times, series, "records behind")
        assert "currentColor" in text
        assert "#010203" not in text
        assert all(name in text for name in ("billing", "_internal", r"$\no$", "x" * 27 + "…"))


@dataclass(frozen=True)
class Read:
    """The rows of a table, in batches that tasks read."""

    table: pa.Table
    batch_rows: int = 2
    tasks: int = 2

    @property
    def columns(self) -> frozenset[str]:
        return frozenset(self.table.column_names)

    def sums(self, *asked: Sums) -> list[pa.Table]:
        return [query.added(self._parts(query)) for query in asked]

    def _parts(self, query: Sums) -> list[pa.Table]:
        batches = self.table.combine_chunks().to_batches(self.batch_rows)
        parts = []
        for task in range(self.tasks):
            running = RunningSums(query)
            for batch in batches[task :: self.tasks]:
                running.add(batch)
            parts.append(running.total())
        return [part for part in parts if part.num_rows]

    def count(self) -> int:
        return int(self.table.num_rows)


def history_of(rows: list[dict[str, Any]], schema: pa.Schema = LAG_HISTORY) -> pa.Table:
    made: dict[str, Any] = dict.fromkeys(schema.names)
    return pa.Table.from_pylist([made | row for row in rows], schema=schema)


def test_the_last_commit_is_in_utc() -> None:
    new_york = NOON.astimezone(ZoneInfo("America/New_York"))
    row = {"group": "audits", "isTombstone": False, "commitTimestamp": new_york, "logOffset": 0}
    where = LAG_HISTORY.get_field_index("commitTimestamp")
    there = LAG_HISTORY.set(where, pa.field("commitTimestamp", pa.timestamp("us", "America/New_York")))
    (partitions,) = Read(history_of([row], there)).sums(queries.lag_query())
    (found,) = lag_by_group(partitions, 1)
    assert found.latest == NOON.strftime("%Y-%m-%d %H:%M:%S")


def test_a_commit_after_the_year_9999() -> None:
    row = {"group": "audits", "isTombstone": False, "logOffset": 0}
    table = history_of([row])
    where = table.schema.get_field_index("commitTimestamp")
    late = pa.array([2**60], pa.int64()).cast(table.schema.field(where).type)
    (partitions,) = Read(table.set_column(where, table.schema.field(where), late)).sums(queries.lag_query())
    assert lag_by_group(partitions, 1)[0].latest == "38504-08-17 21:30:06"


def test_nothing_was_written() -> None:
    for name in HISTORIES:
        page = run_page(Run(JobSummary(name, 1, 0, 0, 0, 1.5), Read(pa.table({})), None))
        assert "There were no records to read." in page


HOURS = st.integers(0, 50).map(lambda hour: NOON + timedelta(hours=hour))
COMMITS = st.lists(
    st.fixed_dictionaries(
        {
            "group": st.sampled_from("ab"),
            "topic": st.sampled_from("xy"),
            "partition": st.integers(0, 1),
            "lag": st.none() | st.integers(0, 9),
            "isTombstone": st.booleans(),
            "commitTimestamp": st.none() | HOURS,
            "logTimestamp": HOURS,
        }
    ),
    min_size=1,
    max_size=20,
)


@given(COMMITS, st.integers(1, 5), st.integers(1, 4))
def test_sums_do_not_depend_on_who_reads_what(commits: list[dict[str, Any]], batch_rows: int, tasks: int) -> None:
    """What tasks sum up of parts of the rows, in any order, is what one task sums up of all; the last commit wins."""
    table = history_of([{**row, "logOffset": offset} for offset, row in enumerate(commits)])
    span = Span(int(NOON.timestamp()) * 1_000_000, int((NOON + timedelta(hours=50)).timestamp()) * 1_000_000)
    asked = (
        queries.lag_query(),
        queries.commit_span_query(),
        queries.lag_over_time_query(["a"], span),
        queries.counts_over_time_query("group", "logTimestamp", span, ["b"]),
    )
    for query in asked:
        (whole,), (parts,) = (
            Read(table, len(commits), 1).sums(query),
            Read(table.take(list(reversed(range(len(commits))))), batch_rows, tasks).sums(query),
        )
        assert sorted(map(str, parts.to_pylist())) == sorted(map(str, whole.to_pylist()))
    (partitions,) = Read(table, batch_rows, tasks).sums(queries.lag_query())
    last = {(row["group"], row["topic"], row["partition"]): row["lag"] or 0 for row in commits}
    assert {(row["group"], row["topic"], row["partition"]): row["lag"] for row in partitions.to_pylist()} == last


def test_a_page_of_lags() -> None:
    def row(group: str, partition: int, minute: int, lag: int | None) -> dict[str, Any]:
        when = NOON + timedelta(minutes=minute)
        made: dict[str, Any] = dict.fromkeys(LAG_HISTORY.names)
        return made | {
            "group": group, "topic": "orders", "partition": partition, "lag": lag, "isTombstone": lag is None,
            "commitTimestamp": when, "logTimestamp": when, "logOffset": minute, "groupType": "classic",
        }  # fmt: skip

    rows = [
        row("<billing>", 0, 0, 10),
        row("<billing>", 1, 30, 5),
        row("<billing>", 0, 60, 2),
        row("audits", 0, 120, 7),
    ]
    history = Read(history_of(rows))
    (spanned,) = history.sums(queries.commit_span_query())
    span = span_of(spanned)
    assert span is not None
    (lags,) = history.sums(queries.lag_over_time_query(["<billing>", "audits"], span))
    billing, audits = lag_over_time(lags, ["<billing>", "audits"])
    at = {minute: billing.values[minute * BUCKETS // 121] for minute in (0, 29, 31, 59, 62, 119)}
    assert at == {0: 10, 29: 10, 31: 15, 59: 15, 62: 7, 119: 7}
    assert np.isnan(audits.values[0])
    assert audits.values[-1] == 7

    counts = HistoryCounts.total(
        [
            {
                "rows": 5,
                "malformed": 1,
                "bytes": 2048,
                "types": [["OffsetCommit", 3, 4]],
                "reasons": {"value: cut off": 1},
            }
        ]
    )
    summary = JobSummary(CONSUMER_LAG.name, 2, 0, 5, 1, 1.5)
    page = run_page(Run(summary, history, 4096, counts, ("native",)))
    tags = tags_of(page)
    assert (tags.count("svg"), tags.count("script")) == (2, 0)
    for said in ("1 of 5 records (20 %) could not be read", "&lt;billing&gt;", "value: cut off", "4.0 KiB", "2.0 KiB"):
        assert said in page
    assert "<billing>" not in page
    assert "http://" not in page.replace("http://www.w3.org/", "").replace("http://purl.org/", "").replace(
        "http://creativecommons.org/", ""
    )
