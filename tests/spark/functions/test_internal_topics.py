from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import messagegen_kafka as kafka
from messagegen_spark.functions.internal_topics import decode_internal_topics
from tests.arrow.support.internal_records import Record, coordinator_record, int16, metadata_record

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

OFFSETS = "__consumer_offsets"
KEY = {"group": "billing", "topic": "orders", "partition": 3}
COMMIT = coordinator_record(OFFSETS, "OffsetCommit", KEY, kafka.OffsetCommitValue(offset=7, metadata="m"), 3)
DELETION = coordinator_record(OFFSETS, "OffsetCommit", KEY)
UNKNOWN = Record(OFFSETS, int16(99), int16(0))
TOPIC = metadata_record(kafka.TopicRecord(name="orders"))
MARK = Record("orders", b"\0\0\0\1", b"\0\0\0\0\0\5", is_control=True)
SCHEMA = "topic string, partition int, offset long, key binary, value binary, isControl boolean"


@pytest.fixture
def frame(spark: SparkSession) -> Callable[..., DataFrame]:
    def of(*records: Record) -> DataFrame:
        rows = [(each.topic, 0, offset, each.key, each.value, each.is_control) for offset, each in enumerate(records)]
        return spark.createDataFrame(rows, SCHEMA)

    return of


def test_records_of_several_topics_are_decoded_to_json(frame: Callable[..., DataFrame]) -> None:
    decoded = decode_internal_topics(frame(COMMIT, DELETION, UNKNOWN, TOPIC, MARK))
    assert decoded.columns == [
        "topic",
        "partition",
        "offset",
        "isControl",
        "recordType",
        "keyVersion",
        "valueVersion",
        "isTombstone",
        "key",
        "value",
        "_error",
        "_raw",
    ]
    rows = decoded.orderBy("offset").collect()
    assert [row.recordType for row in rows] == ["OffsetCommit", "OffsetCommit", None, "TopicRecord", "COMMIT"]
    assert [row.isTombstone for row in rows] == [False, True, False, False, False]
    assert rows[0].value == '{"offset":7,"leaderEpoch":-1,"metadata":"m","commitTimestamp":0}'
    assert rows[1].value is None
    assert rows[2]["_error"].message.startswith("__consumer_offsets: unknown record type 99")
    assert (bytes(rows[2]["_raw"].key), bytes(rows[2]["_raw"].value)) == (UNKNOWN.key, UNKNOWN.value)
    assert rows[4].value == '{"coordinatorEpoch":5}'


def test_record_types_become_columns(frame: Callable[..., DataFrame]) -> None:
    from pyspark.sql import Observation  # noqa: PLC0415 - PySpark is loaded by the fixture

    seen = Observation()
    types = {"OffsetCommit": ["key.group", "value.offset"], "TopicRecord": None}
    decoded = decode_internal_topics(
        frame(COMMIT, DELETION, UNKNOWN, TOPIC), types, "DROPMALFORMED", keep=["offset"], observe=seen
    )
    rows = decoded.orderBy("offset").select("offset", "OffsetCommit.*", "TopicRecord.name").collect()
    assert [tuple(row) for row in rows] == [
        (0, ("billing",), (7,), None),
        (1, ("billing",), None, None),
        (3, None, None, "orders"),
    ]
    assert seen.get == {"rows": 4, "malformed": 1}


def test_frames_without_a_topic_column_need_a_topic(frame: Callable[..., DataFrame]) -> None:
    source = frame(COMMIT).drop("topic", "isControl")
    with pytest.raises(ValueError, match=r"no column topic; if all records are of one topic"):
        decode_internal_topics(source)
    (row,) = decode_internal_topics(source, topic=OFFSETS).collect()
    assert row.recordType == "OffsetCommit"
    with pytest.raises(ValueError, match="no column key, value"):
        decode_internal_topics(source.drop("key", "value"), topic=OFFSETS)
    with pytest.raises(ValueError, match="keep names orders, but the columns are"):
        decode_internal_topics(source, topic=OFFSETS, keep=["orders"])
