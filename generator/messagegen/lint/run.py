"""Specs -> findings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
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
"""Rules of style, and those of the reader of specs, which always hold."""


def lint(texts: Mapping[str, bytes], selection: Selection, released: Collection[str] = ()) -> tuple[Finding, ...]:
    """The findings about specs, given as bytes by file name, in the order of the text.

    They include those of the spec parser, to which ``released`` are files of a Kafka release. A spec with errors is not
    linted. Rules about sets of specs skip it, and rules about a request and its response also skip its partner.
    """
    found: list[Finding] = []
    optional: list[Finding] = []
    specs: list[MessageSpec] = []
    broken = Broken()
    ignores: dict[str, list[Ignore]] = {}
    for file, data in texts.items():
        text: bytes | Document = data
        try:
            text = parse_json(data)
            ignores[file] = find_ignores(text, file, RULE_NAMES.ids)
        except JsonError:
            pass
        parsed = parse(text, file, released=file in released)
        if parsed.spec is None:
            found.extend(parsed.findings)
            broken.add(file, text if isinstance(text, Document) else None)
            # What comments suppress in a spec with errors is unknown, so that they count as used.
            for ignore in ignores.get(file, ()):
                ignore.used.update(ignore.rules)
        else:
            specs.append(parsed.spec)
            optional.extend(parsed.findings)
    found.extend(check_together(specs))
    optional.extend(finding for rule in SPEC_RULES for finding in rule.check(specs))
    kept = [one for one in optional if not _suppressed(one, ignores[one.file])]
    partner_broken = {spec.file for spec in specs if broken.has_partner_of(spec)}
    kept = [one for one in kept if one.rule not in ABOUT_PAIRS or one.file not in partner_broken]
    comments = [ignore for of_file in ignores.values() for ignore in of_file]
    kept.extend(finding for rule in COMMENT_RULES for finding in rule.check(comments))
    chosen = (one for one in kept if selection.keeps(one.rule, one.file))
    found.extend(replace(one, severity=selection.severities.get(one.rule, one.severity)) for one in chosen)
    return tuple(sorted(found))


def _suppressed(finding: Finding, ignores: Sequence[Ignore]) -> bool:
    """Whether comments suppress a finding. All that do are used, not only the first."""
    position = (finding.line, finding.column)
    suppressing = [ignore for ignore in ignores if ignore.suppresses(finding.rule, position)]
    return bool(suppressing)
