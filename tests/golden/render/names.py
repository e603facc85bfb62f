"""Names: Kafka data, versions 0-1, flexible in 1.

Generated from the message spec Names.
"""

from __future__ import annotations

import builtins as _builtins
from struct import Struct as _Struct
from uuid import UUID as _UUID

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.limits import LITTLE as _LITTLE
from ._runtime.messages import Codec as _Codec, Message as _Message
from ._runtime.primitives import (
    COUNTS as _COUNTS,
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    bytes_of as _bytes_of,
    check_instance as _check_instance,
    no_tags as _no_tags,
    packers as _packers,
    raw_tags as _raw_tags,
    read_array as _read_array,
    read_bytes as _read_bytes,
    read_compact_array as _read_compact_array,
    read_compact_bytes as _read_compact_bytes,
    read_compact_numbers as _read_compact_numbers,
    read_compact_numbers_or_null as _read_compact_numbers_or_null,
    read_compact_string as _read_compact_string,
    read_leaves as _read_leaves,
    read_numbers as _read_numbers,
    read_numbers_or_null as _read_numbers_or_null,
    read_string as _read_string,
    read_structs as _read_structs,
    read_tag_count as _read_tag_count,
    read_unknown_tags as _read_unknown_tags,
    unpackers as _unpackers,
    utf8 as _utf8,
    write_array as _write_array,
    write_compact_array as _write_compact_array,
    write_compact_length as _write_compact_length,
    write_compact_numbers as _write_compact_numbers,
    write_compact_string as _write_compact_string,
    write_numbers as _write_numbers,
    write_string as _write_string,
    write_tags as _write_tags,
)
from ._runtime.structs import Struct as _Base, dataclass as _dataclass, default_of as _default_of, index_by as _index_by
from ._runtime.uuids import ZERO as _ZERO_UUID, uuid_bytes as _uuid_bytes, uuid_of as _uuid_of
from ._runtime.varints import read_uvarint as _read_uvarint, write_uvarint as _write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = [
    "Names",
    "None_",
    "Self",
    "N",
    "X",
    "Struct",
    "Message",
    "Codec",
    "Any",
    "KIND_",
    "TYPE_CHECKING_",
    "ValueError",
    "Under_Score",
]

_unpack_b = _Struct(">b").unpack_from
_unpack_bB = _Struct(">bB").unpack_from
_unpack_bi = _Struct(">bi").unpack_from
_unpack_h = _Struct(">h").unpack_from
_unpack_i = _Struct(">i").unpack_from
_unpack_idtB = _Struct(">id?B").unpack_from
_unpack_idti = _Struct(">id?i").unpack_from
_unpack_iiB = _Struct(">iiB").unpack_from
_unpack_iibB = _Struct(">iibB").unpack_from
_unpack_iibh = _Struct(">iibh").unpack_from
_unpack_iih = _Struct(">iih").unpack_from
_unpack_iiiiiiiiiiiiiiiiB = _Struct(">iiiiiiiiiiiiiiiiB").unpack_from
_unpack_iiiiiiiiiiiiiiiih = _Struct(">iiiiiiiiiiiiiiiih").unpack_from
_unpack_qB = _Struct(">qB").unpack_from
_unpack_qh = _Struct(">qh").unpack_from
_unpack_tb = _Struct(">?b").unpack_from
_unpack_tbB = _Struct(">?bB").unpack_from
_unpack_uiB = _Struct(">16siB").unpack_from
_unpack_uii = _Struct(">16sii").unpack_from
_pack_b = _Struct(">b").pack
_pack_bB = _Struct(">bB").pack
_pack_bi = _Struct(">bi").pack
_pack_bx = _Struct(">bx").pack
_pack_h = _Struct(">h").pack
_pack_i = _Struct(">i").pack
_pack_idt = _Struct(">id?").pack
_pack_idtB = _Struct(">id?B").pack
_pack_idti = _Struct(">id?i").pack
_pack_ii = _Struct(">ii").pack
_pack_iiB = _Struct(">iiB").pack
_pack_iib = _Struct(">iib").pack
_pack_iibB = _Struct(">iibB").pack
_pack_iibh = _Struct(">iibh").pack
_pack_iih = _Struct(">iih").pack
_pack_iiiiiiiiiiiiiiii = _Struct(">iiiiiiiiiiiiiiii").pack
_pack_iiiiiiiiiiiiiiiiB = _Struct(">iiiiiiiiiiiiiiiiB").pack
_pack_iiiiiiiiiiiiiiiih = _Struct(">iiiiiiiiiiiiiiiih").pack
_pack_q = _Struct(">q").pack
_pack_qB = _Struct(">qB").pack
_pack_qh = _Struct(">qh").pack
_pack_tb = _Struct(">?b").pack
_pack_tbx = _Struct(">?bx").pack
_pack_ui = _Struct(">16si").pack
_pack_uiB = _Struct(">16siB").pack
_pack_uii = _Struct(">16sii").pack
_unpackers_i = _unpackers("i")
_packers_i = _packers("i")


