"""Varints and the encodings based on them: round trips, widths, and refused bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from messagegen.runtime.errors import CodecFailure
from messagegen.runtime.varints import read_packed, read_upacked, read_varint_bits, write_packed, write_upacked
from messagegen.runtime.wire import read_uvarint

WIDTHS = [16, 32, 64]
LONGEST = {16: 3, 32: 5, 64: 10}

Read = Callable[[bytes, int, int], tuple[int, int]]
Write = Callable[[bytearray, int, int], None]
FORMS: list[tuple[Read, Write]] = [(read_packed, write_packed), (read_upacked, write_upacked)]
forms = pytest.mark.parametrize(("read", "write"), FORMS, ids=["packed", "upacked"])
widths = pytest.mark.parametrize("bits", WIDTHS)


def written(write: Callable[..., None], *arguments: Any) -> bytes:
    out = bytearray(b"before")
    write(out, *arguments)
    assert out.startswith(b"before")
    return bytes(out[6:])


@forms
@widths
def test_the_limits_of_each_width_survive_a_round_trip(read: Read, write: Write, bits: int) -> None:
    for value in (-(1 << bits - 1), (1 << bits - 1) - 1):
        encoded = written(write, value, bits)
        assert read(encoded, 0, bits) == (value, len(encoded))
    longest = max((-(1 << bits - 1), (1 << bits - 1) - 1), key=lambda value: len(written(write, value, bits)))
    assert len(written(write, longest, bits)) == LONGEST[bits]


@forms
@widths
@pytest.mark.parametrize("beyond", [0, 1, 1 << 70])
def test_values_that_do_not_fit_are_refused(read: Read, write: Write, bits: int, beyond: int) -> None:
    for value in ((1 << bits - 1) + beyond, -(1 << bits - 1) - 1 - beyond):
        with pytest.raises(CodecFailure, match=f"{value} does not fit in {bits} bits"):
            write(bytearray(), value, bits)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("ffffffff10", "more than 32 bits"),
        ("ffffffff7f", "more than 32 bits"),
        ("808080808000", "more than 5 bytes"),
        ("ffffffffff", "more than 5 bytes"),
    ],
)
def test_unsigned_varints_of_more_than_32_bits_are_refused(data: str, reason: str) -> None:
    with pytest.raises(CodecFailure, match=reason):
        read_uvarint(bytes.fromhex(data), 0)


@pytest.mark.parametrize(
    ("bits", "data", "reason"),
    [
        (16, "ffff04", "does not fit in 16 bits"),
        (16, "80808000", "too long for 16 bits"),
        (32, "ffffffff10", "does not fit in 32 bits"),
        (32, "808080808000", "too long for 32 bits"),
        (64, "ffffffffffffffffff02", "does not fit in 64 bits"),
        (64, "8080808080808080808000", "too long for 64 bits"),
    ],
)
def test_varints_beyond_their_width_are_refused(bits: int, data: str, reason: str) -> None:
    for read in (read_varint_bits, read_packed, read_upacked):
        with pytest.raises(CodecFailure, match=reason):
            read(bytes.fromhex(data), 0, bits)


def test_overlong_varints_are_read() -> None:
    assert read_uvarint(bytes.fromhex("8000"), 0) == (0, 2)
    assert read_uvarint(bytes.fromhex("8180808000"), 0) == (1, 5)
    assert read_packed(bytes.fromhex("828000"), 0, 16) == (1, 3)
