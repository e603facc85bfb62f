"""Runs all rules on specs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from messagegen.findings import Finding
from messagegen.jsonc import Document, JsonError, parse_json
from messagegen.lint.ignores import Ignore, find_ignores
from messagegen.lint.partners import Broken
from messagegen.lint.rules import COMMENT_RULES, RULES, SPEC_RULES
from messagegen.lint.rules.sets import ABOUT_PAIRS
from messagegen.selection import RuleNames, Selection
from messagegen.spec import PURPOSES, check_together, parse
from messagegen.spec.model import MessageSpec
from messagegen.spec.rule import Category

RULE_NAMES: Final = RuleNames(
    categories={category: [rule.id for rule in RULES if category in rule.categories] for category in Category},
    ids=[*(rule.id for rule in RULES), *PURPOSES],
    default=(Category.STANDARD,),
    always=frozenset(PURPOSES),
)
"""The names of the style rules, and of the rules of the spec language, which always apply."""


@dataclass(slots=True)
class _Read:
    """The valid specs of a run, with the ignore comments of each file.

    ``errors`` are about specs that can't be linted, ``warnings`` about valid specs.
    """

    specs: list[MessageSpec] = field(default_factory=list[MessageSpec])
    broken: Broken = field(default_factory=Broken)
    ignores: dict[str, list[Ignore]] = field(default_factory=dict[str, list[Ignore]])
    errors: list[Finding] = field(default_factory=list[Finding])
    warnings: list[Finding] = field(default_factory=list[Finding])


def lint(texts: Mapping[str, bytes], selection: Selection, released: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return the findings about specs, sorted by location; ``texts`` are the bytes of the specs by file name.

    They include the findings of the spec parser, which treats ``released`` files as specs of a Kafka release. A spec
    with errors is not linted. Rules about sets of specs skip it, and rules about a request and its response also skip
    its partner.
    """
    read = _read(texts, released)
    errors = [*read.errors, *check_together(read.specs)]

    found = [*read.warnings, *(finding for rule in SPEC_RULES for finding in rule.check(read.specs))]
    # All rules run, even rules that are not selected, because comments that suppress their findings count as used.
    found = [finding for finding in found if not _suppressed(finding, read.ignores[finding.file])]
    found = list(_without_broken_partners(found, read))

    comments = [ignore for ignores in read.ignores.values() for ignore in ignores]
    for rule in COMMENT_RULES:
        found.extend(rule.check(comments))

    selected = [
        replace(finding, severity=selection.severities.get(finding.rule, finding.severity))
        for finding in found
        if selection.keeps(finding.rule, finding.file)
    ]
    return tuple(sorted([*errors, *selected]))


def _read(texts: Mapping[str, bytes], released: Collection[str]) -> _Read:
    read = _Read()
    for file, data in texts.items():
        document = _document(data)
        if document is not None:
            read.ignores[file] = find_ignores(document, file, RULE_NAMES.ids)

        # If the text is not JSON, the spec parser reports the reason.
        parsed = parse(data if document is None else document, file, released=file in released)
        if parsed.spec is not None:
            read.specs.append(parsed.spec)
            read.warnings.extend(parsed.findings)
            continue
        read.errors.extend(parsed.findings)
        read.broken.add(file, document)
        # A spec with errors is not linted, so its comments count as used.
        for ignore in read.ignores.get(file, ()):
            ignore.used.update(ignore.rules)
    return read


def _document(data: bytes) -> Document | None:
    try:
        return parse_json(data)
    except JsonError:
        return None


def _suppressed(finding: Finding, ignores: Sequence[Ignore]) -> bool:
    """Return whether comments suppress a finding, and mark all such comments as used, not just the first."""
    position = (finding.line, finding.column)
    suppressing = [ignore for ignore in ignores if ignore.suppresses(finding.rule, position)]
    return bool(suppressing)


def _without_broken_partners(findings: Iterable[Finding], read: _Read) -> Iterator[Finding]:
    """Yield the findings, except findings about a request and its response if one of them has errors."""
    files = {spec.file for spec in read.specs if read.broken.has_partner_of(spec)}
    for finding in findings:
        if finding.rule not in ABOUT_PAIRS or finding.file not in files:
            yield finding
