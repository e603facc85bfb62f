"""A rule of a check on specs: a function whose docstring explains it, over messages, their structs or their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from inspect import getdoc
from types import ModuleType
from typing import Any, Final

from messagegen.findings import Finding, Severity
from messagegen.spec.model import MessageKind, MessageSpec, Part, StructSpec
from messagegen.spec.report import Placed, finding_at, placed
from messagegen.versions import VersionRange


class Category(StrEnum):
    """How much a rule of style asks for. Each category includes the rules of the ones before it."""

    MINIMAL = "MINIMAL"
    """Probable mistakes."""

    STANDARD = "STANDARD"
    """Also consistency."""


Problem = tuple[Placed, str, str, str]
"""What a rule finds: the part of the spec, its property, what is wrong, and what to write instead."""
_PARTNERS: Final = {
    MessageKind.REQUEST: MessageKind.RESPONSE,
    MessageKind.RESPONSE: MessageKind.REQUEST,
}

Checked = tuple[Any, ...]
"""The arguments of a check; the first is the message, or a comment, whose file is that of the findings."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    ``purpose`` is a sentence that starts with "Checks that"; ``doc`` says why it matters, with text that breaks the
    rule and text that does not. Only rules of style have a ``category``. What is ``allowed_in_releases`` gives only
    warnings about specs of Kafka's releases.
    """

    id: str
    purpose: str
    doc: str
    category: Category | None
    allowed_in_releases: bool
    check: Callable[[Sequence[Any]], Iterator[Finding]] = field(repr=False)
    """The findings about specs, or about the comments in them."""

    @property
    def categories(self) -> tuple[Category, ...]:
        """The categories that select the rule, its own first."""
        if self.category is None:
            return ()
        every = tuple(Category)
        return every[every.index(self.category) :]


def rule(
    each: Callable[[Sequence[Any]], Iterator[Checked]],
    *,
    category: Category | None = None,
    severity: Severity = "error",
    allowed_in_releases: bool = False,
) -> Callable[[Callable[..., Iterator[Problem]]], Rule]:
    """Makes a rule of a function that checks one thing; its name is the id, its docstring explains the rule.

    ``each`` gives the things to check. ``category`` is that of a rule of style.
    """

    def make(check: Callable[..., Iterator[Problem]]) -> Rule:
        name = check.__name__.upper()

        def findings(subjects: Sequence[Any]) -> Iterator[Finding]:
            for checked in each(subjects):
                for part, key, message, instead in check(*checked):
                    yield finding_at(part, key, name, message, instead, file=checked[0].file, severity=severity)

        purpose, _, doc = (getdoc(check) or "").partition("\n\n")
        return Rule(name, purpose, doc, category, allowed_in_releases, findings)

    return make


def rules_in(*modules: ModuleType) -> tuple[Rule, ...]:
    """The rules of modules in the order of their text."""
    return tuple(one for module in modules for one in vars(module).values() if isinstance(one, Rule))


def messages(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Each message that is not retired."""
    return ((spec,) for spec in specs if not spec.valid_versions.empty)


def structs(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Each message with itself as a struct, and with each struct that it has."""
    return ((spec, struct) for spec in specs for struct in (spec.root, *spec.structs))


def fields(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Each field of a message, of nested structs and of common structs, with its message."""
    return ((spec, each) for spec, struct in structs(specs) for each in struct.fields)


def written(part: Part, name: str) -> bool:
    """Whether a part of a spec has a property, other than null."""
    return name in placed(part).properties


def versions_of(spec: MessageSpec, struct: StructSpec) -> VersionRange:
    """The versions in which a struct of a message exists."""
    return spec.valid_versions.intersect(struct.versions).intersect(struct.parent_versions)


def repeated(key: Callable[[MessageSpec], object]) -> Callable[[Sequence[MessageSpec]], Iterator[Checked]]:
    """Each message that has the same key as one before it in the order of files, with the first one.

    ``None`` is no key.
    """

    def each(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
        first: dict[object, MessageSpec] = {}
        for spec in sorted(specs, key=lambda spec: (spec.file, spec.name)):
            other = first.setdefault(key(spec), spec)
            if other is not spec and key(spec) is not None:
                yield spec, other

    return each


def dispatched(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Each request and response that is not retired, with the other one that has its API key, or ``None``."""
    own = [spec for spec in specs if spec.kind in _PARTNERS and not spec.valid_versions.empty]
    by_key = {(spec.kind, spec.api_key): spec for spec in own}
    for spec in own:
        yield spec, by_key.get((_PARTNERS[spec.kind], spec.api_key))
