"""What changed in the fields of a message, struct by struct."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from messagegen.emit.classes import facts
from messagegen.evolve import wire
from messagegen.evolve.changes import version_text
from messagegen.evolve.sides import Field, FieldPair, MessagePair, Side, StructPair
from messagegen.evolve.wording import default_text, shape
from messagegen.spec.model import ArrayType, EncodingForm, EntityType, FieldSpec, StructType
from messagegen.upgrade.report import Change, Topic
from messagegen.upgrade.versions import counterparts, regrouped


def field_changes(pair: MessagePair) -> tuple[Change, ...]:
    """The changes of all fields, outermost structs first; of a field that is new or gone, not those of its struct's fields."""
    found = (change for struct in pair.structs for change in _StructChanges(pair, struct).all())
    return tuple(dict.fromkeys(found))


def struct_fields(pair: MessagePair, struct: StructPair) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """The fields of both structs of a pair."""
    return _fields(pair.old, struct.old), _fields(pair.new, struct.new)


def _fields(side: Side, struct: object) -> tuple[Field, ...]:
    return next(side.fields[number] for number, one in enumerate(side.structs) if one is struct)


class _StructChanges:
    """The changes of one struct."""

    def __init__(self, pair: MessagePair, struct: StructPair) -> None:
        self.pair = pair
        self.struct = struct
        self.old_path = _path(pair.old, struct.old.name)
        self.new_path = _path(pair.new, struct.new.name)
        holder = struct.holder
        self.versions = {
            version: before
            for version, before in counterparts(pair).items()
            if holder is None or (before in holder[0].plan.versions and version in holder[1].plan.versions)
        }
        """The versions that have the struct, with the old version that each is compared with."""

    def all(self) -> Iterator[Change]:
        struct = self.struct
        if struct.holder and struct.old_class != struct.new_class:
            text = f"struct {struct.old.name} is now called {struct.new.name}"
            yield Change("struct", "renamed", text, self.new_path[:-1], struct.old.name, struct.new.name)
        old, new = struct_fields(self.pair, struct)
        paired = {id(one) for pair in struct.fields for one in (pair.old, pair.new)}
        for field in old:
            if id(field) not in paired and not field.plan.versions.empty:
                yield Change("field", "removed", "removed", self.old_path + field.name, _summary(self.pair.old, field))
        for pair in struct.fields:
            yield from self.of_field(pair)
        for field in new:
            if id(field) not in paired and not field.plan.versions.empty:
                text = _summary(self.pair.new, field)
                versions = tuple(field.plan.versions)
                yield Change("field", "added", text, self.new_path + field.name, None, text, versions)

    def of_field(self, pair: FieldPair) -> Iterator[Change]:
        path = self.new_path + pair.new.name
        old, new = pair.old.plan, pair.new.plan
        if old.key != new.key:
            text = f"renamed from {pair.old.name}"
            if pair.reused is not None:
                text += f", whose name is now that of another field ({_summary(self.pair.new, pair.reused)})"
            yield Change("field", "renamed", text, path, pair.old.name, pair.new.name, tuple(sorted(pair.slots)))
        yield from self.in_versions(pair, path)
        if shape(pair.old.spec.type) != shape(pair.new.spec.type):
            yield _changed("type", path, str(pair.old.spec.type), str(pair.new.spec.type))
        if old.tag != new.tag and None not in (old.tag, new.tag):
            yield _changed("tag", path, str(old.tag), str(new.tag))
        defaults = default_text(old.default), default_text(new.default)
        if not wire.same_default(old.default, new.default) and defaults[0] != defaults[1]:
            yield _changed("default", path, *defaults)
        if pair.moved:
            text = f"at another place in the order of fields in {version_text(pair.moved)}"
            yield Change("order", "changed", text, path, versions=tuple(sorted(pair.moved)))
        if old.ignorable != new.ignorable:
            yield _became("ignorable", path, new.ignorable)
        if old.map_key != new.map_key:
            yield _became("map key", path, new.map_key)
        if old.entity != new.entity:
            yield _changed("entity type", path, *(one.entity or EntityType.UNKNOWN.value for one in (old, new)))

    def in_versions(self, pair: FieldPair, path: str) -> Iterator[Change]:
        """What a field is in some versions: there, null, tagged, of an encoding, compact."""
        old, new = pair.old, pair.new
        topics: tuple[tuple[Topic, Callable[[Field, Side, int], str | None]], ...] = (
            ("field", lambda field, _, version: "present" if version in field.plan.versions else "absent"),
            ("nullability", _nullability),
            ("tag", _tag),
            ("encoding", lambda field, _, version: _encoding(field.spec, version)),
            ("flexible versions", _flexibility),
        )
        for topic, of in topics:
            values = {
                version: (of(old, self.pair.old, before), of(new, self.pair.new, version))
                for version, before in self.versions.items()
                if topic == "field" or (before in old.plan.versions and version in new.plan.versions)
            }
            for (before, after), versions in regrouped(values):
                text = _words(topic, before, after).format(version_text(versions))
                yield Change(topic, "changed", text, path, before, after, versions)


def _words(topic: Topic, before: str | None, after: str | None) -> str:
    if topic == "field":
        return "also in {}" if after == "present" else "no longer in {}"
    return f"{after} in {{}}, not {before}" if topic == "encoding" else f"{after} in {{}}"


def _changed(topic: Topic, path: str, before: str, after: str) -> Change:
    return Change(topic, "changed", f"{topic}: {before}, now {after}", path, before, after)


def _became(topic: Literal["ignorable", "map key"], path: str, now: bool) -> Change:
    what = "a map key" if topic == "map key" else topic
    text = f"{what} now" if now else f"no longer {what}"
    return Change(topic, "changed", text, path, str(not now).lower(), str(now).lower())


def _nullability(field: Field, _: Side, version: int) -> str:
    return "may be null" if version in field.plan.nullable_versions else "never null"


def _tag(field: Field, _: Side, version: int) -> str:
    return "tagged" if version in field.plan.tagged_versions else "not tagged"


def _flexibility(field: Field, side: Side, version: int) -> str | None:
    """Whether a field that decides for itself has a compact length."""
    own = field.spec.flexible_versions
    if own is None or (version in own) == (version in side.spec.flexible_versions):
        return "as flexible as the message"
    return "compact" if version in own else "not compact"


def _encoding(field: FieldSpec, version: int) -> str | None:
    encoding = field.encodings.get(version) if field.encodings else None
    if encoding is None:
        return "of fixed width"
    width = f"int{encoding.bits}"
    return (
        "of fixed width" if encoding.form is EncodingForm.FIXED and shape(field.type).endswith(width) else str(encoding)
    )


def _summary(side: Side, field: Field) -> str:
    """A field in a line: its type, versions, null, tag, default."""
    assert side.plan is not None
    about = facts(side.plan, field.plan).removesuffix(".")
    return "; ".join(filter(None, (str(field.spec.type), about[:1].lower() + about[1:])))


def _path(side: Side, name: str) -> str:
    """What stands before the name of a field of a struct, ending in a dot; a common struct is known by its first holder."""
    if name == side.spec.name:
        return ""
    for struct in side.structs:
        for field in struct.fields:
            element = field.type.element if isinstance(field.type, ArrayType) else field.type
            if isinstance(element, StructType) and element.name == name:
                return f"{_path(side, struct.name)}{field.name}."
    return ""
