"""Pages that sum up runs: whole, on their own, and with the numbers of the rows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from messagegen_arrow.histories.counts import HistoryCounts
from tests.spark.advisor.test_report import tags_of

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")
pytest.importorskip("matplotlib", reason="matplotlib is not installed: `make test` installs it")

from messagegen_arrow.histories.kinds import CONSUMER_LAG
from messagegen_arrow.histories.lag import LAG_HISTORY
from messagegen_spark.jobs.runner import JobSummary
from messagegen_spark.report.charts import lines_chart, stacked_chart
from messagegen_spark.report.page import Run, grouped_reasons, run_page, size_text
from messagegen_spark.report.queries import BUCKETS, Series, Span, commit_span, lag_by_group, lag_over_time
from messagegen_spark.schemas import spark_struct

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

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


def test_the_last_commit_is_in_utc(spark: SparkSession) -> None:
    made: dict[str, Any] = dict.fromkeys(LAG_HISTORY.names)
    row = made | {"group": "audits", "isTombstone": False, "commitTimestamp": NOON, "logOffset": 0}
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "America/New_York")
    (found,) = lag_by_group(session.createDataFrame([row], spark_struct(LAG_HISTORY)), 1)
    assert found["latest"] == NOON.strftime("%Y-%m-%d %H:%M:%S")


def test_a_page_of_lags(spark: SparkSession) -> None:
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
    history = spark.createDataFrame(rows, spark_struct(LAG_HISTORY))
    span = commit_span(history)
    assert span is not None
    billing, audits = lag_over_time(history, ["<billing>", "audits"], span)
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
