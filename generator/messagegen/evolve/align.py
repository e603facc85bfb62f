"""Aligns two specs of a message: which field of one is which of the other, in each released version.

Fields are matched by name. The remaining fields may have been renamed: tagged fields are matched by tag, untagged ones
by their position after the last field that kept its name.

Three classes hold the result. A ``MessagePair`` has the message on both sides and its ``StructPair``s. A struct pair
has a ``FieldPair`` for each field, of which one side may be missing. A field pair has a ``Meeting`` for each released
version: what is on the wire for the field, on both sides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cached_property
from itertools import pairwise

from messagegen.evolve.wire import Slot, held_layout, kind, slots_of
from messagegen.findings import Location
from messagegen.plan import ops
from messagegen.plan.build import build_plan
from messagegen.spec.field_types import struct_name
from messagegen.spec.model import ArrayType, FieldSpec, MessageKind, MessageSpec

_Numbers = tuple[int | None, int | None]
"""The numbers of a field in the old and in the new struct."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field on one side: its place in its struct, as written in the spec, and in the plan."""

    number: int
    spec: FieldSpec
    plan: ops.FieldPlan


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct on one side, which may be the message itself.

    ``numbers`` are the numbers of the fields by their names in JSON.
    """

    name: str
    fields: tuple[Field, ...]
    numbers: Mapping[str, int]


def _struct(name: str, specs: Sequence[FieldSpec], plan: ops.StructPlan) -> Struct:
    fields = tuple(
        Field(number, spec, planned) for number, (spec, planned) in enumerate(zip(specs, plan.fields, strict=True))
    )
    return Struct(name, fields, {field.plan.key: field.number for field in fields})


@dataclass(frozen=True)
class Side:
    """A message on one side; ``unstable`` is its version that may change, if it has one."""

    spec: MessageSpec
    unstable: int | None = None

    @cached_property
    def plan(self) -> ops.MessagePlan:
        """The plan; a retired message, which has no versions, has none."""
        return build_plan(self.spec)

    @cached_property
    def slots(self) -> list[tuple[Slot, ...]]:
        """What is on the wire in each layout of the plan."""
        return slots_of(self.plan)

    @cached_property
    def structs(self) -> tuple[Struct, ...]:
        """The message itself, then its structs, in the order of the plan; none of a retired message."""
        if self.spec.valid_versions.empty:
            return ()
        specs = [(self.spec.name, self.spec.fields)]
        specs += [(struct.name, struct.fields) for struct in self.spec.structs]
        return tuple(
            _struct(name, fields, planned) for (name, fields), planned in zip(specs, self.plan.structs, strict=True)
        )

    @cached_property
    def _numbers_of_structs(self) -> dict[str, int]:
        """The numbers in the plan by name, without that of the message itself, which no field holds."""
        return {struct.name: number for number, struct in enumerate(self.spec.structs, 1)}

    def number_of_struct(self, field: FieldSpec) -> int | None:
        """The number in the plan of the struct in a field, alone or in an array; ``None`` for other types."""
        name = struct_name(field.type)
        return None if name is None else self._numbers_of_structs[name]

    @property
    def released(self) -> list[int]:
        """The versions that must not change."""
        return [version for version in self.spec.valid_versions if version != self.unstable]

    def location(self, part: MessageSpec | FieldSpec, name: str) -> Location:
        """The location of property ``name`` of a part of the spec, or of the part itself if it has no such property."""
        place = part.place
        if place is None:
            return Location(self.spec.file, 1, 1)
        position = place.of(name)
        path = place.path(name) if name in place.properties else place.json_path
        return Location(self.spec.file, position.line, position.column, path)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A field of both sides in one version; a slot is ``None`` if that side does not have the field there.

    ``as_default`` says that a new default changes the meaning of old bytes: the field is tagged, or part of the default
    of a tagged struct. ``passed`` is another field, on both sides, which this one followed and now precedes.
    ``refused`` says that the side without the field does not skip its tag.
    """

    old: Slot | None
    new: Slot | None
    as_default: bool = False
    passed: tuple[Slot, Slot] | None = None
    refused: bool = False

    @property
    def alone(self) -> bool:
        """Whether one side has bytes that the other one, which lacks the field, cannot skip."""
        slot = self.old or self.new
        if slot is None or (self.old is not None and self.new is not None):
            return False
        is_skipped = slot.tag is not None and not self.refused
        return not slot.empty and not is_skipped


@dataclass(frozen=True, slots=True)
class FieldPair:
    """A field of the old spec and its counterpart in the new one, of which one may be missing.

    ``meetings`` are those in the released versions.
    """

    old: Field | None
    new: Field | None
    meetings: Mapping[int, Meeting]


