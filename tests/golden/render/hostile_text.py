"""HostileText: Kafka data, versions 0-1, flexible in 1. \"\"\" import os os.abort() \"\"\"

Generated from the message spec HostileText.
"""

from __future__ import annotations

from struct import Struct as _Struct

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
    read_tag_count as _read_tag_count,
    read_unknown_tags as _read_unknown_tags,
    utf8 as _utf8,
    write_compact_length as _write_compact_length,
    write_tags as _write_tags,
)
from ._runtime.structs import Struct as _Base, dataclass as _dataclass
from ._runtime.varints import read_uvarint as _read_uvarint, write_uvarint as _write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from ._runtime.limits import Allowance as _Allowance

__all__ = ["HostileText", "HostilePart"]

_unpack_h = _Struct(">h").unpack_from
_pack_h = _Struct(">h").pack
_unpack_i = _Struct(">i").unpack_from
_pack_i = _Struct(">i").pack


@_dataclass
class HostilePart(_Base):
    """\"\"\" + str(1/0) + \"\"\" """

    word: str | None = "\\"
    """\\\\\\\"\"\""""


_args_HostilePart = (HostilePart,)


@_dataclass
class HostileText(_Message):
    """HostileText: Kafka data, versions 0-1, flexible in 1. \"\"\" import os os.abort() \"\"\" """

    KIND = "data"
    VALID_VERSIONS = range(0, 2)
    FLEXIBLE_VERSIONS = range(1, 2)

    quote: str = '"'
    """Ends in a quote\""""

    three_quotes: str = '"""'
    """Ends in three quotes \"\"\""""

    four_quotes: str = "''''\"\"\"\""
    """\"\"\"\""""

    backslash: str = "\\"
    """Ends in a backslash \\"""

    backslash_quote: str = '\\"'
    """Ends in both \\\""""

    escapes: str = "\\n\\x41\\N{BULLET}\\u0041"
    """\\n \\x41 \\N{BULLET} \\u0041 \\101"""

    control: str = "\x00\x01\t\n\r\x1b\x7f\x85"
    """A nul \x00, an escape \x1b[31m, a tab and a line break"""

    separators: str = "a\u2028b\u2029c\u200b\u202e\ufeff"
    """Line paragraph right-to-left \u202e"""

    unicode: str = "ünïcödé 日本語 😀"
    """ünïcödé 日本語 😀"""

    template: str = "{{ 7 * 7 }}{% raise %}{# no #}"
    """{{ module }} {% include 'x' %} {# comment #}"""

    format: str = "%s %(name)s {0} {name} ${name}"
    """%s %(name)s {0} {name} ${name}"""

    comment: str = "# type: ignore"
    """# type: ignore # noqa: X fmt: off"""

    code: str = "');__import__('os').abort()#"
    """');__import__('os').abort()#"""

    alias_names: str = "_builtins _UUID _NAN"
    """Names of imports: _INFINITY, _read_uuids."""

    plan: str = "\nstruct HostileText\nlayout 0 HostileText 0-1\n"
    """layout 0"""

    default_long: str = (
        'a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and'
    )
    """Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(b,
    c)"""

    from_long: str = (
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb )))"
    )

    tagged_long: str = (
        "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
    )

    parts: tuple[HostilePart, ...] = ()
    """\"\"\" + str(1/0) + \"\"\""""


_args_HostileText = (HostileText,)


def _decode_HostilePart_v0_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
    if n < 0:
        (n,) = _unpack_i(b, p)
        p += 4
        if n < 1:
            return (None if n else ()), p
        if n > m.free:
            if n > m.longest:
                raise _CodecFailure
            m.left -= 114 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_HostilePart_v0_array, (m,), 0, 114, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_HostilePart)
        (n,) = _unpack_h(b, p)
        p += 2
        if n >= 0:
            e = p + n
            o.word = b[p:e].decode()
            p = e
        else:
            o.word, p = _read_string_or_null(b, p - 2)
        o.unknown_tagged_fields = ()
        items.append(o)
    return tuple(items), p


def _encode_HostilePart_v0_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    w += _pack_i(n)
    for o in s:
        if o.__class__ is not HostilePart:
            _check_instance(o, HostilePart)
        s = o.word
        if s is None:
            w += b"\xff\xff"
        else:
            s = _utf8(s)
            n = len(s)
            w += _pack_h(n)
            w += s
        if o.unknown_tagged_fields is not _NOTHING:
            _no_tags(o.unknown_tagged_fields)


