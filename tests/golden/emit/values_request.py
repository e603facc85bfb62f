"""ValuesRequest: request, key 1, versions 0-1, flexible in 1. One value of each kind.

Generated from the message spec ValuesRequest.
"""

from __future__ import annotations

from struct import Struct as _Format
from uuid import UUID as _UUID

from ._runtime import numbers as _numbers, uuids as _uuids, varints as _varints, wire as _wire
from ._runtime.entities import BrokerId as _BrokerId, TopicName as _TopicName
from ._runtime.base import Codec as _Codec
from ._runtime.messages import Request as _Request
from ._runtime.numbers import COUNTS as _COUNTS, packers as _packers, unpackers as _unpackers
from ._runtime.structs import dataclass as _dataclass
from ._runtime.uuids import ZERO_UUID as _ZERO_UUID, uuid_bytes as _uuid_bytes, uuid_of as _uuid_of
from ._runtime.wire import Any as _Any, Budget as _Budget, NAN as _NAN, NOTHING as _NOTHING, Read as _Read
from ._runtime.wire import Source as _Source, TUPLE as _TUPLE, new as _new, utf8 as _utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .structs_response import StructsResponse as _Partner

__all__ = ["ValuesRequest"]

_unpack_HB = _Format(">HB").unpack_from
_unpack_di = _Format(">di").unpack_from
_unpack_i = _Format(">i").unpack_from
_unpack_utB = _Format(">16s?B").unpack_from
_unpack_uth = _Format(">16s?h").unpack_from
_pack_H = _Format(">H").pack
_pack_HB = _Format(">HB").pack
_pack_di = _Format(">di").pack
_pack_i = _Format(">i").pack
_pack_ut = _Format(">16s?").pack
_pack_utB = _Format(">16s?B").pack
_pack_uth = _Format(">16s?h").pack
_unpackers_d = _unpackers("d")
_unpackers_i = _unpackers("i")
_unpackers_t = _unpackers("?")
_packers_d = _packers("d")
_packers_i = _packers("i")
_packers_t = _packers("?")


@_dataclass
class ValuesRequest(_Request):
    """ValuesRequest: request, key 1, versions 0-1, flexible in 1. One value of each kind."""

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

    halves: tuple[float, ...] = ()
    """Versions 1+."""

    ids: tuple[_UUID, ...] = ()
    """Versions 1+."""

    varints: tuple[int, ...] = ()
    """Versions 1+."""

    @classmethod
    def response_class(cls) -> type[_Partner]:
        """The class of the response."""
        from .structs_response import StructsResponse

        return StructsResponse


