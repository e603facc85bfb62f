from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.column_rows import (
    all_subjects,
    array_of,
    expected,
    in_order,
    metadata,
    pa,
    rows_of,
    wrong,
)
from tests.native.columns import decode_columns, schema_of
from tests.native.random_messages import Maker, Subject, damaged
from tests.support.profiles import examples

SEEDS = st.integers(0, (1 << 64) - 1)
INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]


def versions_of(subject: Subject) -> list[Subject]:
    """Return the message in each of its versions."""
    return [other for other in all_subjects() if other.cls is subject.cls]


def made(random: Random, subject: Subject) -> bytes:
    data: bytes = subject.engine.encode(subject.version, Maker(random).message(subject.table.roots[subject.version]))
    return data if random.random() < 0.7 else damaged(random, data)


def has_large_tag(row: dict[str, Any]) -> bool:
    """Return whether damage has made a tag that only objects can hold: in a column of maps, it is an error."""
    return row["_error"] is not None and row["_error"]["message"].endswith("does not fit in int32")


@pytest.mark.slow
@examples(200)
@given(SEEDS, st.booleans())
def test_rows_of_many_versions_share_their_columns(seed: int, unknown: bool) -> None:
    random = Random(seed)
    subject = random.choice(all_subjects())
    among = [other for other in versions_of(subject) if random.random() < 0.7] or [subject]
    rows = [(one, made(random, one)) for one in random.choices(among, k=6)]
    batch = decode_columns(
        subject.cls.CODEC.plan,
        pa.array([one.version for one, _ in rows], random.choice(INTEGERS)),
        pa.array([data for _, data in rows], pa.binary()),
        schema_versions=[one.version for one in among],
        unknown_tagged_fields=unknown,
    )
    layouts = [subject.table.roots[one.version] for one in among]
    for got, (one, data) in zip(rows_of(batch), rows, strict=True):
        if not has_large_tag(got):
            assert in_order(got) == in_order(expected(one, data, layouts, unknown=unknown))


def test_rows_of_unexpected_versions_have_errors_and_do_not_affect_valid_rows() -> None:
    subject = metadata(0)
    layouts = [subject.table.roots[0], subject.table.roots[1]]
    good = b"\0" * 8
    versions = pa.array([0, None, 7, 99, -1, 1 << 40, None, 0])
    values = pa.array([good, good, good, good, good, good, None, good], pa.binary())
    rows = rows_of(decode_columns(subject.cls.CODEC.plan, versions, values, schema_versions=[1, 0]))
    refused = [
        wrong(layouts, f"unexpected version {version}; expected 0 to 1", "", 0) for version in (7, 99, -1, 1 << 40)
    ]
    right = expected(subject, good, layouts)
    nothing = dict.fromkeys(right)
    assert rows == [right, wrong(layouts, "the version is null", "", 0), *refused, nothing, right]


def test_fields_missing_in_a_version_are_also_null_inside_arrays() -> None:
    subject = metadata(0)
    broker = b"\0\0\0\x07\0\x01h\0\0\x23\x84"
    data = b"\0\0\0\x01" + broker + b"\0\0\0\0"
    batch = decode_columns(subject.cls.CODEC.plan, 0, pa.array([data]), ["brokers"], schema_versions=[0, 9])
    assert rows_of(batch)[0]["brokers"] == [{"node_id": 7, "host": "h", "port": 9092, "rack": None}]


def test_unknown_tagged_fields_can_be_selected_one_by_one() -> None:
    plan = metadata().cls.CODEC.plan
    paths = ["brokers.unknown_tagged_fields", "topics.name", "unknown_tagged_fields"]
    schema = pa.schema(schema_of(plan, None, paths, unknown_tagged_fields=True))
    assert schema.names == ["brokers", "topics", "unknown_tagged_fields", "_error"]
    assert [field.name for field in schema.field("brokers").type.value_type] == ["unknown_tagged_fields"]
    assert [field.name for field in schema.field("topics").type.value_type] == ["name"]
    bytes_type = pa.field("value", pa.binary(), nullable=False)
    assert schema.field("unknown_tagged_fields").type == pa.map_(pa.int32(), bytes_type)
    with pytest.raises(ValueError, match='has no "unknown_tagged_fields"'):
        schema_of(plan, None, paths)


def test_a_tag_beyond_int32_is_an_error_even_if_it_is_not_selected() -> None:
    subject = metadata(9)
    good = subject.cls().encode(version=9)
    data = good[:-1] + b"\x01\xff\xff\xff\xff\x0f\x01x"
    plan, values = subject.cls.CODEC.plan, pa.array([data])
    for unknown in (False, True):
        error = rows_of(decode_columns(plan, 9, values, unknown_tagged_fields=unknown))[0]["_error"]
        reason = "expected a tag from 0 to 2147483646, got 4294967295"
        assert error == {"message": reason, "path": "", "offset": len(good)}


@pytest.mark.parametrize(
    ("uuid_as", "type_", "value"),
    [
        ("binary", pa.binary(), UUID(int=5).bytes),
        ("string", pa.string(), "AAAAAAAAAAAAAAAAAAAABQ"),
    ],
)
def test_uuids_have_the_requested_form(uuid_as: str, type_: Any, value: object) -> None:
    subject = metadata(12)
    topics = codec_class(subject, "topics")
    data = subject.cls(topics=(topics(name="t", topic_id=UUID(int=5)), topics(name="u"))).encode(version=12)
    batch = decode_columns(subject.cls.CODEC.plan, 12, pa.array([data]), ["topics.topic_id"], uuid_as=uuid_as)
    assert array_of(batch).type.field("topics").type.value_type.field("topic_id").type == type_
    assert rows_of(batch)[0]["topics"][0]["topic_id"] == value


def codec_class(subject: Subject, attribute: str) -> Any:
    """Return the class of an array's elements."""
    layout = subject.table.roots[subject.version]
    return next(codec.element.layout.cls for field, codec in layout.steps if field.attribute == attribute)


def test_invalid_selections_are_refused() -> None:
    plan, none = metadata().cls.CODEC.plan, pa.array([], pa.binary())
    with pytest.raises(ValueError, match="uuid_as must be"):
        decode_columns(plan, 0, none, uuid_as="text")
    with pytest.raises(KeyError, match="14"):
        decode_columns(plan, 0, none, schema_versions=[0, 14])
    with pytest.raises(KeyError, match="14"):
        decode_columns(plan, 14, none, schema_versions=[0])
    with pytest.raises(ValueError, match="version 3 is not among the versions of the columns"):
        decode_columns(plan, 3, none, schema_versions=[0])
    with pytest.raises(ValueError, match="at least one version"):
        schema_of(plan, [])
    with pytest.raises(ValueError, match="2 versions for 0 values"):
        decode_columns(plan, pa.array([0, 1]), none)
    with pytest.raises(TypeError, match="integers"):
        decode_columns(plan, pa.array(["0"]), pa.array([b""]))
    with pytest.raises(TypeError):
        decode_columns(plan, "0", none)
