"""ZeroCopy: Kafka metadata, key 7, versions 0-1, flexible in 1.

Generated from the message spec ZeroCopy.
"""

from __future__ import annotations

from struct import Struct as _Struct

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.limits import LITTLE as _LITTLE
from ._runtime.messages import Codec as _Codec, KeyedMessage as _KeyedMessage
from ._runtime.primitives import (
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    bytes_of as _bytes_of,
    check_instance as _check_instance,
    no_tags as _no_tags,
    raw_tags as _raw_tags,
    read_bytes as _read_bytes,
    read_bytes_or_null as _read_bytes_or_null,
    read_compact_bytes as _read_compact_bytes,
    read_compact_bytes_or_null as _read_compact_bytes_or_null,
    read_compact_string as _read_compact_string,
    read_leaves as _read_leaves,
    read_string as _read_string,
    read_structs as _read_structs,
    read_unknown_tags as _read_unknown_tags,
    utf8 as _utf8,
    write_compact_length as _write_compact_length,
    write_tags as _write_tags,
)
from ._runtime.structs import Struct as _Base, dataclass as _dataclass, default_of as _default_of
from ._runtime.varints import read_uvarint as _read_uvarint, write_uvarint as _write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["ZeroCopy", "BlobPart", "BlobTopic", "BlobPartition", "BlobMaybe"]

_unpack_h = _Struct(">h").unpack_from
_unpack_i = _Struct(">i").unpack_from
_pack_h = _Struct(">h").pack
_pack_i = _Struct(">i").pack


@_dataclass
class BlobPart(_Base):
    """BlobPart."""

    blob: bytes | memoryview = b""


_args_BlobPart = (BlobPart,)

_BlobPart_default = _default_of(BlobPart)


@_dataclass
class BlobPartition(_Base):
    """BlobPartition."""

    records: bytes | memoryview | None = None
    """May be null; default null."""


_args_BlobPartition = (BlobPartition,)


@_dataclass
class BlobMaybe(_Base):
    """BlobMaybe."""

    blob: bytes | memoryview = b""
    """Versions 1+."""


_args_BlobMaybe = (BlobMaybe,)


@_dataclass
class BlobTopic(_Base):
    """BlobTopic."""

    name: str = ""

    partitions: tuple[BlobPartition, ...] = ()

    maybe: BlobMaybe | None = None
    """Versions 1+; may be null; default null."""


_args_BlobTopic = (BlobTopic,)


@_dataclass
class ZeroCopy(_KeyedMessage):
    """ZeroCopy: Kafka metadata, key 7, versions 0-1, flexible in 1."""

    API_KEY = 7
    KIND = "metadata"
    VALID_VERSIONS = range(0, 2)
    FLEXIBLE_VERSIONS = range(1, 2)

    blob: bytes | memoryview = b""

    nullable_blob: bytes | memoryview | None = b""
    """May be null."""

    copied: bytes = b""

    batch: bytes | memoryview | None = None
    """May be null; default null."""

    part: BlobPart = _BlobPart_default

    topics: tuple[BlobTopic, ...] | None = ()
    """May be null in versions 1+."""


