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
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack


@_dataclass
class GroupThingKey(_KeyedMessage):
    """GroupThingKey: Kafka coordinator-key, key 4, versions 0."""

    API_KEY = 4
    KIND = "coordinator-key"
    VALID_VERSIONS = range(0, 1)

    group_id: _GroupId = ""
    """A single field without a list around it."""


_args_GroupThingKey = (GroupThingKey,)


def _decode_GroupThingKey_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_GroupThingKey)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.group_id = b[p:e].decode()
        p = e
    else:
        o.group_id, p = _read_string(b, p - 2)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_GroupThingKey_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not GroupThingKey:
        _check_instance(o, GroupThingKey)
    s = _utf8(o.group_id)
    n = len(s)
    w += _pack_h(n)
    w += s
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


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
