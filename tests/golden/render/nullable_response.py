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
_pack_b = _Struct(">b").pack
_unpack_bB = _Struct(">bB").unpack_from
_pack_bB = _Struct(">bB").pack
_unpack_bx = _Struct(">bx").unpack_from
_pack_bx = _Struct(">bx").pack
_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack
_unpack_hB = _Struct(">hB").unpack_from
_pack_hB = _Struct(">hB").pack
_unpack_hx = _Struct(">hx").unpack_from
_pack_hx = _Struct(">hx").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack
_unpack_iB = _Struct(">iB").unpack_from
_pack_iB = _Struct(">iB").pack
_unpack_ix = _Struct(">ix").unpack_from
_pack_ix = _Struct(">ix").pack
_unpackers_i = _unpackers("i")
_unpackers_q = _unpackers("q")
_packers_i = _packers("i")
_packers_q = _packers("q")


@_dataclass
class Whole(_Base):
    """Whole."""

    size_: int = 12


_args_Whole = (Whole,)


@_dataclass
class Part(_Base):
    """Part."""

    name: str | None = ""

    whole: Whole | None = None


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

    late_text: str | None = ""

    data: bytes | None = None

    late_data: bytes | None = b""

    batch: bytes | memoryview | None = None

    numbers: tuple[int, ...] | None = None

    late_numbers: tuple[int, ...] | None = ()

    texts: tuple[str, ...] | None = ()

    parts: tuple[Part, ...] | None = None

    always: Always | None = None

    later: Later | None = _Later_default

    never: Never = _Never_default


_args_NullableResponse = (NullableResponse,)


