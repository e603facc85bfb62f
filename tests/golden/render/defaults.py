"""Defaults: Kafka data, versions 0-1.

Generated from the message spec Defaults.
"""

from __future__ import annotations

from struct import Struct as _Struct
from uuid import UUID as _UUID

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.messages import Codec as _Codec, Message as _Message
from ._runtime.primitives import (
    COUNTS as _COUNTS,
    INFINITY as _INFINITY,
    NAN as _NAN,
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    bytes_of as _bytes_of,
    check_instance as _check_instance,
    no_tags as _no_tags,
    packers as _packers,
    read_bytes as _read_bytes,
    read_bytes_or_null as _read_bytes_or_null,
    read_numbers as _read_numbers,
    read_numbers_or_null as _read_numbers_or_null,
    read_string as _read_string,
    read_string_or_null as _read_string_or_null,
    some as _some,
    some_bytes as _some_bytes,
    unpackers as _unpackers,
    utf8 as _utf8,
    write_numbers as _write_numbers,
)
from ._runtime.structs import Struct as _Base, dataclass as _dataclass, default_of as _default_of
from ._runtime.uuids import ZERO as _ZERO_UUID, uuid_bytes as _uuid_bytes, uuid_of as _uuid_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["Defaults", "NullPart", "Part"]

_unpack_b = _Struct(">b").unpack_from
_pack_b = _Struct(">b").pack
_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_tttbbhHHiiiIqqdddddddduu = _Struct(">???bbhHHiiiIqqdddddddd16s16s").unpack_from
_pack_tttbbhHHiiiIqqdddddddduu = _Struct(">???bbhHHiiiIqqdddddddd16s16s").pack
_unpack_tttbbhHHiiiIqqdddddddduuh = _Struct(">???bbhHHiiiIqqdddddddd16s16sh").unpack_from
_pack_tttbbhHHiiiIqqdddddddduuh = _Struct(">???bbhHHiiiIqqdddddddd16s16sh").pack
_unpackers_i = _unpackers("i")
_packers_i = _packers("i")


@_dataclass
class NullPart(_Base):
    """NullPart."""

    number: int = 0


_args_NullPart = (NullPart,)


@_dataclass
class Part(_Base):
    """Part."""

    number: int = -3


_args_Part = (Part,)

_Part_default = _default_of(Part)


@_dataclass
class Defaults(_Message):
    """Defaults: Kafka data, versions 0-1."""

    KIND = "data"
    VALID_VERSIONS = range(0, 2)

    marker: int = 1

    true: bool = True

    true_in_text: bool = True

    false: bool = False

    lowest8: int = -128

    hex8: int = 127

    signed16: int = 12

    unsigned16: int = 65535

    hex_unsigned16: int = 65535

    octal32: int = 7

    number32: int = 2147483647

    hex32: int = 2147483647

    hex_unsigned32: int = 4294967295

    lowest64: int = -9223372036854775808

    highest64: int = 9223372036854775807

    half: float = 0.5

    exponent: float = -1.25e-07

    suffix: float = 12.34

    hex_float: float = 3.0

    minus_zero: float = -0.0

    not_a_number: float = _NAN

    infinite: float = _INFINITY

    minus_infinite: float = -_INFINITY

    id: _UUID = _UUID("00000000-0000-0000-0000-000000000001")

    zero_id: _UUID = _ZERO_UUID

    text: str = "some text"

    digits: str = "5"

    null_text: str | None = None

    empty_text: str | None = ""

    null_data: bytes | None = None

    empty_data: bytes = b""

    null_numbers: tuple[int, ...] | None = None

    empty_numbers: tuple[int, ...] = ()

    null_part: NullPart | None = None

    part: Part = _Part_default


_args_Defaults = (Defaults,)


def _decode_NullPart_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_NullPart)
    (o.number,) = _unpack_i(b, p)
    p += 4
    o.unknown_tagged_fields = ()
    return o, p


