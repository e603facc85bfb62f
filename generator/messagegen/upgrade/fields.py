"""What changed in the fields of a message, struct by struct."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final
from uuid import UUID

from messagegen.evolve import wire
from messagegen.evolve.changes import version_text
from messagegen.evolve.sides import Field, FieldPair, MessagePair, Side, StructPair
from messagegen.evolve.wording import default_text, shape
from messagegen.plan.ops import EmptyValue
from messagegen.spec.model import ArrayType, EncodingForm, StructType
from messagegen.upgrade.messages import counterparts, regrouped
from messagegen.upgrade.report import Change
from messagegen.versions import VersionRange

_VALUES: Final[tuple[tuple[str, Callable[[Field], str], Callable[[Field, Field], bool]], ...]] = (
    (
        "type",
        lambda field: str(field.spec.type),
        lambda old, new: shape(old.spec.type) != shape(new.spec.type),
    ),
    ("tag", lambda field: str(field.plan.tag), lambda old, new: None not in (old.plan.tag, new.plan.tag)),
    (
        "default",
        lambda field: default_text(field.plan.default),
        lambda old, new: not wire.same_default(old.plan.default, new.plan.default),
    ),
    ("entity type", lambda field: field.spec.entity_type.value, lambda _old, _new: True),
)
"""What a field has one of: the topic, the value as text, and whether two values are compared at all."""

_PROPERTIES: Final[tuple[tuple[str, Callable[[Field], str]], ...]] = (
    ("ignorable", lambda field: "ignorable" if field.plan.ignorable else ""),
    ("map key", lambda field: "a map key" if field.plan.map_key else ""),
    ("sensitive", lambda field: "sensitive" if field.plan.sensitive is not None else ""),
)


def field_changes(pair: MessagePair) -> tuple[Change, ...]:
    """The changes of all fields, outermost structs first; of a field that is new or gone, not those of its struct's fields."""
    return tuple(dict.fromkeys(change for struct in pair.structs for change in _of_struct(pair, struct)))


def _of_struct(pair: MessagePair, struct: StructPair) -> Iterator[Change]:
    old_path, new_path = _path(pair.old, struct.old.name), _path(pair.new, struct.new.name)
    if struct.holder and struct.old.class_name != struct.new.class_name:
        text = f"struct {struct.old.name} is now called {struct.new.name}"
        yield Change("struct", "renamed", text, new_path[:-1], struct.old.name, struct.new.name)
    versions = {
        version: before
        for version, before in counterparts(pair).items()
        if not struct.holder or (before in struct.holder[0].plan.versions and version in struct.holder[1].plan.versions)
    }
    paired = {id(one) for both in struct.fields for one in (both.old, both.new)}
    for field in struct.old.fields:
        if id(field) not in paired and not field.plan.versions.empty:
            yield Change("field", "removed", "removed", old_path + field.name, _summary(pair.old, field))
    for both in struct.fields:
        path = new_path + both.new.name
        if both.old.plan.key != both.new.plan.key:
            text = f"renamed from {both.old.name}"
            if both.reused is not None:
                text += f", whose name is now that of another field ({_summary(pair.new, both.reused)})"
            yield Change("field", "renamed", text, path, both.old.name, both.new.name, tuple(sorted(both.slots)))
        yield from _in_versions(pair, both, path, versions)
        yield from _in_all_versions(both, path)
    for field in struct.new.fields:
        if id(field) not in paired and not field.plan.versions.empty:
            text = _summary(pair.new, field)
            yield Change("field", "added", text, new_path + field.name, None, text, tuple(field.plan.versions))


def _in_all_versions(both: FieldPair, path: str) -> Iterator[Change]:
    """What a field has one of, and what it is or is not."""
    for topic, of_field, compared in _VALUES:
        before, after = of_field(both.old), of_field(both.new)
        if before != after and compared(both.old, both.new):
            yield Change(topic, "changed", f"{topic}: {before}, now {after}", path, before, after)
    if both.moved:
        text = f"moved to another place in the order of fields in {version_text(both.moved)}"
        yield Change("order", "changed", text, path, versions=tuple(sorted(both.moved)))
    for topic, of in _PROPERTIES:
        before, after = of(both.old), of(both.new)
        if before != after:
            text = f"{after} now" if after else f"no longer {before}"
            yield Change(topic, "changed", text, path, str(bool(before)).lower(), str(bool(after)).lower())


