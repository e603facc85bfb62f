"""What changed in the fields that both specs of a message have, struct by struct."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final
from uuid import UUID

from messagegen.evolve import wire
from messagegen.evolve.changes import Break, Change, version_text
from messagegen.evolve.messages import regrouped
from messagegen.evolve.sides import Field, FieldPair, MessagePair, Side, StructPair
from messagegen.evolve.wire import Slot
from messagegen.findings import quoted
from messagegen.plan import ops
from messagegen.spec.model import ArrayType, EncodingForm, FieldType, StructType
from messagegen.versions import VersionRange

_IN_A_NEW_VERSION: Final = "keep it as it was in released versions, and change it in a new version"


def field_changes(pair: MessagePair, struct: StructPair) -> Iterator[Change]:
    """The changes of the name of a struct and of its fields that both sides have."""
    path = path_of(pair.new, struct.new.name)
    if struct.holder and struct.old.class_name != struct.new.class_name:
        text = f"struct {struct.old.name} is now called {struct.new.name}"
        instead = f"keep the name {quoted(struct.old.name)}"
        breaks = Break("STRUCT_SAME_NAME", text, instead, struct.old_location, struct.new_location)
        yield Change("struct", "renamed", text, path[:-1], struct.old.name, struct.new.name, breaks=breaks)
    versions = {
        version: before
        for version, before in pair.compared.items()
        if not struct.holder or (before in struct.holder[0].plan.versions and version in struct.holder[1].plan.versions)
    }
    for both in struct.fields:
        of_field = _Changes(pair, struct, both, path + both.new.name)
        yield from of_field.name()
        yield from of_field.in_versions(versions)
        yield from of_field.type()
        yield from of_field.tag()
        yield from of_field.default()
        yield from of_field.order()
        yield from of_field.properties()


def python_type_change(both: FieldPair) -> Iterator[Break]:
    """What it breaks that type checkers see another type, though the bytes have the same one."""
    old, new = both.old.python("struct"), both.new.python("struct")
    if set(old) == set(new) or (_other_kind(both) and not _same_shape(both)):
        return
    before, after = both.old.annotation(), both.new.annotation()
    effects = [f"reads it as {before}"] if set(new) - set(old) else []
    if gone := [name for name in old if name not in new]:
        effects.append(f"sets it to {' or '.join(gone)}")
    text = f"Python type of field {quoted(both.new.name)} changed from {before} to {after}: "
    text += f"a type checker rejects code that {' or '.join(effects)}"
    name = "nullableVersions" if set(old) ^ set(new) == {"None"} else "type"
    places = both.old.location(name), both.new.location(name)
    yield Break("FIELD_SAME_PYTHON_TYPE", text, "keep the type, or change that code", *places)


class _Changes:
    """The changes of one field, topic by topic."""

    def __init__(self, pair: MessagePair, struct: StructPair, both: FieldPair, path: str) -> None:
        self.pair, self.struct, self.both, self.path = pair, struct, both, path
        self.old, self.new = both.old, both.new

    def name(self) -> Iterator[Change]:
        old, new, reused = self.old, self.new, self.both.reused
        renamed = (old.plan.attribute != new.plan.attribute, old.plan.key != new.plan.key)
        rules = {
            (True, True): "FIELD_SAME_NAME",
            (False, True): "FIELD_SAME_JSON_NAME",
            (True, False): "FIELD_SAME_ATTRIBUTE",
        }
        text = f"renamed from {old.name}"
        if reused is not None:
            text += f", whose name is now that of another field ({summary(self.pair.new, reused)})"
            instead = f"keep the name {quoted(old.name)}, and give the new field a different one"
            told = f"field {quoted(old.name)} of {version_text(self.both.slots)} is now called {quoted(new.name)}, "
            told += f'and its name is used for another field, of versions "{reused.spec.versions}"'
            breaks = Break("FIELD_NAME_NOT_REUSED", told, instead, old.location("name"), reused.location("name"))
        elif rule := rules.get(renamed):
            told = f"field {quoted(old.name)} was renamed to {quoted(new.name)}"
            if rule != "FIELD_SAME_NAME":
                what, before, after = "JSON name", old.plan.key, new.plan.key
                if rule == "FIELD_SAME_ATTRIBUTE":
                    what, before, after = "Python attribute", old.plan.attribute, new.plan.attribute
                told = f"the {what} of field {quoted(new.name)} changed from {before} to {after}"
            instead = f"keep the name {quoted(old.name)}"
            breaks = Break(rule, told, instead, old.location("name"), new.location("name"))
        else:
            return
        # An attribute alone is reported with the classes of Python.
        topic = "field" if renamed[1] else ""
        yield Change(topic, "renamed", text, self.path, old.name, new.name, tuple(sorted(self.both.slots)), breaks)

    def in_versions(self, versions: Mapping[int, int]) -> Iterator[Change]:
        """What a field is in some versions: there, null, tagged, of an encoding, compact."""
        for topic, of, rule, name, differs in _TOPICS:
            values = {
                version: (of(self.pair.old, self.old, before), of(self.pair.new, self.new, version))
                for version, before in versions.items()
                if topic == "field" or (before in self.old.plan.versions and version in self.new.plan.versions)
            }
            for (before, after), changed in regrouped(values):
                unlike = f", not {before}" if topic == "encoding" else ""
                text = f"{after} in {version_text(changed)}{unlike}"
                broken = self.broken(differs, {self.pair.compared[version] for version in changed})
                of_elements = topic == "encoding" and isinstance(self.new.spec.type, ArrayType)
                place = "elementEncoding" if of_elements else name
                breaks = self.breaks(rule, text, _IN_A_NEW_VERSION, place, broken) if broken else None
                yield Change(topic, "changed", text, self.path, before, after, changed, breaks)

    def type(self) -> Iterator[Change]:
        before, after = str(self.old.spec.type), str(self.new.spec.type)
        if not _same_shape(self.both):
            broken = self.broken(lambda old, new: wire.kind(old.codec) != wire.kind(new.codec))
            rule = "FIELD_SAME_TYPE" if _other_python(self.both) else "FIELD_SAME_WIRE_TYPE"
            instead = f"keep {before}, or add a field of the new type in a new version"
            yield from self.value("type", before, after, rule if broken else "", instead, "type", broken)

    def tag(self) -> Iterator[Change]:
        if None not in (self.old.plan.tag, self.new.plan.tag):
            broken = self.broken(
                lambda old, new: None not in (old.tag, new.tag) and old.tag != new.tag and not (old.empty and new.empty)
            )
            before, after = str(self.old.plan.tag), str(self.new.plan.tag)
            rule = "FIELD_SAME_TAG" if broken else ""
            yield from self.value("tag", before, after, rule, f'keep "tag": {before}', "tag", broken)

    def default(self) -> Iterator[Change]:
        before, after = default_text(self.old.plan.default), default_text(self.new.plan.default)
        if wire.same_default(self.old.plan.default, self.new.plan.default):
            return
        # Where bytes may be missing, that means the default.
        broken = self.both.as_default & self.broken(_same_kind)
        rule = "TAGGED_FIELD_SAME_DEFAULT" if broken else "" if _other_python(self.both) else "FIELD_SAME_DEFAULT"
        yield from self.value("default", before, after, rule, f"keep the default {before}", "default", broken)

    def order(self) -> Iterator[Change]:
        if self.both.moved:
            text = f"moved to another place in the order of fields in {version_text(self.both.moved)}"
            instead = "put it back where it was; fields are written in the order of the spec"
            breaks = self.breaks("FIELD_SAME_ORDER", text, instead, "", self.both.moved)
            yield Change("order", "changed", text, self.path, None, None, tuple(sorted(self.both.moved)), breaks)

    def properties(self) -> Iterator[Change]:
        """What a field has whatever the version is."""
        old, new = self.old, self.new
        was, now = old.spec.entity_type.value, new.spec.entity_type.value
        # Adding an entity type only documents what the values always were.
        rule = "" if was == "unknown" else "FIELD_SAME_ENTITY_TYPE"
        yield from self.value("entity type", was, now, rule, f'keep "entityType": "{was}"', "entityType")
        lacking = self.struct.versions.difference(new.plan.versions)
        lost = (
            f"a value is now {'dropped' if new.plan.ignorable else 'rejected'} in {version_text(lacking)}"
            if lacking
            else ""
        )
        is_map = any(field.spec.map_key for field in self.struct.old.fields)
        for topic, words, before, after, rule, instead, name in (
            (
                *("ignorable", "ignorable", old.plan.ignorable, new.plan.ignorable),
                *(
                    "FIELD_SAME_IGNORABLE" if lacking else "",
                    f'write "ignorable": {str(old.plan.ignorable).lower()}; {lost}',
                    "ignorable",
                ),
            ),
            (
                *("map key", "a map key", old.plan.map_key, new.plan.map_key),
                *(
                    "FIELD_SAME_MAP_KEY" if is_map else "",
                    "keep the map keys, by which elements are looked up",
                    "mapKey",
                ),
            ),
            (
                *("sensitive", "sensitive", old.plan.sensitive is not None, new.plan.sensitive is not None),
                *(
                    "FIELD_STAYS_SENSITIVE" if old.plan.sensitive is not None else "",
                    'keep "sensitive": true; the value now appears in repr, errors and logs',
                    "sensitive",
                ),
            ),
        ):
            if before != after:
                text = f"{words} now" if after else f"no longer {words}"
                breaks = self.breaks(rule, text, instead, name) if rule else None
                yield Change(topic, "changed", text, self.path, str(before).lower(), str(after).lower(), (), breaks)

    def value(
        self,
        topic: str,
        before: str,
        after: str,
        rule: str,
        instead: str,
        name: str,
        broken: frozenset[int] = frozenset(),
    ) -> Iterator[Change]:
        """The change of something that a field has one of."""
        if before != after:
            text = f"{topic}: {before}, now {after}"
            told = f"{topic} was {before}, now {after}{f', which changes {version_text(broken)}' if broken else ''}"
            breaks = self.breaks(rule, told, instead, name, broken) if rule else None
            yield Change(topic, "changed", text, self.path, before, after, breaks=breaks)

    def broken(self, differs: Callable[[Slot, Slot], bool], among: Iterable[int] | None = None) -> frozenset[int]:
        """The released versions in which the bytes of both sides differ."""
        chosen = self.both.slots.keys() if among is None else self.both.slots.keys() & among
        return frozenset(version for version in chosen if differs(*self.both.slots[version]))

    def breaks(self, rule: str, text: str, instead: str, name: str, versions: frozenset[int] = frozenset()) -> Break:
        text = f"field {quoted(self.new.name)}: {text}"
        return Break(rule, text, instead, self.old.location(name), self.new.location(name), versions)


def shape(type_: FieldType) -> str:
    """A type in words in which all structs are one type."""
    prefix, element = ("[]", type_.element) if isinstance(type_, ArrayType) else ("", type_)
    return f"{prefix}{'struct' if isinstance(element, StructType) else element}"


def default_text(value: ops.PlanDefault) -> str:
    """A default as people read it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    return "empty" if value in {ops.EMPTY_ARRAY, ops.EMPTY_STRUCT, b""} else str(value)


