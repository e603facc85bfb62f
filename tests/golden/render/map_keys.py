"""MapKeys: Kafka data, versions 0-1, flexible in 1.

Generated from the message spec MapKeys.
"""

from __future__ import annotations

import builtins as _builtins
from struct import Struct as _Struct
from uuid import UUID as _UUID

from ._runtime.entities import BrokerId as _BrokerId, TopicName as _TopicName
from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.limits import LITTLE as _LITTLE
from ._runtime.messages import Codec as _Codec, Message as _Message
from ._runtime.primitives import (
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    check_instance as _check_instance,
    no_tags as _no_tags,
    raw_tags as _raw_tags,
    read_compact_string as _read_compact_string,
    read_compact_string_or_null as _read_compact_string_or_null,
    read_leaves as _read_leaves,
    read_string as _read_string,
    read_string_or_null as _read_string_or_null,
    read_unknown_tags as _read_unknown_tags,
    utf8 as _utf8,
    write_compact_length as _write_compact_length,
    write_tags as _write_tags,
)
from ._runtime.structs import Struct as _Base, dataclass as _dataclass, index_by as _index_by
from ._runtime.uuids import ZERO as _ZERO_UUID, uuid_bytes as _uuid_bytes, uuid_of as _uuid_of
from ._runtime.varints import read_uvarint as _read_uvarint, write_uvarint as _write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["MapKeys", "KeyedBroker", "KeyedPartition", "KeyedOdd"]

_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_iB = _Struct(">iB").unpack_from
_pack_iB = _Struct(">iB").pack
_unpack_ih = _Struct(">ih").unpack_from
_pack_ih = _Struct(">ih").pack
_unpack_iq = _Struct(">iq").unpack_from
_pack_iq = _Struct(">iq").pack
_unpack_iuq = _Struct(">i16sq").unpack_from
_pack_iuq = _Struct(">i16sq").pack
_unpack_iuqB = _Struct(">i16sqB").unpack_from
_pack_iuqB = _Struct(">i16sqB").pack
_unpack_iuqx = _Struct(">i16sqx").unpack_from
_pack_iuqx = _Struct(">i16sqx").pack
_unpack_t = _Struct(">?").unpack_from
_pack_t = _Struct(">?").pack
_unpack_tB = _Struct(">?B").unpack_from
_pack_tB = _Struct(">?B").pack
_unpack_tx = _Struct(">?x").unpack_from
_pack_tx = _Struct(">?x").pack


@_dataclass
class KeyedBroker(_Base):
    """KeyedBroker."""

    broker_id: _BrokerId = 0

    host: str = ""

    @staticmethod
    def by_key(elements: tuple[KeyedBroker, ...]) -> dict[_BrokerId, KeyedBroker]:
        """The elements by ``broker_id``; of elements with equal keys the first."""
        return _index_by(elements, lambda element: element.broker_id)


_args_KeyedBroker = (KeyedBroker,)


@_dataclass
class KeyedPartition(_Base):
    """KeyedPartition."""

    topic: _TopicName = ""

    index: int = 0

    topic_id: _UUID = _ZERO_UUID

    offset: int = -1

    @staticmethod
    def by_key(elements: tuple[KeyedPartition, ...]) -> dict[tuple[_TopicName, int, _UUID], KeyedPartition]:
        """The elements by ``topic`` and ``index`` and ``topic_id``; of elements with equal keys the first."""
        return _index_by(elements, lambda element: (element.topic, element.index, element.topic_id))


_args_KeyedPartition = (KeyedPartition,)


@_dataclass
class KeyedOdd(_Base):
    """KeyedOdd."""

    tuple: str | None = ""

    dict: bool = False

    @staticmethod
    def by_key(elements: _builtins.tuple[KeyedOdd, ...]) -> _builtins.dict[_builtins.tuple[str | None, bool], KeyedOdd]:
        """The elements by ``tuple`` and ``dict``; of elements with equal keys the first."""
        return _index_by(elements, lambda element: (element.tuple, element.dict))


_args_KeyedOdd = (KeyedOdd,)


@_dataclass
class MapKeys(_Message):
    """MapKeys: Kafka data, versions 0-1, flexible in 1."""

    KIND = "data"
    VALID_VERSIONS = range(0, 2)
    FLEXIBLE_VERSIONS = range(1, 2)

    brokers: tuple[KeyedBroker, ...] = ()

    partitions: tuple[KeyedPartition, ...] = ()

    odd: tuple[KeyedOdd, ...] = ()


