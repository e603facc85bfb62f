"""What one message may hold when it is decoded into columns."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from tests.native.column_rows import all_subjects, array_of, is_beyond_limits, native, pa
from tests.native.columns import decode_columns, schema_of
from tests.native.random_messages import Subject
from tests.support.varints import uvarint

NO_LIMITS = (1 << 62,) * 4
PLAN = """messagegen-plan 2
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
layout 1 Inner 0 flexible
 empties array(struct(0))
 :tag 0 a compact_string
 :tag 1 b int64
layout 2 Outer 0 flexible
 names compact_array(compact_string?)
 numbers array(int32)
 inners array(struct(1))
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
def test_an_array_has_as_many_elements_as_are_allowed(name: str, data: bytes, fields: list[str] | None) -> None:
    assert error_of(data, (4, 0, 10, 1_000_000), fields=fields) is None
    error = error_of(data, (3, 0, 10, 1_000_000), fields=fields)
    assert error["path"] == name
    assert error["message"] == "4 elements are more than 3; to allow more, pass limits=Limits(array_length=...)"


@pytest.mark.parametrize("unknown", [False, True])
def test_a_section_has_as_many_tagged_fields_as_are_allowed(unknown: bool) -> None:
    data = message(tags=b"\3" + b"\5\0\6\0\7\0")
    assert error_of(data, (0, 3, 10, 1_000), unknown_tagged_fields=unknown) is None
    error = error_of(data, (0, 2, 10, 1_000), unknown_tagged_fields=unknown)
    assert error["message"].startswith("3 tagged fields are more than 2; to allow more, ")
    many = message(tags=uvarint(10_001) + b"".join(uvarint(tag) + b"\0" for tag in range(2, 10_003)))
    assert error_of(many)["message"].startswith("10001 tagged fields are more than 10000; ")


def test_a_message_may_take_a_multiple_of_its_bytes_and_a_constant() -> None:
    data = message(names=500)
    cost = 500 * 2 * 33 // 8 + 3 * len(data) + 1
    assert error_of(data, (500, 0, 0, cost)) is None or cost < len(data)
    assert error_of(data, (500, 0, 3, cost - 3 * len(data))) is None
    error = error_of(data, (500, 0, 3, cost - 3 * len(data) - 10))
    assert (error["path"], error["offset"]) == ("names", 0)
    assert error["message"] == (
        f"decoding takes more memory than 3 times the bytes of the message plus {cost - 3 * len(data) - 10} bytes; "
        "to allow more, pass limits=Limits(memory_factor=...)"
    )


def test_unknown_tagged_fields_are_counted() -> None:
    data = message(tags=b"\x64" + b"".join(bytes([tag, 0]) for tag in range(2, 102)))
    assert error_of(data, (0, 100, 3, 0)) is None
    assert "memory" in error_of(data, (0, 100, 3, 1_000), unknown_tagged_fields=True)["message"]
    assert error_of(data, (0, 100, 3, 3_000), unknown_tagged_fields=True) is None


def test_defaults_of_absent_fields_are_counted() -> None:
    """Each of these elements takes five bytes, and gives 16 of a default text and 8 of an integer."""
    inners = (2_000).to_bytes(4, "big") + bytes(5) * 2_000
    data = message(inners=inners)
    assert "memory" in error_of(data, (2_000, 0, 7, 0))["message"]
    assert error_of(data, (2_000, 0, 17, 0)) is None


@pytest.mark.parametrize("fields", [None, ["last"]])
def test_structs_without_bytes_end_in_linear_time(fields: list[str] | None) -> None:
    """Each of 40,000 arrays announces as many elements as there are bytes left, and none of them takes any."""
    inners = [(5 * left).to_bytes(4, "big") + b"\0" for left in reversed(range(40_000))]
    data = message(inners=len(inners).to_bytes(4, "big") + b"".join(inners))
    error = error_of(data, (1_000_000, 10_000, 10, 1_000_000), fields=fields)
    assert error is None if fields else "memory" in error["message"]


def minimal(codec: Any) -> Any:
    if codec.layout is not None:
        return codec.layout.cls()
    if codec.element is not None:
        return ()
    return {"string": "", "bytes": b"", "records": b"", "bool": False, "float64": 0.0}.get(codec.kind, 0)


def many_of_each_array(subject: Subject, count: int) -> list[bytes]:
    """A message for each array of the root, which has so many of the smallest elements, and nothing else in it."""
    layout, found = subject.table.roots[subject.version], []
    for field, codec in [*layout.steps, *layout.tagged.values()]:
        if codec.element is not None and codec.element.kind != "uuid":
            message = layout.cls()
            setattr(message, field.attribute, tuple([minimal(codec.element)] * count))
            # Some of the other fields have defaults that can't be written.
            with suppress(native.Failure):
                found.append(subject.engine.encode(subject.version, message))
    return found


def test_no_message_takes_more_than_it_may() -> None:
    """What comes of small elements, in the columns of all versions: in them a version lacks most."""
    limits = (1_000_000, 10_000, 10, 10_000)
    refused = 0
    for subject in all_subjects():
        for data in many_of_each_array(subject, 1_100):
            versions = pa.array([subject.version], pa.int16())
            for given in (limits, NO_LIMITS):
                batch = decode_columns(
                    subject.cls.CODEC.plan, versions, pa.array([data]), unknown_tagged_fields=True, limits=given
                )
                array = pa.array(batch)
                (error,) = array.field("_error").to_pylist()
                assert error is None or given is limits
                if given is limits:
                    refused += is_beyond_limits({"_error": error})
                    assert array.nbytes <= 10 * len(data) + 20_000
    assert refused


def test_arrays_nested_in_the_text_of_a_plan_end_in_an_error() -> None:
    nested = "array(" * 200_000 + "int8" + ")" * 200_000
    for engine in (schema_of, lambda plan: native.Engine(plan, ())):
        with pytest.raises(ValueError, match="arrays nest deeper than 64"):
            engine(PLAN.replace("array(int32)", nested))
