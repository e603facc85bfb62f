"""Tagged: Kafka data, versions 0-2, flexible in 0-2.

Generated from the message spec Tagged.
"""

from __future__ import annotations

from struct import Struct as _Struct
from uuid import UUID as _UUID

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.limits import LITTLE as _LITTLE
from ._runtime.messages import Codec as _Codec, Message as _Message
from ._runtime.primitives import (
    NAN as _NAN,
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    bytes_of as _bytes_of,
    check_instance as _check_instance,
    packers as _packers,
    raw_tags as _raw_tags,
    read_compact_array as _read_compact_array,
    read_compact_bytes as _read_compact_bytes,
    read_compact_bytes_or_null as _read_compact_bytes_or_null,
    read_compact_numbers as _read_compact_numbers,
    read_compact_numbers_or_null as _read_compact_numbers_or_null,
    read_compact_string as _read_compact_string,
    read_compact_string_or_null as _read_compact_string_or_null,
    read_leaves as _read_leaves,
    read_tag_count as _read_tag_count,
    read_unknown_tags as _read_unknown_tags,
    some as _some,
    some_bytes as _some_bytes,
    unpackers as _unpackers,
    utf8 as _utf8,
    write_compact_array as _write_compact_array,
    write_compact_length as _write_compact_length,
    write_compact_numbers as _write_compact_numbers,
    write_compact_string as _write_compact_string,
    write_tags as _write_tags,
)
from ._runtime.structs import Struct as _Base, dataclass as _dataclass, default_of as _default_of
from ._runtime.uuids import (
    ZERO as _ZERO_UUID,
    read_uuid as _read_uuid,
    uuid_bytes as _uuid_bytes,
    uuid_of as _uuid_of,
    write_uuid as _write_uuid,
)
from ._runtime.varints import (
    read_packed64 as _read_packed64,
    read_uvarint as _read_uvarint,
    write_packed64 as _write_packed64,
    write_uvarint as _write_uvarint,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["Tagged", "TaggedPart", "TaggedNullPart", "TaggedNullablePart", "TaggedElement"]

_unpack_H = _Struct(">H").unpack_from
_pack_H = _Struct(">H").pack
_unpack_I = _Struct(">I").unpack_from
_pack_I = _Struct(">I").pack
_unpack_b = _Struct(">b").unpack_from
_pack_b = _Struct(">b").pack
_unpack_bB = _Struct(">bB").unpack_from
_pack_bB = _Struct(">bB").pack
_unpack_bx = _Struct(">bx").unpack_from
_pack_bx = _Struct(">bx").pack
_unpack_d = _Struct(">d").unpack_from
_pack_d = _Struct(">d").pack
_unpack_dB = _Struct(">dB").unpack_from
_pack_dB = _Struct(">dB").pack
_unpack_dx = _Struct(">dx").unpack_from
_pack_dx = _Struct(">dx").pack
_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_iB = _Struct(">iB").unpack_from
_pack_iB = _Struct(">iB").pack
_unpack_ii = _Struct(">ii").unpack_from
_pack_ii = _Struct(">ii").pack
_unpack_iiB = _Struct(">iiB").unpack_from
_pack_iiB = _Struct(">iiB").pack
_unpack_ix = _Struct(">ix").unpack_from
_pack_ix = _Struct(">ix").pack
_unpack_q = _Struct(">q").unpack_from
_pack_q = _Struct(">q").pack
_unpack_t = _Struct(">?").unpack_from
_pack_t = _Struct(">?").pack
_unpack_u = _Struct(">16s").unpack_from
_pack_u = _Struct(">16s").pack
_rows_bx = _Struct(">bx").iter_unpack
_unpackers_b = _unpackers("b")
_unpackers_i = _unpackers("i")
_unpackers_q = _unpackers("q")
_packers_b = _packers("b")
_packers_i = _packers("i")
_packers_q = _packers("q")


@_dataclass
class TaggedPart(_Base):
    """TaggedPart."""

    number: int = -1

    word: str = ""


_args_TaggedPart = (TaggedPart,)

_TaggedPart_default = _default_of(TaggedPart)


@_dataclass
class TaggedNullPart(_Base):
    """TaggedNullPart."""

    number: int = 0


_args_TaggedNullPart = (TaggedNullPart,)


@_dataclass
class TaggedNullablePart(_Base):
    """TaggedNullablePart."""

    number: float = 1.5


_args_TaggedNullablePart = (TaggedNullablePart,)

_TaggedNullablePart_default = _default_of(TaggedNullablePart)


@_dataclass
class TaggedElement(_Base):
    """TaggedElement."""

    number: int = 0

    soon: int = 0


_args_TaggedElement = (TaggedElement,)


@_dataclass
class Tagged(_Message):
    """Tagged: Kafka data, versions 0-2, flexible in 0-2."""

    KIND = "data"
    VALID_VERSIONS = range(0, 3)
    FLEXIBLE_VERSIONS = range(0, 3)

    plain: int = 0

    flag: bool = False

    on_flag: bool = True

    tiny: int = -1

    port: int = 0

    mask: int = 0

    large: int = 16

    rate: float = 0.0

    no_rate: float = _NAN

    id: _UUID = _ZERO_UUID

    text: str = ""

    null_text: str | None = None

    nullable_text: str | None = "here"

    data: bytes = b""

    null_data: bytes | None = None

    nullable_data: bytes | None = b""

    numbers: tuple[int, ...] = ()

    null_numbers: tuple[int, ...] | None = None

    nullable_texts: tuple[str, ...] | None = ()

    ids: tuple[_UUID, ...] = ()

    part: TaggedPart = _TaggedPart_default

    null_part: TaggedNullPart | None = None

    nullable_part: TaggedNullablePart | None = _TaggedNullablePart_default

    parts: tuple[TaggedElement, ...] = ()

    encoded: int = 0

    becomes_tagged: int = 5

    late: str = ""

    late_and_needed: tuple[int, ...] = ()


_args_Tagged = (Tagged,)


def _decode_TaggedPart_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_TaggedPart)
    o.word = ""
    o.number, n = _unpack_iB(b, p)
    p += 5
    if n:
        p = _decode_TaggedPart_v0_tags(o, b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _decode_TaggedPart_v0_tags(o: _Any, b: bytes, p: int, m: _Allowance) -> int:
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
                o.word = b[p + 1 : e].decode()
                p = e
            else:
                o.word, p = _read_compact_string(b, p)
        else:
            unknown.append((tag, b[p:end]))
            p = end
        if p != end:
            raise _CodecFailure
    o.unknown_tagged_fields = tuple(unknown)
    return p


def _encode_TaggedPart_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not TaggedPart:
        _check_instance(o, TaggedPart)
    w += _pack_i(o.number)
    tags = [] if o.unknown_tagged_fields is _NOTHING else _raw_tags(o.unknown_tagged_fields, (0,))
    if o.word != "":
        t = bytearray()
        s = _utf8(o.word)
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


def _decode_TaggedNullPart_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_TaggedNullPart)
    o.number, n = _unpack_iB(b, p)
    p += 5
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_TaggedNullPart_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not TaggedNullPart:
        _check_instance(o, TaggedNullPart)
    w += _pack_ix(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_TaggedNullablePart_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_TaggedNullablePart)
    o.number, n = _unpack_dB(b, p)
    p += 9
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_TaggedNullablePart_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not TaggedNullablePart:
        _check_instance(o, TaggedNullablePart)
    w += _pack_dx(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_TaggedElement_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 94 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_TaggedElement_v0_array, (m,), 3, 94, b, p, n)
    items: list[_Any] = []
    e = p + 2 * n
    if b[p + 1 : e : 2].count(0) == n:
        for row in _rows_bx(b[p:e] if n < 512 else memoryview(b)[p:e]):
            o: _Any = _new(*_args_TaggedElement)
            (o.number,) = row
            o.soon = 0
            o.unknown_tagged_fields = ()
            items.append(o)
        return tuple(items), e
    for _ in range(n):
        o = _new(*_args_TaggedElement)
        o.soon = 0
        o.number, n = _unpack_bB(b, p)
        p += 2
        if n:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m, (0,))
        else:
            o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_TaggedElement_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not TaggedElement:
            _check_instance(o, TaggedElement)
        w += _pack_bx(o.number)
        if o.unknown_tagged_fields is not _NOTHING:
            w.pop()
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, (0,)))