def _decode_HostileText_v0(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_HostileText)
    o.default_long = 'a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and'
    o.from_long = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb )))"
    o.tagged_long = "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.quote = b[p:e].decode()
        p = e
    else:
        o.quote, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.three_quotes = b[p:e].decode()
        p = e
    else:
        o.three_quotes, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.four_quotes = b[p:e].decode()
        p = e
    else:
        o.four_quotes, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.backslash = b[p:e].decode()
        p = e
    else:
        o.backslash, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.backslash_quote = b[p:e].decode()
        p = e
    else:
        o.backslash_quote, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.escapes = b[p:e].decode()
        p = e
    else:
        o.escapes, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.control = b[p:e].decode()
        p = e
    else:
        o.control, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.separators = b[p:e].decode()
        p = e
    else:
        o.separators, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.unicode = b[p:e].decode()
        p = e
    else:
        o.unicode, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.template = b[p:e].decode()
        p = e
    else:
        o.template, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.format = b[p:e].decode()
        p = e
    else:
        o.format, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.comment = b[p:e].decode()
        p = e
    else:
        o.comment, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.code = b[p:e].decode()
        p = e
    else:
        o.code, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.alias_names = b[p:e].decode()
        p = e
    else:
        o.alias_names, p = _read_string(b, p - 2)
    (n,) = _unpack_h(b, p)
    p += 2
    if n >= 0:
        e = p + n
        o.plan = b[p:e].decode()
        p = e
    else:
        o.plan, p = _read_string(b, p - 2)
    o.parts, p = _decode_HostilePart_v0_array(b, p, m)
    if o.parts is None:
        raise _CodecFailure
    o.unknown_tagged_fields = ()
    return o, p


def _encode_HostileText_v0(o: _Any, w: bytearray) -> None:
    if o.__class__ is not HostileText:
        _check_instance(o, HostileText)
    if (
        o.default_long
        != 'a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and'
    ):
        raise _CodecFailure
    if (
        o.tagged_long
        != "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
    ):
        raise _CodecFailure
    s = _utf8(o.quote)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.three_quotes)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.four_quotes)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.backslash)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.backslash_quote)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.escapes)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.control)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.separators)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.unicode)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.template)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.format)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.comment)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.code)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.alias_names)
    n = len(s)
    w += _pack_h(n)
    w += s
    s = _utf8(o.plan)
    n = len(s)
    w += _pack_h(n)
    w += s
    _encode_HostilePart_v0_array(w, o.parts)
    if o.unknown_tagged_fields is not _NOTHING:
        _no_tags(o.unknown_tagged_fields)


def _decode_HostilePart_v1_array(b: bytes, p: int, m: _Allowance, n: int = -1) -> tuple[_Any, int]:
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
            m.left -= 114 * n
            if m.left < _LITTLE:
                return _read_leaves(_decode_HostilePart_v1_array, (m,), 2, 114, b, p, n)
    items: list[_Any] = []
    for _ in range(n):
        o: _Any = _new(*_args_HostilePart)
        n = b[p]
        if 0 < n < 128:
            e = p + n
            o.word = b[p + 1 : e].decode()
            p = e
        else:
            o.word, p = _read_compact_string_or_null(b, p)
        if b[p]:
            o.unknown_tagged_fields, p = _read_unknown_tags(b, p, m)
        else:
            o.unknown_tagged_fields = ()
            p += 1
        items.append(o)
    return tuple(items), p


def _encode_HostilePart_v1_array(w: bytearray, s: _Any) -> None:
    if type(s) is not tuple:
        s = _array_of(s)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_uvarint(w, n + 1)
    for o in s:
        if o.__class__ is not HostilePart:
            _check_instance(o, HostilePart)
        s = o.word
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
        if o.unknown_tagged_fields is _NOTHING:
            w.append(0)
        else:
            _write_tags(w, _raw_tags(o.unknown_tagged_fields, ()))