_args_MapKeys = (MapKeys,)


def _decode_KeyedBroker_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 122 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_KeyedBroker_v0_array, (m,), 0, 122, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_KeyedBroker)
        o.broker_id, n = _unpack_ih(b, p)
        p += 6
        if n >= 0:
            e = p + n
            o.host = b[p:e].decode()
            p = e
        else:
            o.host, p = _read_string(b, p - 2)
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_KeyedBroker_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not KeyedBroker:
            _check_instance(o, KeyedBroker)
        s = _utf8(o.host)
        n = len(s)
        w += _pack_ih(o.broker_id, n)
        w += s
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_KeyedPartition_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 106 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_KeyedPartition_v0_array, (m,), 1, 106, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_KeyedPartition)
        o.topic_id = _ZERO_UUID
        (n,) = _unpack_h(b, p)
        p += 2
        if n >= 0:
            e = p + n
            o.topic = b[p:e].decode()
            p = e
        else:
            o.topic, p = _read_string(b, p - 2)
        o.index, o.offset = _unpack_iq(b, p)
        p += 12
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_KeyedPartition_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not KeyedPartition:
            _check_instance(o, KeyedPartition)
        s = _utf8(o.topic)
        n = len(s)
        w += _pack_h(n)
        w += s
        w += _pack_iq(o.index, o.offset)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_KeyedOdd_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 120 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_KeyedOdd_v0_array, (m,), 2, 120, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_KeyedOdd)
        (n,) = _unpack_h(b, p)
        p += 2
        if n >= 0:
            e = p + n
            o.tuple = b[p:e].decode()
            p = e
        else:
            o.tuple, p = _read_string_or_null(b, p - 2)
        (o.dict,) = _unpack_t(b, p)
        p += 1
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_KeyedOdd_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not KeyedOdd:
            _check_instance(o, KeyedOdd)
        s = o.tuple
        if s is None:
            w += b"\xff\xff"
        else:
            s = _utf8(s)
            n = len(s)
            w += _pack_h(n)
            w += s
        if o.dict is not False and o.dict is not True:
            raise _CodecFailure
        w += _pack_t(o.dict)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_MapKeys_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_MapKeys)
    o.brokers, p = _decode_KeyedBroker_v0_array(b, p, m)
    if o.brokers is None:
        raise _CodecFailure
    o.partitions, p = _decode_KeyedPartition_v0_array(b, p, m)
    if o.partitions is None:
        raise _CodecFailure
    o.odd, p = _decode_KeyedOdd_v0_array(b, p, m)
    if o.odd is None:
        raise _CodecFailure
    o.unknown_tagged_fields = ()
    return o, p


