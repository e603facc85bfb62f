"""The values that encoding accepts for each type, and the errors for all other values, with both kinds of codecs."""

from __future__ import annotations

from array import array
from enum import IntEnum
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from tests.support.specs import class_of, field, made

pytestmark = pytest.mark.usefixtures("codecs")


class Level(IntEnum):
    HIGH = 2


class Pair(NamedTuple):
    first: int
    second: int


class Key(UUID):
    pass


@pytest.fixture
def message() -> Any:
    return made(
        field("Flag", "bool", default="true"),
        field("Number", "int16"),
        field("Rate", "float64"),
        field("Name", "string"),
        field("Id", "uuid"),
        field("Data", "bytes"),
        field("Numbers", "[]int32"),
        field("Flags", "[]bool"),
        field("Names", "[]string"),
        field("Parts", "[]Part", fields=[field("X", "int8")]),
        field("Late", "bool", "1+", tag=0, taggedVersions="1+"),
        field("Later", "[]int32", "1+", tag=1, taggedVersions="1+"),
        validVersions="0-1",
        flexibleVersions="1+",
    )


def error_of(message: Any, version: int, **values: Any) -> str:
    with pytest.raises(ValueError, match="version") as caught:
        message(**values).encode(version=version)
    assert type(caught.value).__name__ == "EncodeError"
    return str(caught.value).rpartition(" (Made")[0]


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize(
    ("name", "value", "plain"),
    [
        ("number", Level.HIGH, 2),
        ("number", True, 1),
        ("rate", 3, 3.0),
        ("id", Key(int=7), UUID(int=7)),
        ("data", memoryview(array("H", (1, 2))), array("H", (1, 2)).tobytes()),
        ("numbers", [1, 2], (1, 2)),
        ("numbers", Pair(1, 2), (1, 2)),
        ("flags", [True, False], (True, False)),
    ],
)
def test_equivalent_types_are_accepted(message: Any, version: int, name: str, value: Any, plain: Any) -> None:
    expected = message(**{name: plain}).encode(version=version)
    assert message(**{name: value}).encode(version=version) == expected


@pytest.mark.slow
@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"flag": "false"}, "flag: expected True or False, got 'false'"),
        ({"flag": 1}, "flag: expected True or False, got 1"),
        ({"flag": None}, "flag: expected True or False, got None"),
        ({"number": "5"}, "number: expected an int, got '5'"),
        ({"number": 1 << 15}, "number: 32768 does not fit in int16"),
        ({"number": 10**5000}, "number: an int of 16610 bits does not fit in int16"),
        ({"rate": "1.5"}, "rate: expected a float, got '1.5'"),
        ({"name": 5}, "name: expected a str, got 5"),
        ({"name": b"host"}, "name: expected a str, got b'host'"),
        (
            {"id": "00000000-0000-0000-0000-000000000000"},
            "id: expected a uuid.UUID, got '00000000-0000-0000-0000-000000000000'",
        ),
        ({"data": "text"}, "data: expected bytes, bytearray or memoryview, got 'text'"),
        ({"data": [1]}, "data: expected bytes, bytearray or memoryview, got an object of type list"),
        ({"numbers": {1, 2}}, "numbers: expected a tuple or list, got an object of type set"),
        ({"numbers": b"\1\2"}, r"numbers: expected a tuple or list, got b'\x01\x02'"),
        ({"numbers": range(2)}, "numbers: expected a tuple or list, got an object of type range"),
        ({"numbers": (1, "2")}, "numbers[1]: expected an int, got '2'"),
        ({"flags": (True, 1)}, "flags[1]: expected True or False, got 1"),
        ({"names": "orders"}, "names: expected a tuple or list, got 'orders'"),
        ({"names": ("a", 5)}, "names[1]: expected a str, got 5"),
        ({"parts": {}}, "parts: expected a tuple or list, got an object of type dict"),
        ({"unknown_tagged_fields": None}, "unknown_tagged_fields: expected a tuple or list, got None"),
    ],
)
def test_a_wrong_value_is_refused_with_the_name_of_its_field(
    message: Any, version: int, values: dict[str, Any], text: str
) -> None:
    assert error_of(message, version, **values) == text


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (((100, b"x") for _ in range(1)), "expected a tuple or list, got an object of type generator"),
        (((100, "text"),), "expected bytes, bytearray or memoryview, got 'text'"),
        (((100,),), "expected a pair of a tag (an int) and its bytes, got an object of type tuple"),
        ((("100", b""),), "expected a pair of a tag (an int) and its bytes, got an object of type tuple"),
        (((1, b""),), "tag 1 is a known field and can't be among the unknown ones"),
        (((7, b""), (7, b"x")), "tag 7 is given twice"),
        (((2**31 - 1, b""),), "expected a tag from 0 to 2147483646, got 2147483647"),
    ],
)
def test_unknown_tagged_fields_must_be_pairs(message: Any, fields: Any, reason: str) -> None:
    assert error_of(message, 1, unknown_tagged_fields=fields) == f"unknown_tagged_fields: {reason}"


def test_encode_calls_an_overridden_getattribute(message: Any) -> None:
    part = class_of(message, "Part")

    class Loud(part):  # type: ignore[misc, valid-type]
        def __getattribute__(self, name: str) -> Any:
            return 7 if name == "x" else super().__getattribute__(name)

    assert message(parts=(Loud(),)).encode(version=0) == message(parts=(part(x=7),)).encode(version=0)


def test_encode_into_accepts_only_a_bytearray(message: Any) -> None:
    buffers: tuple[Any, ...] = ([], b"", memoryview(bytearray()))
    for buffer in buffers:
        with pytest.raises(TypeError, match="expected a bytearray"):
            message().encode_into(buffer, version=0)


def test_a_key_error_raised_by_a_value_is_passed_on(message: Any) -> None:
    class Lost:
        def __index__(self) -> int:
            raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        message(number=Lost()).encode(version=0)