_args_ValuesRequest = (ValuesRequest,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, budget) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `budget` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_ValuesRequest_v0(data: bytes, pos: int, source: _Source, budget: _Budget) -> _Read:
    struct = _new(*_args_ValuesRequest)
    struct.new = 0
    struct.flags = ()
    struct.words = ()
    struct.packed = 0
    struct.halves = ()
    struct.ids = ()
    struct.varints = ()
    struct.id, struct.flag, length = _unpack_uth(data, pos)
    pos += 19
    struct.id = _uuid_of(struct.id)
    struct.text = data[pos : (pos := pos + length)].decode() if length >= 0 else _wire.not_null(None)
    struct.old, length = _unpack_di(data, pos)
    pos += 12
    struct.data = source[pos : (pos := pos + length)] if length >= 0 else None
    (length,) = _unpack_i(data, pos)
    pos += 4
    struct.batch = source[pos : (pos := pos + length)] if length >= 0 else None
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.replicas = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.replicas, pos = _numbers.read_numbers(data, pos - 4, "i", budget)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.in_sync = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.in_sync, pos = _numbers.read_numbers(data, pos - 4, "i", budget)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_ValuesRequest_v0(struct: _Any, out: bytearray) -> None:
    if struct.flags is not _NOTHING and _wire.some(struct.flags):
        raise _wire.CodecFailure
    if struct.words is not _NOTHING and _wire.some(struct.words) or struct.packed != 0:
        raise _wire.CodecFailure
    if struct.halves is not _NOTHING and _wire.some(struct.halves):
        raise _wire.CodecFailure
    if struct.ids is not _NOTHING and _wire.some(struct.ids):
        raise _wire.CodecFailure
    if struct.varints is not _NOTHING and _wire.some(struct.varints):
        raise _wire.CodecFailure
    if struct.flag is not False and struct.flag is not True:
        raise _wire.CodecFailure
    value = _utf8(struct.text)
    out += _pack_uth(_uuid_bytes(struct.id), struct.flag, len(value))
    out += value
    if (value := struct.data) is None:
        out += _pack_di(struct.old, -1)
    else:
        if type(value) is not bytes:
            value = _wire.bytes_of(value)
        out += _pack_di(struct.old, len(value))
        out += value
    if (value := struct.batch) is None:
        out += _pack_i(-1)
    else:
        if type(value) is not bytes:
            value = _wire.bytes_of(value)
        out += _pack_i(len(value))
        out += value
    value = struct.replicas
    if type(value) is not _TUPLE:
        value = _wire.array_of(value)
    if (length := len(value)) < 31:
        out += _COUNTS[length]
        out += _packers_i[length](*value)
    else:
        _numbers.write_numbers(out, value, "i")
    value = struct.in_sync
    if type(value) is not _TUPLE:
        value = _wire.array_of(value)
    if (length := len(value)) < 31:
        out += _COUNTS[length]
        out += _packers_i[length](*value)
    else:
        _numbers.write_numbers(out, value, "i")
    if struct.unknown_tagged_fields is not _NOTHING:
        _wire.no_tags(struct.unknown_tagged_fields)


