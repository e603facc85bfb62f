from __future__ import annotations

import json
import math
import pickle
from base64 import b64encode
from dataclasses import replace
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kafka_messages as kafka
from kafka_messages.consumer_protocol_assignment import TopicPartition
from kafka_messages.group_metadata_value import MemberMetadata
from messagegen_spark import Catalog, columns, default_catalog
from messagegen_spark.internal_topics import record_type_names, schema_of_internal_topic
from messagegen_spark.internal_topics.base64_columns import base64_column
from messagegen_spark.internal_topics.contents import Contents, arrow_type
from messagegen_spark.internal_topics.json_columns import json_column
from messagegen_spark.internal_topics.reading import RecordReader
from messagegen_spark.internal_topics.record_types import RecordFamily, RecordType, record_families
from tests.pipeline.internal_records import (
    FAMILIES,
    Record,
    batch_of,
    coordinator_record,
    int16,
    metadata_record,
    random_record,
    read,
)

OFFSETS = "__consumer_offsets"
COMMIT_KEY = {"group": "billing", "topic": "orders", "partition": 3}
EVERY = [
    (family, each, version)
    for family in FAMILIES
    for each in family.types.values()
    if each.value is not None
    for version in each.value.versions
]
SECRETS = {"UserScramCredentialRecord": {"salt", "storedKey", "serverKey"}}


def commit(offset: int = 7, version: int = 4, **more: Any) -> Record:
    value = kafka.OffsetCommitValue(offset=offset, metadata="by hand", commit_timestamp=1000, **more)
    return coordinator_record(OFFSETS, "OffsetCommit", COMMIT_KEY, value, version)


def test_every_topic_has_its_types() -> None:
    counts = {family.name: len(family.types) for family in FAMILIES}
    assert counts == {
        "__consumer_offsets": 22,
        "__transaction_state": 1,
        "__share_group_state": 2,
        "__cluster_metadata": 26,
        "__remote_log_metadata": 3,
        "control records": 7,
    }
    assert len(EVERY) == 82
    assert record_type_names("__share_group_state") == ("ShareSnapshot", "ShareUpdate")
    assert record_type_names("control records")[:2] == ("ABORT", "COMMIT")
    with pytest.raises(LookupError, match="orders has no known records; there are __consumer_offsets,"):
        record_type_names("orders")


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
        if record_type.name == "ConfigRecord" and found["value"] == "(redacted)":
            expected["value"] = "(redacted)"
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


@pytest.mark.parametrize(
    ("record", "path", "reason"),
    [
        (Record(OFFSETS, int16(99) + b"x", int16(0)), "", "__consumer_offsets has no type 99 that is known here"),
        (Record(OFFSETS, None, b"\0\0"), "key", "the key is null"),
        (Record(OFFSETS, b"\0", b"\0\0"), "key", "the key is too short"),
        (Record(OFFSETS, commit().key, b"\0"), "value", "the value is too short"),
        (Record(OFFSETS, commit().key, b""), "value", "the value is too short"),
        (
            Record(OFFSETS, commit().key, int16(5) + b"x"),
            "value",
            "OffsetCommitValue has the versions 0 to 4 here, not 5",
        ),
        (Record(OFFSETS, commit().key, int16(-1) + b"x"), "value", "has the versions 0 to 4 here, not -1"),
        (Record(OFFSETS, int16(1) + b"\0", commit().value), "key.group", ""),
        (Record(OFFSETS, (commit().key or b"") + b"!", commit().value), "key", "1 bytes are left"),
        (Record(OFFSETS, commit().key, (commit().value or b"")[:6]), "value.offset", ""),
        (Record("__cluster_metadata", None, None), "value", "the value is null"),
        (Record("__cluster_metadata", None, b""), "value", "the frame before the record is damaged"),
        (Record("__cluster_metadata", None, b"\0\2\0"), "value", "frames have the version 1"),
        (Record("__cluster_metadata", None, b"\2\2\0"), "value", "frames have the version 1"),
        (Record("__cluster_metadata", None, b"\1\2"), "value", "the frame before the record is damaged"),
        (Record("__cluster_metadata", None, b"\1" + b"\xff" * 5), "value", "the frame before the record is damaged"),
        (
            Record("__cluster_metadata", None, b"\1\xff\xff\xff\xff\x0f\0"),
            "value",
            "the frame before the record is damaged",
        ),
        (Record("__cluster_metadata", None, b"\1\xe7\7\0"), "", "__cluster_metadata has no type 999"),
        (Record("orders", b"k", b"v"), "topic", "the topic orders is none whose records are known"),
        (Record(None, b"k", b"v"), "topic", r"the topic (null) is none"),
        (Record("orders", b"\0\0\0", b"\0\0", is_control=True), "key", "the key is too short"),
        (Record("orders", b"\0\0\0\1", None, is_control=True), "value", "the value is null"),
        (Record("orders", b"\0\0\0\x63", b"\0\0", is_control=True), "", "control records has no type 99"),
    ],
)
def test_what_cannot_be_read_is_named_and_kept(record: Record, path: str, reason: str) -> None:
    before, row, after = read([commit(1), record, commit(2)], ["OffsetCommit"])
    assert row["_error"]["path"] == path
    assert reason in row["_error"]["message"]
    assert row["_raw"] == {"key": record.key, "value": record.value}
    assert [each["OffsetCommit"]["value"]["offset"] for each in (before, after)] == [1, 2]
    assert before["_error"] is before["_raw"] is None


