"""Columns to bytes: the engine against the reference, Java's bytes, and columns that fit no message."""

from __future__ import annotations

from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen_arrow import decode_arrow, default_catalog, encode_arrow
from messagegen_arrow.columns.encoding import Renamed, attribute_type, encode_columns
from messagegen_arrow.columns.model import MessageColumns
from tests.arrow.support.messages import all_tables, java_messages, random_bytes
from tests.arrow.support.reference import encoding as reference
from tests.arrow.support.reference.decoding import decode_columns

SEEDS = st.integers(0, (1 << 64) - 1)


def encoded(plan: str, rows: Any, version: Any) -> tuple[list[Any], list[Any]]:
    values, errors = encode_columns(plan, rows, version)
    return values.to_pylist(), errors.to_pylist()


def by_reference(plan: str, rows: Any, version: Any) -> tuple[list[Any], list[Any]]:
    values, errors = reference.encode_columns(plan, pa.array(Renamed(rows, attribute_type(plan, rows.type))), version)
    return values.to_pylist(), errors.to_pylist()


@pytest.mark.parametrize("uuid", ["string", "binary"])
def test_what_javas_classes_wrote_comes_back(uuid: Any) -> None:
    for messages in java_messages():
        table = default_catalog().message(messages.name)
        versions = pa.array(messages.versions, pa.int16())
        rows = decode_arrow(pa.array(messages.data), table, versions, uuid=uuid, unknown_tagged_fields=True)
        values, errors = encoded(table.plan, rows, versions)
        assert values == messages.data
        assert set(errors) == {None}


@settings(max_examples=100)
@given(SEEDS)
def test_the_engine_and_python_write_and_refuse_the_same(seed: int) -> None:
    random = Random(seed)
    table = random.choice(all_tables())
    versions = [random.choice(table.versions) for _ in range(6)]
    data = [random_bytes(random, table, version) for version in versions]
    options: Any = {"names": random.choice(("kafka", "snake")), "unknown_tagged_fields": random.random() < 0.8}
    wanted = MessageColumns.of(table, None, options)
    rows = decode_columns(wanted, pa.array([*data, None, b"\xff"]), pa.array([*versions, versions[0], versions[0]]))
    # Rows that were read in one version are often no messages of another.
    asked = pa.array(
        [random.choice((version, random.choice(table.versions), 99, None)) for version in [*versions, 0, 0]]
    )
    assert encoded(table.plan, rows, asked) == by_reference(table.plan, rows, asked)


def row(**columns: Any) -> Any:
    return pa.array([columns])


@pytest.mark.parametrize(
    ("columns", "version", "error"),
    [
        ({"offset": None}, 1, ("null is not allowed here", "offset")),
        ({"metadata": None}, 1, ("null is not allowed here", "metadata")),
        ({"leaderEpoch": 1 << 40}, 3, (f"{1 << 40} does not fit in int32", "leader_epoch")),
        ({"topicId": "too short"}, 4, ("a uuid is 22 letters of base64url", "topic_id")),
        ({"topicId": b"too short"}, 4, ("a uuid has 16 bytes", "topic_id")),
        ({"_error": {"message": "x"}}, 4, ("the row has an _error, so it is no message", "")),
    ],
)
def test_what_cannot_be_written_is_named(columns: Any, version: int, error: tuple[str, str]) -> None:
    plan = default_catalog().message("OffsetCommitValue").plan
    values, errors = encoded(plan, row(**columns), version)
    assert values == [None]
    assert errors == [{"message": error[0], "path": error[1]}]


def test_a_field_that_the_version_lacks_may_be_null_but_nothing_else() -> None:
    plan = default_catalog().message("MetadataResponse").plan
    rows = pa.array([{"clusterAuthorizedOperations": None}, {"clusterAuthorizedOperations": 7}])
    values, errors = encoded(plan, rows, 0)
    assert values == [bytes(8), None]
    assert errors[1] == {
        "message": "this version has no such field, so it must be left at its default",
        "path": "cluster_authorized_operations",
    }


def test_columns_that_are_not_there_are_defaults() -> None:
    table = default_catalog().message("OffsetCommitValue")
    values, _ = encoded(table.plan, row(metadata="x"), 3)
    assert values == [bytes(8) + b"\xff\xff\xff\xff\x00\x01x" + bytes(8)]


@pytest.mark.parametrize(
    ("columns", "error", "text"),
    [
        (
            {"ofset": 1},
            ValueError,
            "unknown column ofset; the fields of OffsetCommitValue are offset, leader_epoch",
        ),
        ({"offset": "1"}, TypeError, "offset needs integers, not"),
        ({"metadata": 1}, TypeError, "metadata needs string, large_string or string_view, not"),
        ({"topicId": 1}, TypeError, "topic_id needs binary of 16 bytes, or a string, not"),
    ],
)
def test_columns_that_fit_no_field_are_refused(columns: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        encoded(default_catalog().message("OffsetCommitValue").plan, row(**columns), 4)


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"topics": 1}, "topics needs a list, not"),
        ({"topics": [1]}, "topics needs a struct, not"),
        ({"topics": [{"partitions": [{"leaderId": "x"}]}]}, "topics.partitions.leader_id needs integers, not"),
        ({"_unknownTaggedFields": 1}, "unknown_tagged_fields needs a map of integers to binary, not"),
    ],
)
def test_nested_columns_of_other_types_are_refused(columns: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        encoded(default_catalog().message("MetadataResponse").plan, row(**columns), 12)


def test_one_field_under_both_names_is_refused() -> None:
    with pytest.raises(ValueError, match="OffsetCommitValue has two columns for the field leader_epoch"):
        encode_arrow(row(leaderEpoch=1, leader_epoch=1), "OffsetCommitValue", 3)


def test_a_version_that_is_not_there_is_named() -> None:
    with pytest.raises(LookupError, match="OffsetCommitValue has the versions 0 to 4, not 5"):
        encode_arrow(row(offset=1), "OffsetCommitValue", 5)
