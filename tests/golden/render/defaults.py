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
_unpack_h = _Struct(">h").unpack_from
_unpack_i = _Struct(">i").unpack_from
_unpack_tttbbhHHiiiIqqdddddddduuh = _Struct(">???bbhHHiiiIqqdddddddd16s16sh").unpack_from
_pack_b = _Struct(">b").pack
_pack_h = _Struct(">h").pack
_pack_i = _Struct(">i").pack
_pack_tttbbhHHiiiIqqdddddddduuh = _Struct(">???bbhHHiiiIqqdddddddd16s16sh").pack
_unpackers_i = _unpackers("i")
_packers_i = _packers("i")


@_dataclass
class NullPart(_Base):
    """NullPart."""

    number: int = 0
    """Version 0."""


_args_NullPart = (NullPart,)


@_dataclass
class Part(_Base):
    """Part."""

    number: int = -3
    """Version 0; default -3."""


_args_Part = (Part,)

_Part_default = _default_of(Part)


@_dataclass
class Defaults(_Message):
    """Defaults: Kafka data, versions 0-1."""

    KIND = "data"
    VALID_VERSIONS = range(0, 2)

    marker: int = 1
    """Versions 1+; ignorable; default 1."""

    true: bool = True
    """Version 0; default True."""

    true_in_text: bool = True
    """Version 0; default True."""

    false: bool = False
    """Version 0."""

    lowest8: int = -128
    """Version 0; default -128."""

    hex8: int = 127
    """Version 0; default 127."""

    signed16: int = 12
    """Version 0; default 12."""

    unsigned16: int = 65535
    """Version 0; default 65535."""

    hex_unsigned16: int = 65535
    """Version 0; default 65535."""

    octal32: int = 7
    """Version 0; default 7."""

    number32: int = 2147483647
    """Version 0; default 2147483647."""

    hex32: int = 2147483647
    """Version 0; default 2147483647."""

    hex_unsigned32: int = 4294967295
    """Version 0; default 4294967295."""

    lowest64: int = -9223372036854775808
    """Version 0; default -9223372036854775808."""

    highest64: int = 9223372036854775807
    """Version 0; default 9223372036854775807."""

    half: float = 0.5
    """Version 0; default 0.5."""

    exponent: float = -1.25e-07
    """Version 0; default -1.25e-07."""

    suffix: float = 12.34
    """Version 0; default 12.34."""

    hex_float: float = 3.0
    """Version 0; default 3.0."""

    minus_zero: float = -0.0
    """Version 0."""

    not_a_number: float = _NAN
    """Version 0; ignorable; default nan."""

    infinite: float = _INFINITY
    """Version 0; default inf."""

    minus_infinite: float = -_INFINITY
    """Version 0; default -inf."""

    id: _UUID = _UUID("00000000-0000-0000-0000-000000000001")
    """Version 0; default 00000000-0000-0000-0000-000000000001."""

    zero_id: _UUID = _ZERO_UUID
    """Version 0."""

    text: str = "some text"
    """Version 0; default "some text"."""

    digits: str = "5"
    """Version 0; default "5"."""

    null_text: str | None = None
    """Version 0; may be null; default null."""

    empty_text: str | None = ""
    """Version 0; may be null."""

    null_data: bytes | None = None
    """Version 0; may be null; default null."""

    empty_data: bytes = b""
    """Version 0."""

    null_numbers: tuple[int, ...] | None = None
    """Version 0; may be null; default null."""

    empty_numbers: tuple[int, ...] = ()
    """Version 0."""

    null_part: NullPart | None = None
    """Version 0; may be null; default null."""

    part: Part = _Part_default
    """Version 0."""


