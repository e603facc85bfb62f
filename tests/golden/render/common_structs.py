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
_unpack_d = _Struct(">d").unpack_from
_unpack_dB = _Struct(">dB").unpack_from
_unpack_h = _Struct(">h").unpack_from
_unpack_i = _Struct(">i").unpack_from
_pack_b = _Struct(">b").pack
_pack_d = _Struct(">d").pack
_pack_h = _Struct(">h").pack
_pack_i = _Struct(">i").pack


@_dataclass
class Leaf(_Base):
    """Leaf."""

    name: str | None = ""
    """May be null in versions 2+."""

    weight: float = 1.0
    """Versions 2+; ignorable; default 1.0."""

    colour: int = -1
    """Versions 3+; tag 0; default -1."""


_args_Leaf = (Leaf,)

_Leaf_default = _default_of(Leaf)


@_dataclass
class Outer(_Base):
    """Holds leaves that are defined further down."""

    number: int = 0

    leaves: tuple[Leaf, ...] = ()
    """Versions 1+."""


_args_Outer = (Outer,)

_Outer_default = _default_of(Outer)


@_dataclass
class Own(_Base):
    """Own."""

    leaf: Leaf = _Leaf_default

    outers: tuple[Outer, ...] = ()
    """Versions 4+; tag 0."""


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
    """Versions 2-3."""

    leaf: Leaf | None = None
    """Versions 1+; may be null; default null."""

    leaves: tuple[Leaf, ...] | None = ()
    """Versions 4+; may be null."""

    own: Own = _Own_default


_args_CommonStructs = (CommonStructs,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_Leaf_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Leaf)
    struct.weight = 1.0
    struct.colour = -1
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.name = data[pos:stop].decode()
        pos = stop
    else:
        struct.name, pos = _read_string(data, pos - 2)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _decode_Leaf_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 130 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_Leaf_v0_array, (allowance,), 0, 130, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_Leaf)
        struct.weight = 1.0
        struct.colour = -1
        (length,) = _unpack_h(data, pos)
        pos += 2
        if length >= 0:
            stop = pos + length
            struct.name = data[pos:stop].decode()
            pos = stop
        else:
            struct.name, pos = _read_string(data, pos - 2)
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_Leaf_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Leaf:
        _check_instance(struct, Leaf)
    if struct.colour != -1:
        raise _CodecFailure
    value = _utf8(struct.name)
    length = len(value)
    out += _pack_h(length)
    out += value
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _encode_Leaf_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not Leaf:
            _check_instance(struct, Leaf)
        if struct.colour != -1:
            raise _CodecFailure
        value = _utf8(struct.name)
        length = len(value)
        out += _pack_h(length)
        out += value
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_Outer_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Outer)
    struct.leaves = ()
    (struct.number,) = _unpack_i(data, pos)
    pos += 4
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Outer_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Outer:
        _check_instance(struct, Outer)
    if struct.leaves is not _NOTHING and _some(struct.leaves):
        raise _CodecFailure
    out += _pack_i(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Own_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Own)
    struct.outers = ()
    struct.leaf, pos = _decode_Leaf_v0(data, pos, allowance)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Own_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Own:
        _check_instance(struct, Own)
    if struct.outers is not _NOTHING and _some(struct.outers):
        raise _CodecFailure
    _encode_Leaf_v0(struct.leaf, out)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_CommonStructs_v0(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_CommonStructs)
    struct.second = ()
    struct.leaf = None
    struct.leaves = ()
    struct.first, pos = _decode_Outer_v0(data, pos, allowance)
    struct.own, pos = _decode_Own_v0(data, pos, allowance)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_CommonStructs_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not CommonStructs:
        _check_instance(struct, CommonStructs)
    if struct.second is not _NOTHING and _some(struct.second):
        raise _CodecFailure
    if struct.leaf is not None:
        raise _CodecFailure
    if struct.leaves is not _NOTHING and _some(struct.leaves):
        raise _CodecFailure
    _encode_Outer_v0(struct.first, out)
    _encode_Own_v0(struct.own, out)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Outer_v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Outer)
    (struct.number,) = _unpack_i(data, pos)
    pos += 4
    struct.leaves, pos = _decode_Leaf_v0_array(data, pos, allowance)
    if struct.leaves is None:
        raise _CodecFailure
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Outer_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Outer:
        _check_instance(struct, Outer)
    out += _pack_i(struct.number)
    _encode_Leaf_v0_array(out, struct.leaves)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_CommonStructs_v1(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_CommonStructs)
    struct.second = ()
    struct.leaves = ()
    struct.first, pos = _decode_Outer_v1(data, pos, allowance)
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.leaf = None
    else:
        struct.leaf, pos = _decode_Leaf_v0(data, pos, allowance)
    struct.own, pos = _decode_Own_v0(data, pos, allowance)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_CommonStructs_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not CommonStructs:
        _check_instance(struct, CommonStructs)
    if struct.second is not _NOTHING and _some(struct.second):
        raise _CodecFailure
    if struct.leaves is not _NOTHING and _some(struct.leaves):
        raise _CodecFailure
    _encode_Outer_v1(struct.first, out)
    value = struct.leaf
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Leaf_v0(value, out)
    _encode_Own_v0(struct.own, out)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Leaf_v2(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Leaf)
    struct.colour = -1
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.name = data[pos:stop].decode()
        pos = stop
    else:
        struct.name, pos = _read_string_or_null(data, pos - 2)
    (struct.weight,) = _unpack_d(data, pos)
    pos += 8
    struct.unknown_tagged_fields = ()
    return struct, pos


