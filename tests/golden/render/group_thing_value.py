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

_unpack_iB = _Struct(">iB").unpack_from
_pack_i = _Struct(">i").pack
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
    """Versions 1+; may be null; tag 0; ignorable."""


_args_GroupThingValue = (GroupThingValue,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_GroupThingValue_v0(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_GroupThingValue)
    struct.extra = ""
    struct.epoch, tag_count = _unpack_iB(data, pos)
    pos += 5
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance, (0,))
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_GroupThingValue_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not GroupThingValue:
        _check_instance(struct, GroupThingValue)
    out += _pack_ix(struct.epoch)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, (0,)))


def _decode_GroupThingValue_v1(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_GroupThingValue)
    struct.extra = ""
    struct.epoch, tag_count = _unpack_iB(data, pos)
    pos += 5
    if tag_count:
        pos = _decode_GroupThingValue_v1_tags(struct, data, pos - 1, source, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _decode_GroupThingValue_v1_tags(
    struct: _Any, data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> int:
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
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.extra = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.extra, pos = _read_compact_string_or_null(data, pos)
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_GroupThingValue_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not GroupThingValue:
        _check_instance(struct, GroupThingValue)
    out += _pack_i(struct.epoch)
    tags = [] if struct.unknown_tagged_fields is _NOTHING else _raw_tags(struct.unknown_tagged_fields, (0,))
    if struct.extra != "":
        tagged = bytearray()
        value = struct.extra
        if value is None:
            tagged += b"\x00"
        else:
            value = _utf8(value)
            length = len(value)
            if length < 127:
                tagged.append(length + 1)
            else:
                _write_compact_length(tagged, length)
            tagged += value
        tags.append((0, bytes(tagged)))
    if tags:
        _write_tags(out, tags)
    else:
        out.append(0)


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