@_dataclass
class None_(_Base):
    """None."""

    true: bool = False

    mro: int = 0


_args_None_ = (None_,)


@_dataclass
class Self(_Base):
    """Self."""

    self_: int = 0

    cls: int = 0

    key: str = ""

    @staticmethod
    def by_key(elements: tuple[Self, ...]) -> dict[int, Self]:
        """The elements by ``self_``; of elements with equal keys the first."""
        return _index_by(elements, lambda element: element.self_)


_args_Self = (Self,)


@_dataclass
class X(_Base):
    """X."""

    z: int = 0
    """Versions 1+; tag 0."""

    t: str = ""


_args_X = (X,)


@_dataclass
class N(_Base):
    """N."""

    e: str = ""

    x: tuple[X, ...] = ()


_args_N = (N,)


@_dataclass
class Struct(_Base):
    """Struct."""

    match: int = 0


_args_Struct = (Struct,)

_Struct_default = _default_of(Struct)


@_dataclass
class Message(_Base):
    """Message."""

    case: int = 0


_args_Message = (Message,)

_Message_default = _default_of(Message)


@_dataclass
class Codec(_Base):
    """Codec."""

    async_: int = 0


_args_Codec = (Codec,)

_Codec_default = _default_of(Codec)


@_dataclass
class Any(_Base):
    """Any."""

    lambda_: int = 0


_args_Any = (Any,)

_Any_default = _default_of(Any)


@_dataclass
class KIND_(_Base):
    """KIND."""

    yield_: int = 0


_args_KIND_ = (KIND_,)

_KIND__default = _default_of(KIND_)


@_dataclass
class TYPE_CHECKING_(_Base):
    """TYPE_CHECKING."""

    is_: int = 0


_args_TYPE_CHECKING_ = (TYPE_CHECKING_,)

_TYPE_CHECKING__default = _default_of(TYPE_CHECKING_)


@_dataclass
class ValueError(_Base):
    """ValueError."""

    dict: int = 0


_args_ValueError = (ValueError,)

_ValueError_default = _default_of(ValueError)


@_dataclass
class Under_Score(_Base):
    """Under_Score."""

    list: int = 0


_args_Under_Score = (Under_Score,)

_Under_Score_default = _default_of(Under_Score)


@_dataclass
class Names(_Message):
    """Names: Kafka data, versions 0-1, flexible in 1."""

    KIND = "data"
    VALID_VERSIONS = range(0, 2)
    FLEXIBLE_VERSIONS = range(1, 2)

    class_: _builtins.str = ""

    def_: _builtins.int = 0

    none: None_ | None = None
    """May be null; default null."""

    self_: _builtins.tuple[Self, ...] = ()

    len: _builtins.int = 0

    int: _builtins.str = ""

    str: _builtins.int = 0

    float: _builtins.float = 0.0

    bool: _builtins.bool = False

    bytes: _builtins.bytes | _builtins.memoryview = b""

    tuple: _builtins.tuple[_builtins.str, ...] = ()

    memoryview: _builtins.tuple[_builtins.int, ...] | None = ()
    """May be null."""

    object: _builtins.int = 0

    type: _builtins.int = 0

    range: _builtins.int = 0

    super: _builtins.int = 0

    property: _builtins.int = 0

    staticmethod_: _builtins.int = 0

    encode_: _builtins.int = 0

    decode_: _builtins.int = 0

    encode_into_: _builtins.int = 0

    decode_from_: _builtins.int = 0

    size_: _builtins.int = 0

    to_json_: _builtins.int = 0

    from_json_: _builtins.int = 0

    header_version_: _builtins.int = 0

    by_key_: _builtins.int = 0

    api_key: _builtins.int = 0

    unknown_tagged_fields_: _builtins.str = ""

    topic_id: _UUID = _ZERO_UUID

    topic_id_: _builtins.int = 0

    isr_nodes: _builtins.tuple[_builtins.int, ...] = ()

    v2_name3: _builtins.int = 0

    lower_first: _builtins.int = 0

    o: _builtins.int = 0

    b: _builtins.str = ""

    p: _builtins.int = 0

    w: _builtins.bytes = b""

    n: _builtins.tuple[N, ...] = ()

    struct: Struct = _Struct_default

    message: Message = _Message_default

    codec: Codec = _Codec_default

    any: Any = _Any_default

    kind: KIND_ = _KIND__default

    checking: TYPE_CHECKING_ = _TYPE_CHECKING__default

    value: ValueError = _ValueError_default

    under: Under_Score = _Under_Score_default


