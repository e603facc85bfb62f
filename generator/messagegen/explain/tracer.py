"""The reader of the reference codec, observed: it reads as always, and leaves behind a tree of what it read."""

from __future__ import annotations

from typing import Any

from messagegen.explain.tree import Kind, Node, mark_sensitive, type_of
from messagegen.runtime import ARRAY, DEFAULT_LIMITS, Limits, costs
from messagegen.runtime.counting import Counter
from messagegen.runtime.errors import CodecFailure, DecodeError, path_text, reason
from messagegen.runtime.plans import Codec, Layout, Plan
from messagegen.runtime.secrets import UNKNOWN_TAGS

_KINDS = {"struct": Kind.STRUCT, "array": Kind.ARRAY}


class Tracer(Counter):
    """Reads one message, or a number before one, and keeps a node for each part.

    ``root`` is the tree. A node joins it once its own bytes have been read, so the tree of bytes that end early is the
    beginning of the whole tree. ``read_until`` is the end of the last byte in the tree.
    """

    def __init__(self, buffer: bytes, position: int = 0, limits: Limits = DEFAULT_LIMITS) -> None:
        super().__init__(buffer, position, buffer, limits)
        self.root: Node | None = None
        self.open: list[Node] = []
        self.read_until = position

    def trace(self, plan: Plan, version: int) -> Any:
        """The message that starts here. Raises ``DecodeError``; the tree then ends before what can't be read."""
        node = self._begin(Kind.MESSAGE, f"{plan.name} version {version}", plan.name)
        try:
            message = self.decode(plan, version)
        finally:
            for each in self.open:
                each.end = self.read_until
        self._close(node)
        return message

    def trace_number(self, name: str, type_: str) -> int:
        """A number before a message: an ``int16``, an ``int32`` or a ``uvarint``. Raises ``DecodeError``."""
        self.path.append(name)
        node = self._begin(Kind.VALUE, name, type_)
        try:
            number: int = self.uvarint() if type_ == "uvarint" else super().value(Codec(type_, []))
        except (CodecFailure, IndexError) as failure:
            raise DecodeError("", -1, name, reason(failure), self.start) from None
        node.value = number
        self._close(node)
        return number

    def struct(self, layout: Layout) -> Any:
        """Puts the node of the struct into the tree, and marks the sensitive ones below it."""
        node = self.open[-1]
        self._join(node)
        message = None
        try:
            message = super().struct(layout)
        finally:
            mark_sensitive(node, layout.cls, message)
        return message

    def value(self, codec: Codec) -> Any:
        """Makes the node of a value."""
        last = self.path[-1]
        node = self._begin(_KINDS.get(codec.kind, Kind.VALUE), _name(last), type_of(codec))
        node.attribute = last if isinstance(last, str) else ""
        value = super().value(codec)
        node.is_null = value is None
        if node.kind is Kind.VALUE:
            node.value = value
        self._close(node)
        return value

    def length(self, codec: Codec) -> int | None:
        """Notes how long the prefix of a value is; an array has no other bytes of its own."""
        node = self.open[-1]
        length = super().length(codec)
        if node.kind is Kind.ARRAY:
            node.value = length
            self._join(node)
        node.prefix = self.position - node.offset
        return length

    def numbers(self, element: Codec, count: int) -> tuple[Any, ...]:
        """Reads numbers one after the other, so that each has a node."""
        self.charge((ARRAY + costs.NUMBER_PLACE * count) if count else 0)
        return tuple([self.inside(number, element) for number in range(count)])

    def tag_section(self, layout: Layout, message: Any) -> None:
        """Makes the node of a tag section."""
        node = self._begin(Kind.TAG_SECTION, "tagged fields", Kind.TAG_SECTION.value)
        super().tag_section(layout, message)
        self._close(node)

    def tag_count(self) -> int:
        """Puts the tag section into the tree."""
        node = self.open[-1]
        node.value = count = super().tag_count()
        self._join(node)
        return count

    def tag_head(self, layout: Layout) -> tuple[int, int]:
        """Makes the node of a tagged field, which the next two end."""
        node = self._begin(Kind.TAG, "tag", Kind.TAG.value)
        tag, size = super().tag_head(layout)
        node.value = size
        node.name = f"tag {tag}"
        node.prefix = self.position - node.offset
        if tag in layout.tagged:
            self._join(node)
        return tag, size

    def tagged_field(self, layout: Layout, message: Any, tag: int, size: int) -> None:
        """Ends the node of a tag whose field is in the layout."""
        node = self.open[-1]
        super().tagged_field(layout, message, tag, size)
        self._close(node)

    def unknown_tag(self, tag: int, size: int, *, first: bool) -> bytes:
        """Ends the node of any other tag."""
        node = self.open[-1]
        node.kind, node.type, node.attribute = Kind.UNKNOWN_TAG, Kind.UNKNOWN_TAG.value, UNKNOWN_TAGS
        node.value = data = super().unknown_tag(tag, size, first=first)
        self._close(node)
        return data

    def _begin(self, kind: Kind, name: str, type_: str) -> Node:
        node = Node(kind, name, path_text(self.path), type_, self.position)
        self.open.append(node)
        return node

    def _join(self, node: Node) -> None:
        """Puts a node whose own bytes have been read, up to the position, into the tree."""
        node.end = self.read_until = self.position
        if len(self.open) > 1:
            self.open[-2].children.append(node)
        else:
            self.root = node

    def _close(self, node: Node) -> None:
        """Ends a node, which is the last one that is open, at the position."""
        if node.end < 0:
            self._join(node)
        node.end = self.read_until = self.position
        self.open.pop()


def _name(part: str | int) -> str:
    return f"[{part}]" if isinstance(part, int) else part
