"""NullableResponse: Kafka response, key 1001, versions 0-3, flexible in 2-3.

Generated from the message spec NullableResponse.
"""

from __future__ import annotations

from struct import Struct as _Struct

from ._runtime.errors import CodecFailure as _CodecFailure
from ._runtime.limits import LITTLE as _LITTLE
from ._runtime.messages import Codec as _Codec, Response as _Response
from ._runtime.primitives import (
    COUNTS as _COUNTS,
    NOTHING as _NOTHING,
    NEW as _new,
    array_of as _array_of,
    bytes_of as _bytes_of,
    check_instance as _check_instance,
    no_tags as _no_tags,
    packers as _packers,
    raw_tags as _raw_tags,
    read_array as _read_array,
    read_bytes as _read_bytes,
    read_bytes_or_null as _read_bytes_or_null,
    read_compact_array as _read_compact_array,
    read_compact_bytes as _read_compact_bytes,
    read_compact_bytes_or_null as _read_compact_bytes_or_null,
    read_compact_numbers_or_null as _read_compact_numbers_or_null,
    read_compact_string as _read_compact_string,
    read_compact_string_or_null as _read_compact_string_or_null,
    read_leaves as _read_leaves,
    read_numbers as _read_numbers,
    read_numbers_or_null as _read_numbers_or_null,
    read_string as _read_string,
    read_string_or_null as _read_string_or_null,
    read_structs as _read_structs,
    read_unknown_tags as _read_unknown_tags,
    unpackers as _unpackers,
    utf8 as _utf8,
    write_array as _write_array,
    write_compact_array as _write_compact_array,
    write_compact_length as _write_compact_length,
    write_compact_numbers as _write_compact_numbers,
    write_compact_string as _write_compact_string,
    write_numbers as _write_numbers,
    write_string as _write_string,
    write_tags as _write_tags,
)
from ._runtime.structs import Struct as _Base, dataclass as _dataclass, default_of as _default_of
from ._runtime.varints import read_uvarint as _read_uvarint, write_uvarint as _write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["NullableResponse", "Part", "Whole", "Always", "Later", "Never"]

_unpack_b = _Struct(">b").unpack_from
_unpack_bB = _Struct(">bB").unpack_from
_unpack_h = _Struct(">h").unpack_from
_unpack_hB = _Struct(">hB").unpack_from
_unpack_i = _Struct(">i").unpack_from
_unpack_iB = _Struct(">iB").unpack_from
_pack_b = _Struct(">b").pack
_pack_bx = _Struct(">bx").pack
_pack_h = _Struct(">h").pack
_pack_hx = _Struct(">hx").pack
_pack_i = _Struct(">i").pack
_pack_iB = _Struct(">iB").pack
_pack_ix = _Struct(">ix").pack
_unpackers_i = _unpackers("i")
_unpackers_q = _unpackers("q")
_packers_i = _packers("i")
_packers_q = _packers("q")


@_dataclass
class Whole(_Base):
    """Whole."""

    size_: int = 12
    """Versions 1+; default 12."""


_args_Whole = (Whole,)


@_dataclass
class Part(_Base):
    """Part."""

    name: str | None = ""
    """May be null."""

    whole: Whole | None = None
    """Versions 1+; may be null; ignorable; default null."""


_args_Part = (Part,)


@_dataclass
class Always(_Base):
    """Always."""

    number: int = 0


_args_Always = (Always,)


@_dataclass
class Later(_Base):
    """Later."""

    number: int = 0


_args_Later = (Later,)

_Later_default = _default_of(Later)


@_dataclass
class Never(_Base):
    """Never."""

    number: int = 0

    extra: str | None = None
    """Versions 3+; may be null; default null."""


_args_Never = (Never,)

_Never_default = _default_of(Never)


