"""Comments that suppress findings: ``// messagegen:ignore RULE because REASON``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from messagegen.jsonc import Comment, Container, Document, Part, Position

_COMMENT: Final = re.compile(
    r"(?://|/\*)\s*messagegen:ignore\s+(?P<rules>[A-Z0-9_]+(?:\s*,\s*[A-Z0-9_]+)*)\s+because\s+\S"
)


class Ignore(NamedTuple):
    """An ignore comment: its rules, and the part of the text that it applies to."""

    rules: frozenset[str]
    start: tuple[int, int]
    end: tuple[int, int]

    def covers(self, rule: str, position: tuple[int, int]) -> bool:
        """Whether the comment suppresses a finding of ``rule`` at a line and column."""
        return rule in self.rules and self.start <= position < self.end


def find_ignores(document: Document) -> list[Ignore]:
    """The ignore comments of a document.

    A comment applies to the property, field, struct or message that it precedes or follows.
    """
    if "messagegen:ignore" not in document.text:
        return []
    whole = document.root.value
    places = [*_places(document.root), *((comment, whole.position, whole.end) for comment in document.end_comments)]
    found = ((_COMMENT.match(comment.text), start, end) for comment, start, end in places)
    return [Ignore(frozenset(re.split(r"\s*,\s*", match["rules"])), start, end) for match, start, end in found if match]


def _places(part: Part) -> Iterator[tuple[Comment, Position, Position]]:
    for comment in (*part.leading, *part.trailing):
        yield comment, part.position, part.value.end
    if isinstance(part.value, Container):
        for comment in part.value.inner:
            yield comment, part.value.position, part.value.end
        for inner in part.value.parts:
            yield from _places(inner)
