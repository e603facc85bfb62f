"""Upgrade reports for users of the messages, as lines of text, Markdown or JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from messagegen.console.text import markdown_text
from messagegen.evolve.changes import Change
from messagegen.evolve.compare import MessageChanges


def report_lines(messages: Sequence[MessageChanges]) -> Iterator[str]:
    """Yield a line for each change, with a prefix as in a diff. The name of a message precedes its changes."""
    for message in messages:
        if message.is_on_one_side:
            for change in message.changes:
                yield _line(change)
            continue

        yield ""
        yield message.name
        for change in message.changes:
            yield f"  {_line(change)}"


def report_markdown(messages: Sequence[MessageChanges]) -> Iterator[str]:
    """Yield lines of Markdown: a table of added and removed messages, then a section for each other message."""
    on_one_side = [change for message in messages if message.is_on_one_side for change in message.changes]
    if on_one_side:
        yield from _section("Messages", "message", on_one_side)

    for message in messages:
        if not message.is_on_one_side:
            yield from _section(message.name, "field", message.changes)


def report_json(messages: Sequence[MessageChanges]) -> list[dict[str, object]]:
    """Return the report as JSON values with stable keys."""
    return [
        {"name": message.name, "changes": [_change_json(change) for change in message.changes]} for message in messages
    ]


def _line(change: Change) -> str:
    if change.before is None:
        return f"+ {change.subject}: {change.after}"
    if change.after is None:
        return f"- {change.subject}: {change.before}"
    return f"~ {change.subject}: {change.text}"


def _section(title: str, subject: str, changes: Iterable[Change]) -> Iterator[str]:
    """Yield a heading, and a table with a row for each change of a ``subject``: a message or a field."""
    yield ""
    yield f"## {markdown_text(title)}"
    yield ""
    yield f"| change | {subject} | details |"
    yield "|---|---|---|"
    for change in changes:
        yield _row(change)


def _row(change: Change) -> str:
    subject = markdown_text(change.subject)
    if change.before is None:
        return f"| added | {subject} | {markdown_text(change.after or '')} |"
    if change.after is None:
        return f"| removed | {subject} | {markdown_text(change.before)} |"
    return f"| changed | {subject} | {markdown_text(change.text)} |"


def _change_json(change: Change) -> dict[str, object]:
    return {
        "subject": change.subject,
        "name": change.name,
        "before": change.before,
        "after": change.after,
    }