def _decode_Leaf_v2_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 82 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_Leaf_v2_array, (allowance,), 6, 82, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_Leaf)
        struct.colour = -1
        (length,) = _unpack_h(data, pos)
        pos += 2
        if length >= 0:
            stop = pos + length
            struct.name = data[pos:stop].decode()
            pos = stop
        else:
            struct.name, pos = _read_string_or_null(data, pos - 2)
        (struct.weight,) = _unpack_d(data, pos)
        pos += 8
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_Leaf_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Leaf:
        _check_instance(struct, Leaf)
    if struct.colour != -1:
        raise _CodecFailure
    value = struct.name
    if value is None:
        out += b"\xff\xff"
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_h(length)
        out += value
    out += _pack_d(struct.weight)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _encode_Leaf_v2_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not Leaf:
            _check_instance(struct, Leaf)
        if struct.colour != -1:
            raise _CodecFailure
        value = struct.name
        if value is None:
            out += b"\xff\xff"
        else:
            value = _utf8(value)
            length = len(value)
            out += _pack_h(length)
            out += value
        out += _pack_d(struct.weight)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_Outer_v2(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Outer)
    (struct.number,) = _unpack_i(data, pos)
    pos += 4
    struct.leaves, pos = _decode_Leaf_v2_array(data, pos, allowance)
    if struct.leaves is None:
        raise _CodecFailure
    struct.unknown_tagged_fields = ()
    return struct, pos


