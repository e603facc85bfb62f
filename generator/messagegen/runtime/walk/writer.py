"""Writes a message using its plan."""

from __future__ import annotations

from _operator import index
from struct import error, pack

from ..errors import CodecFailure, EncodeError, WrongValue, is_a
from ..secrets import shown_reason
from ..varints import write_packed, write_upacked, write_uvarint
from ..wire import LONGEST_STRING, array_of, bytes_of, check_instance, no_tags, raw_tags, utf8, write_tags
from .failures import path_text, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..plans import Codec, Layout, Plan
    from ..primitives import Primitive


def walk_encode(plan: Plan, message: object, version: int) -> bytes:
    """The bytes of a message. Raises ``EncodeError`` with path."""
    writer = _Writer()
    out = bytearray()
    try:
        writer.struct(plan.roots[version], message, out)
    except (error, ValueError, TypeError, AttributeError, OverflowError, BufferError) as failure:
        attributes = [part for part in writer.path if isinstance(part, str)]
        shown = shown_reason(failure, reason(failure), plan.roots[version], attributes)
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
        return index(value)
    except TypeError:
        raise WrongValue("expected an int, got {}", value) from None


def _fixed(primitive: Primitive, value: Any) -> bytes:
    """The bytes of a value of constant size."""
    if primitive.python == "UUID":
        from ..uuids import uuid_bytes

        return bytes(uuid_bytes(value))
    if primitive.python == "bool" and value is not True and value is not False:
        raise WrongValue("expected True or False, got {}", value)
    if primitive.python == "int":
        value = _integer(value)
    try:
        return pack(f">{primitive.format}", value)
    except error:
        reason = "expected a float, got {}" if primitive.python == "float" else f"{{}} does not fit in {primitive.name}"
        raise WrongValue(reason, value) from None
