"""Both kinds of codecs reject lengths, widths and counts that no encoder writes, before they cost memory."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.specs import field, made
from tests.support.varints import uvarint

pytestmark = pytest.mark.usefixtures("codecs")

MANY = 500_000
LOW_FACTOR = 15
"""A memory factor that many short strings and numbers exceed."""


def compact(count: int) -> bytes:
    """Return the length of a compact string or array."""
    return uvarint(count + 1)


@pytest.mark.parametrize("flexible", ["none", "0+"])
def test_strings_of_more_than_32767_bytes_are_rejected(flexible: str) -> None:
    message = made(field("A", "string"), flexibleVersions=flexible)
    tags = b"" if flexible == "none" else b"\0"

    def encoded(length: int) -> bytes:
        return (length.to_bytes(2, "big") if flexible == "none" else compact(length)) + b"a" * length + tags

    assert message.decode(encoded(32767), version=0).a == "a" * 32767
    with pytest.raises(ValueError, match=r"a: (a string has at most 32767 bytes|null is not allowed)"):
        message.decode(encoded(32768), version=0)


@pytest.mark.parametrize("form", ["packed", "upacked"])
@pytest.mark.parametrize(
    ("bits", "widest", "wider"),
    [(16, "ffff03", "ffff04"), (32, "ffffffff0f", "ffffffff10"), (64, "ff" * 9 + "01", "ff" * 9 + "02")],
)
def test_a_varint_with_more_bits_than_its_encoding_is_refused(form: str, bits: int, widest: str, wider: str) -> None:
    message: Any = made(field("A", "int64" if bits == 64 else f"int{bits}", encoding=f"{form}{bits}"))
    lowest = -(1 << (bits - 1))
    assert message.decode(bytes.fromhex(widest), version=0).a == (-1 if form == "upacked" else lowest)
    with pytest.raises(ValueError, match=f"a: the varint does not fit in {bits} bits"):
        message.decode(bytes.fromhex(wider), version=0)
    with pytest.raises(ValueError, match=f"a: the varint is too long for {bits} bits"):
        message.decode(b"\x80" * (len(widest) // 2) + b"\0", version=0)


@pytest.mark.parametrize(
    ("type_", "element"), [("[]string", "é".encode()), ("[]int16", b"\x40\x00")], ids=["strings", "numbers"]
)
def test_elements_count_against_the_memory_limit(type_: str, element: bytes) -> None:
    message: Any = made(field("A", type_), flexibleVersions="0+")
    limits = message.LIMITS.__class__(memory_factor=LOW_FACTOR, memory_constant=1_000_000)
    one = compact(len(element)) + element if type_ == "[]string" else element
    assert len(message.decode(compact(1000) + 1000 * one + b"\0", version=0, limits=limits).a) == 1000
    with pytest.raises(ValueError, match="memory"):
        message.decode(compact(MANY) + MANY * one + b"\0", version=0, limits=limits)


@pytest.mark.parametrize("lazy", [False, True])
def test_bytes_after_a_message_do_not_increase_its_memory_limit(*, lazy: bool) -> None:
    message: Any = made(field("A", "[]int16"), flexibleVersions="0+")
    limits = message.LIMITS.__class__(memory_factor=LOW_FACTOR, memory_constant=1_000_000)
    data = compact(MANY) + MANY * b"\x40\x00" + b"\0"
    with pytest.raises(ValueError, match="memory"):
        message.decode_from(data + bytes(20 * len(data)), version=0, lazy=lazy, limits=limits)


@pytest.mark.parametrize("factor", [0, 11])
def test_bytes_after_a_message_do_not_decrease_its_memory_limit(factor: int) -> None:
    message: Any = made(field("A", "[]int16"), flexibleVersions="0+")
    limits = message.LIMITS.__class__(memory_factor=factor)
    data = compact(1000) + 1000 * b"\x40\x00" + b"\0"
    found, end = message.decode_from(data + bytes(MANY), version=0, limits=limits)
    assert (len(found.a), end) == (1000, len(data))


@pytest.mark.parametrize("count", [1_000_000, 1_000_001])
def test_the_array_length_limit_also_applies_to_cheap_elements(count: int) -> None:
    """The bytes of a row with two floats pay for its memory, so this limit would leave memory for more rows."""
    row = [field("X", "float64"), field("Y", "float64")]
    message: Any = made(field("Rows", "[]Row", fields=row))
    limits = message.LIMITS.__class__(memory_constant=100_000_000)
    data = count.to_bytes(4, "big") + bytes(16 * count)
    if count == limits.array_length:
        assert len(message.decode(data, version=0, limits=limits).rows) == count
        return
    with pytest.raises(ValueError, match="rows: 1000001 elements are more than 1000000; to allow more"):
        message.decode(data, version=0, limits=limits)
