"""Comments that suppress findings: ``// messagegen:ignore RULE because REASON``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from messagegen.jsonc import Comment, Container, Document, Part, Position
from messagegen.spec.place import Place

_MARK: Final = re.compile(r"(?://|/\*)\s*(?P<mark>messagegen\s*[:-]?\s*ignore\b)\s*", re.IGNORECASE)
"""A comment that is meant to suppress findings, even if its mark is misspelled."""
_RULES_AND_REASON: Final = re.compile(r"(?P<rules>.*?)(?:\bbecause\b(?P<reason>.*?))?(?:\*/)?", re.DOTALL)
_SEPARATOR: Final = re.compile(r"[\s,]+")


@dataclass(slots=True)
class Ignore:
    """An ignore comment: its rules, and the part of the text that it affects, from ``start`` to ``end``.

    ``known`` are the ids of all rules. A comment with a ``mistake`` suppresses nothing. ``used`` are those of its
    ``rules`` that suppressed a finding.
    """

    file: str
    place: Place
    rules: tuple[str, ...]
    known: Collection[str]
    mistake: str
    start: tuple[int, int]
    end: tuple[int, int]
    used: set[str] = field(default_factory=set[str])

    def suppresses(self, rule: str, position: tuple[int, int]) -> bool:
        """Return whether the comment suppresses a finding of ``rule`` at a line and column; if so, record the use."""
        if self.mistake or rule not in self.rules or not self.start <= position < self.end:
            return False
        self.used.add(rule)
        return True


def find_ignores(document: Document, file: str, known: Collection[str]) -> list[Ignore]:
    """Return the ignore comments of a document; ``known`` are the ids of rules.

    A comment applies to the property, field, struct or message directly before or after it.
    """
    if "messagegen" not in document.text.lower():
        return []
    whole = document.root.value
    places = list(_places(document.root))
    places.extend((comment, whole.position, whole.end) for comment in document.end_comments)
    found = [_ignore(comment, file, known, start, end) for comment, start, end in places]
    return [ignore for ignore in found if ignore is not None]


def _ignore(comment: Comment, file: str, known: Collection[str], start: Position, end: Position) -> Ignore | None:
    """Return ``comment`` as the ignore comment of the part from ``start`` to ``end``, or ``None`` if it is not one."""
    mark = _MARK.match(comment.text)
    if mark is None:
        return None
    match = _RULES_AND_REASON.fullmatch(comment.text, mark.end())
    assert match is not None
    rules = tuple(name for name in _SEPARATOR.split(match["rules"]) if name)
    reason = (match["reason"] or "").strip()
    if mark["mark"] != "messagegen:ignore":
        mistake = "expected the mark messagegen:ignore"
    elif not rules:
        mistake = "it names no rule"
    elif not reason:
        mistake = "it gives no reason"
    else:
        mistake = ""
    return Ignore(file, Place(comment.position, "", {}), rules, known, mistake, start, end)


def _places(part: Part) -> Iterator[tuple[Comment, Position, Position]]:
    for comment in (*part.leading, *part.trailing):
        yield comment, part.position, part.value.end
    if isinstance(part.value, Container):
        for comment in part.value.inner:
            yield comment, part.value.position, part.value.end
        for inner in part.value.parts:
            yield from _places(inner)
