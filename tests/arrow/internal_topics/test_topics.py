from __future__ import annotations

import json
import math
import pickle
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import default_catalog
from messagegen_arrow.columns.base64_text import base64_column
from messagegen_arrow.internal_topics.contents import Contents
from messagegen_arrow.internal_topics.reading import RecordReader
from messagegen_arrow.internal_topics.record_types import RecordFamily, RecordType
from tests.arrow.support.internal_records import (
    COMMIT_KEY,
    EVERY,
    FAMILIES,
    OFFSETS,
    Record,
    batch_of,
    commit,
    coordinator_record,
    group_record,
    metadata_record,
    random_record,
    read,
    record_type_names,
    scram_record,
)

SECRETS = {"UserScramCredentialRecord": {"salt", "storedKey", "serverKey"}}


def test_every_topic_has_its_types() -> None:
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
    """The JSON form that the generated class gives, with what has no number in JSON as upstream's Jackson writes it."""
    body = getattr(kafka, message).decode(data, version=version).to_json(version=version)
    return _without_odd_floats({name: body[name] for name in body if name not in SECRETS.get(message, ())})


def _without_odd_floats(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_odd_floats(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_without_odd_floats(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _without_protocol(value: Any) -> Any:
    if isinstance(value, dict) and "members" in value:
        added = {"consumerSubscription", "consumerAssignment"}
        members = [{name: each[name] for name in each if name not in added} for each in value["members"]]
        return value | {"members": members}
    return value


@pytest.mark.parametrize(
    ("family", "record_type", "version"), EVERY, ids=[f"{each[1].name}-{each[2]}" for each in EVERY]
)
def test_json_is_that_of_generated_classes(family: RecordFamily, record_type: RecordType, version: int) -> None:
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


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_structs_say_what_json_says(seed: int) -> None:
    random = Random(seed)
    chosen = [random.choice(EVERY) for _ in range(40)]
    records = [random_record(random, *each) for each in chosen]
    as_json = read(records)
    as_structs = read(records, record_type_names())
    for (_, record_type, _), text, row in zip(chosen, as_json, as_structs, strict=True):
        content = row.get(record_type.name)
        value = content["value"] if content and record_type.key is not None else content
        fields = json.loads(text["value"])
        if content is None:
            assert fields == {}
            continue
        assert _plain(value, fields) == fields
        others = [name for name in record_type_names() if name != record_type.name and row.get(name) is not None]
        assert others == []


def _plain(value: Any, like: Any) -> Any:
    """The value of a column, without the fields that the JSON of this version and these defaults does not have."""
    if isinstance(like, dict):
        return {name: _plain(value[name], each) for name, each in like.items()}
    if isinstance(like, list):
        return [_plain(each, other) for each, other in zip(value, like, strict=True)]
    if isinstance(value, bytes):
        return base64_column(pa.array([value]))[0].as_py()
    return _without_odd_floats(value)


def test_tombstones_are_told_from_records() -> None:
    deleted = coordinator_record(OFFSETS, "OffsetCommit", COMMIT_KEY)
    of_commit, of_deletion = read([commit(), deleted], ["OffsetCommit"])
    assert of_commit["isTombstone"] is False
    assert of_commit["OffsetCommit"]["value"]["offset"] == 7
    assert of_deletion["isTombstone"] is True
    assert of_deletion["valueVersion"] is None
    assert of_deletion["OffsetCommit"] == {"key": COMMIT_KEY, "value": None}
    assert of_deletion["_error"] is None


def test_versions_share_a_column() -> None:
    rows = read([commit(version=version) for version in (0, 1, 3, 4)], ["OffsetCommit"])
    values = [row["OffsetCommit"]["value"] for row in rows]
    assert [row["valueVersion"] for row in rows] == [0, 1, 3, 4]
    assert [value["expireTimestamp"] for value in values] == [None, -1, None, None]
    assert [value["leaderEpoch"] for value in values] == [None, None, -1, -1]


def test_overlong_varints_are_read_as_upstream_reads_them() -> None:
    plain = metadata_record(kafka.TopicRecord(name="orders"))
    assert plain.value is not None
    overlong = Record(plain.topic, None, b"\x81\0\x82\x80\0\x80\0" + plain.value[3:])
    rows = read([plain, overlong, plain], ["TopicRecord"])
    assert [row["TopicRecord"]["name"] for row in rows] == ["orders"] * 3


def test_an_empty_batch_has_all_columns() -> None:
    decoded, malformed = RecordReader(Contents.of(["OffsetCommit"])).read(batch_of([]))
    assert len(decoded) == len(malformed) == 0
    assert decoded.type.names == [
        "recordType",
        "keyVersion",
        "valueVersion",
        "isTombstone",
        "OffsetCommit",
        "_error",
        "_raw",
    ]


def test_slices_of_arrays_are_read_where_they_lie() -> None:
    whole = batch_of([commit(1), Record(OFFSETS, None, None), commit(2), commit(3)])
    sliced = type(whole)(whole.keys.slice(2), whole.values.slice(2), whole.topics.slice(2))
    decoded, _ = RecordReader(Contents.of(["OffsetCommit"])).read(sliced)
    assert [row["OffsetCommit"]["value"]["offset"] for row in decoded.to_pylist()] == [2, 3]
    protocol = group_record()
    group = batch_of([commit(), protocol, protocol])
    late = type(group)(group.keys.slice(1), group.values.slice(1), group.topics.slice(1))
    for row in RecordReader(Contents.of(None)).read(late)[0].to_pylist():
        assert json.loads(row["value"])["members"][0]["consumerSubscription"]["topics"] == ["orders"]


def test_readers_travel() -> None:
    reader = RecordReader(Contents.of(record_type_names()))
    copy = pickle.loads(pickle.dumps(reader))
    batch = batch_of([commit(), group_record(), scram_record()])
    assert copy.read(batch)[0].equals(reader.read(batch)[0])


def test_the_generator_states_the_same_types() -> None:
    from messagegen import record_types as generator  # noqa: PLC0415 - optional beside the pipeline

    described = (generator.Described(each.name, each.kind, each.api_key) for each in default_catalog())
    expected = {(each.family, each.number, each.name) for each in generator.record_types(described)}
    found = {(family.name, number, each.name) for family in FAMILIES for number, each in family.types.items()}
    assert found == expected
    assert {family.name: family.framing for family in FAMILIES} == generator.FAMILIES
