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
_unpack_i = _Struct(">i").unpack_from
_pack_h = _Struct(">h").pack
_pack_i = _Struct(">i").pack


@_dataclass
class HostilePart(_Base):
    """Element of Parts: \"\"\" + str(1/0) + \"\"\" """

    word: str | None = "\\"
    """\\\\\\\"\"\"

    May be null; default "\\\\".
    """


_args_HostilePart = (HostilePart,)


@_dataclass
class HostileText(_Message):
    """HostileText: Kafka data, versions 0-1, flexible in 1. \"\"\" import os os.abort() \"\"\" """

    KIND = "data"
    VALID_VERSIONS = range(0, 2)
    FLEXIBLE_VERSIONS = range(1, 2)

    quote: str = '"'
    """Ends in a quote\"

    Default "\\\"\".
    """

    three_quotes: str = '"""'
    """Ends in three quotes \"\"\"

    Default "\\"\\"\\\"\".
    """

    four_quotes: str = "''''\"\"\"\""
    """\"\"\"\"

    Default "''''\\"\\"\\"\\\"\".
    """

    backslash: str = "\\"
    """Ends in a backslash \\

    Default "\\\\".
    """

    backslash_quote: str = '\\"'
    """Ends in both \\\"

    Default "\\\\\\\"\".
    """

    escapes: str = "\\n\\x41\\N{BULLET}\\u0041"
    """\\n \\x41 \\N{BULLET} \\u0041 \\101

    Default "\\\\n\\\\x41\\\\N{BULLET}\\\\u0041".
    """

    control: str = "\x00\x01\t\n\r\x1b\x7f\x85"
    """A nul \x00, an escape \x1b[31m, a tab and a line break

    Default "\\u0000\\u0001\\t\\n\\r\\u001b\x7f ".
    """

    separators: str = "a\u2028b\u2029c\u200b\u202e\ufeff"
    """Line paragraph right-to-left \u202e

    Default "a b c\u200b\u202e\ufeff".
    """

    unicode: str = "ünïcödé 日本語 😀"
    """ünïcödé 日本語 😀

    Default "ünïcödé 日本語 😀".
    """

    template: str = "{{ 7 * 7 }}{% raise %}{# no #}"
    """{{ module }} {% include 'x' %} {# comment #}

    Default "{{ 7 * 7 }}{% raise %}{# no #}".
    """

    format: str = "%s %(name)s {0} {name} ${name}"
    """%s %(name)s {0} {name} ${name}

    Default "%s %(name)s {0} {name} ${name}".
    """

    comment: str = "# type: ignore"
    """# type: ignore # noqa: X fmt: off

    Default "# type: ignore".
    """

    code: str = "');__import__('os').abort()#"
    """');__import__('os').abort()#

    Default "');__import__('os').abort()#".
    """

    alias_names: str = "_builtins _UUID _NAN"
    """Names of imports: _INFINITY, _read_uuids.

    Default "_builtins _UUID _NAN".
    """

    plan: str = "\nstruct HostileText\nlayout 0 HostileText 0-1\n"
    """layout 0

    Default "\\nstruct HostileText\\nlayout 0 HostileText 0-1\\n".
    """

    default_long: str = (
        'a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and'
    )
    """Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(b,
    c)

    Versions 1+; default "a (bracket, a [square, one) and \\"quotes\\", a (bracket, a [square,
    one) and \\"quotes\\", a (bracket, a [square, one) and".
    """

    from_long: str = (
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb )))"
    )
    """Versions 1+; ignorable; default
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
    )))"."""

    tagged_long: str = (
        "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
    )
    """Versions 1+; tag 0; default "cccccccccccccccccccc, cccccccccccccccccccc,
    cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"."""

    parts: tuple[HostilePart, ...] = ()
    """\"\"\" + str(1/0) + \"\"\""""


_args_HostileText = (HostileText,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, allowance) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None. With `count` it reads a portion whose count is known.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `allowance` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_HostilePart_v0_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        if count < 1:
            return (None if count else ()), pos
        if count > allowance.free:
            if count > allowance.longest:
                raise _CodecFailure
            allowance.left -= 114 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_HostilePart_v0_array, (allowance,), 0, 114, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_HostilePart)
        (length,) = _unpack_h(data, pos)
        pos += 2
        if length >= 0:
            stop = pos + length
            struct.word = data[pos:stop].decode()
            pos = stop
        else:
            struct.word, pos = _read_string_or_null(data, pos - 2)
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_HostilePart_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    out += _pack_i(count)
    for struct in array:
        if struct.__class__ is not HostilePart:
            _check_instance(struct, HostilePart)
        value = struct.word
        if value is None:
            out += b"\xff\xff"
        else:
            value = _utf8(value)
            length = len(value)
            out += _pack_h(length)
            out += value
        if struct.unknown_tagged_fields is not _NOTHING:
            _no_tags(struct.unknown_tagged_fields)


