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
_pack_b = _Struct(">b").pack
_unpack_bB = _Struct(">bB").unpack_from
_pack_bB = _Struct(">bB").pack
_unpack_bi = _Struct(">bi").unpack_from
_pack_bi = _Struct(">bi").pack
_unpack_bx = _Struct(">bx").unpack_from
_pack_bx = _Struct(">bx").pack
_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_idt = _Struct(">id?").unpack_from
_pack_idt = _Struct(">id?").pack
_unpack_idtB = _Struct(">id?B").unpack_from
_pack_idtB = _Struct(">id?B").pack
_unpack_idti = _Struct(">id?i").unpack_from
_pack_idti = _Struct(">id?i").pack
_unpack_ii = _Struct(">ii").unpack_from
_pack_ii = _Struct(">ii").pack
_unpack_iiB = _Struct(">iiB").unpack_from
_pack_iiB = _Struct(">iiB").pack
_unpack_iib = _Struct(">iib").unpack_from
_pack_iib = _Struct(">iib").pack
_unpack_iibB = _Struct(">iibB").unpack_from
_pack_iibB = _Struct(">iibB").pack
_unpack_iibh = _Struct(">iibh").unpack_from
_pack_iibh = _Struct(">iibh").pack
_unpack_iih = _Struct(">iih").unpack_from
_pack_iih = _Struct(">iih").pack
_unpack_iiiiiiiiiiiiiiii = _Struct(">iiiiiiiiiiiiiiii").unpack_from
_pack_iiiiiiiiiiiiiiii = _Struct(">iiiiiiiiiiiiiiii").pack
_unpack_iiiiiiiiiiiiiiiiB = _Struct(">iiiiiiiiiiiiiiiiB").unpack_from
_pack_iiiiiiiiiiiiiiiiB = _Struct(">iiiiiiiiiiiiiiiiB").pack
_unpack_iiiiiiiiiiiiiiiih = _Struct(">iiiiiiiiiiiiiiiih").unpack_from
_pack_iiiiiiiiiiiiiiiih = _Struct(">iiiiiiiiiiiiiiiih").pack
_unpack_q = _Struct(">q").unpack_from
_pack_q = _Struct(">q").pack
_unpack_qB = _Struct(">qB").unpack_from
_pack_qB = _Struct(">qB").pack
_unpack_qh = _Struct(">qh").unpack_from
_pack_qh = _Struct(">qh").pack
_unpack_tb = _Struct(">?b").unpack_from
_pack_tb = _Struct(">?b").pack
_unpack_tbB = _Struct(">?bB").unpack_from
_pack_tbB = _Struct(">?bB").pack
_unpack_tbx = _Struct(">?bx").unpack_from
_pack_tbx = _Struct(">?bx").pack
_unpack_ui = _Struct(">16si").unpack_from
_pack_ui = _Struct(">16si").pack
_unpack_uiB = _Struct(">16siB").unpack_from
_pack_uiB = _Struct(">16siB").pack
_unpack_uii = _Struct(">16sii").unpack_from
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

    self_: _builtins.tuple[Self, ...] = ()

    len: _builtins.int = 0

    int: _builtins.str = ""

    str: _builtins.int = 0

    float: _builtins.float = 0.0

    bool: _builtins.bool = False

    bytes: _builtins.bytes | _builtins.memoryview = b""

    tuple: _builtins.tuple[_builtins.str, ...] = ()

    memoryview: _builtins.tuple[_builtins.int, ...] | None = ()

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


def _decode_None__v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_None_)
    o.true, o.mro = _unpack_tb(b, p)
    p += 2
    o.unknown_tagged_fields = ()
    return o, p


