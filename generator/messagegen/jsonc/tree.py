"""The nodes of the tree; all offsets count characters of the text, lines and columns start at 1."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]


class Position(NamedTuple):
    """A position in a text: line and column start at 1, columns count characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment, ``//`` or ``/* */``, with its marks.

    ``own_line`` says whether it is the first thing on its line, ``blank_before`` whether an empty line directly precedes it.
    """

    start: int
    text: str
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
    start: int
    end: int
    raw: str
    value: str | int | float | bool | None

    @property
    def text(self) -> str:
        """The value of a string, or another literal as written."""
        return self.value if isinstance(self.value, str) else self.raw


@dataclass(slots=True, eq=False)
class Part:
    """An element of an array, or a property of an object, which has a ``key``; with the comments that belong to it.

    ``name`` is the key's value, empty in an array. ``leading`` comments are before it, ``trailing`` ones after it on its
    last line. ``blank_before`` says whether an empty line directly precedes the part itself.
    """

    key: Scalar | None
    name: str
    value: Value
    leading: tuple[Comment, ...]
    trailing: tuple[Comment, ...]
    blank_before: bool

    @property
    def start(self) -> int:
        """Where the part begins, without its comments."""
        return self.value.start if self.key is None else self.key.start

    @property
    def position(self) -> Position:
        """The position of its key, or of its value in an array."""
        return self.value.position if self.key is None else self.key.position


@dataclass(slots=True, eq=False)
class Container:
    """An array or object; ``inner`` are the comments before its closing bracket."""

    position: Position
    start: int
    end: int
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
    """An object; ``members`` are its properties by name: of one that is written twice the last one counts."""

    members: dict[str, Part]


Value = Scalar | Array | Object


@dataclass(frozen=True, slots=True)
class Document:
    """A text, without byte order mark, and the one value that it holds with the comments around it.

    ``stray`` is the offset of closing brackets after the value, which one spec of Kafka 2.8 has. ``twice`` says whether an
    object has a property twice.
    """

    text: str
    root: Part
    end_comments: tuple[Comment, ...] = ()
    stray: int | None = None
    twice: bool = False
    _starts: list[int] = field(default_factory=list[int], compare=False, repr=False)

    def position(self, offset: int) -> Position:
        """Line and column of an offset."""
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1)

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column."""
        return self._line_starts()[line - 1] + column - 1

    def _line_starts(self) -> list[int]:
        if not self._starts:
            self._starts.extend([0, *(match.end() for match in re.finditer("\n", self.text))])
        return self._starts

    def comments(self) -> Iterator[Comment]:
        """All comments in the order of the text."""
        yield from _comments(self.root)
        yield from self.end_comments


def plain(value: Value) -> Plain:
    """A value as ``json.loads`` gives it."""
    if isinstance(value, Scalar):
        return value.value
    if isinstance(value, Array):
        return [plain(part.value) for part in value.parts]
    return {name: plain(part.value) for name, part in value.members.items()}


def _comments(part: Part) -> Iterator[Comment]:
    yield from part.leading
    if isinstance(part.value, Container):
        for inner in part.value.parts:
            yield from _comments(inner)
        yield from part.value.inner
    yield from part.trailing
