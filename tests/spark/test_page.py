"""The examples on the page about Spark run in the order of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from messagegen_spark import register
from tests.arrow.support.history_data import write_broker
from tests.arrow.support.log_data import many_batches, write_segment
from tests.spark.support.commit_logs import write_commits
from tests.spark.support.page import example, examples

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

ELSEWHERE = {"A Delta table", "An Iceberg table", "Topics of a broker"}
"""Examples that need a broker, or further jars and so a session of their own."""


@pytest.fixture
def names(spark: SparkSession, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Write a broker's logs, and return the names that the page's examples use."""
    write_broker(tmp_path / "var" / "lib" / "kafka" / "data")
    write_commits(tmp_path / "backup" / "commits-0", 3)
    register(spark)
    yield {"spark": spark}
    # Other tests are about workers.
    spark.conf.unset("spark.sql.catalog.kafka")


def run(heading: str, folder: Path, names: dict[str, Any]) -> None:
    exec(compile(example(heading, folder), f"spark.md, {heading}", "exec"), names)


@pytest.mark.slow
def test_the_parquet_example_reads_a_segment_added_between_runs(
    spark: SparkSession, tmp_path: Path, names: dict[str, Any]
) -> None:
    run("A log folder to Parquet", tmp_path, names)
    out = str(tmp_path / "data" / "orders")
    assert spark.read.parquet(out).count() == 10
    write_segment(tmp_path / "var" / "lib" / "kafka" / "data" / "orders-0", 10, many_batches(10, 2))
    run("A log folder to Parquet", tmp_path, names)
    assert sorted(row.offset for row in spark.read.parquet(out).collect()) == list(range(16))


@pytest.mark.slow
def test_commits_are_written_to_a_table(
    spark: SparkSession, tmp_path: Path, names: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        run("Commits as a table", tmp_path, names)
        found = spark.table("commits").orderBy("offset").drop("timestamp").collect()
    finally:
        spark.sql("DROP TABLE IF EXISTS commits")
    assert [tuple(row) for row in found] == [("billing", "orders", 0, offset) for offset in (2, 5, 9)]
    assert "|billing|orders|        0|     9|" in capsys.readouterr().out


@pytest.mark.slow
def test_the_remaining_examples_on_the_page_run(
    tmp_path: Path, names: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    done = {"A log folder to Parquet", "Commits as a table", *ELSEWHERE}
    for heading in examples():
        if heading not in done:
            run(heading, tmp_path, names)
            done.add(heading)
    assert done == {
        "Spark",
        "Messages",
        "Damage",
        "Functions",
        "Functions in SQL",
        "Encoding in SQL",
        "Histories",
        "States",
        "A log folder to Parquet",
        "Commits as a table",
        *ELSEWHERE,
    }
    assert [tuple(row) for row in names["times"].select("commitTimestamp").distinct().collect()] != []
    assert names["again"].count() == 3
    printed = capsys.readouterr().out
    assert "|partition|offset|" in printed
    assert "'damaged': 0" in printed
    assert "|billing|" in printed
    assert "retention.ms" in printed
