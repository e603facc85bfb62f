# ruff: noqa: D103 - the table of rules says what each of them checks
"""Rules about fields that exist on both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from messagegen.evolve import wire
from messagegen.evolve.changes import version_text
from messagegen.evolve.rules.rule import Change, each_field, each_struct
from messagegen.evolve.sides import FieldPair, StructPair
from messagegen.evolve.wire import Slot
from messagegen.evolve.wording import default_text, shape
from messagegen.primitives import RECORDS
from messagegen.spec.model import ArrayType, EntityType, FieldType, StructType
from messagegen.spec.report import quoted


@each_field
def renamed(pair: FieldPair) -> Iterator[Change]:
    old, new = pair.old, pair.new
    if pair.reused is None and (old.plan.attribute, old.plan.key) != (new.plan.attribute, new.plan.key):
        text = f"field {quoted(old.name)} was renamed to {quoted(new.name)}"
        if old.plan.key == new.plan.key:
            text = f"the Python attribute of field {quoted(old.name)} changed from {old.plan.attribute} to {new.plan.attribute}"
        yield Change(text, f"keep the name {quoted(old.name)}", old.location("name"), new.location("name"))


@each_field
def name_reused(pair: FieldPair) -> Iterator[Change]:
    if pair.reused is not None:
        text = f"field {quoted(pair.old.name)} of {version_text(pair.slots)} is now called {quoted(pair.new.name)}, "
        text += f'and its name is used for another field, of versions "{pair.reused.spec.versions}"'
        instead = f"keep the name {quoted(pair.old.name)}, and give the new field a different one"
        yield Change(text, instead, pair.old.location("name"), pair.reused.location("name"))


@each_field
def type_changed(pair: FieldPair) -> Iterator[Change]:
    before, after = str(pair.old.spec.type), str(pair.new.spec.type)
    versions = _versions(pair, lambda old, new: wire.kind(old.codec) != wire.kind(new.codec))
    if versions and not _same_type(pair):
        text = f"type of field {quoted(pair.new.name)} changed from {before} to {after}, which changes {version_text(versions)}"
        instead = f"keep {before}, or add a field of the new type in a new version"
        yield _change(pair, "type", text, instead, versions)


@each_field
def encoding_changed(pair: FieldPair) -> Iterator[Change]:
    changes: dict[tuple[str, str], set[int]] = {}
    for version, (old, new) in pair.slots.items():
        changes.setdefault((wire.kind(old.codec), wire.kind(new.codec)), set()).add(version)
    for (before, after), versions in changes.items():
        if before == after or not _same_type(pair):
            continue
        text = f"encoding of field {quoted(pair.new.name)} changed from {_encoding(before)} to {_encoding(after)} "
        text += f"in {version_text(versions)}"
        name = "elementEncoding" if isinstance(pair.new.spec.type, ArrayType) else "encoding"
        instead = "keep the encoding, and change it in a new version"
        yield _change(pair, name, text, instead, frozenset(versions))


@each_field
def nullability_changed(pair: FieldPair) -> Iterator[Change]:
    def differs(old: Slot, new: Slot) -> bool:
        same_kind = wire.kind(old.codec) == wire.kind(new.codec)
        return same_kind and wire.nullable(old.codec) != wire.nullable(new.codec)

    if versions := _versions(pair, differs):
        before, after = pair.old.spec.nullable_versions, pair.new.spec.nullable_versions
        text = f'nullable versions of field {quoted(pair.new.name)} changed from "{before}" to "{after}", '
        text += f"which changes {version_text(versions)}"
        instead = "keep them in released versions, and change them in a new version"
        yield _change(pair, "nullableVersions", text, instead, versions)


@each_field
def flexibility_changed(pair: FieldPair) -> Iterator[Change]:
    before, after = pair.old.spec.flexible_versions, pair.new.spec.flexible_versions
    if before is None and after is None:
        return

    def differs(old: Slot, new: Slot) -> bool:
        return wire.kind(old.codec) == wire.kind(new.codec) and wire.compact(old.codec) != wire.compact(new.codec)

    if versions := _versions(pair, differs):
        texts = ["those of the message" if one is None else f'"{one}"' for one in (before, after)]
        text = f"flexible versions of field {quoted(pair.new.name)} changed from {texts[0]} to {texts[1]}, "
        text += f"which changes {version_text(versions)}"
        instead = "keep them in released versions, and change them in a new version"
        yield _change(pair, "flexibleVersions", text, instead, versions)


@each_field
def tagged_versions_changed(pair: FieldPair) -> Iterator[Change]:
    if versions := _versions(pair, lambda old, new: (old.tag is None) != (new.tag is None)):
        before, after = pair.old.spec.tagged_versions, pair.new.spec.tagged_versions
        text = f'tagged versions of field {quoted(pair.new.name)} changed from "{before}" to "{after}", '
        text += f"which changes {version_text(versions)}"
        instead = "keep them in released versions, and change them in a new version"
        yield _change(pair, "taggedVersions", text, instead, versions)


@each_field
def tag_changed(pair: FieldPair) -> Iterator[Change]:
    def differs(old: Slot, new: Slot) -> bool:
        return None not in (old.tag, new.tag) and old.tag != new.tag and not (old.empty and new.empty)

    if versions := _versions(pair, differs):
        text = f"tag of field {quoted(pair.new.name)} changed from {pair.old.spec.tag} to {pair.new.spec.tag} "
        text += f"in {version_text(versions)}"
        yield _change(pair, "tag", text, f'keep "tag": {pair.old.spec.tag}', versions)


@each_field
def order_changed(pair: FieldPair) -> Iterator[Change]:
    if pair.moved:
        text = (
            f"field {quoted(pair.new.name)} moved to another place in the order of fields in {version_text(pair.moved)}"
        )
        instead = "put it back where it was; fields are written in the order of the spec"
        yield _change(pair, "", text, instead, pair.moved)


@each_field
def tagged_default_changed(pair: FieldPair) -> Iterator[Change]:
    if versions := _default_on_wire(pair):
        before, after = default_text(pair.old.plan.default), default_text(pair.new.plan.default)
        text = f"default of field {quoted(pair.new.name)} changed from {before} to {after}, which is what a message "
        text += f"without its tagged field means in {version_text(versions)}"
        yield _change(pair, "default", text, f"keep the default {before}", versions)


@each_field
def default_changed(pair: FieldPair) -> Iterator[Change]:
    same = wire.same_default(pair.old.plan.default, pair.new.plan.default)
    if not same and _same_python_type(pair) and not _default_on_wire(pair):
        before, after = default_text(pair.old.plan.default), default_text(pair.new.plan.default)
        text = f"default of field {quoted(pair.new.name)} changed from {before} to {after}"
        yield _change(pair, "default", text, f"keep the default {before}, and set the new value explicitly")


@each_field
def python_type_changed(pair: FieldPair) -> Iterator[Change]:
    on_wire = any(wire.kind(old.codec) != wire.kind(new.codec) for old, new in pair.slots.values())
    if not on_wire and not _same_python_type(pair):
        before, after = str(pair.old.spec.type), str(pair.new.spec.type)
        text = (
            f"type of field {quoted(pair.new.name)} changed from {before} to {after}, which is another type in Python"
        )
        yield _change(pair, "type", text, f"keep {before}, or give the new field another name")


@each_field
def map_key_changed(pair: FieldPair) -> Iterator[Change]:
    if pair.old.spec.map_key != pair.new.spec.map_key:
        verb = "became" if pair.new.spec.map_key else "is no longer"
        text = f"field {quoted(pair.new.name)} {verb} a map key, which changes how elements are looked up"
        yield _change(pair, "mapKey", text, "keep the map keys of a struct")


@each_field
def entity_type_changed(pair: FieldPair) -> Iterator[Change]:
    before, after = pair.old.spec.entity_type, pair.new.spec.entity_type
    # Adding an entity type only documents what the values always were.
    if before is not after and before is not EntityType.UNKNOWN:
        text = f'entity type of field {quoted(pair.new.name)} changed from "{before.value}" to "{after.value}"'
        yield _change(pair, "entityType", text, f'keep "entityType": "{before.value}"')


@each_struct
def ignorable_changed(struct: StructPair) -> Iterator[Change]:
    for pair in struct.fields:
        before, after = pair.old.spec.ignorable, pair.new.spec.ignorable
        lacking = struct.versions.difference(pair.new.plan.versions)
        if before != after and lacking:
            effect = "became ignorable" if after else "is no longer ignorable"
            text = f"field {quoted(pair.new.name)} {effect}: a value of it is now {'dropped' if after else 'rejected'} "
            text += f"in {version_text(lacking)}"
            yield _change(pair, "ignorable", text, f'write "ignorable": {str(before).lower()}')


def _change(pair: FieldPair, name: str, text: str, instead: str, versions: frozenset[int] = frozenset()) -> Change:
    return Change(text, instead, pair.old.location(name), pair.new.location(name), versions)


def _versions(pair: FieldPair, differs: Callable[[Slot, Slot], bool]) -> frozenset[int]:
    return frozenset(version for version, (old, new) in pair.slots.items() if differs(old, new))


def _default_on_wire(pair: FieldPair) -> frozenset[int]:
    """The versions in which missing bytes mean the default, and the default has changed."""
    if wire.same_default(pair.old.plan.default, pair.new.plan.default):
        return frozenset()
    same_kind = _versions(pair, lambda old, new: wire.kind(old.codec) == wire.kind(new.codec))
    return pair.as_default & same_kind


def _same_type(pair: FieldPair) -> bool:
    """Whether the type stayed; all structs count as one type."""
    return shape(pair.old.spec.type) == shape(pair.new.spec.type)


def _same_python_type(pair: FieldPair) -> bool:
    return _python_type(pair.old.spec.type) == _python_type(pair.new.spec.type)


def _python_type(type_: FieldType) -> str:
    match type_:
        case ArrayType(element):
            return f"tuple of {_python_type(element)}"
        case StructType():
            return "struct"
        case _:
            return "bytes or None" if type_ is RECORDS else type_.python


def _encoding(kind: str) -> str:
    kind = kind.removeprefix("[]")
    return f"fixed{kind.removeprefix('int')}" if kind.startswith("int") else kind
