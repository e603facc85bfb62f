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
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_ih = _Struct(">ih").unpack_from
_pack_ih = _Struct(">ih").pack


@_dataclass
class FlexibleHeader(_Message):
    """FlexibleHeader: Kafka header, versions 0-3, flexible in 1-3."""

    KIND = "header"
    VALID_VERSIONS = range(0, 4)
    FLEXIBLE_VERSIONS = range(1, 4)

    correlation_id: int = 0

    client_id: str | None = ""

    late_text: str = ""

    late_data: bytes | None = b""

    compact: str = ""

    words: tuple[str, ...] = ()


_args_FlexibleHeader = (FlexibleHeader,)


def _decode_FlexibleHeader_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_FlexibleHeader)
    o.correlation_id, n = _unpack_ih(b, p)
    p += 6
    if n >= 0:
        e = p + n
        o.client_id = b[p:e].decode()
        p = e
    else:
        o.client_id, p = _read_string_or_null(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.late_text = b[p:e].decode()
        p = e
    else:
        o.late_text, p = _read_string(b, p - 2)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.late_data = b[p:e]
        p = e
    else:
        o.late_data, p = _read_bytes_or_null(b, p - 4, b)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.compact = b[p:e].decode()
        p = e
    else:
        o.compact, p = _read_string(b, p - 2)
    o.words, p = _read_array(_read_string, b, p, m, 66)
    if o.words is None:
        raise _CodecFailure
    o.unknown_tagged_fields = ()
    return o, p


def _encode_FlexibleHeader_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not FlexibleHeader:
        _check_instance(o, FlexibleHeader)
    s = o.client_id
    if s is None:
        w += _pack_ih(o.correlation_id, -1)
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_ih(o.correlation_id, n)
        w += s
    s = _utf8(o.late_text)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = o.late_data
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        w += _pack_i(n)
        w += s
    s = _utf8(o.compact)
    n = len(s)
    w += _pack_h(n)
    w += s
    _write_array(w, o.words, _write_string)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_FlexibleHeader_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_FlexibleHeader)
    o.correlation_id, n = _unpack_ih(b, p)
    p += 6
    if n >= 0:
        e = p + n
        o.client_id = b[p:e].decode()
        p = e
    else:
        o.client_id, p = _read_string_or_null(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.late_text = b[p:e].decode()
        p = e
    else:
        o.late_text, p = _read_string(b, p - 2)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.late_data = b[p:e]
        p = e
    else:
        o.late_data, p = _read_bytes_or_null(b, p - 4, b)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.compact = b[p + 1 : e].decode()
        p = e
    else:
        o.compact, p = _read_compact_string(b, p)
    o.words, p = _read_compact_array(_read_compact_string, b, p, m, 76)
    if o.words is None:
        raise _CodecFailure
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_FlexibleHeader_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not FlexibleHeader:
        _check_instance(o, FlexibleHeader)
    s = o.client_id
    if s is None:
        w += _pack_ih(o.correlation_id, -1)
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_ih(o.correlation_id, n)
        w += s
    s = _utf8(o.late_text)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = o.late_data
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        w += _pack_i(n)
        w += s
    s = _utf8(o.compact)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    _write_compact_array(w, o.words, _write_compact_string)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_FlexibleHeader_v2(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_FlexibleHeader)
    o.correlation_id, n = _unpack_ih(b, p)
    p += 6
    if n >= 0:
        e = p + n
        o.client_id = b[p:e].decode()
        p = e
    else:
        o.client_id, p = _read_string_or_null(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.late_text = b[p:e].decode()
        p = e
    else:
        o.late_text, p = _read_string(b, p - 2)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.late_data = b[p + 1 : e]
        p = e
    else:
        o.late_data, p = _read_compact_bytes_or_null(b, p, b)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.compact = b[p + 1 : e].decode()
        p = e
    else:
        o.compact, p = _read_compact_string(b, p)
    o.words, p = _read_compact_array(_read_compact_string, b, p, m, 76)
    if o.words is None:
        raise _CodecFailure
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_FlexibleHeader_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not FlexibleHeader:
        _check_instance(o, FlexibleHeader)
    s = o.client_id
    if s is None:
        w += _pack_ih(o.correlation_id, -1)
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_ih(o.correlation_id, n)
        w += s
    s = _utf8(o.late_text)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = o.late_data
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
    s = _utf8(o.compact)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    _write_compact_array(w, o.words, _write_compact_string)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_FlexibleHeader_v3(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_FlexibleHeader)
    o.correlation_id, n = _unpack_ih(b, p)
    p += 6
    if n >= 0:
        e = p + n
        o.client_id = b[p:e].decode()
        p = e
    else:
        o.client_id, p = _read_string_or_null(b, p - 2)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.late_text = b[p + 1 : e].decode()
        p = e
    else:
        o.late_text, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.late_data = b[p + 1 : e]
        p = e
    else:
        o.late_data, p = _read_compact_bytes_or_null(b, p, b)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.compact = b[p + 1 : e].decode()
        p = e
    else:
        o.compact, p = _read_compact_string(b, p)
    o.words, p = _read_compact_array(_read_compact_string, b, p, m, 76)
    if o.words is None:
        raise _CodecFailure
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_FlexibleHeader_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not FlexibleHeader:
        _check_instance(o, FlexibleHeader)
    s = o.client_id
    if s is None:
        w += _pack_ih(o.correlation_id, -1)
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_ih(o.correlation_id, n)
        w += s
    s = _utf8(o.late_text)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = o.late_data
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
    s = _utf8(o.compact)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    _write_compact_array(w, o.words, _write_compact_string)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


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
