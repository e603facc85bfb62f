"""Specs -> findings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from messagegen.findings import Finding
from messagegen.jsonc import Comment
from messagegen.lint.ignores import IGNORE_RULES, Ignore, find_ignores
from messagegen.lint.rules import CATEGORIES, RULES
from messagegen.lint.subject import SpecSubject, read_subject
from messagegen.selection import RuleNames, Selection
from messagegen.spec import Rule, check_together

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
    subjects: list[SpecSubject] = []
    for file, data in texts.items():
        subject, findings = read_subject(data, file, released=file in released)
        if subject is None:
            found.extend(findings)
        else:
            subjects.append(subject)
    found.extend(check_together([subject.spec for subject in subjects]))
    ignores = {subject.file: find_ignores(subject.document) for subject in subjects}
    for subject, offset, finding in _problems(subjects):
        inside = [ignore for ignore in ignores[subject.file][0] if ignore.covers(finding.rule, offset)]
        if not inside and selection.keeps(finding.rule, subject.file):
            found.append(replace(finding, severity=selection.severities.get(finding.rule, finding.severity)))
    for subject in subjects:
        about = _about_ignores(subject, *ignores[subject.file], selection)
        found.extend(finding for finding in about if selection.keeps(finding.rule, subject.file))
    return tuple(sorted(found))


def _problems(subjects: Sequence[SpecSubject]) -> Iterator[tuple[SpecSubject, int, Finding]]:
    """The parser's warnings and the rules' problems: the spec, the offset, and the finding."""
    for subject in subjects:
        for warning in subject.warnings:
            yield subject, subject.document.offset(warning.line, warning.column), warning
    for rule in RULES:
        for problem in rule.handler(subjects):
            finding = _finding(problem.subject, rule.id, problem.offset, problem.path, problem.message, problem.instead)
            yield problem.subject, problem.offset, finding


def _finding(subject: SpecSubject, rule: str, offset: int, path: str, message: str, instead: str) -> Finding:
    position = subject.document.position(offset)
    return Finding(subject.file, position.line, position.column, rule, message, instead, path)


def _about_ignores(
    subject: SpecSubject, ignores: Sequence[Ignore], malformed: Sequence[Comment], selection: Selection
) -> Iterator[Finding]:
    for comment in malformed:
        message, instead = "the comment has no rule or no reason", "write // messagegen:ignore RULE because REASON"
        yield _finding(subject, "IGNORE_WITH_REASON", comment.start, "", message, instead)
    for ignore in ignores:
        start = ignore.comment.start
        for name in ignore.rules:
            if name not in RULE_NAMES.ids:
                instead = "see `messagegen lint --list-rules`"
                yield _finding(subject, "IGNORE_RULE_KNOWN", start, "", f"unknown rule {name}", instead)
            # Rules that are not in use did not run, so their comments may be needed.
            elif name in selection.rules and name not in ignore.used:
                yield _finding(subject, "IGNORE_USED", start, "", f"{name} has no finding here to ignore", "remove it")
