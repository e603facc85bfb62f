"""Columns in the names of folders: those that jobs write are read back by Spark, and those of inputs are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.spark.support.job_data import VERSION, commit, write_commits

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_spark.jobs.decode import DecodeMessages
from messagegen_spark.jobs.folders import keep_readable
from messagegen_spark.jobs.inputs import Input
from messagegen_spark.jobs.runner import Job, run_job
from messagegen_spark.jobs.targets import parquet_target

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

EMPTY_SCHEMA = "id int, topic string, partition int, epoch bigint, `day` date"


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> SparkSession:
    Input(()).register(spark)
    return spark


def decode(logs: Path, unit_bytes: int = 1 << 30) -> Job:
    job = DecodeMessages(
        input=Input((str(logs),)), message="OffsetCommitValue", version=VERSION, keep=("topic", "partition", "offset")
    )
    return job.job(unit_bytes)


@pytest.mark.parametrize("topic", ["007", "2026-03-01", "1d", "NaN", "-5", ".1"])
def test_names_of_topics_that_look_like_numbers_stay_text(session: SparkSession, tmp_path: Path, topic: str) -> None:
    write_commits(tmp_path / "logs" / f"{topic}-0", 3)
    run_job(session, decode(tmp_path / "logs"), tmp_path / "out", parquet_target(["topic", "partition"]))
    rows = session.read.parquet(str(tmp_path / "out")).select("topic", "partition").distinct().collect()
    assert [tuple(row) for row in rows] == [(topic, 0)]


def test_output_without_rows_has_its_columns(session: SparkSession, tmp_path: Path) -> None:
    frame = session.createDataFrame([], EMPTY_SCHEMA)
    names = ["topic", "partition", "epoch", "day"]
    frame.write.partitionBy(*names).parquet(str(tmp_path / "out"))
    keep_readable(tmp_path / "out", frame, names)
    found = session.read.parquet(str(tmp_path / "out"))
    assert found.schema.simpleString() == frame.schema.simpleString()
    assert found.collect() == []


def test_units_without_rows_stand_beside_others(session: SparkSession, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    write_commits(logs / "orders-0", 3)
    write_commits(logs / "orders-1", 3, bad=range(3))
    job = DecodeMessages(
        input=Input((str(logs),)), message="OffsetCommitValue", version=VERSION, mode="DROPMALFORMED"
    ).job(1)
    # Hadoop would take a path with escapes as it is.
    run_job(session, job, tmp_path / "the output", parquet_target(["topic", "partition"]))
    found = session.read.parquet(str(tmp_path / "the output"))
    assert sorted((row.unit, row.topic, row.partition) for row in found.collect()) == [(0, "orders", 0)] * 3


def test_columns_of_input_folders_are_kept_with_their_types(session: SparkSession, tmp_path: Path) -> None:
    """Each unit alone would take the days of the first for numbers, and a file alone would have none."""
    data = tmp_path / "some rows"
    for day in ("1", "2", "today"):
        frame = session.createDataFrame([(commit(int(day != "1")),)], "value binary")
        frame.coalesce(1).write.parquet(str(data / f"day={day}"))

    def days(*paths: Path) -> list[tuple[str, int]]:
        source = Input(tuple(map(str, paths)), "parquet")
        out = tmp_path / f"out{len(list(tmp_path.iterdir()))}"
        job = DecodeMessages(input=source, message="OffsetCommitValue", version=VERSION).job(1)
        summary = run_job(session, job, out, parquet_target())
        assert summary.units == summary.rows
        rows = session.read.parquet(str(out)).select("day", "message.offset").collect()
        return sorted((row.day, row.offset) for row in rows)

    assert days(data) == [("1", 0), ("2", 1), ("today", 1)]
    assert days(next((data / "day=today").glob("*.parquet"))) == [("today", 1)]
    assert days(data / "day=today") == [("today", 1)]


def test_another_spec_of_the_message_is_another_job(session: SparkSession, tmp_path: Path) -> None:
    from messagegen_arrow.catalog import Catalog  # noqa: PLC0415 - with the packages that are skipped without PySpark
    from messagegen_spark.jobs.unit_store import OutputError  # noqa: PLC0415

    spec = '{"type": "data", "name": "Pair", "validVersions": "0", "flexibleVersions": "none", "fields": [%s]}'
    field = '{"name": "%s", "type": "int32", "versions": "0+"}'

    def job(*names: str) -> Job:
        (tmp_path / "Pair.json").write_text(spec % ", ".join(field % name for name in names))
        catalog = Catalog.of_specs(tmp_path / "Pair.json")
        return DecodeMessages(input=Input((str(tmp_path / "logs"),)), message="Pair", version=0, catalog=catalog).job()

    write_commits(tmp_path / "logs" / "orders-0", 1)
    before = job("Low", "High")
    run_job(session, before, tmp_path / "out", parquet_target())
    assert run_job(session, job("Low", "High"), tmp_path / "out", parquet_target()).units_done_before == 1
    with pytest.raises(OutputError, match="catalog: the message specs differ"):
        run_job(session, job("High", "Low"), tmp_path / "out", parquet_target())