@dataclass(slots=True)
class StructPair:
    """A struct of the old spec and the struct in its place, with the fields of both.

    ``places`` are the locations of the fields that hold it, and ``path`` is the prefix of its fields' names. ``met``
    are the meetings by version, by the numbers of the fields. ``versions`` are those in which the struct was visited,
    and whether it is part of a default there. ``apart`` are those in which only the old side has the struct; they have
    no meetings.
    """

    old: Struct
    new: Struct
    places: tuple[Location, Location]
    path: str
    met: dict[_Numbers, dict[int, Meeting]] = dataclass_field(default_factory=dict[_Numbers, dict[int, Meeting]])
    versions: dict[int, bool] = dataclass_field(default_factory=dict[int, bool])
    apart: set[int] = dataclass_field(default_factory=set[int])

    def was_released(self, field: Field) -> bool:
        """Whether a field of the old struct is part of a released version that is still valid."""
        return any(version in field.plan.versions for version in (*self.versions, *self.apart))

    @property
    def fields(self) -> Iterator[FieldPair]:
        """All fields: those of the old struct in order, then those that only the new one has."""
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


def _order(item: tuple[_Numbers, object]) -> tuple[bool, int, int]:
    """Fields of the old struct come first."""
    (old, new), _ = item
    return old is None, old or 0, new or 0


@dataclass(frozen=True, slots=True)
class MessagePair:
    """A message on both sides; ``numbers`` maps the released versions that are still valid to their new numbers.

    ``structs`` are all that are on the wire in a released version, outermost first.
    """

    old: Side
    new: Side
    numbers: Mapping[int, int]
    structs: Collection[StructPair]


def align(old: Side, new: Side) -> MessagePair:
    """The pair of a message, with its structs and their fields."""
    numbers = _same_versions(old, new)
    if not old.structs or not new.structs:
        return MessagePair(old, new, numbers, ())
    walk = _Walk(old, new)
    message = StructPair(
        old=old.structs[0],
        new=new.structs[0],
        places=(old.location(old.spec, "fields"), new.location(new.spec, "fields")),
        path="",
    )
    walk.found[0, 0] = message
    old_roots = dict(old.plan.roots)
    new_roots = dict(new.plan.roots)
    for version, successor in numbers.items():
        walk.visit(message, version, (old_roots[version], new_roots[successor]), as_default=False)
    walk.visit_apart()
    return MessagePair(old, new, numbers, walk.found.values())


def _same_versions(old: Side, new: Side) -> dict[int, int]:
    """The new number of each released version that is still valid: the same as before, with one exception.

    The number before a coordinator's key on the wire is the version of a ``data`` message, but the API key of a
    ``coordinator-key`` message, which has version 0 (Kafka 4.1).
    """
    kinds = (old.spec.kind, new.spec.kind)
    api_key = new.spec.api_key
    if kinds == (MessageKind.DATA, MessageKind.COORDINATOR_KEY) and api_key in old.spec.valid_versions:
        return {version: 0 for version in old.released if version == api_key}
    return {version: version for version in old.released if version in new.spec.valid_versions}