def test_a_damaged_value_leaves_the_key() -> None:
    (row,) = read([Record(OFFSETS, commit().key, int16(9))], ["OffsetCommit"])
    assert row["OffsetCommit"] == {"key": COMMIT_KEY, "value": None}
    assert (row["recordType"], row["valueVersion"]) == ("OffsetCommit", 9)
    (row,) = read([Record(OFFSETS, commit().key, (commit().value or b"")[:-1])])
    assert json.loads(row["key"]) == COMMIT_KEY
    assert row["value"] is None
    # Bytes count from the start of the record's value, prefix and all.
    assert row["_error"]["offset"] > 2


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


def test_damage_of_the_log_is_handed_on() -> None:
    batch = batch_of([commit(), Record(OFFSETS, None, None)])
    error = {"message": "the checksum is wrong", "path": "crc", "offset": 17}
    with_damage = type(batch)(
        batch.keys,
        batch.values,
        batch.topics,
        errors=pa.array(
            [None, error], pa.struct([("message", pa.string()), ("path", pa.string()), ("offset", pa.int64())])
        ),
        raws=pa.array([None, b"batch"], pa.binary()),
    )
    decoded, _ = RecordReader(Contents.of(None)).read(with_damage)
    good, bad = decoded.to_pylist()
    assert good["recordType"] == "OffsetCommit"
    assert bad["_error"] == error
    assert bad["_raw"] == {"key": None, "value": b"batch"}


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


# The bytes of members of groups.


def group_record(protocol_type: str = "consumer", subscription: bytes | None = None, assignment: bytes = b"") -> Record:
    if subscription is None:
        message = kafka.ConsumerProtocolSubscription(topics=("orders",), rack_id="rack-a")
        subscription = int16(3) + message.encode(version=3)
    member = MemberMetadata(
        member_id="m", client_id="c", client_host="h", subscription=subscription, assignment=assignment
    )
    value = kafka.GroupMetadataValue(protocol_type=protocol_type, members=(member,))
    return coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, value, 3)


def member_of(record: Record, **options: Any) -> dict[str, Any]:
    (row,) = read([record], ["GroupMetadata"], **options)
    assert row["_error"] is None
    member: dict[str, Any] = row["GroupMetadata"]["value"]["members"][0]
    return member


def test_subscriptions_and_assignments_are_read() -> None:
    assigned = kafka.ConsumerProtocolAssignment(
        assigned_partitions=(TopicPartition(topic="orders", partitions=(0, 1)),)
    )
    data = int16(1) + assigned.encode(version=1)
    member = member_of(group_record(assignment=data))
    assert member["consumerSubscription"]["version"] == 3
    assert member["consumerSubscription"]["rackId"] == "rack-a"
    assert member["assignment"] == data
    assert member["consumerAssignment"] == {
        "version": 1,
        "assignedPartitions": [{"topic": "orders", "partitions": [0, 1]}],
        "userData": None,
        "_error": None,
    }
    snake = member_of(group_record(assignment=data), names="snake")
    assert snake["consumer_assignment"]["assigned_partitions"][0]["topic"] == "orders"


@pytest.mark.parametrize(
    ("protocol_type", "data", "reason"),
    [
        ("connect", b"\0\1abc", "groups of the protocol type 'connect' have no ConsumerProtocolSubscription here"),
        ("consumer", b"\0", "the version takes 2 bytes"),
        ("consumer", int16(4) + b"x", "ConsumerProtocolSubscription has the versions 0 to 3, not 4"),
        ("consumer", int16(-1) + b"x", "ConsumerProtocolSubscription has the versions 0 to 3, not -1"),
        ("consumer", int16(1) + b"\0", ""),
    ],
)
def test_bytes_of_other_protocols_stay_bytes(protocol_type: str, data: bytes, reason: str) -> None:
    member = member_of(group_record(protocol_type, data))
    assert member["subscription"] == data
    found = member["consumerSubscription"]
    assert reason in found["_error"]["message"]
    assert [value for name, value in found.items() if name not in ("_error", "version")] == [None] * 5


