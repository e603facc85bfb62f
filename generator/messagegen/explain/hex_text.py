"""Bytes as people have them: hex in many forms, or base64."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Final, Literal

Form = Literal["auto", "hex", "base64", "binary"]

_BETWEEN: Final = re.compile(r"0x|\bb(?=[\"'])|\\x|[\s,:;\"'\[\]{}()]", re.IGNORECASE)
_NOT_HEX: Final = re.compile(r"[^0-9a-fA-F]")


def parse_bytes(data: bytes, form: Form) -> bytes:
    """The bytes that ``data`` describes; ``auto`` takes text as hex, and anything else as it is.

    Raises ``ValueError`` for text that is not of its form.
    """
    text = data.decode("ascii", "replace")
    is_text = all(character.isprintable() or character.isspace() for character in text.replace("\ufffd", "\0"))
    if form == "binary" or (form == "auto" and not is_text):
        return data
    return parse_base64(text) if form == "base64" else parse_hex(text)


def parse_base64(text: str) -> bytes:
    """The bytes of base64, in either alphabet, with blanks and without padding. Raises ``ValueError``."""
    joined = "".join(text.split()).rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return b64decode(joined + "=" * (-len(joined) % 4), validate=True)
    except ValueError:
        raise ValueError("the text is not base64") from None


def parse_hex(text: str) -> bytes:
    r"""The bytes of hex text. Raises ``ValueError`` that names line and column.

    Blanks, commas, colons, quotes, brackets, ``0x`` and ``\x`` may separate bytes.
    """
    found = bytearray()
    for number, line in enumerate(text.splitlines(), 1):
        digits = _BETWEEN.sub("", line)
        if wrong := _NOT_HEX.search(digits):
            column = line.find(wrong[0]) + 1
            raise ValueError(f"line {number}, column {column}: {wrong[0]!r} is not a digit of hex")
        if len(digits) % 2:
            raise ValueError(f"line {number}: an odd number of hex digits, {len(digits)}")
        found += bytes.fromhex(digits)
    return bytes(found)
