"""Bytes to columns: the engine against the reference, Java's bytes, and what is damaged."""

from __future__ import annotations

from base64 import b64encode
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen_arrow import decode_arrow, default_catalog
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns
from tests.arrow.support.messages import all_tables, damaged_bytes, java_messages, random_bytes, same_bits
from tests.arrow.support.reference import decoding as reference
from tests.arrow.support.reference.plan_walk import codecs_of, table_of

SEEDS = st.integers(0, (1 << 64) - 1)


def one_of(versions: range, version: int | None) -> int:
    return version if version is not None and version in versions else versions[0]


def options_of(random: Random) -> ColumnOptions:
    return {
        "names": random.choice(("kafka", "snake")),
        "uuid": random.choice(("string", "binary")),
        "unknown_tagged_fields": random.random() < 0.5,
    }


@settings(max_examples=100)
@given(SEEDS)
def test_the_engine_and_python_give_the_same_columns(seed: int) -> None:
    random = Random(seed)
    table = random.choice(all_tables())
    versions = [random.choice([*table.versions, *table.versions, 99, None]) for _ in range(8)]
    data = [random_bytes(random, table, one_of(table.versions, version)) for version in versions]
    rows = [random.choice((one, one, damaged_bytes(random, one), None)) for one in data]
    values = pa.array(rows, random.choice((pa.binary(), pa.large_binary())))
    asked = pa.array(versions, random.choice((pa.int8(), pa.int16(), pa.int32(), pa.int64())))
    options = options_of(random)
    if random.random() < 0.3:
        options["versions"] = random.sample(table.versions, random.randrange(1, len(table.versions) + 1))
    wanted = MessageColumns.of(table, None, options)
    engine, python = decode_columns(wanted, values, asked), reference.decode_columns(wanted, values, asked)
    engine.validate(full=True)
    assert engine.type == python.type
    assert same_bits(engine.to_pylist()) == same_bits(python.to_pylist())


@settings(max_examples=50)
@given(SEEDS)
def test_wanted_fields_of_one_version_are_the_same_as_among_all(seed: int) -> None:
    random = Random(seed)
    table = random.choice(all_tables())
    version = random.choice(table.versions)
    data = random_bytes(random, table, version)
    values = pa.array([data, damaged_bytes(random, data)], pa.binary())
    layout = table_of(table.plan).roots[version]
    fields = [name for name in codecs_of(layout) if random.random() < 0.5]
    wanted = MessageColumns.of(table, version, {"fields": fields, "names": "snake"})
    everything = MessageColumns.of(table, version, {"names": "snake"})
    some = decode_columns(wanted, values, version)
    python = reference.decode_columns(wanted, values, version)
    assert same_bits(some.to_pylist()) == same_bits(python.to_pylist())
    every = same_bits(decode_columns(everything, values, version).to_pylist())
    assert same_bits(some.to_pylist()) == [{name: row[name] for name in some.type.names} for row in every]


def agrees(column: Any, json: Any) -> bool:
    """Whether a value is the one that Java's JSON stands for; what is not in the JSON is not looked at."""
    if isinstance(json, dict):
        return all(agrees(column[key], value) for key, value in json.items())
    if isinstance(json, list):
        return len(column) == len(json) and all(map(agrees, column, json))
    if isinstance(column, bytes):
        return bool(json == b64encode(column).decode())
    return bool(column == json or (column is None and json is None))


def test_what_javas_classes_wrote_is_read() -> None:
    compared = 0
    for messages in java_messages():
        wanted = MessageColumns.of(default_catalog().message(messages.name), None, {})
        rows = decode_columns(
            wanted, pa.array(messages.data, pa.binary()), pa.array(messages.versions, pa.int16())
        ).to_pylist()
        for row, json in zip(rows, messages.json, strict=True):
            assert row.pop("_error") is None
            assert agrees(row, json), (messages.name, row, json)
            compared += 1
    assert compared > 1000


def test_a_row_that_is_no_message_is_named_and_costs_the_others_nothing() -> None:
    table = default_catalog().message("OffsetCommitValue")
    good = random_bytes(Random(1), table, 3)
    wanted = MessageColumns.of(table, 3, {})
    rows = decode_columns(wanted, pa.array([good, b"", None, good + b"x", good], pa.binary()), 3).to_pylist()
    assert rows[0] == rows[4]
    assert rows[0]["_error"] is None
    assert rows[2] is None
    assert rows[1]["_error"] == {"message": "8 bytes are needed, but only 0 are left", "path": "offset", "offset": 0}
    assert rows[3]["_error"] == {"message": "1 bytes are left after the message", "path": "", "offset": len(good)}
    assert {value for key, value in rows[1].items() if key != "_error"} == {None}


def test_a_version_that_was_not_expected_is_named() -> None:
    table = default_catalog().message("OffsetCommitValue")
    wanted = MessageColumns.of(table, None, {"versions": [0, 1, 3]})
    values = pa.array([random_bytes(Random(1), table, 2)] * 3, pa.binary())
    errors = decode_columns(wanted, values, pa.array([2, None, 0])).field("_error").to_pylist()
    assert [error and error["message"] for error in errors] == [
        "version 2 is none of those that were expected: 0 to 1, 3",
        "the version is null",
        None,
    ]


def test_a_tag_that_the_map_cannot_hold_is_refused_only_where_there_is_a_map() -> None:
    table = default_catalog().message("OffsetCommitValue")
    tag_section = bytes.fromhex("01 ffffffff0f 00")
    values = pa.array([bytes(12) + b"\x01" + bytes(8) + tag_section])
    without = decode_columns(MessageColumns.of(table, 4, {}), values, 4)
    assert without.field("_error").to_pylist() == [None]
    with_map = decode_columns(MessageColumns.of(table, 4, {"unknown_tagged_fields": True}), values, 4)
    assert with_map.field("_error").to_pylist() == [
        {"message": "tag 4294967295 does not fit in int32", "path": "", "offset": 21}
    ]


def test_lengths_that_differ_are_refused() -> None:
    wanted = MessageColumns.of(default_catalog().message("OffsetCommitValue"), None, {})
    with pytest.raises(ValueError, match="there are 1 versions for 2 values; each needs one"):
        decode_columns(wanted, pa.array([b"", b""]), pa.array([1]))


def test_no_rows_give_typed_columns() -> None:
    wanted = MessageColumns.of(default_catalog().message("MetadataResponse"), 12, {})
    assert (
        decode_columns(wanted, pa.array([], pa.binary()), 12).type == decode_columns(wanted, pa.array([b""]), 12).type
    )


def test_fields_of_other_versions_are_null_at_any_depth() -> None:
    table = default_catalog().message("MetadataResponse")
    data = [random_bytes(Random(4), table, version) for version in (0, 12)]
    old, new = decode_arrow(
        pa.array(data), table, pa.array([0, 12]), fields=["clusterId", "topics.topicId"]
    ).to_pylist()
    assert old["_error"] is None
    assert new["_error"] is None
    assert {topic["topicId"] for topic in old["topics"]} == {None}
    assert all(len(topic["topicId"]) == 22 for topic in new["topics"])


def test_one_version_may_have_the_columns_of_several() -> None:
    table = default_catalog().message("OffsetCommitValue")
    values = pa.array([random_bytes(Random(4), table, 1)])
    assert "topicId" not in decode_arrow(values, table, 1).type.names
    assert decode_arrow(values, table, 1, versions=range(5)).field("topicId").to_pylist() == [None]
    with pytest.raises(ValueError, match="version 1 is not among the versions 3, 4 of the columns"):
        decode_arrow(values, table, 1, versions=(3, 4))
