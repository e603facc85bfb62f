"""The reference codec: walks the plan of a message field by field, slow and obvious.

It locates the field and byte of an error after a straight-line codec fails, decides about limits, and straight-line codecs are tested
against it. If both can read or write something, they agree to the byte.
"""

from __future__ import annotations

from _operator import index
from struct import error, pack, unpack

from . import costs, part
from .errors import CodecFailure, DecodeError, EncodeError, WrongValue, is_a, path_text, reason
from .limits import DEFAULT_LIMITS
from .wire import (
    LONGEST_STRING,
    array_of,
    bytes_of,
    check_instance,
    no_tags,
    raw_tags,
    read_uvarint,
    utf8,
    write_tags,
    write_uvarint,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .limits import Limits
    from .plans import Codec, Field, Layout, Plan
    from .primitives import Primitive


def walk_decode(
    plan: Plan,
    buffer: bytes,
    offset: int,
    version: int,
    source: bytes | memoryview | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Any, int]:
    """Reads a message at ``offset``; returns it and the offset after it. Raises ``DecodeError`` with path and offset."""
    reader = Reader(buffer, offset, buffer if source is None else source, limits)
    return reader.decode(plan, version), reader.position


def walk_cost(plan: Plan, buffer: bytes, version: int) -> int:
    """The cost of decoding a message, in bytes of memory as counted in ``costs.py``. ``buffer`` must contain a message."""
    reader = Reader(buffer, 0, buffer, DEFAULT_LIMITS)
    reader.message(plan.roots[version])
    return reader.cost


class Reader:
    """A position in a buffer, the path of the field at that position, and the cost of everything read so far.

    A subclass can observe what is read where: each method reads one thing at ``position`` and advances it.
    """

    def __init__(self, buffer: bytes, position: int, source: bytes | memoryview, limits: Limits) -> None:
        self.buffer = buffer
        self.source = source
        self.position = position
        self.start = position
        self.path: list[str | int] = []
        self.limits = limits
        self.cost = 0
        self.most = limits.memory(len(buffer) - position)

    def decode(self, plan: Plan, version: int) -> Any:
        """The message that starts here. Raises ``DecodeError`` with path and offset."""
        try:
            return self.message(plan.roots[version])
        except (CodecFailure, IndexError, error, UnicodeDecodeError) as failure:
            raise DecodeError(plan.name, version, path_text(self.path), reason(failure), self.start) from None

    def message(self, layout: Layout) -> Any:
        """The message of a layout, checked against the limits for its own size."""
        begin = self.position
        message = self.struct(layout)
        # Bytes after the message must not affect whether it is accepted.
        self.start = begin
        self.most = self.limits.memory(self.position - begin)
        self.charge(0)
        return message

    def charge(self, cost: int) -> None:
        """Counts objects that were created or are about to be created."""
        self.cost += cost
        if self.cost > self.most:
            raise CodecFailure(self.limits.memory_reason())

    def struct(self, layout: Layout) -> Any:
        """The fields of a struct and its tag section."""
        self.charge(layout.cost)
        message = layout.cls()
        for field, codec in layout.steps:
            setattr(message, field.attribute, self.field(field, codec))
        if layout.flexible:
            self.tag_section(layout, message)
        return message

    def field(self, field: Field, codec: Codec) -> Any:
        """The value of a field."""
        self.path.append(field.attribute)
        self.start = self.position
        value = self.value(codec)
        self.path.pop()
        return value

    def tag_section(self, layout: Layout, message: Any) -> None:
        """Reads the tagged fields of a struct into ``message``."""
        self.start = self.position
        unknown: list[tuple[int, bytes]] = []
        for _ in range(self.tag_count()):
            tag, size = self.tag_head(layout)
            if tag in layout.tagged:
                self.tagged_field(layout, message, tag, size)
            else:
                unknown.append((tag, self.unknown_tag(tag, size, first=not unknown)))
        message.unknown_tagged_fields = tuple(unknown)

    def tag_count(self) -> int:
        """How many tagged fields follow."""
        count = self.uvarint()
        if count > self.limits.tagged_field_count:
            raise CodecFailure(self.limits.tagged_field_count_reason(count))
        return count

    def tag_head(self, layout: Layout) -> tuple[int, int]:
        """The number of a tag, and the number of bytes of its value."""
        tag, size = self.uvarint(), self.uvarint()
        if tag in layout.foreign:
            raise CodecFailure(f"tag {tag} is not valid in this version")
        return tag, size

    def unknown_tag(self, tag: int, size: int, *, first: bool) -> bytes:
        """The bytes of a tagged field that is not in the layout; ``first`` if it is the first in its section."""
        data = self.take(size)
        self.charge(costs.PLACE + costs.TAG + costs.of_int(tag) + costs.of_bytes(size) + costs.ARRAY * first)
        return data

    def tagged_field(self, layout: Layout, message: Any, tag: int, size: int) -> None:
        """A tagged field of the layout, which must have the declared size."""
        field, codec = layout.tagged[tag]
        end = self.position + size
        setattr(message, field.attribute, self.field(field, codec))
        if self.position != end:
            self.path.append(field.attribute)
            raise CodecFailure(f"tag {tag} has {size} bytes, but its value has {size + self.position - end}")

    def value(self, codec: Codec) -> Any:
        """A value of a field or of an element."""
        match codec.kind:
            case "struct":
                return self.nullable_struct(codec)
            case "array":
                return self.array(codec)
            case "string" | "bytes" | "records":
                return self.text_or_bytes(codec)
            case "packed" | "upacked":
                return self.varint(codec)
            case _:
                return self.fixed(codec)

    def varint(self, codec: Codec) -> int:
        """An integer in one of the encodings of KIP-625."""
        read = getattr(part("varints"), f"read_{codec.kind}")
        value: int
        value, self.position = read(self.buffer, self.position, codec.bits)
        self.charge(costs.of_int(value, codec.bits))
        return value

    def fixed(self, codec: Codec) -> Any:
        """A value of constant size."""
        primitive = codec.primitive
        assert primitive is not None
        (value,) = unpack(f">{primitive.format}", self.take(primitive.size))
        if primitive.python == "UUID":
            value = part("uuids").uuid_of(value)
        self.charge(costs.of_fixed(primitive, value))
        return value

    def nullable_struct(self, codec: Codec) -> Any:
        """A struct, or null."""
        assert codec.layout is not None
        if codec.null == 1 and self.take(1)[0] > 0x7F:
            return None
        if codec.null == 2 and self.uvarint() == 0:
            return None
        return self.struct(codec.layout)

    def length(self, codec: Codec) -> int | None:
        """A length or count that fits in the remaining bytes; ``None`` means null."""
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
            raise CodecFailure(f"invalid number of {what}, {length}; bytes left: {left}")
        if codec.kind == "array" and length > self.limits.array_length:
            raise CodecFailure(self.limits.array_length_reason(length))
        return length

    def text_or_bytes(self, codec: Codec) -> Any:
        """A string, bytes or records."""
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
        """An array."""
        assert codec.element is not None
        count = self.length(codec)
        if count is None:
            return None
        if codec.numbers:
            return self.numbers(codec.element, count)
        self.charge((costs.ARRAY + costs.place(sleeps=codec.element.sleeps) * count) if count else 0)
        return tuple([self.element(codec.element, number) for number in range(count)])

    def element(self, codec: Codec, number: int) -> Any:
        """The value of an element."""
        self.path.append(number)
        self.start = self.position
        value = self.value(codec)
        self.path.pop()
        return value

    def numbers(self, element: Codec, count: int) -> tuple[Any, ...]:
        """Numbers of constant size, counted before they are created."""
        number = element.primitive
        assert number is not None
        left = len(self.buffer) - self.position
        if count * number.size > left:
            whole, rest = divmod(left, number.size)
            self.path.append(whole)
            self.start = self.position + whole * number.size
            raise CodecFailure(f"unexpected end: bytes needed: {number.size}, left: {rest}")
        run = self.take(count * number.size)
        self.charge(costs.of_numbers(number, run, count))
        if count:
            self.start = self.position - number.size
        return unpack(f">{count}{number.format}", run)

    def uvarint(self) -> int:
        """An unsigned varint."""
        value, self.position = read_uvarint(self.buffer, self.position)
        return value

    def take(self, size: int) -> bytes:
        """That many bytes."""
        left = len(self.buffer) - self.position
        if size > left:
            raise CodecFailure(f"unexpected end: bytes needed: {size}, left: {left}")
        self.position += size
        return self.buffer[self.position - size : self.position]


def walk_encode(plan: Plan, message: object, version: int) -> bytes:
    """The bytes of a message. Raises ``EncodeError`` with path."""
    writer = _Writer()
    out = bytearray()
    try:
        writer.struct(plan.roots[version], message, out)
    except (error, ValueError, TypeError, AttributeError, OverflowError, BufferError) as failure:
        shown = reason(failure)
        if plan.is_sensitive:
            attributes = [name for name in writer.path if isinstance(name, str)]
            shown = part("secrets").shown_reason(failure, shown, plan.roots[version], attributes)
        raise EncodeError(plan.name, version, path_text(writer.path), shown) from None
    return bytes(out)


class _Writer:
    """The path of the current field."""

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
        if codec.primitive and codec.primitive.size:
            out += _fixed(codec.primitive, value)
            return
        match codec.kind:
            case "packed" | "upacked":
                getattr(part("varints"), f"write_{codec.kind}")(out, _integer(value), codec.bits)
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
        return index(value)
    except TypeError:
        raise WrongValue("expected an int, got {}", value) from None


def _fixed(primitive: Primitive, value: Any) -> bytes:
    """The bytes of a value of constant size."""
    if primitive.python == "UUID":
        return bytes(part("uuids").uuid_bytes(value))
    if primitive.python == "bool" and value is not True and value is not False:
        raise WrongValue("expected True or False, got {}", value)
    if primitive.python == "int":
        value = _integer(value)
    try:
        return pack(f">{primitive.format}", value)
    except error:
        reason = "expected a float, got {}" if primitive.python == "float" else f"{{}} does not fit in {primitive.name}"
        raise WrongValue(reason, value) from None
