"""Aligns two specs of a message: pairs the corresponding fields in each released version.

Both plans are walked at the same time, version by version. ``matching.py`` pairs the fields of two layouts, and
``pairs.py`` defines the result.
"""

from __future__ import annotations

from collections.abc import Iterator

from messagegen.evolve.matching import match_slots, overtaken
from messagegen.evolve.pairs import Meeting, MessagePair, Numbers, StructPair
from messagegen.evolve.sides import Field, Side
from messagegen.evolve.wire import Slot, held_layout, same_kind
from messagegen.plan import ops
from messagegen.spec.model import ArrayType, MessageKind


def align(old: Side, new: Side) -> MessagePair:
    """Return the two sides of a message as a pair, with pairs of its structs and their fields."""
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
    """Return the new number of each released version that is still valid: its old number, with one exception.

    The number before a coordinator's key on the wire is the version of a ``data`` message, but the API key of a
    ``coordinator-key`` message, which has version 0 (Kafka 4.1).
    """
    kinds = (old.spec.kind, new.spec.kind)
    api_key = new.spec.api_key
    if kinds == (MessageKind.DATA, MessageKind.COORDINATOR_KEY) and api_key in old.spec.valid_versions:
        return {version: 0 for version in old.released if version == api_key}
    return {version: version for version in old.released if version in new.spec.valid_versions}


class _Walk:
    """A walk through both plans from the message down to the innermost structs, version by version.

    ``found`` are the pairs of structs, by the numbers of both structs in their plans. ``apart`` are fields that exist
    on both sides, but in this version only on the old side: the pair of structs with the field, the version, and the
    field's numbers. Structs in such fields share no bytes in this version, but they still share a class.
    """

    def __init__(self, old: Side, new: Side) -> None:
        self.old = old
        self.new = new
        self.found: dict[tuple[int, int], StructPair] = {}
        self.apart: list[tuple[StructPair, int, tuple[int, int]]] = []

    def visit(self, pair: StructPair, version: int, layouts: tuple[int, int], *, as_default: bool) -> None:
        """Record a ``Meeting`` for each field of a struct in one version, and for the fields of the structs inside it.

        ``layouts`` are the numbers of the struct's layouts in the old and the new plan. ``as_default`` is true for a
        struct in the default of a tagged field. A visit with ``as_default`` records more, so it may follow a visit of
        the same struct without ``as_default``.
        """
        visited_as_default = pair.versions.get(version)
        if visited_as_default is not None and (visited_as_default or not as_default):
            return
        pair.versions[version] = as_default
        for meeting in self._meetings(layouts, as_default=as_default):
            numbers = pair.numbers_of(meeting)
            pair.met.setdefault(numbers, {})[version] = meeting
            if meeting.old is not None and meeting.new is not None and same_kind(meeting.old, meeting.new):
                self._visit_inside(pair, version, (meeting.old, meeting.new), as_default=meeting.as_default)
            elif meeting.new is None:
                self._note_apart(pair, version, numbers)

    def _visit_inside(self, pair: StructPair, version: int, holders: tuple[Slot, Slot], *, as_default: bool) -> None:
        """Visit the struct that both fields ``holders`` hold, alone or in an array, if they hold one."""
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
        """Return the pair for two nested structs. ``holders`` are their fields, and ``structs`` are their numbers."""
        old, new = holders
        if structs not in self.found:
            self.found[structs] = StructPair(
                old=self.old.structs[structs[0]],
                new=self.new.structs[structs[1]],
                places=(self.old.location(old.spec, "type"), self.new.location(new.spec, "type")),
                path=f"{pair.path}{new.spec.name}.",
            )
        return self.found[structs]

    def _note_apart(self, pair: StructPair, version: int, numbers: Numbers) -> None:
        """Record a field that the new side lacks in this version, if it has the field in other versions."""
        old, new = numbers
        if old is not None and new is not None:
            self.apart.append((pair, version, (old, new)))

    def visit_apart(self) -> None:
        """Record the versions that only the old side of a struct has, and do the same for the structs inside it."""
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
        """Yield a meeting for each field of two layouts."""
        old = self.old.slots[layouts[0]]
        new = self.new.slots[layouts[1]]
        pairs = match_slots(old, new)
        passed = overtaken(pairs)
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


def _tags(side: Side, layout: int) -> set[int | None]:
    """Return the tags that a layout reads, and the tags that it rejects because they belong to other versions only."""
    return {slot.tag for slot in side.slots[layout]} | set(side.plan.layouts[layout].foreign_tags)