def _encode_None__v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not None_:
        _check_instance(o, None_)
    if o.true is not False and o.true is not True:
        raise _CodecFailure
    w += _pack_tb(o.true, o.mro)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Self_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 114 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_Self_v0_array, (m,), 1, 114, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_Self)
        o.self_, o.cls, n = _unpack_iih(b, p)
        p += 10
        if n >= 0:
            e = p + n
            o.key = b[p:e].decode()
            p = e
        else:
            o.key, p = _read_string(b, p - 2)
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_Self_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not Self:
            _check_instance(o, Self)
        s = _utf8(o.key)
        n = len(s)
        w += _pack_iih(o.self_, o.cls, n)
        w += s
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_X_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
                return _read_leaves(_decode_X_v0_array, (m,), 2, 130, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_X)
        o.z = 0
        (n,) = _unpack_h(b, p)
        p += 2
        if n >= 0:
            e = p + n
            o.t = b[p:e].decode()
            p = e
        else:
            o.t, p = _read_string(b, p - 2)
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_X_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not X:
            _check_instance(o, X)
        if o.z != 0:
            raise _CodecFailure
        s = _utf8(o.t)
        n = len(s)
        w += _pack_h(n)
        w += s
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_N_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 138 * n
            if m.left < _LITTLE:
                return _read_structs(_decode_N_v0_array, (m,), 3, 138, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_N)
        (n,) = _unpack_h(b, p)
        p += 2
        if n >= 0:
            e = p + n
            o.e = b[p:e].decode()
            p = e
        else:
            o.e, p = _read_string(b, p - 2)
        o.x, p = _decode_X_v0_array(b, p, m)
        if o.x is None:
            raise _CodecFailure
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_N_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not N:
            _check_instance(o, N)
        s = _utf8(o.e)
        n = len(s)
        w += _pack_h(n)
        w += s
        _encode_X_v0_array(w, o.x)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_Struct_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Struct)
    (o.match,) = _unpack_b(b, p)
    p += 1
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Struct_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Struct:
        _check_instance(o, Struct)
    w += _pack_b(o.match)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Message_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Message)
    (o.case,) = _unpack_b(b, p)
    p += 1
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Message_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Message:
        _check_instance(o, Message)
    w += _pack_b(o.case)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Codec_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Codec)
    (o.async_,) = _unpack_b(b, p)
    p += 1
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Codec_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Codec:
        _check_instance(o, Codec)
    w += _pack_b(o.async_)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Any_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Any)
    (o.lambda_,) = _unpack_b(b, p)
    p += 1
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Any_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Any:
        _check_instance(o, Any)
    w += _pack_b(o.lambda_)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_KIND__v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_KIND_)
    (o.yield_,) = _unpack_b(b, p)
    p += 1
    o.unknown_tagged_fields = ()
    return o, p


def _encode_KIND__v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not KIND_:
        _check_instance(o, KIND_)
    w += _pack_b(o.yield_)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_TYPE_CHECKING__v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_TYPE_CHECKING_)
    (o.is_,) = _unpack_b(b, p)
    p += 1
    o.unknown_tagged_fields = ()
    return o, p


def _encode_TYPE_CHECKING__v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not TYPE_CHECKING_:
        _check_instance(o, TYPE_CHECKING_)
    w += _pack_b(o.is_)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_ValueError_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_ValueError)
    (o.dict,) = _unpack_b(b, p)
    p += 1
    o.unknown_tagged_fields = ()
    return o, p


