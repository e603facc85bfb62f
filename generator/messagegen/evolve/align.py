"""Aligns two specs of a message: which field of the new one is which field of the old one, in each released version.

A field keeps its identity by its name. What is left over on both sides in a version may have been renamed: tagged fields
are paired by their tag, untagged ones in their order, between the fields that have kept their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise

from messagegen.evolve import wire
from messagegen.evolve.sides import Field, FieldPair, LoneField, MessagePair, Side, StructPair
from messagegen.evolve.wire import Slot
from messagegen.plan import ops
from messagegen.spec.model import MessageKind

Matched = tuple[Slot, Slot]


def align(old: Side, new: Side) -> MessagePair:
    """The pair of a message, with all structs that lie on the wire in a released version, outermost first."""
    versions = _same_versions(old, new)
    if old.plan is None or new.plan is None:
        return MessagePair(old, new, versions, ())
    walk = _Walk(old, new)
    old_roots, new_roots = dict(old.plan.roots), dict(new.plan.roots)
    for version, successor in versions.items():
        walk.visit((0, 0), version, (old_roots[version], new_roots[successor]), None)
    walk.pairs.setdefault((0, 0), _Found(None))
    structs = tuple(_struct_pair(old, new, key, found) for key, found in walk.pairs.items())
    return MessagePair(old, new, versions, structs)


def _same_versions(old: Side, new: Side) -> dict[int, int]:
    """The new number of each released version that is still valid: the old one, with one exception.

    A key of a coordinator that is written as ``data`` has the version that lies before it on the wire for its number. As a
    ``coordinator-key`` it has that number as its api key, and version 0 (Kafka 4.1).
    """
    key = new.spec.api_key
    if (old.spec.kind, new.spec.kind) == (
        MessageKind.DATA,
        MessageKind.COORDINATOR_KEY,
    ) and key in old.spec.valid_versions:
        return {key: 0} if key in old.released else {}
    return {version: version for version in sorted(old.released) if version in new.spec.valid_versions}


@dataclass(slots=True)
class _Found:
    """What is known of a pair of structs: the fields that hold it, its matches by version, and where it is a default."""

    holder: tuple[Field, Field] | None
    matches: dict[int, _Match] = field(default_factory=dict[int, "_Match"])
    as_default: set[int] = field(default_factory=set[int])


@dataclass(frozen=True, slots=True)
class _Match:
    """The fields of two layouts: pairs, what is left on each side, and the pairs (by old number) that changed their order.

    ``refused`` maps a tag that one side writes to the number of the field for which the other side takes it.
    """

    pairs: tuple[Matched, ...]
    removed: tuple[Slot, ...]
    added: tuple[Slot, ...]
    moved: frozenset[int]
    refused_by_new: dict[int, int]
    refused_by_old: dict[int, int]


class _Walk:
    """Follows both plans from the message down to its innermost structs, version by version."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old = old
        self.new = new
        self.pairs: dict[tuple[int, int], _Found] = {}
        self._matches: dict[tuple[int, int], _Match] = {}
        self._visited: set[tuple[tuple[int, int], int, bool]] = set()

    def visit(
        self,
        structs: tuple[int, int],
        version: int,
        layouts: tuple[int, int],
        holder: tuple[Field, Field] | None,
        *,
        as_default: bool = False,
    ) -> None:
        if (structs, version, as_default) in self._visited:
            return
        self._visited.add((structs, version, as_default))
        found = self.pairs.setdefault(structs, _Found(holder))
        match = self._match(*layouts)
        found.matches[version] = match
        if as_default:
            found.as_default.add(version)
        old_fields, new_fields = self.old.fields[structs[0]], self.new.fields[structs[1]]
        for old, new in match.pairs:
            layouts_inside = wire.held_layout(old.codec), wire.held_layout(new.codec)
            if layouts_inside[0] is None or layouts_inside[1] is None or not _same_kind(old, new):
                continue
            fields = old_fields[old.number], new_fields[new.number]
            inside = self.old.layout(layouts_inside[0]).struct, self.new.layout(layouts_inside[1]).struct
            default = (as_default or None not in (old.tag, new.tag)) and all(
                one.plan.default is ops.EMPTY_STRUCT for one in fields
            )
            self.visit(inside, version, (layouts_inside[0], layouts_inside[1]), fields, as_default=default)

    def _match(self, old: int, new: int) -> _Match:
        if (old, new) not in self._matches:
            self._matches[old, new] = _match(self.old, self.new, self.old.layout(old), self.new.layout(new))
        return self._matches[old, new]


