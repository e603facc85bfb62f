from __future__ import annotations

import math
import struct
from uuid import UUID

import pytest

from messagegen.primitives import PRIMITIVES, Primitive
from messagegen.runtime.wire import LONGEST_STRING
from messagegen.spec.defaults import parse_default
from messagegen.spec.report import RefusedError


@pytest.mark.parametrize("type_", [type_ for type_ in PRIMITIVES.values() if type_.python == "int"], ids=str)
def test_integer_defaults_are_limited_by_the_range_of_their_type(type_: Primitive) -> None:
    assert type_.range is not None
    limits = type_.range
    for value in limits:
        assert parse_default(type_, str(value)) == value
    assert parse_default(type_, hex(limits[1])) == limits[1]
    for value in (limits[0] - 1, limits[1] + 1):
        with pytest.raises(RefusedError, match="invalid default"):
            parse_default(type_, str(value))
    with pytest.raises(RefusedError, match="invalid default"):
        parse_default(type_, hex(limits[1] + 1))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+5", 5),
        ("-0", 0),
        ("0x", 0),
        ("0x00fF", 255),
        # Java reads these numbers as octal, with the same value.
        ("+07", 7),
        ("-0007", -7),
        ("00", 0),
    ],
)
def test_integer_defaults_have_the_values_that_java_reads(text: str, value: int) -> None:
    assert parse_default(PRIMITIVES["int32"], text) == value


@pytest.mark.parametrize("text", ["010", "-017", "08"])
def test_octal_defaults_are_refused(text: str) -> None:
    with pytest.raises(RefusedError) as caught:
        parse_default(PRIMITIVES["int32"], text)
    assert caught.value.rule == "DEFAULT_NOT_OCTAL"


@pytest.mark.parametrize("text", ["08", "0x-1", "0X1", "1_0", " 1", "1.0", "٣", "null", "9" * 5000])
def test_invalid_integer_defaults_are_refused(text: str) -> None:
    with pytest.raises(RefusedError) as refused:
        parse_default(PRIMITIVES["int32"], text)
    assert refused.value.instead
    assert len(refused.value.message) < 200


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12.34", 12.34),
        (".5", 0.5),
        ("-1.5E-3", -0.0015),
        ("2.5F", 2.5),
        ("\t 1.5 \n", 1.5),
        ("+Infinity", math.inf),
        ("1e400", math.inf),
        ("4.9E-324", 5e-324),
        ("0x1.8p1", 3.0),
        ("-0X.8P-1d", -0.25),
        ("-0x1p99999999999999999999", -math.inf),
        ("0x0p99999999999999999999", 0.0),
    ],
)
def test_float64_defaults_have_the_values_that_java_reads(text: str, value: float) -> None:
    assert parse_default(PRIMITIVES["float64"], text) == value


def test_float64_defaults_can_be_minus_zero_or_nan() -> None:
    zero = parse_default(PRIMITIVES["float64"], "-0.0")
    hexadecimal_zero = parse_default(PRIMITIVES["float64"], "-0x0p0")
    assert isinstance(zero, float)
    assert isinstance(hexadecimal_zero, float)
    assert struct.pack(">d", zero) == struct.pack(">d", hexadecimal_zero) == b"\x80" + bytes(7)
    nan = parse_default(PRIMITIVES["float64"], "-NaN")
    assert isinstance(nan, float)
    assert math.isnan(nan)


@pytest.mark.parametrize("text", ["nan", "inf", "1_0", "0x1.8", "0x.p1", ".", "1e", "1dd", "\u00a01"])
def test_invalid_float64_defaults_are_refused(text: str) -> None:
    with pytest.raises(RefusedError):
        parse_default(PRIMITIVES["float64"], text)


@pytest.mark.parametrize("letter", ["a", "\u00e4", "\u20ac", "\U0001f600"])
def test_string_defaults_are_limited_by_their_encoded_length(letter: str) -> None:
    size = len(letter.encode())
    longest = letter * (LONGEST_STRING // size)
    assert parse_default(PRIMITIVES["string"], longest) == longest
    with pytest.raises(RefusedError) as refused:
        parse_default(PRIMITIVES["string"], longest + letter)
    assert refused.value.rule == "DEFAULT_FITS_TYPE"
    assert refused.value.instead == "write a default of at most 32767 bytes of UTF-8"
    assert len(refused.value.message) < 200


@pytest.mark.parametrize("text", ["AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAQ=="])
def test_uuid_defaults_are_read_as_base64url(text: str) -> None:
    assert parse_default(PRIMITIVES["uuid"], text) == UUID(int=1)
