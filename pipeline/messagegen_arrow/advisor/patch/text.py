"""The text of a message spec with the place of each value in it, so that edits leave everything else unchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from messagegen.jsonc import Array, JsonError, Object, Part, Position, Scalar, Value, parse_json

_BYTE_ORDER_MARK = "\ufeff"


class SpecTextError(ValueError):
    """Raised for a spec that cannot be changed, with the reason."""


class Span(NamedTuple):
    """A part of a text, in characters from its start; ``end`` is not part of it."""

    start: int
    end: int


Edits = Mapping[Span, str]
"""The new text of each span."""


class SpecText:
    """The text of a spec, and the tree that messagegen reads from it.

    Raises ``SpecTextError`` if it is not an object.
    """

    def __init__(self, text: str) -> None:
        try:
            document = parse_json(text)
        except JsonError as error:
            raise SpecTextError(f"invalid JSON: {error}") from None
        if not isinstance(document.root.value, Object):
            raise SpecTextError("expected a JSON object; `messagegen generate` says what is wrong with it")
        self.text = text
        self.root: Object = document.root.value
        # The tree's positions do not count a byte order mark.
        first_line = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0
        line_lengths = (len(line) + 1 for line in document.text.split("\n"))
        self._line_starts = list(accumulate(line_lengths, initial=first_line))

    def span(self, value: Value) -> Span:
        """Where a value is."""
        return Span(self._offset(value.position), self._offset(value.end))

    def edited(self, edits: Edits) -> str:
        """The text with these changes, which do not overlap."""
        text = self.text
        # From the end, so that earlier spans stay where they are.
        for span in sorted(edits, reverse=True):
            text = f"{text[:span.start]}{edits[span]}{text[span.end:]}"
        return text

    def _offset(self, position: Position) -> int:
        return self._line_starts[position.line - 1] + position.column - 1


def property_value(holder: Object, name: str) -> Value | None:
    """The value of a property; ``None`` if there is none."""
    part = holder.members.get(name)
    return None if part is None else part.value


def property_text(holder: Object, name: str) -> str:
    """A property that is a string or a number, as text; empty if there is none."""
    value = property_value(holder, name)
    return value.text if isinstance(value, Scalar) else ""


def property_objects(holder: Object, name: str) -> list[Object]:
    """The objects of a list; a single object counts as a list of one, as in Apache's reader."""
    value = property_value(holder, name)
    items = value.items if isinstance(value, Array) else (value,)
    return [item for item in items if isinstance(item, Object)]


def all_properties(value: Value) -> Iterator[Part]:
    """The properties of an object, and of all objects within it."""
    if isinstance(value, Scalar):
        return
    for part in value.parts:
        if isinstance(value, Object):
            yield part
        yield from all_properties(part.value)
