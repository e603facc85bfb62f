"""``kafka-capture`` in Spark, and frames decoded in DataFrames."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Observation
from pyspark.sql.datasource import CaseInsensitiveDict
from pyspark.sql.types import IntegerType, StructField, StructType

from messagegen_arrow.capture.columns import CAPTURE_COLUMNS
from messagegen_arrow.capture.options import CaptureOptions
from messagegen_arrow.options import OptionError
from messagegen_kafka import MetadataResponse
from messagegen_spark import from_kafka_frame, pair_frames
from messagegen_spark.sources.capture import CaptureInputPartition, KafkaCaptureDataSource
from tests.arrow.support.capture_traffic import (
    conversation,
    frames_of,
    request,
    response,
    sized,
    write_dump,
    write_pcap,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

in_spark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]
SAID = conversation(4)


def with_marks(test: Any) -> Any:
    for mark in in_spark:
        test = mark(test)
    return test


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> SparkSession:
    spark.dataSource.register(KafkaCaptureDataSource)
    return spark


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A packet capture, and the same frames as a dump."""
    write_pcap(tmp_path / "a.pcap", [*SAID, (False, sized(response(99)))])
    frames = [*frames_of(SAID), ("response", response(99))]
    write_dump(
        tmp_path / "b.jsonl",
        [{"conn": 1, "dir": way, "t": at, "hex": data.hex()} for at, (way, data) in enumerate(frames)],
    )
    return tmp_path


def load(session: SparkSession, folder: Path, **options: str) -> DataFrame:
    return session.read.format("kafka-capture").options(**options).load(str(folder))


def test_a_schema_chooses_fields_of_decoded_frames(tmp_path: Path) -> None:
    capture = write_pcap(tmp_path / "a.pcap", SAID)
    source = KafkaCaptureDataSource(CaseInsensitiveDict({"path": str(capture), "message": "MetadataResponse"}))
    body = StructType([StructField("throttleTimeMs", IntegerType())])
    reader = source.reader(StructType([StructField("BODY", body)]))
    batches = cast("Iterator[pa.RecordBatch]", reader.read(CaptureInputPartition((str(capture),))))
    (batch,) = batches
    assert batch.schema.names == ["BODY"]
    assert [row["BODY"].keys() for row in batch.to_pylist()] == [{"throttleTimeMs"}] * 4


@with_marks
def test_both_kinds_of_files_give_the_same_frames(session: SparkSession, folder: Path) -> None:
    frame = load(session, folder)
    assert frame.columns == list(CAPTURE_COLUMNS)
    rows = [row.asDict(recursive=True) for row in frame.collect()]
    same = ["direction", "apiKey", "apiVersion", "correlationId", "clientId", "size", "frame", "_error", "_raw"]
    found = {
        name: [[row[column] for column in same] for row in rows if row["path"].endswith(name)]
        for name in ("a.pcap", "b.jsonl")
    }
    assert found["a.pcap"] == found["b.jsonl"]
    assert [(row[0], row[6]) for row in found["a.pcap"]] == [*frames_of(SAID), ("response", response(99))]
    first, second = rows[0], rows[1]
    assert first["streamOffset"] == second["streamOffset"] == 0
    assert first["requestTime"] is None
    assert second["requestTime"] == first["time"]


