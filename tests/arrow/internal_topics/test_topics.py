from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import messagegen_kafka as kafka
from messagegen_arrow.internal_topics.record_types import RecordFamily, RecordType
from tests.arrow.support.internal_records import (
    COMMIT_KEY,
    EVERY,
    FAMILIES,
    OFFSETS,
    Record,
    commit,
    coordinator_record,
    metadata_record,
    random_record,
    read,
)
from tests.arrow.support.messages import as_kafkas_json

SECRETS = {"UserScramCredentialRecord": {"salt", "storedKey", "serverKey"}}


def test_every_topic_has_the_expected_number_of_record_types() -> None:
    counts = {family.name: len(family.types) for family in FAMILIES}
    assert counts == {
        "__consumer_offsets": 22,
        "__transaction_state": 1,
        "__share_group_state": 2,
        "__cluster_metadata": 27,
        "__remote_log_metadata": 3,
        "control records": 7,
    }
    assert len(EVERY) == 83


def _kafka_json(message: str, data: bytes, version: int) -> Any:
    """Return the generated class's JSON form; values that are not JSON numbers have upstream's spelling.

    Columns have no unknown tagged fields, which make a struct differ from its default.
    """
    decoded = getattr(kafka, message).decode(data, version=version)
    body = kafka.rewrite(decoded, version=version, drop_unknown_tagged_fields=True).to_json(version=version)
    return as_kafkas_json({name: body[name] for name in body if name not in SECRETS.get(message, ())})


def _without_protocol(value: Any) -> Any:
    if isinstance(value, dict) and "members" in value:
        added = {"consumerSubscription", "consumerAssignment"}
        members = [{name: each[name] for name in each if name not in added} for each in value["members"]]
        return value | {"members": members}
    return value


@pytest.mark.parametrize(
    ("family", "record_type", "version"), EVERY, ids=[f"{each[1].name}-{each[2]}" for each in EVERY]
)
def test_json_equals_the_json_of_generated_classes(family: RecordFamily, record_type: RecordType, version: int) -> None:
    random = Random(f"{record_type.name} {version}")
    records = [random_record(random, family, record_type, version) for _ in range(30)]
    assert record_type.value is not None
    for record, row in zip(records, read(records), strict=True):
        assert (row["recordType"], row["valueVersion"], row["_error"]) == (record_type.name, version, None)
        assert not row["isTombstone"]
        assert record.value is not None
        skip = len(record.value) - len(_body(record, family, record_type))
        expected = _kafka_json(record_type.value.name, record.value[skip:], version)
        found = json.loads(row["value"])
        if record_type.name == "ConfigRecord" and found["value"] == "<redacted>":
            expected["value"] = "<redacted>"
        assert _without_protocol(found) == expected
        if record_type.key is not None:
            assert record.key is not None
            assert json.loads(row["key"]) == _kafka_json(record_type.key.name, record.key[2:], 0)
            assert row["keyVersion"] == record_type.number


def _body(record: Record, family: RecordFamily, record_type: RecordType) -> bytes:
    assert record.value is not None
    prefixes = {
        "coordinator": 2,
        "metadata": 3,
        "remote-log-metadata": 2,
        "control": 2 * (not record_type.version_is_a_field),
    }
    return record.value[prefixes[family.framing] :]


def test_tombstones_are_distinguished_from_records() -> None:
    deleted = coordinator_record(OFFSETS, "OffsetCommit", COMMIT_KEY)
    of_commit, of_deletion = read([commit(), deleted], ["OffsetCommit"])
    assert of_commit["isTombstone"] is False
    assert of_commit["OffsetCommit"]["value"]["offset"] == 7
    assert of_deletion["isTombstone"] is True
    assert of_deletion["valueVersion"] is None
    assert of_deletion["OffsetCommit"] == {"key": COMMIT_KEY, "value": None}
    assert of_deletion["_error"] is None


def test_overlong_varints_are_read_as_in_kafka() -> None:
    plain = metadata_record(kafka.TopicRecord(name="orders"))
    assert plain.value is not None
    overlong = Record(plain.topic, None, b"\x81\0\x82\x80\0\x80\0" + plain.value[3:])
    rows = read([plain, overlong, plain], ["TopicRecord"])
    assert [row["TopicRecord"]["name"] for row in rows] == ["orders"] * 3
