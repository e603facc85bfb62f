"""Pairs the corresponding fields of two layouts.

Fields are matched by name. The remaining fields may have been renamed. They are matched by tag or, if untagged, by
their position after the last field that kept its name.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from messagegen.evolve.wire import Slot, same_kind


def match_slots(old: Sequence[Slot], new: Sequence[Slot]) -> list[tuple[Slot, Slot]]:
    """Return the fields of an old layout with their counterparts in a new layout, in the old order."""
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
    """Return the fields whose names are only on this side, by their place.

    The place is the tag. For untagged fields, it is the name of the last field that both sides have, and the number of
    fields after that one.
    """
    found: dict[tuple[str, int | None], Slot] = {}
    last_named = ""
    since = 0
    for slot in slots:
        if slot.key in named:
            last_named = slot.key
            since = 0
        elif slot.tag is not None:
            # This can't be a field name, because names contain no spaces.
            found["tag ", slot.tag] = slot
        elif not slot.empty:
            found[last_named, since] = slot
            since += 1
    return found


def overtaken(pairs: Sequence[tuple[Slot, Slot]]) -> dict[Slot, tuple[Slot, Slot]]:
    """Return each untagged field that now precedes its former predecessor, with that predecessor on both sides."""
    in_order = [(old, new) for old, new in pairs if not old.empty and old.tag is None and new.tag is None]
    return {
        follower[0]: followed for followed, follower in pairwise(in_order) if follower[1].number < followed[1].number
    }
