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
_unpack_I = _Struct(">I").unpack_from
_unpack_b = _Struct(">b").unpack_from
_unpack_bB = _Struct(">bB").unpack_from
_unpack_d = _Struct(">d").unpack_from
_unpack_dB = _Struct(">dB").unpack_from
_unpack_h = _Struct(">h").unpack_from
_unpack_i = _Struct(">i").unpack_from
_unpack_iB = _Struct(">iB").unpack_from
_unpack_iiB = _Struct(">iiB").unpack_from
_unpack_q = _Struct(">q").unpack_from
_unpack_t = _Struct(">?").unpack_from
_unpack_u = _Struct(">16s").unpack_from
_pack_H = _Struct(">H").pack
_pack_I = _Struct(">I").pack
_pack_b = _Struct(">b").pack
_pack_bx = _Struct(">bx").pack
_pack_d = _Struct(">d").pack
_pack_dx = _Struct(">dx").pack
_pack_h = _Struct(">h").pack
_pack_i = _Struct(">i").pack
_pack_ii = _Struct(">ii").pack
_pack_ix = _Struct(">ix").pack
_pack_q = _Struct(">q").pack
_pack_t = _Struct(">?").pack
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
    """Default -1."""

    word: str = ""
    """Tag 0."""


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
    """Default 1.5."""


_args_TaggedNullablePart = (TaggedNullablePart,)

_TaggedNullablePart_default = _default_of(TaggedNullablePart)


@_dataclass
class TaggedElement(_Base):
    """TaggedElement."""

    number: int = 0

    soon: int = 0
    """Versions 1+; tag 0; ignorable."""


_args_TaggedElement = (TaggedElement,)


@_dataclass
class Tagged(_Message):
    """Tagged: Kafka data, versions 0-2, flexible in 0-2."""

    KIND = "data"
    VALID_VERSIONS = range(0, 3)
    FLEXIBLE_VERSIONS = range(0, 3)

    plain: int = 0

    flag: bool = False
    """Tag 0."""

    on_flag: bool = True
    """Tag 1; default True."""

    tiny: int = -1
    """Tag 2; default -1."""

    port: int = 0
    """Tag 3."""

    mask: int = 0
    """Tag 4."""

    large: int = 16
    """Tag 5; default 16."""

    rate: float = 0.0
    """Tag 6."""

    no_rate: float = _NAN
    """Tag 7; default nan."""

    id: _UUID = _ZERO_UUID
    """Tag 8."""

    text: str = ""
    """Tag 9."""

    null_text: str | None = None
    """May be null; tag 10; default null."""

    nullable_text: str | None = "here"
    """May be null; tag 11; default "here"."""

    data: bytes = b""
    """Tag 12."""

    null_data: bytes | None = None
    """May be null; tag 13; default null."""

    nullable_data: bytes | None = b""
    """May be null; tag 14."""

    numbers: tuple[int, ...] = ()
    """Tag 15."""

    null_numbers: tuple[int, ...] | None = None
    """May be null; tag 16; default null."""

    nullable_texts: tuple[str, ...] | None = ()
    """May be null; tag 17."""

    ids: tuple[_UUID, ...] = ()
    """Tag 18."""

    part: TaggedPart = _TaggedPart_default
    """Tag 19."""

    null_part: TaggedNullPart | None = None
    """May be null; tag 20; default null."""

    nullable_part: TaggedNullablePart | None = _TaggedNullablePart_default
    """May be null; tag 21."""

    parts: tuple[TaggedElement, ...] = ()
    """Tag 22."""

    encoded: int = 0
    """Tag 23."""

    becomes_tagged: int = 5
    """Tag 24 in versions 1+; default 5."""

    late: str = ""
    """Versions 2+; tag 25; ignorable."""

    late_and_needed: tuple[int, ...] = ()
    """Versions 2+; tag 26."""


_args_Tagged = (Tagged,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_TaggedPart_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_TaggedPart)
    struct.word = ""
    struct.number, tag_count = _unpack_iB(data, pos)
    pos += 5
    if tag_count:
        pos = _decode_TaggedPart_v0_tags(struct, data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _decode_TaggedPart_v0_tags(struct: _Any, data: bytes, pos: int, allowance: _Allowance) -> int:
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
                struct.word = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.word, pos = _read_compact_string(data, pos)
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_TaggedPart_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not TaggedPart:
        _check_instance(struct, TaggedPart)
    out += _pack_i(struct.number)
    tags = [] if struct.unknown_tagged_fields is _NOTHING else _raw_tags(struct.unknown_tagged_fields, (0,))
    if struct.word != "":
        tagged = bytearray()
        value = _utf8(struct.word)
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


def _decode_TaggedNullPart_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_TaggedNullPart)
    struct.number, tag_count = _unpack_iB(data, pos)
    pos += 5
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_TaggedNullPart_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not TaggedNullPart:
        _check_instance(struct, TaggedNullPart)
    out += _pack_ix(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_TaggedNullablePart_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_TaggedNullablePart)
    struct.number, tag_count = _unpack_dB(data, pos)
    pos += 9
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_TaggedNullablePart_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not TaggedNullablePart:
        _check_instance(struct, TaggedNullablePart)
    out += _pack_dx(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_TaggedElement_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
            allowance.left -= 94 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_TaggedElement_v0_array, (allowance,), 3, 94, data, pos, count)
    items: list[_Any] = []
    stop = pos + 2 * count
    if data[pos + 1 : stop : 2].count(0) == count:
        for row in _rows_bx(data[pos:stop] if count < 512 else memoryview(data)[pos:stop]):
            struct: _Any = _new(*_args_TaggedElement)
            (struct.number,) = row
            struct.soon = 0
            struct.unknown_tagged_fields = ()
            items.append(struct)
        return tuple(items), stop
    for _ in range(count):
        struct = _new(*_args_TaggedElement)
        struct.soon = 0
        struct.number, tag_count = _unpack_bB(data, pos)
        pos += 2
        if tag_count:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance, (0,))
        else:
            struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_TaggedElement_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not TaggedElement:
            _check_instance(struct, TaggedElement)
        out += _pack_bx(struct.number)
        if struct.unknown_tagged_fields is not _NOTHING:
            out.pop()
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, (0,)))


