"""Specs -> findings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from messagegen.findings import Finding
from messagegen.jsonc import Document, JsonError, parse_json
from messagegen.lint.ignores import Ignore, find_ignores
from messagegen.lint.partners import Broken
from messagegen.lint.rules import RULES
from messagegen.lint.rules.sets import ABOUT_PAIRS
from messagegen.selection import RuleNames, Selection
from messagegen.spec import PURPOSES, check_together, parse
from messagegen.spec.model import MessageSpec

RULE_NAMES: Final = RuleNames(
    {category: [rule.id for rule in RULES if category in rule.categories] for category in ("MINIMAL", "STANDARD")},
    (*(rule.id for rule in RULES), *PURPOSES),
    default=("STANDARD",),
    always=frozenset(PURPOSES),
)
"""Rules of style, and those of the reader of specs, which always hold."""


def lint(texts: Mapping[str, bytes], selection: Selection, released: Collection[str] = ()) -> tuple[Finding, ...]:
    """The findings about specs, given as bytes by file name, in the order of the text.

    They include those of the spec parser, to which ``released`` are files of a Kafka release. A spec with errors is not
    linted. Rules about sets of specs skip it, and rules about a request and its response also skip its partner.
    """
    found: list[Finding] = []
    warnings: list[Finding] = []
    specs: list[MessageSpec] = []
    broken = Broken()
    ignores: dict[str, list[Ignore]] = {}
    for file, data in texts.items():
        text: bytes | Document = data
        try:
            text = parse_json(data)
            ignores[file] = find_ignores(text)
        except JsonError:
            pass
        parsed = parse(text, file, released=file in released)
        if parsed.spec is None:
            found.extend(parsed.findings)
            broken.add(file, text if isinstance(text, Document) else None)
        else:
            specs.append(parsed.spec)
            warnings.extend(parsed.findings)
    found.extend(check_together(specs))
    partner_broken = {spec.file for spec in specs if broken.has_partner_of(spec)}
    for one in (*warnings, *(finding for rule in RULES for finding in rule.check(specs))):
        if one.rule in ABOUT_PAIRS and one.file in partner_broken:
            continue
        ignored = any(ignore.covers(one.rule, (one.line, one.column)) for ignore in ignores[one.file])
        if not ignored and selection.keeps(one.rule, one.file):
            found.append(replace(one, severity=selection.severities.get(one.rule, one.severity)))
    return tuple(sorted(found))
