"""Jobs in the session of the tests: what they write and count, and how they go on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from messagegen_kafka import MetadataRequest, MetadataResponse, OffsetCommitValue, RequestHeader, ResponseHeader
from messagegen_kafka.metadata_request import MetadataRequestTopic
from tests.arrow.support.log_data import Batch, Data, marker, write_segment
from tests.spark.support.job_data import (
    VERSION,
    commit,
    group_record,
    read_output,
    unit_names,
    write_commits,
    written_job,
)

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_arrow.conformance import Count
from messagegen_arrow.log.files import LogPathError
from messagegen_arrow.log.tasks import find_tasks
from messagegen_spark.jobs.conformance import Conformance, counts_target, total_counts
from messagegen_spark.jobs.decode import DecodeFrames, DecodeInternalTopics, DecodeMessages
from messagegen_spark.jobs.histories import ConsumerLagHistory, MetadataHistory
from messagegen_spark.jobs.inputs import KAFKA_CAPTURE, Input
from messagegen_spark.jobs.runner import Job, JobSummary, Progress, run_job
from messagegen_spark.jobs.sessions import ExecutorError, probe_executors
from messagegen_spark.jobs.targets import Target, Writer, parquet_target
from messagegen_spark.jobs.unit_store import OutputError, UnitStore
from messagegen_spark.jobs.units import Unit

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> SparkSession:
    Input(()).register(spark)
    return spark


def run(session: SparkSession, job: Job, output: Path, *partition_by: str) -> JobSummary:
    return run_job(session, job, output, parquet_target(partition_by))


def decode(logs: Path, unit_bytes: int = 1 << 30, **more: Any) -> Job:
    return DecodeMessages(input=Input((str(logs),)), message="OffsetCommitValue", version=VERSION, **more).job(
        unit_bytes
    )


def test_decode_keeps_and_counts_what_is_wrong(session: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 500, bad=[3, 250])
    damaged = bytearray(Batch(500, [Data(commit(500))]).encode())
    damaged[-1] ^= 1
    write_segment(tmp_path / "logs" / "orders-1", 500, [bytes(damaged), Batch(501, [Data(None)]).encode()])
    out = tmp_path / "out"
    summary = run(session, decode(tmp_path / "logs"), out, "topic", "partition")
    assert (summary.units, summary.rows, summary.malformed) == (1, 502, 3)
    rows = read_output(out)
    good = [row for row in rows if not row["_error"] and row["message"] and not row["message"]["_error"]]
    assert [row["message"]["offset"] for row in good] == [n for n in range(500) if n not in (3, 250)]
    assert [row["message"]["_raw"] for row in rows if row["offset"] in (3, 250)] == [commit(n)[:-3] for n in (3, 250)]
    assert [row["message"] for row in rows if row["offset"] == 501] == [None]
    (broken,) = [row for row in rows if row["_error"]]
    assert "checksum" in broken["_error"]["message"]
    assert (out / "unit=000000" / "topic=orders" / "partition=1").is_dir()


def test_modes_drop_or_fail(session: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 200, bad=[7])
    summary = run(session, decode(tmp_path / "logs", mode="DROPMALFORMED"), tmp_path / "dropped")
    assert (summary.rows, summary.malformed) == (200, 1)
    assert [row["offset"] for row in read_output(tmp_path / "dropped")] == [n for n in range(200) if n != 7]
    with pytest.raises(Exception, match="only 5 are left"):
        run(session, decode(tmp_path / "logs", mode="FAILFAST"), tmp_path / "failed")
    assert unit_names(tmp_path / "failed") == []


def test_only_what_is_asked_for_is_kept(session: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 10)
    job = decode(tmp_path / "logs", keep=("partition", "offset"), options={"fields": ["offset"], "names": "snake"})
    run(session, job, tmp_path / "out")
    rows = read_output(tmp_path / "out")
    assert {name for row in rows for name in row} == {"partition", "offset", "message", "_error", "unit"}
    assert rows[4]["message"] == {"offset": 4, "_error": None, "_raw": None}


def test_workers_write_what_spark_would_write(session: SparkSession, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    write_commits(logs / "orders-0", 30, bad=[7])
    write_commits(logs / "orders-1", 20)
    keep = ("path", "headers", "timestamp", "topic", "partition", "offset")
    asked: list[tuple[dict[str, Any], tuple[str, ...]]] = [
        ({"keep": keep}, ("topic", "partition")),
        ({"options": {"uuid": "binary"}, "mode": "DROPMALFORMED"}, ()),
    ]
    for number, (more, folders) in enumerate(asked):
        job = decode(logs, **more)
        assert job.files is not None
        by_workers, by_spark = tmp_path / f"workers-{number}", tmp_path / f"spark-{number}"
        found = run(session, job, by_workers, *folders)
        expected = run(session, replace(job, files=None), by_spark, *folders)
        assert (found.rows, found.malformed) == (expected.rows, expected.malformed) == (50, 1)
        ours, theirs = (session.read.parquet(str(out)) for out in (by_workers, by_spark))
        assert ours.schema == theirs.schema
        order = ["topic", "partition", "offset"]
        assert ours.sort(order).collect() == theirs.sort(order).collect()
        places = [{file.parent.relative_to(out) for file in out.rglob("*.parquet")} for out in (by_workers, by_spark)]
        assert places[0] == places[1]


def test_a_unit_of_which_nothing_is_left_has_its_columns(session: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 1, bad=[0])
    job = decode(tmp_path / "logs", mode="DROPMALFORMED")
    for number, folders in enumerate([("topic", "partition"), ()]):
        out = tmp_path / f"out-{number}"
        assert run(session, job, out, *folders).malformed == 1
        assert "message" in session.read.parquet(str(out)).columns


def test_attempts_write_files_of_their_own(tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 30)
    job = decode(tmp_path / "logs")
    assert job.files is not None
    files = job.files(Unit("000000", (str(tmp_path / "logs"),), 0), ("topic",))
    assert files is not None
    (task,) = find_tasks(files.options)
    first, second = (list(files.writer.write(task, tmp_path)) for _ in range(2))
    assert [file.rows for file in first] == [file.rows for file in second] == [30]
    assert len({file.path for file in (*first, *second)}) == 2
    assert all((tmp_path / file.path).parent == tmp_path / "topic=orders" for file in (*first, *second))


@pytest.mark.parametrize(
    ("more", "folders"), [({"column": "headers"}, ()), ({"keep": ("offset", "nothing")}, ()), ({}, ("key",))]
)
def test_spark_writes_what_workers_do_not(tmp_path: Path, more: dict[str, Any], folders: tuple[str, ...]) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 1)
    job = decode(tmp_path / "logs", **more)
    assert job.files is not None
    assert job.files(Unit("000000", (str(tmp_path / "logs"),), 0), folders) is None


def dying(after: int) -> Target:
    """The target of a process that ends in the middle of a unit."""

    def writer(store: UnitStore) -> Writer:
        of = parquet_target().writer
        assert of is not None
        whole = of(store)

        def write(frame: Any, unit: Any, staged: Path) -> None:
            whole(frame, unit, staged)
            if int(unit.name) == after:
                raise KeyboardInterrupt

        return write

    return replace(parquet_target(), writer=writer, folders=None)


def test_a_job_that_died_goes_on(session: SparkSession, tmp_path: Path) -> None:
    logs, out = tmp_path / "logs", tmp_path / "out"
    write_commits(logs / "orders-0", 4_000, segment_records=1_000)
    job = decode(logs, unit_bytes=1)
    with pytest.raises(KeyboardInterrupt):
        run_job(session, job, out, dying(after=2))
    assert unit_names(out) == ["unit=000000", "unit=000001"]
    assert len(read_output(out)) == 2_000, "what is done can be read"
    before = [path.stat().st_mtime_ns for path in sorted(out.glob("unit=*/*.parquet"))]
    write_segment(logs / "orders-0", 4_000, [Batch(4_000, [Data(commit(4_000))]).encode()])
    seen: list[Progress] = []
    summary = run_job(session, job, out, parquet_target(), seen.append)
    assert (summary.units, summary.units_done_before, summary.rows) == (4, 2, 4_000)
    assert [(each.units, each.units_done) for each in seen] == [(4, 2), (4, 2), (4, 2), (4, 3), (4, 4)]
    assert before == [path.stat().st_mtime_ns for path in sorted(out.glob("unit=00000[01]/*.parquet"))]
    assert [row["offset"] for row in read_output(out)] == list(range(4_000)), "what came later is of another job"
    with pytest.raises(OutputError, match=r"other arguments \(mode\)"):
        run(session, decode(logs, mode="FAILFAST"), out)


def test_transactions_are_not_cut(session: SparkSession, tmp_path: Path) -> None:
    """The mark that a transaction was aborted may stand in another segment than its records."""
    folder = tmp_path / "logs" / "orders-0"
    aborted = Batch(0, [Data(commit(0))], producer_id=5, producer_epoch=0, base_sequence=0, transactional=True)
    write_segment(folder, 0, [aborted.encode()])
    write_segment(folder, 1, [marker(1, 5, commit=False), Batch(2, [Data(commit(2))]).encode()])
    committed = Input((str(folder),), options={"isolationLevel": "read_committed"})
    job = DecodeMessages(input=committed, message="OffsetCommitValue", version=VERSION).job(1)
    run(session, job, tmp_path / "out")
    assert [row["offset"] for row in read_output(tmp_path / "out")] == [2]


def test_any_format_can_be_the_input(session: SparkSession, tmp_path: Path) -> None:
    rows = [
        (number, 3 if number % 2 else 4, OffsetCommitValue(offset=number).encode(version=3 + (number + 1) % 2))
        for number in range(20)
    ]
    frame = session.createDataFrame(rows, "id long, version int, bytes binary")
    frame.repartition(2).write.parquet(str(tmp_path / "rows"))
    source = Input((str(tmp_path / "rows"),), "parquet")
    job = DecodeMessages(input=source, message="OffsetCommitValue", version="version", column="bytes").job(1)
    summary = run(session, job, tmp_path / "out")
    assert (summary.units, summary.rows, summary.malformed) == (2, 20, 0)
    found = session.read.parquet(str(tmp_path / "out")).collect()
    assert sorted((row.id, row.version, row.message.offset) for row in found) == [(n, v, n) for n, v, _ in rows]


def internal_logs(folder: Path) -> Path:
    records = [group_record("g", "orders", 0, offset) for offset in (3, 7, 12)]
    write_segment(
        folder / "__consumer_offsets-4", 0, [Batch(0, records).encode(), Batch(3, [Data(b"?", b"?")]).encode()]
    )
    other = [group_record("h", "orders", 1, 1), Data(None, group_record("h", "orders", 1, 1).key)]
    write_segment(folder / "__consumer_offsets-5", 0, [Batch(0, other).encode()])
    return folder


def test_internal_topics_are_decoded(session: SparkSession, tmp_path: Path) -> None:
    source = Input((str(internal_logs(tmp_path / "logs")),))
    job = DecodeInternalTopics(input=source, types=("OffsetCommit",)).job()
    summary = run(session, job, tmp_path / "out", "topic", "recordType")
    assert (summary.rows, summary.malformed) == (6, 1)
    rows = read_output(tmp_path / "out")
    assert [row["OffsetCommit"]["value"]["offset"] for row in rows if row["partition"] == 4 and not row["_error"]] == [
        3,
        7,
        12,
    ]
    assert [row["isTombstone"] for row in rows if row["partition"] == 5] == [False, True]


def test_other_topics_want_the_name_of_their_message(session: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 3)
    source = Input((str(tmp_path / "logs"),))
    with pytest.raises(
        ValueError, match=r"no internal topic of Kafka in the input, only orders: name the message .*--message NAME"
    ):
        run(session, DecodeInternalTopics(input=source).job(), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert DecodeInternalTopics(input=source, mode="DROPMALFORMED").job().plan(session)


def test_partitions_of_offsets_are_units_of_the_history(session: SparkSession, tmp_path: Path) -> None:
    source = Input((str(internal_logs(tmp_path / "logs")),))
    summary = run(session, ConsumerLagHistory(input=source).job(1), tmp_path / "out")
    assert (summary.units, summary.malformed) == (2, 1)
    rows = [
        (row["group"], row["offset"], row["previousOffset"], row["isTombstone"])
        for row in read_output(tmp_path / "out")
    ]
    assert sorted(rows, key=str) == [
        ("g", 12, 7, False),
        ("g", 3, None, False),
        ("g", 7, 3, False),
        ("h", 1, None, False),
        ("h", None, 1, True),
    ]


@pytest.mark.parametrize("history", [ConsumerLagHistory, MetadataHistory])
def test_histories_keep_nothing_that_cannot_be_read(history: type[ConsumerLagHistory | MetadataHistory]) -> None:
    with pytest.raises(ValueError, match="expected mode DROPMALFORMED or FAILFAST, not 'PERMISSIVE'"):
        history(input=Input(("/logs",)), mode="PERMISSIVE").job()


def test_histories_want_the_logs_of_one_broker(session: SparkSession, tmp_path: Path) -> None:
    internal_logs(tmp_path / "broker-1")
    internal_logs(tmp_path / "broker-2")
    source = Input((str(tmp_path / "broker-1"), str(tmp_path / "broker-2")))
    with pytest.raises(LogPathError, match="give the logs of one broker"):
        run(session, ConsumerLagHistory(input=source).job(), tmp_path / "out")
    with pytest.raises(LogPathError, match="no __cluster_metadata"):
        run(session, MetadataHistory(input=Input((str(tmp_path / "broker-1"),))).job(), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def conformance(
    session: SparkSession, output: Path, job: Job
) -> tuple[JobSummary, dict[tuple[str, int | None], Count]]:
    counts: list[Count] = []
    summary = run_job(session, job, output, counts_target(), on_done=lambda store: counts.extend(total_counts(store)))
    return summary, {(count.message, count.version): count for count in counts}


def test_conformance_finds_what_is_not_the_same_bytes(session: SparkSession, tmp_path: Path) -> None:
    good = [OffsetCommitValue(offset=number, metadata="m").encode(version=4) for number in range(10)]
    # The compact length of "m", 1 + 1, as a varint of two bytes: other bytes, the same message.
    at = good[0].index(b"\x02m")
    long = good[0][:at] + b"\x82\x00m" + good[0][at + 2 :]
    extra = good[1][:-1] + b"\x01\x63\x02ab"  # an unknown tagged field, which has to survive
    values = [*good, long, good[2][:-2], extra]
    folder = tmp_path / "logs" / "orders-0"
    write_segment(folder, 0, [Batch(0, [Data(value) for value in values[:7]]).encode()])
    write_segment(folder, 7, [Batch(7, [Data(value) for value in values[7:]]).encode()])
    job = Conformance(input=Input((str(folder),)), message="OffsetCommitValue", version=4).job(1)
    summary, found = conformance(session, tmp_path / "out", job)
    assert (summary.units, summary.rows, summary.malformed) == (2, 13, 1)
    count = found["OffsetCommitValue", 4]
    assert (count.messages, count.different, count.malformed) == (13, 1, 1)
    assert count.bytes == sum(map(len, values))
    assert count.reason
    again, same = conformance(session, tmp_path / "out", job)
    assert (again.units_done_before, same) == (2, found)


def test_conformance_tells_records_apart(session: SparkSession, tmp_path: Path) -> None:
    logs = internal_logs(tmp_path / "logs")
    write_segment(logs / "orders-0", 0, [marker(0, 5, commit=True), Batch(1, [Data(b"not ours")]).encode()])
    summary, found = conformance(session, tmp_path / "out", Conformance(input=Input((str(logs),))).job())
    counted = {key: (count.messages, count.different, count.malformed) for key, count in found.items()}
    assert counted == {
        ("EndTxnMarker", 0): (1, 0, 0),
        ("OffsetCommitKey", 0): (5, 0, 0),
        ("OffsetCommitValue", 3): (4, 0, 0),
        ("__consumer_offsets (unknown)", None): (1, 0, 1),
    }
    assert summary.malformed == 1


def test_a_unit_may_have_nothing_to_compare(session: SparkSession, tmp_path: Path) -> None:
    logs = internal_logs(tmp_path / "logs")
    write_segment(logs / "orders-0", 0, [Batch(0, [Data(b"not ours")]).encode()])
    summary, found = conformance(session, tmp_path / "out", Conformance(input=Input((str(logs),))).job(1))
    assert (summary.units, summary.malformed, found["OffsetCommitKey", 0].messages) == (3, 1, 5)


def test_executors_are_asked_what_they_have(session: SparkSession, tmp_path: Path) -> None:
    found = probe_executors(session, tmp_path)
    assert found.engines in {("native",), ("python",)}
    with pytest.raises(ExecutorError, match=r"have no access to .*nowhere"):
        probe_executors(session, tmp_path / "nowhere")


def test_the_job_says_what_it_is(session: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 1)
    run(session, decode(tmp_path / "logs"), tmp_path / "out")
    job = written_job(tmp_path / "out")
    assert (job["job"], job["arguments"]["message"]) == ("decode", "OffsetCommitValue")


def captured_frames(path: Path) -> None:
    """A frame dump of two requests, the response of the first, and one of nobody."""
    request = MetadataRequest(topics=(MetadataRequestTopic(name="orders"),))
    frames = []
    for correlation_id in (1, 2):
        header = RequestHeader(
            request_api_key=3, request_api_version=9, correlation_id=correlation_id, client_id="tests"
        )
        frame = header.encode(version=2) + request.encode(version=9)
        frames.append({"dir": "request", "correlation_id": correlation_id, "hex": frame.hex()})
    answer = ResponseHeader(correlation_id=1).encode(version=1) + MetadataResponse(controller_id=7).encode(version=9)
    frames.append({"dir": "response", "correlation_id": 1, "hex": answer.hex()})
    frames.append(
        {"dir": "response", "correlation_id": 99, "hex": answer.replace(bytes(3) + b"\1", bytes(3) + b"c", 1).hex()}
    )
    lines = [{"conn": 1, "t": number, "api_key": 3, "api_version": 9, **frame} for number, frame in enumerate(frames)]
    del lines[-1]["api_key"], lines[-1]["api_version"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_frames_of_captures_are_decoded_and_compared(session: SparkSession, tmp_path: Path) -> None:
    captured_frames(tmp_path / "frames.jsonl")
    source = Input((str(tmp_path),), KAFKA_CAPTURE)
    source.register(session)
    summary = run(session, DecodeFrames(input=source).job(), tmp_path / "out", "apiName")
    assert (summary.rows, summary.malformed) == (4, 1)
    rows = session.read.parquet(str(tmp_path / "out")).collect()
    assert sorted((row.apiName or "", row.direction) for row in rows if not row["_error"]) == [
        ("Metadata", "request"),
        ("Metadata", "request"),
        ("Metadata", "response"),
    ]
    only = DecodeFrames(input=source, message="MetadataResponse", mode="DROPMALFORMED").job()
    run(session, only, tmp_path / "only")
    assert [row.body.controllerId for row in session.read.parquet(str(tmp_path / "only")).collect()] == [7]
    summary, found = conformance(session, tmp_path / "counts", Conformance(input=source).job())
    counted = {key: (count.messages, count.different, count.malformed) for key, count in found.items()}
    assert counted == {
        ("MetadataRequest", 9): (2, 0, 0),
        ("MetadataResponse", 9): (1, 0, 0),
        ("RequestHeader", 2): (2, 0, 0),
        ("ResponseHeader", 1): (1, 0, 0),
        ("(not readable)", None): (1, 0, 1),
    }
