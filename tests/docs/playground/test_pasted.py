"""Pasted text is read as hex, base64 or a dump."""

from __future__ import annotations

import base64
import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docs.website.playground.pasted import LONGEST, PastedError, bytes_of

DATA = bytes(range(40))


def dump(data: bytes, *, digits: int, colon: str, gap: str, middle: str, end: str, group: int = 1) -> str:
    """Return ``data`` as a dump with 16 bytes in a row, each followed by the characters of the row."""
    lines = []
    for start in range(0, len(data), 16):
        row = data[start : start + 16]
        shown = middle.join(filter(None, (row[:8].hex(" ", -group), row[8:].hex(" ", -group))))
        characters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{start:0{digits}x}{colon}{gap}{shown}{end.format(characters)}")
    return "\n".join(lines)


@given(data=st.binary(min_size=1, max_size=80))
@example(data=DATA)
@example(data=b"ab cd 12" * 3)
@example(data=b"abcd")
def test_dumps_contain_their_bytes(data: bytes) -> None:
    wireshark = dump(data, digits=4, colon="", gap="   ", middle=" ", end="   {}")
    hexdump = dump(data, digits=8, colon="", gap="  ", middle="  ", end="  |{}|") + f"\n{len(data):08x}\n"
    xxd = dump(data, digits=8, colon=":", gap=" ", middle=" ", end="  {}", group=2)
    assert [bytes_of(text) for text in (wireshark, hexdump, xxd)] == [data, data, data]


@pytest.mark.parametrize(
    "text",
    [
        DATA.hex(),
        DATA.hex(" ").upper(),
        DATA.hex(":"),
        "0x" + DATA.hex(),
        ", ".join(f"0x{byte:02x}" for byte in DATA),
        'b"' + "".join(f"\\x{byte:02x}" for byte in DATA) + '"',
        DATA.hex("\n", 16),
    ],
)
def test_hex_can_contain_separators_and_prefixes(text: str) -> None:
    assert bytes_of(text) == DATA


@given(st.binary(min_size=1))
@example(b"\0\3\0\tadmin")
@example(b"\0it's \"\\")
def test_literals_of_python_contain_their_bytes(data: bytes) -> None:
    data = b"\0" + data
    literal = repr(data)
    assert (bytes_of(literal), bytes_of(literal[1:])) == (data, data)


def test_quoted_hex_is_hex() -> None:
    assert (bytes_of("'0012 ab'"), bytes_of("b'0012ab'")) == (b"\0\x12\xab", b"\0\x12\xab")


@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64_can_be_url_safe_and_unpadded(encode: object) -> None:
    data = b"\xfb\xff\xfe" + DATA
    text = encode(data).decode()  # type: ignore[operator]
    assert (bytes_of(text), bytes_of(text.rstrip("="))) == (data, data)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("abc", "expected two hex digits for each byte, found 3 digits"),
        ("not bytes!", "expected hex, base64 or a dump, found '!'"),
        ("zzzzz", "no whole bytes of base64"),
        ("00" * (LONGEST + 1), f"expected at most {LONGEST} bytes, found {LONGEST + 1}"),
    ],
)
def test_other_texts_are_rejected(text: str, reason: str) -> None:
    with pytest.raises(PastedError, match=reason):
        bytes_of(text)


@given(st.text())
def test_any_text_has_bytes_or_raises_pasted_error(text: str) -> None:
    with contextlib.suppress(PastedError):
        bytes_of(text)
