"""Parses the ``default`` of a field to the value that it has in Apache's generated Java.

Upstream: ``FieldSpec.fieldDefault``.
"""

from __future__ import annotations

import base64
import re
from typing import Final
from uuid import UUID

from messagegen.findings import clipped, quoted
from messagegen.primitives import RECORDS, Primitive
from messagegen.spec.model import Default, EmptyDefault, FieldType
from messagegen.spec.report import RefusedError

_LONGEST_STRING: Final = 0x7FFF
"""The maximum size of Kafka's strings in bytes, as in ``runtime/wire.py``."""
_INTEGER: Final = re.compile(r"(?P<decimal>[-+]?[0-9]{1,20})|0x(?P<hexadecimal>[0-9a-fA-F]{0,1000})")
_FLOAT: Final = re.compile(
    r"(?P<decimal>[-+]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?))[fFdD]?"
    r"|(?P<hexadecimal>[-+]?0[xX](?=\.?[0-9a-fA-F])[0-9a-fA-F]*\.?[0-9a-fA-F]*)"
    r"[pP](?P<sign>[-+]?)(?=[0-9])0*(?P<exponent>[0-9]*)[fFdD]?"
)
_UUID: Final = re.compile(r"([A-Za-z0-9_-]{22})(==)?")
_JAVA_BLANKS: Final = "".join(map(chr, range(33)))


def parse_default(type_: FieldType, text: str) -> Default:
    """Parse a default; ``""`` means the default value of the type.

    Raise ``RefusedError`` if it is invalid. Whether null is allowed depends on the field's versions, so that is not
    checked here.
    """
    match type_.python if isinstance(type_, Primitive) else "struct or array":
        case "int":
            return _integer(type_, text)
        case "bool" if text.lower() in ("", "true", "false"):
            return text.lower() == "true"
        case "float":
            return _float64(text)
        case "UUID":
            return _uuid(type_, text)
        case "str":
            return _string(type_, text)
        # Apache's generator ignores the default of a records field: it is always null.
        case "bytes" | "struct or array" if text == "null" or type_ is RECORDS:
            return None
        case "bytes" if not text:
            return b""
        case "struct or array" if not text:
            return EmptyDefault.EMPTY
        case python:
            raise _refused(type_, text, "write true or false" if python == "bool" else _EMPTY)


_EMPTY: Final = 'remove "default" for an empty value, or write "null" if the field is nullable'


def _string(type_: FieldType, text: str) -> str | None:
    """Return a string, or ``None`` for null. Refuse a string that no version could encode."""
    if len(text.encode()) > _LONGEST_STRING:
        raise _refused(type_, text, f"write a default of at most {_LONGEST_STRING} bytes of UTF-8")
    return None if text == "null" else text


def _uuid(type_: FieldType, text: str) -> UUID:
    """Parse a uuid in base64url. For a uuid in hexadecimal digits, the error suggests its base64url form."""
    if not text:
        return UUID(int=0)
    match = _UUID.fullmatch(text)
    if match is not None:
        return UUID(bytes=base64.urlsafe_b64decode(match[1] + "=="))
    try:
        kafkas = base64.urlsafe_b64encode(UUID(text).bytes).decode().rstrip("=")
    except ValueError:
        instead = "write 22 characters of base64url (A-Z a-z 0-9 - _), as printed by Uuid.toString"
        raise _refused(type_, text, instead) from None
    raise _refused(type_, text, f"write {quoted(kafkas)}, the same in base64url")


def _refused(type_: FieldType, text: str, instead: str, rule: str = "DEFAULT_FITS_TYPE") -> RefusedError:
    return RefusedError(rule, f"invalid default {quoted(text)} for a field of type {clipped(str(type_))}", instead)


def _integer(type_: FieldType, text: str) -> int:
    """Parse an integer like a Java literal. Refuse a leading 0, which means octal, unless the number is -7 to 7."""
    assert isinstance(type_, Primitive)
    assert type_.range is not None
    lowest, highest = type_.range
    match = _INTEGER.fullmatch(text or "0")
    value = None
    if match:
        value = int(match["decimal"]) if match["decimal"] else int(match["hexadecimal"] or "0", 16)
    if value is None or not lowest <= value <= highest:
        raise _refused(type_, text, f'write an integer from {lowest} to {highest}, such as 12 or "0x1f"')
    if abs(value) > 7 and re.match("[-+]?0[0-9]", text):
        raise _refused(type_, text, f"write {value}; a number with a leading 0 is octal in Java", "DEFAULT_NOT_OCTAL")
    return value


def _float64(text: str) -> float:
    """Parse a double like ``Double.parseDouble``; numbers that are too large become infinite."""
    # An empty default means 0, but a blank one is not a number.
    match = _FLOAT.fullmatch(text.strip(_JAVA_BLANKS) if text else "0")
    if match is None:
        instead = 'write a number such as 1.5, 2e10, "NaN" or "-Infinity"'
        raise RefusedError("DEFAULT_FITS_TYPE", f"invalid default {quoted(text)} for a field of type float64", instead)
    if match["decimal"]:
        return float(match["decimal"])
    # The first 9 digits are enough: a longer exponent overflows or underflows in any case.
    try:
        return float.fromhex(f"{match['hexadecimal']}p{match['sign']}{match['exponent'][:9] or '0'}")
    except OverflowError:
        return float("-inf" if match["hexadecimal"].startswith("-") else "inf")
