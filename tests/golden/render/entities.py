"""Entities: Kafka request, key 1002, versions 1-5, flexible in 3-5.

Generated from the message spec Entities.
"""

from __future__ import annotations

from struct import Struct as _Struct

from ._runtime.entities import (
    BrokerId as _BrokerId,
    GroupId as _GroupId,
    ProducerId as _ProducerId,
    TopicName as _TopicName,
    TransactionalId as _TransactionalId,
)
from ._runtime.messages import Codec as _Codec, Request as _Request
from ._runtime.primitives import (
    COUNTS as _COUNTS,
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    check_instance as _check_instance,
    no_tags as _no_tags,
    packers as _packers,
    raw_tags as _raw_tags,
    read_compact_numbers as _read_compact_numbers,
    read_compact_string as _read_compact_string,
    read_compact_string_or_null as _read_compact_string_or_null,
    read_numbers as _read_numbers,
    read_string as _read_string,
    read_string_or_null as _read_string_or_null,
    read_unknown_tags as _read_unknown_tags,
    unpackers as _unpackers,
    utf8 as _utf8,
    write_compact_length as _write_compact_length,
    write_compact_numbers as _write_compact_numbers,
    write_numbers as _write_numbers,
    write_tags as _write_tags,
)
from ._runtime.structs import dataclass as _dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["Entities"]

_unpack_h = _Struct(">h").unpack_from
_unpack_i = _Struct(">i").unpack_from
_unpack_iB = _Struct(">iB").unpack_from
_unpack_qB = _Struct(">qB").unpack_from
_unpack_qh = _Struct(">qh").unpack_from
_pack_h = _Struct(">h").pack
_pack_i = _Struct(">i").pack
_pack_ix = _Struct(">ix").pack
_pack_q = _Struct(">q").pack
_pack_qB = _Struct(">qB").pack
_pack_qh = _Struct(">qh").pack
_unpackers_i = _unpackers("i")
_packers_i = _packers("i")


@_dataclass
class Entities(_Request):
    """Entities: Kafka request, key 1002, versions 1-5, flexible in 3-5."""

    API_KEY = 1002
    KIND = "request"
    VALID_VERSIONS = range(1, 6)
    FLEXIBLE_VERSIONS = range(3, 6)
    LISTENERS = ("broker",)
    HEADER_VERSIONS = ((1, 2, 1), (3, 5, 2))

    transactional_id: _TransactionalId | None = ""
    """May be null."""

    producer_id: _ProducerId = 0

    group_id: _GroupId = ""

    topic_name: _TopicName = ""

    broker_ids: tuple[_BrokerId, ...] = ()

    unknown: int = 0


_args_Entities = (Entities,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_Entities_v1(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Entities)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.transactional_id = data[pos:stop].decode()
        pos = stop
    else:
        struct.transactional_id, pos = _read_string_or_null(data, pos - 2)
    struct.producer_id, length = _unpack_qh(data, pos)
    pos += 10
    if length >= 0:
        stop = pos + length
        struct.group_id = data[pos:stop].decode()
        pos = stop
    else:
        struct.group_id, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.topic_name = data[pos:stop].decode()
        pos = stop
    else:
        struct.topic_name, pos = _read_string(data, pos - 2)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.broker_ids = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.broker_ids, pos = _read_numbers(data, pos - 4, "i", allowance)
    (struct.unknown,) = _unpack_i(data, pos)
    pos += 4
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Entities_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Entities:
        _check_instance(struct, Entities)
    value = struct.transactional_id
    if value is None:
        out += b"\xff\xff"
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_h(length)
        out += value
    value = _utf8(struct.group_id)
    length = len(value)
    out += _pack_qh(struct.producer_id, length)
    out += value
    value = _utf8(struct.topic_name)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = struct.broker_ids
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_i[length](*value)
    else:
        _write_numbers(out, value, "i")
    out += _pack_i(struct.unknown)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Entities_v3(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Entities)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.transactional_id = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.transactional_id, pos = _read_compact_string_or_null(data, pos)
    struct.producer_id, length = _unpack_qB(data, pos)
    pos += 9
    if 0 < length < 128:
        stop = pos + length - 1
        struct.group_id = data[pos:stop].decode()
        pos = stop
    else:
        struct.group_id, pos = _read_compact_string(data, pos - 1)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.topic_name = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.topic_name, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 32:
        struct.broker_ids = _unpackers_i[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.broker_ids, pos = _read_compact_numbers(data, pos, "i", allowance)
    struct.unknown, tag_count = _unpack_iB(data, pos)
    pos += 5
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Entities_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Entities:
        _check_instance(struct, Entities)
    value = struct.transactional_id
    if value is None:
        out += b"\x00"
    else:
        value = _utf8(value)
        length = len(value)
        if length < 127:
            out.append(length + 1)
        else:
            _write_compact_length(out, length)
        out += value
    value = _utf8(struct.group_id)
    length = len(value)
    if length < 127:
        out += _pack_qB(struct.producer_id, length + 1)
    else:
        out += _pack_q(struct.producer_id)
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.topic_name)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = struct.broker_ids
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out.append(length + 1)
        out += _packers_i[length](*value)
    else:
        _write_compact_numbers(out, value, "i")
    out += _pack_ix(struct.unknown)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 1
message Entities request 1-5
struct Entities
 transactional_id transactionalId string? ""
 producer_id producerId int64 0
 group_id groupId string ""
 topic_name topicName string ""
 broker_ids brokerIds []int32 []
 unknown unknown int32 0
layout 0 Entities 1-2
 transactional_id string?
 producer_id int64
 group_id string
 topic_name string
 broker_ids array(int32)
 unknown int32
layout 1 Entities 3-5 flexible
 transactional_id compact_string?
 producer_id int64
 group_id compact_string
 topic_name compact_string
 broker_ids compact_array(int32)
 unknown int32
"""

Entities.CODEC = _Codec(
    readers={
        1: _decode_Entities_v1,
        2: _decode_Entities_v1,
        3: _decode_Entities_v3,
        4: _decode_Entities_v3,
        5: _decode_Entities_v3,
    },
    writers={
        1: _encode_Entities_v1,
        2: _encode_Entities_v1,
        3: _encode_Entities_v3,
        4: _encode_Entities_v3,
        5: _encode_Entities_v3,
    },
    classes=(Entities,),
    plan=_PLAN,
    own=258,
    small=18177,
)
