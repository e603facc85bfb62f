"""The rule class, and helpers for handlers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from inspect import getdoc
from typing import Any, Literal

from messagegen.jsonc import Object, Part
from messagegen.lint.subject import FieldSubject, SpecSubject

Category = Literal["MINIMAL", "STANDARD"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What a handler found: the spec, the offset in its text, the path, what is wrong, what to write instead."""

    subject: SpecSubject
    offset: int
    path: str
    message: str
    instead: str


@dataclass(frozen=True, slots=True)
class Spot:
    """An object of a spec, for which handlers report problems."""

    subject: SpecSubject
    node: Object
    path: str

    def problem(self, name: str, message: str, instead: str) -> Problem:
        """A problem with property ``name``, or with the object if it has no such property."""
        part = self.part(name)
        path = f"{self.path}.{name}" if self.path else name
        return Problem(self.subject, self.node.start if part is None else part.value.start, path, message, instead)

    def part(self, name: str) -> Part | None:
        """The property with that name as written."""
        return self.node.members.get(name)


Handler = Callable[[Sequence[SpecSubject]], Iterator[Problem]]
Each = Callable[[Sequence[SpecSubject]], Iterator[tuple[Any, ...]]]
"""Gives the arguments of a check, once for each thing to check."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A style rule.

    ``purpose`` is a sentence that starts with "Checks that"; ``doc`` says why it matters, with text that breaks the rule and
    text that does not.
    """

    id: str
    purpose: str
    doc: str
    categories: tuple[Category, ...]
    handler: Handler = field(repr=False)


def rule(each: Each, *, minimal: bool = False) -> Callable[[Callable[..., Iterator[Problem]]], Rule]:
    """Makes a rule of a function that checks one thing; its name is the id, its docstring explains the rule.

    ``each`` is ``specs``, ``fields`` or ``sets``; ``minimal`` rules find probable mistakes.
    """

    def make(check: Callable[..., Iterator[Problem]]) -> Rule:
        def handler(subjects: Sequence[SpecSubject]) -> Iterator[Problem]:
            for arguments in each(subjects):
                yield from check(*arguments)

        purpose, _, doc = (getdoc(check) or "").partition("\n\n")
        categories: tuple[Category, ...] = ("MINIMAL", "STANDARD") if minimal else ("STANDARD",)
        return Rule(check.__name__.upper(), purpose, doc, categories, handler)

    return make


def specs(subjects: Sequence[SpecSubject]) -> Iterator[tuple[Spot]]:
    """Each message that is not retired."""
    return ((Spot(one, one.root, ""),) for one in subjects if not one.spec.valid_versions.empty)


def fields(subjects: Sequence[SpecSubject]) -> Iterator[tuple[Spot, FieldSubject]]:
    """Each field."""
    return ((Spot(one, field.node, field.path), field) for one in subjects for field in one.fields)


def sets(subjects: Sequence[SpecSubject]) -> Iterator[tuple[Sequence[SpecSubject]]]:
    """All specs together."""
    yield (subjects,)
