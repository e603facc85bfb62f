"""A history can be made from folders, files and rows, even with damage."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import messagegen_kafka as kafka
from messagegen_arrow import HistoryCounts, MalformedMessageError, metadata_history, read_log
from messagegen_arrow.log.errors import LogPathError
from tests.arrow.histories.metadata.records import FOLDER, changes, config, topic
from tests.arrow.support.history_data import ORDERS, PAYMENTS, PAYMENTS_ID, log_rows, second, write_log
from tests.arrow.support.internal_records import Record, metadata_record


def test_the_history_of_a_topic_is_read_from_a_damaged_log(tmp_path: Path) -> None:
    partition = kafka.PartitionRecord(partition_id=0, topic_id=ORDERS, replicas=(1,), isr=(1,), leader=1)
    leader = kafka.PartitionChangeRecord(partition_id=0, topic_id=ORDERS, leader=2)
    tombstone = Record("__cluster_metadata", b"key", None)
    cut_off = Record("__cluster_metadata", None, (topic().value or b"")[:-1])
    messages = [metadata_record(each) for each in (partition, leader, kafka.RemoveTopicRecord(topic_id=ORDERS))]
    records = [topic(), *messages[:2], tombstone, cut_off, messages[2], topic("orders", PAYMENTS), config("3")]
    write_log(tmp_path / FOLDER, records)
    counts = HistoryCounts()
    rows = pa.table(metadata_history(tmp_path, counts=counts)).to_pylist()
    assert (counts.rows, counts.malformed) == (8, 2)
    assert [(row["offset"], row["name"], row["action"], row["value"]) for row in rows if row["offset"] > 1] == [
        (2, "orders-0", "changed", "2"),
        (5, "orders", "removed", None),
        (5, "orders-0", "removed", None),
        (5, "orders-0", "removed", None),
        (5, "orders-0", "removed", None),
        (6, "orders", "created", PAYMENTS_ID),
        (7, "topic orders", "created", "3"),
    ]
    assert {row["timestamp"] for row in rows if row["offset"] == 5} == {second(5)}
    with pytest.raises(MalformedMessageError, match=r"\(.*byte"):
        list(metadata_history(tmp_path, "failfast"))


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["orders-0"], "no __cluster_metadata in "),
        ([f"a/{FOLDER}", f"b/{FOLDER}"], "replicas of the same partition: pass the logs of one broker only"),
    ],
)
def test_other_topics_and_several_replicas_of_a_partition_are_refused(
    names: list[str], reason: str, tmp_path: Path
) -> None:
    paths = [write_log(tmp_path / name, [topic()]).parent for name in names]
    with pytest.raises(LogPathError, match=reason):
        metadata_history(paths)


def test_rows_out_of_log_order_are_refused(tmp_path: Path) -> None:
    rows = log_rows([config("1"), config("2")])
    with pytest.raises(ValueError, match="the log has no column key, offset: read it with read_log"):
        metadata_history(rows.drop_columns(["key", "offset"]))
    with pytest.raises(ValueError, match="not in the order of their offsets: sort them by topic, partition and offset"):
        pa.table(metadata_history(rows.take([1, 0])))
    write_log(tmp_path / FOLDER, [config("1")])
    assert len(changes(read_log(tmp_path))) == 1
