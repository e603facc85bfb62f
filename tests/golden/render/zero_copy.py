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
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
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


_args_BlobPartition = (BlobPartition,)


@_dataclass
class BlobMaybe(_Base):
    """BlobMaybe."""

    blob: bytes | memoryview = b""


_args_BlobMaybe = (BlobMaybe,)


@_dataclass
class BlobTopic(_Base):
    """BlobTopic."""

    name: str = ""

    partitions: tuple[BlobPartition, ...] = ()

    maybe: BlobMaybe | None = None


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

    copied: bytes = b""

    batch: bytes | memoryview | None = None

    part: BlobPart = _BlobPart_default

    topics: tuple[BlobTopic, ...] | None = ()


_args_ZeroCopy = (ZeroCopy,)


def _decode_BlobPart_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_BlobPart)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.blob = z[p:e]
        p = e
    else:
        o.blob, p = _read_bytes(b, p - 4, z)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_BlobPart_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not BlobPart:
        _check_instance(o, BlobPart)
    s = o.blob
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_i(n)
    w += s
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_BlobPartition_v0_array(
    b: bytes, p: int, z: bytes | memoryview, m: _Allowance, n: int = -1
) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 226 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_BlobPartition_v0_array, (z, m), 1, 226, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_BlobPartition)
        (n,) = _unpack_i(b, p)
        p += 4
        if n >= 0:
            e = p + n
            o.records = z[p:e]
            p = e
        else:
            o.records, p = _read_bytes_or_null(b, p - 4, z)
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_BlobPartition_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not BlobPartition:
            _check_instance(o, BlobPartition)
        s = o.records
        if s is None:
            w += b"\xff\xff\xff\xff"
        else:
            s = s
            if type(s) is not bytes:
                s = _bytes_of(s)
            n = len(s)
            w += _pack_i(n)
            w += s
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_BlobTopic_v0_array(b: bytes, p: int, z: bytes | memoryview, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 138 * n
            if m.left < _LITTLE:
                return _read_structs(_decode_BlobTopic_v0_array, (z, m), 2, 138, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_BlobTopic)
        o.maybe = None
        (n,) = _unpack_h(b, p)
        p += 2
        if n >= 0:
            e = p + n
            o.name = b[p:e].decode()
            p = e
        else:
            o.name, p = _read_string(b, p - 2)
        o.partitions, p = _decode_BlobPartition_v0_array(b, p, z, m)
        if o.partitions is None:
            raise _CodecFailure
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_BlobTopic_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not BlobTopic:
            _check_instance(o, BlobTopic)
        if o.maybe is not None:
            raise _CodecFailure
        s = _utf8(o.name)
        n = len(s)
        w += _pack_h(n)
        w += s
        _encode_BlobPartition_v0_array(w, o.partitions)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_ZeroCopy_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_ZeroCopy)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.blob = z[p:e]
        p = e
    else:
        o.blob, p = _read_bytes(b, p - 4, z)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.nullable_blob = z[p:e]
        p = e
    else:
        o.nullable_blob, p = _read_bytes_or_null(b, p - 4, z)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.copied = b[p:e]
        p = e
    else:
        o.copied, p = _read_bytes(b, p - 4, b)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.batch = z[p:e]
        p = e
    else:
        o.batch, p = _read_bytes_or_null(b, p - 4, z)
    o.part, p = _decode_BlobPart_v0(b, p, z, m)
    o.topics, p = _decode_BlobTopic_v0_array(b, p, z, m)
    if o.topics is None:
        raise _CodecFailure
    o.unknown_tagged_fields = ()
    return o, p


