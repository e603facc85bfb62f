"""The nodes of the tree of a JSON text, with their positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]


class Position(NamedTuple):
    """A position in a text. Lines and columns are counted from 1, and columns count characters."""

    line: int
    column: int


class JsonError(ValueError):
    """Raised for text that is not one JSON value with comments.

    ``position`` is the start of the first invalid token, ``message`` is the problem, and ``instead`` is the advice.
    """

    def __init__(self, position: Position, message: str, instead: str) -> None:
        super().__init__(f"{position.line}:{position.column}: {message}; {instead}")
        self.position = position
        self.message = message
        self.instead = instead


class Comment(NamedTuple):
    """One comment, ``//`` or ``/* */``, including these characters.

    ``position`` is its beginning. ``own_line`` is true if nothing precedes it on its line, and ``blank_before`` is true
    if an empty line directly precedes it.
    """

    text: str
    position: Position
    own_line: bool
    blank_before: bool

    @property
    def to_line_end(self) -> bool:
        """Whether nothing can follow the comment on its line."""
        return self.text.startswith("//")


@dataclass(slots=True, eq=False)
class Scalar:
    """A string, number, ``true``, ``false`` or ``null``: its value, and the text as it was written (``raw``)."""

    position: Position
    raw: str
    value: str | int | float | bool | None

    @property
    def text(self) -> str:
        """The value of a string, or any other literal as it was written."""
        return self.value if isinstance(self.value, str) else self.raw

    @property
    def end(self) -> Position:
        """The position after the last character."""
        return Position(self.position.line, self.position.column + len(self.raw))


@dataclass(slots=True, eq=False)
class Part:
    """An element of an array, or a property of an object, with its comments; only properties have a ``key``.

    ``name`` is the key's value, empty in an array. ``leading`` comments precede it, and ``trailing`` comments follow it
    on its last line. ``blank_before`` is true if an empty line directly precedes the part itself.
    """

    key: Scalar | None
    name: str
    value: Value
    leading: tuple[Comment, ...]
    trailing: tuple[Comment, ...]
    blank_before: bool

    @property
    def position(self) -> Position:
        """The position of the key, or of the value if it is in an array."""
        return self.value.position if self.key is None else self.key.position


@dataclass(slots=True, eq=False)
class Container:
    """An array or object, up to ``end``; ``inner`` are the comments before its closing bracket."""

    position: Position
    end: Position
    parts: tuple[Part, ...]
    inner: tuple[Comment, ...]


@dataclass(slots=True, eq=False)
class Array(Container):
    """An array."""

    @property
    def items(self) -> tuple[Value, ...]:
        """The elements."""
        return tuple(part.value for part in self.parts)


@dataclass(slots=True, eq=False)
class Object(Container):
    """An object; ``members`` are its properties by name. If a name is repeated, its last property counts."""

    members: dict[str, Part]


Value = Scalar | Array | Object


@dataclass(frozen=True, slots=True)
class Document:
    """The ``text`` of a document without its byte order mark, and ``root``, its only value with comments.

    ``stray`` is the position of closing brackets after the value, which one spec of Kafka 2.8 has. ``twice`` are pairs
    of properties with the same name in one object.
    """

    text: str
    root: Part
    end_comments: tuple[Comment, ...]
    stray: Position | None
    twice: tuple[tuple[Part, Part], ...]


def plain(value: Value) -> Plain:
    """Return a value in the form that ``json.loads`` returns."""
    if isinstance(value, Scalar):
        return value.value
    if isinstance(value, Array):
        return [plain(part.value) for part in value.parts]
    return {name: plain(part.value) for name, part in value.members.items()}