def _in_versions(pair: MessagePair, both: FieldPair, path: str, versions: dict[int, int]) -> Iterator[Change]:
    """What a field is in some versions: there, null, tagged, of an encoding, compact."""
    for topic, of in _TOPICS:
        values = {
            version: (of(pair.old, both.old, before), of(pair.new, both.new, version))
            for version, before in versions.items()
            if topic == "field" or (before in both.old.plan.versions and version in both.new.plan.versions)
        }
        for (before, after), changed in regrouped(values):
            unlike = f", not {before}" if topic == "encoding" else ""
            yield Change(topic, "changed", f"{after} in {version_text(changed)}{unlike}", path, before, after, changed)


def _in(versions: VersionRange, version: int, yes: str, no: str) -> str:
    return yes if version in versions else no


def _flexibility(side: Side, field: Field, version: int) -> str:
    """Whether a field that decides for itself has a compact length."""
    own = field.spec.flexible_versions
    if own is None or (version in own) == (version in side.spec.flexible_versions):
        return "as flexible as the message"
    return "compact" if version in own else "not compact"


def _encoding(_: Side, field: Field, version: int) -> str:
    encoding = field.spec.encodings.get(version) if field.spec.encodings else None
    if encoding is None:
        return "of fixed width"
    fixed = encoding.form is EncodingForm.FIXED and shape(field.spec.type).endswith(f"int{encoding.bits}")
    return "of fixed width" if fixed else str(encoding)


_TOPICS: Final[tuple[tuple[str, Callable[[Side, Field, int], str]], ...]] = (
    ("field", lambda _, field, version: _in(field.plan.versions, version, "also", "no longer")),
    ("nullability", lambda _, field, version: _in(field.plan.nullable_versions, version, "may be null", "never null")),
    ("tag", lambda _, field, version: _in(field.plan.tagged_versions, version, "tagged", "not tagged")),
    ("encoding", _encoding),
    ("flexible versions", _flexibility),
)


def _summary(side: Side, field: Field) -> str:
    """A field in a line: its type, versions, null, tag, default."""
    plan, valid = field.plan, side.spec.valid_versions
    partly = plan.versions != valid
    usual = isinstance(plan.default, EmptyValue | bytes) or plan.default in (False, 0, "", UUID(int=0))
    facts = (
        str(field.spec.type),
        _text(plan.versions, valid) if partly else "",
        _within("may be null", plan.nullable_versions, plan.versions, valid),
        _within(f"tag {plan.tag}", plan.tagged_versions, plan.versions, valid),
        "ignorable" if partly and plan.ignorable else "",
        "" if usual else f"default {default_text(plan.default)}",
    )
    return "; ".join(filter(None, facts))


def _within(words: str, versions: VersionRange, field: VersionRange, valid: VersionRange) -> str:
    return "" if versions.empty else words if versions == field else f"{words} in {_text(versions, valid)}"


def _text(versions: VersionRange, valid: VersionRange) -> str:
    """A range in Kafka's notation: open-ended if it includes the latest version."""
    if versions.empty:
        return "no version"
    return f"versions {versions.lowest}+" if versions.highest == valid.highest else version_text(versions)


def _path(side: Side, name: str) -> str:
    """The prefix of the name of a field of a struct, ending in a dot; a common struct is known by its first holder."""
    if name == side.spec.name:
        return ""
    for struct in side.structs:
        for field in struct.fields:
            element = field.spec.type.element if isinstance(field.spec.type, ArrayType) else field.spec.type
            if isinstance(element, StructType) and element.name == name:
                return f"{_path(side, struct.name)}{field.name}."
    return ""
