"""Specs -> findings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from messagegen.findings import Finding
from messagegen.jsonc import Document, JsonError, parse_json
from messagegen.lint.ignores import find_ignores
from messagegen.lint.rules import CATEGORIES, RULES
from messagegen.selection import RuleNames, Selection
from messagegen.spec import Rule, check_together, parse
from messagegen.spec.model import MessageSpec

_SPEC_RULES: Final = tuple(rule.name for rule in Rule)

RULE_NAMES: Final = RuleNames(
    {category: [rule.id for rule in RULES if category in rule.categories] for category in CATEGORIES},
    (*(rule.id for rule in RULES), *_SPEC_RULES),
    default=("STANDARD",),
    always=frozenset(_SPEC_RULES),
)
"""Rules of style, and those of the reader of specs, which always hold."""


def lint(texts: Mapping[str, bytes], selection: Selection, released: Collection[str] = ()) -> tuple[Finding, ...]:
    """The findings about specs, given as bytes by file name, in the order of the text.

    They include those of the spec parser, to which ``released`` are files of a Kafka release. A spec with errors is not linted, and rules about sets of specs skip it.
    """
    found: list[Finding] = []
    warnings: list[Finding] = []
    specs: list[MessageSpec] = []
    documents: dict[str, Document] = {}
    for file, data in texts.items():
        try:
            documents[file] = parse_json(data)
        except JsonError:
            found.extend(parse(data, file).findings)
            continue
        parsed = parse(documents[file], file, released=file in released)
        if parsed.spec is None:
            found.extend(parsed.findings)
        else:
            specs.append(parsed.spec)
            warnings.extend(parsed.findings)
    found.extend(check_together(specs))
    ignores = {file: find_ignores(document) for file, document in documents.items()}
    for one in (*warnings, *(finding for rule in RULES for finding in rule.check(specs))):
        offset = documents[one.file].offset(one.line, one.column)
        ignored = any(ignore.covers(one.rule, offset) for ignore in ignores[one.file])
        if not ignored and selection.keeps(one.rule, one.file):
            found.append(replace(one, severity=selection.severities.get(one.rule, one.severity)))
    return tuple(sorted(found))
