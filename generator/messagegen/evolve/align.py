"""Aligns two specs of a message: matches the fields of both in each released version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from messagegen.evolve import wire
from messagegen.evolve.match import Match, Matched, match_layouts, same_kind
from messagegen.evolve.sides import Field, FieldPair, LoneField, MessagePair, Side, StructPair
from messagegen.evolve.wire import Slot
from messagegen.plan import ops
from messagegen.spec.model import MessageKind


def align(old: Side, new: Side) -> MessagePair:
    """The pair of a message, with all structs that are on the wire in a released version, outermost first."""
    versions = _same_versions(old, new)
    if old.plan is None or new.plan is None:
        return MessagePair(old, new, versions, ())
    walk = _Walk(old, new, old.plan, new.plan)
    old_roots, new_roots = dict(old.plan.roots), dict(new.plan.roots)
    for version, successor in versions.items():
        walk.visit((0, 0), version, (old_roots[version], new_roots[successor]), None)
    walk.pairs.setdefault((0, 0), _Found(None))
    structs = tuple(_struct_pair(old, new, key, found) for key, found in walk.pairs.items())
    return MessagePair(old, new, versions, structs)


def _same_versions(old: Side, new: Side) -> dict[int, int]:
    """The new number of each released version that is still valid: the same as before, with one exception.

    The number before a coordinator's key on the wire is the version of a ``data`` message, but the API key of a
    ``coordinator-key`` message, which has version 0 (Kafka 4.1).
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
    """The state of a pair of structs: the fields that hold it, its matches by version, and where it is a default."""

    holder: tuple[Field, Field] | None
    matches: dict[int, Match] = field(default_factory=dict[int, "Match"])
    as_default: set[int] = field(default_factory=set[int])


class _Walk:
    """Walks both plans from the message down to the innermost structs, version by version."""

    def __init__(self, old: Side, new: Side, old_plan: ops.MessagePlan, new_plan: ops.MessagePlan) -> None:
        self.old, self.new = old, new
        self.old_plan, self.new_plan = old_plan, new_plan
        self.pairs: dict[tuple[int, int], _Found] = {}
        self._matches: dict[tuple[int, int], Match] = {}
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
        old_fields, new_fields = self.old.structs[structs[0]].fields, self.new.structs[structs[1]].fields
        for old, new in match.pairs:
            layouts_inside = wire.held_layout(old.codec), wire.held_layout(new.codec)
            if layouts_inside[0] is None or layouts_inside[1] is None or not same_kind(old, new):
                continue
            fields = old_fields[old.number], new_fields[new.number]
            inside = self.old_plan.layouts[layouts_inside[0]].struct, self.new_plan.layouts[layouts_inside[1]].struct
            default = (as_default or None not in (old.tag, new.tag)) and all(
                one.plan.default is ops.EMPTY_STRUCT for one in fields
            )
            self.visit(inside, version, (layouts_inside[0], layouts_inside[1]), fields, as_default=default)

    def _match(self, old: int, new: int) -> Match:
        if (old, new) not in self._matches:
            self._matches[old, new] = match_layouts(self.old, self.new, old, new)
        return self._matches[old, new]


def _struct_pair(old: Side, new: Side, key: tuple[int, int], found: _Found) -> StructPair:
    before, after = old.structs[key[0]], new.structs[key[1]]
    places = old.location("fields"), new.location("fields")
    if found.holder:
        places = found.holder[0].location("type"), found.holder[1].location("type")
    return StructPair(
        old=before,
        new=after,
        versions=frozenset(found.matches),
        holder=found.holder,
        fields=tuple(_field_pairs(old, before.fields, after.fields, found)),
        removed=tuple(_removed(old, before.fields, after.fields, found)),
        added=tuple(_lone(after.fields, before.fields, found, removed=False)),
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
    for number, own in enumerate(old_fields):
        # Fields with the same name that share no released version still share an attribute of the class.
        if number not in paired and own.plan.key in by_key and old.released.intersection(own.plan.versions):
            slots[number, by_key[own.plan.key]] = {}
    for (number, new_number), of_pair in sorted(slots.items()):
        own = old_fields[number]
        holder = by_key.get(own.plan.key)
        yield FieldPair(
            old=own,
            new=new_fields[new_number],
            slots=of_pair,
            as_default=frozenset(
                version
                for version, (before, after) in of_pair.items()
                if version in found.as_default or None not in (before.tag, after.tag)
            ),
            moved=frozenset(moved.get(number, set()) & of_pair.keys()),
            reused=new_fields[holder] if holder is not None and holder != new_number else None,
        )


def _removed(old: Side, old_fields: Sequence[Field], new_fields: Sequence[Field], found: _Found) -> Iterator[LoneField]:
    lone = list(_lone(old_fields, new_fields, found, removed=True))
    yield from lone
    met = {id(one.field) for one in lone}
    met |= {id(old_fields[slot.number]) for match in found.matches.values() for slot, _ in match.pairs}
    keys = {one.plan.key for one in new_fields}
    for one in old_fields:
        # None of the remaining released versions had the field.
        if id(one) not in met and one.plan.key not in keys and old.released.intersection(one.plan.versions):
            yield LoneField(one, {}, None, {})


def _lone(fields: Sequence[Field], others: Sequence[Field], found: _Found, *, removed: bool) -> Iterator[LoneField]:
    """The unmatched fields of one side: of the old one if ``removed``, otherwise of the new one."""
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
        own = fields[number]
        counterpart = by_key.get(own.plan.key) or counterparts.get(number)
        yield LoneField(own, of_field, counterpart, refused.get(number, {}))
