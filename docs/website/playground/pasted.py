"""Bytes from pasted text: hex, base64, or a dump with offsets."""

from __future__ import annotations

import ast
import base64
import binascii
import re
from typing import Final

LONGEST: Final = 65_536
"""The maximum number of bytes. The page has an element for each byte."""

_DUMP_LINE: Final = re.compile(r"(?P<offset>[0-9A-Fa-f]{3,8})(?P<colon>:?)(?:\s+(?P<rest>\S.*))?")
_ROW: Final = 16
"""The maximum number of bytes in a row of a dump."""
_MARKS: Final = re.compile(r"0[xX]|\\x|[\s,:;|\[\]{}()'\"]|(?<![0-9A-Za-z])b(?=['\"])")
"""Marks between hex digits, as in ``0x0a, 0x0b``, ``b"\\x0a"`` and ``0a:0b``."""
_LITERAL: Final = re.compile(
    r"""b?(?P<literal>(?P<quote>['"])(?:\\x[0-9A-Fa-f]{2}|\\[nrt\\'"]|(?!(?P=quote))[ -\[\]-~])*(?P=quote))"""
)
"""A literal with the escapes that Python writes for bytes."""


class PastedError(ValueError):
    """Raised for text that does not contain bytes."""


def bytes_of(text: str) -> bytes:
    """Return the bytes in a pasted text. Raise ``PastedError``.

    A dump has an offset before each row, as Wireshark, ``hexdump -C`` and ``xxd`` write it.
    """
    data = _from_literal(text) or _from_dump(text)
    if data is None:
        digits = _MARKS.sub("", text)
        data = _from_hex(digits) if re.fullmatch(r"[0-9A-Fa-f]*", digits) else _from_base64(text)
    if len(data) > LONGEST:
        raise PastedError(f"expected at most {LONGEST} bytes, found {len(data)}")
    return data


def _from_literal(text: str) -> bytes | None:
    """Return the bytes of a literal of Python, or ``None`` for other texts and for a literal without an escape."""
    found = _LITERAL.fullmatch(text.strip())
    return ast.literal_eval(f"b{found['literal']}") if found and "\\" in text else None


def _from_hex(digits: str) -> bytes:
    if len(digits) % 2:
        raise PastedError(f"expected two hex digits for each byte, found {len(digits)} digits")
    return bytes.fromhex(digits)


def _from_base64(text: str) -> bytes:
    joined = "".join(text.split()).translate(str.maketrans("-_", "+/"))
    wrong = re.search(r"[^A-Za-z0-9+/=]", joined)
    if wrong:
        raise PastedError(f"expected hex, base64 or a dump, found {wrong[0]!r}")
    padded = joined.rstrip("=")
    try:
        return base64.b64decode(padded + "=" * (-len(padded) % 4), validate=True)
    except binascii.Error:
        raise PastedError("expected hex, base64 or a dump; these characters have no whole bytes of base64") from None


def _from_dump(text: str) -> bytes | None:
    """Return the bytes of a dump, or ``None`` if a line does not begin with the offset of its first byte."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    rows = [_DUMP_LINE.fullmatch(line) for line in lines]
    data = bytearray()
    start: int | None = None
    for row in rows:
        if row is None:
            return None
        offset = int(row["offset"], 16)
        start = offset if start is None else start
        if offset != start + len(data):
            return None
        data += _row(row["rest"] or "", is_xxd=bool(row["colon"]))
    return bytes(data) if data and (len(rows) > 1 or start == 0) else None


def _row(rest: str, *, is_xxd: bool) -> bytes:
    """Return the bytes of a row of a dump, without the characters at its end."""
    shown = re.split(r" {2,}" if is_xxd else r" {3,}| *\||\t", rest)[0]
    data = bytearray()
    for word in shown.split():
        if not re.fullmatch(r"(?:[0-9A-Fa-f]{2})+", word) or len(data) >= _ROW:
            break
        data += bytes.fromhex(word)
    return bytes(data)
