"""The report as data: what changed in each message, in its spec and in the Python classes made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Action = Literal["added", "removed", "renamed", "changed"]
Topic = Literal[
    "versions",
    "stability",
    "deprecation",
    "flexible versions",
    "header versions",
    "type",
    "API key",
    "listeners",
    "struct",
    "field",
    "nullability",
    "tag",
    "default",
    "encoding",
    "order",
    "ignorable",
    "map key",
    "entity type",
]


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a spec: ``field`` is Kafka's path of the field (``Topics.Partitions.Leader``), empty for the message.

    ``text`` says what is so now. ``before`` and ``after`` are the values that it compares, where there are two.
    ``versions`` are those that it concerns, empty where it concerns all.
    """

    topic: Topic
    action: Action
    text: str
    field: str = ""
    before: str | None = None
    after: str | None = None
    versions: tuple[int, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The change as a JSON object with stable keys."""
        return {
            "topic": self.topic,
            "action": self.action,
            "field": self.field or None,
            "before": self.before,
            "after": self.after,
            "versions": list(self.versions),
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class ApiChange:
    """A change of what generated code offers: a class (``Topic``) or an attribute with its type (``Topic.name: str``)."""

    before: str | None
    after: str | None

    @property
    def action(self) -> Action:
        """What happened to it."""
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        return "changed" if self.before.partition(":")[0] == self.after.partition(":")[0] else "renamed"

    def as_json(self) -> dict[str, object]:
        """The change as a JSON object with stable keys."""
        return {"action": self.action, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class MessageChanges:
    """A message with all that changed in it; ``summary`` says what it is now, or was if it was removed."""

    name: str
    previous_name: str | None
    action: Action
    summary: str
    changes: tuple[Change, ...] = ()
    api: tuple[ApiChange, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The message as a JSON object with stable keys."""
        return {
            "name": self.name,
            "previous_name": self.previous_name,
            "action": self.action,
            "summary": self.summary,
            "changes": [change.as_json() for change in self.changes],
            "python": [change.as_json() for change in self.api],
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All messages that differ between two sets of specs, by name; ``old`` and ``new`` say which sets."""

    old: str
    new: str
    messages: tuple[MessageChanges, ...]

    def by_action(self, *actions: Action) -> Sequence[MessageChanges]:
        """The messages to which one of these things happened."""
        return [message for message in self.messages if message.action in actions]

    def as_json(self) -> dict[str, object]:
        """The report as a JSON object with stable keys."""
        return {"from": self.old, "to": self.new, "messages": [message.as_json() for message in self.messages]}
