"""Compares two specs of a message, property by property, and finds the rules and versions that the changes break."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen.evolve.align import align
from messagegen.evolve.changes import Change
from messagegen.evolve.facts import field_summary, message_summary
from messagegen.evolve.field_checks import field_changes
from messagegen.evolve.message_checks import message_changes
from messagegen.evolve.pairs import FieldPair, MessagePair, StructPair
from messagegen.evolve.sides import Side


def changes_of(old: Side | None, new: Side | None) -> Iterator[Change]:
    """Yield the changes of a message, first its own, then the changes of its fields. One side may lack the message."""
    if old is not None and new is not None:
        yield from _changes_of_both(align(old, new))
    elif old is not None:
        yield _removed_message(old)
    elif new is not None:
        yield _added_message(new)


def _changes_of_both(pair: MessagePair) -> Iterator[Change]:
    yield from message_changes(pair)
    for struct in pair.structs:
        for field in struct.fields:
            if field.old is not None and field.new is not None:
                yield from field_changes(pair, struct, field.old, field.new, field.meetings)
            else:
                yield from _removed_field(pair, struct, field)
                yield from _added_field(pair, struct, field)


def _removed_message(side: Side) -> Change:
    place = side.location(side.spec, "name")
    return Change(
        subject=side.spec.name,
        name="",
        before=message_summary(side.spec),
        after=None,
        old=place,
        new=place,
        rule="MESSAGE_NOT_REMOVED" if side.released else "",
        versions=side.released,
    )


def _added_message(side: Side) -> Change:
    place = side.location(side.spec, "name")
    return Change(
        subject=side.spec.name,
        name="",
        before=None,
        after=message_summary(side.spec),
        old=place,
        new=place,
    )


def _removed_field(pair: MessagePair, struct: StructPair, field: FieldPair) -> Iterator[Change]:
    """Yield the change of a field that only the old spec has, unless it exists in no version."""
    if field.old is None or field.old.plan.versions.empty:
        return
    versions = _unreadable_versions(field)
    if versions:
        rule = "FIELD_NOT_REMOVED"
    elif struct.was_released(field.old):
        # New readers skip its tag, the field takes no bytes, or the new spec lacks the enclosing struct in these
        # versions.
        rule = "TAGGED_FIELD_NOT_REMOVED"
    else:
        rule = ""
    yield Change(
        subject=struct.path + field.old.spec.name,
        name="",
        before=field_summary(field.old.spec, pair.old.spec.valid_versions),
        after=None,
        old=pair.old.location(field.old.spec, ""),
        new=struct.places[1],
        rule=rule,
        versions=versions,
    )


def _added_field(pair: MessagePair, struct: StructPair, field: FieldPair) -> Iterator[Change]:
    """Yield the change of a field that only the new spec has, unless it exists in no version."""
    if field.new is None or field.new.plan.versions.empty:
        return
    versions = _unreadable_versions(field)
    yield Change(
        subject=struct.path + field.new.spec.name,
        name="",
        before=None,
        after=field_summary(field.new.spec, pair.new.spec.valid_versions),
        old=struct.places[0],
        new=pair.new.location(field.new.spec, ""),
        rule="FIELD_NOT_ADDED" if versions else "",
        versions=versions,
    )


def _unreadable_versions(field: FieldPair) -> list[int]:
    """Return the released versions with bytes that the side without the field cannot skip."""
    return [version for version, meeting in field.meetings.items() if meeting.alone]
