"""Encodings: Kafka data, versions 0-3, flexible in 2-3.

Generated from the message spec Encodings.
"""

from __future__ import annotations

from struct import Struct as _Struct

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.limits import LITTLE as _LITTLE
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
    read_compact_numbers_or_null as _read_compact_numbers_or_null,
    read_leaves as _read_leaves,
    read_numbers_or_null as _read_numbers_or_null,
    read_unknown_tags as _read_unknown_tags,
    unpackers as _unpackers,
    write_array as _write_array,
    write_compact_array as _write_compact_array,
    write_compact_numbers as _write_compact_numbers,
    write_numbers as _write_numbers,
    write_tags as _write_tags,
)
from ._runtime.structs import Struct as _Base, dataclass as _dataclass
from ._runtime.varints import (
    read_packed16 as _read_packed16,
    read_packed32 as _read_packed32,
    read_packed64 as _read_packed64,
    read_upacked16 as _read_upacked16,
    read_upacked32 as _read_upacked32,
    read_upacked64 as _read_upacked64,
    read_uvarint as _read_uvarint,
    write_packed16 as _write_packed16,
    write_packed32 as _write_packed32,
    write_packed64 as _write_packed64,
    write_upacked16 as _write_upacked16,
    write_upacked32 as _write_upacked32,
    write_upacked64 as _write_upacked64,
    write_uvarint as _write_uvarint,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["Encodings", "EncodedPart"]

_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack
_unpack_hi = _Struct(">hi").unpack_from
_pack_hi = _Struct(">hi").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_iB = _Struct(">iB").unpack_from
_pack_iB = _Struct(">iB").pack
_unpack_ix = _Struct(">ix").unpack_from
_pack_ix = _Struct(">ix").pack
_unpack_q = _Struct(">q").unpack_from
_pack_q = _Struct(">q").pack
_unpackers_h = _unpackers("h")
_unpackers_q = _unpackers("q")
_packers_h = _packers("h")
_packers_q = _packers("q")


@_dataclass
class EncodedPart(_Base):
    """EncodedPart."""

    delta: int = 0

    size_: int = 0


_args_EncodedPart = (EncodedPart,)


@_dataclass
class Encodings(_Message):
    """Encodings: Kafka data, versions 0-3, flexible in 2-3."""

    KIND = "data"
    VALID_VERSIONS = range(0, 4)
    FLEXIBLE_VERSIONS = range(2, 4)

    fixed16: int = 0

    packed16: int = 0

    upacked16: int = 0

    packed32: int = 0

    upacked32: int = 0

    packed64: int = 0

    upacked64: int = 0

    narrow: int = 0

    leader_id: int = 0

    grows: int = -1

    late: int = 0

    packed: tuple[int, ...] = ()

    elements: tuple[int, ...] | None = ()

    parts: tuple[EncodedPart, ...] = ()


_args_Encodings = (Encodings,)


def _decode_EncodedPart_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 96 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_EncodedPart_v0_array, (m,), 0, 96, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_EncodedPart)
        o.delta, p = _read_packed16(b, p)
        (o.size_,) = _unpack_i(b, p)
        p += 4
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_EncodedPart_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not EncodedPart:
            _check_instance(o, EncodedPart)
        _write_packed16(w, o.delta)
        w += _pack_i(o.size_)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_Encodings_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Encodings)
    o.late = 0
    (o.fixed16,) = _unpack_h(b, p)
    p += 2
    o.packed16, p = _read_packed16(b, p)
    o.upacked16, p = _read_upacked16(b, p)
    o.packed32, p = _read_packed32(b, p)
    o.upacked32, p = _read_upacked32(b, p)
    o.packed64, p = _read_packed64(b, p)
    o.upacked64, p = _read_upacked64(b, p)
    o.narrow, o.leader_id = _unpack_hi(b, p)
    p += 6
    o.grows, p = _read_packed16(b, p)
    o.packed, p = _read_array(_read_packed32, b, p, m, 40)
    if o.packed is None:
        raise _CodecFailure
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.elements = _unpackers_h[n + 1](b, p)
        p += 2 * n
    else:
        o.elements, p = _read_numbers_or_null(b, p - 4, "h", m)
    o.parts, p = _decode_EncodedPart_v0_array(b, p, m)
    if o.parts is None:
        raise _CodecFailure
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Encodings_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Encodings:
        _check_instance(o, Encodings)
    w += _pack_h(o.fixed16)
    _write_packed16(w, o.packed16)
    _write_upacked16(w, o.upacked16)
    _write_packed32(w, o.packed32)
    _write_upacked32(w, o.upacked32)
    _write_packed64(w, o.packed64)
    _write_upacked64(w, o.upacked64)
    w += _pack_hi(o.narrow, o.leader_id)
    _write_packed16(w, o.grows)
    _write_array(w, o.packed, _write_packed32)
    s = o.elements
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w += _COUNTS[n]
            w += _packers_h[n](*s)
        else:
            _write_numbers(w, s, "h")
    _encode_EncodedPart_v0_array(w, o.parts)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Encodings_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Encodings)
    o.late = 0
    (o.fixed16,) = _unpack_h(b, p)
    p += 2
    o.packed16, p = _read_packed16(b, p)
    o.upacked16, p = _read_upacked16(b, p)
    o.packed32, p = _read_packed32(b, p)
    o.upacked32, p = _read_upacked32(b, p)
    o.packed64, p = _read_packed64(b, p)
    o.upacked64, p = _read_upacked64(b, p)
    (o.narrow,) = _unpack_h(b, p)
    p += 2
    o.leader_id, p = _read_packed32(b, p)
    o.grows, p = _read_upacked32(b, p)
    o.packed, p = _read_array(_read_packed32, b, p, m, 40)
    if o.packed is None:
        raise _CodecFailure
    o.elements, p = _read_array(_read_upacked64, b, p, m, 56)
    o.parts, p = _decode_EncodedPart_v0_array(b, p, m)
    if o.parts is None:
        raise _CodecFailure
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Encodings_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Encodings:
        _check_instance(o, Encodings)
    w += _pack_h(o.fixed16)
    _write_packed16(w, o.packed16)
    _write_upacked16(w, o.upacked16)
    _write_packed32(w, o.packed32)
    _write_upacked32(w, o.upacked32)
    _write_packed64(w, o.packed64)
    _write_upacked64(w, o.upacked64)
    w += _pack_h(o.narrow)
    _write_packed32(w, o.leader_id)
    _write_upacked32(w, o.grows)
    _write_array(w, o.packed, _write_packed32)
    if o.elements is None:
        w += b"\xff\xff\xff\xff"
    else:
        _write_array(w, o.elements, _write_upacked64)
    _encode_EncodedPart_v0_array(w, o.parts)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_EncodedPart_v2_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        n = b[p]
        p += 1
        if n > 127:
            n, p = _read_uvarint(b, p - 1)
        if n < 2:
            return (() if n else None), p
        n -= 1
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 86 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_EncodedPart_v2_array, (m,), 3, 86, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_EncodedPart)
        o.delta, p = _read_upacked16(b, p)
        o.size_, n = _unpack_iB(b, p)
        p += 5
        if n:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
        else:
            o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_EncodedPart_v2_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not EncodedPart:
            _check_instance(o, EncodedPart)
        _write_upacked16(w, o.delta)
        w += _pack_ix(o.size_)
        if o.unknown_tagged_fields is not _NOTHING:
            w.pop()
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Encodings_v2(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Encodings)
    (o.fixed16,) = _unpack_h(b, p)
    p += 2
    o.packed16, p = _read_packed16(b, p)
    o.upacked16, p = _read_upacked16(b, p)
    o.packed32, p = _read_packed32(b, p)
    o.upacked32, p = _read_upacked32(b, p)
    o.packed64, p = _read_packed64(b, p)
    o.upacked64, p = _read_upacked64(b, p)
    (o.narrow,) = _unpack_h(b, p)
    p += 2
    o.leader_id, p = _read_packed32(b, p)
    (o.grows,) = _unpack_i(b, p)
    p += 4
    o.late, p = _read_packed32(b, p)
    o.packed, p = _read_compact_array(_read_packed32, b, p, m, 40)
    if o.packed is None:
        raise _CodecFailure
    o.elements, p = _read_compact_array(_read_packed16, b, p, m, 40)
    o.parts, p = _decode_EncodedPart_v2_array(b, p, m)
    if o.parts is None:
        raise _CodecFailure
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_Encodings_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Encodings:
        _check_instance(o, Encodings)
    w += _pack_h(o.fixed16)
    _write_packed16(w, o.packed16)
    _write_upacked16(w, o.upacked16)
    _write_packed32(w, o.packed32)
    _write_upacked32(w, o.upacked32)
    _write_packed64(w, o.packed64)
    _write_upacked64(w, o.upacked64)
    w += _pack_h(o.narrow)
    _write_packed32(w, o.leader_id)
    w += _pack_i(o.grows)
    _write_packed32(w, o.late)
    _write_compact_array(w, o.packed, _write_packed32)
    if o.elements is None:
        w += b"\x00"
    else:
        _write_compact_array(w, o.elements, _write_packed16)
    _encode_EncodedPart_v2_array(w, o.parts)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Encodings_v3(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Encodings)
    (o.fixed16,) = _unpack_h(b, p)
    p += 2
    o.packed16, p = _read_packed16(b, p)
    o.upacked16, p = _read_upacked16(b, p)
    o.packed32, p = _read_packed32(b, p)
    o.upacked32, p = _read_upacked32(b, p)
    o.packed64, p = _read_packed64(b, p)
    o.upacked64, p = _read_upacked64(b, p)
    (o.narrow,) = _unpack_h(b, p)
    p += 2
    o.leader_id, p = _read_upacked32(b, p)
    (o.grows,) = _unpack_q(b, p)
    p += 8
    o.late, p = _read_packed64(b, p)
    o.packed, p = _read_compact_array(_read_packed32, b, p, m, 40)
    if o.packed is None:
        raise _CodecFailure
    n = b[p]
    if 0 < n < 32:
        o.elements = _unpackers_q[n](b, p + 1)
        p += 8 * n - 7
    else:
        o.elements, p = _read_compact_numbers_or_null(b, p, "q", m)
    o.parts, p = _decode_EncodedPart_v2_array(b, p, m)
    if o.parts is None:
        raise _CodecFailure
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_Encodings_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Encodings:
        _check_instance(o, Encodings)
    w += _pack_h(o.fixed16)
    _write_packed16(w, o.packed16)
    _write_upacked16(w, o.upacked16)
    _write_packed32(w, o.packed32)
    _write_upacked32(w, o.upacked32)
    _write_packed64(w, o.packed64)
    _write_upacked64(w, o.upacked64)
    w += _pack_h(o.narrow)
    _write_upacked32(w, o.leader_id)
    w += _pack_q(o.grows)
    _write_packed64(w, o.late)
    _write_compact_array(w, o.packed, _write_packed32)
    s = o.elements
    if s is None:
        w += b"\x00"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w.append(n + 1)
            w += _packers_q[n](*s)
        else:
            _write_compact_numbers(w, s, "q")
    _encode_EncodedPart_v2_array(w, o.parts)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 1
