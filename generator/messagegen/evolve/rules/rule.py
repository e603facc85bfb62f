"""The rule class, and helpers for handlers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from messagegen.evolve.changes import BreakingChange, Category, Location
from messagegen.evolve.sides import FieldPair, MessagePair, RemovedMessage, StructPair


@dataclass(frozen=True, slots=True)
class Change:
    """A change: what changed, what to do instead, both locations, and the released versions that it breaks.

    ``new`` is ``None`` if the new specs have no location for it.
    """

    message: str
    instead: str
    old: Location
    new: Location | None
    versions: Iterable[int] = ()


Handler = Callable[[MessagePair | RemovedMessage], Iterator[Change]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about changes.

    ``purpose`` is a sentence that starts with "Checks that"; ``rationale`` says why it matters;
    ``example`` is a change that breaks the rule: text of a spec before and after.
    """

    id: str
    purpose: str
    categories: tuple[Category, ...]
    rationale: str
    example: tuple[str, str]
    handler: Handler

    def check(self, message: MessagePair | RemovedMessage) -> Iterator[BreakingChange]:
        """The findings about one message."""
        for change in self.handler(message):
            place = change.new or change.old
            yield BreakingChange(
                file=place.file,
                line=place.line,
                column=place.column,
                rule=self.id,
                message=change.message,
                instead=change.instead,
                json_path=place.json_path,
                previous=change.old,
                categories=self.categories,
                versions=tuple(sorted(change.versions)),
            )


def each_removed_message(check: Callable[[RemovedMessage], Iterator[Change]]) -> Handler:
    """A handler that checks removed messages."""

    def handler(message: MessagePair | RemovedMessage) -> Iterator[Change]:
        if isinstance(message, RemovedMessage):
            yield from check(message)

    return handler


def each_message(check: Callable[[MessagePair], Iterator[Change]]) -> Handler:
    """A handler that checks messages that exist on both sides."""

    def handler(message: MessagePair | RemovedMessage) -> Iterator[Change]:
        if isinstance(message, MessagePair):
            yield from check(message)

    return handler


def each_struct(check: Callable[[StructPair], Iterator[Change]]) -> Handler:
    """A handler that checks each struct of a message, starting with the message itself."""
    return each_message(lambda message: (change for struct in message.structs for change in check(struct)))


def each_field(check: Callable[[FieldPair], Iterator[Change]]) -> Handler:
    """A handler that checks each field that exists on both sides."""
    return each_struct(lambda struct: (change for pair in struct.fields for change in check(pair)))
