"""The rows of internal topics from a real broker equal the output of Apache's own tools."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pytest

from messagegen_arrow.internal_topics.contents import Contents
from messagegen_arrow.internal_topics.reading import RecordBatch, RecordReader
from messagegen_kafka import read_records
from tests.broker.cluster import Cluster
from tests.broker.dump_log import DECODERS, dumped

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("broker")]

_COORDINATED: Final = re.compile(r"key: (?P<key>.*?) payload: (?P<value>.*)")
_SECRETS: Final = ("salt", "storedKey", "serverKey")


_SEEN: Final = {
    "__consumer_offsets": {
        "OffsetCommit",
        "GroupMetadata",
        "ConsumerGroupMetadata",
        "ShareGroupMetadata",
        "COMMIT",
    },
    "__transaction_state": {"TransactionLog"},
    "__share_group_state": {"ShareSnapshot", "ShareUpdate"},
    "__cluster_metadata": {
        "TopicRecord",
        "PartitionRecord",
        "ClientQuotaRecord",
        "RemoveAccessControlEntryRecord",
        "LEADER_CHANGE",
        "SNAPSHOT_HEADER",
        "SNAPSHOT_FOOTER",
    },
}
"""The record types that must occur."""


def read_file(path: Path, topic: str) -> dict[int, dict[str, Any]]:
    """Return our rows of a segment or snapshot, by offset, with parsed JSON content."""
    internal = RecordReader(Contents.of(None), "PERMISSIVE")
    found: dict[int, dict[str, Any]] = {}
    for records in read_records(path.read_bytes()):
        batch = RecordBatch(
            keys=pa.array([each.key for each in records.records], pa.binary()),
            values=pa.array([each.value for each in records.records], pa.binary()),
            topics=pa.repeat(pa.scalar(topic), len(records.records)),
            is_control=pa.repeat(records.is_control, len(records.records)),
        )
        decoded, malformed = internal.read(batch)
        assert not any(malformed.to_pylist()), decoded.to_pylist()
        for record, row in zip(records.records, decoded.to_pylist(), strict=True):
            found[record.offset] = row | {part: row[part] and json.loads(row[part]) for part in ("key", "value")}
    return found


@pytest.mark.parametrize("topic", DECODERS)
def test_dump_log_prints_the_same_values_for_each_record(busy_cluster: Cluster, topic: str) -> None:
    folders = busy_cluster.log_dir().glob(f"{topic}-*")
    files = [path for folder in folders for path in sorted([*folder.glob("*.log"), *folder.glob("*.checkpoint")])]
    seen: set[str] = set()
    for path, theirs in dumped(files, topic).items():
        # The broker continues to write, so our rows may contain later records.
        ours = read_file(path, topic)
        assert set(theirs) <= set(ours)
        for offset, text in theirs.items():
            seen.add(ours[offset]["recordType"])
            compare(ours[offset], text, topic)
    assert seen >= _SEEN[topic]
    assert topic != "__cluster_metadata" or {path.suffix for path in files} == {".log", ".checkpoint"}


def compare(row: dict[str, Any], text: str, topic: str) -> None:
    if text.startswith("endTxnMarker: "):
        epoch = row["value"]["coordinatorEpoch"]
        assert text == f"endTxnMarker: {row['recordType']} coordinatorEpoch: {epoch}"
    elif match := re.match(r"(LeaderChange|SnapshotHeader|SnapshotFooter|KRaftVersion|KRaftVoters):? (\{.*)", text):
        assert row["recordType"].replace("_", "").lower() == match[1].lower()
        assert row["value"] == json.loads(match[2])
    elif topic == "__cluster_metadata":
        said = json.loads(text.removeprefix("payload: "))
        assert said["type"] == re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[a-z])(?=[0-9])", "_", row["recordType"]).upper()
        assert said["version"] == row["valueVersion"]
        assert {name: each for name, each in said["data"].items() if name not in _SECRETS} == row["value"]
    else:
        compare_coordinated(row, text)


def compare_coordinated(row: dict[str, Any], text: str) -> None:
    match = _COORDINATED.match(text)
    assert match, text
    assert json.loads(match["key"]) == {"type": str(row["keyVersion"]), "data": row["key"]}
    if match["value"] == "<DELETE>":
        assert row["isTombstone"]
        return
    said = json.loads(match["value"])
    assert said["version"] == str(row["valueVersion"])
    assert said["data"] == as_upstream(row)


def as_upstream(row: dict[str, Any]) -> Any:
    """Return a row's value as upstream prints it: decoded subscriptions replace their bytes; our rows have both."""
    value = row["value"]
    if row["recordType"] != "GroupMetadata" or value["protocolType"] != "consumer":
        return value
    return value | {"members": [_member(each) for each in value["members"]]}


def _member(member: dict[str, Any]) -> dict[str, Any]:
    plain = {name: each for name, each in member.items() if name not in ("consumerSubscription", "consumerAssignment")}
    for name, message in (("subscription", "consumerSubscription"), ("assignment", "consumerAssignment")):
        found = member[message]
        assert found["_error"] is None
        # Fields that the version lacks are null in our rows, but absent in upstream's output.
        lacking = {"ownedPartitions": 1, "generationId": 2, "rackId": 3} if name == "subscription" else {}
        plain[name] = {
            field: each
            for field, each in found.items()
            if field not in ("version", "_error") and found["version"] >= lacking.get(field, 0)
        }
    return plain