def _decode_Tagged_v0(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Tagged)
    struct.flag = False
    struct.on_flag = True
    struct.tiny = -1
    struct.port = 0
    struct.mask = 0
    struct.large = 16
    struct.rate = 0.0
    struct.no_rate = _NAN
    struct.id = _ZERO_UUID
    struct.text = ""
    struct.null_text = None
    struct.nullable_text = "here"
    struct.data = b""
    struct.null_data = None
    struct.nullable_data = b""
    struct.numbers = ()
    struct.null_numbers = None
    struct.nullable_texts = ()
    struct.ids = ()
    struct.part = _TaggedPart_default
    struct.null_part = None
    struct.nullable_part = _TaggedNullablePart_default
    struct.parts = ()
    struct.encoded = 0
    struct.late = ""
    struct.late_and_needed = ()
    struct.plain, struct.becomes_tagged, tag_count = _unpack_iiB(data, pos)
    pos += 9
    if tag_count:
        pos = _decode_Tagged_v0_tags(struct, data, pos - 1, source, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _decode_Tagged_v0_tags(
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
            (struct.flag,) = _unpack_t(data, pos)
            pos += 1
        elif tag == 1:
            (struct.on_flag,) = _unpack_t(data, pos)
            pos += 1
        elif tag == 2:
            (struct.tiny,) = _unpack_b(data, pos)
            pos += 1
        elif tag == 3:
            (struct.port,) = _unpack_H(data, pos)
            pos += 2
        elif tag == 4:
            (struct.mask,) = _unpack_I(data, pos)
            pos += 4
        elif tag == 5:
            (struct.large,) = _unpack_q(data, pos)
            pos += 8
        elif tag == 6:
            (struct.rate,) = _unpack_d(data, pos)
            pos += 8
        elif tag == 7:
            (struct.no_rate,) = _unpack_d(data, pos)
            pos += 8
        elif tag == 8:
            (struct.id,) = _unpack_u(data, pos)
            pos += 16
            struct.id = _uuid_of(struct.id)
        elif tag == 9:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.text = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.text, pos = _read_compact_string(data, pos)
        elif tag == 10:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.null_text = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.null_text, pos = _read_compact_string_or_null(data, pos)
        elif tag == 11:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.nullable_text = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.nullable_text, pos = _read_compact_string_or_null(data, pos)
        elif tag == 12:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.data = data[pos + 1 : stop]
                pos = stop
            else:
                struct.data, pos = _read_compact_bytes(data, pos, data)
        elif tag == 13:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.null_data = data[pos + 1 : stop]
                pos = stop
            else:
                struct.null_data, pos = _read_compact_bytes_or_null(data, pos, data)
        elif tag == 14:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.nullable_data = data[pos + 1 : stop]
                pos = stop
            else:
                struct.nullable_data, pos = _read_compact_bytes_or_null(data, pos, data)
        elif tag == 15:
            length = data[pos]
            if 0 < length < 32:
                struct.numbers = _unpackers_i[length](data, pos + 1)
                pos += 4 * length - 3
            else:
                struct.numbers, pos = _read_compact_numbers(data, pos, "i", allowance)
        elif tag == 16:
            length = data[pos]
            if 0 < length < 32:
                struct.null_numbers = _unpackers_q[length](data, pos + 1)
                pos += 8 * length - 7
            else:
                struct.null_numbers, pos = _read_compact_numbers_or_null(data, pos, "q", allowance)
        elif tag == 17:
            struct.nullable_texts, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
        elif tag == 18:
            struct.ids, pos = _read_compact_array(_read_uuid, data, pos, allowance, 0)
            if struct.ids is None:
                raise _CodecFailure
        elif tag == 19:
            struct.part, pos = _decode_TaggedPart_v0(data, pos, allowance)
        elif tag == 20:
            mark, pos = _read_uvarint(data, pos)
            if mark == 0:
                struct.null_part = None
            else:
                struct.null_part, pos = _decode_TaggedNullPart_v0(data, pos, allowance)
        elif tag == 21:
            mark, pos = _read_uvarint(data, pos)
            if mark == 0:
                struct.nullable_part = None
            else:
                struct.nullable_part, pos = _decode_TaggedNullablePart_v0(data, pos, allowance)
        elif tag == 22:
            struct.parts, pos = _decode_TaggedElement_v0_array(data, pos, allowance)
            if struct.parts is None:
                raise _CodecFailure
        elif tag == 23:
            struct.encoded, pos = _read_packed64(data, pos)
        elif tag in (24, 25, 26):
            raise _CodecFailure
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_Tagged_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Tagged:
        _check_instance(struct, Tagged)
    if struct.late_and_needed is not _NOTHING and _some(struct.late_and_needed):
        raise _CodecFailure
    out += _pack_ii(struct.plain, struct.becomes_tagged)
    tags = (
        []
        if struct.unknown_tagged_fields is _NOTHING
        else _raw_tags(
            struct.unknown_tagged_fields,
            (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26),
        )
    )
    if struct.flag is not False:
        tagged = bytearray()
        if struct.flag is not False and struct.flag is not True:
            raise _CodecFailure
        tagged += _pack_t(struct.flag)
        tags.append((0, bytes(tagged)))
    if struct.on_flag is not True:
        tagged = bytearray()
        if struct.on_flag is not False and struct.on_flag is not True:
            raise _CodecFailure
        tagged += _pack_t(struct.on_flag)
        tags.append((1, bytes(tagged)))
    if struct.tiny != -1:
        tagged = bytearray()
        tagged += _pack_b(struct.tiny)
        tags.append((2, bytes(tagged)))
    if struct.port != 0:
        tagged = bytearray()
        tagged += _pack_H(struct.port)
        tags.append((3, bytes(tagged)))
    if struct.mask != 0:
        tagged = bytearray()
        tagged += _pack_I(struct.mask)
        tags.append((4, bytes(tagged)))
    if struct.large != 16:
        tagged = bytearray()
        tagged += _pack_q(struct.large)
        tags.append((5, bytes(tagged)))
    if struct.rate != 0.0:
        tagged = bytearray()
        tagged += _pack_d(struct.rate)
        tags.append((6, bytes(tagged)))
    if struct.no_rate != _NAN:
        tagged = bytearray()
        tagged += _pack_d(struct.no_rate)
        tags.append((7, bytes(tagged)))
    if struct.id != _ZERO_UUID:
        tagged = bytearray()
        tagged += _pack_u(_uuid_bytes(struct.id))
        tags.append((8, bytes(tagged)))
    if struct.text != "":
        tagged = bytearray()
        value = _utf8(struct.text)
        length = len(value)
        if length < 127:
            tagged.append(length + 1)
        else:
            _write_compact_length(tagged, length)
        tagged += value
        tags.append((9, bytes(tagged)))
    if struct.null_text is not None:
        tagged = bytearray()
        value = struct.null_text
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
        tags.append((10, bytes(tagged)))
    if struct.nullable_text != "here":
        tagged = bytearray()
        value = struct.nullable_text
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
        tags.append((11, bytes(tagged)))
    if _some_bytes(struct.data):
        tagged = bytearray()
        value = struct.data
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        if length < 127:
            tagged.append(length + 1)
        else:
            _write_uvarint(tagged, length + 1)
        tagged += value
        tags.append((12, bytes(tagged)))
    if struct.null_data is not None:
        tagged = bytearray()
        value = struct.null_data
        if value is None:
            tagged += b"\x00"
        else:
            if type(value) is not bytes:
                value = _bytes_of(value)
            length = len(value)
            if length < 127:
                tagged.append(length + 1)
            else:
                _write_uvarint(tagged, length + 1)
            tagged += value
        tags.append((13, bytes(tagged)))
    if _some_bytes(struct.nullable_data):
        tagged = bytearray()
        value = struct.nullable_data
        if value is None:
            tagged += b"\x00"
        else:
            if type(value) is not bytes:
                value = _bytes_of(value)
            length = len(value)
            if length < 127:
                tagged.append(length + 1)
            else:
                _write_uvarint(tagged, length + 1)
            tagged += value
        tags.append((14, bytes(tagged)))
    if struct.numbers is not _NOTHING and _some(struct.numbers):
        tagged = bytearray()
        value = struct.numbers
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            tagged.append(length + 1)
            tagged += _packers_i[length](*value)
        else:
            _write_compact_numbers(tagged, value, "i")
        tags.append((15, bytes(tagged)))
    if struct.null_numbers is not None:
        tagged = bytearray()
        value = struct.null_numbers
        if value is None:
            tagged += b"\x00"
        else:
            if type(value) is not tuple:
                value = _array_of(value)
            length = len(value)
            if length < 31:
                tagged.append(length + 1)
                tagged += _packers_q[length](*value)
            else:
                _write_compact_numbers(tagged, value, "q")
        tags.append((16, bytes(tagged)))
    if struct.nullable_texts is not _NOTHING and _some(struct.nullable_texts):
        tagged = bytearray()
        if struct.nullable_texts is None:
            tagged += b"\x00"
        else:
            _write_compact_array(tagged, struct.nullable_texts, _write_compact_string)
        tags.append((17, bytes(tagged)))
    if struct.ids is not _NOTHING and _some(struct.ids):
        tagged = bytearray()
        _write_compact_array(tagged, struct.ids, _write_uuid)
        tags.append((18, bytes(tagged)))
    if struct.part != _TaggedPart_default:
        tagged = bytearray()
        _encode_TaggedPart_v0(struct.part, tagged)
        tags.append((19, bytes(tagged)))
    if struct.null_part is not None:
        tagged = bytearray()
        value = struct.null_part
        if value is None:
            tagged.append(0)
        else:
            tagged.append(1)
            _encode_TaggedNullPart_v0(value, tagged)
        tags.append((20, bytes(tagged)))
    if struct.nullable_part != _TaggedNullablePart_default:
        tagged = bytearray()
        value = struct.nullable_part
        if value is None:
            tagged.append(0)
        else:
            tagged.append(1)
            _encode_TaggedNullablePart_v0(value, tagged)
        tags.append((21, bytes(tagged)))
    if struct.parts is not _NOTHING and _some(struct.parts):
        tagged = bytearray()
        _encode_TaggedElement_v0_array(tagged, struct.parts)
        tags.append((22, bytes(tagged)))
    if struct.encoded != 0:
        tagged = bytearray()
        _write_packed64(tagged, struct.encoded)
        tags.append((23, bytes(tagged)))
    if tags:
        _write_tags(out, tags)
    else:
        out.append(0)


def _decode_TaggedElement_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
            allowance.left -= 94 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_TaggedElement_v1_array, (allowance,), 5, 94, data, pos, count)
    items: list[_Any] = []
    stop = pos + 2 * count
    if data[pos + 1 : stop : 2].count(0) == count:
        for row in _rows_bx(data[pos:stop] if count < 512 else memoryview(data)[pos:stop]):
            struct: _Any = _new(*_args_TaggedElement)
            (struct.number,) = row
            struct.soon = 0
            struct.unknown_tagged_fields = ()
            items.append(struct)
        return tuple(items), stop
    for _ in range(count):
        struct = _new(*_args_TaggedElement)
        struct.soon = 0
        struct.number, tag_count = _unpack_bB(data, pos)
        pos += 2
        if tag_count:
            pos = _decode_TaggedElement_v1_tags(struct, data, pos - 1, allowance)
        else:
            struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _decode_TaggedElement_v1_tags(struct: _Any, data: bytes, pos: int, allowance: _Allowance) -> int:
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
            (struct.soon,) = _unpack_h(data, pos)
            pos += 2
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_TaggedElement_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not TaggedElement:
            _check_instance(struct, TaggedElement)
        out += _pack_b(struct.number)
        tags = [] if struct.unknown_tagged_fields is _NOTHING else _raw_tags(struct.unknown_tagged_fields, (0,))
        if struct.soon != 0:
            tagged = bytearray()
            tagged += _pack_h(struct.soon)
            tags.append((0, bytes(tagged)))
        if tags:
            _write_tags(out, tags)
        else:
            out.append(0)


def _decode_Tagged_v1(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Tagged)
    struct.flag = False
    struct.on_flag = True
    struct.tiny = -1
    struct.port = 0
    struct.mask = 0
    struct.large = 16
    struct.rate = 0.0
    struct.no_rate = _NAN
    struct.id = _ZERO_UUID
    struct.text = ""
    struct.null_text = None
    struct.nullable_text = "here"
    struct.data = b""
    struct.null_data = None
    struct.nullable_data = b""
    struct.numbers = ()
    struct.null_numbers = None
    struct.nullable_texts = ()
    struct.ids = ()
    struct.part = _TaggedPart_default
    struct.null_part = None
    struct.nullable_part = _TaggedNullablePart_default
    struct.parts = ()
    struct.encoded = 0
    struct.becomes_tagged = 5
    struct.late = ""
    struct.late_and_needed = ()
    struct.plain, tag_count = _unpack_iB(data, pos)
    pos += 5
    if tag_count:
        pos = _decode_Tagged_v1_tags(struct, data, pos - 1, source, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _decode_Tagged_v1_tags(
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
            (struct.flag,) = _unpack_t(data, pos)
            pos += 1
        elif tag == 1:
            (struct.on_flag,) = _unpack_t(data, pos)
            pos += 1
        elif tag == 2:
            (struct.tiny,) = _unpack_b(data, pos)
            pos += 1
        elif tag == 3:
            (struct.port,) = _unpack_H(data, pos)
            pos += 2
        elif tag == 4:
            (struct.mask,) = _unpack_I(data, pos)
            pos += 4
        elif tag == 5:
            (struct.large,) = _unpack_q(data, pos)
            pos += 8
        elif tag == 6:
            (struct.rate,) = _unpack_d(data, pos)
            pos += 8
        elif tag == 7:
            (struct.no_rate,) = _unpack_d(data, pos)
            pos += 8
        elif tag == 8:
            (struct.id,) = _unpack_u(data, pos)
            pos += 16
            struct.id = _uuid_of(struct.id)
        elif tag == 9:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.text = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.text, pos = _read_compact_string(data, pos)
        elif tag == 10:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.null_text = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.null_text, pos = _read_compact_string_or_null(data, pos)
        elif tag == 11:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.nullable_text = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.nullable_text, pos = _read_compact_string_or_null(data, pos)
        elif tag == 12:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.data = data[pos + 1 : stop]
                pos = stop
            else:
                struct.data, pos = _read_compact_bytes(data, pos, data)
        elif tag == 13:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.null_data = data[pos + 1 : stop]
                pos = stop
            else:
                struct.null_data, pos = _read_compact_bytes_or_null(data, pos, data)
        elif tag == 14:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.nullable_data = data[pos + 1 : stop]
                pos = stop
            else:
                struct.nullable_data, pos = _read_compact_bytes_or_null(data, pos, data)
        elif tag == 15:
            length = data[pos]
            if 0 < length < 32:
                struct.numbers = _unpackers_i[length](data, pos + 1)
                pos += 4 * length - 3
            else:
                struct.numbers, pos = _read_compact_numbers(data, pos, "i", allowance)
        elif tag == 16:
            length = data[pos]
            if 0 < length < 32:
                struct.null_numbers = _unpackers_q[length](data, pos + 1)
                pos += 8 * length - 7
            else:
                struct.null_numbers, pos = _read_compact_numbers_or_null(data, pos, "q", allowance)
        elif tag == 17:
            struct.nullable_texts, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
        elif tag == 18:
            struct.ids, pos = _read_compact_array(_read_uuid, data, pos, allowance, 0)
            if struct.ids is None:
                raise _CodecFailure
        elif tag == 19:
            struct.part, pos = _decode_TaggedPart_v0(data, pos, allowance)
        elif tag == 20:
            mark, pos = _read_uvarint(data, pos)
            if mark == 0:
                struct.null_part = None
            else:
                struct.null_part, pos = _decode_TaggedNullPart_v0(data, pos, allowance)
        elif tag == 21:
            mark, pos = _read_uvarint(data, pos)
            if mark == 0:
                struct.nullable_part = None
            else:
                struct.nullable_part, pos = _decode_TaggedNullablePart_v0(data, pos, allowance)
        elif tag == 22:
            struct.parts, pos = _decode_TaggedElement_v1_array(data, pos, allowance)
            if struct.parts is None:
                raise _CodecFailure
        elif tag == 23:
            struct.encoded, pos = _read_packed64(data, pos)
        elif tag == 24:
            (struct.becomes_tagged,) = _unpack_i(data, pos)
            pos += 4
        elif tag in (25, 26):
            raise _CodecFailure
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_Tagged_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Tagged:
        _check_instance(struct, Tagged)
    if struct.late_and_needed is not _NOTHING and _some(struct.late_and_needed):
        raise _CodecFailure
    out += _pack_i(struct.plain)
    tags = (
        []
        if struct.unknown_tagged_fields is _NOTHING
        else _raw_tags(
            struct.unknown_tagged_fields,
            (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26),
        )
    )
    if struct.flag is not False:
        tagged = bytearray()
        if struct.flag is not False and struct.flag is not True:
            raise _CodecFailure
        tagged += _pack_t(struct.flag)
        tags.append((0, bytes(tagged)))
    if struct.on_flag is not True:
        tagged = bytearray()
        if struct.on_flag is not False and struct.on_flag is not True:
            raise _CodecFailure
        tagged += _pack_t(struct.on_flag)
        tags.append((1, bytes(tagged)))
    if struct.tiny != -1:
        tagged = bytearray()
        tagged += _pack_b(struct.tiny)
        tags.append((2, bytes(tagged)))
    if struct.port != 0:
        tagged = bytearray()
        tagged += _pack_H(struct.port)
        tags.append((3, bytes(tagged)))
    if struct.mask != 0:
        tagged = bytearray()
        tagged += _pack_I(struct.mask)
        tags.append((4, bytes(tagged)))
    if struct.large != 16:
        tagged = bytearray()
        tagged += _pack_q(struct.large)
        tags.append((5, bytes(tagged)))
    if struct.rate != 0.0:
        tagged = bytearray()
        tagged += _pack_d(struct.rate)
        tags.append((6, bytes(tagged)))
    if struct.no_rate != _NAN:
        tagged = bytearray()
        tagged += _pack_d(struct.no_rate)
        tags.append((7, bytes(tagged)))
    if struct.id != _ZERO_UUID:
        tagged = bytearray()
        tagged += _pack_u(_uuid_bytes(struct.id))
        tags.append((8, bytes(tagged)))
    if struct.text != "":
        tagged = bytearray()
        value = _utf8(struct.text)
        length = len(value)
        if length < 127:
            tagged.append(length + 1)
        else:
            _write_compact_length(tagged, length)
        tagged += value
        tags.append((9, bytes(tagged)))
    if struct.null_text is not None:
        tagged = bytearray()
        value = struct.null_text
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
        tags.append((10, bytes(tagged)))
    if struct.nullable_text != "here":
        tagged = bytearray()
        value = struct.nullable_text
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
        tags.append((11, bytes(tagged)))
    if _some_bytes(struct.data):
        tagged = bytearray()
        value = struct.data
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        if length < 127:
            tagged.append(length + 1)
        else:
            _write_uvarint(tagged, length + 1)
        tagged += value
        tags.append((12, bytes(tagged)))
    if struct.null_data is not None:
        tagged = bytearray()
        value = struct.null_data
        if value is None:
            tagged += b"\x00"
        else:
            if type(value) is not bytes:
                value = _bytes_of(value)
            length = len(value)
            if length < 127:
                tagged.append(length + 1)
            else:
                _write_uvarint(tagged, length + 1)
            tagged += value
        tags.append((13, bytes(tagged)))
    if _some_bytes(struct.nullable_data):
        tagged = bytearray()
        value = struct.nullable_data
        if value is None:
            tagged += b"\x00"
        else:
            if type(value) is not bytes:
                value = _bytes_of(value)
            length = len(value)
            if length < 127:
                tagged.append(length + 1)
            else:
                _write_uvarint(tagged, length + 1)
            tagged += value
        tags.append((14, bytes(tagged)))
    if struct.numbers is not _NOTHING and _some(struct.numbers):
        tagged = bytearray()
        value = struct.numbers
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            tagged.append(length + 1)
            tagged += _packers_i[length](*value)
        else:
            _write_compact_numbers(tagged, value, "i")
        tags.append((15, bytes(tagged)))
    if struct.null_numbers is not None:
        tagged = bytearray()
        value = struct.null_numbers
        if value is None:
            tagged += b"\x00"
        else:
            if type(value) is not tuple:
                value = _array_of(value)
            length = len(value)
            if length < 31:
                tagged.append(length + 1)
                tagged += _packers_q[length](*value)
            else:
                _write_compact_numbers(tagged, value, "q")
        tags.append((16, bytes(tagged)))
    if struct.nullable_texts is not _NOTHING and _some(struct.nullable_texts):
        tagged = bytearray()
        if struct.nullable_texts is None:
            tagged += b"\x00"
        else:
            _write_compact_array(tagged, struct.nullable_texts, _write_compact_string)
        tags.append((17, bytes(tagged)))
    if struct.ids is not _NOTHING and _some(struct.ids):
        tagged = bytearray()
        _write_compact_array(tagged, struct.ids, _write_uuid)
        tags.append((18, bytes(tagged)))
    if struct.part != _TaggedPart_default:
        tagged = bytearray()
        _encode_TaggedPart_v0(struct.part, tagged)
        tags.append((19, bytes(tagged)))
    if struct.null_part is not None:
        tagged = bytearray()
        value = struct.null_part
        if value is None:
            tagged.append(0)
        else:
            tagged.append(1)
            _encode_TaggedNullPart_v0(value, tagged)
        tags.append((20, bytes(tagged)))
    if struct.nullable_part != _TaggedNullablePart_default:
        tagged = bytearray()
        value = struct.nullable_part
        if value is None:
            tagged.append(0)
        else:
            tagged.append(1)
            _encode_TaggedNullablePart_v0(value, tagged)
        tags.append((21, bytes(tagged)))
    if struct.parts is not _NOTHING and _some(struct.parts):
        tagged = bytearray()
        _encode_TaggedElement_v1_array(tagged, struct.parts)
        tags.append((22, bytes(tagged)))
    if struct.encoded != 0:
        tagged = bytearray()
        _write_packed64(tagged, struct.encoded)
        tags.append((23, bytes(tagged)))
    if struct.becomes_tagged != 5:
        tagged = bytearray()
        tagged += _pack_i(struct.becomes_tagged)
        tags.append((24, bytes(tagged)))
    if tags:
        _write_tags(out, tags)
    else:
        out.append(0)


def _decode_Tagged_v2(data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Tagged)
    struct.flag = False
    struct.on_flag = True
    struct.tiny = -1
    struct.port = 0
    struct.mask = 0
    struct.large = 16
    struct.rate = 0.0
    struct.no_rate = _NAN
    struct.id = _ZERO_UUID
    struct.text = ""
    struct.null_text = None
    struct.nullable_text = "here"
    struct.data = b""
    struct.null_data = None
    struct.nullable_data = b""
    struct.numbers = ()
    struct.null_numbers = None
    struct.nullable_texts = ()
    struct.ids = ()
    struct.part = _TaggedPart_default
    struct.null_part = None
    struct.nullable_part = _TaggedNullablePart_default
    struct.parts = ()
    struct.encoded = 0
    struct.becomes_tagged = 5
    struct.late = ""
    struct.late_and_needed = ()
    struct.plain, tag_count = _unpack_iB(data, pos)
    pos += 5
    if tag_count:
        pos = _decode_Tagged_v2_tags(struct, data, pos - 1, source, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _decode_Tagged_v2_tags(
    struct: _Any, data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> int:
    unknown = []
    last = -1
    count, pos = _read_tag_count(data, pos, allowance, 918)
    for _ in range(count):
        tag, pos = _read_uvarint(data, pos)
        if tag <= last:
            raise _CodecFailure
        last = tag
        size, pos = _read_uvarint(data, pos)
        end = pos + size
        if tag == 0:
            (struct.flag,) = _unpack_t(data, pos)
            pos += 1
        elif tag == 1:
            (struct.on_flag,) = _unpack_t(data, pos)
            pos += 1
        elif tag == 2:
            (struct.tiny,) = _unpack_b(data, pos)
            pos += 1
        elif tag == 3:
            (struct.port,) = _unpack_H(data, pos)
            pos += 2
        elif tag == 4:
            (struct.mask,) = _unpack_I(data, pos)
            pos += 4
        elif tag == 5:
            (struct.large,) = _unpack_q(data, pos)
            pos += 8
        elif tag == 6:
            (struct.rate,) = _unpack_d(data, pos)
            pos += 8
        elif tag == 7:
            (struct.no_rate,) = _unpack_d(data, pos)
            pos += 8
        elif tag == 8:
            (struct.id,) = _unpack_u(data, pos)
            pos += 16
            struct.id = _uuid_of(struct.id)
        elif tag == 9:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.text = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.text, pos = _read_compact_string(data, pos)
        elif tag == 10:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.null_text = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.null_text, pos = _read_compact_string_or_null(data, pos)
        elif tag == 11:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.nullable_text = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.nullable_text, pos = _read_compact_string_or_null(data, pos)
        elif tag == 12:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.data = data[pos + 1 : stop]
                pos = stop
            else:
                struct.data, pos = _read_compact_bytes(data, pos, data)
        elif tag == 13:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.null_data = data[pos + 1 : stop]
                pos = stop
            else:
                struct.null_data, pos = _read_compact_bytes_or_null(data, pos, data)
        elif tag == 14:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.nullable_data = data[pos + 1 : stop]
                pos = stop
            else:
                struct.nullable_data, pos = _read_compact_bytes_or_null(data, pos, data)
        elif tag == 15:
            length = data[pos]
            if 0 < length < 32:
                struct.numbers = _unpackers_i[length](data, pos + 1)
                pos += 4 * length - 3
            else:
                struct.numbers, pos = _read_compact_numbers(data, pos, "i", allowance)
        elif tag == 16:
            length = data[pos]
            if 0 < length < 32:
                struct.null_numbers = _unpackers_q[length](data, pos + 1)
                pos += 8 * length - 7
            else:
                struct.null_numbers, pos = _read_compact_numbers_or_null(data, pos, "q", allowance)
        elif tag == 17:
            struct.nullable_texts, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
        elif tag == 18:
            struct.ids, pos = _read_compact_array(_read_uuid, data, pos, allowance, 0)
            if struct.ids is None:
                raise _CodecFailure
        elif tag == 19:
            struct.part, pos = _decode_TaggedPart_v0(data, pos, allowance)
        elif tag == 20:
            mark, pos = _read_uvarint(data, pos)
            if mark == 0:
                struct.null_part = None
            else:
                struct.null_part, pos = _decode_TaggedNullPart_v0(data, pos, allowance)
        elif tag == 21:
            mark, pos = _read_uvarint(data, pos)
            if mark == 0:
                struct.nullable_part = None
            else:
                struct.nullable_part, pos = _decode_TaggedNullablePart_v0(data, pos, allowance)
        elif tag == 22:
            struct.parts, pos = _decode_TaggedElement_v1_array(data, pos, allowance)
            if struct.parts is None:
                raise _CodecFailure
        elif tag == 23:
            struct.encoded, pos = _read_packed64(data, pos)
        elif tag == 24:
            (struct.becomes_tagged,) = _unpack_i(data, pos)
            pos += 4
        elif tag == 25:
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.late = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.late, pos = _read_compact_string(data, pos)
        elif tag == 26:
            length = data[pos]
            if 0 < length < 32:
                struct.late_and_needed = _unpackers_b[length](data, pos + 1)
                pos += length
            else:
                struct.late_and_needed, pos = _read_compact_numbers(data, pos, "b", allowance)
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_Tagged_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Tagged:
        _check_instance(struct, Tagged)
    out += _pack_i(struct.plain)
    tags = (
        []
        if struct.unknown_tagged_fields is _NOTHING
        else _raw_tags(
            struct.unknown_tagged_fields,
            (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26),
        )
    )
    if struct.flag is not False:
        tagged = bytearray()
        if struct.flag is not False and struct.flag is not True:
            raise _CodecFailure
        tagged += _pack_t(struct.flag)
        tags.append((0, bytes(tagged)))
    if struct.on_flag is not True:
        tagged = bytearray()
        if struct.on_flag is not False and struct.on_flag is not True:
            raise _CodecFailure
        tagged += _pack_t(struct.on_flag)
        tags.append((1, bytes(tagged)))
    if struct.tiny != -1:
        tagged = bytearray()
        tagged += _pack_b(struct.tiny)
        tags.append((2, bytes(tagged)))
    if struct.port != 0:
        tagged = bytearray()
        tagged += _pack_H(struct.port)
        tags.append((3, bytes(tagged)))
    if struct.mask != 0:
        tagged = bytearray()
        tagged += _pack_I(struct.mask)
        tags.append((4, bytes(tagged)))
    if struct.large != 16:
        tagged = bytearray()
        tagged += _pack_q(struct.large)
        tags.append((5, bytes(tagged)))
    if struct.rate != 0.0:
        tagged = bytearray()
        tagged += _pack_d(struct.rate)
        tags.append((6, bytes(tagged)))
    if struct.no_rate != _NAN:
        tagged = bytearray()
        tagged += _pack_d(struct.no_rate)
        tags.append((7, bytes(tagged)))
    if struct.id != _ZERO_UUID:
        tagged = bytearray()
        tagged += _pack_u(_uuid_bytes(struct.id))
        tags.append((8, bytes(tagged)))
    if struct.text != "":
        tagged = bytearray()
        value = _utf8(struct.text)
        length = len(value)
        if length < 127:
            tagged.append(length + 1)
        else:
            _write_compact_length(tagged, length)
        tagged += value
        tags.append((9, bytes(tagged)))
    if struct.null_text is not None:
        tagged = bytearray()
        value = struct.null_text
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
        tags.append((10, bytes(tagged)))
    if struct.nullable_text != "here":
        tagged = bytearray()
        value = struct.nullable_text
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
        tags.append((11, bytes(tagged)))
    if _some_bytes(struct.data):
        tagged = bytearray()
        value = struct.data
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        if length < 127:
            tagged.append(length + 1)
        else:
            _write_uvarint(tagged, length + 1)
        tagged += value
        tags.append((12, bytes(tagged)))
    if struct.null_data is not None:
        tagged = bytearray()
        value = struct.null_data
        if value is None:
            tagged += b"\x00"
        else:
            if type(value) is not bytes:
                value = _bytes_of(value)
            length = len(value)
            if length < 127:
                tagged.append(length + 1)
            else:
                _write_uvarint(tagged, length + 1)
            tagged += value
        tags.append((13, bytes(tagged)))
    if _some_bytes(struct.nullable_data):
        tagged = bytearray()
        value = struct.nullable_data
        if value is None:
            tagged += b"\x00"
        else:
            if type(value) is not bytes:
                value = _bytes_of(value)
            length = len(value)
            if length < 127:
                tagged.append(length + 1)
            else:
                _write_uvarint(tagged, length + 1)
            tagged += value
        tags.append((14, bytes(tagged)))
    if struct.numbers is not _NOTHING and _some(struct.numbers):
        tagged = bytearray()
        value = struct.numbers
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            tagged.append(length + 1)
            tagged += _packers_i[length](*value)
        else:
            _write_compact_numbers(tagged, value, "i")
        tags.append((15, bytes(tagged)))
    if struct.null_numbers is not None:
        tagged = bytearray()
        value = struct.null_numbers
        if value is None:
            tagged += b"\x00"
        else:
            if type(value) is not tuple:
                value = _array_of(value)
            length = len(value)
            if length < 31:
                tagged.append(length + 1)
                tagged += _packers_q[length](*value)
            else:
                _write_compact_numbers(tagged, value, "q")
        tags.append((16, bytes(tagged)))
    if struct.nullable_texts is not _NOTHING and _some(struct.nullable_texts):
        tagged = bytearray()
        if struct.nullable_texts is None:
            tagged += b"\x00"
        else:
            _write_compact_array(tagged, struct.nullable_texts, _write_compact_string)
        tags.append((17, bytes(tagged)))
    if struct.ids is not _NOTHING and _some(struct.ids):
        tagged = bytearray()
        _write_compact_array(tagged, struct.ids, _write_uuid)
        tags.append((18, bytes(tagged)))
    if struct.part != _TaggedPart_default:
        tagged = bytearray()
        _encode_TaggedPart_v0(struct.part, tagged)
        tags.append((19, bytes(tagged)))
    if struct.null_part is not None:
        tagged = bytearray()
        value = struct.null_part
        if value is None:
            tagged.append(0)
        else:
            tagged.append(1)
            _encode_TaggedNullPart_v0(value, tagged)
        tags.append((20, bytes(tagged)))
    if struct.nullable_part != _TaggedNullablePart_default:
        tagged = bytearray()
        value = struct.nullable_part
        if value is None:
            tagged.append(0)
        else:
            tagged.append(1)
            _encode_TaggedNullablePart_v0(value, tagged)
        tags.append((21, bytes(tagged)))
    if struct.parts is not _NOTHING and _some(struct.parts):
        tagged = bytearray()
        _encode_TaggedElement_v1_array(tagged, struct.parts)
        tags.append((22, bytes(tagged)))
    if struct.encoded != 0:
        tagged = bytearray()
        _write_packed64(tagged, struct.encoded)
        tags.append((23, bytes(tagged)))
    if struct.becomes_tagged != 5:
        tagged = bytearray()
        tagged += _pack_i(struct.becomes_tagged)
        tags.append((24, bytes(tagged)))
    if struct.late != "":
        tagged = bytearray()
        value = _utf8(struct.late)
        length = len(value)
        if length < 127:
            tagged.append(length + 1)
        else:
            _write_compact_length(tagged, length)
        tagged += value
        tags.append((25, bytes(tagged)))
    if struct.late_and_needed is not _NOTHING and _some(struct.late_and_needed):
        tagged = bytearray()
        value = struct.late_and_needed
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            tagged.append(length + 1)
            tagged += _packers_b[length](*value)
        else:
            _write_compact_numbers(tagged, value, "b")
        tags.append((26, bytes(tagged)))
    if tags:
        _write_tags(out, tags)
    else:
        out.append(0)


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
