"""A report as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from messagegen.upgrade.report import Action, ApiChange, Change, MessageChanges, Report

MARKS: Final[dict[Action, str]] = {"added": "+", "removed": "-", "renamed": "~", "changed": "~"}
"""What stands before a change; the same as in a diff."""


def counts(report: Report) -> str:
    """How many messages were added, removed and changed."""
    added, removed = len(report.by_action("added")), len(report.by_action("removed"))
    changed = len(report.by_action("changed", "renamed"))
    if not report.messages:
        return "no message differs"
    return f"messages: {added} added, {removed} removed, {changed} changed"


def text(report: Report) -> Iterator[str]:
    """The lines of a report: messages that are new, messages that are gone, then each one that changed."""
    yield f"{report.old} -> {report.new}, {counts(report)}"
    listed: tuple[tuple[str, Action], ...] = (("Added", "added"), ("Removed", "removed"))
    for title, action in listed:
        messages = report.by_action(action)
        if messages:
            width = max(len(message.name) for message in messages)
            yield from ("", f"{title} messages")
            yield from (f"  {MARKS[action]} {message.name:{width}}  {message.summary}" for message in messages)
    for message in report.by_action("changed", "renamed"):
        yield from ("", f"{title_of(message)}: {message.summary}")
        yield from (f"  {line(change)}" for change in message.changes)
        if message.api:
            yield "  Python:"
            yield from (f"    {api_line(change)}" for change in message.api)


def title_of(message: MessageChanges) -> str:
    """The name of a message, with the one that it had."""
    return f"{message.name} (was {message.previous_name})" if message.previous_name else message.name


def line(change: Change) -> str:
    """One change of a spec."""
    return f"{MARKS[change.action]} {f'{change.field}: ' if change.field else ''}{change.text}"


def api_line(change: ApiChange) -> str:
    """One change of generated code; of one that stayed in its class, the class is named once."""
    mark = MARKS[change.action]
    if change.before is None or change.after is None:
        return f"{mark} {change.after or change.before}"
    after = change.after.partition(": ")[2] if change.action == "changed" else change.after
    return f"{mark} {change.before} -> {after}"