@_dataclass
class NullableResponse(_Response):
    """NullableResponse: Kafka response, key 1001, versions 0-3, flexible in 2-3."""

    API_KEY = 1001
    KIND = "response"
    VALID_VERSIONS = range(0, 4)
    FLEXIBLE_VERSIONS = range(2, 4)
    HEADER_VERSIONS = ((0, 1, 0), (2, 3, 1))

    text: str | None = None
    """May be null; default null."""

    late_text: str | None = ""
    """May be null in versions 1+."""

    data: bytes | None = None
    """May be null; default null."""

    late_data: bytes | None = b""
    """May be null in versions 3+."""

    batch: bytes | memoryview | None = None
    """May be null in versions 1+; default null."""

    numbers: tuple[int, ...] | None = None
    """May be null; default null."""

    late_numbers: tuple[int, ...] | None = ()
    """May be null in versions 1+."""

    texts: tuple[str, ...] | None = ()
    """May be null."""

    parts: tuple[Part, ...] | None = None
    """May be null; default null."""

    always: Always | None = None
    """May be null; default null."""

    later: Later | None = _Later_default
    """May be null in versions 2+."""

    never: Never = _Never_default


_args_NullableResponse = (NullableResponse,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_Part_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 130 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_Part_v0_array, (allowance,), 0, 130, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_Part)
        struct.whole = None
        (length,) = _unpack_h(data, pos)
        pos += 2
        if length >= 0:
            stop = pos + length
            struct.name = data[pos:stop].decode()
            pos = stop
        else:
            struct.name, pos = _read_string_or_null(data, pos - 2)
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_Part_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not Part:
            _check_instance(struct, Part)
        value = struct.name
        if value is None:
            out += b"\xff\xff"
        else:
            value = _utf8(value)
            length = len(value)
            out += _pack_h(length)
            out += value
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_Always_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Always)
    (struct.number,) = _unpack_b(data, pos)
    pos += 1
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Always_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Always:
        _check_instance(struct, Always)
    out += _pack_b(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Later_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Later)
    (struct.number,) = _unpack_h(data, pos)
    pos += 2
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Later_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Later:
        _check_instance(struct, Later)
    out += _pack_h(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Never_v0(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Never)
    struct.extra = None
    (struct.number,) = _unpack_i(data, pos)
    pos += 4
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Never_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Never:
        _check_instance(struct, Never)
    if struct.extra is not None:
        raise _CodecFailure
    out += _pack_i(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_NullableResponse_v0(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_NullableResponse)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.text = data[pos:stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_string_or_null(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.late_text = data[pos:stop].decode()
        pos = stop
    else:
        struct.late_text, pos = _read_string(data, pos - 2)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.data = data[pos:stop]
        pos = stop
    else:
        struct.data, pos = _read_bytes_or_null(data, pos - 4, data)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.late_data = data[pos:stop]
        pos = stop
    else:
        struct.late_data, pos = _read_bytes(data, pos - 4, data)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.batch = source[pos:stop]
        pos = stop
    else:
        struct.batch, pos = _read_bytes(data, pos - 4, source)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.numbers = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.numbers, pos = _read_numbers_or_null(data, pos - 4, "i", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.late_numbers = _unpackers_q[length + 1](data, pos)
        pos += 8 * length
    else:
        struct.late_numbers, pos = _read_numbers(data, pos - 4, "q", allowance)
    struct.texts, pos = _read_array(_read_string, data, pos, allowance, 66)
    if data[pos] > 127:
        struct.parts = None
        pos += 4
    else:
        struct.parts, pos = _decode_Part_v0_array(data, pos, allowance)
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.always = None
    else:
        struct.always, pos = _decode_Always_v0(data, pos, allowance)
    struct.later, pos = _decode_Later_v0(data, pos, allowance)
    struct.never, pos = _decode_Never_v0(data, pos, allowance)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_NullableResponse_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not NullableResponse:
        _check_instance(struct, NullableResponse)
    value = struct.text
    if value is None:
        out += b"\xff\xff"
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_h(length)
        out += value
    value = _utf8(struct.late_text)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = struct.data
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_i(length)
        out += value
    value = struct.late_data
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_i(length)
    out += value
    value = struct.batch
    if type(value) is not bytes:
        value = _bytes_of(value)
    length = len(value)
    out += _pack_i(length)
    out += value
    value = struct.numbers
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out += _COUNTS[length]
            out += _packers_i[length](*value)
        else:
            _write_numbers(out, value, "i")
    value = struct.late_numbers
    if type(value) is not tuple:
        value = _array_of(value)
    length = len(value)
    if length < 31:
        out += _COUNTS[length]
        out += _packers_q[length](*value)
    else:
        _write_numbers(out, value, "q")
    if struct.texts is None:
        out += b"\xff\xff\xff\xff"
    else:
        _write_array(out, struct.texts, _write_string)
    if struct.parts is None:
        out += b"\xff\xff\xff\xff"
    else:
        _encode_Part_v0_array(out, struct.parts)
    value = struct.always
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Always_v0(value, out)
    _encode_Later_v0(struct.later, out)
    _encode_Never_v0(struct.never, out)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Whole_v1(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Whole)
    (struct.size_,) = _unpack_i(data, pos)
    pos += 4
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Whole_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Whole:
        _check_instance(struct, Whole)
    out += _pack_i(struct.size_)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Part_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 160 * count
            if allowance.left < _LITTLE:
                return _read_structs(_decode_Part_v1_array, (allowance,), 6, 160, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_Part)
        (length,) = _unpack_h(data, pos)
        pos += 2
        if length >= 0:
            stop = pos + length
            struct.name = data[pos:stop].decode()
            pos = stop
        else:
            struct.name, pos = _read_string_or_null(data, pos - 2)
        mark = data[pos]
        pos += 1
        if mark > 127:
            struct.whole = None
        else:
            struct.whole, pos = _decode_Whole_v1(data, pos, allowance)
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_Part_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not Part:
            _check_instance(struct, Part)
        value = struct.name
        if value is None:
            out += b"\xff\xff"
        else:
            value = _utf8(value)
            length = len(value)
            out += _pack_h(length)
            out += value
        value = struct.whole
        if value is None:
            out.append(255)
        else:
            out.append(1)
            _encode_Whole_v1(value, out)
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_NullableResponse_v1(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_NullableResponse)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.text = data[pos:stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_string_or_null(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.late_text = data[pos:stop].decode()
        pos = stop
    else:
        struct.late_text, pos = _read_string_or_null(data, pos - 2)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.data = data[pos:stop]
        pos = stop
    else:
        struct.data, pos = _read_bytes_or_null(data, pos - 4, data)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.late_data = data[pos:stop]
        pos = stop
    else:
        struct.late_data, pos = _read_bytes(data, pos - 4, data)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if length >= 0:
        stop = pos + length
        struct.batch = source[pos:stop]
        pos = stop
    else:
        struct.batch, pos = _read_bytes_or_null(data, pos - 4, source)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.numbers = _unpackers_i[length + 1](data, pos)
        pos += 4 * length
    else:
        struct.numbers, pos = _read_numbers_or_null(data, pos - 4, "i", allowance)
    (length,) = _unpack_i(data, pos)
    pos += 4
    if 0 <= length < 31:
        struct.late_numbers = _unpackers_q[length + 1](data, pos)
        pos += 8 * length
    else:
        struct.late_numbers, pos = _read_numbers_or_null(data, pos - 4, "q", allowance)
    struct.texts, pos = _read_array(_read_string, data, pos, allowance, 66)
    if data[pos] > 127:
        struct.parts = None
        pos += 4
    else:
        struct.parts, pos = _decode_Part_v1_array(data, pos, allowance)
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.always = None
    else:
        struct.always, pos = _decode_Always_v0(data, pos, allowance)
    struct.later, pos = _decode_Later_v0(data, pos, allowance)
    struct.never, pos = _decode_Never_v0(data, pos, allowance)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_NullableResponse_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not NullableResponse:
        _check_instance(struct, NullableResponse)
    value = struct.text
    if value is None:
        out += b"\xff\xff"
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_h(length)
        out += value
    value = struct.late_text
    if value is None:
        out += b"\xff\xff"
    else:
        value = _utf8(value)
        length = len(value)
        out += _pack_h(length)
        out += value
    value = struct.data
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not bytes:
            value = _bytes_of(value)
        length = len(value)
        out += _pack_i(length)
        out += value
    value = struct.late_data
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
    value = struct.numbers
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out += _COUNTS[length]
            out += _packers_i[length](*value)
        else:
            _write_numbers(out, value, "i")
    value = struct.late_numbers
    if value is None:
        out += b"\xff\xff\xff\xff"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out += _COUNTS[length]
            out += _packers_q[length](*value)
        else:
            _write_numbers(out, value, "q")
    if struct.texts is None:
        out += b"\xff\xff\xff\xff"
    else:
        _write_array(out, struct.texts, _write_string)
    if struct.parts is None:
        out += b"\xff\xff\xff\xff"
    else:
        _encode_Part_v1_array(out, struct.parts)
    value = struct.always
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Always_v0(value, out)
    _encode_Later_v0(struct.later, out)
    _encode_Never_v0(struct.never, out)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_Whole_v2(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Whole)
    struct.size_, tag_count = _unpack_iB(data, pos)
    pos += 5
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Whole_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Whole:
        _check_instance(struct, Whole)
    out += _pack_ix(struct.size_)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Part_v2_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
            allowance.left -= 150 * count
            if allowance.left < _LITTLE:
                return _read_structs(_decode_Part_v2_array, (allowance,), 9, 150, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_Part)
        length = data[pos]
        if 0 < length < 128:
            stop = pos + length
            struct.name = data[pos + 1 : stop].decode()
            pos = stop
        else:
            struct.name, pos = _read_compact_string_or_null(data, pos)
        mark = data[pos]
        pos += 1
        if mark > 127:
            struct.whole = None
        else:
            struct.whole, pos = _decode_Whole_v2(data, pos, allowance)
        if data[pos]:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_Part_v2_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not Part:
            _check_instance(struct, Part)
        value = struct.name
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
        value = struct.whole
        if value is None:
            out.append(255)
        else:
            out.append(1)
            _encode_Whole_v2(value, out)
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Always_v2(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Always)
    struct.number, tag_count = _unpack_bB(data, pos)
    pos += 2
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Always_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Always:
        _check_instance(struct, Always)
    out += _pack_bx(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Later_v2(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Later)
    struct.number, tag_count = _unpack_hB(data, pos)
    pos += 3
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Later_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Later:
        _check_instance(struct, Later)
    out += _pack_hx(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Never_v2(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Never)
    struct.extra = None
    struct.number, tag_count = _unpack_iB(data, pos)
    pos += 5
    if tag_count:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos - 1, allowance)
    else:
        struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Never_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Never:
        _check_instance(struct, Never)
    if struct.extra is not None:
        raise _CodecFailure
    out += _pack_ix(struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        out.pop()
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_NullableResponse_v2(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_NullableResponse)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.text = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_compact_string_or_null(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.late_text = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.late_text, pos = _read_compact_string_or_null(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.data = data[pos + 1 : stop]
        pos = stop
    else:
        struct.data, pos = _read_compact_bytes_or_null(data, pos, data)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.late_data = data[pos + 1 : stop]
        pos = stop
    else:
        struct.late_data, pos = _read_compact_bytes(data, pos, data)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.batch = source[pos + 1 : stop]
        pos = stop
    else:
        struct.batch, pos = _read_compact_bytes_or_null(data, pos, source)
    length = data[pos]
    if 0 < length < 32:
        struct.numbers = _unpackers_i[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.numbers, pos = _read_compact_numbers_or_null(data, pos, "i", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.late_numbers = _unpackers_q[length](data, pos + 1)
        pos += 8 * length - 7
    else:
        struct.late_numbers, pos = _read_compact_numbers_or_null(data, pos, "q", allowance)
    struct.texts, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
    if not data[pos]:
        struct.parts = None
        pos += 1
    else:
        struct.parts, pos = _decode_Part_v2_array(data, pos, allowance)
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.always = None
    else:
        struct.always, pos = _decode_Always_v2(data, pos, allowance)
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.later = None
    else:
        struct.later, pos = _decode_Later_v2(data, pos, allowance)
    struct.never, pos = _decode_Never_v2(data, pos, allowance)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_NullableResponse_v2(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not NullableResponse:
        _check_instance(struct, NullableResponse)
    value = struct.text
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
    value = struct.late_text
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
    value = struct.data
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
    value = struct.late_data
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
    value = struct.numbers
    if value is None:
        out += b"\x00"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out.append(length + 1)
            out += _packers_i[length](*value)
        else:
            _write_compact_numbers(out, value, "i")
    value = struct.late_numbers
    if value is None:
        out += b"\x00"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out.append(length + 1)
            out += _packers_q[length](*value)
        else:
            _write_compact_numbers(out, value, "q")
    if struct.texts is None:
        out += b"\x00"
    else:
        _write_compact_array(out, struct.texts, _write_compact_string)
    if struct.parts is None:
        out += b"\x00"
    else:
        _encode_Part_v2_array(out, struct.parts)
    value = struct.always
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Always_v2(value, out)
    value = struct.later
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Later_v2(value, out)
    _encode_Never_v2(struct.never, out)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Never_v3(data: bytes, pos: int, allowance: _Allowance) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_Never)
    struct.number, length = _unpack_iB(data, pos)
    pos += 5
    if 0 < length < 128:
        stop = pos + length - 1
        struct.extra = data[pos:stop].decode()
        pos = stop
    else:
        struct.extra, pos = _read_compact_string_or_null(data, pos - 1)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_Never_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Never:
        _check_instance(struct, Never)
    value = struct.extra
    if value is None:
        out += _pack_iB(struct.number, 0)
    else:
        value = _utf8(value)
        length = len(value)
        if length < 127:
            out += _pack_iB(struct.number, length + 1)
        else:
            out += _pack_i(struct.number)
            _write_compact_length(out, length)
        out += value
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_NullableResponse_v3(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_NullableResponse)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.text = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.text, pos = _read_compact_string_or_null(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.late_text = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.late_text, pos = _read_compact_string_or_null(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.data = data[pos + 1 : stop]
        pos = stop
    else:
        struct.data, pos = _read_compact_bytes_or_null(data, pos, data)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.late_data = data[pos + 1 : stop]
        pos = stop
    else:
        struct.late_data, pos = _read_compact_bytes_or_null(data, pos, data)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.batch = source[pos + 1 : stop]
        pos = stop
    else:
        struct.batch, pos = _read_compact_bytes_or_null(data, pos, source)
    length = data[pos]
    if 0 < length < 32:
        struct.numbers = _unpackers_i[length](data, pos + 1)
        pos += 4 * length - 3
    else:
        struct.numbers, pos = _read_compact_numbers_or_null(data, pos, "i", allowance)
    length = data[pos]
    if 0 < length < 32:
        struct.late_numbers = _unpackers_q[length](data, pos + 1)
        pos += 8 * length - 7
    else:
        struct.late_numbers, pos = _read_compact_numbers_or_null(data, pos, "q", allowance)
    struct.texts, pos = _read_compact_array(_read_compact_string, data, pos, allowance, 76)
    if not data[pos]:
        struct.parts = None
        pos += 1
    else:
        struct.parts, pos = _decode_Part_v2_array(data, pos, allowance)
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.always = None
    else:
        struct.always, pos = _decode_Always_v2(data, pos, allowance)
    mark = data[pos]
    pos += 1
    if mark > 127:
        struct.later = None
    else:
        struct.later, pos = _decode_Later_v2(data, pos, allowance)
    struct.never, pos = _decode_Never_v3(data, pos, allowance)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_NullableResponse_v3(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not NullableResponse:
        _check_instance(struct, NullableResponse)
    value = struct.text
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
    value = struct.late_text
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
    value = struct.data
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
    value = struct.late_data
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
    value = struct.numbers
    if value is None:
        out += b"\x00"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out.append(length + 1)
            out += _packers_i[length](*value)
        else:
            _write_compact_numbers(out, value, "i")
    value = struct.late_numbers
    if value is None:
        out += b"\x00"
    else:
        if type(value) is not tuple:
            value = _array_of(value)
        length = len(value)
        if length < 31:
            out.append(length + 1)
            out += _packers_q[length](*value)
        else:
            _write_compact_numbers(out, value, "q")
    if struct.texts is None:
        out += b"\x00"
    else:
        _write_compact_array(out, struct.texts, _write_compact_string)
    if struct.parts is None:
        out += b"\x00"
    else:
        _encode_Part_v2_array(out, struct.parts)
    value = struct.always
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Always_v2(value, out)
    value = struct.later
    if value is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Later_v2(value, out)
    _encode_Never_v3(struct.never, out)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 1
message NullableResponse response 0-3
struct NullableResponse
 text text string? null
 late_text lateText string? ""
 data data bytes? null
 late_data lateData bytes? ""
 batch batch records? null
 numbers numbers []int32? null
 late_numbers lateNumbers []int64? []
 texts texts []string? []
 parts parts []Part? null
 always always Always? null
 later later Later? {}
 never never Never {}
struct Part
 name name string? ""
 whole whole Whole? null
struct Whole
 size_ size int32 12
struct Always
 number number int8 0
struct Later
 number number int16 0
struct Never
 number number int32 0
 extra extra string? null
layout 0 Part 0
 name string?
 :skip whole
layout 1 Always 0-1
 number int8
layout 2 Later 0-1
 number int16
layout 3 Never 0-1
 number int32
 :guard extra
layout 4 NullableResponse 0
 text string?
 late_text string
 data bytes?
 late_data bytes
 batch records&
 numbers array(int32)?
 late_numbers array(int64)
 texts array(string)?
 parts array(struct(0))?
 always struct(1)?
 later struct(2)
 never struct(3)
layout 5 Whole 1
 size_ int32
layout 6 Part 1
 name string?
 whole struct(5)?
layout 7 NullableResponse 1
 text string?
 late_text string?
 data bytes?
 late_data bytes
 batch records?&
 numbers array(int32)?
 late_numbers array(int64)?
 texts array(string)?
 parts array(struct(6))?
 always struct(1)?
 later struct(2)
 never struct(3)
layout 8 Whole 2-3 flexible
 size_ int32
layout 9 Part 2-3 flexible
 name compact_string?
 whole struct(8)?
layout 10 Always 2-3 flexible
 number int8
layout 11 Later 2-3 flexible
 number int16
layout 12 Never 2 flexible
 number int32
 :guard extra
layout 13 NullableResponse 2 flexible
 text compact_string?
 late_text compact_string?
 data compact_bytes?
 late_data compact_bytes
 batch compact_records?&
 numbers compact_array(int32)?
 late_numbers compact_array(int64)?
 texts compact_array(compact_string)?
 parts compact_array(struct(9))?
 always struct(10)?
 later struct(11)?
 never struct(12)
layout 14 Never 3 flexible
 number int32
 extra compact_string?
layout 15 NullableResponse 3 flexible
 text compact_string?
 late_text compact_string?
 data compact_bytes?
 late_data compact_bytes?
 batch compact_records?&
 numbers compact_array(int32)?
 late_numbers compact_array(int64)?
 texts compact_array(compact_string)?
 parts compact_array(struct(9))?
 always struct(10)?
 later struct(11)?
 never struct(14)
"""

NullableResponse.CODEC = _Codec(
    readers={
        0: _decode_NullableResponse_v0,
        1: _decode_NullableResponse_v1,
        2: _decode_NullableResponse_v2,
        3: _decode_NullableResponse_v3,
    },
    writers={
        0: _encode_NullableResponse_v0,
        1: _encode_NullableResponse_v1,
        2: _encode_NullableResponse_v2,
        3: _encode_NullableResponse_v3,
    },
    classes=(NullableResponse, Part, Whole, Always, Later, Never),
    plan=_PLAN,
    own=826,
    small=13147,
)
