"""The reader of the reference codec, observed: it reads as always, and notes each part that it reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from messagegen.runtime import Limits
from messagegen.runtime.counting import Counter
from messagegen.runtime.errors import CodecFailure, DecodeError, path_text, reason
from messagegen.runtime.secrets import UNKNOWN_TAGS, is_hidden
from messagegen.runtime.walk import Codec, Layout, Plan


@dataclass(slots=True)
class Part:
    """A part of a message: its bytes begin at ``offset`` and end where the next part begins; those inside it follow, one ``depth`` further in.

    ``name`` is the attribute, the index or the tag, ``path`` the whole path as in errors. ``type`` is the codec as plans name
    it. The first ``prefix`` bytes are a length, a count, a mark for null, or a tag and its size. ``value`` is the value in Python, or
    how many there are of what ``counted`` says; ``counted`` is ``None`` for a part that is only the parts inside it. ``struct`` is the
    place of the struct that has the part as its ``attribute``. What is ``hidden`` is not shown, nor are the parts inside it.
    """

    name: str
    depth: int
    path: str
    type: str
    offset: int
    struct: int
    attribute: str = ""
    prefix: int = 0
    value: Any = None
    counted: str | None = None
    hidden: bool = False


class Tracer(Counter):
    """Reads one message, or a number before one, and appends to ``parts``.

    The parts of bytes that end early are the first ones of all. ``end`` is the end of the last byte in them.
    """

    def __init__(self, buffer: bytes, position: int, limits: Limits, parts: list[Part], *, sensitive: bool) -> None:
        super().__init__(buffer, position, limits)
        self.parts, self.end, self.sensitive = parts, position, sensitive
        self.depth, self.owner = 0, -1
        self.is_open = False

    def trace(self, plan: Plan, version: int) -> Any:
        """The message that starts here. Raises ``DecodeError``; the parts then end before what can't be read."""
        self._begin(f"{plan.name} version {version}", "")
        self.depth += 1
        try:
            return self.decode(plan, version)
        finally:
            if self.is_open:
                self.parts.pop()

    def trace_number(self, name: str, type_: str) -> int:
        """A number before a message. Raises ``DecodeError``."""
        part = self._begin(name, type_)
        try:
            part.value = self.uvarint() if type_ == "uvarint" else super().value(Codec(type_, []))
            part.counted = ""
        except (CodecFailure, IndexError) as failure:
            self.parts.pop()
            raise DecodeError("", -1, name, reason(failure), self.start) from None
        self._end()
        return int(part.value)

    def struct(self, layout: Layout) -> Any:
        """Ends the bytes of the struct itself, and decides what is hidden once its fields are known."""
        self._end()
        outer, self.owner = self.owner, len(self.parts) - 1
        struct, message = self.owner, None
        try:
            message = super().struct(layout)
        finally:
            self.owner = outer
            if layout.cls.SENSITIVE and not self.sensitive:
                self._hide(struct, layout, message)
        return message

    def value(self, codec: Codec) -> Any:
        """Makes the part of a value; numbers in an array are one part."""
        last = self.path[-1]
        if isinstance(last, int) and _is_number(codec):
            return super().value(codec)
        part = self._begin(f"[{last}]" if isinstance(last, int) else last, _type_of(codec))
        part.attribute = last if isinstance(last, str) else ""
        self.depth += 1
        value = super().value(codec)
        self.depth -= 1
        if value is None or (codec.layout is None and (codec.element is None or (value and _is_number(codec.element)))):
            part.value, part.counted = value, ""
        self._end()
        return value

    def length(self, codec: Codec) -> int | None:
        """Notes how long the prefix of a value is; an array has no other bytes of its own."""
        part = self.parts[-1]
        length = super().length(codec)
        part.prefix = self.position - part.offset
        if codec.kind == "array":
            part.value, part.counted = length, "element"
            self._end()
        return length

    def tag_section(self, layout: Layout, message: Any) -> None:
        """Makes the part of a tag section."""
        self._begin("tagged fields", "tag section")
        self.depth += 1
        super().tag_section(layout, message)
        self.depth -= 1

    def tag_count(self) -> int:
        """Ends the bytes of the tag section itself."""
        count = super().tag_count()
        self.parts[-1].value, self.parts[-1].counted = count, "tagged field"
        self._end()
        return count

    def tag_head(self, layout: Layout) -> tuple[int, int]:
        """Makes the part of a tag; that of an unknown one has its bytes, too."""
        part = self._begin("tag", "tag")
        tag, size = super().tag_head(layout)
        part.name, part.value, part.counted = f"tag {tag}", size, "byte"
        part.prefix = self.position - part.offset
        if tag in layout.tagged:
            self._end()
        return tag, size

    def tagged_field(self, layout: Layout, message: Any, tag: int, size: int) -> None:
        """Puts the field into its tag."""
        self.depth += 1
        super().tagged_field(layout, message, tag, size)
        self.depth -= 1

    def unknown_tag(self, tag: int, size: int, *, first: bool) -> bytes:
        """Ends the part of a tag that is not in the layout."""
        part = self.parts[-1]
        part.type, part.attribute = "unknown tag", UNKNOWN_TAGS
        part.value, part.counted = super().unknown_tag(tag, size, first=first), ""
        self._end()
        return bytes(part.value)

    def _begin(self, name: str, type_: str) -> Part:
        part = Part(name, self.depth, path_text(self.path), type_, self.position, self.owner)
        self.parts.append(part)
        self.is_open = True
        return part

    def _end(self) -> None:
        """The bytes of the last part have been read, up to the position."""
        self.end, self.is_open = self.position, False

    def _hide(self, struct: int, layout: Layout, message: Any) -> None:
        """Hides sensitive fields of a struct; without a ``message``, every field that may be one of them.

        Where bytes end within a struct, the fields that decide, such as the name of a config, may not be known.
        """
        for part in self.parts[struct + 1 :]:
            if part.struct == struct and part.attribute in (*layout.cls.SENSITIVE, UNKNOWN_TAGS):
                is_null = part.value is None and part.counted == ""
                part.hidden = not is_null and (message is None or is_hidden(message, part.attribute))


def _is_number(codec: Codec) -> bool:
    return codec.bits > 0 or bool(codec.format)


def _type_of(codec: Codec) -> str:
    """A codec as plans write it, with the name of a struct in place of its layout's number."""
    if codec.layout is not None:
        return codec.layout.struct.class_name + "?" * (codec.null > 0)
    if codec.element is not None:
        before, _, after = codec.text.partition("array(")
        return f"{before}array({_type_of(codec.element)}){'?' * after.endswith('?')}"
    return codec.text
