"""Aligns two specs of a message: which field of one is which of the other, in each released version.

Fields are matched by name. The remaining fields may have been renamed: tagged fields are matched by tag, untagged ones by their
position after the last field that kept its name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from messagegen.evolve.wire import Slot, held_layout, kind, slots_of
from messagegen.findings import Location
from messagegen.plan import ops
from messagegen.plan.build import build_plan
from messagegen.spec.model import FieldSpec, MessageKind, MessageSpec

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
    """A struct on one side, which may be the message itself; ``numbers`` are those of the fields by their names in JSON."""

    name: str
    fields: tuple[Field, ...]
    numbers: Mapping[str, int]


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
        specs = ((self.spec.name, self.spec.fields), *((one.name, one.fields) for one in self.spec.structs))
        return tuple(
            Struct(
                name,
                tuple(map(Field, range(len(fields)), fields, planned.fields)),
                {one.key: number for number, one in enumerate(planned.fields)},
            )
            for (name, fields), planned in zip(specs, self.plan.structs, strict=True)
        )

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

    ``as_default`` says that a new default changes the meaning of old bytes: the field is tagged, or part of the default of a tagged
    struct. ``passed`` is a field that it followed, and that now follows it, on both sides. ``refused``: the side without the field does
    not skip its tag.
    """

    old: Slot | None
    new: Slot | None
    as_default: bool = False
    passed: tuple[Slot, Slot] | None = None
    refused: bool = False

    @property
    def alone(self) -> bool:
        """Whether one side has bytes that the other one, which lacks the field, cannot skip."""
        slot = (self.old or self.new) if None in (self.old, self.new) else None
        return slot is not None and not slot.empty and (slot.tag is None or self.refused)


@dataclass(frozen=True, slots=True)
class FieldPair:
    """A field of the old spec and its counterpart in the new one, of which one may be missing, with the released versions."""

    old: Field | None
    new: Field | None
    meetings: Mapping[int, Meeting]


@dataclass(slots=True)
class StructPair:
    """A struct of the old spec and the struct in its place, with the fields of both.

    ``places`` are the locations of the fields that hold it, and ``path`` is the prefix of its fields' names.
    ``met`` are the meetings by version, by the numbers of the fields; ``versions`` says where the struct is part of a default.
    """

    old: Struct
    new: Struct
    places: tuple[Location, Location]
    path: str
    met: dict[_Numbers, dict[int, Meeting]] = field(default_factory=dict[_Numbers, dict[int, Meeting]])
    versions: dict[int, bool] = field(default_factory=dict[int, bool])

    @property
    def fields(self) -> Iterator[FieldPair]:
        """All fields: those of the old struct in order, then those that only the new one has."""
        pairs = dict(self.met)
        met_old, met_new = {old for old, _ in pairs}, {new for _, new in pairs}
        for one in self.old.fields:
            if one.number not in met_old:
                pairs[one.number, self.new.numbers.get(one.plan.key)] = {}
        met_new |= {new for _, new in pairs}
        pairs |= {(None, one.number): {} for one in self.new.fields if one.number not in met_new}
        for (old, new), meetings in sorted(pairs.items(), key=_order):
            before = None if old is None else self.old.fields[old]
            yield FieldPair(before, None if new is None else self.new.fields[new], meetings)


def _order(item: tuple[_Numbers, object]) -> tuple[bool, int, int]:
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
    places = old.location(old.spec, "fields"), new.location(new.spec, "fields")
    walk.found[0, 0] = StructPair(old.structs[0], new.structs[0], places, "")
    old_roots, new_roots = dict(old.plan.roots), dict(new.plan.roots)
    for version, successor in numbers.items():
        walk.visit(walk.found[0, 0], version, (old_roots[version], new_roots[successor]), as_default=False)
    return MessagePair(old, new, numbers, walk.found.values())


def _same_versions(old: Side, new: Side) -> dict[int, int]:
    """The new number of each released version that is still valid: the same as before, with one exception.

    The number before a coordinator's key on the wire is the version of a ``data`` message, but the API key of a
    ``coordinator-key`` message, which has version 0 (Kafka 4.1).
    """
    kinds = old.spec.kind, new.spec.kind
    if kinds == (MessageKind.DATA, MessageKind.COORDINATOR_KEY) and new.spec.api_key in old.spec.valid_versions:
        return {version: 0 for version in old.released if version == new.spec.api_key}
    return {version: version for version in old.released if version in new.spec.valid_versions}