def _decode_Tagged_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Tagged)
    o.flag = False
    o.on_flag = True
    o.tiny = -1
    o.port = 0
    o.mask = 0
    o.large = 16
    o.rate = 0.0
    o.no_rate = _NAN
    o.id = _ZERO_UUID
    o.text = ""
    o.null_text = None
    o.nullable_text = "here"
    o.data = b""
    o.null_data = None
    o.nullable_data = b""
    o.numbers = ()
    o.null_numbers = None
    o.nullable_texts = ()
    o.ids = ()
    o.part = _TaggedPart_default
    o.null_part = None
    o.nullable_part = _TaggedNullablePart_default
    o.parts = ()
    o.encoded = 0
    o.late = ""
    o.late_and_needed = ()
    o.plain, o.becomes_tagged, n = _unpack_iiB(b, p)
    p += 9
    if n:
        p = _decode_Tagged_v0_tags(o, b, p - 1, z, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _decode_Tagged_v0_tags(o: _Any, b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> int:
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
            (o.flag,) = _unpack_t(b, p)
            p += 1
        elif tag == 1:
            (o.on_flag,) = _unpack_t(b, p)
            p += 1
        elif tag == 2:
            (o.tiny,) = _unpack_b(b, p)
            p += 1
        elif tag == 3:
            (o.port,) = _unpack_H(b, p)
            p += 2
        elif tag == 4:
            (o.mask,) = _unpack_I(b, p)
            p += 4
        elif tag == 5:
            (o.large,) = _unpack_q(b, p)
            p += 8
        elif tag == 6:
            (o.rate,) = _unpack_d(b, p)
            p += 8
        elif tag == 7:
            (o.no_rate,) = _unpack_d(b, p)
            p += 8
        elif tag == 8:
            (o.id,) = _unpack_u(b, p)
            p += 16
            o.id = _uuid_of(o.id)
        elif tag == 9:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.text = b[p + 1 : e].decode()
                p = e
            else:
                o.text, p = _read_compact_string(b, p)
        elif tag == 10:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.null_text = b[p + 1 : e].decode()
                p = e
            else:
                o.null_text, p = _read_compact_string_or_null(b, p)
        elif tag == 11:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.nullable_text = b[p + 1 : e].decode()
                p = e
            else:
                o.nullable_text, p = _read_compact_string_or_null(b, p)
        elif tag == 12:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.data = b[p + 1 : e]
                p = e
            else:
                o.data, p = _read_compact_bytes(b, p, b)
        elif tag == 13:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.null_data = b[p + 1 : e]
                p = e
            else:
                o.null_data, p = _read_compact_bytes_or_null(b, p, b)
        elif tag == 14:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.nullable_data = b[p + 1 : e]
                p = e
            else:
                o.nullable_data, p = _read_compact_bytes_or_null(b, p, b)
        elif tag == 15:
            n = b[p]
            if 0 < n < 32:
                o.numbers = _unpackers_i[n](b, p + 1)
                p += 4 * n - 3
            else:
                o.numbers, p = _read_compact_numbers(b, p, "i", m)
        elif tag == 16:
            n = b[p]
            if 0 < n < 32:
                o.null_numbers = _unpackers_q[n](b, p + 1)
                p += 8 * n - 7
            else:
                o.null_numbers, p = _read_compact_numbers_or_null(b, p, "q", m)
        elif tag == 17:
            o.nullable_texts, p = _read_compact_array(_read_compact_string, b, p, m, 76)
        elif tag == 18:
            o.ids, p = _read_compact_array(_read_uuid, b, p, m, 0)
            if o.ids is None:
                raise _CodecFailure
        elif tag == 19:
            o.part, p = _decode_TaggedPart_v0(b, p, m)
        elif tag == 20:
            n, p = _read_uvarint(b, p)
            if n == 0:
                o.null_part = None
            else:
                o.null_part, p = _decode_TaggedNullPart_v0(b, p, m)
        elif tag == 21:
            n, p = _read_uvarint(b, p)
            if n == 0:
                o.nullable_part = None
            else:
                o.nullable_part, p = _decode_TaggedNullablePart_v0(b, p, m)
        elif tag == 22:
            o.parts, p = _decode_TaggedElement_v0_array(b, p, m)
            if o.parts is None:
                raise _CodecFailure
        elif tag == 23:
            o.encoded, p = _read_packed64(b, p)
        elif tag in (24, 25, 26):
            raise _CodecFailure
        else:
            unknown.append((tag, b[p:end]))
            p = end
        if p != end:
            raise _CodecFailure
    o.unknown_tagged_fields = tuple(unknown)
    return p


def _encode_Tagged_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Tagged:
        _check_instance(o, Tagged)
    if o.late_and_needed is not _NOTHING and _some(o.late_and_needed):
        raise _CodecFailure
    w += _pack_ii(o.plain, o.becomes_tagged)
    tags = (
        []
        if o.unknown_tagged_fields is _NOTHING
        else _raw_tags(
            o.unknown_tagged_fields,
            (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26),
        )
    )
    if o.flag is not False:
        t = bytearray()
        if o.flag is not False and o.flag is not True:
            raise _CodecFailure
        t += _pack_t(o.flag)
        tags.append((0, bytes(t)))
    if o.on_flag is not True:
        t = bytearray()
        if o.on_flag is not False and o.on_flag is not True:
            raise _CodecFailure
        t += _pack_t(o.on_flag)
        tags.append((1, bytes(t)))
    if o.tiny != -1:
        t = bytearray()
        t += _pack_b(o.tiny)
        tags.append((2, bytes(t)))
    if o.port != 0:
        t = bytearray()
        t += _pack_H(o.port)
        tags.append((3, bytes(t)))
    if o.mask != 0:
        t = bytearray()
        t += _pack_I(o.mask)
        tags.append((4, bytes(t)))
    if o.large != 16:
        t = bytearray()
        t += _pack_q(o.large)
        tags.append((5, bytes(t)))
    if o.rate != 0.0:
        t = bytearray()
        t += _pack_d(o.rate)
        tags.append((6, bytes(t)))
    if o.no_rate != _NAN:
        t = bytearray()
        t += _pack_d(o.no_rate)
        tags.append((7, bytes(t)))
    if o.id != _ZERO_UUID:
        t = bytearray()
        t += _pack_u(_uuid_bytes(o.id))
        tags.append((8, bytes(t)))
    if o.text != "":
        t = bytearray()
        s = _utf8(o.text)
        n = len(s)
        if n < 127:
            t.append(n + 1)
        else:
            _write_compact_length(t, n)
        t += s
        tags.append((9, bytes(t)))
    if o.null_text is not None:
        t = bytearray()
        s = o.null_text
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
        tags.append((10, bytes(t)))
    if o.nullable_text != "here":
        t = bytearray()
        s = o.nullable_text
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
        tags.append((11, bytes(t)))
    if _some_bytes(o.data):
        t = bytearray()
        s = o.data
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        if n < 127:
            t.append(n + 1)
        else:
            _write_uvarint(t, n + 1)
        t += s
        tags.append((12, bytes(t)))
    if o.null_data is not None:
        t = bytearray()
        s = o.null_data
        if s is None:
            t += b"\x00"
        else:
            s = s
            if type(s) is not bytes:
                s = _bytes_of(s)
            n = len(s)
            if n < 127:
                t.append(n + 1)
            else:
                _write_uvarint(t, n + 1)
            t += s
        tags.append((13, bytes(t)))
    if _some_bytes(o.nullable_data):
        t = bytearray()
        s = o.nullable_data
        if s is None:
            t += b"\x00"
        else:
            s = s
            if type(s) is not bytes:
                s = _bytes_of(s)
            n = len(s)
            if n < 127:
                t.append(n + 1)
            else:
                _write_uvarint(t, n + 1)
            t += s
        tags.append((14, bytes(t)))
    if o.numbers is not _NOTHING and _some(o.numbers):
        t = bytearray()
        s = o.numbers
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            t.append(n + 1)
            t += _packers_i[n](*s)
        else:
            _write_compact_numbers(t, s, "i")
        tags.append((15, bytes(t)))
    if o.null_numbers is not None:
        t = bytearray()
        s = o.null_numbers
        if s is None:
            t += b"\x00"
        else:
            if type(s) is not tuple:
                s = _array_of(s)
            n = len(s)
            if n < 31:
                t.append(n + 1)
                t += _packers_q[n](*s)
            else:
                _write_compact_numbers(t, s, "q")
        tags.append((16, bytes(t)))
    if o.nullable_texts is not _NOTHING and _some(o.nullable_texts):
        t = bytearray()
        if o.nullable_texts is None:
            t += b"\x00"
        else:
            _write_compact_array(t, o.nullable_texts, _write_compact_string)
        tags.append((17, bytes(t)))
    if o.ids is not _NOTHING and _some(o.ids):
        t = bytearray()
        _write_compact_array(t, o.ids, _write_uuid)
        tags.append((18, bytes(t)))
    if o.part != _TaggedPart_default:
        t = bytearray()
        _encode_TaggedPart_v0(o.part, t)
        tags.append((19, bytes(t)))
    if o.null_part is not None:
        t = bytearray()
        s = o.null_part
        if s is None:
            t.append(0)
        else:
            t.append(1)
            _encode_TaggedNullPart_v0(s, t)
        tags.append((20, bytes(t)))
    if o.nullable_part != _TaggedNullablePart_default:
        t = bytearray()
        s = o.nullable_part
        if s is None:
            t.append(0)
        else:
            t.append(1)
            _encode_TaggedNullablePart_v0(s, t)
        tags.append((21, bytes(t)))
    if o.parts is not _NOTHING and _some(o.parts):
        t = bytearray()
        _encode_TaggedElement_v0_array(t, o.parts)
        tags.append((22, bytes(t)))
    if o.encoded != 0:
        t = bytearray()
        _write_packed64(t, o.encoded)
        tags.append((23, bytes(t)))
    if tags:
        _write_tags(w, tags)
    else:
        w.append(0)


def _decode_TaggedElement_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 94 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_TaggedElement_v1_array, (m,), 5, 94, b, p, n)
    items: list[_Any] = []
    e = p + 2 * n
    if b[p + 1 : e : 2].count(0) == n:
        for row in _rows_bx(b[p:e] if n < 512 else memoryview(b)[p:e]):
            o: _Any = _new(*_args_TaggedElement)
            (o.number,) = row
            o.soon = 0
            o.unknown_tagged_fields = ()
            items.append(o)
        return tuple(items), e
    for _ in range(n):
        o = _new(*_args_TaggedElement)
        o.soon = 0
        o.number, n = _unpack_bB(b, p)
        p += 2
        if n:
            p = _decode_TaggedElement_v1_tags(o, b, p - 1, m)
        else:
            o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _decode_TaggedElement_v1_tags(o: _Any, b: bytes, p: int, m: _Allowance) -> int:
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
            (o.soon,) = _unpack_h(b, p)
            p += 2
        else:
            unknown.append((tag, b[p:end]))
            p = end
        if p != end:
            raise _CodecFailure
    o.unknown_tagged_fields = tuple(unknown)
    return p


def _encode_TaggedElement_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not TaggedElement:
            _check_instance(o, TaggedElement)
        w += _pack_b(o.number)
        tags = [] if o.unknown_tagged_fields is _NOTHING else _raw_tags(o.unknown_tagged_fields, (0,))
        if o.soon != 0:
            t = bytearray()
            t += _pack_h(o.soon)
            tags.append((0, bytes(t)))
        if tags:
            _write_tags(w, tags)
        else:
            w.append(0)


def _decode_Tagged_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Tagged)
    o.flag = False
    o.on_flag = True
    o.tiny = -1
    o.port = 0
    o.mask = 0
    o.large = 16
    o.rate = 0.0
    o.no_rate = _NAN
    o.id = _ZERO_UUID
    o.text = ""
    o.null_text = None
    o.nullable_text = "here"
    o.data = b""
    o.null_data = None
    o.nullable_data = b""
    o.numbers = ()
    o.null_numbers = None
    o.nullable_texts = ()
    o.ids = ()
    o.part = _TaggedPart_default
    o.null_part = None
    o.nullable_part = _TaggedNullablePart_default
    o.parts = ()
    o.encoded = 0
    o.becomes_tagged = 5
    o.late = ""
    o.late_and_needed = ()
    o.plain, n = _unpack_iB(b, p)
    p += 5
    if n:
        p = _decode_Tagged_v1_tags(o, b, p - 1, z, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _decode_Tagged_v1_tags(o: _Any, b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> int:
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
            (o.flag,) = _unpack_t(b, p)
            p += 1
        elif tag == 1:
            (o.on_flag,) = _unpack_t(b, p)
            p += 1
        elif tag == 2:
            (o.tiny,) = _unpack_b(b, p)
            p += 1
        elif tag == 3:
            (o.port,) = _unpack_H(b, p)
            p += 2
        elif tag == 4:
            (o.mask,) = _unpack_I(b, p)
            p += 4
        elif tag == 5:
            (o.large,) = _unpack_q(b, p)
            p += 8
        elif tag == 6:
            (o.rate,) = _unpack_d(b, p)
            p += 8
        elif tag == 7:
            (o.no_rate,) = _unpack_d(b, p)
            p += 8
        elif tag == 8:
            (o.id,) = _unpack_u(b, p)
            p += 16
            o.id = _uuid_of(o.id)
        elif tag == 9:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.text = b[p + 1 : e].decode()
                p = e
            else:
                o.text, p = _read_compact_string(b, p)
        elif tag == 10:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.null_text = b[p + 1 : e].decode()
                p = e
            else:
                o.null_text, p = _read_compact_string_or_null(b, p)
        elif tag == 11:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.nullable_text = b[p + 1 : e].decode()
                p = e
            else:
                o.nullable_text, p = _read_compact_string_or_null(b, p)
        elif tag == 12:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.data = b[p + 1 : e]
                p = e
            else:
                o.data, p = _read_compact_bytes(b, p, b)
        elif tag == 13:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.null_data = b[p + 1 : e]
                p = e
            else:
                o.null_data, p = _read_compact_bytes_or_null(b, p, b)
        elif tag == 14:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.nullable_data = b[p + 1 : e]
                p = e
            else:
                o.nullable_data, p = _read_compact_bytes_or_null(b, p, b)
        elif tag == 15:
            n = b[p]
            if 0 < n < 32:
                o.numbers = _unpackers_i[n](b, p + 1)
                p += 4 * n - 3
            else:
                o.numbers, p = _read_compact_numbers(b, p, "i", m)
        elif tag == 16:
            n = b[p]
            if 0 < n < 32:
                o.null_numbers = _unpackers_q[n](b, p + 1)
                p += 8 * n - 7
            else:
                o.null_numbers, p = _read_compact_numbers_or_null(b, p, "q", m)
        elif tag == 17:
            o.nullable_texts, p = _read_compact_array(_read_compact_string, b, p, m, 76)
        elif tag == 18:
            o.ids, p = _read_compact_array(_read_uuid, b, p, m, 0)
            if o.ids is None:
                raise _CodecFailure
        elif tag == 19:
            o.part, p = _decode_TaggedPart_v0(b, p, m)
        elif tag == 20:
            n, p = _read_uvarint(b, p)
            if n == 0:
                o.null_part = None
            else:
                o.null_part, p = _decode_TaggedNullPart_v0(b, p, m)
        elif tag == 21:
            n, p = _read_uvarint(b, p)
            if n == 0:
                o.nullable_part = None
            else:
                o.nullable_part, p = _decode_TaggedNullablePart_v0(b, p, m)
        elif tag == 22:
            o.parts, p = _decode_TaggedElement_v1_array(b, p, m)
            if o.parts is None:
                raise _CodecFailure
        elif tag == 23:
            o.encoded, p = _read_packed64(b, p)
        elif tag == 24:
            (o.becomes_tagged,) = _unpack_i(b, p)
            p += 4
        elif tag in (25, 26):
            raise _CodecFailure
        else:
            unknown.append((tag, b[p:end]))
            p = end
        if p != end:
            raise _CodecFailure
    o.unknown_tagged_fields = tuple(unknown)
    return p


def _encode_Tagged_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Tagged:
        _check_instance(o, Tagged)
    if o.late_and_needed is not _NOTHING and _some(o.late_and_needed):
        raise _CodecFailure
    w += _pack_i(o.plain)
    tags = (
        []
        if o.unknown_tagged_fields is _NOTHING
        else _raw_tags(
            o.unknown_tagged_fields,
            (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26),
        )
    )
    if o.flag is not False:
        t = bytearray()
        if o.flag is not False and o.flag is not True:
            raise _CodecFailure
        t += _pack_t(o.flag)
        tags.append((0, bytes(t)))
    if o.on_flag is not True:
        t = bytearray()
        if o.on_flag is not False and o.on_flag is not True:
            raise _CodecFailure
        t += _pack_t(o.on_flag)
        tags.append((1, bytes(t)))
    if o.tiny != -1:
        t = bytearray()
        t += _pack_b(o.tiny)
        tags.append((2, bytes(t)))
    if o.port != 0:
        t = bytearray()
        t += _pack_H(o.port)
        tags.append((3, bytes(t)))
    if o.mask != 0:
        t = bytearray()
        t += _pack_I(o.mask)
        tags.append((4, bytes(t)))
    if o.large != 16:
        t = bytearray()
        t += _pack_q(o.large)
        tags.append((5, bytes(t)))
    if o.rate != 0.0:
        t = bytearray()
        t += _pack_d(o.rate)
        tags.append((6, bytes(t)))
    if o.no_rate != _NAN:
        t = bytearray()
        t += _pack_d(o.no_rate)
        tags.append((7, bytes(t)))
    if o.id != _ZERO_UUID:
        t = bytearray()
        t += _pack_u(_uuid_bytes(o.id))
        tags.append((8, bytes(t)))
    if o.text != "":
        t = bytearray()
        s = _utf8(o.text)
        n = len(s)
        if n < 127:
            t.append(n + 1)
        else:
            _write_compact_length(t, n)
        t += s
        tags.append((9, bytes(t)))
    if o.null_text is not None:
        t = bytearray()
        s = o.null_text
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
        tags.append((10, bytes(t)))
    if o.nullable_text != "here":
        t = bytearray()
        s = o.nullable_text
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
        tags.append((11, bytes(t)))
    if _some_bytes(o.data):
        t = bytearray()
        s = o.data
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        if n < 127:
            t.append(n + 1)
        else:
            _write_uvarint(t, n + 1)
        t += s
        tags.append((12, bytes(t)))
    if o.null_data is not None:
        t = bytearray()
        s = o.null_data
        if s is None:
            t += b"\x00"
        else:
            s = s
            if type(s) is not bytes:
                s = _bytes_of(s)
            n = len(s)
            if n < 127:
                t.append(n + 1)
            else:
                _write_uvarint(t, n + 1)
            t += s
        tags.append((13, bytes(t)))
    if _some_bytes(o.nullable_data):
        t = bytearray()
        s = o.nullable_data
        if s is None:
            t += b"\x00"
        else:
            s = s
            if type(s) is not bytes:
                s = _bytes_of(s)
            n = len(s)
            if n < 127:
                t.append(n + 1)
            else:
                _write_uvarint(t, n + 1)
            t += s
        tags.append((14, bytes(t)))
    if o.numbers is not _NOTHING and _some(o.numbers):
        t = bytearray()
        s = o.numbers
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            t.append(n + 1)
            t += _packers_i[n](*s)
        else:
            _write_compact_numbers(t, s, "i")
        tags.append((15, bytes(t)))
    if o.null_numbers is not None:
        t = bytearray()
        s = o.null_numbers
        if s is None:
            t += b"\x00"
        else:
            if type(s) is not tuple:
                s = _array_of(s)
            n = len(s)
            if n < 31:
                t.append(n + 1)
                t += _packers_q[n](*s)
            else:
                _write_compact_numbers(t, s, "q")
        tags.append((16, bytes(t)))
    if o.nullable_texts is not _NOTHING and _some(o.nullable_texts):
        t = bytearray()
        if o.nullable_texts is None:
            t += b"\x00"
        else:
            _write_compact_array(t, o.nullable_texts, _write_compact_string)
        tags.append((17, bytes(t)))
    if o.ids is not _NOTHING and _some(o.ids):
        t = bytearray()
        _write_compact_array(t, o.ids, _write_uuid)
        tags.append((18, bytes(t)))
    if o.part != _TaggedPart_default:
        t = bytearray()
        _encode_TaggedPart_v0(o.part, t)
        tags.append((19, bytes(t)))
    if o.null_part is not None:
        t = bytearray()
        s = o.null_part
        if s is None:
            t.append(0)
        else:
            t.append(1)
            _encode_TaggedNullPart_v0(s, t)
        tags.append((20, bytes(t)))
    if o.nullable_part != _TaggedNullablePart_default:
        t = bytearray()
        s = o.nullable_part
        if s is None:
            t.append(0)
        else:
            t.append(1)
            _encode_TaggedNullablePart_v0(s, t)
        tags.append((21, bytes(t)))
    if o.parts is not _NOTHING and _some(o.parts):
        t = bytearray()
        _encode_TaggedElement_v1_array(t, o.parts)
        tags.append((22, bytes(t)))
    if o.encoded != 0:
        t = bytearray()
        _write_packed64(t, o.encoded)
        tags.append((23, bytes(t)))
    if o.becomes_tagged != 5:
        t = bytearray()
        t += _pack_i(o.becomes_tagged)
        tags.append((24, bytes(t)))
    if tags:
        _write_tags(w, tags)
    else:
        w.append(0)


def _decode_Tagged_v2(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Tagged)
    o.flag = False
    o.on_flag = True
    o.tiny = -1
    o.port = 0
    o.mask = 0
    o.large = 16
    o.rate = 0.0
    o.no_rate = _NAN
    o.id = _ZERO_UUID
    o.text = ""
    o.null_text = None
    o.nullable_text = "here"
    o.data = b""
    o.null_data = None
    o.nullable_data = b""
    o.numbers = ()
    o.null_numbers = None
    o.nullable_texts = ()
    o.ids = ()
    o.part = _TaggedPart_default
    o.null_part = None
    o.nullable_part = _TaggedNullablePart_default
    o.parts = ()
    o.encoded = 0
    o.becomes_tagged = 5
    o.late = ""
    o.late_and_needed = ()
    o.plain, n = _unpack_iB(b, p)
    p += 5
    if n:
        p = _decode_Tagged_v2_tags(o, b, p - 1, z, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _decode_Tagged_v2_tags(o: _Any, b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> int:
    unknown = []
    last = -1
    count, p = _read_tag_count(b, p, m, 918)
    for _ in range(count):
        tag, p = _read_uvarint(b, p)
        if tag <= last:
            raise _CodecFailure
        last = tag
        size, p = _read_uvarint(b, p)
        end = p + size
        if tag == 0:
            (o.flag,) = _unpack_t(b, p)
            p += 1
        elif tag == 1:
            (o.on_flag,) = _unpack_t(b, p)
            p += 1
        elif tag == 2:
            (o.tiny,) = _unpack_b(b, p)
            p += 1
        elif tag == 3:
            (o.port,) = _unpack_H(b, p)
            p += 2
        elif tag == 4:
            (o.mask,) = _unpack_I(b, p)
            p += 4
        elif tag == 5:
            (o.large,) = _unpack_q(b, p)
            p += 8
        elif tag == 6:
            (o.rate,) = _unpack_d(b, p)
            p += 8
        elif tag == 7:
            (o.no_rate,) = _unpack_d(b, p)
            p += 8
        elif tag == 8:
            (o.id,) = _unpack_u(b, p)
            p += 16
            o.id = _uuid_of(o.id)
        elif tag == 9:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.text = b[p + 1 : e].decode()
                p = e
            else:
                o.text, p = _read_compact_string(b, p)
        elif tag == 10:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.null_text = b[p + 1 : e].decode()
                p = e
            else:
                o.null_text, p = _read_compact_string_or_null(b, p)
        elif tag == 11:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.nullable_text = b[p + 1 : e].decode()
                p = e
            else:
                o.nullable_text, p = _read_compact_string_or_null(b, p)
        elif tag == 12:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.data = b[p + 1 : e]
                p = e
            else:
                o.data, p = _read_compact_bytes(b, p, b)
        elif tag == 13:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.null_data = b[p + 1 : e]
                p = e
            else:
                o.null_data, p = _read_compact_bytes_or_null(b, p, b)
        elif tag == 14:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.nullable_data = b[p + 1 : e]
                p = e
            else:
                o.nullable_data, p = _read_compact_bytes_or_null(b, p, b)
        elif tag == 15:
            n = b[p]
            if 0 < n < 32:
                o.numbers = _unpackers_i[n](b, p + 1)
                p += 4 * n - 3
            else:
                o.numbers, p = _read_compact_numbers(b, p, "i", m)
        elif tag == 16:
            n = b[p]
            if 0 < n < 32:
                o.null_numbers = _unpackers_q[n](b, p + 1)
                p += 8 * n - 7
            else:
                o.null_numbers, p = _read_compact_numbers_or_null(b, p, "q", m)
        elif tag == 17:
            o.nullable_texts, p = _read_compact_array(_read_compact_string, b, p, m, 76)
        elif tag == 18:
            o.ids, p = _read_compact_array(_read_uuid, b, p, m, 0)
            if o.ids is None:
                raise _CodecFailure
        elif tag == 19:
            o.part, p = _decode_TaggedPart_v0(b, p, m)
        elif tag == 20:
            n, p = _read_uvarint(b, p)
            if n == 0:
                o.null_part = None
            else:
                o.null_part, p = _decode_TaggedNullPart_v0(b, p, m)
        elif tag == 21:
            n, p = _read_uvarint(b, p)
            if n == 0:
                o.nullable_part = None
            else:
                o.nullable_part, p = _decode_TaggedNullablePart_v0(b, p, m)
        elif tag == 22:
            o.parts, p = _decode_TaggedElement_v1_array(b, p, m)
            if o.parts is None:
                raise _CodecFailure
        elif tag == 23:
            o.encoded, p = _read_packed64(b, p)
        elif tag == 24:
            (o.becomes_tagged,) = _unpack_i(b, p)
            p += 4
        elif tag == 25:
            n = b[p]
            if 0 < n < 128:
                e = p + n
                o.late = b[p + 1 : e].decode()
                p = e
            else:
                o.late, p = _read_compact_string(b, p)
        elif tag == 26:
            n = b[p]
            if 0 < n < 32:
                o.late_and_needed = _unpackers_b[n](b, p + 1)
                p += n
            else:
                o.late_and_needed, p = _read_compact_numbers(b, p, "b", m)
        else:
            unknown.append((tag, b[p:end]))
            p = end
        if p != end:
            raise _CodecFailure
    o.unknown_tagged_fields = tuple(unknown)
    return p


def _encode_Tagged_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Tagged:
        _check_instance(o, Tagged)
    w += _pack_i(o.plain)
    tags = (
        []
        if o.unknown_tagged_fields is _NOTHING
        else _raw_tags(
            o.unknown_tagged_fields,
            (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26),
        )
    )
    if o.flag is not False:
        t = bytearray()
        if o.flag is not False and o.flag is not True:
            raise _CodecFailure
        t += _pack_t(o.flag)
        tags.append((0, bytes(t)))
    if o.on_flag is not True:
        t = bytearray()
        if o.on_flag is not False and o.on_flag is not True:
            raise _CodecFailure
        t += _pack_t(o.on_flag)
        tags.append((1, bytes(t)))
    if o.tiny != -1:
        t = bytearray()
        t += _pack_b(o.tiny)
        tags.append((2, bytes(t)))
    if o.port != 0:
        t = bytearray()
        t += _pack_H(o.port)
        tags.append((3, bytes(t)))
    if o.mask != 0:
        t = bytearray()
        t += _pack_I(o.mask)
        tags.append((4, bytes(t)))
    if o.large != 16:
        t = bytearray()
        t += _pack_q(o.large)
        tags.append((5, bytes(t)))
    if o.rate != 0.0:
        t = bytearray()
        t += _pack_d(o.rate)
        tags.append((6, bytes(t)))
    if o.no_rate != _NAN:
        t = bytearray()
        t += _pack_d(o.no_rate)
        tags.append((7, bytes(t)))
    if o.id != _ZERO_UUID:
        t = bytearray()
        t += _pack_u(_uuid_bytes(o.id))
        tags.append((8, bytes(t)))
    if o.text != "":
        t = bytearray()
        s = _utf8(o.text)
        n = len(s)
        if n < 127:
            t.append(n + 1)
        else:
            _write_compact_length(t, n)
        t += s
        tags.append((9, bytes(t)))
    if o.null_text is not None:
        t = bytearray()
        s = o.null_text
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
        tags.append((10, bytes(t)))
    if o.nullable_text != "here":
        t = bytearray()
        s = o.nullable_text
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
        tags.append((11, bytes(t)))
    if _some_bytes(o.data):
        t = bytearray()
        s = o.data
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        if n < 127:
            t.append(n + 1)
        else:
            _write_uvarint(t, n + 1)
        t += s
        tags.append((12, bytes(t)))
    if o.null_data is not None:
        t = bytearray()
        s = o.null_data
        if s is None:
            t += b"\x00"
        else:
            s = s
            if type(s) is not bytes:
                s = _bytes_of(s)
            n = len(s)
            if n < 127:
                t.append(n + 1)
            else:
                _write_uvarint(t, n + 1)
            t += s
        tags.append((13, bytes(t)))
    if _some_bytes(o.nullable_data):
        t = bytearray()
        s = o.nullable_data
        if s is None:
            t += b"\x00"
        else:
            s = s
            if type(s) is not bytes:
                s = _bytes_of(s)
            n = len(s)
            if n < 127:
                t.append(n + 1)
            else:
                _write_uvarint(t, n + 1)
            t += s
        tags.append((14, bytes(t)))
    if o.numbers is not _NOTHING and _some(o.numbers):
        t = bytearray()
        s = o.numbers
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            t.append(n + 1)
            t += _packers_i[n](*s)
        else:
            _write_compact_numbers(t, s, "i")
        tags.append((15, bytes(t)))
    if o.null_numbers is not None:
        t = bytearray()
        s = o.null_numbers
        if s is None:
            t += b"\x00"
        else:
            if type(s) is not tuple:
                s = _array_of(s)
            n = len(s)
            if n < 31:
                t.append(n + 1)
                t += _packers_q[n](*s)
            else:
                _write_compact_numbers(t, s, "q")
        tags.append((16, bytes(t)))
    if o.nullable_texts is not _NOTHING and _some(o.nullable_texts):
        t = bytearray()
        if o.nullable_texts is None:
            t += b"\x00"
        else:
            _write_compact_array(t, o.nullable_texts, _write_compact_string)
        tags.append((17, bytes(t)))
    if o.ids is not _NOTHING and _some(o.ids):
        t = bytearray()
        _write_compact_array(t, o.ids, _write_uuid)
        tags.append((18, bytes(t)))
    if o.part != _TaggedPart_default:
        t = bytearray()
        _encode_TaggedPart_v0(o.part, t)
        tags.append((19, bytes(t)))
    if o.null_part is not None:
        t = bytearray()
        s = o.null_part
        if s is None:
            t.append(0)
        else:
            t.append(1)
            _encode_TaggedNullPart_v0(s, t)
        tags.append((20, bytes(t)))
    if o.nullable_part != _TaggedNullablePart_default:
        t = bytearray()
        s = o.nullable_part
        if s is None:
            t.append(0)
        else:
            t.append(1)
            _encode_TaggedNullablePart_v0(s, t)
        tags.append((21, bytes(t)))
    if o.parts is not _NOTHING and _some(o.parts):
        t = bytearray()
        _encode_TaggedElement_v1_array(t, o.parts)
        tags.append((22, bytes(t)))
    if o.encoded != 0:
        t = bytearray()
        _write_packed64(t, o.encoded)
        tags.append((23, bytes(t)))
    if o.becomes_tagged != 5:
        t = bytearray()
        t += _pack_i(o.becomes_tagged)
        tags.append((24, bytes(t)))
    if o.late != "":
        t = bytearray()
        s = _utf8(o.late)
        n = len(s)
        if n < 127:
            t.append(n + 1)
        else:
            _write_compact_length(t, n)
        t += s
        tags.append((25, bytes(t)))
    if o.late_and_needed is not _NOTHING and _some(o.late_and_needed):
        t = bytearray()
        s = o.late_and_needed
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            t.append(n + 1)
            t += _packers_b[n](*s)
        else:
            _write_compact_numbers(t, s, "b")
        tags.append((26, bytes(t)))
    if tags:
        _write_tags(w, tags)
    else:
        w.append(0)


_PLAN = """\
messagegen-plan 1
message Tagged data 0-2
struct Tagged
 plain plain int32 0
 flag flag bool false
 on_flag onFlag bool true
 tiny tiny int8 -1
 port port uint16 0
 mask mask uint32 0
 large large int64 16
 rate rate float64 0.0
 no_rate noRate float64 NaN
 id id uuid "00000000000000000000000000000000"
 text text string ""
 null_text nullText string? null
 nullable_text nullableText string? "here"
 data data bytes ""
 null_data nullData bytes? null
 nullable_data nullableData bytes? ""
 numbers numbers []int32 []
 null_numbers nullNumbers []int64? null
 nullable_texts nullableTexts []string? []
 ids ids []uuid []
 part part TaggedPart {}
 null_part nullPart TaggedNullPart? null
 nullable_part nullablePart TaggedNullablePart? {}
 parts parts []TaggedElement []
 encoded encoded int64 0
 becomes_tagged becomesTagged int32 5
 late late string ""
 late_and_needed lateAndNeeded []int8 []
struct TaggedPart
 number number int32 -1
 word word string ""
struct TaggedNullPart
 number number int32 0
struct TaggedNullablePart
 number number float64 1.5
struct TaggedElement
 number number int8 0
 soon soon int16 0
layout 0 TaggedPart 0-2 flexible
 number int32
 :tag 0 word compact_string
layout 1 TaggedNullPart 0-2 flexible
 number int32
layout 2 TaggedNullablePart 0-2 flexible
 number float64
layout 3 TaggedElement 0 flexible
 number int8
 :foreign 0
 :skip soon
layout 4 Tagged 0 flexible
 plain int32
 + becomes_tagged int32
 :tag 0 flag bool
 :tag 1 on_flag bool
 :tag 2 tiny int8
 :tag 3 port uint16
 :tag 4 mask uint32
 :tag 5 large int64
 :tag 6 rate float64
 :tag 7 no_rate float64
 :tag 8 id uuid
 :tag 9 text compact_string
 :tag 10 null_text compact_string?
 :tag 11 nullable_text compact_string?
 :tag 12 data compact_bytes
 :tag 13 null_data compact_bytes?
 :tag 14 nullable_data compact_bytes?
 :tag 15 numbers compact_array(int32)
 :tag 16 null_numbers compact_array(int64)?
 :tag 17 nullable_texts compact_array(compact_string)?
 :tag 18 ids compact_array(uuid)
 :tag 19 part struct(0)
 :tag 20 null_part struct(1)??
 :tag 21 nullable_part struct(2)??
 :tag 22 parts compact_array(struct(3))
 :tag 23 encoded packed64
 :foreign 24 25 26
 :guard late_and_needed
 :skip late
layout 5 TaggedElement 1-2 flexible
 number int8
 :tag 0 soon int16
layout 6 Tagged 1 flexible
 plain int32
 :tag 0 flag bool
 :tag 1 on_flag bool
 :tag 2 tiny int8
 :tag 3 port uint16
 :tag 4 mask uint32
 :tag 5 large int64
 :tag 6 rate float64
 :tag 7 no_rate float64
 :tag 8 id uuid
 :tag 9 text compact_string
 :tag 10 null_text compact_string?
 :tag 11 nullable_text compact_string?
 :tag 12 data compact_bytes
 :tag 13 null_data compact_bytes?
 :tag 14 nullable_data compact_bytes?
 :tag 15 numbers compact_array(int32)
 :tag 16 null_numbers compact_array(int64)?
 :tag 17 nullable_texts compact_array(compact_string)?
 :tag 18 ids compact_array(uuid)
 :tag 19 part struct(0)
 :tag 20 null_part struct(1)??
 :tag 21 nullable_part struct(2)??
 :tag 22 parts compact_array(struct(5))
 :tag 23 encoded packed64
 :tag 24 becomes_tagged int32
 :foreign 25 26
 :guard late_and_needed
 :skip late
layout 7 Tagged 2 flexible
 plain int32
 :tag 0 flag bool
 :tag 1 on_flag bool
 :tag 2 tiny int8
 :tag 3 port uint16
 :tag 4 mask uint32
 :tag 5 large int64
 :tag 6 rate float64
 :tag 7 no_rate float64
 :tag 8 id uuid
 :tag 9 text compact_string
 :tag 10 null_text compact_string?
 :tag 11 nullable_text compact_string?
 :tag 12 data compact_bytes
 :tag 13 null_data compact_bytes?
 :tag 14 nullable_data compact_bytes?
 :tag 15 numbers compact_array(int32)
 :tag 16 null_numbers compact_array(int64)?
 :tag 17 nullable_texts compact_array(compact_string)?
 :tag 18 ids compact_array(uuid)
 :tag 19 part struct(0)
 :tag 20 null_part struct(1)??
 :tag 21 nullable_part struct(2)??
 :tag 22 parts compact_array(struct(5))
 :tag 23 encoded packed64
 :tag 24 becomes_tagged int32
 :tag 25 late compact_string
 :tag 26 late_and_needed compact_array(int8)
"""

Tagged.CODEC = _Codec(
    readers={
        0: _decode_Tagged_v0,
        1: _decode_Tagged_v1,
        2: _decode_Tagged_v2,
    },
    writers={
        0: _encode_Tagged_v0,
        1: _encode_Tagged_v1,
        2: _encode_Tagged_v2,
    },
    classes=(Tagged, TaggedPart, TaggedNullPart, TaggedNullablePart, TaggedElement),
    plan=_PLAN,
    own=254,
    small=2069,
)
