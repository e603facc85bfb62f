"""The rule class, and what rules look at: messages, structs, fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from inspect import getdoc
from typing import TypeVar, cast

from messagegen.evolve.changes import BreakingChange, Category
from messagegen.evolve.sides import FieldPair, MessagePair, RemovedMessage, StructPair
from messagegen.findings import Location

Part = TypeVar("Part")


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


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about changes; ``purpose`` is a sentence that starts with "Checks that"."""

    id: str
    categories: tuple[Category, ...]
    purpose: str
    changes: Callable[[MessagePair | RemovedMessage], Iterator[Change]]

    def check(self, message: MessagePair | RemovedMessage) -> Iterator[BreakingChange]:
        """The findings about one message."""
        for change in self.changes(message):
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


def rule(
    parts: Callable[[MessagePair | RemovedMessage], Iterable[Part]], categories: str
) -> Callable[[Callable[[Part], Iterator[Change]]], Rule]:
    """Makes a rule of a function that checks one part; its name is the id, its docstring the purpose.

    ``categories`` are separated by blanks.
    """

    def made(check: Callable[[Part], Iterator[Change]]) -> Rule:
        chosen = cast("tuple[Category, ...]", tuple(categories.split()))

        def changes(message: MessagePair | RemovedMessage) -> Iterator[Change]:
            for part in parts(message):
                yield from check(part)

        return Rule(check.__name__.upper(), chosen, getdoc(check) or "", changes)

    return made


def removed_messages(message: MessagePair | RemovedMessage) -> Iterable[RemovedMessage]:
    """The message, if only the old specs have it."""
    return [message] if isinstance(message, RemovedMessage) else []


def messages(message: MessagePair | RemovedMessage) -> Iterable[MessagePair]:
    """The message, if it exists on both sides."""
    return [message] if isinstance(message, MessagePair) else []


def structs(message: MessagePair | RemovedMessage) -> Iterable[StructPair]:
    """The structs of a message that exists on both sides, itself first."""
    return message.structs if isinstance(message, MessagePair) else ()


def fields(message: MessagePair | RemovedMessage) -> Iterator[FieldPair]:
    """The fields that exist on both sides."""
    for struct in structs(message):
        yield from struct.fields