def summary(side: Side, field: Field) -> str:
    """A field in a line: its type, versions, null, tag, default."""
    plan, valid = field.plan, side.spec.valid_versions
    partly = plan.versions != valid
    usual = isinstance(plan.default, ops.EmptyValue | bytes) or plan.default in (False, 0, "", UUID(int=0))
    facts = (
        str(field.spec.type),
        _text(plan.versions, valid) if partly else "",
        _within("may be null", plan.nullable_versions, plan.versions, valid),
        _within(f"tag {plan.tag}", plan.tagged_versions, plan.versions, valid),
        "ignorable" if partly and plan.ignorable else "",
        "" if usual else f"default {default_text(plan.default)}",
    )
    return "; ".join(filter(None, facts))


def path_of(side: Side, name: str) -> str:
    """The prefix of the name of a field of a struct, ending in a dot; a common struct is known by its first holder."""
    if name == side.spec.name:
        return ""
    for struct in side.structs:
        for field in struct.fields:
            element = field.spec.type.element if isinstance(field.spec.type, ArrayType) else field.spec.type
            if isinstance(element, StructType) and element.name == name:
                return f"{path_of(side, struct.name)}{field.name}."
    return ""


def _within(words: str, versions: VersionRange, field: VersionRange, valid: VersionRange) -> str:
    return "" if versions.empty else words if versions == field else f"{words} in {_text(versions, valid)}"


