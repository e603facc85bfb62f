"""A subclass of the reference codec's reader that also records each part that it reads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from messagegen.console.text import count
from messagegen.runtime.errors import DEFAULT_LIMITS
from messagegen.runtime.plan import Codec, Layout, Plan
from messagegen.runtime.secrets import UNKNOWN_TAGS, is_hidden
from messagegen.runtime.walk import Reader

_NULL: Final = "null"


@dataclass(slots=True)
class Part:
    """A part of a message. Its own bytes are between ``offset`` and ``end``.

    The parts inside it come next, with a ``depth`` that is higher by 1. ``name`` is the attribute, the index or the
    tag; ``type`` is the codec as in plan texts; ``value`` is the value as text. ``struct`` is the index of the part
    whose struct has this part as its ``attribute``. The bytes of a ``hidden`` part are not shown. Its value is shown
    only if ``value_shown`` is true.
    """

    name: str
    depth: int
    type: str
    offset: int
    struct: int = -1
    attribute: str = ""
    end: int | None = None
    value: str = ""
    hidden: bool = False
    value_shown: bool = False


class Tracer(Reader):
    """A reader of one message that appends to ``parts``; if the bytes end early, the last parts are missing."""

    def __init__(self, buffer: bytes, position: int, parts: list[Part], *, sensitive: bool) -> None:
        super().__init__(buffer, position, DEFAULT_LIMITS)
        self.parts = parts
        self.sensitive = sensitive
        self.depth = 0
        self.owner = -1
        """The index of the part whose struct is being read."""

    def trace(self, plan: Plan, version: int) -> Any:
        """Return the message at the current position.

        Raises ``DecodeError`` if it is malformed. The parts before the error are kept.
        """
        self._begin(f"{plan.name} version {version}", "")
        self.depth += 1
        try:
            return self.decode(plan, version)
        finally:
            if self.parts[-1].end is None:
                self.parts.pop()

    def struct(self, layout: Layout) -> Any:
        """Read a struct, end its own part, and hide its sensitive fields after all fields were read."""
        self._end()
        struct = len(self.parts) - 1
        message = None
        outer = self.owner
        self.owner = struct
        try:
            message = super().struct(layout)
        finally:
            self.owner = outer
            if layout.cls.SENSITIVE and not self.sensitive:
                self._hide(struct, layout, message)
        return message

    def value(self, codec: Codec) -> Any:
        """Read a value and add its part. Numbers in an array have no parts of their own."""
        last = self.path[-1]
        if isinstance(last, int) and _is_number(codec):
            return super().value(codec)
        part = self._begin(f"[{last}]" if isinstance(last, int) else last, _type_of(codec))
        part.attribute = last if isinstance(last, str) else ""
        self.depth += 1
        value = super().value(codec)
        self.depth -= 1
        if value is None or _is_shown_whole(codec, value):
            part.value = _text(value)
        self._end()
        return value

    def length(self, codec: Codec) -> int | None:
        """Read a length. For an array, also end its part: each element has its own part."""
        length = super().length(codec)
        if codec.kind == "array" and length is not None:
            self._end(count(length, "element"))
        return length

    def tag_count(self, layout: Layout) -> int:
        """Read the count of a tag section and add its part."""
        self._begin("tagged fields", "tag section")
        tags = super().tag_count(layout)
        self._end(count(tags, "tagged field"))
        return tags

    def tag_head(self, layout: Layout) -> tuple[int, int]:
        """Read a tag and the size of its field, and add a part for both. The field itself comes next."""
        part = self._begin("tag", "tag")
        tag, size = super().tag_head(layout)
        part.name = f"tag {tag}"
        self._end(count(size, "byte"))
        return tag, size

    def unknown_tag(self, tag: int, size: int) -> bytes:
        """Read a tagged field that is not in the layout, and add its part."""
        self._begin(f"unknown tag {tag}", "bytes").attribute = UNKNOWN_TAGS
        data = super().unknown_tag(tag, size)
        self._end(_text(data))
        return data

    def _begin(self, name: str, type_: str) -> Part:
        part = Part(name, self.depth, type_, self.position, self.owner)
        self.parts.append(part)
        return part

    def _end(self, value: str = "") -> None:
        """End the last part at the current position."""
        self.parts[-1].end = self.position
        self.parts[-1].value = value or self.parts[-1].value

    def _hide(self, struct: int, layout: Layout, message: Any) -> None:
        """Hide sensitive fields of a struct, each as one part.

        If ``message`` is ``None``, hide all fields that may be sensitive: the bytes ended within the struct, so the
        fields that decide, such as the name of a config, may be unknown.
        """
        inside = self.parts[struct + 1 :]
        del self.parts[struct + 1 :]
        for part in inside:
            last = self.parts[-1]
            if last.hidden and part.depth > last.depth:
                last.end = last.end if part.end is None else part.end
                continue
            self.parts.append(part)
            is_sensitive = part.attribute in layout.cls.SENSITIVE or part.attribute == UNKNOWN_TAGS
            if part.struct == struct and is_sensitive and part.value != _NULL:
                part.hidden = message is None or is_hidden(message, part.attribute)


def _is_number(codec: Codec) -> bool:
    return codec.bits > 0 or bool(codec.format)


def _is_shown_whole(codec: Codec, value: Any) -> bool:
    """Whether a value is shown as one part: a single value, or a non-empty array of numbers."""
    if codec.element is not None:
        return bool(value) and _is_number(codec.element)
    return codec.layout is None


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return count(len(value), "byte")
    return str(value) if isinstance(value, UUID) else json.dumps(value, ensure_ascii=False)


def _type_of(codec: Codec) -> str:
    """Return a codec as in plan texts, but with the name of a struct in place of its layout number."""
    if codec.layout is not None:
        name: str = codec.layout.struct.class_name
        return f"{name}?" if codec.null > 0 else name
    if codec.element is not None:
        before, _, after = codec.text.partition("array(")
        array = f"{before}array({_type_of(codec.element)})"
        return f"{array}?" if after.endswith("?") else array
    return codec.text
