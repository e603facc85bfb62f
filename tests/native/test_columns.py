from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.column_rows import (
    all_subjects,
    array_of,
    codecs,
    expected,
    in_order,
    metadata,
    pa,
    without_nan,
)
from tests.native.columns import decode_columns, ends_of, schema_of
from tests.native.random_messages import Maker, Subject, damaged
from tests.support.profiles import examples

SEEDS = st.integers(0, (1 << 64) - 1)


def columns(subject: Subject, rows: list[bytes | None], fields: list[str] | None = None, type_: Any = None) -> Any:
    values = pa.array(rows, type_ or pa.binary())
    return array_of(decode_columns(subject.cls.CODEC.plan, subject.version, values, fields))


@examples(100)
@given(SEEDS)
def test_columns_hold_what_the_walk_reads(seed: int) -> None:
    random = Random(seed)
    subject = random.choice(all_subjects())
    maker = Maker(random)
    good = [
        subject.engine.encode(subject.version, maker.message(subject.table.roots[subject.version])) for _ in range(3)
    ]
    rows = [data for one in good for data in (one, damaged(random, one), one)]
    got = columns(subject, [*rows, None]).to_pylist()
    for row, data in zip(without_nan(got[:-1]), rows, strict=True):
        assert in_order(row) == in_order(expected(subject, data))
    assert set(got[-1].values()) == {None}


@examples(100)
@given(SEEDS)
def test_selected_fields_equal_the_same_fields_of_whole_rows(seed: int) -> None:
    random = Random(seed)
    subject = random.choice(all_subjects())
    layout = subject.table.roots[subject.version]
    data = subject.engine.encode(subject.version, Maker(random).message(layout))
    rows = [data, damaged(random, data)]
    names = [name for name in codecs(layout) if random.random() < 0.5]
    all_rows = without_nan(columns(subject, rows).to_pylist())
    some_rows = without_nan(columns(subject, rows, names).to_pylist())
    assert some_rows == [{key: row[key] for key in (*names, "_error")} for row in all_rows]


def test_fields_within_arrays_are_chosen_by_path() -> None:
    subject = metadata()
    data = subject.engine.encode(13, Maker(Random(2)).message(subject.table.roots[13]))
    array = columns(subject, [data], ["topics.partitions.leader_id", "topics.name", "brokers"])
    assert [field.name for field in array.type] == ["brokers", "topics", "_error"]
    topic = array.type.field("topics").type.value_type
    assert [field.name for field in topic] == ["name", "partitions"]
    assert str(topic.field("partitions").type) == "list<item: struct<leader_id: int32 not null> not null>"
    broker = array.type.field("brokers").type.value_type
    assert [field.name for field in broker] == ["node_id", "host", "port", "rack"]


def test_columns_are_nullable_and_have_the_types_of_the_fields() -> None:
    types = {str(field.name): str(field.type) for field in columns(metadata(), []).type}
    assert types["error_code"] == "int16"
    assert types["cluster_id"] == "string"
    assert "topic_id: binary not null, " in types["topics"]
    assert "name: string, " in types["topics"]
    assert types["_error"] == "struct<message: string, path: string, offset: int64>"
    assert all(field.nullable for field in columns(metadata(), []).type)
    assert "rack: string>" in types["brokers"]
    assert "topic_id: binary, " in str(pa.schema(schema_of(metadata().cls.CODEC.plan)).field("topics").type)


def test_a_version_that_the_message_lacks_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="14"):
        decode_columns(metadata().cls.CODEC.plan, 14, pa.array([], pa.binary()))


def test_binary_views_are_read() -> None:
    rows = [b"\0" * 8, None, b"\0" * 40, b"\0\0\0\0\0\0\0\0"]
    views = pa.array(rows, pa.binary_view())
    assert columns(metadata(0), rows, type_=pa.binary_view()).equals(columns(metadata(0), rows))
    sliced = array_of(decode_columns(metadata(0).cls.CODEC.plan, 0, views[2:]))
    assert sliced.equals(columns(metadata(0), rows)[2:])


@pytest.mark.parametrize("values", [pa.array(["text"]), pa.array([1]), pa.chunked_array([[b""]]), b"bytes", None])
def test_values_that_are_not_a_binary_array_are_refused(values: Any) -> None:
    with pytest.raises(TypeError, match=r"binary|chunk by chunk"):
        decode_columns(metadata().cls.CODEC.plan, 13, values)


def test_arrays_that_are_sliced_or_large_or_contain_nulls_are_read() -> None:
    subject = metadata(0)
    rows = [subject.engine.encode(0, Maker(Random(seed)).message(subject.table.roots[0])) for seed in range(20)]
    with_nulls = [None if number % 3 == 0 else data for number, data in enumerate(rows)]
    whole = columns(subject, with_nulls).to_pylist()
    assert columns(subject, with_nulls, type_=pa.large_binary()).to_pylist() == whole
    sliced = pa.array(with_nulls, pa.binary())[7:18]
    array = pa.array(decode_columns(subject.cls.CODEC.plan, 0, sliced))
    assert array.to_pylist() == whole[7:18]
    assert len(decode_columns(subject.cls.CODEC.plan, 0, sliced)) == 11


@pytest.mark.parametrize("skip", [0, 2, 1 << 40])
def test_bytes_before_a_message_are_skipped(skip: int) -> None:
    subject = metadata()
    data = subject.engine.encode(subject.version, Maker(Random(7)).message(subject.table.roots[subject.version]))
    rows = [b"\0\1" + data, b"\0\1" + data[:-1], b"", b"\0", None]
    got = array_of(decode_columns(subject.cls.CODEC.plan, subject.version, pa.array(rows, pa.binary()), skip=skip))
    bare = [None if row is None else row[skip:] for row in rows]
    assert got.equals(columns(subject, bare))


def test_the_end_of_a_message_is_found_if_other_bytes_follow() -> None:
    subject = metadata()
    plan = subject.cls.CODEC.plan
    data = subject.engine.encode(subject.version, Maker(Random(7)).message(subject.table.roots[subject.version]))
    rows = [data, data + b"rest", data[:-1], b"", None]
    assert ends_of(plan, subject.version, pa.array(rows, pa.binary())) == [len(data), len(data), None, None, None]
    with pytest.raises(KeyError, match="99"):
        ends_of(plan, 99, pa.array(rows, pa.binary()))