def _decode_HostileText_v1(b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> tuple[_Any, int]:
    o: _Any = _new(*_args_HostileText)
    o.tagged_long = "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.quote = b[p + 1 : e].decode()
        p = e
    else:
        o.quote, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.three_quotes = b[p + 1 : e].decode()
        p = e
    else:
        o.three_quotes, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.four_quotes = b[p + 1 : e].decode()
        p = e
    else:
        o.four_quotes, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.backslash = b[p + 1 : e].decode()
        p = e
    else:
        o.backslash, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.backslash_quote = b[p + 1 : e].decode()
        p = e
    else:
        o.backslash_quote, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.escapes = b[p + 1 : e].decode()
        p = e
    else:
        o.escapes, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.control = b[p + 1 : e].decode()
        p = e
    else:
        o.control, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.separators = b[p + 1 : e].decode()
        p = e
    else:
        o.separators, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.unicode = b[p + 1 : e].decode()
        p = e
    else:
        o.unicode, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.template = b[p + 1 : e].decode()
        p = e
    else:
        o.template, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.format = b[p + 1 : e].decode()
        p = e
    else:
        o.format, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.comment = b[p + 1 : e].decode()
        p = e
    else:
        o.comment, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.code = b[p + 1 : e].decode()
        p = e
    else:
        o.code, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.alias_names = b[p + 1 : e].decode()
        p = e
    else:
        o.alias_names, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.plan = b[p + 1 : e].decode()
        p = e
    else:
        o.plan, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.default_long = b[p + 1 : e].decode()
        p = e
    else:
        o.default_long, p = _read_compact_string(b, p)
    n = b[p]
    if 0 < n < 128:
        e = p + n
        o.from_long = b[p + 1 : e].decode()
        p = e
    else:
        o.from_long, p = _read_compact_string(b, p)
    o.parts, p = _decode_HostilePart_v1_array(b, p, m)
    if o.parts is None:
        raise _CodecFailure
    if b[p]:
        p = _decode_HostileText_v1_tags(o, b, p, z, m)
    else:
        o.unknown_tagged_fields = ()
        p += 1
    return o, p


def _decode_HostileText_v1_tags(o: _Any, b: bytes, p: int, z: bytes | memoryview, m: _Allowance) -> int:
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
                o.tagged_long = b[p + 1 : e].decode()
                p = e
            else:
                o.tagged_long, p = _read_compact_string(b, p)
        else:
            unknown.append((tag, b[p:end]))
            p = end
        if p != end:
            raise _CodecFailure
    o.unknown_tagged_fields = tuple(unknown)
    return p


def _encode_HostileText_v1(o: _Any, w: bytearray) -> None:
    if o.__class__ is not HostileText:
        _check_instance(o, HostileText)
    s = _utf8(o.quote)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.three_quotes)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.four_quotes)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.backslash)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.backslash_quote)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.escapes)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.control)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.separators)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.unicode)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.template)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.format)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.comment)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.code)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.alias_names)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.plan)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.default_long)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    s = _utf8(o.from_long)
    n = len(s)
    if n < 127:
        w.append(n + 1)
    else:
        _write_compact_length(w, n)
    w += s
    _encode_HostilePart_v1_array(w, o.parts)
    tags = [] if o.unknown_tagged_fields is _NOTHING else _raw_tags(o.unknown_tagged_fields, (0,))
    if (
        o.tagged_long
        != "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
    ):
        t = bytearray()
        s = _utf8(o.tagged_long)
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


_PLAN = """\
messagegen-plan 1
message HostileText data 0-1
struct HostileText
 quote quote string "\\""
 three_quotes threeQuotes string "\\"\\"\\""
 four_quotes fourQuotes string "''''\\"\\"\\"\\""
 backslash backslash string "\\\\"
 backslash_quote backslashQuote string "\\\\\\""
 escapes escapes string "\\\\n\\\\x41\\\\N{BULLET}\\\\u0041"
 control control string "\\u0000\\u0001\\t\\n\\r\\u001b\\u007f\\u0085"
 separators separators string "a\\u2028b\\u2029c\\u200b\\u202e\\ufeff"
 unicode unicode string "\\u00fcn\\u00efc\\u00f6d\\u00e9 \\u65e5\\u672c\\u8a9e \\ud83d\\ude00"
 template template string "{{ 7 * 7 }}{% raise %}{# no #}"
 format format string "%s %(name)s {0} {name} ${name}"
 comment comment string "# type: ignore"
 code code string "');__import__('os').abort()#"
 alias_names aliasNames string "_builtins _UUID _NAN"
 plan plan string "\\nstruct HostileText\\nlayout 0 HostileText 0-1\\n"
 default_long defaultLong string "a (bracket, a [square, one) and \\"quotes\\", a (bracket, a [square, one) and \\"quotes\\", a (bracket, a [square, one) and"
 from_long fromLong string "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb )))"
 tagged_long taggedLong string "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
 parts parts []HostilePart []
struct HostilePart
 word word string? "\\\\"
layout 0 HostilePart 0
 word string?
layout 1 HostileText 0
 quote string
 three_quotes string
 four_quotes string
 backslash string
 backslash_quote string
 escapes string
 control string
 separators string
 unicode string
 template string
 format string
 comment string
 code string
 alias_names string
 plan string
 parts array(struct(0))
 :guard default_long tagged_long
 :skip from_long
layout 2 HostilePart 1 flexible
 word compact_string?
layout 3 HostileText 1 flexible
 quote compact_string
 three_quotes compact_string
 four_quotes compact_string
 backslash compact_string
 backslash_quote compact_string
 escapes compact_string
 control compact_string
 separators compact_string
 unicode compact_string
 template compact_string
 format compact_string
 comment compact_string
 code compact_string
 alias_names compact_string
 plan compact_string
 default_long compact_string
 from_long compact_string
 parts compact_array(struct(2))
 :tag 0 tagged_long compact_string
"""

HostileText.CODEC = _Codec(
    readers={
        0: _decode_HostileText_v0,
        1: _decode_HostileText_v1,
    },
    writers={
        0: _encode_HostileText_v0,
        1: _encode_HostileText_v1,
    },
    classes=(HostileText, HostilePart),
    plan=_PLAN,
    own=1206,
    small=17522,
)