def _match(old: Side, new: Side, old_layout: ops.Layout, new_layout: ops.Layout) -> _Match:
    assert old.plan is not None
    assert new.plan is not None
    old_plan, new_plan = old.plan, new.plan
    old_keys, new_keys = _keys(old_plan, old_layout), _keys(new_plan, new_layout)
    old_slots, new_slots = list(wire.slots(old_plan, old_layout)), list(wire.slots(new_plan, new_layout))
    by_key = {new_keys[slot.number]: slot for slot in new_slots}
    same_key = [(slot, by_key[old_keys[slot.number]]) for slot in old_slots if old_keys[slot.number] in by_key]
    named = [(one, other) for one, other in same_key if one.empty == other.empty or _same_kind(one, other)]

    def same_bytes(one: Slot, other: Slot) -> bool:
        return wire.signature(old_plan, one.codec) == wire.signature(new_plan, other.codec)

    pairs = [*named, *_renamed_tagged(*_left(old_slots, new_slots, named))]
    pairs += _renamed_untagged(old_slots, new_slots, pairs, same_bytes)
    removed, added = _left(old_slots, new_slots, pairs)
    return _Match(
        pairs=tuple(sorted(pairs, key=lambda pair: pair[0].number)),
        removed=tuple(removed),
        added=tuple(added),
        moved=_moved(old_slots, new_slots, pairs),
        refused_by_new=_tag_holders(new_plan, new_layout, new_slots),
        refused_by_old=_tag_holders(old_plan, old_layout, old_slots),
    )


def _keys(plan: ops.MessagePlan, layout: ops.Layout) -> tuple[str, ...]:
    """The names of fields as JSON has them: they tell fields apart, whatever the case of their first letter."""
    return tuple(one.key for one in plan.structs[layout.struct].fields)


def _tag_holders(plan: ops.MessagePlan, layout: ops.Layout, own: Sequence[Slot]) -> dict[int, int]:
    """The field by each tag that a layout takes for a field, or refuses since the field has it in other versions only."""
    holders = {
        one.tag: number
        for number, one in enumerate(plan.structs[layout.struct].fields)
        if one.tag is not None and one.tag in layout.foreign_tags
    }
    return holders | {slot.tag: slot.number for slot in own if slot.tag is not None}


def _left(old: Sequence[Slot], new: Sequence[Slot], pairs: Sequence[Matched]) -> tuple[list[Slot], list[Slot]]:
    old_used, new_used = {one.number for one, _ in pairs}, {other.number for _, other in pairs}
    return [one for one in old if one.number not in old_used], [one for one in new if one.number not in new_used]


def _renamed_tagged(old: Sequence[Slot], new: Sequence[Slot]) -> Iterator[Matched]:
    by_tag = {slot.tag: slot for slot in new if slot.tag is not None}
    for slot in old:
        other = by_tag.get(slot.tag) if slot.tag is not None else None
        if other is not None and _same_kind(slot, other):
            yield slot, other


def _same_kind(one: Slot, other: Slot) -> bool:
    return wire.kind(one.codec) == wire.kind(other.codec)


def _renamed_untagged(
    old: Sequence[Slot], new: Sequence[Slot], pairs: Sequence[Matched], same_bytes: Callable[[Slot, Slot], bool]
) -> list[Matched]:
    """Pairs of untagged fields that are left between two fields with names of before: of equal bytes, then of equal kind."""
    old_of = {other.number: one for one, other in pairs if other.tag is None}
    paired = {one.number for one, _ in pairs}
    old_untagged = [one for one in old if one.tag is None]
    found: list[Matched] = []
    start = 0
    gap: list[Slot] = []
    for one in (*(slot for slot in new if slot.tag is None), None):
        if one is not None and one.number not in old_of:
            gap.append(one)
            continue
        end = len(old_untagged)
        if one is not None:
            end = next((at for at, slot in enumerate(old_untagged) if slot.number == old_of[one.number].number), start)
        if end >= start:
            left = [slot for slot in old_untagged[start:end] if slot.number not in paired]
            found += _paired(left, gap, same_bytes)
            start = end
        gap = []
    return found


def _paired(old: list[Slot], new: list[Slot], same_bytes: Callable[[Slot, Slot], bool]) -> Iterator[Matched]:
    exact = list(_in_order(old, new, same_bytes))
    yield from exact
    ends = [(-1, -1), *((old.index(one), new.index(other)) for one, other in exact), (len(old), len(new))]
    for (old_start, new_start), (old_end, new_end) in pairwise(ends):
        inside = old[old_start + 1 : old_end], new[new_start + 1 : new_end]
        yield from _in_order(*inside, _same_kind)


def _in_order(old: list[Slot], new: list[Slot], alike: Callable[[Slot, Slot], bool]) -> Iterator[Matched]:
    """The longest pairs of slots that are alike, in the order of both sides."""
    longest = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for row in reversed(range(len(old))):
        for column in reversed(range(len(new))):
            skipped = max(longest[row + 1][column], longest[row][column + 1])
            both = longest[row + 1][column + 1] + 1 if alike(old[row], new[column]) else 0
            longest[row][column] = max(skipped, both)
    row = column = 0
    while row < len(old) and column < len(new):
        if alike(old[row], new[column]) and longest[row][column] == longest[row + 1][column + 1] + 1:
            yield old[row], new[column]
            row, column = row + 1, column + 1
        elif longest[row + 1][column] >= longest[row][column + 1]:
            row += 1
        else:
            column += 1