def _decode_Outer_v2_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 82 * count
            if allowance.left < _LITTLE:
                return _read_structs(_decode_Outer_v2_array, (allowance,), 7, 82, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_Outer)
        (struct.number,) = _unpack_i(data, pos)
        pos += 4
        struct.leaves, pos = _decode_Leaf_v2_array(data, pos, allowance)
        if struct.leaves is None:
            raise _CodecFailure
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_Outer_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Outer:
        _check_instance(struct, Outer)
    out += _pack_i(struct.number)
    _encode_Leaf_v2_array(out, struct.leaves)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _encode_Outer_v2_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not Outer:
            _check_instance(struct, Outer)
        out += _pack_i(struct.number)
        _encode_Leaf_v2_array(out, struct.leaves)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_Own_v2(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Own)
    struct.outers = ()
    struct.leaf, pos = _decode_Leaf_v2(data, pos, allowance)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Own_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Own:
        _check_instance(struct, Own)
    if struct.outers is not _NOTHING and _some(struct.outers):
        raise _CodecFailure
    _encode_Leaf_v2(struct.leaf, out)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_CommonStructs_v2(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_CommonStructs)
    struct.leaves = ()
    struct.first, pos = _decode_Outer_v2(data, pos, allowance)
    struct.second, pos = _decode_Outer_v2_array(data, pos, allowance)
    if struct.second is None:
        raise _CodecFailure
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.leaf = None
    else:
        struct.leaf, pos = _decode_Leaf_v2(data, pos, allowance)
    struct.own, pos = _decode_Own_v2(data, pos, allowance)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_CommonStructs_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not CommonStructs:
        _check_instance(struct, CommonStructs)
    if struct.leaves is not _NOTHING and _some(struct.leaves):
        raise _CodecFailure
    _encode_Outer_v2(struct.first, out)
    _encode_Outer_v2_array(out, struct.second)
    value = struct.leaf
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Leaf_v2(value, out)
    _encode_Own_v2(struct.own, out)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Leaf_v3(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Leaf)
    struct.colour = -1
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.name = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.name, pos = _read_compact_string_or_null(data, pos)
    struct.weight, tag_count = _unpack_dB(data, pos)
    pos += 9
    if tag_count:
        pos = _decode_Leaf_v3_tags(struct, data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _decode_Leaf_v3_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
            allowance.left -= 82 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_Leaf_v3_array, (allowance,), 10, 82, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_Leaf)
        struct.colour = -1
        length = data[pos]
        if 0 < length < 128:
            stop = pos + length
            struct.name = data[pos + 1 : stop].decode()
            pos = stop
        else:
            struct.name, pos = _read_compact_string_or_null(data, pos)
        struct.weight, tag_count = _unpack_dB(data, pos)
        pos += 9
        if tag_count:
            pos = _decode_Leaf_v3_tags(struct, data, pos - 1, allowance)
        else:
            struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _decode_Leaf_v3_tags(struct: _Any, data: bytes, pos: int, allowance: _Allowance) -> int:
    unknown = []
    last = -1
    count, pos = _read_tag_count(data, pos, allowance, 114)
    for _ in range(count):
        tag, pos = _read_uvarint(data, pos)
        if tag <= last:
            raise _CodecFailure
        last = tag
        size, pos = _read_uvarint(data, pos)
        end = pos + size
        if tag == 0:
            (struct.colour,) = _unpack_b(data, pos)
            pos += 1
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_Leaf_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Leaf:
        _check_instance(struct, Leaf)
    value = struct.name
    if value is None:
        out += b"\x00"
    else:
        value = _utf8(value)
        length = len(value)
        if length < 127:
            out.append(length + 1)
        else:
            _write_compact_length(out, length)
        out += value
    out += _pack_d(struct.weight)
    tags = [] if struct.unknown_tagged_fields is _NOTHING else _raw_tags(struct.unknown_tagged_fields, (0,))
    if struct.colour != -1:
        tagged = bytearray()
        tagged += _pack_b(struct.colour)
        tags.append((0, bytes(tagged)))
    if tags:
        _write_tags(out, tags)
    else:
        out.append(0)


def _encode_Leaf_v3_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not Leaf:
            _check_instance(struct, Leaf)
        value = struct.name
        if value is None:
            out += b"\x00"
        else:
            value = _utf8(value)
            length = len(value)
            if length < 127:
                out.append(length + 1)
            else:
                _write_compact_length(out, length)
            out += value
        out += _pack_d(struct.weight)
        tags = [] if struct.unknown_tagged_fields is _NOTHING else _raw_tags(struct.unknown_tagged_fields, (0,))
        if struct.colour != -1:
            tagged = bytearray()
            tagged += _pack_b(struct.colour)
            tags.append((0, bytes(tagged)))
        if tags:
            _write_tags(out, tags)
        else:
            out.append(0)


