"""The reference codec: walks the plan field by field, slow and obvious.

It says which field at which byte is wrong, after a straight-line codec found that something is; and it is what straight-line
codecs are tested against. Where both read or write something, they agree to the byte.
"""

from __future__ import annotations

import struct
from _operator import index as whole
from uuid import UUID

from . import costs
from .errors import CodecFailure, DecodeError, EncodeError, WrongValue, is_a
from .limits import DEFAULT_LIMITS
from .primitives import LONGEST_STRING, array_of, bytes_of, check_instance, no_tags, raw_tags, utf8, write_tags
from .secrets import shown_reason
from .varints import read_packed, read_upacked, read_uvarint, write_packed, write_upacked, write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .limits import Limits
    from .tables import Codec, Field, Layout, Table

FORMATS = {
    "bool": struct.Struct(">?"),
    "int8": struct.Struct(">b"),
    "int16": struct.Struct(">h"),
    "uint16": struct.Struct(">H"),
    "int32": struct.Struct(">i"),
    "uint32": struct.Struct(">I"),
    "int64": struct.Struct(">q"),
    "float64": struct.Struct(">d"),
}
"""How values of constant size lie on the wire; a uuid is its 16 bytes."""


_LONGEST_REASON = 1000
"""An exception of a value's own may have any length."""


def walk_decode(
    table: Table,
    buffer: bytes,
    offset: int,
    version: int,
    source: bytes | memoryview | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Any, int]:
    """Reads one message from ``offset``; gives it and the offset after it. Raises ``DecodeError`` with path and offset."""
    reader = _Reader(buffer, offset, buffer if source is None else source, limits)
    try:
        message = reader.message(table.roots[version])
    except (CodecFailure, IndexError, struct.error, UnicodeDecodeError) as failure:
        raise DecodeError(table.name, version, _path(reader.path), _reason(failure), reader.start) from None
    return message, reader.position


def walk_cost(table: Table, buffer: bytes, version: int) -> int:
    """What decoding a message costs, in bytes of memory as ``costs.py`` counts them. ``buffer`` must hold a message."""
    reader = _Reader(buffer, 0, buffer, DEFAULT_LIMITS)
    reader.message(table.roots[version])
    return reader.cost


def walk_encode(table: Table, message: object, version: int) -> bytes:
    """The bytes of a message. Raises ``EncodeError`` with path."""
    writer = _Writer()
    out = bytearray()
    try:
        writer.struct(table.roots[version], message, out)
    except (struct.error, ValueError, TypeError, AttributeError, OverflowError, BufferError) as failure:
        attributes = [part for part in writer.path if isinstance(part, str)]
        reason = shown_reason(failure, _reason(failure), table.roots[version], attributes)
        raise EncodeError(table.name, version, _path(writer.path), reason) from None
    return bytes(out)


def _path(parts: Iterable[str | int]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).removeprefix(".")


def _reason(failure: Exception) -> str:
    if isinstance(failure, UnicodeDecodeError):
        return f"the string is not UTF-8 at its byte {failure.start}"
    if isinstance(failure, UnicodeEncodeError):
        return f"the string can't be written as UTF-8: character {failure.start} is a lone surrogate"
    if isinstance(failure, IndexError):
        return "the bytes end early"
    return str(failure)[:_LONGEST_REASON]


