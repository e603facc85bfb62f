"""CommonStructs: Kafka data, versions 0-4, flexible in 3-4.

Generated from the message spec CommonStructs.
"""

from __future__ import annotations

from struct import Struct as _Struct

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.limits import LITTLE as _LITTLE
from ._runtime.messages import Codec as _Codec, Message as _Message
from ._runtime.primitives import (
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    check_instance as _check_instance,
    no_tags as _no_tags,
    raw_tags as _raw_tags,
    read_compact_string_or_null as _read_compact_string_or_null,
    read_leaves as _read_leaves,
    read_string as _read_string,
    read_string_or_null as _read_string_or_null,
    read_structs as _read_structs,
    read_tag_count as _read_tag_count,
    read_unknown_tags as _read_unknown_tags,
    some as _some,
    utf8 as _utf8,
    write_compact_length as _write_compact_length,
    write_tags as _write_tags,
)
from ._runtime.structs import Struct as _Base, dataclass as _dataclass, default_of as _default_of
from ._runtime.varints import read_uvarint as _read_uvarint, write_uvarint as _write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["CommonStructs", "Own", "Outer", "Leaf"]

_unpack_b = _Struct(">b").unpack_from
_pack_b = _Struct(">b").pack
_unpack_d = _Struct(">d").unpack_from
_pack_d = _Struct(">d").pack
_unpack_dB = _Struct(">dB").unpack_from
_pack_dB = _Struct(">dB").pack
_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack


@_dataclass
class Leaf(_Base):
    """Leaf."""

    name: str | None = ""

    weight: float = 1.0

    colour: int = -1


_args_Leaf = (Leaf,)

_Leaf_default = _default_of(Leaf)


@_dataclass
class Outer(_Base):
    """Holds leaves that are defined further down."""

    number: int = 0

    leaves: tuple[Leaf, ...] = ()


_args_Outer = (Outer,)

_Outer_default = _default_of(Outer)


@_dataclass
class Own(_Base):
    """Own."""

    leaf: Leaf = _Leaf_default

    outers: tuple[Outer, ...] = ()


_args_Own = (Own,)

_Own_default = _default_of(Own)


@_dataclass
class CommonStructs(_Message):
    """CommonStructs: Kafka data, versions 0-4, flexible in 3-4."""

    KIND = "data"
    VALID_VERSIONS = range(0, 5)
    FLEXIBLE_VERSIONS = range(3, 5)

    first: Outer = _Outer_default

    second: tuple[Outer, ...] = ()

    leaf: Leaf | None = None

    leaves: tuple[Leaf, ...] | None = ()

    own: Own = _Own_default


_args_CommonStructs = (CommonStructs,)


def _decode_Leaf_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Leaf)
    o.weight = 1.0
    o.colour = -1
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.name = b[p:e].decode()
        p = e
    else:
        o.name, p = _read_string(b, p - 2)
    o.unknown_tagged_fields = ()
    return o, p


