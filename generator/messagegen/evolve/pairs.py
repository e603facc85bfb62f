"""The result of an alignment: pairs of the messages, structs and fields of two specs.

A ``MessagePair`` has the message on both sides and its ``StructPair``s. A struct pair has a ``FieldPair`` for each
field, which one side may lack. A field pair has a ``Meeting`` for each released version: the field's slot on the wire
on both sides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from messagegen.evolve.sides import Field, Side, Struct
from messagegen.evolve.wire import Slot
from messagegen.findings import Location

Numbers = tuple[int | None, int | None]
"""The numbers of a field in the old and in the new struct."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Both sides of a field in one version; a slot is ``None`` if that side lacks the field in this version.

    ``as_default`` is true if a new default would change the meaning of old bytes: the field is tagged, or part of the
    default of a tagged struct. ``passed`` are both sides of the field that this field followed and now precedes.
    ``refused`` is true if the side without the field rejects its tag instead of skipping it.
    """

    old: Slot | None
    new: Slot | None
    as_default: bool = False
    passed: tuple[Slot, Slot] | None = None
    refused: bool = False

    @property
    def alone(self) -> bool:
        """Whether only one side has the field, and always writes it or writes bytes that the other cannot skip."""
        slot = self.old or self.new
        if slot is None or (self.old is not None and self.new is not None):
            return False
        if slot.always_written:
            return True
        is_skipped = slot.tag is not None and not self.refused
        return not slot.empty and not is_skipped


@dataclass(frozen=True, slots=True)
class FieldPair:
    """A field of the old spec and its counterpart in the new spec; one side may lack the field.

    ``meetings`` has the field's meeting in each released version.
    """

    old: Field | None
    new: Field | None
    meetings: Mapping[int, Meeting]


@dataclass(slots=True)
class StructPair:
    """A struct of the old spec and the struct in its place, with the fields of both.

    ``places`` are the locations of the fields that hold the struct, and ``path`` is the prefix of its fields' names.
    ``met`` maps the numbers of fields to their meetings by version. ``versions`` contains each version of both structs,
    and is true for a version in which the struct is part of a default. ``apart`` are the versions that only the old
    struct has; they have no meetings.
    """

    old: Struct
    new: Struct
    places: tuple[Location, Location]
    path: str
    met: dict[Numbers, dict[int, Meeting]] = dataclass_field(default_factory=dict[Numbers, dict[int, Meeting]])
    versions: dict[int, bool] = dataclass_field(default_factory=dict[int, bool])
    apart: set[int] = dataclass_field(default_factory=set[int])

    def was_released(self, field: Field) -> bool:
        """Whether a field of the old struct is part of a released version that is still valid."""
        return any(version in field.plan.versions for version in (*self.versions, *self.apart))

    def numbers_of(self, meeting: Meeting) -> Numbers:
        """Return the numbers that the field of a meeting has on both sides.

        If only one side has the field in this version, its counterpart is the field with the same name.
        """
        old, new = meeting.old, meeting.new
        if old is not None and new is not None:
            return old.number, new.number
        if old is not None:
            return old.number, self.new.numbers.get(old.key)
        if new is not None:
            return self.old.numbers.get(new.key), new.number
        return None, None

    @property
    def fields(self) -> Iterator[FieldPair]:
        """All fields: first the fields of the old struct in order, then the fields that only the new struct has."""
        pairs = dict(self.met)
        met_old = {old for old, _ in pairs}
        for field in self.old.fields:
            if field.number not in met_old:
                namesake = self.new.numbers.get(field.plan.key)
                pairs[field.number, namesake] = {}

        met_new = {new for _, new in pairs}
        for field in self.new.fields:
            if field.number not in met_new:
                pairs[None, field.number] = {}

        for (old, new), meetings in sorted(pairs.items(), key=_order):
            yield FieldPair(
                old=None if old is None else self.old.fields[old],
                new=None if new is None else self.new.fields[new],
                meetings=meetings,
            )


def _order(item: tuple[Numbers, object]) -> tuple[bool, int, int]:
    """Return a sort key that puts the fields of the old struct first."""
    (old, new), _ = item
    return old is None, old or 0, new or 0


@dataclass(frozen=True, slots=True)
class MessagePair:
    """Both sides of a message; ``numbers`` maps the released versions that are still valid to their new numbers.

    ``structs`` are all structs in released versions, outermost first.
    """

    old: Side
    new: Side
    numbers: Mapping[int, int]
    structs: Collection[StructPair]
