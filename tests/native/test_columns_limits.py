"""Limits apply to each message that is decoded into columns."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.runtime.errors import DEFAULT_LIMITS, PAID_PER_BYTE
from tests.native.column_rows import all_subjects, array_of, metadata, native, pa
from tests.native.columns import decode_columns, schema_of
from tests.native.random_messages import Maker, Subject, damaged
from tests.support.profiles import examples
from tests.support.varints import uvarint

SEEDS = st.integers(0, (1 << 64) - 1)
SMALL_LIMITS = (1_000_000, 10_000, 16, 10_000)
BYTES_OF_A_ROW = 20_000
CHARGE_OF_NAME = 57
CHARGE_OF_TAG = 76
PLAN = """messagegen-plan 3
message Outer data 0
struct Outer
 names names []string []
 numbers numbers []int32 []
 inners inners []Inner []
 last last int8 0
struct Inner
 empties empties []Empty []
 a a string "aaaaaaaaaaaaaaaa"
 b b int64 0
struct Empty
layout 0 Empty 0
layout 1 Inner 0 flexible 76
 empties array(struct(0),49)
 :tag 0 a compact_string
 :tag 1 b int64
layout 2 Outer 0 flexible 76
 names compact_array(compact_string?,57)
 numbers array(int32)
 inners array(struct(1),100)
 last int8
