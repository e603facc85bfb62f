"""Parses the ``default`` of a field to the value it has in Apache's generated Java (upstream: ``FieldSpec.fieldDefault``)."""

from __future__ import annotations

import base64
import re
from typing import Final
from uuid import UUID

from messagegen.findings import quoted
from messagegen.primitives import RECORDS, Primitive
from messagegen.spec.field_types import type_text
from messagegen.spec.model import Default, EmptyDefault, FieldType
from messagegen.spec.report import RefusedError

_DECIMAL: Final = re.compile(r"([-+]?)([0-9]+)")
_HEXADECIMAL: Final = re.compile(r"0x([0-9a-fA-F]*)")
_DECIMAL_FLOAT: Final = re.compile(r"([-+]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?))[fFdD]?")
_HEXADECIMAL_FLOAT: Final = re.compile(
    r"([-+]?)0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([-+]?)([0-9]+)[fFdD]?"
)
_UUID: Final = re.compile(r"([A-Za-z0-9_-]{22})(==)?")
_ZERO_UUID: Final = UUID(int=0)
_LONGEST_NUMBER: Final = 1000


class OctalError(RefusedError):
    """Raised for an integer with a leading 0, which is a different number in Java."""


def parse_default(type_: FieldType, text: str) -> Default:
    """Parses a default; ``""`` gives the default of the type.

    Whether null is allowed depends on the field's versions and is not checked here. Raises ``RefusedError``.
    """
    if not isinstance(type_, Primitive):
        return _empty_or_null(type_, text, EmptyDefault.EMPTY)
    if type_ is RECORDS:
        # Apache's generator ignores the default of a records field: it is always null.
        return None
    match type_.python:
        case "int":
            return _integer(type_, text)
        case "bool":
            return _boolean(text)
        case "float":
            return _float64(text)
        case "UUID":
            return _uuid(text)
        case "str":
            return None if text == "null" else text
        case "bytes":
            return _empty_or_null(type_, text, b"")


def _empty_or_null(type_: FieldType, text: str, empty: Default) -> Default:
    if text == "null":
        return None
    if text:
        message = f"invalid default {quoted(text)} for a field of type {type_text(type_)}"
        raise RefusedError(message, 'write "null" if all versions are nullable, or remove the default for empty')
    return empty


def _boolean(text: str) -> bool:
    if text.lower() not in ("", "true", "false"):
        raise RefusedError(f"invalid bool {quoted(text)}", "write true or false")
    return text.lower() == "true"


def _integer(type_: Primitive, text: str) -> int:
    """Parses an integer like a Java literal; rejects a leading 0, which means octal, if that makes a difference."""
    assert type_.range is not None
    lowest, highest = type_.range
    hexadecimal = _HEXADECIMAL.fullmatch(text)
    decimal = _DECIMAL.fullmatch(text)
    shown, instead = quoted(text), f'write an integer from {lowest} to {highest}, such as 12 or "0x1f"'
    if len(text) > _LONGEST_NUMBER or not (hexadecimal or decimal or not text):
        raise RefusedError(f"invalid {type_.name} {shown}", instead)
    if not text:
        return 0
    if hexadecimal:
        value = int(hexadecimal[1] or "0", 16)
    else:
        sign, digits = (decimal[1], decimal[2]) if decimal else ("", "0")
        value = int(sign + digits)
        if lowest <= value <= highest and len(digits) > 1 and digits.startswith("0"):
            _refuse_octal(value, sign, digits)
    if not lowest <= value <= highest:
        raise RefusedError(f"{shown} does not fit into {type_.name}", instead)
    return value


def _refuse_octal(value: int, sign: str, digits: str) -> None:
    shown = quoted(sign + digits)
    if "8" in digits or "9" in digits:
        message = f"{shown} has a leading 0, but is not an octal number"
        raise RefusedError(message, f"write {value}")
    octal = int(sign + digits, 8)
    if octal != value:
        message = f"{shown} has a leading 0: Apache's generator reads it as octal, {octal} and not {value}"
        raise OctalError(message, f"write {value} or {octal}")


def _float64(text: str) -> float:
    """Parses a double like ``Double.parseDouble``; numbers that are too large become infinite."""
    trimmed = text.strip("".join(map(chr, range(33))))
    if not text:
        return 0.0
    if decimal := _DECIMAL_FLOAT.fullmatch(trimmed):
        return float(decimal[1])
    if hexadecimal := _HEXADECIMAL_FLOAT.fullmatch(trimmed):
        return _hexadecimal_float(hexadecimal)
    raise RefusedError(f"invalid float64 {quoted(text)}", 'write a number such as 1.5, 2e10, "NaN" or "-Infinity"')


def _hexadecimal_float(match: re.Match[str]) -> float:
    sign, whole, fraction, exponent_sign, exponent = match.groups()
    if not (whole + fraction).strip("0"):
        return -0.0 if sign == "-" else 0.0
    # An exponent with many digits overflows or underflows, whatever the digits before it.
    exponent = exponent.lstrip("0")[:9] or "0"
    try:
        return float.fromhex(f"{sign}0x{whole or '0'}.{fraction or '0'}p{exponent_sign}{exponent}")
    except OverflowError:
        return float(f"{sign}inf")


def _uuid(text: str) -> UUID:
    if not text:
        return _ZERO_UUID
    match = _UUID.fullmatch(text)
    if match is None:
        message = f"invalid uuid {quoted(text)}"
        raise RefusedError(message, "write 22 characters of base64url (A-Z a-z 0-9 - _), as printed by Uuid.toString")
    return UUID(bytes=base64.urlsafe_b64decode(match[1] + "=="))
