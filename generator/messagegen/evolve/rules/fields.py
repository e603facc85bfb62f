"""Rules about fields that exist on both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from messagegen.evolve import wire
from messagegen.evolve.changes import version_text
from messagegen.evolve.rules.rule import Change, fields, rule, structs
from messagegen.evolve.sides import FieldPair, StructPair
from messagegen.evolve.wire import Slot
from messagegen.evolve.wording import default_text, shape
from messagegen.spec.model import ArrayType, EntityType
from messagegen.spec.report import quoted

_IN_A_NEW_VERSION = "keep them in released versions, and change them in a new version"


@rule(fields, "API JSON")
def field_same_name(pair: FieldPair) -> Iterator[Change]:
    """Checks that a field keeps its name."""
    if pair.reused is None and _name_changes(pair) == (True, True):
        text = f"field {quoted(pair.old.name)} was renamed to {quoted(pair.new.name)}"
        yield _change(pair, "name", text, f"keep the name {quoted(pair.old.name)}")


@rule(fields, "JSON")
def field_same_json_name(pair: FieldPair) -> Iterator[Change]:
    """Checks that a field keeps its name in JSON, even if its attribute stays."""
    if pair.reused is None and _name_changes(pair) == (False, True):
        text = f"the JSON name of field {quoted(pair.new.name)} changed from {pair.old.plan.key} to {pair.new.plan.key}"
        yield _change(pair, "name", text, f"keep the name {quoted(pair.old.name)}")


@rule(fields, "API")
def field_same_attribute(pair: FieldPair) -> Iterator[Change]:
    """Checks that a field keeps its attribute in Python, even if its name stays."""
    if pair.reused is None and _name_changes(pair) == (True, False):
        before, after = pair.old.plan.attribute, pair.new.plan.attribute
        text = f"the Python attribute of field {quoted(pair.new.name)} changed from {before} to {after}"
        yield _change(pair, "name", text, "rename the field that has the attribute now")


@rule(fields, "API JSON")
def field_name_not_reused(pair: FieldPair) -> Iterator[Change]:
    """Checks that the name of a field is not reused for another field."""
    if pair.reused is not None:
        text = f"field {quoted(pair.old.name)} of {version_text(pair.slots)} is now called {quoted(pair.new.name)}, "
        text += f'and its name is used for another field, of versions "{pair.reused.spec.versions}"'
        instead = f"keep the name {quoted(pair.old.name)}, and give the new field a different one"
        yield Change(text, instead, pair.old.location("name"), pair.reused.location("name"))


@rule(fields, "WIRE API JSON")
def field_same_type(pair: FieldPair) -> Iterator[Change]:
    """Checks that a field keeps its type in released versions."""
    if _other_python(pair):
        yield from _other_type(pair)


@rule(fields, "WIRE JSON")
def field_same_wire_type(pair: FieldPair) -> Iterator[Change]:
    """Checks that a field keeps its type, even if Python's stays."""
    if not _other_python(pair):
        yield from _other_type(pair)


@rule(fields, "API")
def field_same_python_type(pair: FieldPair) -> Iterator[Change]:
    """Checks that type checkers still accept code that uses a field."""
    old, new = pair.old.python("struct"), pair.new.python("struct")
    if set(old) == set(new) or any(_other_type(pair)):
        return
    before, after = pair.old.annotation(), pair.new.annotation()
    effects = [f"reads it as {before}"] if set(new) - set(old) else []
    if gone := [name for name in old if name not in new]:
        effects.append(f"sets it to {' or '.join(gone)}")
    text = f"Python type of field {quoted(pair.new.name)} changed from {before} to {after}: "
    text += f"a type checker rejects code that {' or '.join(effects)}"
    name = "nullableVersions" if set(old) ^ set(new) == {"None"} else "type"
    yield _change(pair, name, text, "keep the type, or change that code")


@rule(fields, "WIRE")
def field_same_encoding(pair: FieldPair) -> Iterator[Change]:
    """Checks that an integer keeps its encoding in released versions (KIP-625)."""
    changes: dict[tuple[str, str], set[int]] = {}
    for version, (old, new) in pair.slots.items():
        changes.setdefault((wire.kind(old.codec), wire.kind(new.codec)), set()).add(version)
    for (before, after), versions in changes.items():
        if before != after and _same_shape(pair):
            text = f"encoding of field {quoted(pair.new.name)} changed from {_encoding(before)} to {_encoding(after)} "
            text += f"in {version_text(versions)}"
            name = "elementEncoding" if isinstance(pair.new.spec.type, ArrayType) else "encoding"
            yield _change(pair, name, text, "keep the encoding, and change it in a new version", frozenset(versions))


