"""Jobs from a store to a store give what they give on a disk, and go on there too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.dataset as ds
import pytest

from tests.arrow.support.broker_folder import write_log_dir
from tests.hdfs.fixtures import HdfsFolder, Place
from tests.spark.support.job_data import VERSION, write_commits
from tests.support.object_store import SECRET_KEY, Bucket

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from pyspark.errors import PySparkException

from messagegen_spark.jobs.conformance import Conformance, counts_target, total_counts
from messagegen_spark.jobs.decode import DecodeInternalTopics, DecodeMessages
from messagegen_spark.jobs.inputs import Input
from messagegen_spark.jobs.runner import Job, run_job
from messagegen_spark.jobs.sessions import probe_executors
from messagegen_spark.jobs.stored_files import stored_target
from messagegen_spark.jobs.targets import Target, Writer, parquet_target
from messagegen_spark.jobs.unit_store import UnitStore

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> SparkSession:
    Input(()).register(spark)
    return spark


def decode(path: str, unit_bytes: int) -> Job:
    source = Input((path,), options={"columns": "key,value,topic,partition,offset,timestamp,_error"})
    job = DecodeMessages(
        input=source, message="OffsetCommitValue", version=VERSION, keep=("topic", "partition", "offset")
    )
    return job.job(unit_bytes)


def internal(path: str, unit_bytes: int) -> Job:
    return DecodeInternalTopics(input=Input((path,)), mode="DROPMALFORMED").job(unit_bytes)


def downloaded(bucket: Place, key: str, to: Path) -> Path:
    for each in bucket.keys(f"{key}/"):
        file = to / each.removeprefix(f"{key}/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bucket.get(each))
    return to


def table(session: SparkSession, folder: Path) -> tuple[Any, list[Any]]:
    rows = session.read.parquet(str(folder))
    return rows.schema, sorted(map(str, rows.collect()))


def dying(target: Target, after: str) -> Target:
    """The target of a process that ends in the middle of a unit."""

    def writer(store: UnitStore) -> Writer:
        assert target.writer is not None
        whole = target.writer(store)

        def write(frame: Any, unit: Any, staged: Path) -> None:
            whole(frame, unit, staged)
            if unit.name == after:
                raise KeyboardInterrupt

        return write

    return replace(target, writer=writer, folders=None)


def test_what_workers_and_spark_write(session: SparkSession, bucket: Bucket, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "007-0", 30, segment_records=10, bad=[7])
    write_log_dir(tmp_path / "logs")
    bucket.put_folder(tmp_path / "logs", "logs")
    url = bucket.url_with_settings("logs")
    for make, folders in ((decode, ("topic", "partition")), (internal, ("topic", "recordType"))):
        name = f"{make.__name__}-{len(folders)}"
        local = run_job(session, make(str(tmp_path / "logs"), 1 << 30), tmp_path / name, parquet_target(folders))
        stored = run_job(session, make(url, 1 << 30), bucket.url_with_settings(name), stored_target(folders))
        assert (stored.rows, stored.malformed) == (local.rows, local.malformed)
        there = downloaded(bucket, name, tmp_path / f"stored-{name}")
        assert table(session, there) == table(session, tmp_path / name)
        places = [
            {file.parent.relative_to(each) for file in each.rglob("*.parquet")} for each in (there, tmp_path / name)
        ]
        assert places[0] == places[1]


def test_a_job_that_died_goes_on(session: SparkSession, place: Place, tmp_path: Path) -> None:
    write_commits(tmp_path / "orders-0", 40, segment_records=10)
    place.put_folder(tmp_path, "logs")
    job = replace(decode(place.url_with_settings("logs"), 1), files=None)
    out = place.url_with_settings("out")
    with pytest.raises(KeyboardInterrupt):
        run_job(session, job, out, dying(stored_target(), "000002"))
    assert len(place.keys("out/unit=")) == 2
    summary = run_job(session, job, out, stored_target())
    assert (summary.units, summary.units_done_before, summary.rows) == (4, 2, 40)
    rows = ds.dataset(downloaded(place, "out", tmp_path / "out"), partitioning="hive").to_table()
    assert sorted(rows["offset"].to_pylist()) == list(range(40))
    assert not place.keys("out/_staging")
    assert all(SECRET_KEY.encode() not in place.get(key) for key in place.keys("out/_"))


def test_counts_and_executors(session: SparkSession, bucket: Bucket, tmp_path: Path) -> None:
    write_log_dir(tmp_path / "logs")
    bucket.put_folder(tmp_path / "logs", "logs")
    job = Conformance(input=Input((bucket.url_with_settings("logs"),))).job()
    counts: list[Any] = []
    out = bucket.url_with_settings("out")
    run_job(session, job, out, counts_target(), lambda _: None, lambda store: counts.extend(total_counts(store)))
    assert sum(count.messages for count in counts) > 0
    assert bucket.keys("out/") == ["out/_job.json", "out/_units/000000.json", "out/unit=000000/_counts.json"]
    assert probe_executors(session, out).engines
    with pytest.raises(PySparkException, match="the bucket no-such-bucket-here does not exist"):
        probe_executors(session, f"s3://no-such-bucket-here/out?endpoint={bucket.endpoint}&anonymous=true")


def test_a_stream_from_hdfs_with_its_checkpoint_there(session: SparkSession, hdfs: HdfsFolder, tmp_path: Path) -> None:
    """Spark keeps the checkpoint and the rows by Hadoop's client; the source reads by its own."""
    read: list[int] = []
    out = hdfs.url_with_settings("out", "rows")
    for records in (20, 30):
        write_commits(tmp_path / "orders-0", records, segment_records=10)
        hdfs.put_folder(tmp_path, "logs")
        stream = session.readStream.format("kafka-log").load(hdfs.url_with_settings("logs")).select("offset")
        writer = stream.writeStream.option("checkpointLocation", hdfs.url_with_settings("out", "checkpoint"))
        writer.trigger(availableNow=True).format("parquet").start(out).awaitTermination()
        read.append(session.read.parquet(out).count())
    assert read == [20, 30]
    assert hdfs.keys("out/checkpoint/commits/")
