"""GroupThingValue: Kafka coordinator-value, key 4, versions 0-1, flexible in 0-1.

Generated from the message spec GroupThingValue.
"""

from __future__ import annotations

from struct import Struct as _Struct

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.messages import Codec as _Codec, KeyedMessage as _KeyedMessage
from ._runtime.primitives import (
    NOTHING as _NOTHING,
    NEW as _new,
    check_instance as _check_instance,
    raw_tags as _raw_tags,
    read_compact_string_or_null as _read_compact_string_or_null,
    read_tag_count as _read_tag_count,
    read_unknown_tags as _read_unknown_tags,
    utf8 as _utf8,
    write_compact_length as _write_compact_length,
    write_tags as _write_tags,
)
from ._runtime.structs import dataclass as _dataclass
from ._runtime.varints import read_uvarint as _read_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["GroupThingValue"]

_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_iB = _Struct(">iB").unpack_from
_pack_iB = _Struct(">iB").pack
_unpack_ix = _Struct(">ix").unpack_from
_pack_ix = _Struct(">ix").pack


@_dataclass
class GroupThingValue(_KeyedMessage):
    """GroupThingValue: Kafka coordinator-value, key 4, versions 0-1, flexible in 0-1."""

    API_KEY = 4
    KIND = "coordinator-value"
    VALID_VERSIONS = range(0, 2)
    FLEXIBLE_VERSIONS = range(0, 2)

    epoch: int = 0

    extra: str | None = ""


_args_GroupThingValue = (GroupThingValue,)


def _decode_GroupThingValue_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_GroupThingValue)
    o.extra = ""
    o.epoch, n = _unpack_iB(b, p)
    p += 5
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m, (0,))
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_GroupThingValue_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not GroupThingValue:
        _check_instance(o, GroupThingValue)
    w += _pack_ix(o.epoch)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, (0,)))


def _decode_GroupThingValue_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_GroupThingValue)
    o.extra = ""
    o.epoch, n = _unpack_iB(b, p)
    p += 5
    if n:
        p = _decode_GroupThingValue_v1_tags(o, b, p - 1, z, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _decode_GroupThingValue_v1_tags(o: _Any, b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> int:
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
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.extra = b[p + 1 : e].decode()
                p = e
            else:
                o.extra, p = _read_compact_string_or_null(b, p)
        else:
            unknown.append((tag, b[p:end]))
            p = end
        if p != end:
            raise _CodecFailure
    o.unknown_tagged_fields = tuple(unknown)
    return p


def _encode_GroupThingValue_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not GroupThingValue:
        _check_instance(o, GroupThingValue)
    w += _pack_i(o.epoch)
    tags = [] if o.unknown_tagged_fields is _NOTHING else _raw_tags(o.unknown_tagged_fields, (0,))
    if o.extra != "":
        t = bytearray()
        s = o.extra
        if s is None:
            t += b"\x00"
        else:
            s = _utf8(s)
            n = len(s)
            if n < 127:
                t.append(n + 1)
            else:
                _write_compact_length(t, n)
            t += s
        tags.append((0, bytes(t)))
    if tags:
        _write_tags(w, tags)
    else:
        w.append(0)


_PLAN = """\
messagegen-plan 1
message GroupThingValue coordinator-value 0-1
struct GroupThingValue
 epoch epoch int32 0
 extra extra string? ""
layout 0 GroupThingValue 0 flexible
 epoch int32
 :foreign 0
 :skip extra
layout 1 GroupThingValue 1 flexible
 epoch int32
 :tag 0 extra compact_string?
"""

GroupThingValue.CODEC = _Codec(
    readers={
        0: _decode_GroupThingValue_v0,
        1: _decode_GroupThingValue_v1,
    },
    writers={
        0: _encode_GroupThingValue_v0,
        1: _encode_GroupThingValue_v1,
    },
    classes=(GroupThingValue,),
    plan=_PLAN,
    own=46,
    small=18180,
)
