"""Writes a message by its plan, and knows at any time which field it writes."""

from __future__ import annotations

from _operator import index
from struct import error, pack

from .. import part
from ..errors import CodecFailure, EncodeError, WrongValue, is_a
from ..plan import check_guarded
from ..primitives import PRIMITIVES
from ..wire import (
    LONGEST_STRING,
    array_of,
    bytes_of,
    check_instance,
    no_tags,
    raw_tags,
    utf8,
    write_tags,
    write_uvarint,
)
from .failures import path_text, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..plan import Codec, Layout, Plan

_MARK_OF_NULL = {1: b"\xff", 2: b"\x00"}
"""What stands for a null struct, by ``Codec.null``: an int8, or a varint in a tag section."""
_MARK_OF_STRUCT = 1


def walk_encode(plan: Plan, message: object, version: int) -> bytes:
    """The bytes of a message. Raises ``EncodeError`` with path."""
    writer = Writer()
    root = plan.roots[version]
    out = bytearray()
    try:
        writer.struct(root, message, out)
    except (error, ValueError, TypeError, AttributeError, OverflowError, BufferError) as failure:
        shown = reason(failure)
        if any(layout.cls.SENSITIVE for layout in plan.layouts):
            attributes = [name for name in writer.path if isinstance(name, str)]
            shown = part("secrets").shown_reason(failure, shown, root, attributes)
        raise EncodeError(plan.name, version, path_text(writer.path), shown) from None
    return bytes(out)


class Writer:
    """The path of the current field; each method appends one thing to the bytes."""

    def __init__(self) -> None:
        self.path: list[str | int] = []

    def struct(self, layout: Layout, message: Any, out: bytearray) -> None:
        """Appends the fields of a struct and its tag section."""
        check_instance(message, layout.cls)
        for field in layout.guarded:
            check_guarded(field, self.enter(message, field.attribute))
            self.path.pop()
        for field, codec in layout.steps:
            self.value(codec, self.enter(message, field.attribute), out)
            self.path.pop()
        self.tag_section(layout, message, out)

    def enter(self, message: Any, attribute: str) -> Any:
        """The value of an attribute, which is now the end of the path."""
        self.path.append(attribute)
        try:
            return getattr(message, attribute)
        except AttributeError:
            raise CodecFailure("the field was never set") from None

    def value(self, codec: Codec, value: Any, out: bytearray) -> None:
        """Appends a value of a field or of an element."""
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
        """Appends a struct, after a mark that says whether it is null if the codec allows that."""
        assert codec.layout is not None
        if value is None and codec.null:
            out += _MARK_OF_NULL[codec.null]
            return
        if codec.null:
            out.append(_MARK_OF_STRUCT)
        self.struct(codec.layout, value, out)

    def array(self, codec: Codec, value: Any, out: bytearray) -> None:
        """Appends the number of elements, then the elements."""
        assert codec.element is not None
        items = array_of(value)
        self.length(codec, len(items), out)
        for number, item in enumerate(items):
            self.path.append(number)
            self.value(codec.element, item, out)
            self.path.pop()

    def sized(self, codec: Codec, data: Any, out: bytearray) -> None:
        """Appends a length, then that many bytes."""
        self.length(codec, len(data), out)
        out += data

    def length(self, codec: Codec, length: int | None, out: bytearray) -> None:
        """Appends a length or count; ``None`` means null."""
        if length is None and not codec.null:
            raise CodecFailure("null is not allowed here")
        number = -1 if length is None else length
        if codec.compact:
            write_uvarint(out, number + 1)
        else:
            out += number.to_bytes(codec.length_size, "big", signed=True)

    def tag_section(self, layout: Layout, message: Any, out: bytearray) -> None:
        """Appends the tagged fields of a struct, if its layout has a tag section."""
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
        """The tagged fields of a struct that are not their default, with their bytes."""
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
    """The UTF-8 of a string. Raises ``CodecFailure`` for anything else, and for a long one."""
    if not is_a(value, str):
        raise WrongValue("expected a str, got {}", value)
    data: bytes = utf8(value)
    if len(data) > LONGEST_STRING:
        raise CodecFailure(f"a string has at most {LONGEST_STRING} bytes of UTF-8, not {len(data)}")
    return data


def _integer(value: Any) -> int:
    """A value as an int. Raises ``CodecFailure``."""
    try:
        return index(value)
    except TypeError:
        raise WrongValue("expected an int, got {}", value) from None


def _number(codec: Codec, value: Any) -> bytes:
    """The bytes of a number of constant size.

    Raises ``CodecFailure`` for another type, or for a number that does not fit.
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
