"""GroupThingKey: Kafka coordinator-key, key 4, versions 0.

Generated from the message spec GroupThingKey.
"""

from __future__ import annotations

from struct import Struct as _Struct

from ._runtime.entities import GroupId as _GroupId
from ._runtime.messages import Codec as _Codec, KeyedMessage as _KeyedMessage
from ._runtime.primitives import (
    NOTHING as _NOTHING,
    NEW as _new,
    check_instance as _check_instance,
    no_tags as _no_tags,
    read_string as _read_string,
    utf8 as _utf8,
)
from ._runtime.structs import dataclass as _dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["GroupThingKey"]

_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack


@_dataclass
class GroupThingKey(_KeyedMessage):
    """GroupThingKey: Kafka coordinator-key, key 4, versions 0."""

    API_KEY = 4
    KIND = "coordinator-key"
    VALID_VERSIONS = range(0, 1)

    group_id: _GroupId = ""
    """A single field without a list around it."""


_args_GroupThingKey = (GroupThingKey,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_GroupThingKey_v0(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_GroupThingKey)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.group_id = data[pos:stop].decode()
        pos = stop
    else:
        struct.group_id, pos = _read_string(data, pos - 2)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_GroupThingKey_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not GroupThingKey:
        _check_instance(struct, GroupThingKey)
    value = _utf8(struct.group_id)
    length = len(value)
    out += _pack_h(length)
    out += value
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


_PLAN = """\
messagegen-plan 1
message GroupThingKey coordinator-key 0
struct GroupThingKey
 group_id groupId string ""
layout 0 GroupThingKey 0
 group_id string
"""

GroupThingKey.CODEC = _Codec(
    readers={
        0: _decode_GroupThingKey_v0,
    },
    writers={
        0: _encode_GroupThingKey_v0,
    },
    classes=(GroupThingKey,),
    plan=_PLAN,
    own=96,
    small=999904,
)