class _Reader:
    """A position in a buffer, the path of the field that is read there, and what all that was read costs."""

    def __init__(self, buffer: bytes, position: int, source: bytes | memoryview, limits: Limits) -> None:
        self.buffer = buffer
        self.source = source
        self.position = position
        self.start = position
        self.path: list[str | int] = []
        self.limits = limits
        self.cost = 0
        self.most = limits.memory(len(buffer) - position)
        self.latest: tuple[str, bytes, tuple[Any, ...]] | None = None

    def message(self, layout: Layout) -> Any:
        begin = self.position
        message = self.struct(layout)
        # Nothing behind the message may decide whether it is accepted.
        self.start = begin
        self.most = self.limits.memory(self.position - begin)
        self.charge(0)
        return message

    def charge(self, cost: int) -> None:
        """Counts what was made, or is about to be made."""
        self.cost += cost
        if self.cost > self.most:
            raise CodecFailure(self.limits.memory_reason())

    def struct(self, layout: Layout) -> Any:
        self.charge(layout.cost)
        message = layout.cls()
        latest = None
        for field, codec in layout.steps:
            self.latest = latest
            setattr(message, field.attribute, self.field(field, codec))
            if codec.numbers:
                latest = self.latest
        if layout.flexible:
            self.tag_section(layout, message)
        return message

    def field(self, field: Field, codec: Codec) -> Any:
        self.path.append(field.attribute)
        self.start = self.position
        value = self.value(codec)
        self.path.pop()
        return value

    def tag_section(self, layout: Layout, message: Any) -> None:
        self.start = self.position
        unknown: list[tuple[int, bytes]] = []
        count = self.uvarint()
        if count > self.limits.tagged_field_count:
            raise CodecFailure(self.limits.tagged_field_count_reason(count))
        for _ in range(count):
            tag, size = self.uvarint(), self.uvarint()
            if tag in layout.foreign:
                raise CodecFailure(f"tag {tag} is not valid in this version")
            if tag not in layout.tagged:
                data = self.take(size)
                self.charge(
                    costs.PLACE + costs.TAG + costs.of_int(tag) + costs.of_bytes(size) + costs.ARRAY * (not unknown)
                )
                unknown.append((tag, data))
                continue
            field, codec = layout.tagged[tag]
            end = self.position + size
            self.latest = None
            setattr(message, field.attribute, self.field(field, codec))
            if self.position != end:
                self.path.append(field.attribute)
                raise CodecFailure(f"tag {tag} has {size} bytes, but its value has {size + self.position - end}")
        message.unknown_tagged_fields = tuple(unknown)

    def value(self, codec: Codec) -> Any:
        match codec.kind:
            case "struct":
                return self.nullable_struct(codec)
            case "array":
                return self.array(codec)
            case "string" | "bytes" | "records":
                return self.text_or_bytes(codec)
            case kind:
                value = self.atom(codec, kind)
                self.charge(costs.of_atom(codec, value))
                return value

    def atom(self, codec: Codec, kind: str) -> Any:
        if kind in FORMATS:
            return FORMATS[kind].unpack(self.take(FORMATS[kind].size))[0]
        if kind == "uuid":
            return UUID(bytes=self.take(16))
        read = read_packed if kind == "packed" else read_upacked
        value, self.position = read(self.buffer, self.position, codec.bits)
        return value

    def nullable_struct(self, codec: Codec) -> Any:
        assert codec.layout is not None
        if codec.null == 1 and self.take(1)[0] > 0x7F:
            return None
        if codec.null == 2 and self.uvarint() == 0:
            return None
        return self.struct(codec.layout)

    def length(self, codec: Codec) -> int | None:
        """A length or count that fits what is left; ``None`` stands for null."""
        if codec.compact:
            length = self.uvarint() - 1
        else:
            size = 2 if codec.kind == "string" else 4
            length = int.from_bytes(self.take(size), "big", signed=True)
        if length < 0:
            if not codec.null:
                raise CodecFailure("null is not allowed here")
            return None
        if codec.kind == "string" and length > LONGEST_STRING:
            raise CodecFailure(f"a string has at most {LONGEST_STRING} bytes, not {length}")
        left = len(self.buffer) - self.position
        if length > left:
            what = "elements" if codec.kind == "array" else "bytes"
            raise CodecFailure(f"{length} {what} are announced, but only {left} bytes are left")
        return length

    def text_or_bytes(self, codec: Codec) -> Any:
        length = self.length(codec)
        if length is None:
            return None
        position = self.position
        self.position += length
        if codec.zero_copy and self.source is not self.buffer:
            self.charge(costs.VIEW)
            return self.source[position : self.position]
        data = self.buffer[position : self.position]
        if codec.kind != "string":
            self.charge(costs.of_bytes(length))
            return data
        value = data.decode()
        self.charge(costs.of_string(data))
        return value

    def array(self, codec: Codec) -> Any:
        assert codec.element is not None
        count = self.length(codec)
        if codec.numbers:
            return self.numbers(codec.element, count)
        if count is None:
            return None
        self.check_count(count)
        self.charge((costs.ARRAY + costs.PLACE * count) if count else 0)
        items: list[Any] = []
        for index in range(count):
            self.path.append(index)
            self.start = self.position
            items.append(self.value(codec.element))
            self.path.pop()
        return tuple(items)

    def check_count(self, count: int) -> None:
        if count > self.limits.array_length:
            raise CodecFailure(self.limits.array_length_reason(count))

    def numbers(self, element: Codec, count: int | None) -> tuple[Any, ...] | None:
        """Numbers of constant size, counted before they are made; equal ones just before them are the same tuple."""
        latest, self.latest = self.latest, None
        if count is None:
            return None
        self.check_count(count)
        number = FORMATS[element.kind]
        left = len(self.buffer) - self.position
        if count * number.size > left:
            whole, rest = divmod(left, number.size)
            self.path.append(whole)
            self.start = self.position + whole * number.size
            raise CodecFailure(f"{number.size} bytes are needed, but only {rest} are left")
        run = self.take(count * number.size)
        if latest is not None and latest[:2] == (element.kind, run):
            self.latest = latest
        else:
            self.charge(costs.of_numbers(element, run, count))
        if count:
            self.start = self.position - number.size
        if self.latest is not None:
            return self.latest[2]
        values = struct.unpack(f">{count}{number.format[-1]}", run)
        if element.kind not in ("bool", "float64"):
            self.latest = (element.kind, run, values)
        return values

    def uvarint(self) -> int:
        value, self.position = read_uvarint(self.buffer, self.position)
        return value

    def take(self, size: int) -> bytes:
        left = len(self.buffer) - self.position
        if size > left:
            raise CodecFailure(f"{size} bytes are needed, but only {left} are left")
        self.position += size
        return self.buffer[self.position - size : self.position]


