"""Bytes as people have them: hex in many forms, dumps of xxd and hexdump, base64."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Final, Literal

Form = Literal["auto", "hex", "base64", "binary"]

_ASCII_COLUMN: Final = re.compile(r"\s*\|[^\n]*$")
_DUMP_LINE: Final = re.compile(r"\s*([0-9a-fA-F]{4,16})(:\s|\s{2,}|\s*$)(.*)$")
_BEFORE_TEXT: Final = {":": re.compile(r"\s{2,}"), " ": re.compile(r"\s{3,}")}
"""What ends the bytes of a line: the text column is further away than the next group."""
_BETWEEN: Final = re.compile(r"0x|\bb(?=[\"'])|\\x|[\s,:;\"'\[\]{}()]", re.IGNORECASE)
_NOT_HEX: Final = re.compile(r"[^0-9a-fA-F]")
_BLANK: Final = re.compile(r"\s+")


def parse_bytes(data: bytes, form: Form) -> bytes:
    """The bytes that ``data`` describes; ``auto`` takes text that is hex as hex, and anything else as it is.

    Raises ``ValueError`` for text that is not of its form.
    """
    if form == "binary":
        return data
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError as error:
        if form == "auto":
            return data
        raise ValueError(f"byte {error.start} is not a character of {form}") from None
    if form == "base64":
        return parse_base64(text)
    try:
        return parse_hex(text)
    except ValueError:
        if form == "auto" and not _is_text(text):
            return data
        raise


def _is_text(text: str) -> bool:
    return all(character.isprintable() or character.isspace() for character in text)


def parse_base64(text: str) -> bytes:
    """The bytes of base64, in either alphabet, with blanks and without padding. Raises ``ValueError``."""
    joined = _BLANK.sub("", text).rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return b64decode(joined + "=" * (-len(joined) % 4), validate=True)
    except ValueError:
        raise ValueError("the text is not base64") from None


def parse_hex(text: str) -> bytes:
    r"""The bytes of hex text. Raises ``ValueError`` that names line and column.

    Blanks, commas, colons, quotes, brackets, ``0x`` and ``\x`` may separate bytes. Lines that begin with the offset of
    their first byte are those of a dump (xxd, hexdump -C, Wireshark), whose column of text is left out.
    """
    found = bytearray()
    for number, line in enumerate(text.splitlines(), 1):
        digits = _BETWEEN.sub("", _bytes_of_line(line, len(found)))
        if wrong := _NOT_HEX.search(digits):
            column = line.find(wrong[0]) + 1
            raise ValueError(f"line {number}, column {column}: {wrong[0]!r} is not a digit of hex")
        if len(digits) % 2:
            raise ValueError(f"line {number}: an odd number of hex digits, {len(digits)}")
        found += bytes.fromhex(digits)
    return bytes(found)


def _bytes_of_line(line: str, offset: int) -> str:
    """The part of a line that holds bytes; ``offset`` is how many came before, by which a dump's own offset is known."""
    line = _ASCII_COLUMN.sub("", line)
    dump = _DUMP_LINE.match(line)
    if dump is None or int(dump[1], 16) != offset:
        return line
    if not dump[3] and offset == 0:
        return line
    return _BEFORE_TEXT[":" if dump[2].startswith(":") else " "].split(dump[3].lstrip(), 1)[0]
