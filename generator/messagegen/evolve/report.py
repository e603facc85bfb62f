"""What an upgrade of specs changes for users of the messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from messagegen.evolve.changes import Change
from messagegen.evolve.compare import MessageChanges


def report_lines(messages: Sequence[MessageChanges]) -> Iterator[str]:
    """A line for each change, with a prefix as in a diff; changes of a message are below its name."""
    for message in messages:
        if message.old is None or message.new is None:
            yield from map(_line, message.changes)
        else:
            yield from ("", message.name, *(f"  {_line(change)}" for change in message.changes))


def report_json(messages: Sequence[MessageChanges]) -> list[dict[str, object]]:
    """The report as JSON values with stable keys."""
    names = ("subject", "name", "before", "after")
    return [
        {
            "name": message.name,
            "changes": [{name: getattr(change, name) for name in names} for change in message.changes],
        }
        for message in messages
    ]


def _line(change: Change) -> str:
    if change.before is None:
        return f"+ {change.subject}: {change.after}"
    if change.after is None:
        return f"- {change.subject}: {change.before}"
    return f"~ {change.subject}: {change.text}"