class _Writer:
    """The path of the field that is written."""

    def __init__(self) -> None:
        self.path: list[str | int] = []

    def struct(self, layout: Layout, message: Any, out: bytearray) -> None:
        check_instance(message, layout.cls)
        for field in layout.guarded:
            self.path.append(field.attribute)
            if not field.is_default(_attribute(message, field.attribute)):
                raise CodecFailure("this version has no such field, so it must be left at its default")
            self.path.pop()
        for field, codec in layout.steps:
            self.path.append(field.attribute)
            self.value(codec, _attribute(message, field.attribute), out)
            self.path.pop()
        self.tag_section(layout, message, out)

    def tag_section(self, layout: Layout, message: Any, out: bytearray) -> None:
        self.path.append("unknown_tagged_fields")
        unknown = _attribute(message, "unknown_tagged_fields")
        if not layout.flexible:
            no_tags(unknown)
            self.path.pop()
            return
        fields = raw_tags(unknown, (*layout.tagged, *layout.foreign))
        self.path.pop()
        for tag, (field, codec) in layout.tagged.items():
            self.path.append(field.attribute)
            value = _attribute(message, field.attribute)
            if not field.is_default(value):
                data = bytearray()
                self.value(codec, value, data)
                fields.append((tag, bytes(data)))
            self.path.pop()
        self.path.append("unknown_tagged_fields")
        write_tags(out, fields)
        self.path.pop()

    def value(self, codec: Codec, value: Any, out: bytearray) -> None:
        kind = codec.kind
        if kind in FORMATS:
            out += _packed(kind, value)
            return
        match kind:
            case "uuid":
                from .uuids import write_uuid

                write_uuid(out, value)
            case "packed":
                write_packed(out, _integer(value), codec.bits)
            case "upacked":
                write_upacked(out, _integer(value), codec.bits)
            case "struct":
                self.nullable_struct(codec, value, out)
            case "array":
                self.array(codec, value, out)
            case _:
                self.text_or_bytes(codec, value, out)

    def nullable_struct(self, codec: Codec, value: Any, out: bytearray) -> None:
        assert codec.layout is not None
        if value is None and codec.null:
            out.append(0xFF if codec.null == 1 else 0)
            return
        if codec.null:
            out.append(1)
        self.struct(codec.layout, value, out)

    def length(self, codec: Codec, length: int | None, out: bytearray) -> None:
        if length is None and not codec.null:
            raise CodecFailure("null is not allowed here")
        if codec.compact:
            write_uvarint(out, 0 if length is None else length + 1)
        else:
            size = 2 if codec.kind == "string" else 4
            out += (-1 if length is None else length).to_bytes(size, "big", signed=True)

    def text_or_bytes(self, codec: Codec, value: Any, out: bytearray) -> None:
        if value is None:
            self.length(codec, None, out)
            return
        data = _text(value) if codec.kind == "string" else bytes_of(value)
        if codec.kind == "string" and len(data) > LONGEST_STRING:
            raise CodecFailure(f"a string has at most {LONGEST_STRING} bytes of UTF-8, not {len(data)}")
        self.length(codec, len(data), out)
        out += data

    def array(self, codec: Codec, value: Any, out: bytearray) -> None:
        assert codec.element is not None
        if value is None:
            self.length(codec, None, out)
            return
        items = array_of(value)
        self.length(codec, len(items), out)
        for number, item in enumerate(items):
            self.path.append(number)
            self.value(codec.element, item, out)
            self.path.pop()


def _attribute(message: Any, name: str) -> Any:
    try:
        return getattr(message, name)
    except AttributeError:
        raise CodecFailure("the field was never set") from None


def _text(value: Any) -> Any:
    if not is_a(value, str):
        raise WrongValue("expected a str, got {}", value)
    return utf8(value)


def _integer(value: Any) -> int:
    try:
        return whole(value)
    except TypeError:
        raise WrongValue("expected an int, got {}", value) from None


def _packed(kind: str, value: Any) -> bytes:
    if kind == "bool":
        if value is not True and value is not False:
            raise WrongValue("expected True or False, got {}", value)
    elif kind == "float64":
        try:
            return FORMATS[kind].pack(value)
        except struct.error:
            raise WrongValue("expected a float, got {}", value) from None
    else:
        value = _integer(value)
    try:
        return FORMATS[kind].pack(value)
    except struct.error:
        raise WrongValue(f"{{}} does not fit in {kind}", value) from None