def test_members_without_bytes_have_no_subscription() -> None:
    member = member_of(group_record(subscription=b""))
    assert member["consumerSubscription"] is None
    assert member["consumerAssignment"] is None
    value = kafka.GroupMetadataValue(protocol_type="")
    empty = coordinator_record(OFFSETS, "GroupMetadata", {"group": "g"}, value, 3)
    mixed = [row["GroupMetadata"]["value"]["members"] for row in read([empty, group_record()], ["GroupMetadata"])]
    assert [len(members) for members in mixed] == [0, 1]


# Secrets.


def scram_record() -> Record:
    return metadata_record(
        kafka.UserScramCredentialRecord(
            name="carol", mechanism=1, salt=b"the salt", stored_key=b"stored", server_key=b"server", iterations=4096
        )
    )


@pytest.mark.parametrize("types", [None, ["UserScramCredentialRecord"]])
def test_keys_of_scram_users_are_in_no_output(types: list[str] | None) -> None:
    record = scram_record()
    assert record.value is not None
    damaged = Record(record.topic, None, record.value[:-1])
    good, bad = read([record, damaged], types)
    assert "carol" in str(good)
    assert bad["_error"] is not None
    assert bad["_raw"] == {"key": None, "value": None}
    for secret in ("salt", "stored", "server", "dGhlIHNhbHQ="):
        assert secret not in str([good, bad])
    with pytest.raises(ValueError, match="keeps salt to itself: it is a secret"):
        Contents.of({"UserScramCredentialRecord": ["name", "salt"]})


@pytest.mark.parametrize(
    "name",
    [
        "ssl.keystore.password",
        "listener.name.external.ssl.key.password",
        "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config",
        "ssl.keystore.key",
        "ssl.truststore.certificates",
        "sasl.oauthbearer.client.credentials.client.secret",
        "plugin.api.token",
    ],
)
def test_values_of_sensitive_configs_are_redacted(name: str) -> None:
    config = kafka.ConfigRecord(resource_type=4, resource_name="1", name=name, value="hunter2")
    record = metadata_record(config)
    (text,) = read([record])
    (struct,) = read([record], {"ConfigRecord": ["value"]})
    assert json.loads(text["value"])["value"] == "(redacted)"
    assert struct["ConfigRecord"] == {"name": name, "value": "(redacted)"}
    harmless, removed = (
        metadata_record(kafka.ConfigRecord(resource_type=2, resource_name="t", name=n, value=v))
        for n, v in (("retention.ms", "1000"), (name, None))
    )
    assert [row["ConfigRecord"]["value"] for row in read([harmless, removed], ["ConfigRecord"])] == ["1000", None]


# What callers ask for.


def test_types_that_are_not_asked_for_are_only_named() -> None:
    damaged = Record(OFFSETS, int16(2) + b"\xff", int16(3))
    rows = read([damaged, commit()], ["OffsetCommit"])
    assert [row["recordType"] for row in rows] == ["GroupMetadata", "OffsetCommit"]
    assert [row["_error"] for row in rows] == [None, None]
    assert "GroupMetadata" not in rows[0]


def test_fields_can_be_chosen() -> None:
    (row,) = read([commit()], {"OffsetCommit": ["key.group", "value.offset"], "GroupMetadata": None})
    assert row["OffsetCommit"] == {"key": {"group": "billing"}, "value": {"offset": 7}}
    (row,) = read([commit()], {"OffsetCommit": ["value.offset"]})
    assert row["OffsetCommit"] == {"value": {"offset": 7}}
    (row,) = read([group_record()], {"GroupMetadata": ["value.members.subscription"]})
    assert row["GroupMetadata"]["value"]["protocolType"] == "consumer"
    assert row["GroupMetadata"]["value"]["members"][0]["consumerSubscription"]["topics"] == ["orders"]


def test_wrong_wishes_are_refused() -> None:
    with pytest.raises(LookupError, match="no record type 'OffsetComit'; did you mean OffsetCommit"):
        Contents.of(["OffsetComit"])
    with pytest.raises(ValueError, match=r"is called key\.NAME or value\.NAME, not 'offset'"):
        Contents.of({"OffsetCommit": ["offset"]})
    with pytest.raises(ValueError, match="there is no field 'ofset'"):
        Contents.of({"OffsetCommit": ["value.ofset"]})
    with pytest.raises(TypeError, match="types is a list of names"):
        Contents.of("OffsetCommit")


def test_types_without_fields_get_no_column() -> None:
    schema = schema_of_internal_topic(["NoOpRecord", "TopicRecord"])
    assert schema.names[4:] == ["TopicRecord", "_error", "_raw"]
    (row,) = read([metadata_record(kafka.NoOpRecord())], ["NoOpRecord"])
    assert (row["recordType"], row["_error"]) == ("NoOpRecord", None)


