"""What it breaks that a field is on one side only: removed fields, new fields in released versions, and reused tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from messagegen.evolve.changes import Break, version_text
from messagegen.evolve.sides import Field, LoneField, StructPair
from messagegen.findings import quoted


def lone_fields(struct: StructPair) -> Iterator[Break]:
    """The breaks of a struct by fields that one side lacks, in some or all released versions."""
    for lone in struct.removed:
        name, place = quoted(lone.field.name), (lone.field.location(), struct.new_location)
        if lone.other is None and lone.untagged:
            text = f"field {name} was removed from {version_text(lone.untagged)}"
            instead = 'keep it, and end its "versions" to drop it from new versions'
            yield Break("FIELD_NOT_REMOVED", text, instead, *place, lone.untagged)
        if lone.tagged and not lone.untagged and (lone.other is None or not lone.refused):
            text = f"tagged field {name} was removed from {version_text(lone.tagged)}"
            yield Break("TAGGED_FIELD_NOT_REMOVED", text, "keep it; readers may ignore it", *place)
        if lone.other is None and not lone.untagged and not lone.tagged:
            text = f"field {name} was removed; no valid version has bytes for it"
            instead = "keep it as long as Python code uses the attribute"
            yield Break("FIELD_ATTRIBUTE_NOT_REMOVED", text, instead, *place)
    for lone in struct.added:
        if lone.other is None and lone.untagged:
            text = f"field {quoted(lone.field.name)} was added to released {version_text(lone.untagged)}"
            instead = 'start its "versions" at a new version, or make it a tagged field'
            yield Break("FIELD_NOT_ADDED", text, instead, struct.old_location, lone.field.location(), lone.untagged)
    yield from _other_versions(struct)
    yield from _reused_tags(struct)


def _other_versions(struct: StructPair) -> Iterator[Break]:
    def other(lone: LoneField) -> Iterator[tuple[int, Field]]:
        own_tag = {version for version, holder in lone.refused.items() if holder is lone.other}
        if lone.other is not None:
            yield from ((version, lone.other) for version in lone.untagged | own_tag)

    for old, new, versions in _pairs(struct, other):
        text = f'versions of field {quoted(new.name)} changed from "{old.spec.versions}" to "{new.spec.versions}", '
        text += f"which changes {version_text(versions)}"
        instead = f"keep it as it was in {version_text(versions)}, and change it in a new version"
        yield Break("FIELD_SAME_VERSIONS", text, instead, old.location("versions"), new.location("versions"), versions)


def _reused_tags(struct: StructPair) -> Iterator[Break]:
    def other(lone: LoneField) -> Iterator[tuple[int, Field]]:
        yield from ((version, holder) for version, holder in lone.refused.items() if holder is not lone.other)

    used = {one.plan.tag for one in (*struct.old.fields, *struct.new.fields)}
    for old, new, versions in _pairs(struct, other):
        text = f"tag {new.spec.tag}, which belonged to field {quoted(old.name)}, is now used for {quoted(new.name)} "
        text += f"in {version_text(versions)}"
        free = next(tag for tag in count() if tag not in used)
        instead = f"keep field {quoted(old.name)}, and give {quoted(new.name)} the tag {free}"
        yield Break("TAG_NOT_REUSED", text, instead, old.location("tag"), new.location("tag"), versions)


def _pairs(
    struct: StructPair, other: Callable[[LoneField], Iterator[tuple[int, Field]]]
) -> Iterator[tuple[Field, Field, set[int]]]:
    """Fields of both sides with their versions: a lone field, and the ``other`` one that it meets in a version."""
    found: dict[tuple[int, int], tuple[Field, Field, set[int]]] = {}
    for lone in (*struct.removed, *struct.added):
        for version, met in other(lone):
            both = (lone.field, met) if lone in struct.removed else (met, lone.field)
            found.setdefault((id(both[0]), id(both[1])), (*both, set[int]()))[2].add(version)
    yield from found.values()