def _decode_Part_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 130 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_Part_v0_array, (m,), 0, 130, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_Part)
        o.whole = None
        (n,) = _unpack_h(b, p)
        p += 2
        if n >= 0:
            e = p + n
            o.name = b[p:e].decode()
            p = e
        else:
            o.name, p = _read_string_or_null(b, p - 2)
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_Part_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not Part:
            _check_instance(o, Part)
        s = o.name
        if s is None:
            w += b"\xff\xff"
        else:
            s = _utf8(s)
            n = len(s)
            w += _pack_h(n)
            w += s
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_Always_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Always)
    (o.number,) = _unpack_b(b, p)
    p += 1
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Always_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Always:
        _check_instance(o, Always)
    w += _pack_b(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Later_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Later)
    (o.number,) = _unpack_h(b, p)
    p += 2
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Later_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Later:
        _check_instance(o, Later)
    w += _pack_h(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Never_v0(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Never)
    o.extra = None
    (o.number,) = _unpack_i(b, p)
    p += 4
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Never_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Never:
        _check_instance(o, Never)
    if o.extra is not None:
        raise _CodecFailure
    w += _pack_i(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_NullableResponse_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_NullableResponse)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.text = b[p:e].decode()
        p = e
    else:
        o.text, p = _read_string_or_null(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.late_text = b[p:e].decode()
        p = e
    else:
        o.late_text, p = _read_string(b, p - 2)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.data = b[p:e]
        p = e
    else:
        o.data, p = _read_bytes_or_null(b, p - 4, b)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.late_data = b[p:e]
        p = e
    else:
        o.late_data, p = _read_bytes(b, p - 4, b)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.batch = z[p:e]
        p = e
    else:
        o.batch, p = _read_bytes(b, p - 4, z)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.numbers = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.numbers, p = _read_numbers_or_null(b, p - 4, "i", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.late_numbers = _unpackers_q[n + 1](b, p)
        p += 8 * n
    else:
        o.late_numbers, p = _read_numbers(b, p - 4, "q", m)
    o.texts, p = _read_array(_read_string, b, p, m, 66)
    if b[p] > 127:
        o.parts = None
        p += 4
    else:
        o.parts, p = _decode_Part_v0_array(b, p, m)
    n = b[p]
    p += 1
    if n > 127:
        o.always = None
    else:
        o.always, p = _decode_Always_v0(b, p, m)
    o.later, p = _decode_Later_v0(b, p, m)
    o.never, p = _decode_Never_v0(b, p, m)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_NullableResponse_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not NullableResponse:
        _check_instance(o, NullableResponse)
    s = o.text
    if s is None:
        w += b"\xff\xff"
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_h(n)
        w += s
    s = _utf8(o.late_text)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = o.data
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        w += _pack_i(n)
        w += s
    s = o.late_data
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_i(n)
    w += s
    s = o.batch
    if type(s) is not bytes:
        s = _bytes_of(s)
    n = len(s)
    w += _pack_i(n)
    w += s
    s = o.numbers
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w += _COUNTS[n]
            w += _packers_i[n](*s)
        else:
            _write_numbers(w, s, "i")
    s = o.late_numbers
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 31:
        w += _COUNTS[n]
        w += _packers_q[n](*s)
    else:
        _write_numbers(w, s, "q")
    if o.texts is None:
        w += b"\xff\xff\xff\xff"
    else:
        _write_array(w, o.texts, _write_string)
    if o.parts is None:
        w += b"\xff\xff\xff\xff"
    else:
        _encode_Part_v0_array(w, o.parts)
    s = o.always
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_Always_v0(s, w)
    _encode_Later_v0(o.later, w)
    _encode_Never_v0(o.never, w)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Whole_v1(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Whole)
    (o.size_,) = _unpack_i(b, p)
    p += 4
    o.unknown_tagged_fields = ()
    return o, p


def _encode_Whole_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Whole:
        _check_instance(o, Whole)
    w += _pack_i(o.size_)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Part_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 160 * n
            if m.left < _LITTLE:
                return _read_structs(_decode_Part_v1_array, (m,), 6, 160, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_Part)
        (n,) = _unpack_h(b, p)
        p += 2
        if n >= 0:
            e = p + n
            o.name = b[p:e].decode()
            p = e
        else:
            o.name, p = _read_string_or_null(b, p - 2)
        n = b[p]
        p += 1
        if n > 127:
            o.whole = None
        else:
            o.whole, p = _decode_Whole_v1(b, p, m)
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_Part_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not Part:
            _check_instance(o, Part)
        s = o.name
        if s is None:
            w += b"\xff\xff"
        else:
            s = _utf8(s)
            n = len(s)
            w += _pack_h(n)
            w += s
        s = o.whole
        if s is None:
            w.append(255)
        else:
            w.append(1)
            _encode_Whole_v1(s, w)
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_NullableResponse_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_NullableResponse)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.text = b[p:e].decode()
        p = e
    else:
        o.text, p = _read_string_or_null(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.late_text = b[p:e].decode()
        p = e
    else:
        o.late_text, p = _read_string_or_null(b, p - 2)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.data = b[p:e]
        p = e
    else:
        o.data, p = _read_bytes_or_null(b, p - 4, b)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.late_data = b[p:e]
        p = e
    else:
        o.late_data, p = _read_bytes(b, p - 4, b)
    (n,) = _unpack_i(b, p)
    p += 4
    if n >= 0:
        e = p + n
        o.batch = z[p:e]
        p = e
    else:
        o.batch, p = _read_bytes_or_null(b, p - 4, z)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.numbers = _unpackers_i[n + 1](b, p)
        p += 4 * n
    else:
        o.numbers, p = _read_numbers_or_null(b, p - 4, "i", m)
    (n,) = _unpack_i(b, p)
    p += 4
    if 0 <= n < 31:
        o.late_numbers = _unpackers_q[n + 1](b, p)
        p += 8 * n
    else:
        o.late_numbers, p = _read_numbers_or_null(b, p - 4, "q", m)
    o.texts, p = _read_array(_read_string, b, p, m, 66)
    if b[p] > 127:
        o.parts = None
        p += 4
    else:
        o.parts, p = _decode_Part_v1_array(b, p, m)
    n = b[p]
    p += 1
    if n > 127:
        o.always = None
    else:
        o.always, p = _decode_Always_v0(b, p, m)
    o.later, p = _decode_Later_v0(b, p, m)
    o.never, p = _decode_Never_v0(b, p, m)
    o.unknown_tagged_fields = ()
    return o, p


def _encode_NullableResponse_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not NullableResponse:
        _check_instance(o, NullableResponse)
    s = o.text
    if s is None:
        w += b"\xff\xff"
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_h(n)
        w += s
    s = o.late_text
    if s is None:
        w += b"\xff\xff"
    else:
        s = _utf8(s)
        n = len(s)
        w += _pack_h(n)
        w += s
    s = o.data
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        s = s
        if type(s) is not bytes:
            s = _bytes_of(s)
        n = len(s)
        w += _pack_i(n)
        w += s
    s = o.late_data
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
    s = o.numbers
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w += _COUNTS[n]
            w += _packers_i[n](*s)
        else:
            _write_numbers(w, s, "i")
    s = o.late_numbers
    if s is None:
        w += b"\xff\xff\xff\xff"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w += _COUNTS[n]
            w += _packers_q[n](*s)
        else:
            _write_numbers(w, s, "q")
    if o.texts is None:
        w += b"\xff\xff\xff\xff"
    else:
        _write_array(w, o.texts, _write_string)
    if o.parts is None:
        w += b"\xff\xff\xff\xff"
    else:
        _encode_Part_v1_array(w, o.parts)
    s = o.always
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_Always_v0(s, w)
    _encode_Later_v0(o.later, w)
    _encode_Never_v0(o.never, w)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_Whole_v2(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Whole)
    o.size_, n = _unpack_iB(b, p)
    p += 5
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_Whole_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Whole:
        _check_instance(o, Whole)
    w += _pack_ix(o.size_)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Part_v2_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 150 * n
            if m.left < _LITTLE:
                return _read_structs(_decode_Part_v2_array, (m,), 9, 150, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_Part)
        n = b[p]
        if 0 < n < 128:
            e = p + n
            o.name = b[p + 1 : e].decode()
            p = e
        else:
            o.name, p = _read_compact_string_or_null(b, p)
        n = b[p]
        p += 1
        if n > 127:
            o.whole = None
        else:
            o.whole, p = _decode_Whole_v2(b, p, m)
        if b[p]:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _encode_Part_v2_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not Part:
            _check_instance(o, Part)
        s = o.name
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
        s = o.whole
        if s is None:
            w.append(255)
        else:
            w.append(1)
            _encode_Whole_v2(s, w)
        if o.unknown_tagged_fields is _NOTHING:
            w.append(0)
        else:
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Always_v2(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Always)
    o.number, n = _unpack_bB(b, p)
    p += 2
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_Always_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Always:
        _check_instance(o, Always)
    w += _pack_bx(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Later_v2(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Later)
    o.number, n = _unpack_hB(b, p)
    p += 3
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_Later_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Later:
        _check_instance(o, Later)
    w += _pack_hx(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Never_v2(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Never)
    o.extra = None
    o.number, n = _unpack_iB(b, p)
    p += 5
    if n:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p - 1, m)
    else:
        o.unknown_tagged_fields = ()
    return o, p


def _encode_Never_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Never:
        _check_instance(o, Never)
    if o.extra is not None:
        raise _CodecFailure
    w += _pack_ix(o.number)
    if o.unknown_tagged_fields is not _NOTHING:
        w.pop()
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_NullableResponse_v2(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_NullableResponse)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.text = b[p + 1 : e].decode()
        p = e
    else:
        o.text, p = _read_compact_string_or_null(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.late_text = b[p + 1 : e].decode()
        p = e
    else:
        o.late_text, p = _read_compact_string_or_null(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.data = b[p + 1 : e]
        p = e
    else:
        o.data, p = _read_compact_bytes_or_null(b, p, b)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.late_data = b[p + 1 : e]
        p = e
    else:
        o.late_data, p = _read_compact_bytes(b, p, b)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.batch = z[p + 1 : e]
        p = e
    else:
        o.batch, p = _read_compact_bytes_or_null(b, p, z)
    n = b[p]
    if 0 < n < 32:
        o.numbers = _unpackers_i[n](b, p + 1)
        p += 4 * n - 3
    else:
        o.numbers, p = _read_compact_numbers_or_null(b, p, "i", m)
    n = b[p]
    if 0 < n < 32:
        o.late_numbers = _unpackers_q[n](b, p + 1)
        p += 8 * n - 7
    else:
        o.late_numbers, p = _read_compact_numbers_or_null(b, p, "q", m)
    o.texts, p = _read_compact_array(_read_compact_string, b, p, m, 76)
    if not b[p]:
        o.parts = None
        p += 1
    else:
        o.parts, p = _decode_Part_v2_array(b, p, m)
    n = b[p]
    p += 1
    if n > 127:
        o.always = None
    else:
        o.always, p = _decode_Always_v2(b, p, m)
    n = b[p]
    p += 1
    if n > 127:
        o.later = None
    else:
        o.later, p = _decode_Later_v2(b, p, m)
    o.never, p = _decode_Never_v2(b, p, m)
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_NullableResponse_v2(o: _Any, w: bytearray) -> None:
    if o.__class__ is not NullableResponse:
        _check_instance(o, NullableResponse)
    s = o.text
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
    s = o.late_text
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
    s = o.data
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
    s = o.late_data
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
    s = o.numbers
    if s is None:
        w += b"\x00"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w.append(n + 1)
            w += _packers_i[n](*s)
        else:
            _write_compact_numbers(w, s, "i")
    s = o.late_numbers
    if s is None:
        w += b"\x00"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w.append(n + 1)
            w += _packers_q[n](*s)
        else:
            _write_compact_numbers(w, s, "q")
    if o.texts is None:
        w += b"\x00"
    else:
        _write_compact_array(w, o.texts, _write_compact_string)
    if o.parts is None:
        w += b"\x00"
    else:
        _encode_Part_v2_array(w, o.parts)
    s = o.always
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_Always_v2(s, w)
    s = o.later
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_Later_v2(s, w)
    _encode_Never_v2(o.never, w)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_Never_v3(b: bytes, p: int, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_Never)
    o.number, n = _unpack_iB(b, p)
    p += 5
    if 0 < n < 128:
        e = p + n - 1
        o.extra = b[p:e].decode()
        p = e
    else:
        o.extra, p = _read_compact_string_or_null(b, p - 1)
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_Never_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not Never:
        _check_instance(o, Never)
    s = o.extra
    if s is None:
        w += _pack_iB(o.number, 0)
    else:
        s = _utf8(s)
        n = len(s)
        if n < 127:
            w += _pack_iB(o.number, n + 1)
        else:
            w += _pack_i(o.number)
            _write_compact_length(w, n)
        w += s
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_NullableResponse_v3(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_NullableResponse)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.text = b[p + 1 : e].decode()
        p = e
    else:
        o.text, p = _read_compact_string_or_null(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.late_text = b[p + 1 : e].decode()
        p = e
    else:
        o.late_text, p = _read_compact_string_or_null(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.data = b[p + 1 : e]
        p = e
    else:
        o.data, p = _read_compact_bytes_or_null(b, p, b)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.late_data = b[p + 1 : e]
        p = e
    else:
        o.late_data, p = _read_compact_bytes_or_null(b, p, b)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.batch = z[p + 1 : e]
        p = e
    else:
        o.batch, p = _read_compact_bytes_or_null(b, p, z)
    n = b[p]
    if 0 < n < 32:
        o.numbers = _unpackers_i[n](b, p + 1)
        p += 4 * n - 3
    else:
        o.numbers, p = _read_compact_numbers_or_null(b, p, "i", m)
    n = b[p]
    if 0 < n < 32:
        o.late_numbers = _unpackers_q[n](b, p + 1)
        p += 8 * n - 7
    else:
        o.late_numbers, p = _read_compact_numbers_or_null(b, p, "q", m)
    o.texts, p = _read_compact_array(_read_compact_string, b, p, m, 76)
    if not b[p]:
        o.parts = None
        p += 1
    else:
        o.parts, p = _decode_Part_v2_array(b, p, m)
    n = b[p]
    p += 1
    if n > 127:
        o.always = None
    else:
        o.always, p = _decode_Always_v2(b, p, m)
    n = b[p]
    p += 1
    if n > 127:
        o.later = None
    else:
        o.later, p = _decode_Later_v2(b, p, m)
    o.never, p = _decode_Never_v3(b, p, m)
    if b[p]:
        o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _encode_NullableResponse_v3(o: _Any, w: bytearray) -> None:
    if o.__class__ is not NullableResponse:
        _check_instance(o, NullableResponse)
    s = o.text
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
    s = o.late_text
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
    s = o.data
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
    s = o.late_data
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
    s = o.numbers
    if s is None:
        w += b"\x00"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w.append(n + 1)
            w += _packers_i[n](*s)
        else:
            _write_compact_numbers(w, s, "i")
    s = o.late_numbers
    if s is None:
        w += b"\x00"
    else:
        if type(s) is not tuple:
            s = _array_of(s)
        n = len(s)
        if n < 31:
            w.append(n + 1)
            w += _packers_q[n](*s)
        else:
            _write_compact_numbers(w, s, "q")
    if o.texts is None:
        w += b"\x00"
    else:
        _write_compact_array(w, o.texts, _write_compact_string)
    if o.parts is None:
        w += b"\x00"
    else:
        _encode_Part_v2_array(w, o.parts)
    s = o.always
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_Always_v2(s, w)
    s = o.later
    if s is None:
        w.append(255)
    else:
        w.append(1)
        _encode_Later_v2(s, w)
    _encode_Never_v3(o.never, w)
    if o.unknown_tagged_fields is _NOTHING:
        w.append(0)
    else:
        _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


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
