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

_unpack_bB = _Struct(">bB").unpack_from
_unpack_hB = _Struct(">hB").unpack_from
_unpack_hh = _Struct(">hh").unpack_from
_unpack_hq = _Struct(">hq").unpack_from
_unpack_i = _Struct(">i").unpack_from
_unpack_q = _Struct(">q").unpack_from
_unpack_qB = _Struct(">qB").unpack_from
_unpack_tbhHiIqdduB = _Struct(">?bhHiIqdd16sB").unpack_from
_unpack_tbhHiIqdduh = _Struct(">?bhHiIqdd16sh").unpack_from
_unpack_tbhHiIqdh = _Struct(">?bhHiIqdh").unpack_from
_unpack_u = _Struct(">16s").unpack_from
_pack_bx = _Struct(">bx").pack
_pack_h = _Struct(">h").pack
_pack_hB = _Struct(">hB").pack
_pack_hh = _Struct(">hh").pack
_pack_hq = _Struct(">hq").pack
_pack_i = _Struct(">i").pack
_pack_q = _Struct(">q").pack
_pack_qx = _Struct(">qx").pack
_pack_tbhHiIqddu = _Struct(">?bhHiIqdd16s").pack
_pack_tbhHiIqdduB = _Struct(">?bhHiIqdd16sB").pack
_pack_tbhHiIqdduh = _Struct(">?bhHiIqdd16sh").pack
_pack_tbhHiIqdh = _Struct(">?bhHiIqdh").pack
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
    """Versions 2+."""

    after: int = 0


_args_InnerType = (InnerType,)

_InnerType_default = _default_of(InnerType)


@_dataclass
class DeepElement(_Base):
    """DeepElement."""

    id: _UUID = _ZERO_UUID
    """Versions 1+."""

    leaves: tuple[str, ...] = ()
    """Versions 1+."""


_args_DeepElement = (DeepElement,)


@_dataclass
class InnerElement(_Base):
    """InnerElement."""

    number: int = 0

    deeper: tuple[DeepElement, ...] = ()
    """Versions 1+."""


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
    """Versions 1+; ignorable."""

    id: _UUID = _ZERO_UUID
    """Versions 1+; ignorable."""

    text: str = ""

    data: bytes = b""

    batch: bytes | memoryview | None = None
    """May be null; default null."""

    flags: tuple[bool, ...] = ()
    """Versions 1+."""

    tinies: tuple[int, ...] = ()
    """Versions 1+."""

    smalls: tuple[int, ...] = ()
    """Versions 1+."""

    ports: tuple[int, ...] = ()
    """Versions 1+."""

    plains: tuple[int, ...] = ()
    """Versions 0-3."""

    masks: tuple[int, ...] = ()
    """Versions 1+."""

    larges: tuple[int, ...] = ()
    """Versions 1+."""

    rates: tuple[float, ...] = ()
    """Versions 1+."""

    ids: tuple[_UUID, ...] = ()
    """Versions 2+; ignorable."""

    texts: tuple[str, ...] = ()

    inner: InnerType = _InnerType_default
    """A struct of its own."""

    inners: tuple[InnerElement, ...] = ()

    gone: int = -1
    """Versions 1-2; default -1."""

    last_word: int = 7
    """Versions 4+; ignorable; default 7."""


