"""Specs -> findings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

from messagegen.findings import Finding
from messagegen.jsonc import Comment, Document, JsonError, parse_json
from messagegen.lint.ignores import IGNORE_RULES, find_ignores
from messagegen.lint.rules import CATEGORIES, RULES
from messagegen.selection import RuleNames, Selection
from messagegen.spec import Rule, check_together, parse
from messagegen.spec.model import MessageSpec

_OTHERS: Final = (*IGNORE_RULES, *(rule.name for rule in Rule))

RULE_NAMES: Final = RuleNames(
    {category: [rule.id for rule in RULES if category in rule.categories] for category in CATEGORIES},
    (*(rule.id for rule in RULES), *_OTHERS),
    default=("STANDARD",),
    always=frozenset(_OTHERS),
)
"""Rules of style, rules about comments that ignore rules, and those of the reader of specs; the last two always hold."""


def lint(texts: Mapping[str, bytes], selection: Selection, released: Collection[str] = ()) -> tuple[Finding, ...]:
    """The findings about specs, given as bytes by file name, in the order of the text.

    They include those of the spec parser, to which ``released`` are files of a Kafka release. A spec with errors is not linted, and rules about sets of specs skip it.
    """
    found: list[Finding] = []
    ignorable: list[Finding] = []
    documents: dict[str, Document] = {}
    specs: list[MessageSpec] = []
    for file, data in texts.items():
        try:
            document = parse_json(data)
        except JsonError:
            found.extend(parse(data, file).findings)
            continue
        parsed = parse(document, file, released=file in released)
        if parsed.spec is None:
            found.extend(parsed.findings)
            continue
        documents[file] = document
        specs.append(parsed.spec)
        ignorable.extend(parsed.findings)
    found.extend(check_together(specs))
    ignorable.extend(finding for rule in RULES for finding in rule.check(specs))
    for file, document in documents.items():
        of_file = [finding for finding in ignorable if finding.file == file]
        kept = (one for one in _without_ignored(file, document, of_file, selection) if selection.keeps(one.rule, file))
        found.extend(replace(one, severity=selection.severities.get(one.rule, one.severity)) for one in kept)
    return tuple(sorted(found))


def _without_ignored(
    file: str, document: Document, findings: Collection[Finding], selection: Selection
) -> Iterator[Finding]:
    """The findings about a spec that no comment ignores, and those about its comments."""
    ignores, malformed = find_ignores(document)
    for finding in findings:
        offset = document.offset(finding.line, finding.column)
        if not [ignore for ignore in ignores if ignore.covers(finding.rule, offset)]:
            yield finding

    def about(comment: Comment, rule: str, message: str, instead: str) -> Finding:
        position = document.position(comment.start)
        return Finding(file, position.line, position.column, rule, message, instead)

    for comment in malformed:
        instead = "write // messagegen:ignore RULE because REASON"
        yield about(comment, "IGNORE_WITH_REASON", "the comment has no rule or no reason", instead)
    for ignore in ignores:
        for name in ignore.rules:
            if name not in RULE_NAMES.ids:
                instead = "see `messagegen lint --list-rules`"
                yield about(ignore.comment, "IGNORE_RULE_KNOWN", f"unknown rule {name}", instead)
            # Rules that are not in use did not run, so their comments may be needed.
            elif name in selection.rules and name not in ignore.used:
                yield about(ignore.comment, "IGNORE_USED", f"{name} has no finding here to ignore", "remove it")
