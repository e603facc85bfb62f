"""ValuesRequest: request, key 1, versions 0-1, flexible in 0-1. One value of each kind.

Generated from the message spec ValuesRequest.
"""

from __future__ import annotations

from struct import Struct as _Format
from uuid import UUID as _UUID

from ._runtime import arrays as _arrays, uuids as _uuids, varints as _varints, wire as _wire
from ._runtime.arrays import packers as _packers, unpackers as _unpackers
from ._runtime.base import Codec as _Codec, dataclass as _dataclass
from ._runtime.errors import Budget as _Budget, SHORT_ARRAY as _SHORT_ARRAY
from ._runtime.messages import Request as _Request
from ._runtime.wire import Any as _Any, NAN as _NAN, NOTHING as _NOTHING, Read as _Read, TUPLE as _TUPLE, new as _new

__all__ = ["ValuesRequest"]

_unpack_tB = _Format(">?B").unpack_from
_unpack_tdB = _Format(">?dB").unpack_from
_pack_t = _Format(">?").pack
_pack_tB = _Format(">?B").pack
_pack_tdx = _Format(">?dx").pack
_unpackers_d = _unpackers("d")
_unpackers_t = _unpackers("?")
_packers_d = _packers("d")
_packers_t = _packers("?")

_CHARGE_unknown_tag = 120
_CHARGE_upacked32 = 37

_INT_0 = 0


@_dataclass
class ValuesRequest(_Request):
    """ValuesRequest: request, key 1, versions 0-1, flexible in 0-1. One value of each kind."""

    API_KEY = 1
    VALID_VERSIONS = range(0, 2)
    FLEXIBLE_VERSIONS = range(0, 2)
    LISTENERS = ("broker",)
    HEADER_VERSIONS = ((0, 1, 2),)

    SENSITIVE = {
        "data": (),
    }

    flag: bool = True

    old: float = _NAN
    """Version 0; ignorable."""

    data: bytes | None = b""
    """Versions 1+; may be null."""

    flags: tuple[bool, ...] | None = ()
    """Versions 1+; may be null."""

    packed: int = 0
    """Versions 1+."""

    halves: tuple[float, ...] = ()
    """Versions 1+."""

    ids: tuple[_UUID, ...] = ()
    """Versions 1+."""

    varints: tuple[int, ...] = ()
    """Versions 1+."""


_args_ValuesRequest = (ValuesRequest,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, budget) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# A compact length is the length + 1 as a varint, 0 for null; it is one byte if it is below 128.
# `budget` limits memory (_runtime/errors.py); `_CHARGE_NAME` is what each element of an array of NAME takes of it.
# Invalid data raises some exception; `Message` (_runtime/base.py) then locates the field by a slower pass.


def _decode_ValuesRequest_v0(data: bytes, pos: int, budget: _Budget) -> _Read:
    struct = _new(*_args_ValuesRequest)
    struct.data = b""
    struct.flags = ()
    struct.packed = 0
    struct.halves = ()
    struct.ids = ()
    struct.varints = ()
    struct.flag, struct.old, tag_count = _unpack_tdB(data, pos)
    pos += 10
    struct.unknown_tagged_fields = ()
    if tag_count:
        struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos - 1, budget, _CHARGE_unknown_tag)
    return struct, pos


def _encode_ValuesRequest_v0(struct: _Any, out: bytearray) -> None:
    if struct.flags is not _NOTHING:
        _wire.check_defaults(struct, ValuesRequest, "flags")
    if struct.packed is not _INT_0:
        _wire.check_defaults(struct, ValuesRequest, "packed")
    if struct.halves is not _NOTHING:
        _wire.check_defaults(struct, ValuesRequest, "halves")
    if struct.ids is not _NOTHING:
        _wire.check_defaults(struct, ValuesRequest, "ids")
    if struct.varints is not _NOTHING:
        _wire.check_defaults(struct, ValuesRequest, "varints")
    _wire.check_defaults(struct, ValuesRequest, "data")
    if type(struct.flag) is not bool:
        raise _wire.CodecFailure
    out += _pack_tdx(struct.flag, struct.old)
    if struct.unknown_tagged_fields is not _NOTHING:
        _wire.replace_tags(out, struct.unknown_tagged_fields, ())