message Encodings data 0-3
struct Encodings
 fixed16 fixed16 int16 0
 packed16 packed16 int16 0
 upacked16 upacked16 int16 0
 packed32 packed32 int32 0
 upacked32 upacked32 int32 0
 packed64 packed64 int64 0
 upacked64 upacked64 int64 0
 narrow narrow int32 0
 leader_id leaderId int32 0
 grows grows int64 -1
 late late int64 0
 packed packed []int32 []
 elements elements []int64? []
 parts parts []EncodedPart []
struct EncodedPart
 delta delta int16 0
 size_ size int32 0
layout 0 EncodedPart 0-1
 delta packed16
 size_ int32
layout 1 Encodings 0
 fixed16 int16
 packed16 packed16
 upacked16 upacked16
 packed32 packed32
 upacked32 upacked32
 packed64 packed64
 upacked64 upacked64
 narrow int16
 + leader_id int32
 grows packed16
 packed array(packed32)
 elements array(int16)?
 parts array(struct(0))
 :skip late
layout 2 Encodings 1
 fixed16 int16
 packed16 packed16
 upacked16 upacked16
 packed32 packed32
 upacked32 upacked32
 packed64 packed64
 upacked64 upacked64
 narrow int16
 leader_id packed32
 grows upacked32
 packed array(packed32)
 elements array(upacked64)?
 parts array(struct(0))
 :skip late
