"""A report as Markdown, for release notes and pull requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from messagegen.upgrade.report import ApiChange, Change, MessageChanges, Report
from messagegen.upgrade.text import counts, title_of

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|])")


def markdown(report: Report) -> Iterator[str]:
    """The lines of a report: tables of messages that are new and gone, then a section for each one that changed."""
    yield f"# {_plain(report.old)} to {_plain(report.new)}"
    yield ""
    yield f"{counts(report).capitalize()}."
    for title, messages in (("Added", report.by_action("added")), ("Removed", report.by_action("removed"))):
        if messages:
            yield from ("", f"## {title} messages", "", "| message | is |", "|---|---|")
            yield from (f"| {_code(message.name)} | {_plain(message.summary)} |" for message in messages)
    changed = report.by_action("changed", "renamed")
    if changed:
        yield from ("", "## Changed messages")
    for message in changed:
        yield from _section(message)


def _section(message: MessageChanges) -> Iterator[str]:
    yield from ("", f"### {_plain(title_of(message))}", "", f"{_plain(message.summary)}".capitalize() + ".", "")
    yield from (_item(change) for change in message.changes)
    if message.api:
        yield from ("", "| Python before | now |", "|---|---|")
        yield from (_row(change) for change in message.api)


def _item(change: Change) -> str:
    field = f"{_code(change.field)}: " if change.field else ""
    return f"- {'new ' if field and change.action == 'added' else ''}{field}{_plain(change.text)}"


def _row(change: ApiChange) -> str:
    before, after = (_code(one.replace("|", r"\|")) if one else "" for one in (change.before, change.after))
    return f"| {before} | {after} |"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _code(text: str) -> str:
    return f"`{text}`"
