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
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_qi = _Struct(">qi").unpack_from
_pack_qi = _Struct(">qi").pack
_unpack_qiB = _Struct(">qiB").unpack_from
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

    same: str = ""

    numbers: tuple[int, ...] | None = ()

    varints: tuple[int, ...] = ()


_args_TypeMaps = (TypeMaps,)


def _decode_TypeMaps_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_TypeMaps)
    o.always, p = _read_packed32(b, p)
    o.always_unsigned, p = _read_upacked64(b, p)
    (o.widens,) = _unpack_h(b, p)
    p += 2
    o.varies, p = _read_packed16(b, p)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.same = b[p:e].decode()
        p = e
    else:
        o.same, p = _read_string(b, p - 2)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.numbers = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.numbers, p = _read_numbers(b, p - 4, "i", m)
    o.varints, p = _read_array(_read_packed16, b, p, m, 40)
    if o.varints is None:
        raise _CodecFailure
    o.unknown_tagged_fields = ()
    return o, p


def _encode_TypeMaps_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not TypeMaps:
        _check_instance(o, TypeMaps)
    _write_packed32(w, o.always)
    _write_upacked64(w, o.always_unsigned)
    w += _pack_h(o.widens)
    _write_packed16(w, o.varies)
    s = _utf8(o.same)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = o.numbers
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_i[n](*s)
    else:
        _write_numbers(w, s, "i")
    _write_array(w, o.varints, _write_packed16)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_TypeMaps_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_TypeMaps)
    o.always, p = _read_packed32(b, p)
    o.always_unsigned, p = _read_upacked64(b, p)
    (o.widens,) = _unpack_i(b, p)
    p += 4
    o.varies, p = _read_upacked16(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.same = b[p + 1 : e].decode()
        p = e
    else:
        o.same, p = _read_compact_string(b, p)
    o.numbers, p = _read_compact_array(_read_packed64, b, p, m, 56)
    o.varints, p = _read_compact_array(_read_packed16, b, p, m, 40)
    if o.varints is None:
        raise _CodecFailure
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_TypeMaps_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not TypeMaps:
        _check_instance(o, TypeMaps)
    _write_packed32(w, o.always)
    _write_upacked64(w, o.always_unsigned)
    w += _pack_i(o.widens)
    _write_upacked16(w, o.varies)
    s = _utf8(o.same)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    if o.numbers is None:
        w += b"\x00"
    else:
        _write_compact_array(w, o.numbers, _write_packed64)
    _write_compact_array(w, o.varints, _write_packed16)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_TypeMaps_v2(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_TypeMaps)
    o.always, p = _read_packed32(b, p)
    o.always_unsigned, p = _read_upacked64(b, p)
    o.widens, o.varies, n = _unpack_qiB(b, p)
    p += 13
    if 0 < n < 128:
        e = p + n - 1
        o.same = b[p:e].decode()
        p = e
    else:
        o.same, p = _read_compact_string(b, p - 1)
    o.numbers, p = _read_compact_array(_read_upacked32, b, p, m, 40)
    o.varints, p = _read_compact_array(_read_packed16, b, p, m, 40)
    if o.varints is None:
        raise _CodecFailure
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_TypeMaps_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not TypeMaps:
        _check_instance(o, TypeMaps)
    _write_packed32(w, o.always)
    _write_upacked64(w, o.always_unsigned)
    s = _utf8(o.same)
    n = len(s)
    if n < 127:
        w += _pack_qiB(o.widens, o.varies, n + 1)
    else:
        w += _pack_qi(o.widens, o.varies)
        _write_compact_length(w, n)
    w += s
    if o.numbers is None:
        w += b"\x00"
    else:
        _write_compact_array(w, o.numbers, _write_upacked32)
    _write_compact_array(w, o.varints, _write_packed16)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


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
