"""A report as lines: text for a terminal, or Markdown for release notes and pull requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from messagegen.evolve.changes import Action, Change
from messagegen.upgrade.report import ApiChange, Report

_LISTED: Final[tuple[tuple[str, Action], ...]] = (("Added", "added"), ("Removed", "removed"))
_MARKS: Final[dict[Action, str]] = {"added": "+", "removed": "-", "renamed": "~", "changed": "~"}
"""The prefix of a change, as in a diff."""
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|])")


def text(report: Report) -> Iterator[str]:
    """The lines of a report: messages that are new, messages that are gone, then each one that changed."""
    yield f"{report.old} -> {report.new}, {report.counts}"
    for title, action in _LISTED:
        if messages := report.by_action(action):
            width = max(len(message.name) for message in messages)
            yield from ("", f"{title} messages")
            yield from (f"  {_MARKS[action]} {message.name:{width}}  {message.summary}" for message in messages)
    for message in report.by_action("changed", "renamed"):
        yield from ("", f"{message.title}: {message.summary}")
        for change in message.changes:
            yield f"  {_MARKS[change.action]} {f'{change.field}: ' if change.field else ''}{change.text}"
        if message.python:
            yield "  Python:"
            yield from (f"    {_MARKS[change.action]} {_api(change)}" for change in message.python)


def markdown(report: Report) -> Iterator[str]:
    """The same as Markdown: tables of messages that are new and gone, then a section for each one that changed."""
    yield from (f"# {_plain(report.old)} to {_plain(report.new)}", "", f"{report.counts.capitalize()}.")
    for title, action in _LISTED:
        if messages := report.by_action(action):
            yield from ("", f"## {title} messages", "", "| message | is |", "|---|---|")
            yield from (f"| `{message.name}` | {_plain(message.summary)} |" for message in messages)
    changed = report.by_action("changed", "renamed")
    if changed:
        yield from ("", "## Changed messages")
    for message in changed:
        yield from ("", f"### {_plain(message.title)}", "", f"{_plain(message.summary).capitalize()}.", "")
        yield from map(_item, message.changes)
        if message.python:
            yield from ("", "| Python before | now |", "|---|---|")
            for change in message.python:
                yield f"| {' | '.join(_code(one) for one in (change.before, change.after))} |"


def _api(change: ApiChange) -> str:
    """A change of generated code; of an attribute that stayed in its class, the class is named once."""
    if change.before is None or change.after is None:
        return f"{change.after or change.before}"
    return f"{change.before} -> {change.after.partition(': ')[2] if change.action == 'changed' else change.after}"


def _item(change: Change) -> str:
    field = f"{'new ' * (change.action == 'added')}`{change.field}`: " if change.field else ""
    return f"- {field}{_plain(change.text)}"


def _code(text: str | None) -> str:
    return f"`{text}`".replace("|", r"\|") if text else ""


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
