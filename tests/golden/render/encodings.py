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
_unpack_hi = _Struct(">hi").unpack_from
_unpack_i = _Struct(">i").unpack_from
_unpack_iB = _Struct(">iB").unpack_from
_unpack_q = _Struct(">q").unpack_from
_pack_h = _Struct(">h").pack
_pack_hi = _Struct(">hi").pack
_pack_i = _Struct(">i").pack
_pack_ix = _Struct(">ix").pack
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
    """Default -1."""

    late: int = 0
    """Versions 2+; ignorable."""

    packed: tuple[int, ...] = ()

    elements: tuple[int, ...] | None = ()
    """May be null."""

    parts: tuple[EncodedPart, ...] = ()


_args_Encodings = (Encodings,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_EncodedPart_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 96 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_EncodedPart_v0_array, (allowance,), 0, 96, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_EncodedPart)
        struct.delta, pos = _read_packed16(data, pos)
        (struct.size_,) = _unpack_i(data, pos)
        pos += 4
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_EncodedPart_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not EncodedPart:
            _check_instance(struct, EncodedPart)
        _write_packed16(out, struct.delta)
        out += _pack_i(struct.size_)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_Encodings_v0(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Encodings)
    struct.late = 0
    (struct.fixed16,) = _unpack_h(data, pos)
    pos += 2
    struct.packed16, pos = _read_packed16(data, pos)
    struct.upacked16, pos = _read_upacked16(data, pos)
    struct.packed32, pos = _read_packed32(data, pos)
    struct.upacked32, pos = _read_upacked32(data, pos)
    struct.packed64, pos = _read_packed64(data, pos)
    struct.upacked64, pos = _read_upacked64(data, pos)
    struct.narrow, struct.leader_id = _unpack_hi(data, pos)
    pos += 6
    struct.grows, pos = _read_packed16(data, pos)
    struct.packed, pos = _read_array(_read_packed32, data, pos, allowance, 40)
    if struct.packed is None:
        raise _CodecFailure
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.elements = _unpackers_h[length + 1](data, pos)
        pos += 2 * length
    else:
        struct.elements, pos = _read_numbers_or_null(data, pos - 4, "h", allowance)
    struct.parts, pos = _decode_EncodedPart_v0_array(data, pos, allowance)
    if struct.parts is None:
        raise _CodecFailure
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Encodings_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Encodings:
        _check_instance(struct, Encodings)
    out += _pack_h(struct.fixed16)
    _write_packed16(out, struct.packed16)
    _write_upacked16(out, struct.upacked16)
    _write_packed32(out, struct.packed32)
    _write_upacked32(out, struct.upacked32)
    _write_packed64(out, struct.packed64)
    _write_upacked64(out, struct.upacked64)
    out += _pack_hi(struct.narrow, struct.leader_id)
    _write_packed16(out, struct.grows)
    _write_array(out, struct.packed, _write_packed32)
    value = struct.elements
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out += _COUNTS[length]
            out += _packers_h[length](*value)
        else:
            _write_numbers(out, value, "h")
    _encode_EncodedPart_v0_array(out, struct.parts)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Encodings_v1(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Encodings)
    struct.late = 0
    (struct.fixed16,) = _unpack_h(data, pos)
    pos += 2
    struct.packed16, pos = _read_packed16(data, pos)
    struct.upacked16, pos = _read_upacked16(data, pos)
    struct.packed32, pos = _read_packed32(data, pos)
    struct.upacked32, pos = _read_upacked32(data, pos)
    struct.packed64, pos = _read_packed64(data, pos)
    struct.upacked64, pos = _read_upacked64(data, pos)
    (struct.narrow,) = _unpack_h(data, pos)
    pos += 2
    struct.leader_id, pos = _read_packed32(data, pos)
    struct.grows, pos = _read_upacked32(data, pos)
    struct.packed, pos = _read_array(_read_packed32, data, pos, allowance, 40)
    if struct.packed is None:
        raise _CodecFailure
    struct.elements, pos = _read_array(_read_upacked64, data, pos, allowance, 56)
    struct.parts, pos = _decode_EncodedPart_v0_array(data, pos, allowance)
    if struct.parts is None:
        raise _CodecFailure
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Encodings_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Encodings:
        _check_instance(struct, Encodings)
    out += _pack_h(struct.fixed16)
    _write_packed16(out, struct.packed16)
    _write_upacked16(out, struct.upacked16)
    _write_packed32(out, struct.packed32)
    _write_upacked32(out, struct.upacked32)
    _write_packed64(out, struct.packed64)
    _write_upacked64(out, struct.upacked64)
    out += _pack_h(struct.narrow)
    _write_packed32(out, struct.leader_id)
    _write_upacked32(out, struct.grows)
    _write_array(out, struct.packed, _write_packed32)
    if struct.elements is None:
        out += b"\xff\xff\xff\xff"
    else:
        _write_array(out, struct.elements, _write_upacked64)
    _encode_EncodedPart_v0_array(out, struct.parts)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_EncodedPart_v2_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        count = data[pos]
        pos += 1
        if count > 127:
            count, pos = _read_uvarint(data, pos - 1)
        if count < 2:
            return (() if count else None), pos
        count -= 1
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 86 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_EncodedPart_v2_array, (allowance,), 3, 86, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_EncodedPart)
        struct.delta, pos = _read_upacked16(data, pos)
        struct.size_, tag_count = _unpack_iB(data, pos)
        pos += 5
        if tag_count:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
        else:
            struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_EncodedPart_v2_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not EncodedPart:
            _check_instance(struct, EncodedPart)
        _write_upacked16(out, struct.delta)
        out += _pack_ix(struct.size_)
        if struct.unknown_tagged_fields is not _NOTHING:
            out.pop()
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Encodings_v2(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Encodings)
    (struct.fixed16,) = _unpack_h(data, pos)
    pos += 2
    struct.packed16, pos = _read_packed16(data, pos)
    struct.upacked16, pos = _read_upacked16(data, pos)
    struct.packed32, pos = _read_packed32(data, pos)
    struct.upacked32, pos = _read_upacked32(data, pos)
    struct.packed64, pos = _read_packed64(data, pos)
    struct.upacked64, pos = _read_upacked64(data, pos)
    (struct.narrow,) = _unpack_h(data, pos)
    pos += 2
    struct.leader_id, pos = _read_packed32(data, pos)
    (struct.grows,) = _unpack_i(data, pos)
    pos += 4
    struct.late, pos = _read_packed32(data, pos)
    struct.packed, pos = _read_compact_array(_read_packed32, data, pos, allowance, 40)
    if struct.packed is None:
        raise _CodecFailure
    struct.elements, pos = _read_compact_array(_read_packed16, data, pos, allowance, 40)
    struct.parts, pos = _decode_EncodedPart_v2_array(data, pos, allowance)
    if struct.parts is None:
        raise _CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_Encodings_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Encodings:
        _check_instance(struct, Encodings)
    out += _pack_h(struct.fixed16)
    _write_packed16(out, struct.packed16)
    _write_upacked16(out, struct.upacked16)
    _write_packed32(out, struct.packed32)
    _write_upacked32(out, struct.upacked32)
    _write_packed64(out, struct.packed64)
    _write_upacked64(out, struct.upacked64)
    out += _pack_h(struct.narrow)
    _write_packed32(out, struct.leader_id)
    out += _pack_i(struct.grows)
    _write_packed32(out, struct.late)
    _write_compact_array(out, struct.packed, _write_packed32)
    if struct.elements is None:
        out += b"\x00"
    else:
        _write_compact_array(out, struct.elements, _write_packed16)
    _encode_EncodedPart_v2_array(out, struct.parts)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Encodings_v3(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Encodings)
    (struct.fixed16,) = _unpack_h(data, pos)
    pos += 2
    struct.packed16, pos = _read_packed16(data, pos)
    struct.upacked16, pos = _read_upacked16(data, pos)
    struct.packed32, pos = _read_packed32(data, pos)
    struct.upacked32, pos = _read_upacked32(data, pos)
    struct.packed64, pos = _read_packed64(data, pos)
    struct.upacked64, pos = _read_upacked64(data, pos)
    (struct.narrow,) = _unpack_h(data, pos)
    pos += 2
    struct.leader_id, pos = _read_upacked32(data, pos)
    (struct.grows,) = _unpack_q(data, pos)
    pos += 8
    struct.late, pos = _read_packed64(data, pos)
    struct.packed, pos = _read_compact_array(_read_packed32, data, pos, allowance, 40)
    if struct.packed is None:
        raise _CodecFailure
    length = data[pos]
    if 0 < length < 32:
        struct.elements = _unpackers_q[length](data, pos + 1)
        pos += 8 * length - 7
    else:
        struct.elements, pos = _read_compact_numbers_or_null(data, pos, "q", allowance)
    struct.parts, pos = _decode_EncodedPart_v2_array(data, pos, allowance)
    if struct.parts is None:
        raise _CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_Encodings_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Encodings:
        _check_instance(struct, Encodings)
    out += _pack_h(struct.fixed16)
    _write_packed16(out, struct.packed16)
    _write_upacked16(out, struct.upacked16)
    _write_packed32(out, struct.packed32)
    _write_upacked32(out, struct.upacked32)
    _write_packed64(out, struct.packed64)
    _write_upacked64(out, struct.upacked64)
    out += _pack_h(struct.narrow)
    _write_upacked32(out, struct.leader_id)
    out += _pack_q(struct.grows)
    _write_packed64(out, struct.late)
    _write_compact_array(out, struct.packed, _write_packed32)
    value = struct.elements
    if value is None:
        out += b"\x00"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out.append(length + 1)
            out += _packers_q[length](*value)
        else:
            _write_compact_numbers(out, value, "q")
    _encode_EncodedPart_v2_array(out, struct.parts)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


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
