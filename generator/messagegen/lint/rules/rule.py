"""The rule class, and what rules check: messages, their fields, and requests with their responses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from inspect import getdoc
from typing import Any, Literal

from messagegen.findings import Finding
from messagegen.spec.model import FieldSpec, MessageKind, MessageSpec
from messagegen.spec.report import below, placed

Category = Literal["MINIMAL", "STANDARD"]

Problem = tuple[str, str, str]
"""What a rule finds in a part of a spec: the property, what is wrong, and what to write instead."""
Checked = tuple[MessageSpec, MessageSpec | FieldSpec, tuple[Any, ...]]
"""A spec, the part of it that is checked, and the arguments of the check."""


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
    check: Callable[[Sequence[MessageSpec]], Iterator[Finding]] = field(repr=False)
    """The findings about specs without errors."""


def rule(
    each: Callable[[Sequence[MessageSpec]], Iterator[Checked]], *, minimal: bool = False
) -> Callable[[Callable[..., Iterator[Problem]]], Rule]:
    """Makes a rule of a function that checks one thing; its name is the id, its docstring explains the rule.

    ``each`` gives the things to check. ``minimal`` rules find probable mistakes.
    """

    def make(check: Callable[..., Iterator[Problem]]) -> Rule:
        name = check.__name__.upper()

        def findings(specs: Sequence[MessageSpec]) -> Iterator[Finding]:
            for spec, part, arguments in each(specs):
                place = placed(part)
                for key, message, instead in check(*arguments):
                    at = place.of(key)
                    yield Finding(spec.file, at.line, at.column, name, message, instead, below(place.json_path, key))

        purpose, _, doc = (getdoc(check) or "").partition("\n\n")
        return Rule(name, purpose, doc, ("MINIMAL", "STANDARD") if minimal else ("STANDARD",), findings)

    return make


def messages(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Each message that is not retired."""
    return ((spec, spec, (spec,)) for spec in specs if not spec.valid_versions.empty)


def fields(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Each field of a message, of nested structs and of common structs, with its message."""
    for spec in specs:
        for fields_ in (spec.fields, *(struct.fields for struct in spec.structs)):
            yield from ((spec, each, (spec, each)) for each in fields_)


def dispatched(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Each request and response that is not retired, with the other one that has its API key, or ``None``."""
    kinds = MessageKind.REQUEST, MessageKind.RESPONSE
    own = [spec for spec in specs if spec.kind in kinds and not spec.valid_versions.empty]
    found = {(spec.kind, spec.api_key): spec for spec in own}
    for spec in own:
        yield spec, spec, (spec, found.get((kinds[spec.kind is MessageKind.REQUEST], spec.api_key)))
