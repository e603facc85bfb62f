"""The nodes of the tree, with positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]


class Position(NamedTuple):
    """A position in a text: line and column start at 1, columns count characters."""

    line: int
    column: int


class JsonError(ValueError):
    """Raised for text that is not one JSON value with comments.

    ``position`` is the first invalid token, ``message`` the problem and ``instead`` the advice.
    """

    def __init__(self, position: Position, message: str, instead: str) -> None:
        super().__init__(f"{position.line}:{position.column}: {message}; {instead}")
        self.position = position
        self.message = message
        self.instead = instead


class Comment(NamedTuple):
    """One comment, ``//`` or ``/* */``, with its marks.

    ``position`` is its beginning. ``own_line`` is true if it is first on its line, ``blank_before`` if an empty line
    directly precedes it.
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
    """A string, number, ``true``, ``false`` or ``null``: its value, and as written (``raw``)."""

    position: Position
    raw: str
    value: str | int | float | bool | None

    @property
    def text(self) -> str:
        """The value of a string, or another literal as written."""
        return self.value if isinstance(self.value, str) else self.raw

    @property
    def end(self) -> Position:
        """The position of the next character."""
        return Position(self.position.line, self.position.column + len(self.raw))


@dataclass(slots=True, eq=False)
class Part:
    """An element of an array, or a property of an object, with its comments; only properties have a ``key``.

    ``name`` is the key's value, empty in an array. ``leading`` comments are before it, ``trailing`` comments after it
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
        """The position of its key, or of its value in an array."""
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
    """An object; ``members`` are its properties by name, the last one of each name."""

    members: dict[str, Part]


Value = Scalar | Array | Object


@dataclass(frozen=True, slots=True)
class Document:
    """A text, without byte order mark, and its only value with the comments around it.

    ``stray`` is the position of closing brackets after the value, which one spec of Kafka 2.8 has. ``twice`` are pairs
    of properties with the same name in one object.
    """

    text: str
    root: Part
    end_comments: tuple[Comment, ...]
    stray: Position | None
    twice: tuple[tuple[Part, Part], ...]


def plain(value: Value) -> Plain:
    """Return a value as ``json.loads`` does."""
    if isinstance(value, Scalar):
        return value.value
    if isinstance(value, Array):
        return [plain(part.value) for part in value.parts]
    return {name: plain(part.value) for name, part in value.members.items()}