def _moved(old: Sequence[Slot], new: Sequence[Slot], pairs: Sequence[Matched]) -> frozenset[int]:
    """The fields, by their old number, that are no longer in the order of the others."""
    new_of = {one.number: other for one, other in pairs if one.tag is None and other.tag is None}
    before = [new_of[one.number].number for one in old if one.number in new_of and not one.empty]
    known = set(before)
    after = [one.number for one in new if one.number in known and not one.empty]
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    kept = {number for block in blocks for number in before[block.a : block.a + block.size]}
    return frozenset(one for one, other in new_of.items() if other.number in set(after) - kept)


def _struct_pair(old: Side, new: Side, key: tuple[int, int], found: _Found) -> StructPair:
    old_fields, new_fields = old.fields[key[0]], new.fields[key[1]]
    assert old.plan is not None
    assert new.plan is not None
    places = old.location("fields"), new.location("fields")
    if found.holder:
        places = found.holder[0].location("type"), found.holder[1].location("type")
    return StructPair(
        old=old.structs[key[0]],
        new=new.structs[key[1]],
        versions=frozenset(found.matches),
        holder=found.holder,
        fields=tuple(_field_pairs(old, old_fields, new_fields, found)),
        removed=tuple(_removed(old, old_fields, new_fields, found)),
        added=tuple(_lone(new_fields, old_fields, found, removed=False)),
        old_class=old.plan.structs[key[0]].class_name,
        new_class=new.plan.structs[key[1]].class_name,
        old_location=places[0],
        new_location=places[1],
    )


def _field_pairs(
    old: Side, old_fields: Sequence[Field], new_fields: Sequence[Field], found: _Found
) -> Iterator[FieldPair]:
    slots: dict[tuple[int, int], dict[int, Matched]] = {}
    moved: dict[int, set[int]] = {}
    for version, match in sorted(found.matches.items()):
        for one, other in match.pairs:
            slots.setdefault((one.number, other.number), {})[version] = (one, other)
        for number in match.moved:
            moved.setdefault(number, set()).add(version)
    by_key = {one.plan.key: number for number, one in enumerate(new_fields)}
    paired = {number for number, _ in slots}
    for number, one in enumerate(old_fields):
        # Fields of one name that no released version has on both sides still share an attribute of the class.
        if number not in paired and one.plan.key in by_key and old.released.intersection(one.plan.versions):
            slots[number, by_key[one.plan.key]] = {}
    for (number, other), of_pair in sorted(slots.items()):
        field, successor = old_fields[number], new_fields[other]
        holder = by_key.get(field.plan.key)
        yield FieldPair(
            old=field,
            new=successor,
            slots=of_pair,
            as_default=frozenset(
                version
                for version, (before, after) in of_pair.items()
                if version in found.as_default or None not in (before.tag, after.tag)
            ),
            moved=frozenset(moved.get(number, set()) & of_pair.keys()),
            reused=new_fields[holder] if holder is not None and holder != other else None,
        )


def _removed(old: Side, old_fields: Sequence[Field], new_fields: Sequence[Field], found: _Found) -> Iterator[LoneField]:
    lone = list(_lone(old_fields, new_fields, found, removed=True))
    yield from lone
    met = {id(one.field) for one in lone}
    met |= {id(old_fields[slot.number]) for match in found.matches.values() for slot, _ in match.pairs}
    keys = {one.plan.key for one in new_fields}
    for one in old_fields:
        # No released version is left that had the field.
        if id(one) not in met and one.plan.key not in keys and old.released.intersection(one.plan.versions):
            yield LoneField(one, {}, None, {})


def _lone(fields: Sequence[Field], others: Sequence[Field], found: _Found, *, removed: bool) -> Iterator[LoneField]:
    """The fields that are left on one side: on the old one where ``removed``, else on the new one."""
    slots: dict[int, dict[int, Slot]] = {}
    refused: dict[int, dict[int, Field]] = {}
    counterparts: dict[int, Field] = {}
    for version, match in sorted(found.matches.items()):
        for old, new in match.pairs:
            one, other = (old, new) if removed else (new, old)
            counterparts.setdefault(one.number, others[other.number])
        holders = match.refused_by_new if removed else match.refused_by_old
        for slot in match.removed if removed else match.added:
            slots.setdefault(slot.number, {})[version] = slot
            if slot.tag is not None and slot.tag in holders and not slot.empty:
                refused.setdefault(slot.number, {})[version] = others[holders[slot.tag]]
    by_key = {one.plan.key: one for one in others}
    for number, of_field in sorted(slots.items()):
        field = fields[number]
        other = by_key.get(field.plan.key) or counterparts.get(number)
        yield LoneField(field, of_field, other, refused.get(number, {}))