def _decode_HostileText_v0(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_HostileText)
    struct.default_long = 'a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and'
    struct.from_long = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb )))"
    struct.tagged_long = "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.quote = data[pos:stop].decode()
        pos = stop
    else:
        struct.quote, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.three_quotes = data[pos:stop].decode()
        pos = stop
    else:
        struct.three_quotes, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.four_quotes = data[pos:stop].decode()
        pos = stop
    else:
        struct.four_quotes, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.backslash = data[pos:stop].decode()
        pos = stop
    else:
        struct.backslash, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.backslash_quote = data[pos:stop].decode()
        pos = stop
    else:
        struct.backslash_quote, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.escapes = data[pos:stop].decode()
        pos = stop
    else:
        struct.escapes, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.control = data[pos:stop].decode()
        pos = stop
    else:
        struct.control, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.separators = data[pos:stop].decode()
        pos = stop
    else:
        struct.separators, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.unicode = data[pos:stop].decode()
        pos = stop
    else:
        struct.unicode, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.template = data[pos:stop].decode()
        pos = stop
    else:
        struct.template, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.format = data[pos:stop].decode()
        pos = stop
    else:
        struct.format, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.comment = data[pos:stop].decode()
        pos = stop
    else:
        struct.comment, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.code = data[pos:stop].decode()
        pos = stop
    else:
        struct.code, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.alias_names = data[pos:stop].decode()
        pos = stop
    else:
        struct.alias_names, pos = _read_string(data, pos - 2)
    (length,) = _unpack_h(data, pos)
    pos += 2
    if length >= 0:
        stop = pos + length
        struct.plan = data[pos:stop].decode()
        pos = stop
    else:
        struct.plan, pos = _read_string(data, pos - 2)
    struct.parts, pos = _decode_HostilePart_v0_array(data, pos, allowance)
    if struct.parts is None:
        raise _CodecFailure
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_HostileText_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not HostileText:
        _check_instance(struct, HostileText)
    if (
        struct.default_long
        != 'a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and "quotes", a (bracket, a [square, one) and'
    ):
        raise _CodecFailure
    if (
        struct.tagged_long
        != "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
    ):
        raise _CodecFailure
    value = _utf8(struct.quote)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.three_quotes)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.four_quotes)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.backslash)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.backslash_quote)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.escapes)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.control)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.separators)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.unicode)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.template)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.format)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.comment)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.code)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.alias_names)
    length = len(value)
    out += _pack_h(length)
    out += value
    value = _utf8(struct.plan)
    length = len(value)
    out += _pack_h(length)
    out += value
    _encode_HostilePart_v0_array(out, struct.parts)
    if struct.unknown_tagged_fields is not _NOTHING:
        _no_tags(struct.unknown_tagged_fields)


def _decode_HostilePart_v1_array(data: bytes, pos: int, allowance: _Allowance, count: int = -1) -> tuple[_Any, int]:
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
            allowance.left -= 114 * count
            if allowance.left < _LITTLE:
                return _read_leaves(_decode_HostilePart_v1_array, (allowance,), 2, 114, data, pos, count)
    items: list[_Any] = []
    for _ in range(count):
        struct: _Any = _new(*_args_HostilePart)
        length = data[pos]
        if 0 < length < 128:
            stop = pos + length
            struct.word = data[pos + 1 : stop].decode()
            pos = stop
        else:
            struct.word, pos = _read_compact_string_or_null(data, pos)
        if data[pos]:
            struct.unknown_tagged_fields, pos = _read_unknown_tags(data, pos, allowance)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_HostilePart_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is not tuple:
        array = _array_of(array)
    count = len(array)
    if count < 127:
        out.append(count + 1)
    else:
        _write_uvarint(out, count + 1)
    for struct in array:
        if struct.__class__ is not HostilePart:
            _check_instance(struct, HostilePart)
        value = struct.word
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
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _write_tags(out, _raw_tags(struct.unknown_tagged_fields, ()))


def _decode_HostileText_v1(
    data: bytes, pos: int, source: bytes | memoryview, allowance: _Allowance
) -> tuple[_Any, int]:
    struct: _Any = _new(*_args_HostileText)
    struct.tagged_long = "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.quote = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.quote, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.three_quotes = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.three_quotes, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.four_quotes = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.four_quotes, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.backslash = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.backslash, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.backslash_quote = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.backslash_quote, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.escapes = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.escapes, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.control = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.control, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.separators = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.separators, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.unicode = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.unicode, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.template = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.template, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.format = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.format, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.comment = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.comment, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.code = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.code, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.alias_names = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.alias_names, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.plan = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.plan, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.default_long = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.default_long, pos = _read_compact_string(data, pos)
    length = data[pos]
    if 0 < length < 128:
        stop = pos + length
        struct.from_long = data[pos + 1 : stop].decode()
        pos = stop
    else:
        struct.from_long, pos = _read_compact_string(data, pos)
    struct.parts, pos = _decode_HostilePart_v1_array(data, pos, allowance)
    if struct.parts is None:
        raise _CodecFailure
    if data[pos]:
        pos = _decode_HostileText_v1_tags(struct, data, pos, source, allowance)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _decode_HostileText_v1_tags(
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
            length = data[pos]
            if 0 < length < 128:
                stop = pos + length
                struct.tagged_long = data[pos + 1 : stop].decode()
                pos = stop
            else:
                struct.tagged_long, pos = _read_compact_string(data, pos)
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_HostileText_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not HostileText:
        _check_instance(struct, HostileText)
    value = _utf8(struct.quote)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.three_quotes)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.four_quotes)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.backslash)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.backslash_quote)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.escapes)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.control)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.separators)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.unicode)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.template)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.format)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.comment)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.code)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.alias_names)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.plan)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.default_long)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    value = _utf8(struct.from_long)
    length = len(value)
    if length < 127:
        out.append(length + 1)
    else:
        _write_compact_length(out, length)
    out += value
    _encode_HostilePart_v1_array(out, struct.parts)
    tags = [] if struct.unknown_tagged_fields is _NOTHING else _raw_tags(struct.unknown_tagged_fields, (0,))
    if (
        struct.tagged_long
        != "cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccccccccccc, cccccccccccc"
    ):
        tagged = bytearray()
        value = _utf8(struct.tagged_long)
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
