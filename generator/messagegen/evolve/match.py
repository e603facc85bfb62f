"""Matches the fields of two layouts of one version.

Fields are matched by name. The remaining fields may have been renamed: tagged fields are matched by
tag, untagged ones by their order between the fields that kept their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from messagegen.evolve import wire
from messagegen.evolve.sides import Field, Side
from messagegen.evolve.wire import Slot

Matched = tuple[Slot, Slot]
_Keys = tuple[Callable[[Slot], str], Callable[[Slot], str]]
"""What slots of the old and of the new layout are matched by."""


@dataclass(frozen=True, slots=True)
class Match:
    """The fields of two layouts: pairs, unmatched fields of each side, and the pairs (by old number) that changed their order.

    ``refused`` maps a tag that one side writes to the number of the field that the other side reads it as.
    """

    pairs: tuple[Matched, ...]
    removed: tuple[Slot, ...]
    added: tuple[Slot, ...]
    moved: frozenset[int]
    refused_by_new: dict[int, int]
    refused_by_old: dict[int, int]


def match_layouts(old: Side, new: Side, old_layout: int, new_layout: int) -> Match:
    """Matches the fields of a layout of the old plan with those of a layout of the new one."""
    old_keys, new_keys = _names(old, old_layout), _names(new, new_layout)
    old_slots, new_slots = old.wire.slots[old_layout], new.wire.slots[new_layout]
    by_key = {new_keys[slot.number]: slot for slot in new_slots}
    same_key = [(slot, by_key[old_keys[slot.number]]) for slot in old_slots if old_keys[slot.number] in by_key]
    named = [(one, other) for one, other in same_key if one.empty == other.empty or same_kind(one, other)]

    keys: list[_Keys] = [
        (lambda one: old.wire.signature(one.codec), lambda other: new.wire.signature(other.codec)),
        (lambda one: wire.kind(one.codec), lambda other: wire.kind(other.codec)),
    ]
    pairs = [*named, *_renamed_tagged(*_left(old_slots, new_slots, named))]
    pairs += list(_renamed_untagged(old_slots, new_slots, pairs, keys))
    removed, added = _left(old_slots, new_slots, pairs)
    return Match(
        pairs=tuple(sorted(pairs, key=lambda pair: pair[0].number)),
        removed=tuple(removed),
        added=tuple(added),
        moved=_moved(old_slots, new_slots, pairs),
        refused_by_new=_tag_holders(new, new_layout),
        refused_by_old=_tag_holders(old, old_layout),
    )


def _names(side: Side, layout: int) -> tuple[str, ...]:
    """The JSON names of fields, which identify fields regardless of the case of their first letter."""
    return tuple(one.plan.key for one in _fields(side, layout))


def _fields(side: Side, layout: int) -> Sequence[Field]:
    assert side.plan is not None
    return side.structs[side.plan.layouts[layout].struct].fields


def _tag_holders(side: Side, layout: int) -> dict[int, int]:
    """The field of each tag that a layout knows, or rejects because only other versions of the field have it."""
    assert side.plan is not None
    foreign = side.plan.layouts[layout].foreign_tags
    numbers = {one.plan.tag: number for number, one in enumerate(_fields(side, layout))}
    known = {slot.tag: slot.number for slot in side.wire.slots[layout] if slot.tag is not None}
    return {tag: numbers[tag] for tag in foreign if tag in numbers} | known


def _left(old: Sequence[Slot], new: Sequence[Slot], pairs: Sequence[Matched]) -> tuple[list[Slot], list[Slot]]:
    old_used, new_used = {one.number for one, _ in pairs}, {other.number for _, other in pairs}
    return [one for one in old if one.number not in old_used], [one for one in new if one.number not in new_used]


def _renamed_tagged(old: Sequence[Slot], new: Sequence[Slot]) -> Iterator[Matched]:
    by_tag = {slot.tag: slot for slot in new if slot.tag is not None}
    for slot in old:
        other = by_tag.get(slot.tag) if slot.tag is not None else None
        if other is not None and same_kind(slot, other):
            yield slot, other


def same_kind(one: Slot, other: Slot) -> bool:
    """Whether both encode the same value to the same bytes, ignoring structs and lengths."""
    return wire.kind(one.codec) == wire.kind(other.codec)


def _renamed_untagged(
    old: Sequence[Slot], new: Sequence[Slot], pairs: Sequence[Matched], keys: Sequence[_Keys]
) -> Iterator[Matched]:
    """Pairs of unmatched untagged fields between two matched fields: by each kind of key in turn."""
    ends = {(one.number, other.number) for one, other in pairs if other.tag is None}
    old_paired, new_paired = {one.number for one, _ in pairs}, {number for _, number in ends}
    old, new = [one for one in old if one.tag is None], [one for one in new if one.tag is None]
    old_place = {one.number: place for place, one in enumerate(old)}
    start, gap = 0, list[Slot]()
    old_of = {other: one for one, other in ends}
    for slot in (*new, None):
        if slot is not None and slot.number not in new_paired:
            gap.append(slot)
            continue
        end = len(old) if slot is None else old_place.get(old_of[slot.number], start)
        if end >= start:
            yield from _paired([one for one in old[start:end] if one.number not in old_paired], gap, keys)
            start = end
        gap = []


def _paired(old: Sequence[Slot], new: Sequence[Slot], keys: Sequence[_Keys]) -> Iterator[Matched]:
    """Pairs of slots with equal keys, in the order of both sides; the slots between two pairs by the remaining keys."""
    if not keys or not old or not new:
        return
    (of_old, of_new), *others = keys
    blocks = SequenceMatcher(None, list(map(of_old, old)), list(map(of_new, new)), autojunk=False).get_matching_blocks()
    old_start = new_start = 0
    for place, new_place, size in blocks:
        yield from _paired(old[old_start:place], new[new_start:new_place], others)
        old_start, new_start = place + size, new_place + size
        yield from zip(old[place:old_start], new[new_place:new_start], strict=True)


def _moved(old: Sequence[Slot], new: Sequence[Slot], pairs: Sequence[Matched]) -> frozenset[int]:
    """The fields, by old number, that changed their order relative to the others."""
    new_of = {one.number: other for one, other in pairs if one.tag is None and other.tag is None}
    before = [new_of[one.number].number for one in old if one.number in new_of and not one.empty]
    known = set(before)
    after = [one.number for one in new if one.number in known and not one.empty]
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    kept = {number for block in blocks for number in before[block.a : block.a + block.size]}
    return frozenset(one for one, other in new_of.items() if other.number in set(after) - kept)
