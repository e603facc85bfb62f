"""Rules about comments that suppress findings: a comment that has no effect is itself a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from messagegen.findings import quoted
from messagegen.lint.ignores import Ignore
from messagegen.selection import nearest_rule
from messagegen.spec.rule import Category, Checked, Problem, rule


def comments(ignores: Sequence[Ignore]) -> Iterator[Checked]:
    """Yield each comment that should suppress findings, including comments with mistakes."""
    return ((ignore,) for ignore in ignores)


@rule(comments, category=Category.MINIMAL)
def ignore_with_reason(ignore: Ignore) -> Iterator[Problem]:
    """Checks that a comment that suppresses findings names rules and a reason.

    Without a reason, it is unknown later whether the comment is still needed. Such a comment suppresses nothing.

    - not `// messagegen:ignore FIELD_ABOUT_WRITTEN`
    - but `// messagegen:ignore FIELD_ABOUT_WRITTEN because its name says all`
    """
    if ignore.mistake:
        message = f"the comment suppresses nothing: {ignore.mistake}"
        yield ignore, "", message, "write // messagegen:ignore RULE because REASON, or remove it"


@rule(comments, category=Category.MINIMAL)
def ignore_rule_known(ignore: Ignore) -> Iterator[Problem]:
    """Checks that a comment that suppresses findings names rules that exist.

    It would suppress nothing.

    - not `// messagegen:ignore FIELD_ABOUT because its name says all`
    - but `// messagegen:ignore FIELD_ABOUT_WRITTEN because its name says all`
    """
    if ignore.mistake:
        return
    for name in ignore.rules:
        if name not in ignore.known:
            instead = nearest_rule(name, ignore.known, "`messagegen rules` lists all rules")
            yield ignore, "", f"unknown lint rule {quoted(name)}", instead


@rule(comments, category=Category.MINIMAL)
def ignore_used(ignore: Ignore) -> Iterator[Problem]:
    """Checks that each rule in a comment that suppresses findings suppresses a finding.

    A comment that is no longer needed would hide the next mistake. Errors of the spec language cannot be suppressed.

    - not `"about": "The epoch." // messagegen:ignore FIELD_ABOUT_WRITTEN because its name says all`
    - but `"about": "The epoch."`
    """
    if ignore.mistake:
        return
    for name in ignore.rules:
        if name in ignore.known and name not in ignore.used:
            yield ignore, "", f"the comment suppresses no finding of {name}", f"remove {name} from the comment"
