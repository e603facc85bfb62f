"""Rules that check specs: functions of messages, structs or fields, each explained by its docstring."""

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
    """The categories of style rules. Each category includes the rules of the earlier categories."""

    MINIMAL = "MINIMAL"
    """Probable mistakes."""

    STANDARD = "STANDARD"
    """Probable mistakes and inconsistencies."""


Problem = tuple[Placed, str, str, str]
"""A violation of a rule: the part of the spec, its property, the problem, and the advice."""
_PARTNERS: Final = {
    MessageKind.REQUEST: MessageKind.RESPONSE,
    MessageKind.RESPONSE: MessageKind.REQUEST,
}

Checked = tuple[Any, ...]
"""The arguments of a check. The first one is a message or a comment, and findings are reported in its file."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    ``purpose`` is a sentence that starts with "Checks that"; ``doc`` explains why it matters, with text that breaks the
    rule and text that does not. Only style rules have a ``category``. Specs of Kafka's releases may break a rule that
    is ``allowed_in_releases``; that is only a warning.
    """

    id: str
    purpose: str
    doc: str
    category: Category | None
    allowed_in_releases: bool
    check: Callable[[Sequence[Any]], Iterator[Finding]] = field(repr=False)
    """The function that yields the findings about specs, or about the comments in them."""

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
    """Return a decorator that turns a function into a rule. Its name becomes the id, its docstring the explanation.

    ``each`` yields the arguments of the function. Only style rules have a ``category``.
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
    """Return the rules in ``modules``, in the order of their definitions."""
    return tuple(one for module in modules for one in vars(module).values() if isinstance(one, Rule))


def messages(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Yield each message that is not retired."""
    return ((spec,) for spec in specs if not spec.valid_versions.empty)


def structs(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Yield each message with its own fields as a struct, then with each of its structs."""
    return ((spec, struct) for spec in specs for struct in (spec.root, *spec.structs))


def fields(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Yield each message with each of its fields, including the fields of nested and common structs."""
    return ((spec, each) for spec, struct in structs(specs) for each in struct.fields)


def written(part: Part, name: str) -> bool:
    """Whether a part of a spec has a property whose value is not null."""
    return name in placed(part).properties


def versions_of(spec: MessageSpec, struct: StructSpec) -> VersionRange:
    """Return the versions of a message that contain a struct."""
    return spec.valid_versions.intersect(struct.versions).intersect(struct.parent_versions)


def repeated(key: Callable[[MessageSpec], object]) -> Callable[[Sequence[MessageSpec]], Iterator[Checked]]:
    """Return a function that yields each message whose ``key`` repeats, with the first message that has this key.

    Messages are compared in file order. Messages whose key is ``None`` are skipped.
    """

    def each(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
        first: dict[object, MessageSpec] = {}
        for spec in sorted(specs, key=lambda spec: (spec.file, spec.name)):
            other = first.setdefault(key(spec), spec)
            if other is not spec and key(spec) is not None:
                yield spec, other

    return each


def dispatched(specs: Sequence[MessageSpec]) -> Iterator[Checked]:
    """Yield each request and response that is not retired, with the response or request of its API key, or ``None``."""
    own = [spec for spec in specs if spec.kind in _PARTNERS and not spec.valid_versions.empty]
    by_key = {(spec.kind, spec.api_key): spec for spec in own}
    for spec in own:
        yield spec, by_key.get((_PARTNERS[spec.kind], spec.api_key))