def _encode_MapKeys_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not MapKeys:
        _check_instance(o, MapKeys)
    _encode_KeyedBroker_v0_array(w, o.brokers)
    _encode_KeyedPartition_v0_array(w, o.partitions)
    _encode_KeyedOdd_v0_array(w, o.odd)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_KeyedBroker_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        n = b[p]
        p += 1
        if n > 127:
            n, p = _read_uvarint(b, p - 1)
        if n < 2:
            return (() if n else None), p
        n -= 1
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 122 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_KeyedBroker_v1_array, (m,), 4, 122, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_KeyedBroker)
        o.broker_id, n = _unpack_iB(b, p)
        p += 5
        if 0 < n < 128:
            e = p + n - 1
            o.host = b[p:e].decode()
            p = e
        else:
            o.host, p = _read_compact_string(b, p - 1)
        if b[p]:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _encode_KeyedBroker_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not KeyedBroker:
            _check_instance(o, KeyedBroker)
        s = _utf8(o.host)
        n = len(s)
        if n < 127:
            w += _pack_iB(o.broker_id, n + 1)
        else:
            w += _pack_i(o.broker_id)
            _write_compact_length(w, n)
        w += s
        if o.unknown_tagged_fields is _NOTHING:
            w.append(0)
        else:
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_KeyedPartition_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        n = b[p]
        p += 1
        if n > 127:
            n, p = _read_uvarint(b, p - 1)
        if n < 2:
            return (() if n else None), p
        n -= 1
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 58 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_KeyedPartition_v1_array, (m,), 5, 58, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_KeyedPartition)
        n = b[p]
        if 0 < n < 128:
            e = p + n
            o.topic = b[p + 1 : e].decode()
            p = e
        else:
            o.topic, p = _read_compact_string(b, p)
        o.index, o.topic_id, o.offset, n = _unpack_iuqB(b, p)
        p += 29
        o.topic_id = _uuid_of(o.topic_id)
        if n:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
        else:
            o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_KeyedPartition_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not KeyedPartition:
            _check_instance(o, KeyedPartition)
        s = _utf8(o.topic)
        n = len(s)
        if n < 127:
            w.append(n + 1)
        else:
            _write_compact_length(w, n)
        w += s
        w += _pack_iuqx(o.index, _uuid_bytes(o.topic_id), o.offset)
        if o.unknown_tagged_fields is not _NOTHING:
            w.pop()
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_KeyedOdd_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        n = b[p]
        p += 1
        if n > 127:
            n, p = _read_uvarint(b, p - 1)
        if n < 2:
            return (() if n else None), p
        n -= 1
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 120 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_KeyedOdd_v1_array, (m,), 6, 120, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_KeyedOdd)
        n = b[p]
        if 0 < n < 128:
            e = p + n
            o.tuple = b[p + 1 : e].decode()
            p = e
        else:
            o.tuple, p = _read_compact_string_or_null(b, p)
        o.dict, n = _unpack_tB(b, p)
        p += 2
        if n:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
        else:
            o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_KeyedOdd_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not KeyedOdd:
            _check_instance(o, KeyedOdd)
        s = o.tuple
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
        if o.dict is not False and o.dict is not True:
            raise _CodecFailure
        w += _pack_tx(o.dict)
        if o.unknown_tagged_fields is not _NOTHING:
            w.pop()
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_MapKeys_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_MapKeys)
    o.brokers, p = _decode_KeyedBroker_v1_array(b, p, m)
    if o.brokers is None:
        raise _CodecFailure
    o.partitions, p = _decode_KeyedPartition_v1_array(b, p, m)
    if o.partitions is None:
        raise _CodecFailure
    o.odd, p = _decode_KeyedOdd_v1_array(b, p, m)
    if o.odd is None:
        raise _CodecFailure
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_MapKeys_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not MapKeys:
        _check_instance(o, MapKeys)
    _encode_KeyedBroker_v1_array(w, o.brokers)
    _encode_KeyedPartition_v1_array(w, o.partitions)
    _encode_KeyedOdd_v1_array(w, o.odd)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 1
message MapKeys data 0-1
struct MapKeys
 brokers brokers []KeyedBroker []
 partitions partitions []KeyedPartition []
 odd odd []KeyedOdd []
struct KeyedBroker
 broker_id brokerId int32 0
 host host string ""
struct KeyedPartition
 topic topic string ""
 index index int32 0
 topic_id topicId uuid "00000000000000000000000000000000"
 offset offset int64 -1
struct KeyedOdd
 tuple tuple string? ""
 dict dict bool false
layout 0 KeyedBroker 0
 broker_id int32
 host string
layout 1 KeyedPartition 0
 topic string
 index int32
 + offset int64
 :skip topic_id
layout 2 KeyedOdd 0
 tuple string?
 dict bool
layout 3 MapKeys 0
 brokers array(struct(0))
 partitions array(struct(1))
 odd array(struct(2))
layout 4 KeyedBroker 1 flexible
 broker_id int32
 host compact_string
layout 5 KeyedPartition 1 flexible
 topic compact_string
 index int32
 + topic_id uuid
 + offset int64
layout 6 KeyedOdd 1 flexible
 tuple compact_string?
 dict bool
layout 7 MapKeys 1 flexible
 brokers compact_array(struct(4))
 partitions compact_array(struct(5))
 odd compact_array(struct(6))
"""

MapKeys.CODEC = _Codec(
    readers={
        0: _decode_MapKeys_v0,
        1: _decode_MapKeys_v1,
    },
    writers={
        0: _encode_MapKeys_v0,
        1: _encode_MapKeys_v1,
    },
    classes=(MapKeys, KeyedBroker, KeyedPartition, KeyedOdd),
    plan=_PLAN,
    own=168,
    small=18178,
)
