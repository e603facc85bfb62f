"""The rows of a run give the same page wherever they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyarrow import fs

from messagegen_arrow.histories.kinds import CONSUMER_LAG
from messagegen_arrow.histories.lag import LAG_HISTORY
from messagegen_arrow.tables.data_files import DataFileWriter
from messagegen_arrow.tables.table import Layout, Place
from tests.support.object_store import Bucket

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")
pytest.importorskip("matplotlib", reason="matplotlib is not installed: `make test` installs it")

from messagegen_spark.jobs.runner import JobSummary
from messagegen_spark.report.page import Run, run_page
from messagegen_spark.report.rows import FileInFolders, FileReader, FileRows, FrameRows, Rows
from messagegen_spark.schemas import spark_struct

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
FOLDERS = ("partition", "groupType", "isTombstone", "commitTimestamp")


def history() -> pa.Table:
    """Commits of groups whose names and types folders have to escape."""

    def row(offset: int) -> dict[str, object]:
        when = None if offset == 3 else NOON + timedelta(minutes=7 * (offset // 5), microseconds=5)
        return {
            "group": f"group {offset % 3}/ä", "topic": "orders", "partition": offset % 2, "lag": 100 - offset,
            "isTombstone": offset == 4, "commitTimestamp": when, "logTimestamp": NOON + timedelta(minutes=offset),
            "logOffset": offset, "groupType": "classic/old=1" if offset % 3 else None,
        }  # fmt: skip

    made = dict.fromkeys(LAG_HISTORY.names)
    return pa.Table.from_pylist([made | row(offset) for offset in range(20)], schema=LAG_HISTORY)


def page_of(rows: Rows) -> str:
    return run_page(Run(JobSummary(CONSUMER_LAG.name, 1, 0, 20, 0, 1.5), rows, None))


def files_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet"))


def test_one_page_for_all_places(spark: SparkSession, bucket: Bucket, tmp_path: Path) -> None:
    rows = history()
    frame = spark.createDataFrame(rows, spark_struct(LAG_HISTORY)).coalesce(1)
    expected = page_of(FrameRows(frame))
    assert expected.count("<svg") == 2
    assert "group 2/ä" in expected

    folder = tmp_path / "folder"
    frame.write.partitionBy(*FOLDERS).parquet(str(folder))
    names = files_below(folder)
    assert len(names) > 10
    reader = FileReader(LAG_HISTORY, "UTC")
    local = FileRows(spark, tuple(FileInFolders.of(str(folder / name), name) for name in names), reader)
    assert page_of(local) == expected

    bucket.put_folder(folder, "out")
    stored = tuple(FileInFolders.of(bucket.url_with_settings(f"out/{name}"), name) for name in names)
    assert page_of(FileRows(spark, stored, reader)) == expected

    place = Place(fs.LocalFileSystem(), str(tmp_path / "table"))
    layout = Layout(place, LAG_HISTORY, FOLDERS, has_partition_columns=False)
    written = [file.path for file in DataFileWriter(layout, "messagegen-job/0").write(rows.to_batches())]
    assert place.files("messagegen-job") == sorted(written)
    of_table = tuple(FileInFolders.of(place.full(name), name) for name in place.files("messagegen-job"))
    assert page_of(FileRows(spark, of_table, FileReader(LAG_HISTORY, "UTC", place.filesystem))) == expected
