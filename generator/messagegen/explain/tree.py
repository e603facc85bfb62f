"""The parts of a message as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from messagegen.runtime.base import Struct
from messagegen.runtime.plans import Codec
from messagegen.runtime.secrets import UNKNOWN_TAGS, is_hidden


class Kind(Enum):
    """The value of a node."""

    MESSAGE = "message"
    STRUCT = "struct"
    ARRAY = "array"
    VALUE = "value"
    TAG_SECTION = "tag section"
    TAG = "tag"
    UNKNOWN_TAG = "unknown tag"


def _no_nodes() -> list[Node]:
    return []


@dataclass(slots=True)
class Node:
    """A part of a message: the bytes from ``offset`` up to ``end``, its own first and then those of its ``children``.

    ``name`` is the attribute, the index or the tag, ``path`` the whole path as in errors. ``type`` is the codec as plans name
    it. The first ``prefix`` bytes are a length, a count, a mark for null, or a tag and its size. ``value`` is the Python value of
    a value, and the number of elements, of tagged fields, or of the bytes of a tag. ``is_null`` says that there is no value.
    ``attribute`` is the field that the node is, else empty. ``sensitive`` values are not shown.
    """

    kind: Kind
    name: str
    path: str
    type: str
    offset: int
    attribute: str = ""
    end: int = -1
    prefix: int = 0
    value: Any = None
    is_null: bool = False
    sensitive: bool = False
    children: list[Node] = field(default_factory=_no_nodes)

    @property
    def own_end(self) -> int:
        """Where the bytes of the node itself end and those of its children begin."""
        return self.children[0].offset if self.children else self.end

    def walk(self) -> Iterator[Node]:
        """The node and all below it, in the order of their bytes."""
        yield self
        for child in self.children:
            yield from child.walk()


def type_of(codec: Codec) -> str:
    """A codec as plans write it, with the name of a struct in place of its layout's number."""
    if codec.layout is not None:
        return codec.layout.struct.class_name + "?" * (codec.null > 0)
    if codec.element is not None:
        before, _, after = codec.text.partition("array(")
        return f"{before}array({type_of(codec.element)}){'?' * after.endswith('?')}"
    return codec.text


def mark_sensitive(node: Node, cls: type[Struct], message: Struct | None) -> None:
    """Marks the fields of a struct that are not shown; without a ``message``, every field that may be one of them.

    Where bytes end within a struct, the fields that decide, such as the name of a config, may not be known.
    """
    if not cls.SENSITIVE:
        return
    for child in node.children:
        if child.kind in (Kind.TAG_SECTION, Kind.TAG):
            mark_sensitive(child, cls, message)
        elif child.attribute in cls.SENSITIVE or child.attribute == UNKNOWN_TAGS:
            child.sensitive = not child.is_null and (message is None or is_hidden(message, child.attribute))