def _decode_Outer_v3(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Outer)
    (struct.number,) = _unpack_i(data, pos)
    pos += 4
    struct.leaves, pos = _decode_Leaf_v3_array(data, pos, allowance)
    if struct.leaves is None:
        raise _CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _decode_Outer_v3_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
            allowance.left -= 102 * count
            if allowance.left < _LITTLE:
                return _read_structs(_decode_Outer_v3_array, (allowance,), 11, 102, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_Outer)
        (struct.number,) = _unpack_i(data, pos)
        pos += 4
        struct.leaves, pos = _decode_Leaf_v3_array(data, pos, allowance)
        if struct.leaves is None:
            raise _CodecFailure
        if data[pos]:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_Outer_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Outer:
        _check_instance(struct, Outer)
    out += _pack_i(struct.number)
    _encode_Leaf_v3_array(out, struct.leaves)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _encode_Outer_v3_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not Outer:
            _check_instance(struct, Outer)
        out += _pack_i(struct.number)
        _encode_Leaf_v3_array(out, struct.leaves)
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Own_v3(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Own)
    struct.outers = ()
    struct.leaf, pos = _decode_Leaf_v3(data, pos, allowance)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance, (0,))
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_Own_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Own:
        _check_instance(struct, Own)
    if struct.outers is not _NOTHING and _some(struct.outers):
        raise _CodecFailure
    _encode_Leaf_v3(struct.leaf, out)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, (0,)))


def _decode_CommonStructs_v3(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_CommonStructs)
    struct.leaves = ()
    struct.first, pos = _decode_Outer_v3(data, pos, allowance)
    struct.second, pos = _decode_Outer_v3_array(data, pos, allowance)
    if struct.second is None:
        raise _CodecFailure
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.leaf = None
    else:
        struct.leaf, pos = _decode_Leaf_v3(data, pos, allowance)
    struct.own, pos = _decode_Own_v3(data, pos, allowance)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_CommonStructs_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not CommonStructs:
        _check_instance(struct, CommonStructs)
    if struct.leaves is not _NOTHING and _some(struct.leaves):
        raise _CodecFailure
    _encode_Outer_v3(struct.first, out)
    _encode_Outer_v3_array(out, struct.second)
    value = struct.leaf
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Leaf_v3(value, out)
    _encode_Own_v3(struct.own, out)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Own_v4(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Own)
    struct.outers = ()
    struct.leaf, pos = _decode_Leaf_v3(data, pos, allowance)
    if data[pos]:
        pos = _decode_Own_v4_tags(struct, data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _decode_Own_v4_tags(struct: _Any, data: bytes, pos: int, allowance: _Allowance) -> int:
    unknown = []
    last = -1
    count, pos = _read_tag_count(data, pos, allowance, 114)
    for _ in range(count):
        tag, pos = _read_uvarint(data, pos)
        if tag <= last:
            raise _CodecFailure
        last = tag
        size, pos = _read_uvarint(data, pos)
        end = pos + size
        if tag == 0:
            struct.outers, pos = _decode_Outer_v3_array(data, pos, allowance)
            if struct.outers is None:
                raise _CodecFailure
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_Own_v4(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Own:
        _check_instance(struct, Own)
    _encode_Leaf_v3(struct.leaf, out)
    tags = [] if struct.unknown_tagged_fields is _NOTHING else _raw_tags(struct.unknown_tagged_fields, (0,))
    if struct.outers is not _NOTHING and _some(struct.outers):
        tagged = bytearray()
        _encode_Outer_v3_array(tagged, struct.outers)
        tags.append((0, bytes(tagged)))
    if tags:
        _write_tags(out, tags)
    else:
        out.append(0)


def _decode_CommonStructs_v4(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_CommonStructs)
    struct.second = ()
    struct.first, pos = _decode_Outer_v3(data, pos, allowance)
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.leaf = None
    else:
        struct.leaf, pos = _decode_Leaf_v3(data, pos, allowance)
    if not data[pos]:
        struct.leaves = None
        pos += 1
    else:
        struct.leaves, pos = _decode_Leaf_v3_array(data, pos, allowance)
    struct.own, pos = _decode_Own_v4(data, pos, allowance)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_CommonStructs_v4(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not CommonStructs:
        _check_instance(struct, CommonStructs)
    if struct.second is not _NOTHING and _some(struct.second):
        raise _CodecFailure
    _encode_Outer_v3(struct.first, out)
    value = struct.leaf
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Leaf_v3(value, out)
    if struct.leaves is None:
        out += b"\x00"
    else:
        _encode_Leaf_v3_array(out, struct.leaves)
    _encode_Own_v4(struct.own, out)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


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