class _Walk:
    """Walks both plans from the message down to the innermost structs, version by version.

    ``found`` are the pairs of structs, by the numbers of both in their plans. ``apart`` are the fields that hold a
    struct in a version in which only the old side has them: the pair of the struct that has the field, the version, and
    the field's numbers on both sides. Their structs share no bytes in this version, but still share a class.
    """

    def __init__(self, old: Side, new: Side) -> None:
        self.old = old
        self.new = new
        self.found: dict[tuple[int, int], StructPair] = {}
        self.apart: list[tuple[StructPair, int, tuple[int, int]]] = []

    def visit(self, pair: StructPair, version: int, layouts: tuple[int, int], *, as_default: bool) -> None:
        """Notes the meetings of the fields of a struct in a version, and of the structs in it.

        ``layouts`` are those of the struct in the old and the new plan. ``as_default`` says that the struct is part of
        the default of a tagged field. Such a visit notes more than another one, so it may come after it.
        """
        visited_as_default = pair.versions.get(version)
        if visited_as_default is not None and (visited_as_default or not as_default):
            return
        pair.versions[version] = as_default
        for meeting in self._meetings(layouts, as_default=as_default):
            numbers = _numbers(pair, meeting)
            pair.met.setdefault(numbers, {})[version] = meeting
            if meeting.old is not None and meeting.new is not None and same_kind(meeting.old, meeting.new):
                self._visit_inside(pair, version, (meeting.old, meeting.new), as_default=meeting.as_default)
            elif meeting.new is None:
                self._note_apart(pair, version, numbers)

    def _visit_inside(self, pair: StructPair, version: int, holders: tuple[Slot, Slot], *, as_default: bool) -> None:
        """Visits the struct that the fields ``holders`` have as their value, or as elements, if they have one."""
        old_holder, new_holder = holders
        old_layout = held_layout(old_holder.codec)
        new_layout = held_layout(new_holder.codec)
        if old_layout is None or new_layout is None:
            return

        old_field = pair.old.fields[old_holder.number]
        new_field = pair.new.fields[new_holder.number]
        structs = (self.old.plan.layouts[old_layout].struct, self.new.plan.layouts[new_layout].struct)
        inside = self._pair_inside(pair, (old_field, new_field), structs)
        # Only the default of a single struct consists of the defaults of its fields.
        both_are_structs = old_field.plan.default is ops.EMPTY_STRUCT and new_field.plan.default is ops.EMPTY_STRUCT
        self.visit(inside, version, (old_layout, new_layout), as_default=as_default and both_are_structs)

    def _pair_inside(self, pair: StructPair, holders: tuple[Field, Field], structs: tuple[int, int]) -> StructPair:
        """The pair of the ``structs`` with these numbers, which the fields ``holders`` of ``pair`` hold."""
        old, new = holders
        if structs not in self.found:
            self.found[structs] = StructPair(
                old=self.old.structs[structs[0]],
                new=self.new.structs[structs[1]],
                places=(self.old.location(old.spec, "type"), self.new.location(new.spec, "type")),
                path=f"{pair.path}{new.spec.name}.",
            )
        return self.found[structs]

    def _note_apart(self, pair: StructPair, version: int, numbers: _Numbers) -> None:
        """Notes a field that the new side has, but not in this version."""
        old, new = numbers
        if old is not None and new is not None:
            self.apart.append((pair, version, (old, new)))

    def visit_apart(self) -> None:
        """Notes the versions in which only the old side has a struct, with the structs in it."""
        while self.apart:
            pair, version, (old_number, new_number) = self.apart.pop()
            old, new = pair.old.fields[old_number], pair.new.fields[new_number]
            old_struct = self.old.number_of_struct(old.spec)
            new_struct = self.new.number_of_struct(new.spec)
            is_array = isinstance(old.spec.type, ArrayType)
            if old_struct is None or new_struct is None or is_array != isinstance(new.spec.type, ArrayType):
                continue

            inside = self._pair_inside(pair, (old, new), (old_struct, new_struct))
            if version in inside.apart:
                continue
            inside.apart.add(version)
            for field in inside.old.fields:
                if version in field.plan.versions:
                    self._note_apart(inside, version, (field.number, inside.new.numbers.get(field.plan.key)))

    def _meetings(self, layouts: tuple[int, int], *, as_default: bool) -> Iterator[Meeting]:
        """The fields of two layouts, matched."""
        old = self.old.slots[layouts[0]]
        new = self.new.slots[layouts[1]]
        pairs = match_slots(old, new)
        passed = _passed(pairs)
        for one, other in pairs:
            is_tagged = one.tag is not None or other.tag is not None
            yield Meeting(one, other, as_default or is_tagged, passed=passed.get(one))

        met = {slot for pair in pairs for slot in pair}
        known_to_new = _tags(self.new, layouts[1])
        for slot in old:
            if slot not in met:
                yield Meeting(slot, None, refused=slot.tag in known_to_new)
        known_to_old = _tags(self.old, layouts[0])
        for slot in new:
            if slot not in met:
                yield Meeting(None, slot, refused=slot.tag in known_to_old)


def _numbers(pair: StructPair, meeting: Meeting) -> _Numbers:
    """The numbers of the field on both sides.

    Where only one side has the field, its counterpart is the one with the same name in other versions.
    """
    old, new = meeting.old, meeting.new
    if old is not None and new is not None:
        return old.number, new.number
    if old is not None:
        return old.number, pair.new.numbers.get(old.key)
    if new is not None:
        return pair.old.numbers.get(new.key), new.number
    return None, None


def _passed(pairs: Sequence[tuple[Slot, Slot]]) -> dict[Slot, tuple[Slot, Slot]]:
    """For each untagged field that now precedes the one that it followed: that other field, on both sides."""
    in_order = [(old, new) for old, new in pairs if not old.empty and old.tag is None and new.tag is None]
    return {
        follower[0]: followed for followed, follower in pairwise(in_order) if follower[1].number < followed[1].number
    }


def _tags(side: Side, layout: int) -> set[int | None]:
    """The tags that a layout knows, or rejects because only other versions of the field have them."""
    return {slot.tag for slot in side.slots[layout]} | set(side.plan.layouts[layout].foreign_tags)


def match_slots(old: Sequence[Slot], new: Sequence[Slot]) -> list[tuple[Slot, Slot]]:
    """The fields of a layout of the old plan with their counterparts in one of the new plan, in the old order."""
    by_key = {slot.key: slot for slot in new}
    matched = {slot: by_key[slot.key] for slot in old if slot.key in by_key}
    named = {slot.key for slot in matched}

    new_places = _places(new, named)
    for place, slot in _places(old, named).items():
        renamed = new_places.get(place)
        if renamed is not None and same_kind(slot, renamed):
            matched[slot] = renamed
    return sorted(matched.items(), key=lambda pair: pair[0].number)


def _places(slots: Sequence[Slot], named: Collection[str]) -> dict[tuple[str, int | None], Slot]:
    """The fields without a namesake by their place.

    That is their tag, or the name of the last field with a namesake and the number of fields since.
    """
    found: dict[tuple[str, int | None], Slot] = {}
    last_named = ""
    since = 0
    for slot in slots:
        if slot.key in named:
            last_named = slot.key
            since = 0
        elif slot.tag is not None:
            found["tag ", slot.tag] = slot
        elif not slot.empty:
            found[last_named, since] = slot
            since += 1
    return found


def same_kind(one: Slot, other: Slot) -> bool:
    """Whether both encode the same value to the same bytes, ignoring structs and lengths."""
    return kind(one.codec) == kind(other.codec)