@rule(fields, "WIRE JSON")
def field_same_nullable_versions(pair: FieldPair) -> Iterator[Change]:
    """Checks that a field stays nullable, or not, in released versions."""
    versions = _versions(pair, lambda old, new: _same_kind(old, new) and _nullable(old) != _nullable(new))
    before, after = pair.old.spec.nullable_versions, pair.new.spec.nullable_versions
    yield from _changed_versions(pair, "nullable", f'"{before}"', f'"{after}"', versions)


@rule(fields, "WIRE")
def field_same_flexible_versions(pair: FieldPair) -> Iterator[Change]:
    """Checks that a length stays compact, or not, in released versions."""
    own = pair.old.spec.flexible_versions, pair.new.spec.flexible_versions
    if own != (None, None):
        before, after = ("those of the message" if one is None else f'"{one}"' for one in own)
        versions = _versions(
            pair, lambda old, new: _same_kind(old, new) and wire.compact(old.codec) != wire.compact(new.codec)
        )
        yield from _changed_versions(pair, "flexible", before, after, versions)


@rule(fields, "WIRE")
def field_same_tagged_versions(pair: FieldPair) -> Iterator[Change]:
    """Checks that a field stays tagged, or not, in released versions."""
    versions = _versions(pair, lambda old, new: (old.tag is None) != (new.tag is None))
    before, after = pair.old.spec.tagged_versions, pair.new.spec.tagged_versions
    yield from _changed_versions(pair, "tagged", f'"{before}"', f'"{after}"', versions)


@rule(fields, "WIRE")
def field_same_tag(pair: FieldPair) -> Iterator[Change]:
    """Checks that a tagged field keeps its tag."""

    def differs(old: Slot, new: Slot) -> bool:
        return None not in (old.tag, new.tag) and old.tag != new.tag and not (old.empty and new.empty)

    if versions := _versions(pair, differs):
        text = f"tag of field {quoted(pair.new.name)} changed from {pair.old.spec.tag} to {pair.new.spec.tag} "
        text += f"in {version_text(versions)}"
        yield _change(pair, "tag", text, f'keep "tag": {pair.old.spec.tag}', versions)


@rule(fields, "WIRE")
def field_same_order(pair: FieldPair) -> Iterator[Change]:
    """Checks that fields keep their order in released versions."""
    if pair.moved:
        text = f"field {quoted(pair.new.name)} moved to another place in the order of fields in "
        instead = "put it back where it was; fields are written in the order of the spec"
        yield _change(pair, "", text + version_text(pair.moved), instead, pair.moved)


@rule(fields, "WIRE API JSON")
def tagged_field_same_default(pair: FieldPair) -> Iterator[Change]:
    """Checks that a tagged field, which may be missing, keeps its default."""
    if versions := _default_on_wire(pair):
        before, after = default_text(pair.old.plan.default), default_text(pair.new.plan.default)
        text = (
            f"default of field {quoted(pair.new.name)} changed from {before} to {after}; in {version_text(versions)} "
        )
        text += f"a message without this tagged field means {after}"
        yield _change(pair, "default", text, f"keep the default {before}", versions)


@rule(fields, "API")
def field_same_default(pair: FieldPair) -> Iterator[Change]:
    """Checks that a field keeps its default in Python."""
    same = wire.same_default(pair.old.plan.default, pair.new.plan.default)
    if not same and not _other_python(pair) and not _default_on_wire(pair):
        before, after = default_text(pair.old.plan.default), default_text(pair.new.plan.default)
        text = f"default of field {quoted(pair.new.name)} changed from {before} to {after}"
        yield _change(pair, "default", text, f"keep the default {before}, and set the new value explicitly")


@rule(structs, "API")
def field_same_map_key(struct: StructPair) -> Iterator[Change]:
    """Checks that a struct with map keys keeps them."""
    # Where there was none, no code looks elements up.
    if any(field.spec.map_key for field in struct.old.fields):
        for pair in struct.fields:
            if pair.old.spec.map_key != pair.new.spec.map_key:
                verb = "became" if pair.new.spec.map_key else "is no longer"
                text = f"field {quoted(pair.new.name)} {verb} a map key, which changes how elements are looked up"
                yield _change(pair, "mapKey", text, "keep the map keys of a struct")


