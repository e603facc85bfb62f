"""FlexibleHeader: Kafka header, versions 0-3, flexible in 1-3.

Generated from the message spec FlexibleHeader.
"""

from __future__ import annotations

from struct import Struct as _Struct

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.messages import Codec as _Codec, Message as _Message
from ._runtime.primitives import (
    NOTHING as _NOTHING,
    NEW as _new,
    bytes_of as _bytes_of,
    check_instance as _check_instance,
    no_tags as _no_tags,
    raw_tags as _raw_tags,
    read_array as _read_array,
    read_bytes_or_null as _read_bytes_or_null,
    read_compact_array as _read_compact_array,
    read_compact_bytes_or_null as _read_compact_bytes_or_null,
    read_compact_string as _read_compact_string,
    read_string as _read_string,
    read_string_or_null as _read_string_or_null,
    read_unknown_tags as _read_unknown_tags,
    utf8 as _utf8,
    write_array as _write_array,
    write_compact_array as _write_compact_array,
    write_compact_length as _write_compact_length,
    write_compact_string as _write_compact_string,
    write_string as _write_string,
    write_tags as _write_tags,
)
from ._runtime.structs import dataclass as _dataclass
from ._runtime.varints import write_uvarint as _write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["FlexibleHeader"]

_unpack_h = _Struct(">h").unpack_from
_unpack_i = _Struct(">i").unpack_from
_unpack_ih = _Struct(">ih").unpack_from
_pack_h = _Struct(">h").pack
_pack_i = _Struct(">i").pack
_pack_ih = _Struct(">ih").pack


@_dataclass
class FlexibleHeader(_Message):
    """FlexibleHeader: Kafka header, versions 0-3, flexible in 1-3."""

    KIND = "header"
    VALID_VERSIONS = range(0, 4)
    FLEXIBLE_VERSIONS = range(1, 4)

    correlation_id: int = 0

    client_id: str | None = ""
    """May be null."""

    late_text: str = ""

    late_data: bytes | None = b""
    """May be null."""

    compact: str = ""

    words: tuple[str, ...] = ()


