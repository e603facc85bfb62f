"""TypeMaps: Kafka data, versions 0-2, flexible in 1-2.

Generated from the message spec TypeMaps.
"""

from __future__ import annotations

from struct import Struct as _Struct

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.messages import Codec as _Codec, Message as _Message
from ._runtime.primitives import (
    COUNTS as _COUNTS,
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    check_instance as _check_instance,
    no_tags as _no_tags,
    packers as _packers,
    raw_tags as _raw_tags,
    read_array as _read_array,
    read_compact_array as _read_compact_array,
    read_compact_string as _read_compact_string,
    read_numbers as _read_numbers,
    read_string as _read_string,
    read_unknown_tags as _read_unknown_tags,
    unpackers as _unpackers,
    utf8 as _utf8,
    write_array as _write_array,
    write_compact_array as _write_compact_array,
    write_compact_length as _write_compact_length,
    write_numbers as _write_numbers,
    write_tags as _write_tags,
)
from ._runtime.structs import dataclass as _dataclass
from ._runtime.varints import (
    read_packed16 as _read_packed16,
    read_packed32 as _read_packed32,
    read_packed64 as _read_packed64,
    read_upacked16 as _read_upacked16,
    read_upacked32 as _read_upacked32,
    read_upacked64 as _read_upacked64,
    write_packed16 as _write_packed16,
    write_packed32 as _write_packed32,
    write_packed64 as _write_packed64,
    write_upacked16 as _write_upacked16,
    write_upacked32 as _write_upacked32,
    write_upacked64 as _write_upacked64,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["TypeMaps"]

_unpack_h = _Struct(">h").unpack_from
_unpack_i = _Struct(">i").unpack_from
_unpack_qiB = _Struct(">qiB").unpack_from
_pack_h = _Struct(">h").pack
_pack_i = _Struct(">i").pack
_pack_qi = _Struct(">qi").pack
_pack_qiB = _Struct(">qiB").pack
_unpackers_i = _unpackers("i")
_packers_i = _packers("i")


@_dataclass
class TypeMaps(_Message):
    """TypeMaps: Kafka data, versions 0-2, flexible in 1-2."""

    KIND = "data"
    VALID_VERSIONS = range(0, 3)
    FLEXIBLE_VERSIONS = range(1, 3)

    always: int = 0

    always_unsigned: int = 0

    widens: int = 0

    varies: int = -2
    """Default -2."""

    same: str = ""

    numbers: tuple[int, ...] | None = ()
    """May be null in versions 1+."""

    varints: tuple[int, ...] = ()


_args_TypeMaps = (TypeMaps,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_TypeMaps_v0(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_TypeMaps)
    struct.always, pos = _read_packed32(data, pos)
    struct.always_unsigned, pos = _read_upacked64(data, pos)
    (struct.widens,) = _unpack_h(data, pos)
    pos += 2
    struct.varies, pos = _read_packed16(data, pos)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.same = data[pos:stop].decode()
        pos = stop
    else:
        struct.same, pos = _read_string(data, pos - 2)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.numbers = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.numbers, pos = _read_numbers(data, pos - 4, "i", allowance)
    struct.varints, pos = _read_array(_read_packed16, data, pos, allowance, 40)
    if struct.varints is None:
        raise _CodecFailure
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_TypeMaps_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not TypeMaps:
        _check_instance(struct, TypeMaps)
    _write_packed32(out, struct.always)
    _write_upacked64(out, struct.always_unsigned)
    out += _pack_h(struct.widens)
    _write_packed16(out, struct.varies)
    value = _utf8(struct.same)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = struct.numbers
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_i[length](*value)
    else:
        _write_numbers(out, value, "i")
    _write_array(out, struct.varints, _write_packed16)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_TypeMaps_v1(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_TypeMaps)
    struct.always, pos = _read_packed32(data, pos)
    struct.always_unsigned, pos = _read_upacked64(data, pos)
    (struct.widens,) = _unpack_i(data, pos)
    pos += 4
    struct.varies, pos = _read_upacked16(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.same = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.same, pos = _read_compact_string(data, pos)
    struct.numbers, pos = _read_compact_array(_read_packed64, data, pos, allowance, 56)
    struct.varints, pos = _read_compact_array(_read_packed16, data, pos, allowance, 40)
    if struct.varints is None:
        raise _CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_TypeMaps_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not TypeMaps:
        _check_instance(struct, TypeMaps)
    _write_packed32(out, struct.always)
    _write_upacked64(out, struct.always_unsigned)
    out += _pack_i(struct.widens)
    _write_upacked16(out, struct.varies)
    value = _utf8(struct.same)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    if struct.numbers is None:
        out += b"\x00"
    else:
        _write_compact_array(out, struct.numbers, _write_packed64)
    _write_compact_array(out, struct.varints, _write_packed16)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_TypeMaps_v2(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_TypeMaps)
    struct.always, pos = _read_packed32(data, pos)
    struct.always_unsigned, pos = _read_upacked64(data, pos)
    struct.widens, struct.varies, length = _unpack_qiB(data, pos)
    pos += 13
    if 0 < length < 128:
        stop = pos + length - 1
        struct.same = data[pos:stop].decode()
        pos = stop
    else:
        struct.same, pos = _read_compact_string(data, pos - 1)
    struct.numbers, pos = _read_compact_array(_read_upacked32, data, pos, allowance, 40)
    struct.varints, pos = _read_compact_array(_read_packed16, data, pos, allowance, 40)
    if struct.varints is None:
        raise _CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_TypeMaps_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not TypeMaps:
        _check_instance(struct, TypeMaps)
    _write_packed32(out, struct.always)
    _write_upacked64(out, struct.always_unsigned)
    value = _utf8(struct.same)
    length = len(value)
    if length < 127:
        out += _pack_qiB(struct.widens, struct.varies, length + 1)
    else:
        out += _pack_qi(struct.widens, struct.varies)
        _write_compact_length(out, length)
    out += value
    if struct.numbers is None:
        out += b"\x00"
    else:
        _write_compact_array(out, struct.numbers, _write_upacked32)
    _write_compact_array(out, struct.varints, _write_packed16)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 1
message TypeMaps data 0-2
struct TypeMaps
 always always int32 0
 always_unsigned alwaysUnsigned int64 0
 widens widens int64 0
 varies varies int32 -2
 same same string ""
 numbers numbers []int64? []
 varints varints []int16 []
layout 0 TypeMaps 0
 always packed32
 always_unsigned upacked64
 widens int16
 varies packed16
 same string
 numbers array(int32)
 varints array(packed16)
layout 1 TypeMaps 1 flexible
 always packed32
 always_unsigned upacked64
 widens int32
 varies upacked16
 same compact_string
 numbers compact_array(packed64)?
 varints compact_array(packed16)
layout 2 TypeMaps 2 flexible
 always packed32
 always_unsigned upacked64
 widens int64
 + varies int32
 same compact_string
 numbers compact_array(upacked32)?
 varints compact_array(packed16)
"""

TypeMaps.CODEC = _Codec(
    readers={
        0: _decode_TypeMaps_v0,
        1: _decode_TypeMaps_v1,
        2: _decode_TypeMaps_v2,
    },
    writers={
        0: _encode_TypeMaps_v0,
        1: _encode_TypeMaps_v1,
        2: _encode_TypeMaps_v2,
    },
    classes=(TypeMaps,),
    plan=_PLAN,
    own=294,
    small=17851,
)