def _decode_Leaf_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 130 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_Leaf_v0_array, (m,), 0, 130, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_Leaf)
        o.weight = 1.0
        o.colour = -1
        (n,) = _unpack_h(b, p)
        p += 2
        if n >= 0:
            e = p + n
            o.name = b[p:e].decode()
            p = e
        else:
            o.name, p = _read_string(b, p - 2)
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_Leaf_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Leaf:
        _check_instance(o, Leaf)
    if o.colour != -1:
        raise _CodecFailure
    s = _utf8(o.name)
    n = len(s)
    w += _pack_h(n)
    w += s
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _encode_Leaf_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not Leaf:
            _check_instance(o, Leaf)
        if o.colour != -1:
            raise _CodecFailure
        s = _utf8(o.name)
        n = len(s)
        w += _pack_h(n)
        w += s
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_Outer_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Outer)
    o.leaves = ()
    (o.number,) = _unpack_i(b, p)
    p += 4
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Outer_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Outer:
        _check_instance(o, Outer)
    if o.leaves is not _NOTHING and _some(o.leaves):
        raise _CodecFailure
    w += _pack_i(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Own_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Own)
    o.outers = ()
    o.leaf, p = _decode_Leaf_v0(b, p, m)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Own_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Own:
        _check_instance(o, Own)
    if o.outers is not _NOTHING and _some(o.outers):
        raise _CodecFailure
    _encode_Leaf_v0(o.leaf, w)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_CommonStructs_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_CommonStructs)
    o.second = ()
    o.leaf = None
    o.leaves = ()
    o.first, p = _decode_Outer_v0(b, p, m)
    o.own, p = _decode_Own_v0(b, p, m)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_CommonStructs_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not CommonStructs:
        _check_instance(o, CommonStructs)
    if o.second is not _NOTHING and _some(o.second):
        raise _CodecFailure
    if o.leaf is not None:
        raise _CodecFailure
    if o.leaves is not _NOTHING and _some(o.leaves):
        raise _CodecFailure
    _encode_Outer_v0(o.first, w)
    _encode_Own_v0(o.own, w)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Outer_v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Outer)
    (o.number,) = _unpack_i(b, p)
    p += 4
    o.leaves, p = _decode_Leaf_v0_array(b, p, m)
    if o.leaves is None:
        raise _CodecFailure
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Outer_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Outer:
        _check_instance(o, Outer)
    w += _pack_i(o.number)
    _encode_Leaf_v0_array(w, o.leaves)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_CommonStructs_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_CommonStructs)
    o.second = ()
    o.leaves = ()
    o.first, p = _decode_Outer_v1(b, p, m)
    n = b[p]
    p += 1
    if n > 127:
        o.leaf = None
    else:
        o.leaf, p = _decode_Leaf_v0(b, p, m)
    o.own, p = _decode_Own_v0(b, p, m)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_CommonStructs_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not CommonStructs:
        _check_instance(o, CommonStructs)
    if o.second is not _NOTHING and _some(o.second):
        raise _CodecFailure
    if o.leaves is not _NOTHING and _some(o.leaves):
        raise _CodecFailure
    _encode_Outer_v1(o.first, w)
    s = o.leaf
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_Leaf_v0(s, w)
    _encode_Own_v0(o.own, w)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Leaf_v2(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Leaf)
    o.colour = -1
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.name = b[p:e].decode()
        p = e
    else:
        o.name, p = _read_string_or_null(b, p - 2)
    (o.weight,) = _unpack_d(b, p)
    p += 8
    o.unknown_tagged_fields = ()
    return o, p


def _decode_Leaf_v2_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 82 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_Leaf_v2_array, (m,), 6, 82, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_Leaf)
        o.colour = -1
        (n,) = _unpack_h(b, p)
        p += 2
        if n >= 0:
            e = p + n
            o.name = b[p:e].decode()
            p = e
        else:
            o.name, p = _read_string_or_null(b, p - 2)
        (o.weight,) = _unpack_d(b, p)
        p += 8
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_Leaf_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Leaf:
        _check_instance(o, Leaf)
    if o.colour != -1:
        raise _CodecFailure
    s = o.name
    if s is None:
        w += b"\xff\xff"
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_h(n)
        w += s
    w += _pack_d(o.weight)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _encode_Leaf_v2_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not Leaf:
            _check_instance(o, Leaf)
        if o.colour != -1:
            raise _CodecFailure
        s = o.name
        if s is None:
            w += b"\xff\xff"
        else:
            s = _utf8(s)
            n = len(s)
            w += _pack_h(n)
            w += s
        w += _pack_d(o.weight)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_Outer_v2(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Outer)
    (o.number,) = _unpack_i(b, p)
    p += 4
    o.leaves, p = _decode_Leaf_v2_array(b, p, m)
    if o.leaves is None:
        raise _CodecFailure
    o.unknown_tagged_fields = ()
    return o, p