"""


def error_of(data: bytes, limits: tuple[int, int, int, int] | None = None, **options: Any) -> Any:
    batch = decode_columns(PLAN, 0, pa.array([b"\1" + bytes(10), data]), limits=limits, **options)
    array = array_of(batch)
    first, error = array.field("_error").to_pylist()
    assert first is None
    assert error is None or all(column[1].as_py() is None for column in array.flatten()[:-1])
    return error


def message(*, names: int = 0, numbers: int = 0, inners: bytes = bytes(4), tags: bytes = b"\0") -> bytes:
    return uvarint(names + 1) + bytes(names) + numbers.to_bytes(4, "big") + bytes(4 * numbers) + inners + b"\7" + tags


@pytest.mark.parametrize("fields", [None, ["last"]])
@pytest.mark.parametrize(("name", "data"), [("names", message(names=4)), ("numbers", message(numbers=4))])
def test_arrays_above_the_limit_of_elements_are_refused(name: str, data: bytes, fields: list[str] | None) -> None:
    assert error_of(data, (4, 0, 10, 1_000_000), fields=fields) is None
    error = error_of(data, (3, 0, 10, 1_000_000), fields=fields)
    assert error["path"] == name
    assert error["message"] == "4 elements are more than 3; to allow more, pass limits=Limits(array_length=...)"


@pytest.mark.parametrize("unknown", [False, True])
def test_sections_above_the_limit_of_tagged_fields_are_refused(unknown: bool) -> None:
    data = message(tags=b"\3" + b"\5\0\6\0\7\0")
    assert error_of(data, (0, 3, 10, 1_000), unknown_tagged_fields=unknown) is None
    error = error_of(data, (0, 2, 10, 1_000), unknown_tagged_fields=unknown)
    assert error["message"].startswith("3 tagged fields are more than 2; to allow more, ")
    default = DEFAULT_LIMITS.tagged_field_count
    too_many = default + 1
    tags = b"".join(uvarint(tag) + b"\0" for tag in range(2, too_many + 2))
    error = error_of(message(tags=uvarint(too_many) + tags))
    assert error["message"].startswith(f"{too_many} tagged fields are more than {default}; ")


@pytest.mark.parametrize("fields", [None, ["last"]])
def test_elements_count_against_the_memory_limit_even_if_not_selected(fields: list[str] | None) -> None:
    data = message(names=500)
    limits = 500, 0, PAID_PER_BYTE, 500 * CHARGE_OF_NAME
    assert error_of(data, limits, fields=fields) is None
    less = 500, 0, PAID_PER_BYTE, 500 * CHARGE_OF_NAME - 1
    error = error_of(data, less, fields=fields)
    assert (error["path"], error["offset"]) == ("names", 0)
    assert error["message"] == (
        f"decoding takes more memory than 12 times the bytes of the message plus {less[3]} bytes; "
        "to allow more, pass limits=Limits(memory_factor=...)"
    )


@pytest.mark.parametrize("unknown", [False, True])
def test_tagged_fields_count_against_the_memory_limit(unknown: bool) -> None:
    data = message(tags=b"\x64" + b"".join(bytes([tag, 0]) for tag in range(2, 102)))
    enough = 100 * CHARGE_OF_TAG
    assert error_of(data, (0, 100, PAID_PER_BYTE, enough), unknown_tagged_fields=unknown) is None
    error = error_of(data, (0, 100, PAID_PER_BYTE, enough - 1), unknown_tagged_fields=unknown)
    assert "memory" in error["message"]


@pytest.mark.parametrize("fields", [None, ["last"]])
def test_arrays_of_empty_structs_exceed_the_memory_limit(fields: list[str] | None) -> None:
    """Each of 40,000 arrays claims one element for each remaining byte, and elements take no bytes."""
    inners = [(5 * left).to_bytes(4, "big") + b"\0" for left in reversed(range(40_000))]
    data = message(inners=len(inners).to_bytes(4, "big") + b"".join(inners))
    error = error_of(data, (1_000_000, 10_000, 10, 1_000_000), fields=fields)
    assert "memory" in error["message"]


def minimal(codec: Any) -> Any:
    if codec.layout is not None:
        return codec.layout.cls()
    if codec.element is not None:
        return ()
    return {"string": "", "bytes": b"", "records": b"", "bool": False, "float64": 0.0}.get(codec.kind, 0)


def many_of_each_array(subject: Subject, count: int) -> list[bytes]:
    """Return a message for each top-level array, with ``count`` elements of minimum size and nothing else."""
    layout, found = subject.table.roots[subject.version], []
    for field, codec in [*layout.steps, *layout.tagged.values()]:
        if codec.element is not None and codec.element.kind != "uuid":
            message = layout.cls()
            setattr(message, field.attribute, tuple([minimal(codec.element)] * count))
            # Some of the other fields have defaults that can't be encoded.
            with suppress(native.Failure):
                found.append(subject.engine.encode(subject.version, message))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("uuid_as", ["binary", "string"])
def test_columns_stay_within_the_memory_limit_of_their_message(uuid_as: str) -> None:
    """Small elements take the most memory in the columns of all versions, if their own version lacks many fields."""
    refused = 0
    for subject in all_subjects():
        for data in many_of_each_array(subject, 1_100):
            versions = pa.array([subject.version], pa.int16())
            batch = decode_columns(
                subject.cls.CODEC.plan,
                versions,
                pa.array([data]),
                unknown_tagged_fields=True,
                uuid_as=uuid_as,
                limits=SMALL_LIMITS,
            )
            array = pa.array(batch)
            refused += array.field("_error").null_count == 0
            most = SMALL_LIMITS[2] * len(data) + SMALL_LIMITS[3]
            assert array.nbytes <= most + BYTES_OF_A_ROW, subject
    assert refused


@examples(200)
@given(SEEDS)
def test_columns_accept_the_messages_that_objects_do(seed: int) -> None:
    random = Random(seed)
    subject = random.choice(all_subjects())
    data = subject.engine.encode(subject.version, Maker(random).message(subject.table.roots[subject.version]))
    limits = (
        random.choice((2, 40, 1_000_000)),
        random.choice((1, 3, 10_000)),
        random.choice((0, 11, 12, 13, 20, 32)),
        random.choice((0, 100, 500, 1_000, 5_000, random.randrange(8 * len(data) + 1))),
    )
    rows = [data, damaged(random, data)]
    batch = decode_columns(subject.cls.CODEC.plan, subject.version, pa.array(rows), limits=limits)
    errors = array_of(batch).field("_error").to_pylist()
    for row, error in zip(rows, errors, strict=True):
        found = None if error is None else (error["message"], error["path"], error["offset"])
        assert found == failure_of(subject, row, limits)


def failure_of(subject: Subject, data: bytes, limits: tuple[int, int, int, int]) -> Any:
    """Return why a message can't be decoded to objects, as (reason, path, offset); ``None`` if it can."""
    try:
        _, end = subject.engine.decode(subject.version, data, 0, limits)
    except native.Failure as failure:
        return failure.args
    left = len(data) - end
    return (f"extra bytes after the message: {left}", "", end) if left else None


def test_a_plan_with_deeply_nested_arrays_is_refused() -> None:
    nested = "array(" * 200_000 + "int8" + ")" * 200_000
    for engine in (schema_of, lambda plan: native.Engine(plan, (), None, DEFAULT_LIMITS)):
        with pytest.raises(ValueError, match="arrays nest deeper than 64"):
            engine(PLAN.replace("array(int32)", nested))


def test_the_engine_has_the_default_limits_of_the_runtime() -> None:
    assert native.DEFAULT_LIMITS == DEFAULT_LIMITS
    assert native.PAID_PER_BYTE == PAID_PER_BYTE


def test_limits_passed_to_decode_override_the_limits_of_the_engine() -> None:
    """A newer engine may have different defaults from an older generated package."""
    subject = metadata()
    cls = subject.cls
    data = b"\0\0\0\0" + uvarint(1_001) + bytes(1_000)
    engine = native.Engine(cls.CODEC.plan, cls.CODEC.classes, None, (999, 10_000, 32, 1_000_000))
    with pytest.raises(native.Failure, match="1000 elements are more than 999"):
        engine.decode(13, data, 0)
    with pytest.raises(native.Failure, match="1000 elements are more than 10"):
        engine.decode(13, data, 0, (10, 10_000, 32, 1_000_000))