@rule(fields, "API")
def field_same_entity_type(pair: FieldPair) -> Iterator[Change]:
    """Checks that a field keeps its entity type once it has one."""
    before, after = pair.old.spec.entity_type, pair.new.spec.entity_type
    # Adding an entity type only documents what the values always were.
    if before is not after and before is not EntityType.UNKNOWN:
        text = f'entity type of field {quoted(pair.new.name)} changed from "{before.value}" to "{after.value}"'
        yield _change(pair, "entityType", text, f'keep "entityType": "{before.value}"')


@rule(structs, "API")
def field_same_ignorable(struct: StructPair) -> Iterator[Change]:
    """Checks that a field stays ignorable, or not ignorable."""
    for pair in struct.fields:
        before, after = pair.old.spec.ignorable, pair.new.spec.ignorable
        lacking = struct.versions.difference(pair.new.plan.versions)
        if before != after and lacking:
            effect = "became ignorable" if after else "is no longer ignorable"
            text = f"field {quoted(pair.new.name)} {effect}: a value of it is now {'dropped' if after else 'rejected'} "
            text += f"in {version_text(lacking)}"
            yield _change(pair, "ignorable", text, f'write "ignorable": {str(before).lower()}')


@rule(fields, "API")
def field_stays_sensitive(pair: FieldPair) -> Iterator[Change]:
    """Checks that a sensitive field stays sensitive."""
    if pair.old.plan.sensitive is not None and pair.new.plan.sensitive is None:
        text = f"field {quoted(pair.new.name)} is no longer sensitive: its value appears in repr, errors and logs"
        yield _change(pair, "sensitive", text, 'keep "sensitive": true')


def _change(pair: FieldPair, name: str, text: str, instead: str, versions: frozenset[int] = frozenset()) -> Change:
    return Change(text, instead, pair.old.location(name), pair.new.location(name), versions)


def _changed_versions(
    pair: FieldPair, kind: str, before: str, after: str, versions: frozenset[int]
) -> Iterator[Change]:
    """The change of nullable, flexible or tagged versions, if it changes a released version."""
    if versions:
        text = f"{kind} versions of field {quoted(pair.new.name)} changed from {before} to {after}, "
        text += f"which changes {version_text(versions)}"
        yield _change(pair, f"{kind}Versions", text, _IN_A_NEW_VERSION, versions)


def _other_type(pair: FieldPair) -> Iterator[Change]:
    before, after = str(pair.old.spec.type), str(pair.new.spec.type)
    versions = _versions(pair, lambda old, new: not _same_kind(old, new))
    if versions and not _same_shape(pair):
        text = f"type of field {quoted(pair.new.name)} changed from {before} to {after}, which changes {version_text(versions)}"
        yield _change(pair, "type", text, f"keep {before}, or add a field of the new type in a new version", versions)


def _versions(pair: FieldPair, differs: Callable[[Slot, Slot], bool]) -> frozenset[int]:
    return frozenset(version for version, (old, new) in pair.slots.items() if differs(old, new))


def _default_on_wire(pair: FieldPair) -> frozenset[int]:
    """The versions in which missing bytes mean the default, and the default has changed."""
    if wire.same_default(pair.old.plan.default, pair.new.plan.default):
        return frozenset()
    return pair.as_default & _versions(pair, _same_kind)


def _name_changes(pair: FieldPair) -> tuple[bool, bool]:
    """Whether the attribute in Python changed, and the key in JSON."""
    old, new = pair.old.plan, pair.new.plan
    return old.attribute != new.attribute, old.key != new.key


def _same_kind(old: Slot, new: Slot) -> bool:
    return wire.kind(old.codec) == wire.kind(new.codec)


def _nullable(slot: Slot) -> bool:
    return wire.nullable(slot.codec)


def _same_shape(pair: FieldPair) -> bool:
    """Whether the type stayed; all structs count as one type."""
    return shape(pair.old.spec.type) == shape(pair.new.spec.type)


def _other_python(pair: FieldPair) -> bool:
    """Whether the attribute has another type in Python, apart from null."""
    return not set(pair.old.python("struct")) ^ set(pair.new.python("struct")) <= {"None"}


def _encoding(kind: str) -> str:
    kind = kind.removeprefix("[]")
    return f"fixed{kind.removeprefix('int')}" if kind.startswith("int") else kind