_args_Names = (Names,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_None__v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_None_)
    struct.true, struct.mro = _unpack_tb(data, pos)
    pos += 2
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_None__v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not None_:
        _check_instance(struct, None_)
    if struct.true is not False and struct.true is not True:
        raise _CodecFailure
    out += _pack_tb(struct.true, struct.mro)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Self_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 114 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_Self_v0_array, (allowance,), 1, 114, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_Self)
        struct.self_, struct.cls, length = _unpack_iih(data, pos)
        pos += 10
        if length >= 0:
            stop = pos + length
            struct.key = data[pos:stop].decode()
            pos = stop
        else:
            struct.key, pos = _read_string(data, pos - 2)
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_Self_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not Self:
            _check_instance(struct, Self)
        value = _utf8(struct.key)
        length = len(value)
        out += _pack_iih(struct.self_, struct.cls, length)
        out += value
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_X_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
                return _read_leaves(_decode_X_v0_array, (allowance,), 2, 130, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_X)
        struct.z = 0
        (length,) = _unpack_h(data, pos)
        pos += 2
        if length >= 0:
            stop = pos + length
            struct.t = data[pos:stop].decode()
            pos = stop
        else:
            struct.t, pos = _read_string(data, pos - 2)
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_X_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not X:
            _check_instance(struct, X)
        if struct.z != 0:
            raise _CodecFailure
        value = _utf8(struct.t)
        length = len(value)
        out += _pack_h(length)
        out += value
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_N_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 138 * count
            if allowance.left < _LITTLE:
                return _read_structs(_decode_N_v0_array, (allowance,), 3, 138, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_N)
        (length,) = _unpack_h(data, pos)
        pos += 2
        if length >= 0:
            stop = pos + length
            struct.e = data[pos:stop].decode()
            pos = stop
        else:
            struct.e, pos = _read_string(data, pos - 2)
        struct.x, pos = _decode_X_v0_array(data, pos, allowance)
        if struct.x is None:
            raise _CodecFailure
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_N_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not N:
            _check_instance(struct, N)
        value = _utf8(struct.e)
        length = len(value)
        out += _pack_h(length)
        out += value
        _encode_X_v0_array(out, struct.x)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_Struct_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Struct)
    (struct.match,) = _unpack_b(data, pos)
    pos += 1
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Struct_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Struct:
        _check_instance(struct, Struct)
    out += _pack_b(struct.match)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Message_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Message)
    (struct.case,) = _unpack_b(data, pos)
    pos += 1
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Message_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Message:
        _check_instance(struct, Message)
    out += _pack_b(struct.case)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Codec_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Codec)
    (struct.async_,) = _unpack_b(data, pos)
    pos += 1
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Codec_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Codec:
        _check_instance(struct, Codec)
    out += _pack_b(struct.async_)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Any_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Any)
    (struct.lambda_,) = _unpack_b(data, pos)
    pos += 1
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Any_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Any:
        _check_instance(struct, Any)
    out += _pack_b(struct.lambda_)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_KIND__v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_KIND_)
    (struct.yield_,) = _unpack_b(data, pos)
    pos += 1
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_KIND__v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not KIND_:
        _check_instance(struct, KIND_)
    out += _pack_b(struct.yield_)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_TYPE_CHECKING__v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_TYPE_CHECKING_)
    (struct.is_,) = _unpack_b(data, pos)
    pos += 1
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_TYPE_CHECKING__v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not TYPE_CHECKING_:
        _check_instance(struct, TYPE_CHECKING_)
    out += _pack_b(struct.is_)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_ValueError_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_ValueError)
    (struct.dict,) = _unpack_b(data, pos)
    pos += 1
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_ValueError_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not ValueError:
        _check_instance(struct, ValueError)
    out += _pack_b(struct.dict)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Under_Score_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Under_Score)
    (struct.list,) = _unpack_b(data, pos)
    pos += 1
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Under_Score_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Under_Score:
        _check_instance(struct, Under_Score)
    out += _pack_b(struct.list)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Names_v0(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Names)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.class_ = data[pos:stop].decode()
        pos = stop
    else:
        struct.class_, pos = _read_string(data, pos - 2)
    (struct.def_,) = _unpack_i(data, pos)
    pos += 4
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.none = None
    else:
        struct.none, pos = _decode_None__v0(data, pos, allowance)
    struct.self_, pos = _decode_Self_v0_array(data, pos, allowance)
    if struct.self_ is None:
        raise _CodecFailure
    struct.len, length = _unpack_qh(data, pos)
    pos += 10
    if length >= 0:
        stop = pos + length
        struct.int = data[pos:stop].decode()
        pos = stop
    else:
        struct.int, pos = _read_string(data, pos - 2)
    struct.str, struct.float, struct.bool, length = _unpack_idti(data, pos)
    pos += 17
    if length >= 0:
        stop = pos + length
        struct.bytes = source[pos:stop]
        pos = stop
    else:
        struct.bytes, pos = _read_bytes(data, pos - 4, source)
    struct.tuple, pos = _read_array(_read_string, data, pos, allowance, 66)
    if struct.tuple is None:
        raise _CodecFailure
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.memoryview = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.memoryview, pos = _read_numbers_or_null(data, pos - 4, "i", allowance)
    (
        struct.object,
        struct.type,
        struct.range,
        struct.super,
        struct.property,
        struct.staticmethod_,
        struct.encode_,
        struct.decode_,
        struct.encode_into_,
        struct.decode_from_,
        struct.size_,
        struct.to_json_,
        struct.from_json_,
        struct.header_version_,
        struct.by_key_,
        struct.api_key,
        length,
    ) = _unpack_iiiiiiiiiiiiiiiih(data, pos)
    pos += 66
    if length >= 0:
        stop = pos + length
        struct.unknown_tagged_fields_ = data[pos:stop].decode()
        pos = stop
    else:
        struct.unknown_tagged_fields_, pos = _read_string(data, pos - 2)
    struct.topic_id, struct.topic_id_, length = _unpack_uii(data, pos)
    pos += 24
    struct.topic_id = _uuid_of(struct.topic_id)
    if 0 <= length < 31:
        struct.isr_nodes = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.isr_nodes, pos = _read_numbers(data, pos - 4, "i", allowance)
    if struct.isr_nodes == struct.memoryview:
        struct.isr_nodes = struct.memoryview
    struct.v2_name3, struct.lower_first, struct.o, length = _unpack_iibh(data, pos)
    pos += 11
    if length >= 0:
        stop = pos + length
        struct.b = data[pos:stop].decode()
        pos = stop
    else:
        struct.b, pos = _read_string(data, pos - 2)
    struct.p, length = _unpack_bi(data, pos)
    pos += 5
    if length >= 0:
        stop = pos + length
        struct.w = data[pos:stop]
        pos = stop
    else:
        struct.w, pos = _read_bytes(data, pos - 4, data)
    struct.n, pos = _decode_N_v0_array(data, pos, allowance)
    if struct.n is None:
        raise _CodecFailure
    struct.struct, pos = _decode_Struct_v0(data, pos, allowance)
    struct.message, pos = _decode_Message_v0(data, pos, allowance)
    struct.codec, pos = _decode_Codec_v0(data, pos, allowance)
    struct.any, pos = _decode_Any_v0(data, pos, allowance)
    struct.kind, pos = _decode_KIND__v0(data, pos, allowance)
    struct.checking, pos = _decode_TYPE_CHECKING__v0(data, pos, allowance)
    struct.value, pos = _decode_ValueError_v0(data, pos, allowance)
    struct.under, pos = _decode_Under_Score_v0(data, pos, allowance)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Names_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Names:
        _check_instance(struct, Names)
    value = _utf8(struct.class_)
    length = len(value)
    out += _pack_h(length)
    out += value
    out += _pack_i(struct.def_)
    value = struct.none
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_None__v0(value, out)
    _encode_Self_v0_array(out, struct.self_)
    value = _utf8(struct.int)
    length = len(value)
    out += _pack_qh(struct.len, length)
    out += value
    if struct.bool is not False and struct.bool is not True:
        raise _CodecFailure
    value = struct.bytes
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_idti(struct.str, struct.float, struct.bool, length)
    out += value
    _write_array(out, struct.tuple, _write_string)
    value = struct.memoryview
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
    value = _utf8(struct.unknown_tagged_fields_)
    length = len(value)
    out += _pack_iiiiiiiiiiiiiiiih(
        struct.object,
        struct.type,
        struct.range,
        struct.super,
        struct.property,
        struct.staticmethod_,
        struct.encode_,
        struct.decode_,
        struct.encode_into_,
        struct.decode_from_,
        struct.size_,
        struct.to_json_,
        struct.from_json_,
        struct.header_version_,
        struct.by_key_,
        struct.api_key,
        length,
    )
    out += value
    value = struct.isr_nodes
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _pack_uii(_uuid_bytes(struct.topic_id), struct.topic_id_, length)
        out += _packers_i[length](*value)
    else:
        out += _pack_ui(_uuid_bytes(struct.topic_id), struct.topic_id_)
        _write_numbers(out, value, "i")
    value = _utf8(struct.b)
    length = len(value)
    out += _pack_iibh(struct.v2_name3, struct.lower_first, struct.o, length)
    out += value
    value = struct.w
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_bi(struct.p, length)
    out += value
    _encode_N_v0_array(out, struct.n)
    _encode_Struct_v0(struct.struct, out)
    _encode_Message_v0(struct.message, out)
    _encode_Codec_v0(struct.codec, out)
    _encode_Any_v0(struct.any, out)
    _encode_KIND__v0(struct.kind, out)
    _encode_TYPE_CHECKING__v0(struct.checking, out)
    _encode_ValueError_v0(struct.value, out)
    _encode_Under_Score_v0(struct.under, out)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_None__v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_None_)
    struct.true, struct.mro, tag_count = _unpack_tbB(data, pos)
    pos += 3
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_None__v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not None_:
        _check_instance(struct, None_)
    if struct.true is not False and struct.true is not True:
        raise _CodecFailure
    out += _pack_tbx(struct.true, struct.mro)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Self_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
            allowance.left -= 114 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_Self_v1_array, (allowance,), 14, 114, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_Self)
        struct.self_, struct.cls, length = _unpack_iiB(data, pos)
        pos += 9
        if 0 < length < 128:
            stop = pos + length - 1
            struct.key = data[pos:stop].decode()
            pos = stop
        else:
            struct.key, pos = _read_compact_string(data, pos - 1)
        if data[pos]:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_Self_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not Self:
            _check_instance(struct, Self)
        value = _utf8(struct.key)
        length = len(value)
        if length < 127:
            out += _pack_iiB(struct.self_, struct.cls, length + 1)
        else:
            out += _pack_ii(struct.self_, struct.cls)
            _write_compact_length(out, length)
        out += value
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_X_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
            allowance.left -= 130 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_X_v1_array, (allowance,), 15, 130, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_X)
        struct.z = 0
        length = data[pos]
        if 0 < length < 128:
            stop = pos + length
            struct.t = data[pos + 1 : stop].decode()
            pos = stop
        else:
            struct.t, pos = _read_compact_string(data, pos)
        if data[pos]:
            pos = _decode_X_v1_tags(struct, data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _decode_X_v1_tags(struct: _Any, data: bytes, pos: int, allowance: _Allowance) -> int:
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
            (struct.z,) = _unpack_i(data, pos)
            pos += 4
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_X_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not X:
            _check_instance(struct, X)
        value = _utf8(struct.t)
        length = len(value)
        if length < 127:
            out.append(length + 1)
        else:
            _write_compact_length(out, length)
        out += value
        tags = [] if struct.unknown_tagged_fields is _NOTHING else _raw_tags(struct.unknown_tagged_fields, (0,))
        if struct.z != 0:
            tagged = bytearray()
            tagged += _pack_i(struct.z)
            tags.append((0, bytes(tagged)))
        if tags:
            _write_tags(out, tags)
        else:
            out.append(0)


def _decode_N_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
            allowance.left -= 168 * count
            if allowance.left < _LITTLE:
                return _read_structs(_decode_N_v1_array, (allowance,), 16, 168, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_N)
        length = data[pos]
        if 0 < length < 128:
            stop = pos + length
            struct.e = data[pos + 1 : stop].decode()
            pos = stop
        else:
            struct.e, pos = _read_compact_string(data, pos)
        struct.x, pos = _decode_X_v1_array(data, pos, allowance)
        if struct.x is None:
            raise _CodecFailure
        if data[pos]:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_N_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not N:
            _check_instance(struct, N)
        value = _utf8(struct.e)
        length = len(value)
        if length < 127:
            out.append(length + 1)
        else:
            _write_compact_length(out, length)
        out += value
        _encode_X_v1_array(out, struct.x)
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Struct_v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Struct)
    struct.match, tag_count = _unpack_bB(data, pos)
    pos += 2
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Struct_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Struct:
        _check_instance(struct, Struct)
    out += _pack_bx(struct.match)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Message_v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Message)
    struct.case, tag_count = _unpack_bB(data, pos)
    pos += 2
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Message_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Message:
        _check_instance(struct, Message)
    out += _pack_bx(struct.case)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Codec_v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Codec)
    struct.async_, tag_count = _unpack_bB(data, pos)
    pos += 2
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Codec_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Codec:
        _check_instance(struct, Codec)
    out += _pack_bx(struct.async_)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Any_v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Any)
    struct.lambda_, tag_count = _unpack_bB(data, pos)
    pos += 2
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Any_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Any:
        _check_instance(struct, Any)
    out += _pack_bx(struct.lambda_)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_KIND__v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_KIND_)
    struct.yield_, tag_count = _unpack_bB(data, pos)
    pos += 2
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_KIND__v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not KIND_:
        _check_instance(struct, KIND_)
    out += _pack_bx(struct.yield_)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_TYPE_CHECKING__v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_TYPE_CHECKING_)
    struct.is_, tag_count = _unpack_bB(data, pos)
    pos += 2
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_TYPE_CHECKING__v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not TYPE_CHECKING_:
        _check_instance(struct, TYPE_CHECKING_)
    out += _pack_bx(struct.is_)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_ValueError_v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_ValueError)
    struct.dict, tag_count = _unpack_bB(data, pos)
    pos += 2
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_ValueError_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not ValueError:
        _check_instance(struct, ValueError)
    out += _pack_bx(struct.dict)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Under_Score_v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Under_Score)
    struct.list, tag_count = _unpack_bB(data, pos)
    pos += 2
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Under_Score_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Under_Score:
        _check_instance(struct, Under_Score)
    out += _pack_bx(struct.list)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Names_v1(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Names)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.class_ = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.class_, pos = _read_compact_string(data, pos)
    (struct.def_,) = _unpack_i(data, pos)
    pos += 4
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.none = None
    else:
        struct.none, pos = _decode_None__v1(data, pos, allowance)
    struct.self_, pos = _decode_Self_v1_array(data, pos, allowance)
    if struct.self_ is None:
        raise _CodecFailure
    struct.len, length = _unpack_qB(data, pos)
    pos += 9
    if 0 < length < 128:
        stop = pos + length - 1
        struct.int = data[pos:stop].decode()
        pos = stop
    else:
        struct.int, pos = _read_compact_string(data, pos - 1)
    struct.str, struct.float, struct.bool, length = _unpack_idtB(data, pos)
    pos += 14
    if 0 < length < 128:
        stop = pos + length - 1
        struct.bytes = source[pos:stop]
        pos = stop
    else:
        struct.bytes, pos = _read_compact_bytes(data, pos - 1, source)
    struct.tuple, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
    if struct.tuple is None:
        raise _CodecFailure
    length = data[pos]
    if 0 < length < 32:
        struct.memoryview = _unpackers_i[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.memoryview, pos = _read_compact_numbers_or_null(data, pos, "i", allowance)
    (
        struct.object,
        struct.type,
        struct.range,
        struct.super,
        struct.property,
        struct.staticmethod_,
        struct.encode_,
        struct.decode_,
        struct.encode_into_,
        struct.decode_from_,
        struct.size_,
        struct.to_json_,
        struct.from_json_,
        struct.header_version_,
        struct.by_key_,
        struct.api_key,
        length,
    ) = _unpack_iiiiiiiiiiiiiiiiB(data, pos)
    pos += 65
    if 0 < length < 128:
        stop = pos + length - 1
        struct.unknown_tagged_fields_ = data[pos:stop].decode()
        pos = stop
    else:
        struct.unknown_tagged_fields_, pos = _read_compact_string(data, pos - 1)
    struct.topic_id, struct.topic_id_, length = _unpack_uiB(data, pos)
    pos += 21
    struct.topic_id = _uuid_of(struct.topic_id)
    if 0 < length < 32:
        struct.isr_nodes = _unpackers_i[length](data, pos)
        pos += 4 * length - 4
    else:
        struct.isr_nodes, pos = _read_compact_numbers(data, pos - 1, "i", allowance)
    if struct.isr_nodes == struct.memoryview:
        struct.isr_nodes = struct.memoryview
    struct.v2_name3, struct.lower_first, struct.o, length = _unpack_iibB(data, pos)
    pos += 10
    if 0 < length < 128:
        stop = pos + length - 1
        struct.b = data[pos:stop].decode()
        pos = stop
    else:
        struct.b, pos = _read_compact_string(data, pos - 1)
    struct.p, length = _unpack_bB(data, pos)
    pos += 2
    if 0 < length < 128:
        stop = pos + length - 1
        struct.w = data[pos:stop]
        pos = stop
    else:
        struct.w, pos = _read_compact_bytes(data, pos - 1, data)
    struct.n, pos = _decode_N_v1_array(data, pos, allowance)
    if struct.n is None:
        raise _CodecFailure
    struct.struct, pos = _decode_Struct_v1(data, pos, allowance)
    struct.message, pos = _decode_Message_v1(data, pos, allowance)
    struct.codec, pos = _decode_Codec_v1(data, pos, allowance)
    struct.any, pos = _decode_Any_v1(data, pos, allowance)
    struct.kind, pos = _decode_KIND__v1(data, pos, allowance)
    struct.checking, pos = _decode_TYPE_CHECKING__v1(data, pos, allowance)
    struct.value, pos = _decode_ValueError_v1(data, pos, allowance)
    struct.under, pos = _decode_Under_Score_v1(data, pos, allowance)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_Names_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Names:
        _check_instance(struct, Names)
    value = _utf8(struct.class_)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    out += _pack_i(struct.def_)
    value = struct.none
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_None__v1(value, out)
    _encode_Self_v1_array(out, struct.self_)
    value = _utf8(struct.int)
    length = len(value)
    if length < 127:
        out += _pack_qB(struct.len, length + 1)
    else:
        out += _pack_q(struct.len)
        _write_compact_length(out, length)
    out += value
    if struct.bool is not False and struct.bool is not True:
        raise _CodecFailure
    value = struct.bytes
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    if length < 127:
        out += _pack_idtB(struct.str, struct.float, struct.bool, length + 1)
    else:
        out += _pack_idt(struct.str, struct.float, struct.bool)
        _write_uvarint(out, length + 1)
    out += value
    _write_compact_array(out, struct.tuple, _write_compact_string)
    value = struct.memoryview
    if value is None:
        out += b"\x00"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out.append(length + 1)
            out += _packers_i[length](*value)
        else:
            _write_compact_numbers(out, value, "i")
    value = _utf8(struct.unknown_tagged_fields_)
    length = len(value)
    if length < 127:
        out += _pack_iiiiiiiiiiiiiiiiB(
            struct.object,
            struct.type,
            struct.range,
            struct.super,
            struct.property,
            struct.staticmethod_,
            struct.encode_,
            struct.decode_,
            struct.encode_into_,
            struct.decode_from_,
            struct.size_,
            struct.to_json_,
            struct.from_json_,
            struct.header_version_,
            struct.by_key_,
            struct.api_key,
            length + 1,
        )
    else:
        out += _pack_iiiiiiiiiiiiiiii(
            struct.object,
            struct.type,
            struct.range,
            struct.super,
            struct.property,
            struct.staticmethod_,
            struct.encode_,
            struct.decode_,
            struct.encode_into_,
            struct.decode_from_,
            struct.size_,
            struct.to_json_,
            struct.from_json_,
            struct.header_version_,
            struct.by_key_,
            struct.api_key,
        )
        _write_compact_length(out, length)
    out += value
    value = struct.isr_nodes
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _pack_uiB(_uuid_bytes(struct.topic_id), struct.topic_id_, length + 1)
        out += _packers_i[length](*value)
    else:
        out += _pack_ui(_uuid_bytes(struct.topic_id), struct.topic_id_)
        _write_compact_numbers(out, value, "i")
    value = _utf8(struct.b)
    length = len(value)
    if length < 127:
        out += _pack_iibB(struct.v2_name3, struct.lower_first, struct.o, length + 1)
    else:
        out += _pack_iib(struct.v2_name3, struct.lower_first, struct.o)
        _write_compact_length(out, length)
    out += value
    value = struct.w
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    if length < 127:
        out += _pack_bB(struct.p, length + 1)
    else:
        out += _pack_b(struct.p)
        _write_uvarint(out, length + 1)
    out += value
    _encode_N_v1_array(out, struct.n)
    _encode_Struct_v1(struct.struct, out)
    _encode_Message_v1(struct.message, out)
    _encode_Codec_v1(struct.codec, out)
    _encode_Any_v1(struct.any, out)
    _encode_KIND__v1(struct.kind, out)
    _encode_TYPE_CHECKING__v1(struct.checking, out)
    _encode_ValueError_v1(struct.value, out)
    _encode_Under_Score_v1(struct.under, out)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 1
message Names data 0-1
struct Names
 class_ class string ""
 def_ def int32 0
 none none None_? null
 self_ self []Self []
 len len int64 0
 int int string ""
 str str int32 0
 float float float64 0.0
 bool bool bool false
 bytes bytes bytes ""
 tuple tuple []string []
 memoryview memoryview []int32? []
 object object int32 0
 type type int32 0
 range range int32 0
 super super int32 0
 property property int32 0
 staticmethod_ staticmethod int32 0
 encode_ encode int32 0
 decode_ decode int32 0
 encode_into_ encodeInto int32 0
 decode_from_ decodeFrom int32 0
 size_ size int32 0
 to_json_ toJson int32 0
 from_json_ fromJson int32 0
 header_version_ headerVersion int32 0
 by_key_ byKey int32 0
 api_key apiKey int32 0
 unknown_tagged_fields_ unknownTaggedFields string ""
 topic_id topicID uuid "00000000000000000000000000000000"
 topic_id_ topicId int32 0
 isr_nodes iSRNodes []int32 []
 v2_name3 v2Name3 int32 0
 lower_first lowerFirst int32 0
 o o int8 0
 b b string ""
 p p int8 0
 w w bytes ""
 n n []N []
 struct struct Struct {}
 message message Message {}
 codec codec Codec {}
 any any Any {}
 kind kIND KIND_ {}
 checking checking TYPE_CHECKING_ {}
 value value ValueError {}
 under under Under_Score {}
struct None_
 true true bool false
 mro mro int8 0
struct Self
 self_ self int32 0
 cls cls int32 0
 key key string ""
struct N
 e e string ""
 x x []X []
struct X
 z z int32 0
 t t string ""
struct Struct
 match match int8 0
struct Message
 case case int8 0
struct Codec
 async_ async int8 0
struct Any
 lambda_ lambda int8 0
struct KIND_
 yield_ yield int8 0
struct TYPE_CHECKING_
 is_ is int8 0
struct ValueError
 dict dict int8 0
struct Under_Score
 list list int8 0
layout 0 None_ 0
 true bool
 + mro int8
layout 1 Self 0
 self_ int32
 + cls int32
 key string
layout 2 X 0
 t string
 :guard z
layout 3 N 0
 e string
 x array(struct(2))
layout 4 Struct 0
 match int8
layout 5 Message 0
 case int8
layout 6 Codec 0
 async_ int8
layout 7 Any 0
 lambda_ int8
layout 8 KIND_ 0
 yield_ int8
layout 9 TYPE_CHECKING_ 0
 is_ int8
layout 10 ValueError 0
 dict int8
layout 11 Under_Score 0
 list int8
layout 12 Names 0
 class_ string
 def_ int32
 none struct(0)?
 self_ array(struct(1))
 len int64
 int string
 str int32
 + float float64
 + bool bool
 bytes bytes&
 tuple array(string)
 memoryview array(int32)?
 object int32
 + type int32
 + range int32
 + super int32
 + property int32
 + staticmethod_ int32
 + encode_ int32
 + decode_ int32
 + encode_into_ int32
 + decode_from_ int32
 + size_ int32
 + to_json_ int32
 + from_json_ int32
 + header_version_ int32
 + by_key_ int32
 + api_key int32
 unknown_tagged_fields_ string
 topic_id uuid
 + topic_id_ int32
 isr_nodes array(int32)
 v2_name3 int32
 + lower_first int32
 + o int8
 b string
 p int8
 w bytes
 n array(struct(3))
 struct struct(4)
 message struct(5)
 codec struct(6)
 any struct(7)
 kind struct(8)
 checking struct(9)
 value struct(10)
 under struct(11)
layout 13 None_ 1 flexible
 true bool
 + mro int8
layout 14 Self 1 flexible
 self_ int32
 + cls int32
 key compact_string
layout 15 X 1 flexible
 t compact_string
 :tag 0 z int32
layout 16 N 1 flexible
 e compact_string
 x compact_array(struct(15))
layout 17 Struct 1 flexible
 match int8
layout 18 Message 1 flexible
 case int8
layout 19 Codec 1 flexible
 async_ int8
layout 20 Any 1 flexible
 lambda_ int8
layout 21 KIND_ 1 flexible
 yield_ int8
layout 22 TYPE_CHECKING_ 1 flexible
 is_ int8
layout 23 ValueError 1 flexible
 dict int8
layout 24 Under_Score 1 flexible
 list int8
layout 25 Names 1 flexible
 class_ compact_string
 def_ int32
 none struct(13)?
 self_ compact_array(struct(14))
 len int64
 int compact_string
 str int32
 + float float64
 + bool bool
 bytes compact_bytes&
 tuple compact_array(compact_string)
 memoryview compact_array(int32)?
 object int32
 + type int32
 + range int32
 + super int32
 + property int32
 + staticmethod_ int32
 + encode_ int32
 + decode_ int32
 + encode_into_ int32
 + decode_from_ int32
 + size_ int32
 + to_json_ int32
 + from_json_ int32
 + header_version_ int32
 + by_key_ int32
 + api_key int32
 unknown_tagged_fields_ compact_string
 topic_id uuid
 + topic_id_ int32
 isr_nodes compact_array(int32)
 v2_name3 int32
 + lower_first int32
 + o int8
 b compact_string
 p int8
 w compact_bytes
 n compact_array(struct(16))
 struct struct(17)
 message struct(18)
 codec struct(19)
 any struct(20)
 kind struct(21)
 checking struct(22)
 value struct(23)
 under struct(24)
"""

Names.CODEC = _Codec(
    readers={
        0: _decode_Names_v0,
        1: _decode_Names_v1,
    },
    writers={
        0: _encode_Names_v0,
        1: _encode_Names_v1,
    },
    classes=(Names, None_, Self, N, X, Struct, Message, Codec, Any, KIND_, TYPE_CHECKING_, ValueError, Under_Score),
    plan=_PLAN,
    own=1312,
    small=13140,
)
