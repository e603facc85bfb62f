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
_unpack_i = _Struct(">i").unpack_from
_unpack_iB = _Struct(">iB").unpack_from
_unpack_ih = _Struct(">ih").unpack_from
_unpack_iq = _Struct(">iq").unpack_from
_unpack_iuqB = _Struct(">i16sqB").unpack_from
_unpack_t = _Struct(">?").unpack_from
_unpack_tB = _Struct(">?B").unpack_from
_pack_h = _Struct(">h").pack
_pack_i = _Struct(">i").pack
_pack_iB = _Struct(">iB").pack
_pack_ih = _Struct(">ih").pack
_pack_iq = _Struct(">iq").pack
_pack_iuqx = _Struct(">i16sqx").pack
_pack_t = _Struct(">?").pack
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
    """Versions 1+; ignorable."""

    offset: int = -1
    """Default -1."""

    @staticmethod
    def by_key(elements: tuple[KeyedPartition, ...]) -> dict[tuple[_TopicName, int, _UUID], KeyedPartition]:
        """The elements by ``topic`` and ``index`` and ``topic_id``; of elements with equal keys the first."""
        return _index_by(elements, lambda element: (element.topic, element.index, element.topic_id))


_args_KeyedPartition = (KeyedPartition,)


@_dataclass
class KeyedOdd(_Base):
    """KeyedOdd."""

    tuple: str | None = ""
    """May be null."""

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


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_KeyedBroker_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 122 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_KeyedBroker_v0_array, (allowance,), 0, 122, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_KeyedBroker)
        struct.broker_id, length = _unpack_ih(data, pos)
        pos += 6
        if length >= 0:
            stop = pos + length
            struct.host = data[pos:stop].decode()
            pos = stop
        else:
            struct.host, pos = _read_string(data, pos - 2)
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_KeyedBroker_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not KeyedBroker:
            _check_instance(struct, KeyedBroker)
        value = _utf8(struct.host)
        length = len(value)
        out += _pack_ih(struct.broker_id, length)
        out += value
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_KeyedPartition_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 106 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_KeyedPartition_v0_array, (allowance,), 1, 106, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_KeyedPartition)
        struct.topic_id = _ZERO_UUID
        (length,) = _unpack_h(data, pos)
        pos += 2
        if length >= 0:
            stop = pos + length
            struct.topic = data[pos:stop].decode()
            pos = stop
        else:
            struct.topic, pos = _read_string(data, pos - 2)
        struct.index, struct.offset = _unpack_iq(data, pos)
        pos += 12
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_KeyedPartition_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not KeyedPartition:
            _check_instance(struct, KeyedPartition)
        value = _utf8(struct.topic)
        length = len(value)
        out += _pack_h(length)
        out += value
        out += _pack_iq(struct.index, struct.offset)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_KeyedOdd_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 120 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_KeyedOdd_v0_array, (allowance,), 2, 120, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_KeyedOdd)
        (length,) = _unpack_h(data, pos)
        pos += 2
        if length >= 0:
            stop = pos + length
            struct.tuple = data[pos:stop].decode()
            pos = stop
        else:
            struct.tuple, pos = _read_string_or_null(data, pos - 2)
        (struct.dict,) = _unpack_t(data, pos)
        pos += 1
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_KeyedOdd_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not KeyedOdd:
            _check_instance(struct, KeyedOdd)
        value = struct.tuple
        if value is None:
            out += b"\xff\xff"
        else:
            value = _utf8(value)
            length = len(value)
            out += _pack_h(length)
            out += value
        if struct.dict is not False and struct.dict is not True:
            raise _CodecFailure
        out += _pack_t(struct.dict)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_MapKeys_v0(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_MapKeys)
    struct.brokers, pos = _decode_KeyedBroker_v0_array(data, pos, allowance)
    if struct.brokers is None:
        raise _CodecFailure
    struct.partitions, pos = _decode_KeyedPartition_v0_array(data, pos, allowance)
    if struct.partitions is None:
        raise _CodecFailure
    struct.odd, pos = _decode_KeyedOdd_v0_array(data, pos, allowance)
    if struct.odd is None:
        raise _CodecFailure
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_MapKeys_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not MapKeys:
        _check_instance(struct, MapKeys)
    _encode_KeyedBroker_v0_array(out, struct.brokers)
    _encode_KeyedPartition_v0_array(out, struct.partitions)
    _encode_KeyedOdd_v0_array(out, struct.odd)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_KeyedBroker_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        count = data[pos]
        pos += 1
        if count > 127:
            count, pos = _read_uvarint(data, pos - 1)
        if count < 2:
            return (() if count else None), pos
        count -= 1
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 122 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_KeyedBroker_v1_array, (allowance,), 4, 122, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_KeyedBroker)
        struct.broker_id, length = _unpack_iB(data, pos)
        pos += 5
        if 0 < length < 128:
            stop = pos + length - 1
            struct.host = data[pos:stop].decode()
            pos = stop
        else:
            struct.host, pos = _read_compact_string(data, pos - 1)
        if data[pos]:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_KeyedBroker_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not KeyedBroker:
            _check_instance(struct, KeyedBroker)
        value = _utf8(struct.host)
        length = len(value)
        if length < 127:
            out += _pack_iB(struct.broker_id, length + 1)
        else:
            out += _pack_i(struct.broker_id)
            _write_compact_length(out, length)
        out += value
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_KeyedPartition_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        count = data[pos]
        pos += 1
        if count > 127:
            count, pos = _read_uvarint(data, pos - 1)
        if count < 2:
            return (() if count else None), pos
        count -= 1
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 58 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_KeyedPartition_v1_array, (allowance,), 5, 58, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_KeyedPartition)
        length = data[pos]
        if 0 < length < 128:
            stop = pos + length
            struct.topic = data[pos + 1 : stop].decode()
            pos = stop
        else:
            struct.topic, pos = _read_compact_string(data, pos)
        struct.index, struct.topic_id, struct.offset, tag_count = _unpack_iuqB(data, pos)
        pos += 29
        struct.topic_id = _uuid_of(struct.topic_id)
        if tag_count:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
        else:
            struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_KeyedPartition_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not KeyedPartition:
            _check_instance(struct, KeyedPartition)
        value = _utf8(struct.topic)
        length = len(value)
        if length < 127:
            out.append(length + 1)
        else:
            _write_compact_length(out, length)
        out += value
        out += _pack_iuqx(struct.index, _uuid_bytes(struct.topic_id), struct.offset)
        if struct.unknown_tagged_fields is not _NOTHING:
            out.pop()
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_KeyedOdd_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        count = data[pos]
        pos += 1
        if count > 127:
            count, pos = _read_uvarint(data, pos - 1)
        if count < 2:
            return (() if count else None), pos
        count -= 1
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 120 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_KeyedOdd_v1_array, (allowance,), 6, 120, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_KeyedOdd)
        length = data[pos]
        if 0 < length < 128:
            stop = pos + length
            struct.tuple = data[pos + 1 : stop].decode()
            pos = stop
        else:
            struct.tuple, pos = _read_compact_string_or_null(data, pos)
        struct.dict, tag_count = _unpack_tB(data, pos)
        pos += 2
        if tag_count:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
        else:
            struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_KeyedOdd_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not KeyedOdd:
            _check_instance(struct, KeyedOdd)
        value = struct.tuple
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
        if struct.dict is not False and struct.dict is not True:
            raise _CodecFailure
        out += _pack_tx(struct.dict)
        if struct.unknown_tagged_fields is not _NOTHING:
            out.pop()
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_MapKeys_v1(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_MapKeys)
    struct.brokers, pos = _decode_KeyedBroker_v1_array(data, pos, allowance)
    if struct.brokers is None:
        raise _CodecFailure
    struct.partitions, pos = _decode_KeyedPartition_v1_array(data, pos, allowance)
    if struct.partitions is None:
        raise _CodecFailure
    struct.odd, pos = _decode_KeyedOdd_v1_array(data, pos, allowance)
    if struct.odd is None:
        raise _CodecFailure
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_MapKeys_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not MapKeys:
        _check_instance(struct, MapKeys)
    _encode_KeyedBroker_v1_array(out, struct.brokers)
    _encode_KeyedPartition_v1_array(out, struct.partitions)
    _encode_KeyedOdd_v1_array(out, struct.odd)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


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
