"""Tags: data message, versions 0-2, flexible in 1-2.

Generated from the message spec Tags.
"""

from __future__ import annotations

from struct import Struct as _Format

from ._runtime import wire as _wire
from ._runtime.base import Codec as _Codec, Message as _Message
from ._runtime.structs import Struct as _Struct, dataclass as _dataclass
from ._runtime.wire import Any as _Any, Budget as _Budget, NOTHING as _NOTHING, Read as _Read, Source as _Source
from ._runtime.wire import new as _new, utf8 as _utf8

__all__ = ["Tags", "Word"]

_unpack_i = _Format(">i").unpack_from
_unpack_iB = _Format(">iB").unpack_from
_unpack_ii = _Format(">ii").unpack_from
_unpack_iiB = _Format(">iiB").unpack_from
_pack_i = _Format(">i").pack
_pack_ii = _Format(">ii").pack


@_dataclass
class Word(_Struct):
    """Null inside a tag is a varint."""

    text: str = ""
    """Versions 1+."""


@_dataclass
class Tags(_Message):
    """Tags: data message, versions 0-2, flexible in 1-2."""

    KIND = "data"
    VALID_VERSIONS = range(0, 3)
    FLEXIBLE_VERSIONS = range(1, 3)

    plain: int = 0

    number: int = 0
    """Tag 0 in versions 2+."""

    word: Word | None = None
    """Null inside a tag is a varint.

    Versions 1+; may be null; tag 1; ignorable; default null.
    """


_args_Tags = (Tags,)
_args_Word = (Word,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, budget) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `budget` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_Tags_v0(data: bytes, pos: int, source: _Source, budget: _Budget) -> _Read:
    struct = _new(*_args_Tags)
    struct.word = None
    struct.plain, struct.number = _unpack_ii(data, pos)
    pos += 8
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Tags_v0(struct: _Any, out: bytearray) -> None:
    out += _pack_ii(struct.plain, struct.number)
    if struct.unknown_tagged_fields is not _NOTHING:
        _wire.no_tags(struct.unknown_tagged_fields)


