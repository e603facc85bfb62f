"""ValuesRequest: Kafka request, key 1, versions 0-1, flexible in 1. One value of each kind.

Generated from the message spec ValuesRequest.
"""

from __future__ import annotations

from struct import Struct as _Struct
from uuid import UUID as _UUID

from ._runtime.codecs import Codec as _Codec
from ._runtime.entities import BrokerId as _BrokerId, TopicName as _TopicName
from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.messages import Request as _Request
from ._runtime.numbers import (
    COUNTS as _COUNTS,
    packers as _packers,
    read_compact_numbers as _read_compact_numbers,
    read_compact_numbers_or_null as _read_compact_numbers_or_null,
    read_numbers as _read_numbers,
    unpackers as _unpackers,
    write_compact_numbers as _write_compact_numbers,
    write_numbers as _write_numbers,
)
from ._runtime.structs import dataclass as _dataclass
from ._runtime.uuids import ZERO as _ZERO_UUID, uuid_bytes as _uuid_bytes, uuid_of as _uuid_of
from ._runtime.varints import (
    read_packed64 as _read_packed64,
    write_packed64 as _write_packed64,
    write_uvarint as _write_uvarint,
)
from ._runtime.wire import (
    NAN as _NAN,
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    bytes_of as _bytes_of,
    check_bools as _check_bools,
    check_instance as _check_instance,
    no_tags as _no_tags,
    raw_tags as _raw_tags,
    read_bytes_or_null as _read_bytes_or_null,
    read_compact_array as _read_compact_array,
    read_compact_bytes_or_null as _read_compact_bytes_or_null,
    read_compact_string as _read_compact_string,
    read_compact_string_or_null as _read_compact_string_or_null,
    read_string as _read_string,
    read_unknown_tags as _read_unknown_tags,
    some as _some,
    utf8 as _utf8,
    write_compact_array as _write_compact_array,
    write_compact_length as _write_compact_length,
    write_compact_string as _write_compact_string,
    write_tags as _write_tags,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from .structs_response import StructsResponse as _Partner

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["ValuesRequest"]

_unpack_HB = _Struct(">HB").unpack_from
_unpack_di = _Struct(">di").unpack_from
_unpack_i = _Struct(">i").unpack_from
_unpack_utB = _Struct(">16s?B").unpack_from
_unpack_uth = _Struct(">16s?h").unpack_from
_pack_H = _Struct(">H").pack
_pack_HB = _Struct(">HB").pack
_pack_di = _Struct(">di").pack
_pack_i = _Struct(">i").pack
_pack_ut = _Struct(">16s?").pack
_pack_utB = _Struct(">16s?B").pack
_pack_uth = _Struct(">16s?h").pack
_unpackers_i = _unpackers("i")
_unpackers_t = _unpackers("?")
_packers_i = _packers("i")
_packers_t = _packers("?")


@_dataclass
class ValuesRequest(_Request):
    """ValuesRequest: Kafka request, key 1, versions 0-1, flexible in 1. One value of each
    kind."""

    API_KEY = 1
    KIND = "request"
    VALID_VERSIONS = range(0, 2)
    FLEXIBLE_VERSIONS = range(1, 2)
    LISTENERS = ("broker",)
    HEADER_VERSIONS = ((0, 0, 1), (1, 1, 2))

    SENSITIVE = {"data": ()}

    id: _UUID = _ZERO_UUID
    """Read and written together with what follows."""

    flag: bool = True
    """Default True."""

    text: _TopicName | None = ""
    """May be null in versions 1+."""

    old: float = _NAN
    """Version 0; default nan."""

    new: int = 0
    """Left out of version 0.

    Versions 1+; ignorable.
    """

    data: bytes | memoryview | None = b""
    """May be null."""

    batch: bytes | memoryview | None = None
    """May be null; default null."""

    replicas: tuple[_BrokerId, ...] = ()

    in_sync: tuple[int, ...] = ()
    """Often the same as Replicas."""

    flags: tuple[bool, ...] | None = ()
    """Versions 1+; may be null."""

    words: tuple[str, ...] | None = ()
    """Versions 1+; may be null."""

    packed: int = 0
    """Versions 1+."""

    @classmethod
    def response_class(cls) -> type[_Partner]:
        """The class of the response."""
        from .structs_response import StructsResponse

        return StructsResponse


_args_ValuesRequest = (ValuesRequest,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_ValuesRequest_v0(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_ValuesRequest)
    struct.new = 0
    struct.flags = ()
    struct.words = ()
    struct.packed = 0
    struct.id, struct.flag, length = _unpack_uth(data, pos)
    pos += 19
    struct.id = _uuid_of(struct.id)
    if length >= 0:
        stop = pos + length
        struct.text = data[pos:stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_string(data, pos - 2)
    struct.old, length = _unpack_di(data, pos)
    pos += 12
    if length >= 0:
        stop = pos + length
        struct.data = source[pos:stop]
        pos = stop
    else:
        struct.data, pos = _read_bytes_or_null(data, pos - 4, source)
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
        struct.replicas = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.replicas, pos = _read_numbers(data, pos - 4, "i", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.in_sync = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.in_sync, pos = _read_numbers(data, pos - 4, "i", allowance)
    if struct.in_sync == struct.replicas:
        struct.in_sync = struct.replicas
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_ValuesRequest_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not ValuesRequest:
        _check_instance(struct, ValuesRequest)
    if struct.flags is not _NOTHING and _some(struct.flags):
        raise _CodecFailure
    if struct.words is not _NOTHING and _some(struct.words):
        raise _CodecFailure
    if struct.packed != 0:
        raise _CodecFailure
    if struct.flag is not False and struct.flag is not True:
        raise _CodecFailure
    value = _utf8(struct.text)
    length = len(value)
    out += _pack_uth(_uuid_bytes(struct.id), struct.flag, length)
    out += value
    value = struct.data
    if value is None:
        out += _pack_di(struct.old, -1)
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_di(struct.old, length)
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
    value = struct.replicas
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_i[length](*value)
    else:
        _write_numbers(out, value, "i")
    value = struct.in_sync
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_i[length](*value)
    else:
        _write_numbers(out, value, "i")
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_ValuesRequest_v1(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_ValuesRequest)
    struct.old = _NAN
    struct.id, struct.flag, length = _unpack_utB(data, pos)
    pos += 18
    struct.id = _uuid_of(struct.id)
    if 0 < length < 128:
        stop = pos + length - 1
        struct.text = data[pos:stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_compact_string_or_null(data, pos - 1)
    struct.new, length = _unpack_HB(data, pos)
    pos += 3
    if 0 < length < 128:
        stop = pos + length - 1
        struct.data = source[pos:stop]
        pos = stop
    else:
        struct.data, pos = _read_compact_bytes_or_null(data, pos - 1, source)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.batch = source[pos + 1 : stop]
        pos = stop
    else:
        struct.batch, pos = _read_compact_bytes_or_null(data, pos, source)
    length = data[pos]
    if 0 < length < 32:
        struct.replicas = _unpackers_i[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.replicas, pos = _read_compact_numbers(data, pos, "i", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.in_sync = _unpackers_i[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.in_sync, pos = _read_compact_numbers(data, pos, "i", allowance)
    if struct.in_sync == struct.replicas:
        struct.in_sync = struct.replicas
    length = data[pos]
    if 0 < length < 32:
        struct.flags = _unpackers_t[length](data, pos + 1)
        pos += length
    else:
        struct.flags, pos = _read_compact_numbers_or_null(data, pos, "?", allowance)
    struct.words, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
    struct.packed, pos = _read_packed64(data, pos)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_ValuesRequest_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not ValuesRequest:
        _check_instance(struct, ValuesRequest)
    if struct.old != _NAN:
        raise _CodecFailure
    if struct.flag is not False and struct.flag is not True:
        raise _CodecFailure
    value = struct.text
    if value is None:
        out += _pack_utB(_uuid_bytes(struct.id), struct.flag, 0)
    else:
        value = _utf8(value)
        length = len(value)
        if length < 127:
            out += _pack_utB(_uuid_bytes(struct.id), struct.flag, length + 1)
        else:
            out += _pack_ut(_uuid_bytes(struct.id), struct.flag)
            _write_compact_length(out, length)
        out += value
    value = struct.data
    if value is None:
        out += _pack_HB(struct.new, 0)
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        if length < 127:
            out += _pack_HB(struct.new, length + 1)
        else:
            out += _pack_H(struct.new)
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
    value = struct.replicas
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_i[length](*value)
    else:
        _write_compact_numbers(out, value, "i")
    value = struct.in_sync
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_i[length](*value)
    else:
        _write_compact_numbers(out, value, "i")
    value = struct.flags
    if value is None:
        out += b"\x00"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        _check_bools(value)
        length = len(value)
        if length < 31:
            out.append(length + 1)
            out += _packers_t[length](*value)
        else:
            _write_compact_numbers(out, value, "?")
    if struct.words is None:
        out += b"\x00"
    else:
        _write_compact_array(out, struct.words, _write_compact_string)
    _write_packed64(out, struct.packed)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 2
message ValuesRequest request 0-1
 :about "One value of each kind."
 :api_key 1
 :flexible 1
 :listeners broker
 :header 0 1
 :header 1 2
struct ValuesRequest
 id id uuid "00000000000000000000000000000000"
 flag flag bool true
 text text string? ""
 old old float64 NaN
 new new uint16 0
 data data bytes? ""
 batch batch records? null
 replicas replicas []int32 []
 in_sync inSync []int32 []
 flags flags []bool? []
 words words []string? []
 packed packed int64 0
 :about "One value of each kind."
 :about id "Read and written together with what follows."
 :about new "Left out of version 0."
 :about in_sync "Often the same as Replicas."
 :versions 0 old
 :versions 1 new flags words packed
 :nullable 1 text flags words
 :nullable 0-1 data batch
 :ignorable new
 :zero_copy data batch
 :entity_type topicName text
 :entity_type brokerId replicas
 :sensitive data
layout 0 ValuesRequest 0
 id uuid
 + flag bool
 text string
 old float64
 data bytes?&
 batch records?&
 replicas array(int32)
 in_sync array(int32)
 :guard flags words packed
 :skip new
layout 1 ValuesRequest 1 flexible
 id uuid
 + flag bool
 text compact_string?
 new uint16
 data compact_bytes?&
 batch compact_records?&
 replicas compact_array(int32)
 in_sync compact_array(int32)
 flags compact_array(bool)?
 words compact_array(compact_string)?
 packed packed64
 :guard old
"""

ValuesRequest.CODEC = _Codec(
    readers={
        0: _decode_ValuesRequest_v0,
        1: _decode_ValuesRequest_v1,
    },
    writers={
        0: _encode_ValuesRequest_v0,
        1: _encode_ValuesRequest_v1,
    },
    classes=(ValuesRequest,),
    plan=_PLAN,
    own=716,
    small=13148,
)
