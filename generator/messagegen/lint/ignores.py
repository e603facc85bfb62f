"""Comments that suppress findings: ``// messagegen:ignore RULE because REASON``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from messagegen.jsonc import Comment, Container, Document, Part

_COMMENT: Final = re.compile(
    r"(?://|/\*)\s*messagegen:ignore\s+(?P<rules>[A-Z0-9_]+(?:\s*,\s*[A-Z0-9_]+)*)\s+because\s+\S"
)


class Ignore(NamedTuple):
    """An ignore comment: its rules, and the part of the text that it applies to."""

    rules: frozenset[str]
    start: int
    end: int

    def covers(self, rule: str, offset: int) -> bool:
        """Whether the comment suppresses a finding of ``rule`` at ``offset``."""
        return rule in self.rules and self.start <= offset < self.end


def find_ignores(document: Document) -> list[Ignore]:
    """The ignore comments of a document.

    A comment applies to the property, field, struct or message that it precedes or follows.
    """
    if "messagegen:ignore" not in document.text:
        return []
    places = [*_places(document.root), *((comment, 0, len(document.text)) for comment in document.end_comments)]
    found = ((_COMMENT.match(comment.text), start, end) for comment, start, end in places)
    return [Ignore(frozenset(re.split(r"\s*,\s*", match["rules"])), start, end) for match, start, end in found if match]


def _places(part: Part) -> Iterator[tuple[Comment, int, int]]:
    for comment in (*part.leading, *part.trailing):
        yield comment, part.start, part.value.end
    if isinstance(part.value, Container):
        for comment in part.value.inner:
            yield comment, part.value.start, part.value.end
        for inner in part.value.parts:
            yield from _places(inner)