layout 3 EncodedPart 2-3 flexible
 delta upacked16
 size_ int32
layout 4 Encodings 2 flexible
 fixed16 int16
 packed16 packed16
 upacked16 upacked16
 packed32 packed32
 upacked32 upacked32
 packed64 packed64
 upacked64 upacked64
 narrow int16
 leader_id packed32
 grows int32
 late packed32
 packed compact_array(packed32)
 elements compact_array(packed16)?
 parts compact_array(struct(3))
layout 5 Encodings 3 flexible
 fixed16 int16
 packed16 packed16
 upacked16 upacked16
 packed32 packed32
 upacked32 upacked32
 packed64 packed64
 upacked64 upacked64
 narrow int16
 leader_id upacked32
 grows int64
 late packed64
 packed compact_array(packed32)
 elements compact_array(int64)?
 parts compact_array(struct(3))
"""

Encodings.CODEC = _Codec(
    readers={
        0: _decode_Encodings_v0,
        1: _decode_Encodings_v1,
        2: _decode_Encodings_v2,
        3: _decode_Encodings_v3,
    },
    writers={
        0: _encode_Encodings_v0,
        1: _encode_Encodings_v1,
        2: _encode_Encodings_v2,
        3: _encode_Encodings_v3,
    },
    classes=(Encodings, EncodedPart),
    plan=_PLAN,
    own=986,
    small=17839,
)