class _Walk:
    """Walks both plans from the message down to the innermost structs, version by version."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old, self.new = old, new
        self.found: dict[tuple[int, int], StructPair] = {}

    def visit(self, pair: StructPair, version: int, layouts: tuple[int, int], *, as_default: bool) -> None:
        if pair.versions.get(version) in (True, as_default):
            return
        pair.versions[version] = as_default
        for one in self._meetings(layouts, as_default=as_default):
            # Where only one side has a field, its counterpart is the one with the same name in other versions.
            old_number = one.old.number if one.old else pair.old.numbers.get(one.new.key if one.new else "")
            new_number = one.new.number if one.new else pair.new.numbers.get(one.old.key if one.old else "")
            pair.met.setdefault((old_number, new_number), {})[version] = one
            if one.old is None or one.new is None or not same_kind(one.old, one.new):
                continue
            old, new = held_layout(one.old.codec), held_layout(one.new.codec)
            if old is not None and new is not None:
                both = pair.old.fields[one.old.number], pair.new.fields[one.new.number]
                inside = self._inside(
                    pair, both, (self.old.plan.layouts[old].struct, self.new.plan.layouts[new].struct)
                )
                default = one.as_default and all(each.plan.default is ops.EMPTY_STRUCT for each in both)
                self.visit(inside, version, (old, new), as_default=default)

    def _inside(self, pair: StructPair, holders: tuple[Field, Field], structs: tuple[int, int]) -> StructPair:
        """The pair of the structs with these numbers, which is in ``pair`` as the type of ``holders``."""
        places = self.old.location(holders[0].spec, "type"), self.new.location(holders[1].spec, "type")
        path = f"{pair.path}{holders[1].spec.name}."
        both = self.old.structs[structs[0]], self.new.structs[structs[1]]
        return self.found.setdefault(structs, StructPair(*both, places, path))

    def _meetings(self, layouts: tuple[int, int], *, as_default: bool) -> Iterator[Meeting]:
        """The fields of two layouts, matched."""
        old, new = self.old.slots[layouts[0]], self.new.slots[layouts[1]]
        pairs = match_slots(old, new)
        in_order = [pair for pair in pairs if not pair[0].empty and {slot.tag for slot in pair} == {None}]
        passed = {right[0]: left for left, right in pairwise(in_order) if right[1].number < left[1].number}
        for one, other in pairs:
            tagged = one.tag is not None or other.tag is not None
            yield Meeting(one, other, as_default or tagged, passed=passed.get(one))
        met = {slot for pair in pairs for slot in pair}
        for slot in old:
            if slot not in met:
                yield Meeting(slot, None, refused=slot.tag in _tags(self.new, layouts[1]))
        for slot in new:
            if slot not in met:
                yield Meeting(None, slot, refused=slot.tag in _tags(self.old, layouts[0]))


def _tags(side: Side, layout: int) -> set[int | None]:
    """The tags that a layout knows, or rejects because only other versions of the field have them."""
    return {slot.tag for slot in side.slots[layout]} | {*side.plan.layouts[layout].foreign_tags}


def match_slots(old: Sequence[Slot], new: Sequence[Slot]) -> list[tuple[Slot, Slot]]:
    """The fields of a layout of the old plan with their counterparts in one of the new plan, in the old order."""
    by_key = {slot.key: slot for slot in new}
    named = {one: by_key[one.key] for one in old if one.key in by_key}
    keys = {one.key for one in named}
    places, new_places = _places(old, keys), _places(new, keys)
    renamed = {
        slot: new_places[place]
        for place, slot in places.items()
        if place in new_places and same_kind(slot, new_places[place])
    }
    return sorted((named | renamed).items(), key=lambda pair: pair[0].number)


def _places(slots: Sequence[Slot], named: Collection[str]) -> dict[tuple[str, int | None], Slot]:
    """The fields without a namesake by their place: their tag, or the count since the last field that has one."""
    found: dict[tuple[str, int | None], Slot] = {}
    last, count = "", 0
    for slot in slots:
        if slot.tag is not None and slot.key not in named:
            found["tag ", slot.tag] = slot
        elif slot.key in named:
            last, count = slot.key, 0
        elif not slot.empty:
            found[last, count] = slot
            count += 1
    return found


def same_kind(one: Slot, other: Slot) -> bool:
    """Whether both encode the same value to the same bytes, ignoring structs and lengths."""
    return kind(one.codec) == kind(other.codec)