def _decode_Word_v1(data: bytes, pos: int, budget: _Budget) -> _Read:
    struct = _new(*_args_Word)
    if 0 < (length := data[pos]) < 128:
        struct.text = data[pos + 1 : (pos := pos + length)].decode()
    else:
        struct.text, pos = _wire.read_compact_string(data, pos)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos, budget)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_Word_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Word:
        _wire.check_instance(struct, Word)
    value = _utf8(struct.text)
    if (length := len(value)) < 127:
        out.append(length + 1)
    else:
        _wire.write_compact_length(out, length)
    out += value
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _wire.write_tags(out, _wire.raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Tags_v1(data: bytes, pos: int, source: _Source, budget: _Budget) -> _Read:
    struct = _new(*_args_Tags)
    struct.word = None
    struct.plain, struct.number, tag_count = _unpack_iiB(data, pos)
    pos += 9
    struct.unknown_tagged_fields = ()
    if tag_count:
        pos = _decode_Tags_v1_tags(data, pos - 1, source, budget, struct)
    return struct, pos


def _decode_Tags_v1_tags(data: bytes, pos: int, source: _Source, budget: _Budget, struct: _Any) -> int:
    unknown: list[_Any] = []
    last = -1
    count, pos = _wire.read_tag_count(data, pos, budget, 114)
    for _ in range(count):
        tag, size, pos = _wire.read_tag(data, pos, last)
        last = tag
        end = pos + size
        if tag == 1:
            mark, pos = _wire.read_uvarint(data, pos)
            if mark == 0:
                struct.word = None
            else:
                struct.word, pos = _decode_Word_v1(data, pos, budget)
        elif tag in (0,):
            raise _wire.CodecFailure
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _wire.CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_Tags_v1(struct: _Any, out: bytearray) -> None:
    out += _pack_ii(struct.plain, struct.number)
    tags: list[_Any] = []
    if struct.unknown_tagged_fields is not _NOTHING:
        tags = _wire.raw_tags(struct.unknown_tagged_fields, (0, 1))
    if struct.word is not None:
        tagged = bytearray()
        if (value := struct.word) is None:
            tagged.append(0)
        else:
            tagged.append(1)
            _encode_Word_v1(value, tagged)
        tags.append((1, bytes(tagged)))
    if tags:
        _wire.write_tags(out, tags)
    else:
        out.append(0)


def _decode_Tags_v2(data: bytes, pos: int, source: _Source, budget: _Budget) -> _Read:
    struct = _new(*_args_Tags)
    struct.number = 0
    struct.word = None
    struct.plain, tag_count = _unpack_iB(data, pos)
    pos += 5
    struct.unknown_tagged_fields = ()
    if tag_count:
        pos = _decode_Tags_v2_tags(data, pos - 1, source, budget, struct)
    return struct, pos


def _decode_Tags_v2_tags(data: bytes, pos: int, source: _Source, budget: _Budget, struct: _Any) -> int:
    unknown: list[_Any] = []
    last = -1
    count, pos = _wire.read_tag_count(data, pos, budget, 114)
    for _ in range(count):
        tag, size, pos = _wire.read_tag(data, pos, last)
        last = tag
        end = pos + size
        if tag == 0:
            (struct.number,) = _unpack_i(data, pos)
            pos += 4
        elif tag == 1:
            mark, pos = _wire.read_uvarint(data, pos)
            if mark == 0:
                struct.word = None
            else:
                struct.word, pos = _decode_Word_v1(data, pos, budget)
        else:
            unknown.append((tag, data[pos:end]))
            pos = end
        if pos != end:
            raise _wire.CodecFailure
    struct.unknown_tagged_fields = tuple(unknown)
    return pos


def _encode_Tags_v2(struct: _Any, out: bytearray) -> None:
    out += _pack_i(struct.plain)
    tags: list[_Any] = []
    if struct.unknown_tagged_fields is not _NOTHING:
        tags = _wire.raw_tags(struct.unknown_tagged_fields, (0, 1))
    if struct.number != 0:
        tagged = bytearray()
        tagged += _pack_i(struct.number)
        tags.append((0, bytes(tagged)))
    if struct.word is not None:
        tagged = bytearray()
        if (value := struct.word) is None:
            tagged.append(0)
        else:
            tagged.append(1)
            _encode_Word_v1(value, tagged)
        tags.append((1, bytes(tagged)))
    if tags:
        _wire.write_tags(out, tags)
    else:
        out.append(0)


_PLAN = """\
messagegen-plan 2
message Tags data 0-2
 :flexible 1-2
struct Tags
 plain plain int32 0
 number number int32 0
 word word Word? null
 :about word "Null inside a tag is a varint."
 :versions 1-2 word
 :nullable 1-2 word
 :tagged 2 0 number
 :tagged 1-2 1 word
 :ignorable word
struct Word
 text text string ""
 :about "Null inside a tag is a varint."
 :versions 1-2 text
layout 0 Tags 0
 plain int32
 + number int32
 :skip word
layout 1 Word 1-2 flexible
 text compact_string
layout 2 Tags 1 flexible
 plain int32
 + number int32
 :tag 1 word struct(1)??
 :foreign 0
layout 3 Tags 2 flexible
 plain int32
 :tag 0 number int32
 :tag 1 word struct(1)??
"""

Tags.CODEC = _Codec(
    [
        (0, 0, _decode_Tags_v0, _encode_Tags_v0),
        (1, 1, _decode_Tags_v1, _encode_Tags_v1),
        (2, 2, _decode_Tags_v2, _encode_Tags_v2),
    ],
    (Tags, Word),
    _PLAN,
    own=48,
    small=17543,
)