def _encode_NullPart_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not NullPart:
        _check_instance(o, NullPart)
    w += _pack_i(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Part_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Part)
    (o.number,) = _unpack_i(b, p)
    p += 4
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Part_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Part:
        _check_instance(o, Part)
    w += _pack_i(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Defaults_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Defaults)
    o.marker = 1
    (
        o.true,
        o.true_in_text,
        o.false,
        o.lowest8,
        o.hex8,
        o.signed16,
        o.unsigned16,
        o.hex_unsigned16,
        o.octal32,
        o.number32,
        o.hex32,
        o.hex_unsigned32,
        o.lowest64,
        o.highest64,
        o.half,
        o.exponent,
        o.suffix,
        o.hex_float,
        o.minus_zero,
        o.not_a_number,
        o.infinite,
        o.minus_infinite,
        o.id,
        o.zero_id,
        n,
    ) = _unpack_tttbbhHHiiiIqqdddddddduuh(b, p)
    p += 141
    o.id = _uuid_of(o.id)
    o.zero_id = _uuid_of(o.zero_id)
    if n >= 0:
        e = p + n
        o.text = b[p:e].decode()
        p = e
    else:
        o.text, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.digits = b[p:e].decode()
        p = e
    else:
        o.digits, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.null_text = b[p:e].decode()
        p = e
    else:
        o.null_text, p = _read_string_or_null(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.empty_text = b[p:e].decode()
        p = e
    else:
        o.empty_text, p = _read_string_or_null(b, p - 2)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.null_data = b[p:e]
        p = e
    else:
        o.null_data, p = _read_bytes_or_null(b, p - 4, b)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.empty_data = b[p:e]
        p = e
    else:
        o.empty_data, p = _read_bytes(b, p - 4, b)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.null_numbers = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.null_numbers, p = _read_numbers_or_null(b, p - 4, "i", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.empty_numbers = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.empty_numbers, p = _read_numbers(b, p - 4, "i", m)
    if o.empty_numbers == o.null_numbers:
        o.empty_numbers = o.null_numbers
    n = b[p]
    p += 1
    if n > 127:
        o.null_part = None
    else:
        o.null_part, p = _decode_NullPart_v0(b, p, m)
    o.part, p = _decode_Part_v0(b, p, m)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Defaults_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Defaults:
        _check_instance(o, Defaults)
    if o.true is not False and o.true is not True:
        raise _CodecFailure
    if o.true_in_text is not False and o.true_in_text is not True:
        raise _CodecFailure
    if o.false is not False and o.false is not True:
        raise _CodecFailure
    s = _utf8(o.text)
    n = len(s)
    w += _pack_tttbbhHHiiiIqqdddddddduuh(
        o.true,
        o.true_in_text,
        o.false,
        o.lowest8,
        o.hex8,
        o.signed16,
        o.unsigned16,
        o.hex_unsigned16,
        o.octal32,
        o.number32,
        o.hex32,
        o.hex_unsigned32,
        o.lowest64,
        o.highest64,
        o.half,
        o.exponent,
        o.suffix,
        o.hex_float,
        o.minus_zero,
        o.not_a_number,
        o.infinite,
        o.minus_infinite,
        _uuid_bytes(o.id),
        _uuid_bytes(o.zero_id),
        n,
    )
    w += s
    s = _utf8(o.digits)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = o.null_text
    if s is None:
        w += b"\xff\xff"
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_h(n)
        w += s
    s = o.empty_text
    if s is None:
        w += b"\xff\xff"
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_h(n)
        w += s
    s = o.null_data
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        w += _pack_i(n)
        w += s
    s = o.empty_data
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_i(n)
    w += s
    s = o.null_numbers
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w += _COUNTS[n]
            w += _packers_i[n](*s)
        else:
            _write_numbers(w, s, "i")
    s = o.empty_numbers
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_i[n](*s)
    else:
        _write_numbers(w, s, "i")
    s = o.null_part
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_NullPart_v0(s, w)
    _encode_Part_v0(o.part, w)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Defaults_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Defaults)
    o.true = True
    o.true_in_text = True
    o.false = False
    o.lowest8 = -128
    o.hex8 = 127
    o.signed16 = 12
    o.unsigned16 = 65535
    o.hex_unsigned16 = 65535
    o.octal32 = 7
    o.number32 = 2147483647
    o.hex32 = 2147483647
    o.hex_unsigned32 = 4294967295
    o.lowest64 = -9223372036854775808
    o.highest64 = 9223372036854775807
    o.half = 0.5
    o.exponent = -1.25e-07
    o.suffix = 12.34
    o.hex_float = 3.0
    o.minus_zero = -0.0
    o.not_a_number = _NAN
    o.infinite = _INFINITY
    o.minus_infinite = -_INFINITY
    o.id = _UUID("00000000-0000-0000-0000-000000000001")
    o.zero_id = _ZERO_UUID
    o.text = "some text"
    o.digits = "5"
    o.null_text = None
    o.empty_text = ""
    o.null_data = None
    o.empty_data = b""
    o.null_numbers = None
    o.empty_numbers = ()
    o.null_part = None
    o.part = _Part_default
    (o.marker,) = _unpack_b(b, p)
    p += 1
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Defaults_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Defaults:
        _check_instance(o, Defaults)
    if o.true is not True:
        raise _CodecFailure
    if o.true_in_text is not True:
        raise _CodecFailure
    if o.false is not False:
        raise _CodecFailure
    if o.lowest8 != -128:
        raise _CodecFailure
    if o.hex8 != 127:
        raise _CodecFailure
    if o.signed16 != 12:
        raise _CodecFailure
    if o.unsigned16 != 65535:
        raise _CodecFailure
    if o.hex_unsigned16 != 65535:
        raise _CodecFailure
    if o.octal32 != 7:
        raise _CodecFailure
    if o.number32 != 2147483647:
        raise _CodecFailure
    if o.hex32 != 2147483647:
        raise _CodecFailure
    if o.hex_unsigned32 != 4294967295:
        raise _CodecFailure
    if o.lowest64 != -9223372036854775808:
        raise _CodecFailure
    if o.highest64 != 9223372036854775807:
        raise _CodecFailure
    if o.half != 0.5:
        raise _CodecFailure
    if o.exponent != -1.25e-07:
        raise _CodecFailure
    if o.suffix != 12.34:
        raise _CodecFailure
    if o.hex_float != 3.0:
        raise _CodecFailure
    if o.minus_zero != -0.0:
        raise _CodecFailure
    if o.infinite != _INFINITY:
        raise _CodecFailure
    if o.minus_infinite != -_INFINITY:
        raise _CodecFailure
    if o.id != _UUID("00000000-0000-0000-0000-000000000001"):
        raise _CodecFailure
    if o.zero_id != _ZERO_UUID:
        raise _CodecFailure
    if o.text != "some text":
        raise _CodecFailure
    if o.digits != "5":
        raise _CodecFailure
    if o.null_text is not None:
        raise _CodecFailure
    if o.empty_text != "":
        raise _CodecFailure
    if o.null_data is not None:
        raise _CodecFailure
    if _some_bytes(o.empty_data):
        raise _CodecFailure
    if o.null_numbers is not None:
        raise _CodecFailure
    if o.empty_numbers is not _NOTHING and _some(o.empty_numbers):
        raise _CodecFailure
    if o.null_part is not None:
        raise _CodecFailure
    if o.part != _Part_default:
        raise _CodecFailure
    w += _pack_b(o.marker)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


_PLAN = """\
messagegen-plan 1
message Defaults data 0-1
struct Defaults
 marker marker int8 1
 true true bool true
 true_in_text trueInText bool true
 false false bool false
 lowest8 lowest8 int8 -128
 hex8 hex8 int8 127
 signed16 signed16 int16 12
 unsigned16 unsigned16 uint16 65535
 hex_unsigned16 hexUnsigned16 uint16 65535
 octal32 octal32 int32 7
 number32 number32 int32 2147483647
 hex32 hex32 int32 2147483647
 hex_unsigned32 hexUnsigned32 uint32 4294967295
 lowest64 lowest64 int64 -9223372036854775808
 highest64 highest64 int64 9223372036854775807
 half half float64 0.5
 exponent exponent float64 -1.25e-07
 suffix suffix float64 12.34
 hex_float hexFloat float64 3.0
 minus_zero minusZero float64 -0.0
 not_a_number notANumber float64 NaN
 infinite infinite float64 Infinity
 minus_infinite minusInfinite float64 -Infinity
 id id uuid "00000000000000000000000000000001"
 zero_id zeroId uuid "00000000000000000000000000000000"
 text text string "some text"
 digits digits string "5"
 null_text nullText string? null
 empty_text emptyText string? ""
 null_data nullData bytes? null
 empty_data emptyData bytes ""
 null_numbers nullNumbers []int32? null
 empty_numbers emptyNumbers []int32 []
 null_part nullPart NullPart? null
 part part Part {}
struct NullPart
 number number int32 0
struct Part
 number number int32 -3
layout 0 NullPart 0
 number int32
layout 1 Part 0
 number int32
layout 2 Defaults 0
 true bool
 + true_in_text bool
 + false bool
 + lowest8 int8
 + hex8 int8
 + signed16 int16
 + unsigned16 uint16
 + hex_unsigned16 uint16
 + octal32 int32
 + number32 int32
 + hex32 int32
 + hex_unsigned32 uint32
 + lowest64 int64
 + highest64 int64
 + half float64
 + exponent float64
 + suffix float64
 + hex_float float64
 + minus_zero float64
 + not_a_number float64
 + infinite float64
 + minus_infinite float64
 + id uuid
 + zero_id uuid
 text string
 digits string
 null_text string?
 empty_text string?
 null_data bytes?
 empty_data bytes
 null_numbers array(int32)?
 empty_numbers array(int32)
 null_part struct(0)?
 part struct(1)
 :skip marker
layout 3 Defaults 1
 marker int8
 :guard true true_in_text false lowest8 hex8 signed16 unsigned16 hex_unsigned16 octal32 number32 hex32 hex_unsigned32 lowest64 highest64 half exponent suffix hex_float minus_zero infinite minus_infinite id zero_id text digits null_text empty_text null_data empty_data null_numbers empty_numbers null_part part
 :skip not_a_number
"""

Defaults.CODEC = _Codec(
    readers={
        0: _decode_Defaults_v0,
        1: _decode_Defaults_v1,
    },
    writers={
        0: _encode_Defaults_v0,
        1: _encode_Defaults_v1,
    },
    classes=(Defaults, NullPart, Part),
    plan=_PLAN,
    own=342,
    small=399863,
)