_args_FlexibleHeader = (FlexibleHeader,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_FlexibleHeader_v0(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_FlexibleHeader)
    struct.correlation_id, length = _unpack_ih(data, pos)
    pos += 6
    if length >= 0:
        stop = pos + length
        struct.client_id = data[pos:stop].decode()
        pos = stop
    else:
        struct.client_id, pos = _read_string_or_null(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.late_text = data[pos:stop].decode()
        pos = stop
    else:
        struct.late_text, pos = _read_string(data, pos - 2)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.late_data = data[pos:stop]
        pos = stop
    else:
        struct.late_data, pos = _read_bytes_or_null(data, pos - 4, data)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.compact = data[pos:stop].decode()
        pos = stop
    else:
        struct.compact, pos = _read_string(data, pos - 2)
    struct.words, pos = _read_array(_read_string, data, pos, allowance, 66)
    if struct.words is None:
        raise _CodecFailure
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_FlexibleHeader_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not FlexibleHeader:
        _check_instance(struct, FlexibleHeader)
    value = struct.client_id
    if value is None:
        out += _pack_ih(struct.correlation_id, -1)
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_ih(struct.correlation_id, length)
        out += value
    value = _utf8(struct.late_text)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = struct.late_data
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_i(length)
        out += value
    value = _utf8(struct.compact)
    length = len(value)
    out += _pack_h(length)
    out += value
    _write_array(out, struct.words, _write_string)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_FlexibleHeader_v1(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_FlexibleHeader)
    struct.correlation_id, length = _unpack_ih(data, pos)
    pos += 6
    if length >= 0:
        stop = pos + length
        struct.client_id = data[pos:stop].decode()
        pos = stop
    else:
        struct.client_id, pos = _read_string_or_null(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.late_text = data[pos:stop].decode()
        pos = stop
    else:
        struct.late_text, pos = _read_string(data, pos - 2)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.late_data = data[pos:stop]
        pos = stop
    else:
        struct.late_data, pos = _read_bytes_or_null(data, pos - 4, data)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.compact = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.compact, pos = _read_compact_string(data, pos)
    struct.words, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
    if struct.words is None:
        raise _CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_FlexibleHeader_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not FlexibleHeader:
        _check_instance(struct, FlexibleHeader)
    value = struct.client_id
    if value is None:
        out += _pack_ih(struct.correlation_id, -1)
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_ih(struct.correlation_id, length)
        out += value
    value = _utf8(struct.late_text)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = struct.late_data
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_i(length)
        out += value
    value = _utf8(struct.compact)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    _write_compact_array(out, struct.words, _write_compact_string)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_FlexibleHeader_v2(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_FlexibleHeader)
    struct.correlation_id, length = _unpack_ih(data, pos)
    pos += 6
    if length >= 0:
        stop = pos + length
        struct.client_id = data[pos:stop].decode()
        pos = stop
    else:
        struct.client_id, pos = _read_string_or_null(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.late_text = data[pos:stop].decode()
        pos = stop
    else:
        struct.late_text, pos = _read_string(data, pos - 2)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.late_data = data[pos + 1 : stop]
        pos = stop
    else:
        struct.late_data, pos = _read_compact_bytes_or_null(data, pos, data)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.compact = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.compact, pos = _read_compact_string(data, pos)
    struct.words, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
    if struct.words is None:
        raise _CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_FlexibleHeader_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not FlexibleHeader:
        _check_instance(struct, FlexibleHeader)
    value = struct.client_id
    if value is None:
        out += _pack_ih(struct.correlation_id, -1)
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_ih(struct.correlation_id, length)
        out += value
    value = _utf8(struct.late_text)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = struct.late_data
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
    value = _utf8(struct.compact)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    _write_compact_array(out, struct.words, _write_compact_string)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_FlexibleHeader_v3(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_FlexibleHeader)
    struct.correlation_id, length = _unpack_ih(data, pos)
    pos += 6
    if length >= 0:
        stop = pos + length
        struct.client_id = data[pos:stop].decode()
        pos = stop
    else:
        struct.client_id, pos = _read_string_or_null(data, pos - 2)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.late_text = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.late_text, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.late_data = data[pos + 1 : stop]
        pos = stop
    else:
        struct.late_data, pos = _read_compact_bytes_or_null(data, pos, data)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.compact = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.compact, pos = _read_compact_string(data, pos)
    struct.words, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
    if struct.words is None:
        raise _CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_FlexibleHeader_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not FlexibleHeader:
        _check_instance(struct, FlexibleHeader)
    value = struct.client_id
    if value is None:
        out += _pack_ih(struct.correlation_id, -1)
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_ih(struct.correlation_id, length)
        out += value
    value = _utf8(struct.late_text)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = struct.late_data
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
    value = _utf8(struct.compact)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    _write_compact_array(out, struct.words, _write_compact_string)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 1
message FlexibleHeader header 0-3
struct FlexibleHeader
 correlation_id correlationId int32 0
 client_id clientId string? ""
 late_text lateText string ""
 late_data lateData bytes? ""
 compact compact string ""
 words words []string []
layout 0 FlexibleHeader 0
 correlation_id int32
 client_id string?
 late_text string
 late_data bytes?
 compact string
 words array(string)
layout 1 FlexibleHeader 1 flexible
 correlation_id int32
 client_id string?
 late_text string
 late_data bytes?
 compact compact_string
 words compact_array(compact_string)
layout 2 FlexibleHeader 2 flexible
 correlation_id int32
 client_id string?
 late_text string
 late_data compact_bytes?
 compact compact_string
 words compact_array(compact_string)
layout 3 FlexibleHeader 3 flexible
 correlation_id int32
 client_id string?
 late_text compact_string
 late_data compact_bytes?
 compact compact_string
 words compact_array(compact_string)
"""

FlexibleHeader.CODEC = _Codec(
    readers={
        0: _decode_FlexibleHeader_v0,
        1: _decode_FlexibleHeader_v1,
        2: _decode_FlexibleHeader_v2,
        3: _decode_FlexibleHeader_v3,
    },
    writers={
        0: _encode_FlexibleHeader_v0,
        1: _encode_FlexibleHeader_v1,
        2: _encode_FlexibleHeader_v2,
        3: _encode_FlexibleHeader_v3,
    },
    classes=(FlexibleHeader,),
    plan=_PLAN,
    own=300,
    small=13153,
)