def _encode_ValueError_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not ValueError:
        _check_instance(o, ValueError)
    w += _pack_b(o.dict)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Under_Score_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Under_Score)
    (o.list,) = _unpack_b(b, p)
    p += 1
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Under_Score_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Under_Score:
        _check_instance(o, Under_Score)
    w += _pack_b(o.list)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Names_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Names)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.class_ = b[p:e].decode()
        p = e
    else:
        o.class_, p = _read_string(b, p - 2)
    (o.def_,) = _unpack_i(b, p)
    p += 4
    n = b[p]
    p += 1
    if n > 127:
        o.none = None
    else:
        o.none, p = _decode_None__v0(b, p, m)
    o.self_, p = _decode_Self_v0_array(b, p, m)
    if o.self_ is None:
        raise _CodecFailure
    o.len, n = _unpack_qh(b, p)
    p += 10
    if n >= 0:
        e = p + n
        o.int = b[p:e].decode()
        p = e
    else:
        o.int, p = _read_string(b, p - 2)
    o.str, o.float, o.bool, n = _unpack_idti(b, p)
    p += 17
    if n >= 0:
        e = p + n
        o.bytes = z[p:e]
        p = e
    else:
        o.bytes, p = _read_bytes(b, p - 4, z)
    o.tuple, p = _read_array(_read_string, b, p, m, 66)
    if o.tuple is None:
        raise _CodecFailure
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.memoryview = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.memoryview, p = _read_numbers_or_null(b, p - 4, "i", m)
    (
        o.object,
        o.type,
        o.range,
        o.super,
        o.property,
        o.staticmethod_,
        o.encode_,
        o.decode_,
        o.encode_into_,
        o.decode_from_,
        o.size_,
        o.to_json_,
        o.from_json_,
        o.header_version_,
        o.by_key_,
        o.api_key,
        n,
    ) = _unpack_iiiiiiiiiiiiiiiih(b, p)
    p += 66
    if n >= 0:
        e = p + n
        o.unknown_tagged_fields_ = b[p:e].decode()
        p = e
    else:
        o.unknown_tagged_fields_, p = _read_string(b, p - 2)
    o.topic_id, o.topic_id_, n = _unpack_uii(b, p)
    p += 24
    o.topic_id = _uuid_of(o.topic_id)
    if 0 <= n < 31:
        o.isr_nodes = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.isr_nodes, p = _read_numbers(b, p - 4, "i", m)
    if o.isr_nodes == o.memoryview:
        o.isr_nodes = o.memoryview
    o.v2_name3, o.lower_first, o.o, n = _unpack_iibh(b, p)
    p += 11
    if n >= 0:
        e = p + n
        o.b = b[p:e].decode()
        p = e
    else:
        o.b, p = _read_string(b, p - 2)
    o.p, n = _unpack_bi(b, p)
    p += 5
    if n >= 0:
        e = p + n
        o.w = b[p:e]
        p = e
    else:
        o.w, p = _read_bytes(b, p - 4, b)
    o.n, p = _decode_N_v0_array(b, p, m)
    if o.n is None:
        raise _CodecFailure
    o.struct, p = _decode_Struct_v0(b, p, m)
    o.message, p = _decode_Message_v0(b, p, m)
    o.codec, p = _decode_Codec_v0(b, p, m)
    o.any, p = _decode_Any_v0(b, p, m)
    o.kind, p = _decode_KIND__v0(b, p, m)
    o.checking, p = _decode_TYPE_CHECKING__v0(b, p, m)
    o.value, p = _decode_ValueError_v0(b, p, m)
    o.under, p = _decode_Under_Score_v0(b, p, m)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Names_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Names:
        _check_instance(o, Names)
    s = _utf8(o.class_)
    n = len(s)
    w += _pack_h(n)
    w += s
    w += _pack_i(o.def_)
    s = o.none
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_None__v0(s, w)
    _encode_Self_v0_array(w, o.self_)
    s = _utf8(o.int)
    n = len(s)
    w += _pack_qh(o.len, n)
    w += s
    if o.bool is not False and o.bool is not True:
        raise _CodecFailure
    s = o.bytes
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_idti(o.str, o.float, o.bool, n)
    w += s
    _write_array(w, o.tuple, _write_string)
    s = o.memoryview
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
    s = _utf8(o.unknown_tagged_fields_)
    n = len(s)
    w += _pack_iiiiiiiiiiiiiiiih(
        o.object,
        o.type,
        o.range,
        o.super,
        o.property,
        o.staticmethod_,
        o.encode_,
        o.decode_,
        o.encode_into_,
        o.decode_from_,
        o.size_,
        o.to_json_,
        o.from_json_,
        o.header_version_,
        o.by_key_,
        o.api_key,
        n,
    )
    w += s
    s = o.isr_nodes
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _pack_uii(_uuid_bytes(o.topic_id), o.topic_id_, n)
        w += _packers_i[n](*s)
    else:
        w += _pack_ui(_uuid_bytes(o.topic_id), o.topic_id_)
        _write_numbers(w, s, "i")
    s = _utf8(o.b)
    n = len(s)
    w += _pack_iibh(o.v2_name3, o.lower_first, o.o, n)
    w += s
    s = o.w
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_bi(o.p, n)
    w += s
    _encode_N_v0_array(w, o.n)
    _encode_Struct_v0(o.struct, w)
    _encode_Message_v0(o.message, w)
    _encode_Codec_v0(o.codec, w)
    _encode_Any_v0(o.any, w)
    _encode_KIND__v0(o.kind, w)
    _encode_TYPE_CHECKING__v0(o.checking, w)
    _encode_ValueError_v0(o.value, w)
    _encode_Under_Score_v0(o.under, w)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_None__v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_None_)
    o.true, o.mro, n = _unpack_tbB(b, p)
    p += 3
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_None__v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not None_:
        _check_instance(o, None_)
    if o.true is not False and o.true is not True:
        raise _CodecFailure
    w += _pack_tbx(o.true, o.mro)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Self_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 114 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_Self_v1_array, (m,), 14, 114, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_Self)
        o.self_, o.cls, n = _unpack_iiB(b, p)
        p += 9
        if 0 < n < 128:
            e = p + n - 1
            o.key = b[p:e].decode()
            p = e
        else:
            o.key, p = _read_compact_string(b, p - 1)
        if b[p]:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _encode_Self_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not Self:
            _check_instance(o, Self)
        s = _utf8(o.key)
        n = len(s)
        if n < 127:
            w += _pack_iiB(o.self_, o.cls, n + 1)
        else:
            w += _pack_ii(o.self_, o.cls)
            _write_compact_length(w, n)
        w += s
        if o.unknown_tagged_fields is _NOTHING:
            w.append(0)
        else:
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_X_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 130 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_X_v1_array, (m,), 15, 130, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_X)
        o.z = 0
        n = b[p]
        if 0 < n < 128:
            e = p + n
            o.t = b[p + 1 : e].decode()
            p = e
        else:
            o.t, p = _read_compact_string(b, p)
        if b[p]:
            p = _decode_X_v1_tags(o, b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _decode_X_v1_tags(o: _Any, b: bytes, p: int, m: _Allowance) -> int:
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
            (o.z,) = _unpack_i(b, p)
            p += 4
        else:
            unknown.append((tag, b[p:end]))
            p = end
        if p != end:
            raise _CodecFailure
    o.unknown_tagged_fields = tuple(unknown)
    return p


def _encode_X_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not X:
            _check_instance(o, X)
        s = _utf8(o.t)
        n = len(s)
        if n < 127:
            w.append(n + 1)
        else:
            _write_compact_length(w, n)
        w += s
        tags = [] if o.unknown_tagged_fields is _NOTHING else _raw_tags(o.unknown_tagged_fields, (0,))
        if o.z != 0:
            t = bytearray()
            t += _pack_i(o.z)
            tags.append((0, bytes(t)))
        if tags:
            _write_tags(w, tags)
        else:
            w.append(0)


def _decode_N_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 168 * n
            if m.left < _LITTLE:
                return _read_structs(_decode_N_v1_array, (m,), 16, 168, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_N)
        n = b[p]
        if 0 < n < 128:
            e = p + n
            o.e = b[p + 1 : e].decode()
            p = e
        else:
            o.e, p = _read_compact_string(b, p)
        o.x, p = _decode_X_v1_array(b, p, m)
        if o.x is None:
            raise _CodecFailure
        if b[p]:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _encode_N_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not N:
            _check_instance(o, N)
        s = _utf8(o.e)
        n = len(s)
        if n < 127:
            w.append(n + 1)
        else:
            _write_compact_length(w, n)
        w += s
        _encode_X_v1_array(w, o.x)
        if o.unknown_tagged_fields is _NOTHING:
            w.append(0)
        else:
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Struct_v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Struct)
    o.match, n = _unpack_bB(b, p)
    p += 2
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_Struct_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Struct:
        _check_instance(o, Struct)
    w += _pack_bx(o.match)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Message_v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Message)
    o.case, n = _unpack_bB(b, p)
    p += 2
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_Message_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Message:
        _check_instance(o, Message)
    w += _pack_bx(o.case)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Codec_v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Codec)
    o.async_, n = _unpack_bB(b, p)
    p += 2
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_Codec_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Codec:
        _check_instance(o, Codec)
    w += _pack_bx(o.async_)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Any_v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Any)
    o.lambda_, n = _unpack_bB(b, p)
    p += 2
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_Any_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Any:
        _check_instance(o, Any)
    w += _pack_bx(o.lambda_)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_KIND__v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_KIND_)
    o.yield_, n = _unpack_bB(b, p)
    p += 2
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_KIND__v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not KIND_:
        _check_instance(o, KIND_)
    w += _pack_bx(o.yield_)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_TYPE_CHECKING__v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_TYPE_CHECKING_)
    o.is_, n = _unpack_bB(b, p)
    p += 2
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_TYPE_CHECKING__v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not TYPE_CHECKING_:
        _check_instance(o, TYPE_CHECKING_)
    w += _pack_bx(o.is_)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_ValueError_v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_ValueError)
    o.dict, n = _unpack_bB(b, p)
    p += 2
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_ValueError_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not ValueError:
        _check_instance(o, ValueError)
    w += _pack_bx(o.dict)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Under_Score_v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Under_Score)
    o.list, n = _unpack_bB(b, p)
    p += 2
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_Under_Score_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Under_Score:
        _check_instance(o, Under_Score)
    w += _pack_bx(o.list)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Names_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Names)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.class_ = b[p + 1 : e].decode()
        p = e
    else:
        o.class_, p = _read_compact_string(b, p)
    (o.def_,) = _unpack_i(b, p)
    p += 4
    n = b[p]
    p += 1
    if n > 127:
        o.none = None
    else:
        o.none, p = _decode_None__v1(b, p, m)
    o.self_, p = _decode_Self_v1_array(b, p, m)
    if o.self_ is None:
        raise _CodecFailure
    o.len, n = _unpack_qB(b, p)
    p += 9
    if 0 < n < 128:
        e = p + n - 1
        o.int = b[p:e].decode()
        p = e
    else:
        o.int, p = _read_compact_string(b, p - 1)
    o.str, o.float, o.bool, n = _unpack_idtB(b, p)
    p += 14
    if 0 < n < 128:
        e = p + n - 1
        o.bytes = z[p:e]
        p = e
    else:
        o.bytes, p = _read_compact_bytes(b, p - 1, z)
    o.tuple, p = _read_compact_array(_read_compact_string, b, p, m, 76)
    if o.tuple is None:
        raise _CodecFailure
    n = b[p]
    if 0 < n < 32:
        o.memoryview = _unpackers_i[n](b, p + 1)
        p += 4 * n - 3
    else:
        o.memoryview, p = _read_compact_numbers_or_null(b, p, "i", m)
    (
        o.object,
        o.type,
        o.range,
        o.super,
        o.property,
        o.staticmethod_,
        o.encode_,
        o.decode_,
        o.encode_into_,
        o.decode_from_,
        o.size_,
        o.to_json_,
        o.from_json_,
        o.header_version_,
        o.by_key_,
        o.api_key,
        n,
    ) = _unpack_iiiiiiiiiiiiiiiiB(b, p)
    p += 65
    if 0 < n < 128:
        e = p + n - 1
        o.unknown_tagged_fields_ = b[p:e].decode()
        p = e
    else:
        o.unknown_tagged_fields_, p = _read_compact_string(b, p - 1)
    o.topic_id, o.topic_id_, n = _unpack_uiB(b, p)
    p += 21
    o.topic_id = _uuid_of(o.topic_id)
    if 0 < n < 32:
        o.isr_nodes = _unpackers_i[n](b, p)
        p += 4 * n - 4
    else:
        o.isr_nodes, p = _read_compact_numbers(b, p - 1, "i", m)
    if o.isr_nodes == o.memoryview:
        o.isr_nodes = o.memoryview
    o.v2_name3, o.lower_first, o.o, n = _unpack_iibB(b, p)
    p += 10
    if 0 < n < 128:
        e = p + n - 1
        o.b = b[p:e].decode()
        p = e
    else:
        o.b, p = _read_compact_string(b, p - 1)
    o.p, n = _unpack_bB(b, p)
    p += 2
    if 0 < n < 128:
        e = p + n - 1
        o.w = b[p:e]
        p = e
    else:
        o.w, p = _read_compact_bytes(b, p - 1, b)
    o.n, p = _decode_N_v1_array(b, p, m)
    if o.n is None:
        raise _CodecFailure
    o.struct, p = _decode_Struct_v1(b, p, m)
    o.message, p = _decode_Message_v1(b, p, m)
    o.codec, p = _decode_Codec_v1(b, p, m)
    o.any, p = _decode_Any_v1(b, p, m)
    o.kind, p = _decode_KIND__v1(b, p, m)
    o.checking, p = _decode_TYPE_CHECKING__v1(b, p, m)
    o.value, p = _decode_ValueError_v1(b, p, m)
    o.under, p = _decode_Under_Score_v1(b, p, m)
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_Names_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Names:
        _check_instance(o, Names)
    s = _utf8(o.class_)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    w += _pack_i(o.def_)
    s = o.none
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_None__v1(s, w)
    _encode_Self_v1_array(w, o.self_)
    s = _utf8(o.int)
    n = len(s)
    if n < 127:
        w += _pack_qB(o.len, n + 1)
    else:
        w += _pack_q(o.len)
        _write_compact_length(w, n)
    w += s
    if o.bool is not False and o.bool is not True:
        raise _CodecFailure
    s = o.bytes
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    if n < 127:
        w += _pack_idtB(o.str, o.float, o.bool, n + 1)
    else:
        w += _pack_idt(o.str, o.float, o.bool)
        _write_uvarint(w, n + 1)
    w += s
    _write_compact_array(w, o.tuple, _write_compact_string)
    s = o.memoryview
    if s is None:
        w += b"\x00"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w.append(n + 1)
            w += _packers_i[n](*s)
        else:
            _write_compact_numbers(w, s, "i")
    s = _utf8(o.unknown_tagged_fields_)
    n = len(s)
    if n < 127:
        w += _pack_iiiiiiiiiiiiiiiiB(
            o.object,
            o.type,
            o.range,
            o.super,
            o.property,
            o.staticmethod_,
            o.encode_,
            o.decode_,
            o.encode_into_,
            o.decode_from_,
            o.size_,
            o.to_json_,
            o.from_json_,
            o.header_version_,
            o.by_key_,
            o.api_key,
            n + 1,
        )
    else:
        w += _pack_iiiiiiiiiiiiiiii(
            o.object,
            o.type,
            o.range,
            o.super,
            o.property,
            o.staticmethod_,
            o.encode_,
            o.decode_,
            o.encode_into_,
            o.decode_from_,
            o.size_,
            o.to_json_,
            o.from_json_,
            o.header_version_,
            o.by_key_,
            o.api_key,
        )
        _write_compact_length(w, n)
    w += s
    s = o.isr_nodes
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _pack_uiB(_uuid_bytes(o.topic_id), o.topic_id_, n + 1)
        w += _packers_i[n](*s)
    else:
        w += _pack_ui(_uuid_bytes(o.topic_id), o.topic_id_)
        _write_compact_numbers(w, s, "i")
    s = _utf8(o.b)
    n = len(s)
    if n < 127:
        w += _pack_iibB(o.v2_name3, o.lower_first, o.o, n + 1)
    else:
        w += _pack_iib(o.v2_name3, o.lower_first, o.o)
        _write_compact_length(w, n)
    w += s
    s = o.w
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    if n < 127:
        w += _pack_bB(o.p, n + 1)
    else:
        w += _pack_b(o.p)
        _write_uvarint(w, n + 1)
    w += s
    _encode_N_v1_array(w, o.n)
    _encode_Struct_v1(o.struct, w)
    _encode_Message_v1(o.message, w)
    _encode_Codec_v1(o.codec, w)
    _encode_Any_v1(o.any, w)
    _encode_KIND__v1(o.kind, w)
    _encode_TYPE_CHECKING__v1(o.checking, w)
    _encode_ValueError_v1(o.value, w)
    _encode_Under_Score_v1(o.under, w)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


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
