"""Specs -> findings, and specs -> fixed specs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from messagegen.findings import Finding, Severity
from messagegen.jsonc import Comment, Edit, apply_edits
from messagegen.lint.ignores import Ignore, find_ignores, unknown_rules
from messagegen.lint.names import RULE_NAMES
from messagegen.lint.rules import RULES
from messagegen.lint.subject import SpecSubject, read_subject
from messagegen.selection import Selection
from messagegen.spec import check_together, parse

_ROUNDS: Final = 20


@dataclass(frozen=True, slots=True)
class LintFinding:
    """A finding, and the edits of its file that fix it without changing the meaning of the spec, if there are any."""

    finding: Finding
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Fixed:
    """The result of fixing: the changed files, the number of fixed findings, and the remaining findings."""

    texts: Mapping[str, bytes]
    count: int
    findings: tuple[LintFinding, ...]


def lint(texts: Mapping[str, bytes], selection: Selection, released: Collection[str] = ()) -> tuple[LintFinding, ...]:
    """The findings about specs, given as bytes by file name, in the order of the text.

    They include those of the spec parser, to which ``released`` are files of a Kafka release. A spec with errors is not linted, and rules about sets of specs skip it.
    """
    found: list[LintFinding] = []
    subjects: list[SpecSubject] = []
    for file, data in texts.items():
        subject, findings = read_subject(data, file, released=file in released)
        if subject is None:
            found.extend(LintFinding(finding) for finding in findings)
        else:
            subjects.append(subject)
    found.extend(LintFinding(finding) for finding in check_together([subject.spec for subject in subjects]))
    ignores = {subject.file: find_ignores(subject.document) for subject in subjects}
    for subject, rule, offset, one in _problems(subjects):
        inside = [ignore for ignore in ignores[subject.file][0] if ignore.covers(rule, offset)]
        if not inside and selection.keeps(rule, subject.file):
            severity: Severity = selection.severities.get(rule, one.finding.severity)
            found.append(replace(one, finding=replace(one.finding, severity=severity)))
    for subject in subjects:
        well_formed, malformed = ignores[subject.file]
        found.extend(
            one
            for one in _about_ignores(subject, well_formed, malformed, selection)
            if selection.keeps(one.finding.rule, subject.file)
        )
    return tuple(sorted(found, key=lambda one: one.finding))


def fix(texts: Mapping[str, bytes], selection: Selection, released: Collection[str] = ()) -> Fixed:
    """Applies the edits of findings until none are left; files with errors are not changed."""
    current, count = dict(texts), 0
    findings = lint(current, selection, released)
    for _ in range(_ROUNDS):
        by_file: dict[str, list[LintFinding]] = {}
        for one in findings:
            if one.edits:
                by_file.setdefault(one.finding.file, []).append(one)
        if not by_file:
            break
        for file, fixable in by_file.items():
            current[file], applied = _apply(current[file], file, fixable)
            count += applied
        findings = lint(current, selection, released)
    changed = {file: data for file, data in current.items() if data != texts[file]}
    return Fixed(changed, count, findings)


def _problems(subjects: Sequence[SpecSubject]) -> Iterator[tuple[SpecSubject, str, int, LintFinding]]:
    """The parser's warnings and the rules' problems: the spec, the rule, the offset, and the finding."""
    for subject in subjects:
        for warning in subject.warnings:
            yield subject, warning.rule, subject.document.offset(warning.line, warning.column), LintFinding(warning)
    for rule in RULES:
        for problem in rule.handler(subjects):
            finding = _finding(problem.subject, rule.id, problem.offset, problem.path, problem.message, problem.instead)
            yield problem.subject, rule.id, problem.offset, LintFinding(finding, problem.edits)


def _finding(subject: SpecSubject, rule: str, offset: int, path: str, message: str, instead: str) -> Finding:
    position = subject.document.position(offset)
    return Finding(subject.file, position.line, position.column, rule, message, instead, path)


def _about_ignores(
    subject: SpecSubject, ignores: Sequence[Ignore], malformed: Sequence[Comment], selection: Selection
) -> Iterator[LintFinding]:
    for comment in malformed:
        message, instead = "the comment has no rule or no reason", "write // messagegen:ignore RULE because REASON"
        yield LintFinding(_finding(subject, "IGNORE_WITH_REASON", comment.start, "", message, instead))
    for ignore in ignores:
        unknown = unknown_rules(ignore, RULE_NAMES.ids)
        for name in unknown:
            message, instead = f"unknown rule {name}", "see `messagegen lint --list-rules`"
            yield LintFinding(_finding(subject, "IGNORE_RULE_KNOWN", ignore.comment.start, "", message, instead))
        # Rules that are not in use did not run, so their comments may be needed.
        unused = [rule for rule in ignore.rules if rule in selection.rules and rule not in ignore.used]
        for name in unused:
            finding = _finding(
                subject, "IGNORE_USED", ignore.comment.start, "", f"{name} has no finding here to ignore", "remove it"
            )
            alone = len(unused) == len(ignore.rules)
            yield LintFinding(finding, (ignore.removal(subject.document.text),) if alone else ())


def _apply(data: bytes, file: str, findings: Sequence[LintFinding]) -> tuple[bytes, int]:
    """The bytes after applying the edits of all findings that don't overlap, and the number of those findings."""
    chosen: list[Edit] = []
    count = 0
    for one in findings:
        if all(_apart(edit, other) for edit in one.edits for other in chosen):
            chosen.extend(one.edits)
            count += 1
    text = data.decode("utf-8")
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    after = (mark + apply_edits(text.removeprefix(mark), chosen)).encode("utf-8")
    assert _model(after, file) == _model(data, file), "fixing keeps the meaning of a spec"
    return after, count


def _apart(one: Edit, other: Edit) -> bool:
    if one.start == other.start:
        return False
    first, second = sorted((one, other))
    return first.end <= second.start


def _model(data: bytes, file: str) -> str:
    """The model as text, in which NaN equals itself and 0.0 differs from -0.0."""
    return repr(parse(data, file, released=True).spec)