def _decode_Outer_v2_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 82 * n
            if m.left < _LITTLE:
                return _read_structs(_decode_Outer_v2_array, (m,), 7, 82, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_Outer)
        (o.number,) = _unpack_i(b, p)
        p += 4
        o.leaves, p = _decode_Leaf_v2_array(b, p, m)
        if o.leaves is None:
            raise _CodecFailure
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_Outer_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Outer:
        _check_instance(o, Outer)
    w += _pack_i(o.number)
    _encode_Leaf_v2_array(w, o.leaves)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _encode_Outer_v2_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not Outer:
            _check_instance(o, Outer)
        w += _pack_i(o.number)
        _encode_Leaf_v2_array(w, o.leaves)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_Own_v2(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Own)
    o.outers = ()
    o.leaf, p = _decode_Leaf_v2(b, p, m)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Own_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Own:
        _check_instance(o, Own)
    if o.outers is not _NOTHING and _some(o.outers):
        raise _CodecFailure
    _encode_Leaf_v2(o.leaf, w)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_CommonStructs_v2(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_CommonStructs)
    o.leaves = ()
    o.first, p = _decode_Outer_v2(b, p, m)
    o.second, p = _decode_Outer_v2_array(b, p, m)
    if o.second is None:
        raise _CodecFailure
    n = b[p]
    p += 1
    if n > 127:
        o.leaf = None
    else:
        o.leaf, p = _decode_Leaf_v2(b, p, m)
    o.own, p = _decode_Own_v2(b, p, m)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_CommonStructs_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not CommonStructs:
        _check_instance(o, CommonStructs)
    if o.leaves is not _NOTHING and _some(o.leaves):
        raise _CodecFailure
    _encode_Outer_v2(o.first, w)
    _encode_Outer_v2_array(w, o.second)
    s = o.leaf
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_Leaf_v2(s, w)
    _encode_Own_v2(o.own, w)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Leaf_v3(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Leaf)
    o.colour = -1
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.name = b[p + 1 : e].decode()
        p = e
    else:
        o.name, p = _read_compact_string_or_null(b, p)
    o.weight, n = _unpack_dB(b, p)
    p += 9
    if n:
        p = _decode_Leaf_v3_tags(o, b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _decode_Leaf_v3_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 82 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_Leaf_v3_array, (m,), 10, 82, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_Leaf)
        o.colour = -1
        n = b[p]
        if 0 < n < 128:
            e = p + n
            o.name = b[p + 1 : e].decode()
            p = e
        else:
            o.name, p = _read_compact_string_or_null(b, p)
        o.weight, n = _unpack_dB(b, p)
        p += 9
        if n:
            p = _decode_Leaf_v3_tags(o, b, p - 1, m)
        else:
            o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _decode_Leaf_v3_tags(o: _Any, b: bytes, p: int, m: _Allowance) -> int:
    unknown = []
    last = -1
    count, p = _read_tag_count(b, p, m, 114)
    for _ in range(count):
        tag, p = _read_uvarint(b, p)
        if tag <= last:
            raise _CodecFailure
        last = tag
        size, p = _read_uvarint(b, p)
        end = p + size
        if tag == 0:
            (o.colour,) = _unpack_b(b, p)
            p += 1
        else:
            unknown.append((tag, b[p:end]))
            p = end
        if p != end:
            raise _CodecFailure
    o.unknown_tagged_fields = tuple(unknown)
    return p


def _encode_Leaf_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Leaf:
        _check_instance(o, Leaf)
    s = o.name
    if s is None:
        w += b"\x00"
    else:
        s = _utf8(s)
        n = len(s)
        if n < 127:
            w.append(n + 1)
        else:
            _write_compact_length(w, n)
        w += s
    w += _pack_d(o.weight)
    tags = [] if o.unknown_tagged_fields is _NOTHING else _raw_tags(o.unknown_tagged_fields, (0,))
    if o.colour != -1:
        t = bytearray()
        t += _pack_b(o.colour)
        tags.append((0, bytes(t)))
    if tags:
        _write_tags(w, tags)
    else:
        w.append(0)


