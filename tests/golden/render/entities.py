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
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_iB = _Struct(">iB").unpack_from
_pack_iB = _Struct(">iB").pack
_unpack_ix = _Struct(">ix").unpack_from
_pack_ix = _Struct(">ix").pack
_unpack_q = _Struct(">q").unpack_from
_pack_q = _Struct(">q").pack
_unpack_qB = _Struct(">qB").unpack_from
_pack_qB = _Struct(">qB").pack
_unpack_qh = _Struct(">qh").unpack_from
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

    producer_id: _ProducerId = 0

    group_id: _GroupId = ""

    topic_name: _TopicName = ""

    broker_ids: tuple[_BrokerId, ...] = ()

    unknown: int = 0


_args_Entities = (Entities,)


def _decode_Entities_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Entities)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.transactional_id = b[p:e].decode()
        p = e
    else:
        o.transactional_id, p = _read_string_or_null(b, p - 2)
    o.producer_id, n = _unpack_qh(b, p)
    p += 10
    if n >= 0:
        e = p + n
        o.group_id = b[p:e].decode()
        p = e
    else:
        o.group_id, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.topic_name = b[p:e].decode()
        p = e
    else:
        o.topic_name, p = _read_string(b, p - 2)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.broker_ids = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.broker_ids, p = _read_numbers(b, p - 4, "i", m)
    (o.unknown,) = _unpack_i(b, p)
    p += 4
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Entities_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Entities:
        _check_instance(o, Entities)
    s = o.transactional_id
    if s is None:
        w += b"\xff\xff"
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_h(n)
        w += s
    s = _utf8(o.group_id)
    n = len(s)
    w += _pack_qh(o.producer_id, n)
    w += s
    s = _utf8(o.topic_name)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = o.broker_ids
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_i[n](*s)
    else:
        _write_numbers(w, s, "i")
    w += _pack_i(o.unknown)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Entities_v3(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Entities)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.transactional_id = b[p + 1 : e].decode()
        p = e
    else:
        o.transactional_id, p = _read_compact_string_or_null(b, p)
    o.producer_id, n = _unpack_qB(b, p)
    p += 9
    if 0 < n < 128:
        e = p + n - 1
        o.group_id = b[p:e].decode()
        p = e
    else:
        o.group_id, p = _read_compact_string(b, p - 1)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.topic_name = b[p + 1 : e].decode()
        p = e
    else:
        o.topic_name, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 32:
        o.broker_ids = _unpackers_i[n](b, p + 1)
        p += 4 * n - 3
    else:
        o.broker_ids, p = _read_compact_numbers(b, p, "i", m)
    o.unknown, n = _unpack_iB(b, p)
    p += 5
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_Entities_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Entities:
        _check_instance(o, Entities)
    s = o.transactional_id
    if s is None:
        w += b"\x00"
    else:
        s = _utf8(s)
        n = len(s)
        if n < 127:
            w.append(n + 1)
        else:
            _write_compact_length(w, n)
        w += s
    s = _utf8(o.group_id)
    n = len(s)
    if n < 127:
        w += _pack_qB(o.producer_id, n + 1)
    else:
        w += _pack_q(o.producer_id)
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.topic_name)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = o.broker_ids
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w.append(n + 1)
        w += _packers_i[n](*s)
    else:
        _write_compact_numbers(w, s, "i")
    w += _pack_ix(o.unknown)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


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
