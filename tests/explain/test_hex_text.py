"""Bytes out of text: hex as people have it, dumps of tools, base64."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.explain.hex_text import parse_base64, parse_bytes, parse_hex


@pytest.mark.parametrize(
    "text",
    [
        "05726f6f66",
        "0572 6F6F 66\n",
        "0x05 0x72 0x6f\n0x6f 0x66",
        "05,72,6f,6f,66",
        "05:72:6f:6f:66",
        r"\x05\x72\x6f\x6f\x66",
        r'b"\x05\x72\x6f\x6f\x66"',
        "[0x05, 0x72, 0x6f, 0x6f, 0x66]",
        "00000000: 0572 6f6f 66                             .roof\n",
        "00000000  05 72 6f 6f 66                                    |.roof|\n00000005\n",
        "0000   05 72 6f 6f 66                                      .roof",
    ],
)
def test_hex_in_many_forms(text: str) -> None:
    assert parse_hex(text) == b"\x05roof"
    assert parse_bytes(text.encode(), "auto") == b"\x05roof"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("05 7g", "line 1, column 5: 'g' is not a digit of hex"), ("05\n7", "line 2: an odd number of hex digits, 1")],
)
def test_what_is_wrong_with_hex(text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        parse_hex(text)


@given(st.binary())
def test_base64_in_both_alphabets(data: bytes) -> None:
    assert parse_base64(b64encode(data).decode()) == data
    assert parse_base64(urlsafe_b64encode(data).decode().rstrip("=")) == data


def test_bytes_that_are_no_text_are_taken_as_they_are() -> None:
    assert parse_bytes(b"\x05roof", "auto") == b"\x05roof"
    assert parse_bytes(b"\xff\0", "auto") == b"\xff\0"
    assert parse_bytes(b"0572", "binary") == b"0572"
    with pytest.raises(ValueError, match="not a digit"):
        parse_bytes(b"roof", "auto")