def test_schemas_carry_what_specs_say() -> None:
    schema = schema_of_internal_topic(["OffsetCommit"], "FAILFAST")
    assert schema.names == ["recordType", "keyVersion", "valueVersion", "isTombstone", "OffsetCommit"]
    value = schema["OffsetCommit"].dataType["value"].dataType  # type: ignore[index]  # a struct type of structs
    assert "offset" in value["offset"].metadata["comment"].lower()


def test_readers_travel() -> None:
    reader = RecordReader(Contents.of(record_type_names()))
    copy = pickle.loads(pickle.dumps(reader))
    batch = batch_of([commit(), group_record(), scram_record()])
    assert copy.read(batch)[0].equals(reader.read(batch)[0])


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_python_reads_what_the_engine_reads(seed: int) -> None:
    random = Random(seed)
    records = [random_record(random, *random.choice(EVERY)) for _ in range(20)]
    records += [replace(record, value=record.value[:-1]) for record in records[:5] if record.value]
    batch = batch_of(records)
    reader = RecordReader(Contents.of(record_type_names()))
    native = reader.read(batch)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "native_engine", lambda: None)
        pure = reader.read(batch)[0]
    assert str(pure.to_pylist()) == str(native.to_pylist())


def test_a_catalog_of_newer_specs_adds_types(tmp_path: Any) -> None:
    for part, kind in (("Key", "coordinator-key"), ("Value", "coordinator-value")):
        spec = {
            "type": kind,
            "apiKey": 40,
            "name": f"BrandNew{part}",
            "validVersions": "0",
            "flexibleVersions": "none",
            "fields": [{"name": "Name", "type": "string", "versions": "0+", "about": "A name."}],
        }
        (tmp_path / f"BrandNew{part}.json").write_text(json.dumps(spec), encoding="utf-8")
    catalog = default_catalog() | Catalog.of_specs(tmp_path)
    record = Record(OFFSETS, int16(40) + b"\0\1k", int16(0) + b"\0\1v")
    (unknown,) = read([record])
    (known,) = read([record], catalog=catalog)
    assert unknown["_error"]["message"].startswith("__consumer_offsets has no type 40")
    assert (known["recordType"], known["key"], known["value"]) == ("BrandNew", '{"name":"k"}', '{"name":"v"}')
    with pytest.raises(ValueError, match="are both type 40 of __consumer_offsets"):
        record_families(catalog | _renamed(catalog))


def _renamed(catalog: Catalog) -> Catalog:
    return Catalog([replace(catalog.message("BrandNewKey"), name="OtherKey")])


# JSON and base64 out of columns.


@given(st.lists(st.none() | st.binary(max_size=20)), st.integers(0, 3))
def test_base64_is_that_of_the_standard_library(values: list[bytes | None], start: int) -> None:
    array = pa.array(values, pa.binary()).slice(start)
    encoded = base64_column(array)
    encoded.validate(full=True)
    assert encoded.to_pylist() == [None if each is None else b64encode(each).decode() for each in values[start:]]


@given(
    st.lists(
        st.none()
        | st.fixed_dictionaries(
            {
                "text": st.none() | st.text(),
                "numbers": st.none() | st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)),
                "flag": st.none() | st.booleans(),
                "share": st.none() | st.floats(allow_nan=False, allow_infinity=False),
                "inner": st.none() | st.fixed_dictionaries({"name": st.text()}),
            }
        )
    )
)
def test_json_of_columns_is_json(rows: list[dict[str, Any] | None]) -> None:
    type_ = pa.struct(
        [
            ("text", pa.string()),
            ("numbers", pa.list_(pa.int64())),
            ("flag", pa.bool_()),
            ("share", pa.float64()),
            ("inner", pa.struct([("name", pa.string())])),
        ]
    )
    found = json_column(pa.array(rows, type_), {}).to_pylist()
    assert [each and json.loads(each) for each in found] == rows


def test_floats_have_a_point_and_odd_ones_are_words() -> None:
    array = pa.array([{"x": value} for value in (1.0, 1e6, -0.5, math.nan, math.inf, -math.inf)])
    found = [json.loads(each)["x"] for each in json_column(array, {}).to_pylist()]
    assert found == [1.0, 1e6, -0.5, "NaN", "Infinity", "-Infinity"]
    assert all(isinstance(each, float | str) for each in found)


def test_arrow_and_spark_types_agree() -> None:
    schema = schema_of_internal_topic(record_type_names())
    decoded, _ = RecordReader(Contents.of(record_type_names())).read(batch_of([commit(), group_record()]))
    assert decoded.type == arrow_type(schema)