_args_EveryTypeRequest = (EveryTypeRequest,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_InnerType_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_InnerType)
    struct.middle = ""
    struct.before, struct.after = _unpack_hq(data, pos)
    pos += 10
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_InnerType_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not InnerType:
        _check_instance(struct, InnerType)
    if struct.middle != "":
        raise _CodecFailure
    out += _pack_hq(struct.before, struct.after)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_InnerElement_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 74 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_InnerElement_v0_array, (allowance,), 1, 74, data, pos, count)
    items: list[_Any] = []
    stop = pos + 4 * count
    if stop <= len(data):
        for row in _rows_i(data[pos:stop] if count < 512 else memoryview(data)[pos:stop]):
            struct: _Any = _new(*_args_InnerElement)
            (struct.number,) = row
            struct.deeper = ()
            struct.unknown_tagged_fields = ()
            items.append(struct)
        return tuple(items), stop
    for _ in range(count):
        struct = _new(*_args_InnerElement)
        struct.deeper = ()
        (struct.number,) = _unpack_i(data, pos)
        pos += 4
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_InnerElement_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not InnerElement:
            _check_instance(struct, InnerElement)
        if struct.deeper is not _NOTHING and _some(struct.deeper):
            raise _CodecFailure
        out += _pack_i(struct.number)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_EveryTypeRequest_v0(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_EveryTypeRequest)
    struct.ratio = 0.0
    struct.id = _ZERO_UUID
    struct.flags = ()
    struct.tinies = ()
    struct.smalls = ()
    struct.ports = ()
    struct.masks = ()
    struct.larges = ()
    struct.rates = ()
    struct.ids = ()
    struct.gone = -1
    struct.last_word = 7
    (
        struct.flag,
        struct.tiny,
        struct.small,
        struct.port,
        struct.plain,
        struct.mask,
        struct.large,
        struct.rate,
        length,
    ) = _unpack_tbhHiIqdh(data, pos)
    pos += 32
    if length >= 0:
        stop = pos + length
        struct.text = data[pos:stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_string(data, pos - 2)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.data = data[pos:stop]
        pos = stop
    else:
        struct.data, pos = _read_bytes(data, pos - 4, data)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.batch = source[pos:stop]
        pos = stop
    else:
        struct.batch, pos = _read_bytes_or_null(data, pos - 4, source)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.plains = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.plains, pos = _read_numbers(data, pos - 4, "i", allowance)
    struct.texts, pos = _read_array(_read_string, data, pos, allowance, 66)
    if struct.texts is None:
        raise _CodecFailure
    struct.inner, pos = _decode_InnerType_v0(data, pos, allowance)
    struct.inners, pos = _decode_InnerElement_v0_array(data, pos, allowance)
    if struct.inners is None:
        raise _CodecFailure
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_EveryTypeRequest_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not EveryTypeRequest:
        _check_instance(struct, EveryTypeRequest)
    if struct.flags is not _NOTHING and _some(struct.flags):
        raise _CodecFailure
    if struct.tinies is not _NOTHING and _some(struct.tinies):
        raise _CodecFailure
    if struct.smalls is not _NOTHING and _some(struct.smalls):
        raise _CodecFailure
    if struct.ports is not _NOTHING and _some(struct.ports):
        raise _CodecFailure
    if struct.masks is not _NOTHING and _some(struct.masks):
        raise _CodecFailure
    if struct.larges is not _NOTHING and _some(struct.larges):
        raise _CodecFailure
    if struct.rates is not _NOTHING and _some(struct.rates):
        raise _CodecFailure
    if struct.gone != -1:
        raise _CodecFailure
    if struct.flag is not False and struct.flag is not True:
        raise _CodecFailure
    value = _utf8(struct.text)
    length = len(value)
    out += _pack_tbhHiIqdh(
        struct.flag,
        struct.tiny,
        struct.small,
        struct.port,
        struct.plain,
        struct.mask,
        struct.large,
        struct.rate,
        length,
    )
    out += value
    value = struct.data
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_i(length)
    out += value
    value = struct.batch
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_i(length)
        out += value
    value = struct.plains
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_i[length](*value)
    else:
        _write_numbers(out, value, "i")
    _write_array(out, struct.texts, _write_string)
    _encode_InnerType_v0(struct.inner, out)
    _encode_InnerElement_v0_array(out, struct.inners)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_DeepElement_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 42 * count
            if allowance.left < _LITTLE:
                return _read_structs(_decode_DeepElement_v1_array, (allowance,), 3, 42, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_DeepElement)
        (struct.id,) = _unpack_u(data, pos)
        pos += 16
        struct.id = _uuid_of(struct.id)
        struct.leaves, pos = _read_array(_read_string, data, pos, allowance, 66)
        if struct.leaves is None:
            raise _CodecFailure
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_DeepElement_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not DeepElement:
            _check_instance(struct, DeepElement)
        out += _pack_u(_uuid_bytes(struct.id))
        _write_array(out, struct.leaves, _write_string)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_InnerElement_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
                return _read_structs(_decode_InnerElement_v1_array, (allowance,), 4, 82, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_InnerElement)
        (struct.number,) = _unpack_i(data, pos)
        pos += 4
        struct.deeper, pos = _decode_DeepElement_v1_array(data, pos, allowance)
        if struct.deeper is None:
            raise _CodecFailure
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_InnerElement_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not InnerElement:
            _check_instance(struct, InnerElement)
        out += _pack_i(struct.number)
        _encode_DeepElement_v1_array(out, struct.deeper)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_EveryTypeRequest_v1(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_EveryTypeRequest)
    struct.ids = ()
    struct.last_word = 7
    (
        struct.flag,
        struct.tiny,
        struct.small,
        struct.port,
        struct.plain,
        struct.mask,
        struct.large,
        struct.rate,
        struct.ratio,
        struct.id,
        length,
    ) = _unpack_tbhHiIqdduh(data, pos)
    pos += 56
    struct.id = _uuid_of(struct.id)
    if length >= 0:
        stop = pos + length
        struct.text = data[pos:stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_string(data, pos - 2)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.data = data[pos:stop]
        pos = stop
    else:
        struct.data, pos = _read_bytes(data, pos - 4, data)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.batch = source[pos:stop]
        pos = stop
    else:
        struct.batch, pos = _read_bytes_or_null(data, pos - 4, source)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.flags = _unpackers_t[length + 1](data, pos)
        pos += length
    else:
        struct.flags, pos = _read_numbers(data, pos - 4, "?", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.tinies = _unpackers_b[length + 1](data, pos)
        pos += length
    else:
        struct.tinies, pos = _read_numbers(data, pos - 4, "b", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.smalls = _unpackers_h[length + 1](data, pos)
        pos += 2 * length
    else:
        struct.smalls, pos = _read_numbers(data, pos - 4, "h", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.ports = _unpackers_H[length + 1](data, pos)
        pos += 2 * length
    else:
        struct.ports, pos = _read_numbers(data, pos - 4, "H", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.plains = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.plains, pos = _read_numbers(data, pos - 4, "i", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.masks = _unpackers_I[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.masks, pos = _read_numbers(data, pos - 4, "I", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.larges = _unpackers_q[length + 1](data, pos)
        pos += 8 * length
    else:
        struct.larges, pos = _read_numbers(data, pos - 4, "q", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.rates = _unpackers_d[length + 1](data, pos)
        pos += 8 * length
    else:
        struct.rates, pos = _read_numbers(data, pos - 4, "d", allowance)
    struct.texts, pos = _read_array(_read_string, data, pos, allowance, 66)
    if struct.texts is None:
        raise _CodecFailure
    struct.inner, pos = _decode_InnerType_v0(data, pos, allowance)
    struct.inners, pos = _decode_InnerElement_v1_array(data, pos, allowance)
    if struct.inners is None:
        raise _CodecFailure
    (struct.gone,) = _unpack_i(data, pos)
    pos += 4
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_EveryTypeRequest_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not EveryTypeRequest:
        _check_instance(struct, EveryTypeRequest)
    if struct.flag is not False and struct.flag is not True:
        raise _CodecFailure
    value = _utf8(struct.text)
    length = len(value)
    out += _pack_tbhHiIqdduh(
        struct.flag,
        struct.tiny,
        struct.small,
        struct.port,
        struct.plain,
        struct.mask,
        struct.large,
        struct.rate,
        struct.ratio,
        _uuid_bytes(struct.id),
        length,
    )
    out += value
    value = struct.data
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_i(length)
    out += value
    value = struct.batch
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_i(length)
        out += value
    value = struct.flags
    if type(value) is not tuple:
        value = _array_of(value)
    _check_bools(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_t[length](*value)
    else:
        _write_numbers(out, value, "?")
    value = struct.tinies
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_b[length](*value)
    else:
        _write_numbers(out, value, "b")
    value = struct.smalls
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_h[length](*value)
    else:
        _write_numbers(out, value, "h")
    value = struct.ports
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_H[length](*value)
    else:
        _write_numbers(out, value, "H")
    value = struct.plains
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_i[length](*value)
    else:
        _write_numbers(out, value, "i")
    value = struct.masks
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_I[length](*value)
    else:
        _write_numbers(out, value, "I")
    value = struct.larges
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_q[length](*value)
    else:
        _write_numbers(out, value, "q")
    value = struct.rates
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_d[length](*value)
    else:
        _write_numbers(out, value, "d")
    _write_array(out, struct.texts, _write_string)
    _encode_InnerType_v0(struct.inner, out)
    _encode_InnerElement_v1_array(out, struct.inners)
    out += _pack_i(struct.gone)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_InnerType_v2(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_InnerType)
    struct.before, length = _unpack_hh(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.middle = data[pos:stop].decode()
        pos = stop
    else:
        struct.middle, pos = _read_string(data, pos - 2)
    (struct.after,) = _unpack_q(data, pos)
    pos += 8
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_InnerType_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not InnerType:
        _check_instance(struct, InnerType)
    value = _utf8(struct.middle)
    length = len(value)
    out += _pack_hh(struct.before, length)
    out += value
    out += _pack_q(struct.after)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_EveryTypeRequest_v2(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_EveryTypeRequest)
    struct.last_word = 7
    (
        struct.flag,
        struct.tiny,
        struct.small,
        struct.port,
        struct.plain,
        struct.mask,
        struct.large,
        struct.rate,
        struct.ratio,
        struct.id,
        length,
    ) = _unpack_tbhHiIqdduh(data, pos)
    pos += 56
    struct.id = _uuid_of(struct.id)
    if length >= 0:
        stop = pos + length
        struct.text = data[pos:stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_string(data, pos - 2)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.data = data[pos:stop]
        pos = stop
    else:
        struct.data, pos = _read_bytes(data, pos - 4, data)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.batch = source[pos:stop]
        pos = stop
    else:
        struct.batch, pos = _read_bytes_or_null(data, pos - 4, source)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.flags = _unpackers_t[length + 1](data, pos)
        pos += length
    else:
        struct.flags, pos = _read_numbers(data, pos - 4, "?", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.tinies = _unpackers_b[length + 1](data, pos)
        pos += length
    else:
        struct.tinies, pos = _read_numbers(data, pos - 4, "b", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.smalls = _unpackers_h[length + 1](data, pos)
        pos += 2 * length
    else:
        struct.smalls, pos = _read_numbers(data, pos - 4, "h", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.ports = _unpackers_H[length + 1](data, pos)
        pos += 2 * length
    else:
        struct.ports, pos = _read_numbers(data, pos - 4, "H", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.plains = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.plains, pos = _read_numbers(data, pos - 4, "i", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.masks = _unpackers_I[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.masks, pos = _read_numbers(data, pos - 4, "I", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.larges = _unpackers_q[length + 1](data, pos)
        pos += 8 * length
    else:
        struct.larges, pos = _read_numbers(data, pos - 4, "q", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.rates = _unpackers_d[length + 1](data, pos)
        pos += 8 * length
    else:
        struct.rates, pos = _read_numbers(data, pos - 4, "d", allowance)
    struct.ids, pos = _read_array(_read_uuid, data, pos, allowance, 0)
    if struct.ids is None:
        raise _CodecFailure
    struct.texts, pos = _read_array(_read_string, data, pos, allowance, 66)
    if struct.texts is None:
        raise _CodecFailure
    struct.inner, pos = _decode_InnerType_v2(data, pos, allowance)
    struct.inners, pos = _decode_InnerElement_v1_array(data, pos, allowance)
    if struct.inners is None:
        raise _CodecFailure
    (struct.gone,) = _unpack_i(data, pos)
    pos += 4
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_EveryTypeRequest_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not EveryTypeRequest:
        _check_instance(struct, EveryTypeRequest)
    if struct.flag is not False and struct.flag is not True:
        raise _CodecFailure
    value = _utf8(struct.text)
    length = len(value)
    out += _pack_tbhHiIqdduh(
        struct.flag,
        struct.tiny,
        struct.small,
        struct.port,
        struct.plain,
        struct.mask,
        struct.large,
        struct.rate,
        struct.ratio,
        _uuid_bytes(struct.id),
        length,
    )
    out += value
    value = struct.data
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_i(length)
    out += value
    value = struct.batch
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_i(length)
        out += value
    value = struct.flags
    if type(value) is not tuple:
        value = _array_of(value)
    _check_bools(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_t[length](*value)
    else:
        _write_numbers(out, value, "?")
    value = struct.tinies
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_b[length](*value)
    else:
        _write_numbers(out, value, "b")
    value = struct.smalls
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_h[length](*value)
    else:
        _write_numbers(out, value, "h")
    value = struct.ports
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_H[length](*value)
    else:
        _write_numbers(out, value, "H")
    value = struct.plains
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_i[length](*value)
    else:
        _write_numbers(out, value, "i")
    value = struct.masks
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_I[length](*value)
    else:
        _write_numbers(out, value, "I")
    value = struct.larges
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_q[length](*value)
    else:
        _write_numbers(out, value, "q")
    value = struct.rates
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_d[length](*value)
    else:
        _write_numbers(out, value, "d")
    _write_array(out, struct.ids, _write_uuid)
    _write_array(out, struct.texts, _write_string)
    _encode_InnerType_v2(struct.inner, out)
    _encode_InnerElement_v1_array(out, struct.inners)
    out += _pack_i(struct.gone)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_InnerType_v3(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_InnerType)
    struct.before, length = _unpack_hB(data, pos)
    pos += 3
    if 0 < length < 128:
        stop = pos + length - 1
        struct.middle = data[pos:stop].decode()
        pos = stop
    else:
        struct.middle, pos = _read_compact_string(data, pos - 1)
    struct.after, tag_count = _unpack_qB(data, pos)
    pos += 9
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_InnerType_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not InnerType:
        _check_instance(struct, InnerType)
    value = _utf8(struct.middle)
    length = len(value)
    if length < 127:
        out += _pack_hB(struct.before, length + 1)
    else:
        out += _pack_h(struct.before)
        _write_compact_length(out, length)
    out += value
    out += _pack_qx(struct.after)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_DeepElement_v3_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
            allowance.left -= 62 * count
            if allowance.left < _LITTLE:
                return _read_structs(_decode_DeepElement_v3_array, (allowance,), 9, 62, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_DeepElement)
        (struct.id,) = _unpack_u(data, pos)
        pos += 16
        struct.id = _uuid_of(struct.id)
        struct.leaves, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
        if struct.leaves is None:
            raise _CodecFailure
        if data[pos]:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_DeepElement_v3_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not DeepElement:
            _check_instance(struct, DeepElement)
        out += _pack_u(_uuid_bytes(struct.id))
        _write_compact_array(out, struct.leaves, _write_compact_string)
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_InnerElement_v3_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
                return _read_structs(_decode_InnerElement_v3_array, (allowance,), 10, 102, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_InnerElement)
        (struct.number,) = _unpack_i(data, pos)
        pos += 4
        struct.deeper, pos = _decode_DeepElement_v3_array(data, pos, allowance)
        if struct.deeper is None:
            raise _CodecFailure
        if data[pos]:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_InnerElement_v3_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not InnerElement:
            _check_instance(struct, InnerElement)
        out += _pack_i(struct.number)
        _encode_DeepElement_v3_array(out, struct.deeper)
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_EveryTypeRequest_v3(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_EveryTypeRequest)
    struct.gone = -1
    struct.last_word = 7
    (
        struct.flag,
        struct.tiny,
        struct.small,
        struct.port,
        struct.plain,
        struct.mask,
        struct.large,
        struct.rate,
        struct.ratio,
        struct.id,
        length,
    ) = _unpack_tbhHiIqdduB(data, pos)
    pos += 55
    struct.id = _uuid_of(struct.id)
    if 0 < length < 128:
        stop = pos + length - 1
        struct.text = data[pos:stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_compact_string(data, pos - 1)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.data = data[pos + 1 : stop]
        pos = stop
    else:
        struct.data, pos = _read_compact_bytes(data, pos, data)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.batch = source[pos + 1 : stop]
        pos = stop
    else:
        struct.batch, pos = _read_compact_bytes_or_null(data, pos, source)
    length = data[pos]
    if 0 < length < 32:
        struct.flags = _unpackers_t[length](data, pos + 1)
        pos += length
    else:
        struct.flags, pos = _read_compact_numbers(data, pos, "?", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.tinies = _unpackers_b[length](data, pos + 1)
        pos += length
    else:
        struct.tinies, pos = _read_compact_numbers(data, pos, "b", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.smalls = _unpackers_h[length](data, pos + 1)
        pos += 2 * length - 1
    else:
        struct.smalls, pos = _read_compact_numbers(data, pos, "h", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.ports = _unpackers_H[length](data, pos + 1)
        pos += 2 * length - 1
    else:
        struct.ports, pos = _read_compact_numbers(data, pos, "H", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.plains = _unpackers_i[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.plains, pos = _read_compact_numbers(data, pos, "i", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.masks = _unpackers_I[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.masks, pos = _read_compact_numbers(data, pos, "I", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.larges = _unpackers_q[length](data, pos + 1)
        pos += 8 * length - 7
    else:
        struct.larges, pos = _read_compact_numbers(data, pos, "q", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.rates = _unpackers_d[length](data, pos + 1)
        pos += 8 * length - 7
    else:
        struct.rates, pos = _read_compact_numbers(data, pos, "d", allowance)
    struct.ids, pos = _read_compact_array(_read_uuid, data, pos, allowance, 0)
    if struct.ids is None:
        raise _CodecFailure
    struct.texts, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
    if struct.texts is None:
        raise _CodecFailure
    struct.inner, pos = _decode_InnerType_v3(data, pos, allowance)
    struct.inners, pos = _decode_InnerElement_v3_array(data, pos, allowance)
    if struct.inners is None:
        raise _CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_EveryTypeRequest_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not EveryTypeRequest:
        _check_instance(struct, EveryTypeRequest)
    if struct.gone != -1:
        raise _CodecFailure
    if struct.flag is not False and struct.flag is not True:
        raise _CodecFailure
    value = _utf8(struct.text)
    length = len(value)
    if length < 127:
        out += _pack_tbhHiIqdduB(
            struct.flag,
            struct.tiny,
            struct.small,
            struct.port,
            struct.plain,
            struct.mask,
            struct.large,
            struct.rate,
            struct.ratio,
            _uuid_bytes(struct.id),
            length + 1,
        )
    else:
        out += _pack_tbhHiIqddu(
            struct.flag,
            struct.tiny,
            struct.small,
            struct.port,
            struct.plain,
            struct.mask,
            struct.large,
            struct.rate,
            struct.ratio,
            _uuid_bytes(struct.id),
        )
        _write_compact_length(out, length)
    out += value
    value = struct.data
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_uvarint(out, length + 1)
    out += value
    value = struct.batch
    if value is None:
        out += b"\x00"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        if length < 127:
            out.append(length + 1)
        else:
            _write_uvarint(out, length + 1)
        out += value
    value = struct.flags
    if type(value) is not tuple:
        value = _array_of(value)
    _check_bools(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_t[length](*value)
    else:
        _write_compact_numbers(out, value, "?")
    value = struct.tinies
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_b[length](*value)
    else:
        _write_compact_numbers(out, value, "b")
    value = struct.smalls
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_h[length](*value)
    else:
        _write_compact_numbers(out, value, "h")
    value = struct.ports
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_H[length](*value)
    else:
        _write_compact_numbers(out, value, "H")
    value = struct.plains
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_i[length](*value)
    else:
        _write_compact_numbers(out, value, "i")
    value = struct.masks
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_I[length](*value)
    else:
        _write_compact_numbers(out, value, "I")
    value = struct.larges
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_q[length](*value)
    else:
        _write_compact_numbers(out, value, "q")
    value = struct.rates
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_d[length](*value)
    else:
        _write_compact_numbers(out, value, "d")
    _write_compact_array(out, struct.ids, _write_uuid)
    _write_compact_array(out, struct.texts, _write_compact_string)
    _encode_InnerType_v3(struct.inner, out)
    _encode_InnerElement_v3_array(out, struct.inners)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_EveryTypeRequest_v4(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_EveryTypeRequest)
    struct.plains = ()
    struct.gone = -1
    (
        struct.flag,
        struct.tiny,
        struct.small,
        struct.port,
        struct.plain,
        struct.mask,
        struct.large,
        struct.rate,
        struct.ratio,
        struct.id,
        length,
    ) = _unpack_tbhHiIqdduB(data, pos)
    pos += 55
    struct.id = _uuid_of(struct.id)
    if 0 < length < 128:
        stop = pos + length - 1
        struct.text = data[pos:stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_compact_string(data, pos - 1)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.data = data[pos + 1 : stop]
        pos = stop
    else:
        struct.data, pos = _read_compact_bytes(data, pos, data)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.batch = source[pos + 1 : stop]
        pos = stop
    else:
        struct.batch, pos = _read_compact_bytes_or_null(data, pos, source)
    length = data[pos]
    if 0 < length < 32:
        struct.flags = _unpackers_t[length](data, pos + 1)
        pos += length
    else:
        struct.flags, pos = _read_compact_numbers(data, pos, "?", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.tinies = _unpackers_b[length](data, pos + 1)
        pos += length
    else:
        struct.tinies, pos = _read_compact_numbers(data, pos, "b", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.smalls = _unpackers_h[length](data, pos + 1)
        pos += 2 * length - 1
    else:
        struct.smalls, pos = _read_compact_numbers(data, pos, "h", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.ports = _unpackers_H[length](data, pos + 1)
        pos += 2 * length - 1
    else:
        struct.ports, pos = _read_compact_numbers(data, pos, "H", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.masks = _unpackers_I[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.masks, pos = _read_compact_numbers(data, pos, "I", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.larges = _unpackers_q[length](data, pos + 1)
        pos += 8 * length - 7
    else:
        struct.larges, pos = _read_compact_numbers(data, pos, "q", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.rates = _unpackers_d[length](data, pos + 1)
        pos += 8 * length - 7
    else:
        struct.rates, pos = _read_compact_numbers(data, pos, "d", allowance)
    struct.ids, pos = _read_compact_array(_read_uuid, data, pos, allowance, 0)
    if struct.ids is None:
        raise _CodecFailure
    struct.texts, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
    if struct.texts is None:
        raise _CodecFailure
    struct.inner, pos = _decode_InnerType_v3(data, pos, allowance)
    struct.inners, pos = _decode_InnerElement_v3_array(data, pos, allowance)
    if struct.inners is None:
        raise _CodecFailure
    struct.last_word, tag_count = _unpack_bB(data, pos)
    pos += 2
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_EveryTypeRequest_v4(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not EveryTypeRequest:
        _check_instance(struct, EveryTypeRequest)
    if struct.plains is not _NOTHING and _some(struct.plains):
        raise _CodecFailure
    if struct.gone != -1:
        raise _CodecFailure
    if struct.flag is not False and struct.flag is not True:
        raise _CodecFailure
    value = _utf8(struct.text)
    length = len(value)
    if length < 127:
        out += _pack_tbhHiIqdduB(
            struct.flag,
            struct.tiny,
            struct.small,
            struct.port,
            struct.plain,
            struct.mask,
            struct.large,
            struct.rate,
            struct.ratio,
            _uuid_bytes(struct.id),
            length + 1,
        )
    else:
        out += _pack_tbhHiIqddu(
            struct.flag,
            struct.tiny,
            struct.small,
            struct.port,
            struct.plain,
            struct.mask,
            struct.large,
            struct.rate,
            struct.ratio,
            _uuid_bytes(struct.id),
        )
        _write_compact_length(out, length)
    out += value
    value = struct.data
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_uvarint(out, length + 1)
    out += value
    value = struct.batch
    if value is None:
        out += b"\x00"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        if length < 127:
            out.append(length + 1)
        else:
            _write_uvarint(out, length + 1)
        out += value
    value = struct.flags
    if type(value) is not tuple:
        value = _array_of(value)
    _check_bools(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_t[length](*value)
    else:
        _write_compact_numbers(out, value, "?")
    value = struct.tinies
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_b[length](*value)
    else:
        _write_compact_numbers(out, value, "b")
    value = struct.smalls
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_h[length](*value)
    else:
        _write_compact_numbers(out, value, "h")
    value = struct.ports
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_H[length](*value)
    else:
        _write_compact_numbers(out, value, "H")
    value = struct.masks
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_I[length](*value)
    else:
        _write_compact_numbers(out, value, "I")
    value = struct.larges
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_q[length](*value)
    else:
        _write_compact_numbers(out, value, "q")
    value = struct.rates
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_d[length](*value)
    else:
        _write_compact_numbers(out, value, "d")
    _write_compact_array(out, struct.ids, _write_uuid)
    _write_compact_array(out, struct.texts, _write_compact_string)
    _encode_InnerType_v3(struct.inner, out)
    _encode_InnerElement_v3_array(out, struct.inners)
    out += _pack_bx(struct.last_word)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


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