_args_Defaults = (Defaults,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_NullPart_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_NullPart)
    (struct.number,) = _unpack_i(data, pos)
    pos += 4
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_NullPart_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not NullPart:
        _check_instance(struct, NullPart)
    out += _pack_i(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Part_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Part)
    (struct.number,) = _unpack_i(data, pos)
    pos += 4
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Part_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Part:
        _check_instance(struct, Part)
    out += _pack_i(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Defaults_v0(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Defaults)
    struct.marker = 1
    (
        struct.true,
        struct.true_in_text,
        struct.false,
        struct.lowest8,
        struct.hex8,
        struct.signed16,
        struct.unsigned16,
        struct.hex_unsigned16,
        struct.octal32,
        struct.number32,
        struct.hex32,
        struct.hex_unsigned32,
        struct.lowest64,
        struct.highest64,
        struct.half,
        struct.exponent,
        struct.suffix,
        struct.hex_float,
        struct.minus_zero,
        struct.not_a_number,
        struct.infinite,
        struct.minus_infinite,
        struct.id,
        struct.zero_id,
        length,
    ) = _unpack_tttbbhHHiiiIqqdddddddduuh(data, pos)
    pos += 141
    struct.id = _uuid_of(struct.id)
    struct.zero_id = _uuid_of(struct.zero_id)
    if length >= 0:
        stop = pos + length
        struct.text = data[pos:stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.digits = data[pos:stop].decode()
        pos = stop
    else:
        struct.digits, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.null_text = data[pos:stop].decode()
        pos = stop
    else:
        struct.null_text, pos = _read_string_or_null(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.empty_text = data[pos:stop].decode()
        pos = stop
    else:
        struct.empty_text, pos = _read_string_or_null(data, pos - 2)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.null_data = data[pos:stop]
        pos = stop
    else:
        struct.null_data, pos = _read_bytes_or_null(data, pos - 4, data)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.empty_data = data[pos:stop]
        pos = stop
    else:
        struct.empty_data, pos = _read_bytes(data, pos - 4, data)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.null_numbers = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.null_numbers, pos = _read_numbers_or_null(data, pos - 4, "i", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.empty_numbers = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.empty_numbers, pos = _read_numbers(data, pos - 4, "i", allowance)
    if struct.empty_numbers == struct.null_numbers:
        struct.empty_numbers = struct.null_numbers
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.null_part = None
    else:
        struct.null_part, pos = _decode_NullPart_v0(data, pos, allowance)
    struct.part, pos = _decode_Part_v0(data, pos, allowance)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Defaults_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Defaults:
        _check_instance(struct, Defaults)
    if struct.true is not False and struct.true is not True:
        raise _CodecFailure
    if struct.true_in_text is not False and struct.true_in_text is not True:
        raise _CodecFailure
    if struct.false is not False and struct.false is not True:
        raise _CodecFailure
    value = _utf8(struct.text)
    length = len(value)
    out += _pack_tttbbhHHiiiIqqdddddddduuh(
        struct.true,
        struct.true_in_text,
        struct.false,
        struct.lowest8,
        struct.hex8,
        struct.signed16,
        struct.unsigned16,
        struct.hex_unsigned16,
        struct.octal32,
        struct.number32,
        struct.hex32,
        struct.hex_unsigned32,
        struct.lowest64,
        struct.highest64,
        struct.half,
        struct.exponent,
        struct.suffix,
        struct.hex_float,
        struct.minus_zero,
        struct.not_a_number,
        struct.infinite,
        struct.minus_infinite,
        _uuid_bytes(struct.id),
        _uuid_bytes(struct.zero_id),
        length,
    )
    out += value
    value = _utf8(struct.digits)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = struct.null_text
    if value is None:
        out += b"\xff\xff"
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_h(length)
        out += value
    value = struct.empty_text
    if value is None:
        out += b"\xff\xff"
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_h(length)
        out += value
    value = struct.null_data
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_i(length)
        out += value
    value = struct.empty_data
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_i(length)
    out += value
    value = struct.null_numbers
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out += _COUNTS[length]
            out += _packers_i[length](*value)
        else:
            _write_numbers(out, value, "i")
    value = struct.empty_numbers
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_i[length](*value)
    else:
        _write_numbers(out, value, "i")
    value = struct.null_part
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_NullPart_v0(value, out)
    _encode_Part_v0(struct.part, out)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Defaults_v1(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Defaults)
    struct.true = True
    struct.true_in_text = True
    struct.false = False
    struct.lowest8 = -128
    struct.hex8 = 127
    struct.signed16 = 12
    struct.unsigned16 = 65535
    struct.hex_unsigned16 = 65535
    struct.octal32 = 7
    struct.number32 = 2147483647
    struct.hex32 = 2147483647
    struct.hex_unsigned32 = 4294967295
    struct.lowest64 = -9223372036854775808
    struct.highest64 = 9223372036854775807
    struct.half = 0.5
    struct.exponent = -1.25e-07
    struct.suffix = 12.34
    struct.hex_float = 3.0
    struct.minus_zero = -0.0
    struct.not_a_number = _NAN
    struct.infinite = _INFINITY
    struct.minus_infinite = -_INFINITY
    struct.id = _UUID("00000000-0000-0000-0000-000000000001")
    struct.zero_id = _ZERO_UUID
    struct.text = "some text"
    struct.digits = "5"
    struct.null_text = None
    struct.empty_text = ""
    struct.null_data = None
    struct.empty_data = b""
    struct.null_numbers = None
    struct.empty_numbers = ()
    struct.null_part = None
    struct.part = _Part_default
    (struct.marker,) = _unpack_b(data, pos)
    pos += 1
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Defaults_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Defaults:
        _check_instance(struct, Defaults)
    if struct.true is not True:
        raise _CodecFailure
    if struct.true_in_text is not True:
        raise _CodecFailure
    if struct.false is not False:
        raise _CodecFailure
    if struct.lowest8 != -128:
        raise _CodecFailure
    if struct.hex8 != 127:
        raise _CodecFailure
    if struct.signed16 != 12:
        raise _CodecFailure
    if struct.unsigned16 != 65535:
        raise _CodecFailure
    if struct.hex_unsigned16 != 65535:
        raise _CodecFailure
    if struct.octal32 != 7:
        raise _CodecFailure
    if struct.number32 != 2147483647:
        raise _CodecFailure
    if struct.hex32 != 2147483647:
        raise _CodecFailure
    if struct.hex_unsigned32 != 4294967295:
        raise _CodecFailure
    if struct.lowest64 != -9223372036854775808:
        raise _CodecFailure
    if struct.highest64 != 9223372036854775807:
        raise _CodecFailure
    if struct.half != 0.5:
        raise _CodecFailure
    if struct.exponent != -1.25e-07:
        raise _CodecFailure
    if struct.suffix != 12.34:
        raise _CodecFailure
    if struct.hex_float != 3.0:
        raise _CodecFailure
    if struct.minus_zero != -0.0:
        raise _CodecFailure
    if struct.infinite != _INFINITY:
        raise _CodecFailure
    if struct.minus_infinite != -_INFINITY:
        raise _CodecFailure
    if struct.id != _UUID("00000000-0000-0000-0000-000000000001"):
        raise _CodecFailure
    if struct.zero_id != _ZERO_UUID:
        raise _CodecFailure
    if struct.text != "some text":
        raise _CodecFailure
    if struct.digits != "5":
        raise _CodecFailure
    if struct.null_text is not None:
        raise _CodecFailure
    if struct.empty_text != "":
        raise _CodecFailure
    if struct.null_data is not None:
        raise _CodecFailure
    if _some_bytes(struct.empty_data):
        raise _CodecFailure
    if struct.null_numbers is not None:
        raise _CodecFailure
    if struct.empty_numbers is not _NOTHING and _some(struct.empty_numbers):
        raise _CodecFailure
    if struct.null_part is not None:
        raise _CodecFailure
    if struct.part != _Part_default:
        raise _CodecFailure
    out += _pack_b(struct.marker)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


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