@with_marks
def test_bodies_as_json_and_as_columns(session: SparkSession, folder: Path) -> None:
    frame = load(session, folder)
    observation = Observation()
    mixed = from_kafka_frame(frame, observe=observation, keep=["direction", "clientId"])
    rows = mixed.collect()
    assert observation.get == {"rows": 18, "malformed": 2}
    assert {row.apiName for row in rows if row["_error"] is None} == {"Metadata"}
    unpaired = [row for row in rows if row["_error"] is not None]
    assert [row["_raw"] for row in unpaired] == [b"<redacted>"] * 2
    assert {row["_error"].message.split(":")[0] for row in unpaired} == {"UNPAIRED"}
    bodies = [json.loads(row.bodyJson) for row in rows if row.direction == "response" and row["_error"] is None]
    expected = MetadataResponse.decode(response(1)[5:], version=9).to_json(version=9)
    assert bodies == [expected] * 8
    typed = from_kafka_frame(frame, "MetadataResponse", fields=["brokers.host"], keep=["correlationId"])
    assert sorted(
        (row.correlationId, row.header.correlationId, row.body.brokers[0].host) for row in typed.collect()
    ) == [(number // 2, number // 2, "b1") for number in range(2, 10)]
    assert {row.messageVersion for row in typed.collect()} == {9}


@with_marks
def test_modes(session: SparkSession, folder: Path) -> None:
    frame = load(session, folder)
    dropped = from_kafka_frame(frame, mode="dropmalformed")
    assert dropped.count() == 16
    assert "_error" not in dropped.columns
    with pytest.raises(
        PySparkException, match=r"UNPAIRED: .*, row \d+ of its batch\); mode PERMISSIVE keeps such rows"
    ):
        from_kafka_frame(frame, mode="FAILFAST").collect()
    assert load(session, folder, mode="DROPMALFORMED").count() == 16
    with pytest.raises(PySparkException, match=r"UNPAIRED: .*127\.0\.0\.1:40000 > 127\.0\.0\.1:9092 #1"):
        load(session, folder / "a.pcap", mode="FAILFAST").collect()
    with pytest.raises(ValueError, match="two columns named apiName and two named header"):
        from_kafka_frame(frame.selectExpr("*", "1 as header", "2 as apiName"))


@with_marks
def test_names_with_dots_and_quotes_are_names(session: SparkSession, folder: Path) -> None:
    odd = load(session, folder / "a.pcap").withColumnRenamed("path", "a`b").withColumnRenamed("connection", "c.d")
    decoded = from_kafka_frame(odd, keep=["a`b", "c.d"], mode="DROPMALFORMED")
    assert decoded.columns[:2] == ["a`b", "c.d"]
    assert {(row["a`b"], row.apiName) for row in decoded.collect()} == {(str(folder / "a.pcap"), "Metadata")}
    unpaired = odd.drop("apiKey", "apiVersion").withColumnRenamed("time", "t`")
    paired = pair_frames(unpaired, connection="c.d", time="t`")
    assert paired.where("apiKey = 3").count() == 8


@with_marks
def test_frames_of_other_sources_are_paired_in_spark(session: SparkSession) -> None:
    rows = [
        ("a", 1, "request", request(-5, version=5)),
        ("b", 1, "request", request(-5, version=8)),
        ("a", 2, "response", response(-5, version=5)),
        ("a", 3, "request", request(-5, version=9)),
        ("a", 3, "response", response(-5, version=9)),
        ("b", 2, "response", response(6)),
        ("b", 3, "response", b"\0"),
    ]
    frame = session.createDataFrame(rows, "connection string, time int, direction string, frame binary")
    paired = {(row.connection, row.time, row.direction): row for row in pair_frames(frame).collect()}
    known = {key: (row.apiKey, row.apiVersion, row.correlationId, row.requestTime) for key, row in paired.items()}
    assert known == {
        ("a", 1, "request"): (3, 5, -5, None),
        ("b", 1, "request"): (3, 8, -5, None),
        ("a", 2, "response"): (3, 5, -5, 1),
        ("a", 3, "request"): (3, 9, -5, None),
        ("a", 3, "response"): (3, 9, -5, 3),
        ("b", 2, "response"): (None, None, 6, None),
        ("b", 3, "response"): (None, None, None, None),
    }
    decoded = from_kafka_frame(frame).collect()
    assert sorted(row.messageVersion for row in decoded if row["_error"] is None) == [5, 5, 8, 9, 9]
    reasons = {row["_error"].message for row in decoded if row["_error"] is not None}
    assert reasons == {"unknown API key and version: pair_frames finds the request of a response"}
    with pytest.raises(ValueError, match="pairing frames needs the columns connection"):
        pair_frames(frame.drop("connection"))


@with_marks
def test_it_works_in_sql_and_with_some_columns(session: SparkSession, folder: Path) -> None:
    session.sql(f"CREATE TEMPORARY VIEW traffic USING `kafka-capture` OPTIONS (path '{folder}', ports '9092')")
    row = session.sql("SELECT count(*) AS n, count(requestTime) AS answered FROM traffic").first()
    assert row is not None
    assert (row.n, row.answered) == (18, 8)
    session.catalog.dropTempView("traffic")
    some = load(session, folder, columns="apiKey,Direction")
    assert some.columns == ["apiKey", "direction"]
    assert some.count() == 18
    with pytest.raises(PySparkException, match="column apiKey has the type smallint, not int"):
        session.read.format("kafka-capture").schema("apiKey int").load(str(folder)).collect()


def test_wrong_uses_say_what_is_right() -> None:
    frame: Any = None
    with pytest.raises(ValueError, match="versions and fields need message="):
        from_kafka_frame(frame, fields=["brokers"])
    with pytest.raises(LookupError, match="did you mean"):
        from_kafka_frame(frame, "MetadataRespons")


def test_a_task_reads_a_file_or_a_folder(folder: Path) -> None:
    def tasks(**options: str) -> list[tuple[str, ...]]:
        source = KafkaCaptureDataSource(CaseInsensitiveDict({"path": str(folder), **options}))
        partitions = source.reader(source.schema()).partitions()
        return [task.paths for task in partitions if isinstance(task, CaptureInputPartition)]

    both = (str(folder / "a.pcap"), str(folder / "b.jsonl"))
    assert tasks() == [(both[0],), (both[1],)]
    assert tasks(continuous="true") == [both]


def test_options_are_parsed() -> None:
    options = CaptureOptions.parse(
        {
            "paths": '["/a", "/b"]',
            "PORTS": "9092, 19092-19094",
            "brokers": "10.0.0.1:9092,[fd00::1]:9092,fd00::2,10.0.0.2",
            "maxFrameBytes": "1m",
            "maxReorderBytes": "64k",
            "maxConnections": "7",
            "mode": "failfast",
        }
    )
    assert options.paths == ("/a", "/b")
    assert options.mode == "FAILFAST"
    settings = options.settings
    assert settings.ports == (range(9092, 9093), range(19092, 19095))
    six = bytes.fromhex("fd00") + bytes(13)
    assert settings.brokers == {
        (b"\x0a\0\0\1", 9092),
        (b"\x0a\0\0\2", None),
        (six + b"\1", 9092),
        (six + b"\2", None),
    }
    assert (settings.max_frame_bytes, settings.max_reorder_bytes, settings.max_connections) == (1 << 20, 1 << 16, 7)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("port", "1", "kafka-capture has no option port; did you mean ports?"),
        ("ports", "9092-", "option ports: expected numbers and ranges up to 65535 such as 0,3,8-11, not '9092-'"),
        ("ports", "9094-9092", "option ports: expected numbers and ranges"),
        ("brokers", "kafka1:9092", "expected IP addresses with or without port"),
        ("brokers", ",", "expected a list"),
        ("maxFrameBytes", "2g", "expected a number of bytes up to 1073741824"),
        ("maxConnections", "0", "expected a whole number of at least 1"),
        ("continuous", "yes", "expected true or false, not 'yes'"),
        ("mode", "strict", "expected mode PERMISSIVE or FAILFAST or DROPMALFORMED"),
    ],
)
def test_wrong_options_say_what_is_right(option: str, value: str, message: str) -> None:
    with pytest.raises(OptionError, match=message.replace("?", r"\?")):
        CaptureOptions.parse({"path": "/a", option: value})


def test_columns_that_there_are_not_say_which_are_near() -> None:
    source = KafkaCaptureDataSource(CaseInsensitiveDict({"path": "/a", "columns": "apikeys"}))
    with pytest.raises(ValueError, match=r"kafka-capture has no column apikeys; did you mean apiKey\?"):
        source.schema()
