"""The nodes of the tree; all offsets count characters of the text."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from messagegen.spec.model import Position


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


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, number, ``true``, ``false`` or ``null`` as written."""

    start: int
    end: int
    text: str

    @property
    def value(self) -> str | int | float | bool | None:
        """What the text stands for; a number of very many digits is a float."""
        if self.text[0] == '"' and "\\" not in self.text:
            return self.text[1:-1]
        value: str | int | float | bool | None = json.loads(self.text, parse_int=_integer)
        return value


@dataclass(frozen=True, slots=True)
class Part:
    """An element of an array, or a property of an object, which has a ``key``; with the comments that belong to it.

    ``name`` is the key's value, empty in an array. ``leading`` comments stand before it, ``trailing`` ones behind it on its last line. ``blank_before`` says whether an empty
    line directly precedes the part itself.
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


@dataclass(frozen=True, slots=True)
class Container:
    """An array or object; ``inner`` are the comments before its closing bracket."""

    start: int
    end: int
    parts: tuple[Part, ...]
    inner: tuple[Comment, ...]
    is_object: bool

    def part(self, name: str) -> Part | None:
        """The property of that name; of one that is written twice the last one counts."""
        for part in reversed(self.parts):
            if part.name == name:
                return part
        return None


Value = Scalar | Container


@dataclass(frozen=True, slots=True)
class Document:
    """A text, without byte order mark, and the one value that it holds with the comments around it."""

    text: str
    root: Part
    end_comments: tuple[Comment, ...] = ()
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


def _comments(part: Part) -> Iterator[Comment]:
    yield from part.leading
    if isinstance(part.value, Container):
        for inner in part.value.parts:
            yield from _comments(inner)
        yield from part.value.inner
    yield from part.trailing


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= 100 else float(digits)
