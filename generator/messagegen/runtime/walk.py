"""The reference codec: walks the layouts of a message field by field. It is slow and simple.

After straight-line code fails, the walk locates the field and byte of the error. Straight-line code and the native
engine are tested against the walk: if both codecs can read or write a message, their results are equal. Each kind of
value has a branch in ``Reader.value`` and one in ``Writer.value``. Loaded on first use.
"""

from __future__ import annotations

from _operator import index
from struct import calcsize, error, pack, unpack, unpack_from

from . import part
from .errors import DEFAULT_LIMITS, Budget, CodecFailure, DecodeError, EncodeError, WrongValue, is_a
from .plan import PRIMITIVES, check_guarded
from .wire import (
    HIGHEST_TAG,
    LONGEST_STRING,
    SeenTags,
    array_of,
    bytes_of,
    check_instance,
    no_tags,
    raw_tags,
    read_uvarint,
    utf8,
    write_tags,
    write_uvarint,
    wrong_tag,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .errors import Limits
    from .plan import Codec, Layout, Plan

_UUID_SIZE = 16
_INT8_NULL = 0x7F
"""The mark before a nullable struct is an int8.

A negative mark, which is a byte above this, means null (KIP-893).
"""
_MARK_OF_NULL = {1: b"\xff", 2: b"\x00"}
"""The bytes of a null struct, by ``Codec.null``: an int8, or a varint in a tag section."""
_MARK_OF_STRUCT = 1
_LONGEST_REASON = 1000
"""The maximum length of a reason. The text of an exception that a value raises may have any length."""


def walk_decode(
    plan: Plan,
    buffer: bytes,
    offset: int,
    version: int,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Any, int]:
    """Read a message at ``offset``; return it and the offset after it.

    Raises ``DecodeError`` with the field path and the offset.
    """
    reader = Reader(buffer, offset, limits)
    return reader.decode(plan, version), reader.position


class Reader:
    """A position in a buffer, the path of the field at that position, and ``start``, where that field starts.

    A subclass can observe each step: every method reads one thing at ``position`` and advances it.
    """

    def __init__(self, buffer: bytes, position: int, limits: Limits) -> None:
        self.buffer = buffer
        self.position = position
        self.start = position
        self.path: list[str | int] = []
        self.budget = Budget(limits, len(buffer) - position)

    def decode(self, plan: Plan, version: int) -> Any:
        """Read the message that starts at ``position``. Raises ``DecodeError`` with the field path and the offset."""
        begin = self.position
        try:
            message = self.struct(plan.roots[version])
            self.start = begin
            self.budget.finish(self.position - begin)
        except (CodecFailure, IndexError, error, UnicodeDecodeError) as failure:
            located = DecodeError(plan.name, version, path_text(self.path), reason(failure), self.start)
        else:
            return message
        # Outside of the except block: the context of an error must not contain a secret.
        raise located

    def struct(self, layout: Layout) -> Any:
        """Read the fields of a struct and its tag section."""
        message = layout.cls()
        for field, codec in layout.steps:
            setattr(message, field.attribute, self.inside(field.attribute, codec))
        if layout.flexible:
            self.tag_section(layout, message)
        return message

    def inside(self, place: str | int, codec: Codec) -> Any:
        """Read the value of a field or an array element; ``place`` is its attribute or index."""
        self.path.append(place)
        self.start = self.position
        value = self.value(codec)
        self.path.pop()
        return value

    def value(self, codec: Codec) -> Any:
        """Read the value of a field or an array element."""
        match codec.kind:
            case "struct":
                return self.marked_struct(codec)
            case "array":
                return self.array(codec)
            case "string":
                length = self.length(codec)
                return None if length is None else self.take(length).decode()
            case "bytes" | "records":
                length = self.length(codec)
                return None if length is None else self.take(length)
            case "uuid":
                return part("uuids").uuid_of(self.take(_UUID_SIZE))
            case "packed":
                value, self.position = part("varints").read_packed(self.buffer, self.position, codec.bits)
                return value
            case "upacked":
                value, self.position = part("varints").read_upacked(self.buffer, self.position, codec.bits)
                return value
            case _:
                return unpack(f">{codec.format}", self.take(calcsize(codec.format)))[0]

    def marked_struct(self, codec: Codec) -> Any:
        """Read a struct. If the codec allows null, a mark in front of it distinguishes null from a struct."""
        assert codec.layout is not None
        if codec.null == 1 and self.take(1)[0] > _INT8_NULL:
            return None
        if codec.null == 2 and self.uvarint() == 0:
            return None
        return self.struct(codec.layout)

    def array(self, codec: Codec) -> tuple[Any, ...] | None:
        """Read an array. All elements are charged before the first one is created."""
        assert codec.element is not None
        count = self.length(codec)
        if count is None:
            return None
        self.budget.take_array(count, codec.charge)
        if codec.element.format:
            return self.numbers(codec.element, count)
        return tuple([self.inside(number, codec.element) for number in range(count)])

    def numbers(self, element: Codec, count: int) -> tuple[Any, ...]:
        """Read all elements of an array of numbers in one step: a list would take more memory than was charged."""
        size = calcsize(element.format)
        complete = (len(self.buffer) - self.position) // size
        if count > complete:
            self.position += complete * size
            self.inside(complete, element)  # Raises, because this element is cut off.
        numbers = unpack_from(f">{count}{element.format}", self.buffer, self.position)
        self.position += count * size
        if count:
            self.start = self.position - size
        return numbers

    def length(self, codec: Codec) -> int | None:
        """Read a length or count that fits in the remaining bytes; ``None`` means null."""
        if codec.compact:
            length = self.uvarint() - 1
        else:
            length = int.from_bytes(self.take(codec.length_size), "big", signed=True)
        if length < 0:
            if not codec.null:
                raise CodecFailure("null is not allowed here")
            return None
        if codec.kind == "string" and length > LONGEST_STRING:
            raise CodecFailure(f"a string has at most {LONGEST_STRING} bytes, not {length}")
        left = len(self.buffer) - self.position
        if length > left:
            raise _too_many("elements" if codec.kind == "array" else "bytes", length, left)
        return length

    def tag_section(self, layout: Layout, message: Any) -> None:
        """Read the tagged fields of a struct into ``message``."""
        self.start = self.position
        unknown: list[tuple[int, bytes]] = []
        count = self.tag_count(layout)
        seen = SeenTags(self.buffer, self.position)
        for _ in range(count):
            tag, size = self.tag_head(layout)
            if not seen.add(tag):
                if tag in layout.tagged:
                    self.path.append(layout.tagged[tag][0].attribute)
                raise CodecFailure(f"tag {tag} comes twice")
            if tag in layout.tagged:
                self.known_tag(layout, message, tag, size)
            else:
                unknown.append((tag, self.unknown_tag(tag, size)))
        message.unknown_tagged_fields = tuple(unknown)

    def tag_count(self, layout: Layout) -> int:
        """Read the number of tagged fields, and charge them all."""
        count = self.uvarint()
        left = len(self.buffer) - self.position
        if count > left:
            raise _too_many("tagged fields", count, left)
        self.budget.take_tags(count, layout.tag_charge)
        return count

    def tag_head(self, layout: Layout) -> tuple[int, int]:
        """Read the number of a tag, and the number of bytes of its value."""
        self.start = self.position
        tag = self.uvarint()
        size = self.uvarint()
        if tag > HIGHEST_TAG:
            raise wrong_tag(tag)
        if tag in layout.foreign:
            raise CodecFailure(f"tag {tag} is not valid in this version")
        return tag, size

    def known_tag(self, layout: Layout, message: Any, tag: int, size: int) -> None:
        """Read a tagged field of the layout into ``message``. The field must have the declared size."""
        field, codec = layout.tagged[tag]
        end = self.position + size
        setattr(message, field.attribute, self.inside(field.attribute, codec))
        if self.position != end:
            self.path.append(field.attribute)
            raise CodecFailure(f"tag {tag} has {size} bytes, but its value has {size + self.position - end}")

    def unknown_tag(self, tag: int, size: int) -> bytes:  # noqa: ARG002 - subclasses name the tag
        """Read the bytes of a tagged field that is not in the layout."""
        return self.take(size)

    def uvarint(self) -> int:
        """Read an unsigned varint."""
        value, self.position = read_uvarint(self.buffer, self.position)
        return value

    def take(self, size: int) -> bytes:
        """Read ``size`` bytes."""
        left = len(self.buffer) - self.position
        if size > left:
            raise CodecFailure(f"the bytes end early: {size} needed, {left} left")
        self.position += size
        return self.buffer[self.position - size : self.position]


def _too_many(what: str, count: int, left: int) -> CodecFailure:
    """Return the error for more elements or fields than remaining bytes. The usual cause is a wrong version."""
    return CodecFailure(f"invalid number of {what}, {count}; bytes left: {left}; is this the right version?")


def walk_encode(plan: Plan, message: object, version: int) -> bytes:
    """Return the bytes of a message. Raises ``EncodeError`` with the field path."""
    writer = Writer()
    root = plan.roots[version]
    out = bytearray()
    try:
        writer.struct(root, message, out)
    except (error, ValueError, TypeError, AttributeError, OverflowError, BufferError) as failure:
        shown = reason(failure)
        if plan.is_sensitive:
            attributes = [name for name in writer.path if isinstance(name, str)]
            shown = part("secrets").shown_reason(failure, shown, root, attributes)
        located = EncodeError(plan.name, version, path_text(writer.path), shown)
    else:
        return bytes(out)
    # Outside of the except block: the context of an error must not contain a secret.
    raise located


class Writer:
    """Appends values to bytes. ``path`` is the path of the current field, for errors."""

    def __init__(self) -> None:
        self.path: list[str | int] = []

    def struct(self, layout: Layout, message: Any, out: bytearray) -> None:
        """Append the fields of a struct and its tag section."""
        check_instance(message, layout.cls)
        for field in layout.guarded:
            check_guarded(field, self.enter(message, field.attribute))
            self.path.pop()
        for field, codec in layout.steps:
            self.value(codec, self.enter(message, field.attribute), out)
            self.path.pop()
        self.tag_section(layout, message, out)

    def enter(self, message: Any, attribute: str) -> Any:
        """Return the value of an attribute, and append the attribute to the path."""
        self.path.append(attribute)
        try:
            return getattr(message, attribute)
        except AttributeError:
            raise CodecFailure("the field was never set") from None

    def value(self, codec: Codec, value: Any, out: bytearray) -> None:
        """Append the value of a field or an array element."""
        match codec.kind:
            case "struct":
                self.marked_struct(codec, value, out)
            case "array" | "string" | "bytes" | "records" if value is None:
                self.length(codec, None, out)
            case "array":
                self.array(codec, value, out)
            case "string":
                self.sized(codec, _text(value), out)
            case "bytes" | "records":
                self.sized(codec, bytes_of(value), out)
            case "uuid":
                part("uuids").write_uuid(out, value)
            case "packed":
                part("varints").write_packed(out, _integer(value), codec.bits)
            case "upacked":
                part("varints").write_upacked(out, _integer(value), codec.bits)
            case _:
                out += _number(codec, value)

    def marked_struct(self, codec: Codec, value: Any, out: bytearray) -> None:
        """Append a struct. If the codec allows null, a mark in front of it distinguishes null from a struct."""
        assert codec.layout is not None
        if value is None and codec.null:
            out += _MARK_OF_NULL[codec.null]
            return
        if codec.null:
            out.append(_MARK_OF_STRUCT)
        self.struct(codec.layout, value, out)

    def array(self, codec: Codec, value: Any, out: bytearray) -> None:
        """Append the number of elements, then the elements."""
        assert codec.element is not None
        items = array_of(value)
        self.length(codec, len(items), out)
        for number, item in enumerate(items):
            self.path.append(number)
            self.value(codec.element, item, out)
            self.path.pop()

    def sized(self, codec: Codec, data: Any, out: bytearray) -> None:
        """Append a length, then the bytes."""
        self.length(codec, len(data), out)
        out += data

    def length(self, codec: Codec, length: int | None, out: bytearray) -> None:
        """Append a length or count; ``None`` means null."""
        if length is None and not codec.null:
            raise CodecFailure("null is not allowed here")
        number = -1 if length is None else length
        if codec.compact:
            write_uvarint(out, number + 1)
        else:
            out += number.to_bytes(codec.length_size, "big", signed=True)

    def tag_section(self, layout: Layout, message: Any, out: bytearray) -> None:
        """Append the tagged fields of a struct, if its layout has a tag section."""
        unknown = self.enter(message, "unknown_tagged_fields")
        if not layout.flexible:
            no_tags(unknown)
            self.path.pop()
            return
        tags = raw_tags(unknown, (*layout.tagged, *layout.foreign))
        self.path.pop()
        tags += self.known_tags(layout, message)
        self.path.append("unknown_tagged_fields")
        write_tags(out, tags)
        self.path.pop()

    def known_tags(self, layout: Layout, message: Any) -> list[tuple[int, bytes]]:
        """Return the tags of a struct's fields that differ from their defaults, with the bytes of their values."""
        fields: list[tuple[int, bytes]] = []
        for tag, (field, codec) in layout.tagged.items():
            value = self.enter(message, field.attribute)
            if not field.is_default(value):
                data = bytearray()
                self.value(codec, value, data)
                fields.append((tag, bytes(data)))
            self.path.pop()
        return fields


def _text(value: Any) -> bytes:
    """Return the UTF-8 of a string. Raises ``CodecFailure`` if the value is not a string or is too long."""
    if not is_a(value, str):
        raise WrongValue("expected a str, got {}", value)
    data: bytes = utf8(value)
    if len(data) > LONGEST_STRING:
        raise CodecFailure(f"a string has at most {LONGEST_STRING} bytes of UTF-8, not {len(data)}")
    return data


def _integer(value: Any) -> int:
    """Return a value as an int. Raises ``CodecFailure``."""
    try:
        return index(value)
    except TypeError:
        raise WrongValue("expected an int, got {}", value) from None


def _number(codec: Codec, value: Any) -> bytes:
    """Return the bytes of a number of constant size.

    Raises ``CodecFailure`` for a value of the wrong type, or for a number that does not fit.
    """
    python = PRIMITIVES[codec.kind].python
    if python == "bool" and value is not True and value is not False:
        raise WrongValue("expected True or False, got {}", value)
    if python == "int":
        number = _integer(value)
        wrong = f"{{}} does not fit in {codec.kind}"
    else:
        number = value
        wrong = "expected a float, got {}"
    try:
        return pack(f">{codec.format}", number)
    except error:
        raise WrongValue(wrong, value) from None


def path_text(parts: list[str | int]) -> str:
    """Return a path of attributes and indexes, such as ``topics[3].name``."""
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in parts).removeprefix(".")


def reason(failure: Exception) -> str:
    """Return the reason to report for an exception."""
    if isinstance(failure, UnicodeDecodeError):
        return f"the string is not UTF-8 at its byte {failure.start}"
    if isinstance(failure, UnicodeEncodeError):
        return f"the string can't be written as UTF-8: character {failure.start} is a lone surrogate"
    if isinstance(failure, IndexError):
        return "the bytes end early"
    return str(failure)[:_LONGEST_REASON]
