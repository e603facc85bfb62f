"""The rule class, and helpers for handlers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from messagegen.jsonc import Comment, Container, Edit, Part
from messagegen.lint.subject import FieldSubject, SpecSubject

Category = Literal["MINIMAL", "STANDARD"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What a handler found: the spec, the offset in its text, the path, what is wrong, what to write instead.

    ``edits`` fix the problem without changing the meaning of the spec; they are empty if there is no safe fix.
    """

    subject: SpecSubject
    offset: int
    path: str
    message: str
    instead: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Spot:
    """An object of a spec, for which handlers report problems."""

    subject: SpecSubject
    node: Container
    path: str

    def problem(self, name: str, message: str, instead: str, edits: tuple[Edit, ...] = ()) -> Problem:
        """A problem with property ``name``, or with the object if it has no such property."""
        part = self.node.part(name)
        path = f"{self.path}.{name}" if self.path else name
        return Problem(
            self.subject, self.node.start if part is None else part.value.start, path, message, instead, edits
        )

    def part(self, name: str) -> Part | None:
        """The property with that name as written."""
        return self.node.part(name)


Handler = Callable[[Sequence[SpecSubject]], Iterator[Problem]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A style rule.

    ``purpose`` is a sentence that starts with "Checks that"; ``rationale`` says why it matters;
    ``example`` is text that breaks the rule and text that does not; ``fixable`` says that some problems have edits.
    """

    id: str
    purpose: str
    categories: tuple[Category, ...]
    rationale: str
    example: tuple[str, str]
    handler: Handler = field(repr=False)
    fixable: bool = False


def each_spec(check: Callable[[Spot], Iterator[Problem]]) -> Handler:
    """A handler that checks each message that is not retired."""

    def handler(subjects: Sequence[SpecSubject]) -> Iterator[Problem]:
        for subject in subjects:
            if not subject.spec.valid_versions.empty:
                yield from check(Spot(subject, subject.root, ""))

    return handler


def each_object(check: Callable[[Spot], Iterator[Problem]]) -> Handler:
    """A handler that checks each message, struct and field as written."""

    def handler(subjects: Sequence[SpecSubject]) -> Iterator[Problem]:
        for subject in subjects:
            for path, node in subject.objects:
                yield from check(Spot(subject, node, path))

    return handler


def each_field(check: Callable[[Spot, FieldSubject], Iterator[Problem]]) -> Handler:
    """A handler that checks each field."""

    def handler(subjects: Sequence[SpecSubject]) -> Iterator[Problem]:
        for subject in subjects:
            for one in subject.fields:
                yield from check(Spot(subject, one.node, one.path), one)

    return handler


def removal(text: str, holder: Container, part: Part) -> tuple[Edit, ...]:
    """The edits that remove a property with its comma; comments around it stay."""
    index = holder.parts.index(part)
    whole = Edit(part.start, part.value.end, "")
    if index + 1 < len(holder.parts):
        following = holder.parts[index + 1]
        comments = (*part.trailing, *following.leading)
        if not comments:
            return (Edit(part.start, following.start, ""),)
        return (whole, _comma(text, part.value.end, comments))
    if index == 0:
        return (whole,)
    before = holder.parts[index - 1]
    comments = (*before.trailing, *part.leading)
    if not comments:
        return (Edit(before.value.end, part.value.end, ""),)
    return (_comma(text, before.value.end, comments), whole)


def _comma(text: str, start: int, comments: Sequence[Comment]) -> Edit:
    """The edit that removes the first comma after ``start`` that is not in a comment."""
    inside = {offset for comment in comments for offset in range(comment.start, comment.start + len(comment.text))}
    offset = next(offset for offset in range(start, len(text)) if text[offset] == "," and offset not in inside)
    return Edit(offset, offset + 1, "")


def replacement(part: Part, text: str) -> tuple[Edit, ...]:
    """The edit that replaces a value."""
    return (Edit(part.value.start, part.value.end, text),)
