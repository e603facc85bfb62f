"""EveryTypeRequest: Kafka request, key 1001, versions 0-4, flexible in 3-4. Holds a field of
every type.

Generated from the message spec EveryTypeRequest.
"""

from __future__ import annotations

from struct import Struct as _Struct
from uuid import UUID as _UUID

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.limits import LITTLE as _LITTLE
from ._runtime.messages import Codec as _Codec, Request as _Request
from ._runtime.primitives import (
    COUNTS as _COUNTS,
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    bytes_of as _bytes_of,
    check_bools as _check_bools,
    check_instance as _check_instance,
    no_tags as _no_tags,
    packers as _packers,
    raw_tags as _raw_tags,
    read_array as _read_array,
    read_bytes as _read_bytes,
    read_bytes_or_null as _read_bytes_or_null,
    read_compact_array as _read_compact_array,
    read_compact_bytes as _read_compact_bytes,
    read_compact_bytes_or_null as _read_compact_bytes_or_null,
    read_compact_numbers as _read_compact_numbers,
    read_compact_string as _read_compact_string,
    read_leaves as _read_leaves,
    read_numbers as _read_numbers,
    read_string as _read_string,
    read_structs as _read_structs,
    read_unknown_tags as _read_unknown_tags,
    some as _some,
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
from ._runtime.structs import Struct as _Base, dataclass as _dataclass, default_of as _default_of
from ._runtime.uuids import (
    ZERO as _ZERO_UUID,
    read_uuid as _read_uuid,
    uuid_bytes as _uuid_bytes,
    uuid_of as _uuid_of,
    write_uuid as _write_uuid,
)
from ._runtime.varints import read_uvarint as _read_uvarint, write_uvarint as _write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["EveryTypeRequest", "InnerType", "InnerElement", "DeepElement"]

_unpack_b = _Struct(">b").unpack_from
_pack_b = _Struct(">b").pack
_unpack_bB = _Struct(">bB").unpack_from
_pack_bB = _Struct(">bB").pack
_unpack_bx = _Struct(">bx").unpack_from
_pack_bx = _Struct(">bx").pack
_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack
_unpack_hB = _Struct(">hB").unpack_from
_pack_hB = _Struct(">hB").pack
_unpack_hh = _Struct(">hh").unpack_from
_pack_hh = _Struct(">hh").pack
_unpack_hq = _Struct(">hq").unpack_from
_pack_hq = _Struct(">hq").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_q = _Struct(">q").unpack_from
_pack_q = _Struct(">q").pack
_unpack_qB = _Struct(">qB").unpack_from
_pack_qB = _Struct(">qB").pack
_unpack_qx = _Struct(">qx").unpack_from
_pack_qx = _Struct(">qx").pack
_unpack_tbhHiIqd = _Struct(">?bhHiIqd").unpack_from
_pack_tbhHiIqd = _Struct(">?bhHiIqd").pack
_unpack_tbhHiIqddu = _Struct(">?bhHiIqdd16s").unpack_from
_pack_tbhHiIqddu = _Struct(">?bhHiIqdd16s").pack
_unpack_tbhHiIqdduB = _Struct(">?bhHiIqdd16sB").unpack_from
_pack_tbhHiIqdduB = _Struct(">?bhHiIqdd16sB").pack
_unpack_tbhHiIqdduh = _Struct(">?bhHiIqdd16sh").unpack_from
_pack_tbhHiIqdduh = _Struct(">?bhHiIqdd16sh").pack
_unpack_tbhHiIqdh = _Struct(">?bhHiIqdh").unpack_from
_pack_tbhHiIqdh = _Struct(">?bhHiIqdh").pack
_unpack_u = _Struct(">16s").unpack_from
_pack_u = _Struct(">16s").pack
_rows_i = _Struct(">i").iter_unpack
_unpackers_H = _unpackers("H")
_unpackers_I = _unpackers("I")
_unpackers_b = _unpackers("b")
_unpackers_d = _unpackers("d")
_unpackers_h = _unpackers("h")
_unpackers_i = _unpackers("i")
_unpackers_q = _unpackers("q")
_unpackers_t = _unpackers("?")
_packers_H = _packers("H")
_packers_I = _packers("I")
_packers_b = _packers("b")
_packers_d = _packers("d")
_packers_h = _packers("h")
_packers_i = _packers("i")
_packers_q = _packers("q")
_packers_t = _packers("?")


@_dataclass
class InnerType(_Base):
    """A struct of its own."""

    before: int = 0

    middle: str = ""

    after: int = 0


_args_InnerType = (InnerType,)

_InnerType_default = _default_of(InnerType)


@_dataclass
class DeepElement(_Base):
    """DeepElement."""

    id: _UUID = _ZERO_UUID

    leaves: tuple[str, ...] = ()


_args_DeepElement = (DeepElement,)


@_dataclass
class InnerElement(_Base):
    """InnerElement."""

    number: int = 0

    deeper: tuple[DeepElement, ...] = ()


_args_InnerElement = (InnerElement,)


@_dataclass
class EveryTypeRequest(_Request):
    """EveryTypeRequest: Kafka request, key 1001, versions 0-4, flexible in 3-4. Holds a field
    of every type."""

    API_KEY = 1001
    KIND = "request"
    VALID_VERSIONS = range(0, 5)
    FLEXIBLE_VERSIONS = range(3, 5)
    DEPRECATED_VERSIONS = range(0, 2)
    LATEST_VERSION_UNSTABLE = True
    LISTENERS = ("broker", "controller")
    HEADER_VERSIONS = ((0, 2, 1), (3, 4, 2))

    flag: bool = False
    """One byte."""

    tiny: int = 0

    small: int = 0

    port: int = 0

    plain: int = 0

    mask: int = 0

    large: int = 0

    rate: float = 0.0

    ratio: float = 0.0

    id: _UUID = _ZERO_UUID

    text: str = ""

    data: bytes = b""

    batch: bytes | memoryview | None = None

    flags: tuple[bool, ...] = ()

    tinies: tuple[int, ...] = ()

    smalls: tuple[int, ...] = ()

    ports: tuple[int, ...] = ()

    plains: tuple[int, ...] = ()

    masks: tuple[int, ...] = ()

    larges: tuple[int, ...] = ()

    rates: tuple[float, ...] = ()

    ids: tuple[_UUID, ...] = ()

    texts: tuple[str, ...] = ()

    inner: InnerType = _InnerType_default
    """A struct of its own."""

    inners: tuple[InnerElement, ...] = ()

    gone: int = -1

    last_word: int = 7


_args_EveryTypeRequest = (EveryTypeRequest,)


def _decode_InnerType_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_InnerType)
    o.middle = ""
    o.before, o.after = _unpack_hq(b, p)
    p += 10
    o.unknown_tagged_fields = ()
    return o, p


