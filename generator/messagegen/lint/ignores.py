"""Comments that suppress findings: ``// messagegen:ignore RULE because REASON``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from messagegen.jsonc import Comment, Container, Document, Part

IGNORE_RULES: Final = {
    "IGNORE_WITH_REASON": "Checks that an ignore comment names a rule and a reason.",
    "IGNORE_RULE_KNOWN": "Checks that an ignore comment names an existing rule.",
    "IGNORE_USED": "Checks that an ignore comment is needed.",
}
"""Rules about the comments themselves. They are always on, and comments can't ignore them."""

_MARK: Final = re.compile(r"messagegen:ignore\b")
_COMMENT: Final = re.compile(
    r"(?://|/\*)\s*messagegen:ignore\s+(?P<rules>[A-Z0-9_]+(?:\s*,\s*[A-Z0-9_]+)*)\s+because\s+(?P<reason>\S.*?)\s*(?:\*/)?",
    re.DOTALL,
)


@dataclass(slots=True)
class Ignore:
    """An ignore comment: its rules, the part of the text that it applies to, and the rules it has suppressed so far."""

    comment: Comment
    rules: tuple[str, ...]
    start: int
    end: int
    used: set[str] = field(default_factory=set[str])

    def covers(self, rule: str, offset: int) -> bool:
        """Whether the comment suppresses a finding of ``rule`` at ``offset``; if so, records that it is needed."""
        if rule not in self.rules or not self.start <= offset < self.end:
            return False
        self.used.add(rule)
        return True


def find_ignores(document: Document) -> tuple[list[Ignore], list[Comment]]:
    """The ignore comments of a document, and those that lack a rule or a reason.

    A comment applies to the property, field, struct or message that it precedes or follows.
    """
    found: list[Ignore] = []
    malformed: list[Comment] = []
    if "messagegen:ignore" in document.text:
        for comment, start, end in _places(document):
            match = _COMMENT.fullmatch(comment.text)
            if match is not None:
                found.append(Ignore(comment, tuple(re.split(r"\s*,\s*", match["rules"])), start, end))
            elif _MARK.search(comment.text):
                malformed.append(comment)
    return found, malformed


def _places(document: Document) -> Iterator[tuple[Comment, int, int]]:
    yield from _part_places(document.root)
    for comment in document.end_comments:
        yield comment, 0, len(document.text)


def _part_places(part: Part) -> Iterator[tuple[Comment, int, int]]:
    for comment in (*part.leading, *part.trailing):
        yield comment, part.start, part.value.end
    if isinstance(part.value, Container):
        for comment in part.value.inner:
            yield comment, part.value.start, part.value.end
        for inner in part.value.parts:
            yield from _part_places(inner)
