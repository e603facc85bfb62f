"""The report as data: what changed in each message, in its spec and in the Python classes made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from messagegen.evolve.changes import Action, Change


@dataclass(frozen=True, slots=True)
class ApiChange:
    """A change of what generated code offers: a class (``Topic``) or an attribute with its type (``Topic.name: str``)."""

    action: Action
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class MessageChanges:
    """A message with all that changed in it; ``summary`` says what it is now, or was if it was removed."""

    name: str
    previous_name: str | None
    action: Action
    summary: str
    changes: tuple[Change, ...] = ()
    python: tuple[ApiChange, ...] = ()

    @property
    def title(self) -> str:
        """The name of the message, with the one that it had."""
        return f"{self.name} (was {self.previous_name})" if self.previous_name else self.name

    def as_json(self) -> dict[str, object]:
        """The message as a JSON object with stable keys."""
        names = ("topic", "action", "text", "field", "before", "after", "versions")
        changes = [{name: getattr(change, name) for name in names} for change in self.changes]
        about = {"name": self.name, "previous_name": self.previous_name, "action": self.action, "summary": self.summary}
        return {**about, "changes": changes, "python": [asdict(change) for change in self.python]}


@dataclass(frozen=True, slots=True)
class Report:
    """All messages that differ between two sets of specs, by name; ``old`` and ``new`` say which sets."""

    old: str
    new: str
    messages: tuple[MessageChanges, ...]

    def by_action(self, *actions: Action) -> Sequence[MessageChanges]:
        """The messages to which one of these things happened."""
        return [message for message in self.messages if message.action in actions]

    @property
    def counts(self) -> str:
        """How many messages were added, removed and changed."""
        if not self.messages:
            return "no message differs"
        added, removed = len(self.by_action("added")), len(self.by_action("removed"))
        return f"messages: {added} added, {removed} removed, {len(self.messages) - added - removed} changed"

    def as_json(self) -> dict[str, object]:
        """The report as a JSON object with stable keys."""
        return {"from": self.old, "to": self.new, "messages": [message.as_json() for message in self.messages]}