def _encode_InnerType_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not InnerType:
        _check_instance(o, InnerType)
    if o.middle != "":
        raise _CodecFailure
    w += _pack_hq(o.before, o.after)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_InnerElement_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 74 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_InnerElement_v0_array, (m,), 1, 74, b, p, n)
    items: list[_Any] = []
    e = p + 4 * n
    if e <= len(b):
        for row in _rows_i(b[p:e] if n < 512 else memoryview(b)[p:e]):
            o: _Any = _new(*_args_InnerElement)
            (o.number,) = row
            o.deeper = ()
            o.unknown_tagged_fields = ()
            items.append(o)
        return tuple(items), e
    for _ in range(n):
        o = _new(*_args_InnerElement)
        o.deeper = ()
        (o.number,) = _unpack_i(b, p)
        p += 4
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_InnerElement_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not InnerElement:
            _check_instance(o, InnerElement)
        if o.deeper is not _NOTHING and _some(o.deeper):
            raise _CodecFailure
        w += _pack_i(o.number)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_EveryTypeRequest_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_EveryTypeRequest)
    o.ratio = 0.0
    o.id = _ZERO_UUID
    o.flags = ()
    o.tinies = ()
    o.smalls = ()
    o.ports = ()
    o.masks = ()
    o.larges = ()
    o.rates = ()
    o.ids = ()
    o.gone = -1
    o.last_word = 7
    o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, n = _unpack_tbhHiIqdh(b, p)
    p += 32
    if n >= 0:
        e = p + n
        o.text = b[p:e].decode()
        p = e
    else:
        o.text, p = _read_string(b, p - 2)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.data = b[p:e]
        p = e
    else:
        o.data, p = _read_bytes(b, p - 4, b)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.batch = z[p:e]
        p = e
    else:
        o.batch, p = _read_bytes_or_null(b, p - 4, z)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.plains = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.plains, p = _read_numbers(b, p - 4, "i", m)
    o.texts, p = _read_array(_read_string, b, p, m, 66)
    if o.texts is None:
        raise _CodecFailure
    o.inner, p = _decode_InnerType_v0(b, p, m)
    o.inners, p = _decode_InnerElement_v0_array(b, p, m)
    if o.inners is None:
        raise _CodecFailure
    o.unknown_tagged_fields = ()
    return o, p


