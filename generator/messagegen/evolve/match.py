"""Matches the fields of two layouts of one version.

Fields are matched by name. The remaining fields may have been renamed: tagged fields are matched by
tag, untagged ones by their order between the fields that kept their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from messagegen.evolve import wire
from messagegen.evolve.wire import Slot
from messagegen.plan import ops

Matched = tuple[Slot, Slot]


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


def match_layouts(
    old_plan: ops.MessagePlan, new_plan: ops.MessagePlan, old_layout: ops.Layout, new_layout: ops.Layout
) -> Match:
    """Matches the fields of a layout of the old plan with those of a layout of the new one."""
    old_keys, new_keys = _keys(old_plan, old_layout), _keys(new_plan, new_layout)
    old_slots, new_slots = list(wire.slots(old_plan, old_layout)), list(wire.slots(new_plan, new_layout))
    by_key = {new_keys[slot.number]: slot for slot in new_slots}
    same_key = [(slot, by_key[old_keys[slot.number]]) for slot in old_slots if old_keys[slot.number] in by_key]
    named = [(one, other) for one, other in same_key if one.empty == other.empty or same_kind(one, other)]

    def same_bytes(one: Slot, other: Slot) -> bool:
        return wire.signature(old_plan, one.codec) == wire.signature(new_plan, other.codec)

    pairs = [*named, *_renamed_tagged(*_left(old_slots, new_slots, named))]
    pairs += _renamed_untagged(old_slots, new_slots, pairs, same_bytes)
    removed, added = _left(old_slots, new_slots, pairs)
    return Match(
        pairs=tuple(sorted(pairs, key=lambda pair: pair[0].number)),
        removed=tuple(removed),
        added=tuple(added),
        moved=_moved(old_slots, new_slots, pairs),
        refused_by_new=_tag_holders(new_plan, new_layout, new_slots),
        refused_by_old=_tag_holders(old_plan, old_layout, old_slots),
    )


def _keys(plan: ops.MessagePlan, layout: ops.Layout) -> tuple[str, ...]:
    """The JSON names of fields, which identify fields regardless of the case of their first letter."""
    return tuple(one.key for one in plan.structs[layout.struct].fields)


def _tag_holders(plan: ops.MessagePlan, layout: ops.Layout, own: Sequence[Slot]) -> dict[int, int]:
    """The field of each tag that a layout knows, or rejects because only other versions of the field have it."""
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
        if other is not None and same_kind(slot, other):
            yield slot, other


def same_kind(one: Slot, other: Slot) -> bool:
    """Whether both encode the same value to the same bytes, ignoring structs and lengths."""
    return wire.kind(one.codec) == wire.kind(other.codec)


def _renamed_untagged(
    old: Sequence[Slot], new: Sequence[Slot], pairs: Sequence[Matched], same_bytes: Callable[[Slot, Slot], bool]
) -> list[Matched]:
    """Pairs of unmatched untagged fields between two matched fields: first those with equal bytes, then with equal kind."""
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
        yield from _in_order(*inside, same_kind)


def _in_order(old: list[Slot], new: list[Slot], alike: Callable[[Slot, Slot], bool]) -> Iterator[Matched]:
    """The longest sequence of pairs of similar slots, in the order of both sides."""
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
    """The fields, by old number, that changed their order relative to the others."""
    new_of = {one.number: other for one, other in pairs if one.tag is None and other.tag is None}
    before = [new_of[one.number].number for one in old if one.number in new_of and not one.empty]
    known = set(before)
    after = [one.number for one in new if one.number in known and not one.empty]
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    kept = {number for block in blocks for number in before[block.a : block.a + block.size]}
    return frozenset(one for one, other in new_of.items() if other.number in set(after) - kept)