def _encode_ZeroCopy_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not ZeroCopy:
        _check_instance(o, ZeroCopy)
    s = o.blob
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_i(n)
    w += s
    s = o.nullable_blob
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        w += _pack_i(n)
        w += s
    s = o.copied
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_i(n)
    w += s
    s = o.batch
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        w += _pack_i(n)
        w += s
    _encode_BlobPart_v0(o.part, w)
    _encode_BlobTopic_v0_array(w, o.topics)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_BlobPart_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_BlobPart)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.blob = z[p + 1 : e]
        p = e
    else:
        o.blob, p = _read_compact_bytes(b, p, z)
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_BlobPart_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not BlobPart:
        _check_instance(o, BlobPart)
    s = o.blob
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    w += s
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_BlobPartition_v1_array(
    b: bytes, p: int, z: bytes | memoryview, m: _Allowance, n: int = -1
) -> tuple[_Any, int]:
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
            m.left -= 246 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_BlobPartition_v1_array, (z, m), 5, 246, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_BlobPartition)
        n = b[p]
        if 0 < n < 128:
            e = p + n
            o.records = z[p + 1 : e]
            p = e
        else:
            o.records, p = _read_compact_bytes_or_null(b, p, z)
        if b[p]:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _encode_BlobPartition_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not BlobPartition:
            _check_instance(o, BlobPartition)
        s = o.records
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
        if o.unknown_tagged_fields is _NOTHING:
            w.append(0)
        else:
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_BlobMaybe_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_BlobMaybe)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.blob = z[p + 1 : e]
        p = e
    else:
        o.blob, p = _read_compact_bytes(b, p, z)
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_BlobMaybe_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not BlobMaybe:
        _check_instance(o, BlobMaybe)
    s = o.blob
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    w += s
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_BlobTopic_v1_array(b: bytes, p: int, z: bytes | memoryview, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 386 * n
            if m.left < _LITTLE:
                return _read_structs(_decode_BlobTopic_v1_array, (z, m), 7, 386, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_BlobTopic)
        n = b[p]
        if 0 < n < 128:
            e = p + n
            o.name = b[p + 1 : e].decode()
            p = e
        else:
            o.name, p = _read_compact_string(b, p)
        o.partitions, p = _decode_BlobPartition_v1_array(b, p, z, m)
        if o.partitions is None:
            raise _CodecFailure
        n = b[p]
        p += 1
        if n > 127:
            o.maybe = None
        else:
            o.maybe, p = _decode_BlobMaybe_v1(b, p, z, m)
        if b[p]:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _encode_BlobTopic_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not BlobTopic:
            _check_instance(o, BlobTopic)
        s = _utf8(o.name)
        n = len(s)
        if n < 127:
            w.append(n + 1)
        else:
            _write_compact_length(w, n)
        w += s
        _encode_BlobPartition_v1_array(w, o.partitions)
        s = o.maybe
        if s is None:
            w.append(255)
        else:
            w.append(1)
            _encode_BlobMaybe_v1(s, w)
        if o.unknown_tagged_fields is _NOTHING:
            w.append(0)
        else:
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_ZeroCopy_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_ZeroCopy)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.blob = z[p + 1 : e]
        p = e
    else:
        o.blob, p = _read_compact_bytes(b, p, z)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.nullable_blob = z[p + 1 : e]
        p = e
    else:
        o.nullable_blob, p = _read_compact_bytes_or_null(b, p, z)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.copied = b[p + 1 : e]
        p = e
    else:
        o.copied, p = _read_compact_bytes(b, p, b)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.batch = z[p + 1 : e]
        p = e
    else:
        o.batch, p = _read_compact_bytes_or_null(b, p, z)
    o.part, p = _decode_BlobPart_v1(b, p, z, m)
    if not b[p]:
        o.topics = None
        p += 1
    else:
        o.topics, p = _decode_BlobTopic_v1_array(b, p, z, m)
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_ZeroCopy_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not ZeroCopy:
        _check_instance(o, ZeroCopy)
    s = o.blob
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    w += s
    s = o.nullable_blob
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
    s = o.copied
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    w += s
    s = o.batch
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
    _encode_BlobPart_v1(o.part, w)
    if o.topics is None:
        w += b"\x00"
    else:
        _encode_BlobTopic_v1_array(w, o.topics)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


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