def _decode_ValuesRequest_v1(data: bytes, pos: int, source: _Source, budget: _Budget) -> _Read:
    struct = _new(*_args_ValuesRequest)
    struct.old = _NAN
    struct.id, struct.flag, length = _unpack_utB(data, pos)
    pos += 18
    struct.id = _uuid_of(struct.id)
    if 0 < length < 128:
        struct.text = data[pos : (pos := pos + length - 1)].decode()
    else:
        struct.text, pos = _wire.read_compact_string_or_null(data, pos - 1)
    struct.new, length = _unpack_HB(data, pos)
    pos += 3
    if 0 < length < 128:
        struct.data = source[pos : (pos := pos + length - 1)]
    else:
        struct.data, pos = _wire.read_compact_bytes_or_null(data, pos - 1, source)
    if 0 < (length := data[pos]) < 128:
        struct.batch = source[pos + 1 : (pos := pos + length)]
    else:
        struct.batch, pos = _wire.read_compact_bytes_or_null(data, pos, source)
    if (length := data[pos]) < 32:
        struct.replicas = _unpackers_i[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.replicas, pos = _numbers.read_compact_numbers(data, pos, "i", budget)
    if (length := data[pos]) < 32:
        struct.in_sync = _unpackers_i[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.in_sync, pos = _numbers.read_compact_numbers(data, pos, "i", budget)
    if 0 < (length := data[pos]) < 32:
        struct.flags = _unpackers_t[length](data, pos + 1)
        pos += length
    else:
        struct.flags, pos = _numbers.read_compact_numbers_or_null(data, pos, "?", budget)
    struct.words, pos = _wire.read_compact_array(_wire.read_compact_string, data, pos, budget, 76)
    struct.packed, pos = _varints.read_packed(data, pos, 64)
    if (length := data[pos]) < 32:
        struct.halves = _unpackers_d[length](data, pos + 1)
        pos += 8 * length - 7
    else:
        struct.halves, pos = _numbers.read_compact_numbers(data, pos, "d", budget)
    struct.ids, pos = _wire.read_compact_array(_uuids.read_uuid, data, pos, budget, 0)
    if struct.ids is None:
        raise _wire.CodecFailure
    (
        struct.varints,
        pos,
    ) = _wire.read_compact_array(lambda data, pos: _varints.read_upacked(data, pos, 32), data, pos, budget, 40)
    if struct.varints is None:
        raise _wire.CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos, budget)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_ValuesRequest_v1(struct: _Any, out: bytearray) -> None:
    if struct.old != _NAN:
        raise _wire.CodecFailure
    if struct.flag is not False and struct.flag is not True:
        raise _wire.CodecFailure
    if (value := struct.text) is None:
        out += _pack_utB(_uuid_bytes(struct.id), struct.flag, 0)
    else:
        value = _utf8(value)
        if (length := len(value)) < 127:
            out += _pack_utB(_uuid_bytes(struct.id), struct.flag, length + 1)
        else:
            out += _pack_ut(_uuid_bytes(struct.id), struct.flag)
            _wire.write_compact_length(out, length)
        out += value
    if (value := struct.data) is None:
        out += _pack_HB(struct.new, 0)
    else:
        if type(value) is not bytes:
            value = _wire.bytes_of(value)
        if (length := len(value)) < 127:
            out += _pack_HB(struct.new, length + 1)
        else:
            out += _pack_H(struct.new)
            _wire.write_uvarint(out, length + 1)
        out += value
    if (value := struct.batch) is None:
        out.append(0)
    else:
        if type(value) is not bytes:
            value = _wire.bytes_of(value)
        if (length := len(value)) < 127:
            out.append(length + 1)
        else:
            _wire.write_uvarint(out, length + 1)
        out += value
    value = struct.replicas
    if type(value) is not _TUPLE:
        value = _wire.array_of(value)
    if (length := len(value)) < 31:
        out.append(length + 1)
        out += _packers_i[length](*value)
    else:
        _numbers.write_compact_numbers(out, value, "i")
    value = struct.in_sync
    if type(value) is not _TUPLE:
        value = _wire.array_of(value)
    if (length := len(value)) < 31:
        out.append(length + 1)
        out += _packers_i[length](*value)
    else:
        _numbers.write_compact_numbers(out, value, "i")
    if (value := struct.flags) is None:
        out.append(0)
    else:
        if type(value) is not _TUPLE:
            value = _wire.array_of(value)
        _wire.check_bools(value)
        if (length := len(value)) < 31:
            out.append(length + 1)
            out += _packers_t[length](*value)
        else:
            _numbers.write_compact_numbers(out, value, "?")
    if (value := struct.words) is None:
        out.append(0)
    else:
        _wire.write_compact_array(out, value, _wire.write_compact_string)
    _varints.write_packed(out, struct.packed, 64)
    value = struct.halves
    if type(value) is not _TUPLE:
        value = _wire.array_of(value)
    if (length := len(value)) < 31:
        out.append(length + 1)
        out += _packers_d[length](*value)
    else:
        _numbers.write_compact_numbers(out, value, "d")
    _wire.write_compact_array(out, struct.ids, _uuids.write_uuid)
    _wire.write_compact_array(out, struct.varints, lambda out, value: _varints.write_upacked(out, value, 32))
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _wire.write_tags(out, _wire.raw_tags(struct.unknown_tagged_fields, ()))


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
 halves halves []float64 []
 ids ids []uuid []
 varints varints []int32 []
 :about "One value of each kind."
 :about id "Read and written together with what follows."
 :about new "Left out of version 0."
 :about in_sync "Often the same as Replicas."
 :versions 0 old
 :versions 1 new flags words packed halves ids varints
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
 :guard flags words packed halves ids varints
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
 halves compact_array(float64)
 ids compact_array(uuid)
 varints compact_array(upacked32)
 :guard old
"""

ValuesRequest.CODEC = _Codec(
    [
        (0, 0, _decode_ValuesRequest_v0, _encode_ValuesRequest_v0),
        (1, 1, _decode_ValuesRequest_v1, _encode_ValuesRequest_v1),
    ],
    (ValuesRequest,),
    _PLAN,
    own=846,
    small=13146,
)
