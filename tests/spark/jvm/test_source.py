"""The source inside the JVM: rows, columns, filters, errors and streams."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as sf

from messagegen_kafka import EndTransactionRecord, MetadataResponse, OffsetCommitKey, OffsetCommitValue
from messagegen_spark import register
from messagegen_spark.jvm import NoJarError
from tests.arrow.support.log_data import TIME, Batch, Data, many_batches, marker, write_segment
from tests.native.record_batches import CODECS
from tests.spark.support.messages import RESPONSE
from tests.spark.support.metrics import scans_on_sql_page

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

Load = Callable[..., "DataFrame"]

COMMIT = OffsetCommitValue(offset=7, leader_epoch=2, metadata="m", commit_timestamp=TIME)


def written(folder: Path, *values: bytes | None) -> Path:
    write_segment(folder / "orders-0", 0, [Batch(0, [Data(value) for value in values]).encode()])
    return folder


def scan_of(frame: DataFrame, capfd: pytest.CaptureFixture[str]) -> str:
    """Return the line of the scan in the physical plan."""
    frame.explain()
    (line,) = (line for line in capfd.readouterr().out.splitlines() if "BatchScan" in line)
    return re.sub(r"#\d+L?", "", line)


@pytest.mark.slow
@pytest.mark.parametrize("codec", CODECS)
def test_all_rows_are_read_in_batches_of_any_size(load: Load, tmp_path: Path, codec: str) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 30, codec=codec))
    for size in ("1", "7", "32768"):
        frame = load(tmp_path, maxRecordsPerBatch=size)
        assert frame.count() == 90
        assert [row.offset for row in frame.select("offset").collect()] == list(range(90))


def test_spark_reads_only_the_columns_that_a_query_needs(
    spark: SparkSession, load: Load, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    frame = load(written(tmp_path, COMMIT.encode(version=3)), message="OffsetCommitValue", version="3")
    query = frame.where("partition = 0 and offset >= 0").select("message.commitTimestamp")
    line = scan_of(query, capfd)
    assert "[message, partition, offset]" in line
    assert "PushedFilters: [partition = 0, offset >= 0]" in line
    assert f"path: {tmp_path}, message: OffsetCommitValue, version: 3, mode: FAILFAST, PushedFilters" in line
    assert [tuple(row) for row in query.collect()] == [(TIME,)]
    assert any(f"path: {tmp_path}, message: OffsetCommitValue" in scan for scan in scans_on_sql_page(spark))
    assert "BatchScan kafka-log[]" in scan_of(frame.groupBy().count(), capfd)


@pytest.mark.parametrize(
    ("columns", "is_columnar"),
    [(["offset", "headers"], True), (["message.offset"], False), (["offset", "message"], False), (["_error"], True)],
)
def test_spark_reads_messages_as_rows_and_other_columns_as_batches(
    load: Load, tmp_path: Path, capfd: pytest.CaptureFixture[str], columns: list[str], is_columnar: bool
) -> None:
    frame = load(written(tmp_path, COMMIT.encode(version=3)), message="OffsetCommitValue", version="3")
    frame.select(*columns).explain()
    assert ("ColumnarToRow" in capfd.readouterr().out) == is_columnar


def test_the_source_is_reported_as_missing_without_its_jar(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("messagegen_spark.jvm.jar.JAR", "missing.jar")
    with pytest.raises(NoJarError, match="has no jar for Spark: in a clone of messagegen, run `make spark-wheel`"):
        register(spark)


def test_threads_started_later_find_the_source(spark: SparkSession, tmp_path: Path) -> None:
    """Each Python thread has a JVM thread of its own, and gets a new JVM thread after Ctrl-C."""
    logs = str(written(tmp_path, b"x"))
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(spark.read.format("kafka-log").load(logs).count()))
    thread.start()
    thread.join()
    assert counts == [1]


def test_values_are_decoded_to_messages(load: Load, tmp_path: Path) -> None:
    frame = load(written(tmp_path, COMMIT.encode(version=3), None), message="OffsetCommitValue", version="3")
    first, second = (row.message for row in frame.select("message").collect())
    assert first.asDict() == {"offset": 7, "leaderEpoch": 2, "metadata": "m", "commitTimestamp": TIME}
    assert second is None


def test_values_can_begin_with_their_versions(load: Load, tmp_path: Path) -> None:
    values = [version.to_bytes(2) + COMMIT_WITHOUT_EPOCH.encode(version=version) for version in (0, 3)]
    frame = load(written(tmp_path, *values), message="OffsetCommitValue", names="snake")
    assert [row.message.commit_timestamp for row in frame.collect()] == [TIME, TIME]


def test_errors_mention_a_missing_version(load: Load, tmp_path: Path) -> None:
    text = r"the value of the record at offset 0 can't be decoded: .*; without the option version, each value begins"
    with pytest.raises(Exception, match=text):
        load(written(tmp_path, COMMIT.encode(version=3)), message="OffsetCommitValue").collect()
    with pytest.raises(Exception, match=r"can't be decoded: (?!.*without the option version)"):
        load(written(tmp_path, b"x"), message="OffsetCommitValue", version="3").collect()


@pytest.mark.parametrize("read", ["read", "readStream"])
@pytest.mark.parametrize("schema", [None, "offset BIGINT"])
def test_load_fails_if_no_folder_can_be_read(
    spark: SparkSession, tmp_path: Path, read: str, schema: str | None
) -> None:
    def reader() -> Any:
        found = getattr(spark, read).format("kafka-log")
        return found if schema is None else found.schema(schema)

    there = str(written(tmp_path / "there", b"x"))
    with pytest.raises(Exception, match="no path was given; pass the folder of the logs"):
        reader().load()
    with pytest.raises(Exception, match=f"{tmp_path}/nowhere does not exist"):
        reader().load(f"{tmp_path}/nowhere")
    if read == "read":
        with pytest.raises(Exception, match=f"{tmp_path}/nowhere does not exist"):
            reader().load([there, f"file:{tmp_path}/nowhere"])
    assert reader().load(there).columns[0] == ("key" if schema is None else "offset")
    assert reader().load(f"{tmp_path}/the*/orders-*").columns


COMMIT_WITHOUT_EPOCH = OffsetCommitValue(offset=7, metadata="m", commit_timestamp=TIME)


def test_a_message_without_fields_is_an_empty_struct(load: Load, tmp_path: Path) -> None:
    frame = load(
        written(tmp_path, EndTransactionRecord().encode(version=0)), message="EndTransactionRecord", version="0"
    )
    assert [row.message.asDict() for row in frame.collect()] == [{}]


def test_nested_fields_are_selected(load: Load, tmp_path: Path) -> None:
    message = MetadataResponse.from_json(RESPONSE, version=12)
    frame = load(written(tmp_path, message.encode(version=12)), message="MetadataResponse", version="12")
    partitions = frame.select(sf.explode("message.topics").alias("topic")).select(
        "topic.name", "topic.partitions.leaderId"
    )
    assert [tuple(row) for row in partitions.collect()] == [("a", [1, 2])]
    (row,) = frame.select("message").collect()
    whole = row.message.asDict(recursive=True)
    assert whole["topics"][0]["topicId"] == "AAAAAAAAAAAAAAAAAAAAAA"
    assert [each["replicaNodes"] for each in whole["topics"][0]["partitions"]] == [[1], [1]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("partition = 1", [(1, 0), (1, 1), (1, 2)]),
        ("1 = partition and offset > 1", [(1, 2)]),
        ("partition in (0, 7) and offset <= 0", [(0, 0)]),
        ("topic = 'nothing'", []),
        (f"timestamp > timestamp_millis({TIME + 10})", []),
        (f"timestamp <= timestamp_millis({TIME}) and offset < 1", [(0, 0), (1, 0)]),
        ("partition = 1 and offset <> 1", [(1, 0), (1, 2)]),
        ("not offset > 0 and not partition = 0", [(1, 0)]),
        ("partition = 1 or offset = 2", [(0, 2), (1, 0), (1, 1), (1, 2)]),
    ],
)
def test_filters_select_rows(load: Load, tmp_path: Path, condition: str, expected: list[tuple[int, int]]) -> None:
    for number in range(2):
        write_segment(tmp_path / f"orders-{number}", 0, many_batches(0, 1))
    frame = load(tmp_path)
    found = frame.where(condition).select("partition", "offset").collect()
    assert sorted(map(tuple, found)) == expected
    # The same DataFrame is read again without the filter.
    assert frame.count() == 6


def test_columns_are_nullable_but_nested_fields_follow_the_spec(load: Load, tmp_path: Path) -> None:
    frame = load(written(tmp_path), message="MetadataResponse", version="12")
    assert all(field.nullable for field in frame.schema)
    brokers: Any = frame.select("message.brokers").schema["brokers"].dataType.jsonValue()
    assert not brokers["containsNull"]
    assert {field["name"] for field in brokers["elementType"]["fields"] if field["nullable"]} == {"rack"}


def test_fields_have_the_comments_of_the_spec(load: Load, tmp_path: Path) -> None:
    frame = load(written(tmp_path), message="MetadataResponse", version="12")
    topics: Any = frame.select("message.topics").schema["topics"]
    assert topics.metadata == {"comment": "Topics asked for, or all topics.", "kafka.type": "[]MetadataResponseTopic"}
    assert topics.dataType.elementType["name"].metadata["kafka.type"] == "string"


def test_a_schema_chooses_columns_and_fields(spark: SparkSession, tmp_path: Path) -> None:
    written(tmp_path, COMMIT.encode(version=3))
    read = spark.read.format("kafka-log").options(message="OffsetCommitValue", version="3")
    frame = read.schema("offset BIGINT, message STRUCT<metadata: STRING>").load(str(tmp_path))
    (row,) = frame.collect()
    assert row.asDict(recursive=True) == {"offset": 0, "message": {"metadata": "m"}}
    with pytest.raises(Exception, match="column offset has the type bigint, not int; ask for that type"):
        read.schema("offset INT").load(str(tmp_path)).collect()


def test_an_unreadable_value_has_an_error(load: Load, tmp_path: Path) -> None:
    good = COMMIT.encode(version=3)
    options = {"message": "OffsetCommitValue", "version": "3"}
    frame = load(written(tmp_path, good, good[:-1]), **options)
    with pytest.raises(Exception, match="the value of the record at offset 1 can't be decoded: commitTimestamp: "):
        frame.collect()
    rows = load(tmp_path, **options, mode="PERMISSIVE").select("message.offset", "_error").collect()
    assert [row[0] for row in rows] == [7, None]
    assert (rows[0][1], rows[1][1].path) == (None, "commitTimestamp")


def test_values_that_cannot_be_decoded_are_left_out_or_kept_with_their_bytes(load: Load, tmp_path: Path) -> None:
    good = COMMIT.encode(version=3)
    options = {"message": "OffsetCommitValue", "version": "3"}
    logs = written(tmp_path, good, good[:-1], b"", good)
    assert [row.offset for row in load(logs, **options, mode="DROPMALFORMED").collect()] == [0, 3]
    rows = load(logs, **options, mode="PERMISSIVE").select("offset", "message.offset", "_raw").collect()
    assert [tuple(row) for row in rows] == [(0, 7, None), (1, None, good[:-1]), (2, None, b""), (3, 7, None)]
    segment = re.escape(str(tmp_path / "orders-0" / f"{0:020}.log"))
    with pytest.raises(
        Exception, match=f"{segment}: the value of the record at offset 1 can't be decoded: .*PERMISSIVE"
    ):
        load(logs, **options).collect()


def test_transaction_markers_are_not_decoded_as_messages(load: Load, tmp_path: Path) -> None:
    batch = Batch(0, [Data(COMMIT.encode(version=3))]).encode()
    write_segment(tmp_path / "orders-0", 0, [batch, marker(1, 7, commit=True)])
    rows = load(tmp_path, message="OffsetCommitValue", version="3", includeControl="true").collect()
    assert [(row.isControl, row.message is None) for row in rows] == [(False, False), (True, True)]


def test_bytes_that_may_be_secret_are_not_shown(load: Load, tmp_path: Path) -> None:
    broken = bytearray(Batch(1, [Data(b"secret")]).encode())
    broken[-1] ^= 1
    write_segment(tmp_path / "users-0", 0, [Batch(0, [Data(b"secret")]).encode(), bytes(broken)])
    options = {"message": "UserScramCredentialRecord", "version": "0", "mode": "PERMISSIVE"}
    hidden, shown = (
        [bytes(row["_raw"]) for row in load(tmp_path, **options, includeSecrets=secrets).collect()]
        for secrets in ("false", "true")
    )
    assert hidden == [b"<redacted>", b"<redacted>"]
    assert shown == [b"secret", bytes(broken)]


def test_sensitive_fields_have_no_column(load: Load, tmp_path: Path) -> None:
    options = {"message": "UserScramCredentialRecord", "version": "0"}
    shown = load(tmp_path, **options, includeSecrets="true").schema["message"].simpleString()
    hidden = load(tmp_path, **options).schema["message"].simpleString()
    assert "storedKey" in shown
    assert "storedKey" not in hidden


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"message": "Nothing"}, "option message: unknown message Nothing; for one of your own, also pass its plan"),
        (
            {"message": "OfsetCommitValeu"},
            "option message: unknown message OfsetCommitValeu; did you mean OffsetCommitValue",
        ),
        (
            {"message": "OffsetCommitValue", "plan": OffsetCommitKey.CODEC.plan},
            "option plan: this is the plan of OffsetCommitKey, not of OffsetCommitValue",
        ),
        ({"message": "OffsetCommitValue", "version": "9"}, "the message has no version 9"),
        ({"message": "OffsetCommitValue", "names": "java"}, "option names: expected kafka or snake"),
        (
            {"message": "OffsetCommitValue", "limits": "1,2"},
            "option limits: expected four numbers, or names such as array_length=2000000, not '1,2'",
        ),
        ({"columns": "offset,nothing"}, "kafka-log has no column nothing; the columns are key, value"),
        ({"columns": "offset,offset"}, "option columns: offset is given twice"),
        ({"version": "3"}, "option version needs message, such as message=OffsetCommitValue"),
        ({"fields": "offset", "message": "OffsetCommitValue"}, "kafka-log has no option fields; known options: assign"),
    ],
)
def test_wrong_options_are_refused_with_advice(
    load: Load, tmp_path: Path, options: dict[str, str], expected: str
) -> None:
    with pytest.raises(Exception, match=expected):
        load(tmp_path, **options)