_args_ZeroCopy = (ZeroCopy,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_BlobPart_v0(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_BlobPart)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.blob = source[pos:stop]
        pos = stop
    else:
        struct.blob, pos = _read_bytes(data, pos - 4, source)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_BlobPart_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not BlobPart:
        _check_instance(struct, BlobPart)
    value = struct.blob
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_i(length)
    out += value
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_BlobPartition_v0_array(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance, count: int = -1
) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 226 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_BlobPartition_v0_array, (source, allowance), 1, 226, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_BlobPartition)
        (length,) = _unpack_i(data, pos)
        pos += 4
        if length >= 0:
            stop = pos + length
            struct.records = source[pos:stop]
            pos = stop
        else:
            struct.records, pos = _read_bytes_or_null(data, pos - 4, source)
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_BlobPartition_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not BlobPartition:
            _check_instance(struct, BlobPartition)
        value = struct.records
        if value is None:
            out += b"\xff\xff\xff\xff"
        else:
            if type(value) is not bytes:
                value = _bytes_of(value)
            length = len(value)
            out += _pack_i(length)
            out += value
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_BlobTopic_v0_array(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance, count: int = -1
) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 138 * count
            if allowance.left < _LITTLE:
                return _read_structs(_decode_BlobTopic_v0_array, (source, allowance), 2, 138, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_BlobTopic)
        struct.maybe = None
        (length,) = _unpack_h(data, pos)
        pos += 2
        if length >= 0:
            stop = pos + length
            struct.name = data[pos:stop].decode()
            pos = stop
        else:
            struct.name, pos = _read_string(data, pos - 2)
        struct.partitions, pos = _decode_BlobPartition_v0_array(data, pos, source, allowance)
        if struct.partitions is None:
            raise _CodecFailure
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_BlobTopic_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not BlobTopic:
            _check_instance(struct, BlobTopic)
        if struct.maybe is not None:
            raise _CodecFailure
        value = _utf8(struct.name)
        length = len(value)
        out += _pack_h(length)
        out += value
        _encode_BlobPartition_v0_array(out, struct.partitions)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_ZeroCopy_v0(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_ZeroCopy)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.blob = source[pos:stop]
        pos = stop
    else:
        struct.blob, pos = _read_bytes(data, pos - 4, source)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.nullable_blob = source[pos:stop]
        pos = stop
    else:
        struct.nullable_blob, pos = _read_bytes_or_null(data, pos - 4, source)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.copied = data[pos:stop]
        pos = stop
    else:
        struct.copied, pos = _read_bytes(data, pos - 4, data)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.batch = source[pos:stop]
        pos = stop
    else:
        struct.batch, pos = _read_bytes_or_null(data, pos - 4, source)
    struct.part, pos = _decode_BlobPart_v0(data, pos, source, allowance)
    struct.topics, pos = _decode_BlobTopic_v0_array(data, pos, source, allowance)
    if struct.topics is None:
        raise _CodecFailure
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_ZeroCopy_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not ZeroCopy:
        _check_instance(struct, ZeroCopy)
    value = struct.blob
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_i(length)
    out += value
    value = struct.nullable_blob
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_i(length)
        out += value
    value = struct.copied
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_i(length)
    out += value
    value = struct.batch
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_i(length)
        out += value
    _encode_BlobPart_v0(struct.part, out)
    _encode_BlobTopic_v0_array(out, struct.topics)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_BlobPart_v1(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_BlobPart)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.blob = source[pos + 1 : stop]
        pos = stop
    else:
        struct.blob, pos = _read_compact_bytes(data, pos, source)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_BlobPart_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not BlobPart:
        _check_instance(struct, BlobPart)
    value = struct.blob
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_uvarint(out, length + 1)
    out += value
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_BlobPartition_v1_array(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance, count: int = -1
) -> tuple[_Any, int]:
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
            allowance.left -= 246 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_BlobPartition_v1_array, (source, allowance), 5, 246, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_BlobPartition)
        length = data[pos]
        if 0 < length < 128:
            stop = pos + length
            struct.records = source[pos + 1 : stop]
            pos = stop
        else:
            struct.records, pos = _read_compact_bytes_or_null(data, pos, source)
        if data[pos]:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_BlobPartition_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not BlobPartition:
            _check_instance(struct, BlobPartition)
        value = struct.records
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
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_BlobMaybe_v1(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_BlobMaybe)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.blob = source[pos + 1 : stop]
        pos = stop
    else:
        struct.blob, pos = _read_compact_bytes(data, pos, source)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_BlobMaybe_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not BlobMaybe:
        _check_instance(struct, BlobMaybe)
    value = struct.blob
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_uvarint(out, length + 1)
    out += value
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_BlobTopic_v1_array(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance, count: int = -1
) -> tuple[_Any, int]:
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
            allowance.left -= 386 * count
            if allowance.left < _LITTLE:
                return _read_structs(_decode_BlobTopic_v1_array, (source, allowance), 7, 386, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_BlobTopic)
        length = data[pos]
        if 0 < length < 128:
            stop = pos + length
            struct.name = data[pos + 1 : stop].decode()
            pos = stop
        else:
            struct.name, pos = _read_compact_string(data, pos)
        struct.partitions, pos = _decode_BlobPartition_v1_array(data, pos, source, allowance)
        if struct.partitions is None:
            raise _CodecFailure
        mark = data[pos]
        pos += 1
        if mark > 127:
            struct.maybe = None
        else:
            struct.maybe, pos = _decode_BlobMaybe_v1(data, pos, source, allowance)
        if data[pos]:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_BlobTopic_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not BlobTopic:
            _check_instance(struct, BlobTopic)
        value = _utf8(struct.name)
        length = len(value)
        if length < 127:
            out.append(length + 1)
        else:
            _write_compact_length(out, length)
        out += value
        _encode_BlobPartition_v1_array(out, struct.partitions)
        value = struct.maybe
        if value is None:
            out.append(255)
        else:
            out.append(1)
            _encode_BlobMaybe_v1(value, out)
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_ZeroCopy_v1(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_ZeroCopy)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.blob = source[pos + 1 : stop]
        pos = stop
    else:
        struct.blob, pos = _read_compact_bytes(data, pos, source)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.nullable_blob = source[pos + 1 : stop]
        pos = stop
    else:
        struct.nullable_blob, pos = _read_compact_bytes_or_null(data, pos, source)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.copied = data[pos + 1 : stop]
        pos = stop
    else:
        struct.copied, pos = _read_compact_bytes(data, pos, data)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.batch = source[pos + 1 : stop]
        pos = stop
    else:
        struct.batch, pos = _read_compact_bytes_or_null(data, pos, source)
    struct.part, pos = _decode_BlobPart_v1(data, pos, source, allowance)
    if not data[pos]:
        struct.topics = None
        pos += 1
    else:
        struct.topics, pos = _decode_BlobTopic_v1_array(data, pos, source, allowance)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_ZeroCopy_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not ZeroCopy:
        _check_instance(struct, ZeroCopy)
    value = struct.blob
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_uvarint(out, length + 1)
    out += value
    value = struct.nullable_blob
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
    value = struct.copied
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_uvarint(out, length + 1)
    out += value
    value = struct.batch
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
    _encode_BlobPart_v1(struct.part, out)
    if struct.topics is None:
        out += b"\x00"
    else:
        _encode_BlobTopic_v1_array(out, struct.topics)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 1