def _encode_Leaf_v3_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not Leaf:
            _check_instance(o, Leaf)
        s = o.name
        if s is None:
            w += b"\x00"
        else:
            s = _utf8(s)
            n = len(s)
            if n < 127:
                w.append(n + 1)
            else:
                _write_compact_length(w, n)
            w += s
        w += _pack_d(o.weight)
        tags = [] if o.unknown_tagged_fields is _NOTHING else _raw_tags(o.unknown_tagged_fields, (0,))
        if o.colour != -1:
            t = bytearray()
            t += _pack_b(o.colour)
            tags.append((0, bytes(t)))
        if tags:
            _write_tags(w, tags)
        else:
            w.append(0)


def _decode_Outer_v3(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Outer)
    (o.number,) = _unpack_i(b, p)
    p += 4
    o.leaves, p = _decode_Leaf_v3_array(b, p, m)
    if o.leaves is None:
        raise _CodecFailure
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _decode_Outer_v3_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 102 * n
            if m.left < _LITTLE:
                return _read_structs(_decode_Outer_v3_array, (m,), 11, 102, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_Outer)
        (o.number,) = _unpack_i(b, p)
        p += 4
        o.leaves, p = _decode_Leaf_v3_array(b, p, m)
        if o.leaves is None:
            raise _CodecFailure
        if b[p]:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _encode_Outer_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Outer:
        _check_instance(o, Outer)
    w += _pack_i(o.number)
    _encode_Leaf_v3_array(w, o.leaves)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _encode_Outer_v3_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not Outer:
            _check_instance(o, Outer)
        w += _pack_i(o.number)
        _encode_Leaf_v3_array(w, o.leaves)
        if o.unknown_tagged_fields is _NOTHING:
            w.append(0)
        else:
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Own_v3(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Own)
    o.outers = ()
    o.leaf, p = _decode_Leaf_v3(b, p, m)
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m, (0,))
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_Own_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Own:
        _check_instance(o, Own)
    if o.outers is not _NOTHING and _some(o.outers):
        raise _CodecFailure
    _encode_Leaf_v3(o.leaf, w)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, (0,)))