def _decode_ValuesRequest_v1(data: bytes, pos: int, budget: _Budget) -> _Read:
    struct = _new(*_args_ValuesRequest)
    struct.old = _NAN
    struct.flag, length = _unpack_tB(data, pos)
    pos += 1
    if 0 < length < 128:
        struct.data = data[pos + 1 : (pos := pos + length)]
    else:
        struct.data, pos = _arrays.read_compact_bytes(data, pos, True)
    if 0 < (length := data[pos]) <= _SHORT_ARRAY:
        struct.flags = _unpackers_t[length](data, pos + 1)
        pos += length
    else:
        struct.flags, pos = _arrays.read_numbers("?", data, pos, budget, 0, True, True)
    struct.packed, pos = _varints.read_packed(data, pos, 64)
    if (length := data[pos]) <= _SHORT_ARRAY:
        struct.halves = _unpackers_d[length](data, pos + 1)
        pos += 8 * length - 7
    else:
        struct.halves, pos = _arrays.read_numbers("d", data, pos, budget, 0, True, False)
    struct.ids, pos = _arrays.read_array(_uuids.read_uuid, data, pos, budget, 0, True, False)
    struct.varints, pos = _arrays.read_array(
        lambda data, pos: _varints.read_upacked(data, pos, 32),
        data,
        pos,
        budget,
        _CHARGE_upacked32,
        True,
        False,
    )
    if data[pos]:
        struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos, budget, _CHARGE_unknown_tag)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_ValuesRequest_v1(struct: _Any, out: bytearray) -> None:
    if type(struct.flag) is not bool:
        raise _wire.CodecFailure
    if (value := struct.data) is None:
        out += _pack_tB(struct.flag, 0)
    else:
        if type(value) is not bytes:
            value = _wire.bytes_of(value)
        if (length := len(value) + 1) < 128:
            out += _pack_tB(struct.flag, length)
        else:
            out += _pack_t(struct.flag)
            _wire.write_uvarint(out, length)
        out += value
    if (value := struct.flags) is None:
        out.append(0)
    else:
        if type(value) is not _TUPLE:
            value = _wire.array_of(value)
        if not {*map(type, value)} <= {bool}:
            raise _wire.CodecFailure
        if (length := len(value)) < _SHORT_ARRAY:
            out.append(length + 1)
            out += _packers_t[length](*value)
        else:
            _arrays.write_numbers(out, value, "?", True)
    _varints.write_packed(out, struct.packed, 64)
    value = struct.halves
    if type(value) is not _TUPLE:
        value = _wire.array_of(value)
    if (length := len(value)) < _SHORT_ARRAY:
        out.append(length + 1)
        out += _packers_d[length](*value)
    else:
        _arrays.write_numbers(out, value, "d", True)
    _arrays.write_array(out, struct.ids, _uuids.write_uuid, True)
    _arrays.write_array(out, struct.varints, lambda out, value: _varints.write_upacked(out, value, 32), True)
    out.append(0)
    if struct.unknown_tagged_fields is not _NOTHING:
        _wire.replace_tags(out, struct.unknown_tagged_fields, ())


_PLAN = """\
messagegen-plan 3
message ValuesRequest request 0-1
struct ValuesRequest
 flag flag bool true
 old old float64 NaN
 data data bytes? ""
 flags flags []bool? []
 packed packed int64 0
 halves halves []float64 []
 ids ids []uuid []
 varints varints []int32 []
 :sensitive data
layout 0 ValuesRequest 0 flexible 120
 flag bool
 + old float64
 :guard data flags packed halves ids varints
layout 1 ValuesRequest 1 flexible 120
 flag bool
 data compact_bytes?
 flags compact_array(bool)?
 packed packed64
 halves compact_array(float64)
 ids compact_array(uuid)
 varints compact_array(upacked32,37)
 :skip old
"""

ValuesRequest.CODEC = _Codec(
    [
        (0, 0, _decode_ValuesRequest_v0, _encode_ValuesRequest_v0),
        (1, 1, _decode_ValuesRequest_v1, _encode_ValuesRequest_v1),
    ],
    (ValuesRequest,),
    _PLAN,
    small=20000,
)