def _text(versions: VersionRange, valid: VersionRange) -> str:
    """A range in Kafka's notation: open-ended if it includes the latest version."""
    if versions.empty:
        return "no version"
    return f"versions {versions.lowest}+" if versions.highest == valid.highest else version_text(versions)


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


def _same_kind(old: Slot, new: Slot) -> bool:
    return wire.kind(old.codec) == wire.kind(new.codec)


def _other_kind(both: FieldPair) -> bool:
    return not all(_same_kind(*slots) for slots in both.slots.values())


def _same_shape(both: FieldPair) -> bool:
    """Whether the type stayed; all structs count as one type."""
    return shape(both.old.spec.type) == shape(both.new.spec.type)


def _other_python(both: FieldPair) -> bool:
    """Whether the attribute has another type in Python, apart from null."""
    return not set(both.old.python("struct")) ^ set(both.new.python("struct")) <= {"None"}


_TOPICS: Final[tuple[tuple[str, Callable[[Side, Field, int], str], str, str, Callable[[Slot, Slot], bool]], ...]] = (
    (
        "field",
        lambda _, field, version: _in(field.plan.versions, version, "also", "no longer"),
        "",
        "",
        lambda _old, _new: False,  # a field that only one side has (structs.py)
    ),
    (
        "nullability",
        lambda _, field, version: _in(field.plan.nullable_versions, version, "may be null", "never null"),
        "FIELD_SAME_NULLABLE_VERSIONS",
        "nullableVersions",
        lambda old, new: _same_kind(old, new) and wire.nullable(old.codec) != wire.nullable(new.codec),
    ),
    (
        "tag",
        lambda _, field, version: _in(field.plan.tagged_versions, version, "tagged", "not tagged"),
        "FIELD_SAME_TAGGED_VERSIONS",
        "taggedVersions",
        lambda old, new: (old.tag is None) != (new.tag is None),
    ),
    (
        "encoding",
        _encoding,
        "FIELD_SAME_ENCODING",
        "encoding",
        lambda old, new: not _same_kind(old, new),
    ),
    (
        "flexible versions",
        _flexibility,
        "FIELD_SAME_FLEXIBLE_VERSIONS",
        "flexibleVersions",
        lambda old, new: _same_kind(old, new) and wire.compact(old.codec) != wire.compact(new.codec),
    ),
)
"""What a field is in some versions: the topic, the value as text, the rule, the property, and whether the bytes of a version differ."""