def _decode_CommonStructs_v3(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_CommonStructs)
    o.leaves = ()
    o.first, p = _decode_Outer_v3(b, p, m)
    o.second, p = _decode_Outer_v3_array(b, p, m)
    if o.second is None:
        raise _CodecFailure
    n = b[p]
    p += 1
    if n > 127:
        o.leaf = None
    else:
        o.leaf, p = _decode_Leaf_v3(b, p, m)
    o.own, p = _decode_Own_v3(b, p, m)
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_CommonStructs_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not CommonStructs:
        _check_instance(o, CommonStructs)
    if o.leaves is not _NOTHING and _some(o.leaves):
        raise _CodecFailure
    _encode_Outer_v3(o.first, w)
    _encode_Outer_v3_array(w, o.second)
    s = o.leaf
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_Leaf_v3(s, w)
    _encode_Own_v3(o.own, w)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Own_v4(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Own)
    o.outers = ()
    o.leaf, p = _decode_Leaf_v3(b, p, m)
    if b[p]:
        p = _decode_Own_v4_tags(o, b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _decode_Own_v4_tags(o: _Any, b: bytes, p: int, m: _Allowance) -> int:
    unknown = []
    last = -1
    count, p = _read_tag_count(b, p, m, 114)
    for _ in range(count):
        tag, p = _read_uvarint(b, p)
        if tag <= last:
            raise _CodecFailure
        last = tag
        size, p = _read_uvarint(b, p)
        end = p + size
        if tag == 0:
            o.outers, p = _decode_Outer_v3_array(b, p, m)
            if o.outers is None:
                raise _CodecFailure
        else:
            unknown.append((tag, b[p:end]))
            p = end
        if p != end:
            raise _CodecFailure
    o.unknown_tagged_fields = tuple(unknown)
    return p


def _encode_Own_v4(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Own:
        _check_instance(o, Own)
    _encode_Leaf_v3(o.leaf, w)
    tags = [] if o.unknown_tagged_fields is _NOTHING else _raw_tags(o.unknown_tagged_fields, (0,))
    if o.outers is not _NOTHING and _some(o.outers):
        t = bytearray()
        _encode_Outer_v3_array(t, o.outers)
        tags.append((0, bytes(t)))
    if tags:
        _write_tags(w, tags)
    else:
        w.append(0)


def _decode_CommonStructs_v4(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_CommonStructs)
    o.second = ()
    o.first, p = _decode_Outer_v3(b, p, m)
    n = b[p]
    p += 1
    if n > 127:
        o.leaf = None
    else:
        o.leaf, p = _decode_Leaf_v3(b, p, m)
    if not b[p]:
        o.leaves = None
        p += 1
    else:
        o.leaves, p = _decode_Leaf_v3_array(b, p, m)
    o.own, p = _decode_Own_v4(b, p, m)
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_CommonStructs_v4(o: _Any, w: bytearray) -> None:
    if o.__class__ is not CommonStructs:
        _check_instance(o, CommonStructs)
    if o.second is not _NOTHING and _some(o.second):
        raise _CodecFailure
    _encode_Outer_v3(o.first, w)
    s = o.leaf
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_Leaf_v3(s, w)
    if o.leaves is None:
        w += b"\x00"
    else:
        _encode_Leaf_v3_array(w, o.leaves)
    _encode_Own_v4(o.own, w)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 1
message CommonStructs data 0-4
struct CommonStructs
 first first Outer {}
 second second []Outer []
 leaf leaf Leaf? null
 leaves leaves []Leaf? []
 own own Own {}
struct Own
 leaf leaf Leaf {}
 outers outers []Outer []
struct Outer
 number number int32 0
 leaves leaves []Leaf []
struct Leaf
 name name string? ""
 weight weight float64 1.0
 colour colour int8 -1
layout 0 Leaf 0-1
 name string
 :guard colour
 :skip weight
layout 1 Outer 0
 number int32
 :guard leaves
layout 2 Own 0-1
 leaf struct(0)
 :guard outers
layout 3 CommonStructs 0
 first struct(1)
 own struct(2)
 :guard second leaf leaves
layout 4 Outer 1
 number int32
 leaves array(struct(0))
layout 5 CommonStructs 1
 first struct(4)
 leaf struct(0)?
 own struct(2)
 :guard second leaves
layout 6 Leaf 2
 name string?
 weight float64
 :guard colour
layout 7 Outer 2
 number int32
 leaves array(struct(6))
layout 8 Own 2
 leaf struct(6)
 :guard outers
layout 9 CommonStructs 2
 first struct(7)
 second array(struct(7))
 leaf struct(6)?
 own struct(8)
 :guard leaves
layout 10 Leaf 3-4 flexible
 name compact_string?
 weight float64
 :tag 0 colour int8
layout 11 Outer 3-4 flexible
 number int32
 leaves compact_array(struct(10))
layout 12 Own 3 flexible
 leaf struct(10)
 :foreign 0
 :guard outers
layout 13 CommonStructs 3 flexible
 first struct(11)
 second compact_array(struct(11))
 leaf struct(10)?
 own struct(12)
 :guard leaves
layout 14 Own 4 flexible
 leaf struct(10)
 :tag 0 outers compact_array(struct(11))
layout 15 CommonStructs 4 flexible
 first struct(11)
 leaf struct(10)?
 leaves compact_array(struct(10))?
 own struct(14)
 :guard second
"""

CommonStructs.CODEC = _Codec(
    readers={
        0: _decode_CommonStructs_v0,
        1: _decode_CommonStructs_v1,
        2: _decode_CommonStructs_v2,
        3: _decode_CommonStructs_v3,
        4: _decode_CommonStructs_v4,
    },
    writers={
        0: _encode_CommonStructs_v0,
        1: _encode_CommonStructs_v1,
        2: _encode_CommonStructs_v2,
        3: _encode_CommonStructs_v3,
        4: _encode_CommonStructs_v4,
    },
    classes=(CommonStructs, Own, Outer, Leaf),
    plan=_PLAN,
    own=422,
    small=15378,
)