def _encode_EveryTypeRequest_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not EveryTypeRequest:
        _check_instance(o, EveryTypeRequest)
    if o.flags is not _NOTHING and _some(o.flags):
        raise _CodecFailure
    if o.tinies is not _NOTHING and _some(o.tinies):
        raise _CodecFailure
    if o.smalls is not _NOTHING and _some(o.smalls):
        raise _CodecFailure
    if o.ports is not _NOTHING and _some(o.ports):
        raise _CodecFailure
    if o.masks is not _NOTHING and _some(o.masks):
        raise _CodecFailure
    if o.larges is not _NOTHING and _some(o.larges):
        raise _CodecFailure
    if o.rates is not _NOTHING and _some(o.rates):
        raise _CodecFailure
    if o.gone != -1:
        raise _CodecFailure
    if o.flag is not False and o.flag is not True:
        raise _CodecFailure
    s = _utf8(o.text)
    n = len(s)
    w += _pack_tbhHiIqdh(o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, n)
    w += s
    s = o.data
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_i(n)
    w += s
    s = o.batch
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        w += _pack_i(n)
        w += s
    s = o.plains
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_i[n](*s)
    else:
        _write_numbers(w, s, "i")
    _write_array(w, o.texts, _write_string)
    _encode_InnerType_v0(o.inner, w)
    _encode_InnerElement_v0_array(w, o.inners)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_DeepElement_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 42 * n
            if m.left < _LITTLE:
                return _read_structs(_decode_DeepElement_v1_array, (m,), 3, 42, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_DeepElement)
        (o.id,) = _unpack_u(b, p)
        p += 16
        o.id = _uuid_of(o.id)
        o.leaves, p = _read_array(_read_string, b, p, m, 66)
        if o.leaves is None:
            raise _CodecFailure
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_DeepElement_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not DeepElement:
            _check_instance(o, DeepElement)
        w += _pack_u(_uuid_bytes(o.id))
        _write_array(w, o.leaves, _write_string)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_InnerElement_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
                return _read_structs(_decode_InnerElement_v1_array, (m,), 4, 82, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_InnerElement)
        (o.number,) = _unpack_i(b, p)
        p += 4
        o.deeper, p = _decode_DeepElement_v1_array(b, p, m)
        if o.deeper is None:
            raise _CodecFailure
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_InnerElement_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not InnerElement:
            _check_instance(o, InnerElement)
        w += _pack_i(o.number)
        _encode_DeepElement_v1_array(w, o.deeper)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_EveryTypeRequest_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_EveryTypeRequest)
    o.ids = ()
    o.last_word = 7
    o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, o.ratio, o.id, n = _unpack_tbhHiIqdduh(b, p)
    p += 56
    o.id = _uuid_of(o.id)
    if n >= 0:
        e = p + n
        o.text = b[p:e].decode()
        p = e
    else:
        o.text, p = _read_string(b, p - 2)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.data = b[p:e]
        p = e
    else:
        o.data, p = _read_bytes(b, p - 4, b)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.batch = z[p:e]
        p = e
    else:
        o.batch, p = _read_bytes_or_null(b, p - 4, z)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.flags = _unpackers_t[n + 1](b, p)
        p += n
    else:
        o.flags, p = _read_numbers(b, p - 4, "?", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.tinies = _unpackers_b[n + 1](b, p)
        p += n
    else:
        o.tinies, p = _read_numbers(b, p - 4, "b", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.smalls = _unpackers_h[n + 1](b, p)
        p += 2 * n
    else:
        o.smalls, p = _read_numbers(b, p - 4, "h", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.ports = _unpackers_H[n + 1](b, p)
        p += 2 * n
    else:
        o.ports, p = _read_numbers(b, p - 4, "H", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.plains = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.plains, p = _read_numbers(b, p - 4, "i", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.masks = _unpackers_I[n + 1](b, p)
        p += 4 * n
    else:
        o.masks, p = _read_numbers(b, p - 4, "I", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.larges = _unpackers_q[n + 1](b, p)
        p += 8 * n
    else:
        o.larges, p = _read_numbers(b, p - 4, "q", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.rates = _unpackers_d[n + 1](b, p)
        p += 8 * n
    else:
        o.rates, p = _read_numbers(b, p - 4, "d", m)
    o.texts, p = _read_array(_read_string, b, p, m, 66)
    if o.texts is None:
        raise _CodecFailure
    o.inner, p = _decode_InnerType_v0(b, p, m)
    o.inners, p = _decode_InnerElement_v1_array(b, p, m)
    if o.inners is None:
        raise _CodecFailure
    (o.gone,) = _unpack_i(b, p)
    p += 4
    o.unknown_tagged_fields = ()
    return o, p


def _encode_EveryTypeRequest_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not EveryTypeRequest:
        _check_instance(o, EveryTypeRequest)
    if o.flag is not False and o.flag is not True:
        raise _CodecFailure
    s = _utf8(o.text)
    n = len(s)
    w += _pack_tbhHiIqdduh(
        o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, o.ratio, _uuid_bytes(o.id), n
    )
    w += s
    s = o.data
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_i(n)
    w += s
    s = o.batch
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        w += _pack_i(n)
        w += s
    s = o.flags
    if type(s) is not tuple:
        s = _array_of(s)
    _check_bools(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_t[n](*s)
    else:
        _write_numbers(w, s, "?")
    s = o.tinies
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_b[n](*s)
    else:
        _write_numbers(w, s, "b")
    s = o.smalls
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_h[n](*s)
    else:
        _write_numbers(w, s, "h")
    s = o.ports
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_H[n](*s)
    else:
        _write_numbers(w, s, "H")
    s = o.plains
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_i[n](*s)
    else:
        _write_numbers(w, s, "i")
    s = o.masks
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_I[n](*s)
    else:
        _write_numbers(w, s, "I")
    s = o.larges
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_q[n](*s)
    else:
        _write_numbers(w, s, "q")
    s = o.rates
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_d[n](*s)
    else:
        _write_numbers(w, s, "d")
    _write_array(w, o.texts, _write_string)
    _encode_InnerType_v0(o.inner, w)
    _encode_InnerElement_v1_array(w, o.inners)
    w += _pack_i(o.gone)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_InnerType_v2(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_InnerType)
    o.before, n = _unpack_hh(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.middle = b[p:e].decode()
        p = e
    else:
        o.middle, p = _read_string(b, p - 2)
    (o.after,) = _unpack_q(b, p)
    p += 8
    o.unknown_tagged_fields = ()
    return o, p


def _encode_InnerType_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not InnerType:
        _check_instance(o, InnerType)
    s = _utf8(o.middle)
    n = len(s)
    w += _pack_hh(o.before, n)
    w += s
    w += _pack_q(o.after)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_EveryTypeRequest_v2(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_EveryTypeRequest)
    o.last_word = 7
    o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, o.ratio, o.id, n = _unpack_tbhHiIqdduh(b, p)
    p += 56
    o.id = _uuid_of(o.id)
    if n >= 0:
        e = p + n
        o.text = b[p:e].decode()
        p = e
    else:
        o.text, p = _read_string(b, p - 2)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.data = b[p:e]
        p = e
    else:
        o.data, p = _read_bytes(b, p - 4, b)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.batch = z[p:e]
        p = e
    else:
        o.batch, p = _read_bytes_or_null(b, p - 4, z)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.flags = _unpackers_t[n + 1](b, p)
        p += n
    else:
        o.flags, p = _read_numbers(b, p - 4, "?", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.tinies = _unpackers_b[n + 1](b, p)
        p += n
    else:
        o.tinies, p = _read_numbers(b, p - 4, "b", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.smalls = _unpackers_h[n + 1](b, p)
        p += 2 * n
    else:
        o.smalls, p = _read_numbers(b, p - 4, "h", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.ports = _unpackers_H[n + 1](b, p)
        p += 2 * n
    else:
        o.ports, p = _read_numbers(b, p - 4, "H", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.plains = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.plains, p = _read_numbers(b, p - 4, "i", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.masks = _unpackers_I[n + 1](b, p)
        p += 4 * n
    else:
        o.masks, p = _read_numbers(b, p - 4, "I", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.larges = _unpackers_q[n + 1](b, p)
        p += 8 * n
    else:
        o.larges, p = _read_numbers(b, p - 4, "q", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.rates = _unpackers_d[n + 1](b, p)
        p += 8 * n
    else:
        o.rates, p = _read_numbers(b, p - 4, "d", m)
    o.ids, p = _read_array(_read_uuid, b, p, m, 0)
    if o.ids is None:
        raise _CodecFailure
    o.texts, p = _read_array(_read_string, b, p, m, 66)
    if o.texts is None:
        raise _CodecFailure
    o.inner, p = _decode_InnerType_v2(b, p, m)
    o.inners, p = _decode_InnerElement_v1_array(b, p, m)
    if o.inners is None:
        raise _CodecFailure
    (o.gone,) = _unpack_i(b, p)
    p += 4
    o.unknown_tagged_fields = ()
    return o, p


def _encode_EveryTypeRequest_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not EveryTypeRequest:
        _check_instance(o, EveryTypeRequest)
    if o.flag is not False and o.flag is not True:
        raise _CodecFailure
    s = _utf8(o.text)
    n = len(s)
    w += _pack_tbhHiIqdduh(
        o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, o.ratio, _uuid_bytes(o.id), n
    )
    w += s
    s = o.data
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_i(n)
    w += s
    s = o.batch
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        w += _pack_i(n)
        w += s
    s = o.flags
    if type(s) is not tuple:
        s = _array_of(s)
    _check_bools(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_t[n](*s)
    else:
        _write_numbers(w, s, "?")
    s = o.tinies
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_b[n](*s)
    else:
        _write_numbers(w, s, "b")
    s = o.smalls
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_h[n](*s)
    else:
        _write_numbers(w, s, "h")
    s = o.ports
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_H[n](*s)
    else:
        _write_numbers(w, s, "H")
    s = o.plains
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_i[n](*s)
    else:
        _write_numbers(w, s, "i")
    s = o.masks
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_I[n](*s)
    else:
        _write_numbers(w, s, "I")
    s = o.larges
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_q[n](*s)
    else:
        _write_numbers(w, s, "q")
    s = o.rates
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_d[n](*s)
    else:
        _write_numbers(w, s, "d")
    _write_array(w, o.ids, _write_uuid)
    _write_array(w, o.texts, _write_string)
    _encode_InnerType_v2(o.inner, w)
    _encode_InnerElement_v1_array(w, o.inners)
    w += _pack_i(o.gone)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_InnerType_v3(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_InnerType)
    o.before, n = _unpack_hB(b, p)
    p += 3
    if 0 < n < 128:
        e = p + n - 1
        o.middle = b[p:e].decode()
        p = e
    else:
        o.middle, p = _read_compact_string(b, p - 1)
    o.after, n = _unpack_qB(b, p)
    p += 9
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_InnerType_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not InnerType:
        _check_instance(o, InnerType)
    s = _utf8(o.middle)
    n = len(s)
    if n < 127:
        w += _pack_hB(o.before, n + 1)
    else:
        w += _pack_h(o.before)
        _write_compact_length(w, n)
    w += s
    w += _pack_qx(o.after)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_DeepElement_v3_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 62 * n
            if m.left < _LITTLE:
                return _read_structs(_decode_DeepElement_v3_array, (m,), 9, 62, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_DeepElement)
        (o.id,) = _unpack_u(b, p)
        p += 16
        o.id = _uuid_of(o.id)
        o.leaves, p = _read_compact_array(_read_compact_string, b, p, m, 76)
        if o.leaves is None:
            raise _CodecFailure
        if b[p]:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _encode_DeepElement_v3_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not DeepElement:
            _check_instance(o, DeepElement)
        w += _pack_u(_uuid_bytes(o.id))
        _write_compact_array(w, o.leaves, _write_compact_string)
        if o.unknown_tagged_fields is _NOTHING:
            w.append(0)
        else:
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_InnerElement_v3_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
                return _read_structs(_decode_InnerElement_v3_array, (m,), 10, 102, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_InnerElement)
        (o.number,) = _unpack_i(b, p)
        p += 4
        o.deeper, p = _decode_DeepElement_v3_array(b, p, m)
        if o.deeper is None:
            raise _CodecFailure
        if b[p]:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _encode_InnerElement_v3_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not InnerElement:
            _check_instance(o, InnerElement)
        w += _pack_i(o.number)
        _encode_DeepElement_v3_array(w, o.deeper)
        if o.unknown_tagged_fields is _NOTHING:
            w.append(0)
        else:
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_EveryTypeRequest_v3(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_EveryTypeRequest)
    o.gone = -1
    o.last_word = 7
    o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, o.ratio, o.id, n = _unpack_tbhHiIqdduB(b, p)
    p += 55
    o.id = _uuid_of(o.id)
    if 0 < n < 128:
        e = p + n - 1
        o.text = b[p:e].decode()
        p = e
    else:
        o.text, p = _read_compact_string(b, p - 1)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.data = b[p + 1 : e]
        p = e
    else:
        o.data, p = _read_compact_bytes(b, p, b)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.batch = z[p + 1 : e]
        p = e
    else:
        o.batch, p = _read_compact_bytes_or_null(b, p, z)
    n = b[p]
    if 0 < n < 32:
        o.flags = _unpackers_t[n](b, p + 1)
        p += n
    else:
        o.flags, p = _read_compact_numbers(b, p, "?", m)
    n = b[p]
    if 0 < n < 32:
        o.tinies = _unpackers_b[n](b, p + 1)
        p += n
    else:
        o.tinies, p = _read_compact_numbers(b, p, "b", m)
    n = b[p]
    if 0 < n < 32:
        o.smalls = _unpackers_h[n](b, p + 1)
        p += 2 * n - 1
    else:
        o.smalls, p = _read_compact_numbers(b, p, "h", m)
    n = b[p]
    if 0 < n < 32:
        o.ports = _unpackers_H[n](b, p + 1)
        p += 2 * n - 1
    else:
        o.ports, p = _read_compact_numbers(b, p, "H", m)
    n = b[p]
    if 0 < n < 32:
        o.plains = _unpackers_i[n](b, p + 1)
        p += 4 * n - 3
    else:
        o.plains, p = _read_compact_numbers(b, p, "i", m)
    n = b[p]
    if 0 < n < 32:
        o.masks = _unpackers_I[n](b, p + 1)
        p += 4 * n - 3
    else:
        o.masks, p = _read_compact_numbers(b, p, "I", m)
    n = b[p]
    if 0 < n < 32:
        o.larges = _unpackers_q[n](b, p + 1)
        p += 8 * n - 7
    else:
        o.larges, p = _read_compact_numbers(b, p, "q", m)
    n = b[p]
    if 0 < n < 32:
        o.rates = _unpackers_d[n](b, p + 1)
        p += 8 * n - 7
    else:
        o.rates, p = _read_compact_numbers(b, p, "d", m)
    o.ids, p = _read_compact_array(_read_uuid, b, p, m, 0)
    if o.ids is None:
        raise _CodecFailure
    o.texts, p = _read_compact_array(_read_compact_string, b, p, m, 76)
    if o.texts is None:
        raise _CodecFailure
    o.inner, p = _decode_InnerType_v3(b, p, m)
    o.inners, p = _decode_InnerElement_v3_array(b, p, m)
    if o.inners is None:
        raise _CodecFailure
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_EveryTypeRequest_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not EveryTypeRequest:
        _check_instance(o, EveryTypeRequest)
    if o.gone != -1:
        raise _CodecFailure
    if o.flag is not False and o.flag is not True:
        raise _CodecFailure
    s = _utf8(o.text)
    n = len(s)
    if n < 127:
        w += _pack_tbhHiIqdduB(
            o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, o.ratio, _uuid_bytes(o.id), n + 1
        )
    else:
        w += _pack_tbhHiIqddu(
            o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, o.ratio, _uuid_bytes(o.id)
        )
        _write_compact_length(w, n)
    w += s
    s = o.data
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    w += s
    s = o.batch
    if s is None:
        w += b"\x00"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        if n < 127:
            w.append(n + 1)
        else:
            _write_uvarint(w, n + 1)
        w += s
    s = o.flags
    if type(s) is not tuple:
        s = _array_of(s)
    _check_bools(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_t[n](*s)
    else:
        _write_compact_numbers(w, s, "?")
    s = o.tinies
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_b[n](*s)
    else:
        _write_compact_numbers(w, s, "b")
    s = o.smalls
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_h[n](*s)
    else:
        _write_compact_numbers(w, s, "h")
    s = o.ports
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_H[n](*s)
    else:
        _write_compact_numbers(w, s, "H")
    s = o.plains
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_i[n](*s)
    else:
        _write_compact_numbers(w, s, "i")
    s = o.masks
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_I[n](*s)
    else:
        _write_compact_numbers(w, s, "I")
    s = o.larges
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_q[n](*s)
    else:
        _write_compact_numbers(w, s, "q")
    s = o.rates
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_d[n](*s)
    else:
        _write_compact_numbers(w, s, "d")
    _write_compact_array(w, o.ids, _write_uuid)
    _write_compact_array(w, o.texts, _write_compact_string)
    _encode_InnerType_v3(o.inner, w)
    _encode_InnerElement_v3_array(w, o.inners)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_EveryTypeRequest_v4(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_EveryTypeRequest)
    o.plains = ()
    o.gone = -1
    o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, o.ratio, o.id, n = _unpack_tbhHiIqdduB(b, p)
    p += 55
    o.id = _uuid_of(o.id)
    if 0 < n < 128:
        e = p + n - 1
        o.text = b[p:e].decode()
        p = e
    else:
        o.text, p = _read_compact_string(b, p - 1)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.data = b[p + 1 : e]
        p = e
    else:
        o.data, p = _read_compact_bytes(b, p, b)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.batch = z[p + 1 : e]
        p = e
    else:
        o.batch, p = _read_compact_bytes_or_null(b, p, z)
    n = b[p]
    if 0 < n < 32:
        o.flags = _unpackers_t[n](b, p + 1)
        p += n
    else:
        o.flags, p = _read_compact_numbers(b, p, "?", m)
    n = b[p]
    if 0 < n < 32:
        o.tinies = _unpackers_b[n](b, p + 1)
        p += n
    else:
        o.tinies, p = _read_compact_numbers(b, p, "b", m)
    n = b[p]
    if 0 < n < 32:
        o.smalls = _unpackers_h[n](b, p + 1)
        p += 2 * n - 1
    else:
        o.smalls, p = _read_compact_numbers(b, p, "h", m)
    n = b[p]
    if 0 < n < 32:
        o.ports = _unpackers_H[n](b, p + 1)
        p += 2 * n - 1
    else:
        o.ports, p = _read_compact_numbers(b, p, "H", m)
    n = b[p]
    if 0 < n < 32:
        o.masks = _unpackers_I[n](b, p + 1)
        p += 4 * n - 3
    else:
        o.masks, p = _read_compact_numbers(b, p, "I", m)
    n = b[p]
    if 0 < n < 32:
        o.larges = _unpackers_q[n](b, p + 1)
        p += 8 * n - 7
    else:
        o.larges, p = _read_compact_numbers(b, p, "q", m)
    n = b[p]
    if 0 < n < 32:
        o.rates = _unpackers_d[n](b, p + 1)
        p += 8 * n - 7
    else:
        o.rates, p = _read_compact_numbers(b, p, "d", m)
    o.ids, p = _read_compact_array(_read_uuid, b, p, m, 0)
    if o.ids is None:
        raise _CodecFailure
    o.texts, p = _read_compact_array(_read_compact_string, b, p, m, 76)
    if o.texts is None:
        raise _CodecFailure
    o.inner, p = _decode_InnerType_v3(b, p, m)
    o.inners, p = _decode_InnerElement_v3_array(b, p, m)
    if o.inners is None:
        raise _CodecFailure
    o.last_word, n = _unpack_bB(b, p)
    p += 2
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_EveryTypeRequest_v4(o: _Any, w: bytearray) -> None:
    if o.__class__ is not EveryTypeRequest:
        _check_instance(o, EveryTypeRequest)
    if o.plains is not _NOTHING and _some(o.plains):
        raise _CodecFailure
    if o.gone != -1:
        raise _CodecFailure
    if o.flag is not False and o.flag is not True:
        raise _CodecFailure
    s = _utf8(o.text)
    n = len(s)
    if n < 127:
        w += _pack_tbhHiIqdduB(
            o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, o.ratio, _uuid_bytes(o.id), n + 1
        )
    else:
        w += _pack_tbhHiIqddu(
            o.flag, o.tiny, o.small, o.port, o.plain, o.mask, o.large, o.rate, o.ratio, _uuid_bytes(o.id)
        )
        _write_compact_length(w, n)
    w += s
    s = o.data
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    w += s
    s = o.batch
    if s is None:
        w += b"\x00"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        if n < 127:
            w.append(n + 1)
        else:
            _write_uvarint(w, n + 1)
        w += s
    s = o.flags
    if type(s) is not tuple:
        s = _array_of(s)
    _check_bools(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_t[n](*s)
    else:
        _write_compact_numbers(w, s, "?")
    s = o.tinies
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_b[n](*s)
    else:
        _write_compact_numbers(w, s, "b")
    s = o.smalls
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_h[n](*s)
    else:
        _write_compact_numbers(w, s, "h")
    s = o.ports
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_H[n](*s)
    else:
        _write_compact_numbers(w, s, "H")
    s = o.masks
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_I[n](*s)
    else:
        _write_compact_numbers(w, s, "I")
    s = o.larges
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_q[n](*s)
    else:
        _write_compact_numbers(w, s, "q")
    s = o.rates
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_d[n](*s)
    else:
        _write_compact_numbers(w, s, "d")
    _write_compact_array(w, o.ids, _write_uuid)
    _write_compact_array(w, o.texts, _write_compact_string)
    _encode_InnerType_v3(o.inner, w)
    _encode_InnerElement_v3_array(w, o.inners)
    w += _pack_bx(o.last_word)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 1
message EveryTypeRequest request 0-4
struct EveryTypeRequest
 flag flag bool false
 tiny tiny int8 0
 small small int16 0
 port port uint16 0
 plain plain int32 0
 mask mask uint32 0
 large large int64 0
 rate rate float64 0.0
 ratio ratio float64 0.0
 id id uuid "00000000000000000000000000000000"
 text text string ""
 data data bytes ""
 batch batch records? null
 flags flags []bool []
 tinies tinies []int8 []
 smalls smalls []int16 []
 ports ports []uint16 []
 plains plains []int32 []
 masks masks []uint32 []
 larges larges []int64 []
 rates rates []float64 []
 ids ids []uuid []
 texts texts []string []
 inner inner InnerType {}
 inners inners []InnerElement []
 gone gone int32 -1
 last_word lastWord int8 7
struct InnerType
 before before int16 0
 middle middle string ""
 after after int64 0
struct InnerElement
 number number int32 0
 deeper deeper []DeepElement []
struct DeepElement
 id id uuid "00000000000000000000000000000000"
 leaves leaves []string []
layout 0 InnerType 0-1
 before int16
 + after int64
 :guard middle
layout 1 InnerElement 0
 number int32
 :guard deeper
layout 2 EveryTypeRequest 0
 flag bool
 + tiny int8
 + small int16
 + port uint16
 + plain int32
 + mask uint32
 + large int64
 + rate float64
 text string
 data bytes
 batch records?&
 plains array(int32)
 texts array(string)
 inner struct(0)
 inners array(struct(1))
 :guard flags tinies smalls ports masks larges rates gone
 :skip ratio id ids last_word
layout 3 DeepElement 1-2
 id uuid
 leaves array(string)
layout 4 InnerElement 1-2
 number int32
 deeper array(struct(3))
layout 5 EveryTypeRequest 1
 flag bool
 + tiny int8
 + small int16
 + port uint16
 + plain int32
 + mask uint32
 + large int64
 + rate float64
 + ratio float64
 + id uuid
 text string
 data bytes
 batch records?&
 flags array(bool)
 tinies array(int8)
 smalls array(int16)
 ports array(uint16)
 plains array(int32)
 masks array(uint32)
 larges array(int64)
 rates array(float64)
 texts array(string)
 inner struct(0)
 inners array(struct(4))
 gone int32
 :skip ids last_word
layout 6 InnerType 2
 before int16
 middle string
 after int64
layout 7 EveryTypeRequest 2
 flag bool
 + tiny int8
 + small int16
 + port uint16
 + plain int32
 + mask uint32
 + large int64
 + rate float64
 + ratio float64
 + id uuid
 text string
 data bytes
 batch records?&
 flags array(bool)
 tinies array(int8)
 smalls array(int16)
 ports array(uint16)
 plains array(int32)
 masks array(uint32)
 larges array(int64)
 rates array(float64)
 ids array(uuid)
 texts array(string)
 inner struct(6)
 inners array(struct(4))
 gone int32
 :skip last_word
layout 8 InnerType 3-4 flexible
 before int16
 middle compact_string
 after int64
layout 9 DeepElement 3-4 flexible
 id uuid
 leaves compact_array(compact_string)
layout 10 InnerElement 3-4 flexible
 number int32
 deeper compact_array(struct(9))
layout 11 EveryTypeRequest 3 flexible
 flag bool
 + tiny int8
 + small int16
 + port uint16
 + plain int32
 + mask uint32
 + large int64
 + rate float64
 + ratio float64
 + id uuid
 text compact_string
 data compact_bytes
 batch compact_records?&
 flags compact_array(bool)
 tinies compact_array(int8)
 smalls compact_array(int16)
 ports compact_array(uint16)
 plains compact_array(int32)
 masks compact_array(uint32)
 larges compact_array(int64)
 rates compact_array(float64)
 ids compact_array(uuid)
 texts compact_array(compact_string)
 inner struct(8)
 inners compact_array(struct(10))
 :guard gone
 :skip last_word
layout 12 EveryTypeRequest 4 flexible
 flag bool
 + tiny int8
 + small int16
 + port uint16
 + plain int32
 + mask uint32
 + large int64
 + rate float64
 + ratio float64
 + id uuid
 text compact_string
 data compact_bytes
 batch compact_records?&
 flags compact_array(bool)
 tinies compact_array(int8)
 smalls compact_array(int16)
 ports compact_array(uint16)
 masks compact_array(uint32)
 larges compact_array(int64)
 rates compact_array(float64)
 ids compact_array(uuid)
 texts compact_array(compact_string)
 inner struct(8)
 inners compact_array(struct(10))
 last_word int8
 :guard plains gone
"""

EveryTypeRequest.CODEC = _Codec(
    readers={
        0: _decode_EveryTypeRequest_v0,
        1: _decode_EveryTypeRequest_v1,
        2: _decode_EveryTypeRequest_v2,
        3: _decode_EveryTypeRequest_v3,
        4: _decode_EveryTypeRequest_v4,
    },
    writers={
        0: _encode_EveryTypeRequest_v0,
        1: _encode_EveryTypeRequest_v1,
        2: _encode_EveryTypeRequest_v2,
        3: _encode_EveryTypeRequest_v3,
        4: _encode_EveryTypeRequest_v4,
    },
    classes=(EveryTypeRequest, InnerType, InnerElement, DeepElement),
    plan=_PLAN,
    own=2968,
    small=13118,
)
