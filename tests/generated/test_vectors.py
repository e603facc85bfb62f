"""Byte vectors, written by hand from Kafka's protocol guide and the KIPs without any code of this project.

Each vector is a field, a value, and the value's bytes with their meaning beside them.
"""

# ruff: noqa: ISC001 - each literal is one part of a message, with its meaning beside it

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from uuid import UUID

import pytest

from tests.support.agreement import straight_decode, straight_encode
from tests.support.specs import made

NON_FLEXIBLE, FLEXIBLE = "none", "0+"


@cache
def _message(type_: str, flexible: str, properties: str) -> Any:
    return made({"name": "F", "type": type_, "versions": "0+", **json.loads(properties)}, flexibleVersions=flexible)


@dataclass(frozen=True)
class Vector:
    """A field ``F`` with its type and value, and the bytes of the message that contains it."""

    name: str
    type: str
    value: Any
    data: bytes
    flexible: str = NON_FLEXIBLE
    properties: dict[str, object] = field(default_factory=dict)

    def message(self) -> Any:
        return _message(self.type, self.flexible, json.dumps(self.properties))

    def __str__(self) -> str:
        return self.name


def vectors(*groups: list[Vector]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", [vector for group in groups for vector in group], ids=str)


# KAFKA-9474, required by KIP-546: IEEE 754 binary64 in eight big-endian bytes, with 1 bit for the sign, 11 bits for the
# exponent and 52 bits for the fraction.
FLOATS = [
    Vector("zero", "float64", 0.0, b"\x00\x00\x00\x00\x00\x00\x00\x00"),
    Vector("minus zero", "float64", -0.0, b"\x80\x00\x00\x00\x00\x00\x00\x00"),  # only the sign bit
    Vector("one", "float64", 1.0, b"\x3f\xf0\x00\x00\x00\x00\x00\x00"),  # exponent 1023
    Vector("minus two", "float64", -2.0, b"\xc0\x00\x00\x00\x00\x00\x00\x00"),  # sign, exponent 1024
    Vector("a half", "double", 0.5, b"\x3f\xe0\x00\x00\x00\x00\x00\x00"),  # exponent 1022; double is float64
    Vector("a tenth", "float64", 0.1, b"\x3f\xb9\x99\x99\x99\x99\x99\x9a"),  # rounded up in the last bit
    Vector(
        "largest", "float64", 1.7976931348623157e308, b"\x7f\xef\xff\xff\xff\xff\xff\xff"
    ),  # exponent 2046, all bits 1
    Vector("smallest normal", "float64", 2.2250738585072014e-308, b"\x00\x10\x00\x00\x00\x00\x00\x00"),  # exponent 1
    Vector("smallest", "float64", 5e-324, b"\x00\x00\x00\x00\x00\x00\x00\x01"),  # exponent 0, the last bit
    Vector("infinity", "float64", math.inf, b"\x7f\xf0\x00\x00\x00\x00\x00\x00"),  # exponent 2047, fraction 0
    Vector("minus infinity", "float64", -math.inf, b"\xff\xf0\x00\x00\x00\x00\x00\x00"),
]


def packed(bits: int, *rows: tuple[int, bytes]) -> list[Vector]:
    return _encoded(f"packed{bits}", bits, rows)


def upacked(bits: int, *rows: tuple[int, bytes]) -> list[Vector]:
    return _encoded(f"upacked{bits}", bits, rows)


def _encoded(encoding: str, bits: int, rows: tuple[tuple[int, bytes], ...]) -> list[Vector]:
    properties: dict[str, object] = {"encoding": encoding}
    return [Vector(f"{encoding} {value}", f"int{bits}", value, data, properties=properties) for value, data in rows]


# KIP-625, packed: zig-zag maps 0, -1, 1, -2, ... to 0, 1, 2, 3, ... A varint holds seven bits per byte, the
# lowest first. The top bit of a byte is set if another byte follows.
PACKED = [
    *packed(
        16,
        (0, b"\x00"),  # 0
        (-1, b"\x01"),  # 1
        (1, b"\x02"),  # 2
        (63, b"\x7e"),  # 126
        (-64, b"\x7f"),  # 127, the highest in one byte
        (64, b"\x80\x01"),  # 128
        (-8192, b"\xff\x7f"),  # 16383, the highest in two bytes
        (8192, b"\x80\x80\x01"),  # 16384
        (32767, b"\xfe\xff\x03"),  # 65534 = 126 + 127 * 2^7 + 3 * 2^14
        (-32768, b"\xff\xff\x03"),  # 65535: sixteen 1 bits are 7 + 7 + 2
    ),
    *packed(
        32,
        (300, b"\xd8\x04"),  # 600 = 88 + 4 * 128
        (2147483647, b"\xfe\xff\xff\xff\x0f"),  # 2^32 - 2
        (-2147483648, b"\xff\xff\xff\xff\x0f"),  # 2^32 - 1: thirty-two 1 bits are 4 * 7 + 4
    ),
    *packed(
        64,
        (-1, b"\x01"),
        (2147483648, b"\x80\x80\x80\x80\x10"),  # 2^32 = 16 * 2^28
        # 2^64 - 2 and 2^64 - 1: nine bytes hold 63 bits, so the last bit needs a tenth, contrary to the KIP's text.
        (9223372036854775807, b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        (-9223372036854775808, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
    ),
]

# KIP-625, upacked: a varint of the two's-complement bits. Negative values need the bytes for all bits.
UPACKED = [
    *upacked(
        16,
        (0, b"\x00"),
        (127, b"\x7f"),  # the highest in one byte
        (128, b"\x80\x01"),
        (16383, b"\xff\x7f"),  # the highest in two bytes
        (16384, b"\x80\x80\x01"),
        (32767, b"\xff\xff\x01"),  # fifteen 1 bits are 7 + 7 + 1
        (-1, b"\xff\xff\x03"),  # sixteen 1 bits
        (-32768, b"\x80\x80\x02"),  # 2^15 = 2 * 2^14
    ),
    *upacked(
        32,
        (300, b"\xac\x02"),  # 44 + 2 * 128
        (2147483647, b"\xff\xff\xff\xff\x07"),  # thirty-one 1 bits
        (-1, b"\xff\xff\xff\xff\x0f"),  # thirty-two 1 bits
        (-2147483648, b"\x80\x80\x80\x80\x08"),  # 2^31 = 8 * 2^28
    ),
    *upacked(
        64,
        (9223372036854775807, b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),  # sixty-three 1 bits in nine bytes
        (-1, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),  # sixty-four 1 bits need a tenth byte
        (-9223372036854775808, b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),  # 2^63
    ),
]

# KIP-625: encodings that are narrower than the type, encodings of array elements, and types with their own encoding.
OTHER_ENCODINGS = [
    Vector("fixed16 of an int64", "int64", -2, b"\xff\xfe", properties={"encoding": "fixed16"}),
    Vector("packed16 of an int64", "int64", -2, b"\x03", properties={"encoding": "packed16"}),
    Vector(
        "elements",
        "[]int32",
        (0, -1, 300),
        b"\x00\x00\x00\x03" b"\x00" b"\x01" b"\xd8\x04",
        properties={"elementEncoding": "packed32"},
    ),
    Vector("type map", "varint32", -64, b"\x7f"),
    Vector("unsigned type map", "unsigned_varint16", -1, b"\xff\xff\x03"),
]

ALL = (FLOATS, PACKED, UPACKED, OTHER_ENCODINGS)


@pytest.mark.slow
@vectors(*ALL)
def test_values_are_written_as_specified(vector: Vector) -> None:
    message = vector.message()(f=vector.value)
    assert message.encode(version=0) == vector.data
    assert straight_encode(message, 0) == vector.data


@vectors(*ALL)
def test_bytes_are_read_as_specified(vector: Vector) -> None:
    message = vector.message()
    for found in (message.decode(vector.data, version=0).f, straight_decode(message, vector.data, 0).f):
        assert found == vector.value
        assert type(found) is type(vector.value)
        assert not isinstance(found, float) or math.copysign(1, found) == math.copysign(1, vector.value)


@vectors(*ALL)
def test_truncated_bytes_are_refused(vector: Vector) -> None:
    message = vector.message()
    for length in _some(len(vector.data)):
        with pytest.raises(ValueError, match="Made version 0, byte"):
            message.decode(vector.data[:length], version=0)


def _some(length: int) -> Iterator[int]:
    """Yield all lengths below ``length``, or the shortest and longest if there are many."""
    yield from (at for at in range(length) if at < 20 or at > length - 5)


@pytest.mark.parametrize(
    "bits",
    [
        0x7FF8000000000000,  # quiet: Java's Double.NaN
        0xFFF8000000000000,  # Java's Double.NaN with the sign set
        0x7FF8000000000001,  # quiet, with a payload
        0x7FFFFFFFFFFFFFFF,  # quiet, all payload bits
        0xFFFFFFFFFFFFFFFF,
        0x7FF4000000000001,  # signalling, with a payload
        0x7FF0000000000001,  # signalling, the smallest payload
    ],
)
def test_every_bit_of_a_nan_is_kept(bits: int) -> None:
    """KAFKA-9474 requires ``doubleToRawLongBits``, which does not change the payload to a canonical one."""
    message = made(
        {"name": "F", "type": "float64", "versions": "0+"}, {"name": "G", "type": "[]float64", "versions": "0+"}
    )
    data = struct.pack(">QIQ", bits, 1, bits)
    for again in (message.decode(data, version=0), straight_decode(message, data, 0)):
        assert math.isnan(again.f)
        assert math.isnan(again.g[0])
        assert again.encode(version=0) == straight_encode(again, 0) == data


def test_a_nan_is_written_even_if_the_default_is_a_nan() -> None:
    message = made(
        {"name": "F", "type": "float64", "versions": "0+", "tag": 0, "taggedVersions": "0+", "default": "NaN"},
        flexibleVersions="0+",
    )
    # one field: tag 0, size 8, the NaN
    assert message().encode(version=0) == b"\x01" b"\x00" b"\x08" b"\x7f\xf8\x00\x00\x00\x00\x00\x00"


def test_minus_zero_equals_the_default_zero() -> None:
    message = made(
        {"name": "F", "type": "float64", "versions": "0+", "tag": 0, "taggedVersions": "0+"}, flexibleVersions="0+"
    )
    assert message(f=-0.0).encode(version=0) == b"\x00"