message ZeroCopy metadata 0-1
struct ZeroCopy
 blob blob bytes ""
 nullable_blob nullableBlob bytes? ""
 copied copied bytes ""
 batch batch records? null
 part part BlobPart {}
 topics topics []BlobTopic? []
struct BlobPart
 blob blob bytes ""
struct BlobTopic
 name name string ""
 partitions partitions []BlobPartition []
 maybe maybe BlobMaybe? null
struct BlobPartition
 records records records? null
struct BlobMaybe
 blob blob bytes ""
layout 0 BlobPart 0
 blob bytes&
layout 1 BlobPartition 0
 records records?&
layout 2 BlobTopic 0
 name string
 partitions array(struct(1))
 :guard maybe
layout 3 ZeroCopy 0
 blob bytes&
 nullable_blob bytes?&
 copied bytes
 batch records?&
 part struct(0)
 topics array(struct(2))
layout 4 BlobPart 1 flexible
 blob compact_bytes&
layout 5 BlobPartition 1 flexible
 records compact_records?&
layout 6 BlobMaybe 1 flexible
 blob compact_bytes&
layout 7 BlobTopic 1 flexible
 name compact_string
 partitions compact_array(struct(5))
 maybe struct(6)?
layout 8 ZeroCopy 1 flexible
 blob compact_bytes&
 nullable_blob compact_bytes?&
 copied compact_bytes
 batch compact_records?&
 part struct(4)
 topics compact_array(struct(7))?
"""

ZeroCopy.CODEC = _Codec(
    readers={
        0: _decode_ZeroCopy_v0,
        1: _decode_ZeroCopy_v1,
    },
    writers={
        0: _encode_ZeroCopy_v0,
        1: _encode_ZeroCopy_v1,
    },
    classes=(ZeroCopy, BlobPart, BlobTopic, BlobPartition, BlobMaybe),
    plan=_PLAN,
    own=942,
    small=8122,
)
