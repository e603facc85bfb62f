"""Compares both specs of a message fact by fact, and says which rule a change breaks, and in which released versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from messagegen.evolve.align import Field, FieldPair, Meeting, MessagePair, Side, StructPair, align, same_kind
from messagegen.evolve.changes import Change
from messagegen.evolve.facts import Facts, field_facts, field_summary, message_facts, message_summary
from messagegen.evolve.wire import Slot, compact
from messagegen.findings import Location
from messagegen.plan import ops
from messagegen.primitives import PRIMITIVES
from messagegen.spec.model import ArrayType, MessageKind, MessageSpec

_WITH_HEADER: Final = {MessageKind.REQUEST, MessageKind.RESPONSE}
_WITHOUT_API_KEY: Final = {MessageKind.DATA, MessageKind.HEADER}
"""Kinds whose API key, if any, is not sent."""

Rules = Mapping[str, str]
"""By property: the rule that it breaks if it differs."""
_OnWire = Mapping[str, tuple[str, Sequence[int]]]
"""By property: the rule that it breaks, and the released versions whose bytes it changes."""

_MESSAGE_DIFFERS: Final[Mapping[tuple[str, str], Callable[[MessageSpec, int, MessageSpec, int], bool]]] = {
    # Other kinds have no header: Kafka 4.1 turned data messages into coordinator keys and values.
    ("type", "MESSAGE_SAME_TYPE"): lambda old, _, new, __: (
        old.kind is not new.kind and not _WITH_HEADER.isdisjoint({old.kind, new.kind})
    ),
    ("apiKey", "MESSAGE_SAME_API_KEY"): lambda old, _, new, __: (
        old.api_key != new.api_key and _WITHOUT_API_KEY.isdisjoint({old.kind, new.kind})
    ),
    ("flexibleVersions", "MESSAGE_SAME_FLEXIBLE_VERSIONS"): lambda old, before, new, after: (
        (before in old.flexible_versions) != (after in new.flexible_versions)
    ),
    ("headerVersions", "MESSAGE_SAME_HEADER_VERSIONS"): lambda old, before, new, after: (
        old.kind is new.kind
        and old.header_versions is not None
        and new.header_versions is not None
        and old.header_versions.get(before) != new.header_versions.get(after)
    ),
}


def _paired(differs: Callable[[Slot, Slot], bool]) -> Callable[[Meeting], bool]:
    """The same of a meeting, if both sides have the field."""
    return lambda one: one.old is not None and one.new is not None and differs(one.old, one.new)


_FIELD_DIFFERS: Final[Mapping[tuple[str, str], Callable[[Meeting], bool]]] = {
    # What one side never writes, and the other one has under another tag, is skipped.
    ("type", "FIELD_SAME_TYPE"): _paired(
        lambda old, new: not same_kind(old, new) and (old.tag == new.tag or not (old.empty or new.empty))
    ),
    ("nullableVersions", "FIELD_SAME_NULLABLE_VERSIONS"): _paired(
        lambda old, new: same_kind(old, new) and old.codec.nullable != new.codec.nullable
    ),
    # A message that becomes flexible, or no longer is, has a rule of its own.
    ("flexibleVersions", "FIELD_SAME_FLEXIBLE_VERSIONS"): _paired(
        lambda old, new: (
            same_kind(old, new) and old.flexible == new.flexible and compact(old.codec) != compact(new.codec)
        )
    ),
    ("tag", "FIELD_SAME_TAG"): _paired(lambda old, new: old.tag != new.tag and not (old.empty or new.empty)),
    ("default", "TAGGED_FIELD_SAME_DEFAULT"): lambda one: one.as_default and _paired(same_kind)(one),
    ("versions", "FIELD_SAME_VERSIONS"): lambda one: one.alone,
    ("place", "FIELD_SAME_ORDER"): lambda one: one.passed is not None,
}
"""Whether a property changes the bytes of a version, by the property and its rule."""


def changes_of(old: Side | None, new: Side | None) -> Iterator[Change]:
    """What changed in a message, which one side may lack: the message itself, then its fields struct by struct."""
    if old is not None and new is not None:
        pair = align(old, new)
        yield from _message_changes(pair)
        for struct in pair.structs:
            for both in struct.fields:
                if both.old is not None and both.new is not None:
                    yield from _field_changes(pair, struct, both, both.old, both.new)
                else:
                    yield from _lone_field(pair, struct, both)
    elif old is not None:
        place = old.location(old.spec, "name")
        rule = "MESSAGE_NOT_REMOVED" if old.released else ""
        yield Change(old.spec.name, "", message_summary(old.spec), None, place, place, rule, old.released)
    elif new is not None:
        place = new.location(new.spec, "name")
        yield Change(new.spec.name, "", None, message_summary(new.spec), place, place)


def _message_changes(pair: MessagePair) -> Iterator[Change]:
    old, new = pair.old.spec, pair.new.spec
    facts = message_facts(old, new.valid_versions), message_facts(new, new.valid_versions)
    rules = {
        "name": "MESSAGE_SAME_NAME" if pair.old.released else "",
        "apiKey": "" if old.api_key is None or not pair.numbers else "MESSAGE_KEEPS_API_KEY",
        "validVersions": "MESSAGE_VERSIONS_SAME_NUMBERS" if [*pair.numbers] != [*pair.numbers.values()] else "",
        "latestVersionUnstable": "MESSAGE_RELEASED_VERSION_STABLE" if pair.new.unstable in pair.numbers else "",
        "listeners": "" if {*old.listeners} <= {*new.listeners} else "MESSAGE_LISTENER_NOT_REMOVED",
    }
    on_wire = {
        name: (rule, [before for before, after in pair.numbers.items() if differs(old, before, new, after)])
        for (name, rule), differs in _MESSAGE_DIFFERS.items()
    }
    gone = [version for version in pair.old.released if version not in pair.numbers]
    on_wire["validVersions"] = "MESSAGE_VERSIONS_NOT_REMOVED", gone
    yield from _changes(
        new.name, facts, rules, on_wire, lambda name: (pair.old.location(old, name), pair.new.location(new, name))
    )


def _field_changes(pair: MessagePair, struct: StructPair, both: FieldPair, old: Field, new: Field) -> Iterator[Change]:
    valid = pair.new.spec.valid_versions
    before, after = field_facts(old.spec, valid), field_facts(new.spec, valid)
    same_type, same_default = (before[name] == after[name] for name in ("type", "default"))
    rules = {
        **_in_python(old, new, before, after),
        "entityType": "" if before["entityType"] == "none" else "FIELD_SAME_ENTITY_TYPE",
        "ignorable": "" if all(each in new.plan.versions for each in struct.versions) else "FIELD_SAME_IGNORABLE",
        "sensitive": "FIELD_STAYS_SENSITIVE" if old.spec.sensitive else "",
    }
    on_wire = {
        name: (rule, [version for version, one in both.meetings.items() if differs(one)])
        for (name, rule), differs in _FIELD_DIFFERS.items()
        if not (name == "default" and same_default)
    }
    if same_type:
        on_wire["encoding"] = "FIELD_SAME_ENCODING", on_wire.pop("type")[1]
    passed = next((one.passed for one in both.meetings.values() if one.passed), None)
    if passed:
        before["place"] = f"after {struct.old.fields[passed[0].number].spec.name}"
        after["place"] = f"before {struct.new.fields[passed[1].number].spec.name}"
    yield from _changes(
        struct.path + new.spec.name,
        (before, after),
        rules if any(version in old.plan.versions for version in struct.versions) else {},
        on_wire,
        lambda name: (_place(pair.old, old, name), _place(pair.new, new, name)),
    )


def _in_python(old: Field, new: Field, before: Facts, after: Facts) -> Rules:
    """The rules that a field breaks in the generated classes, by property; adds what no property of the spec says."""
    rules: dict[str, str] = {}
    same_attribute, same_key = old.plan.attribute == new.plan.attribute, old.plan.key == new.plan.key
    if not same_key:
        rules["name"] = "FIELD_SAME_JSON_NAME" if same_attribute else "FIELD_SAME_NAME"
    elif not same_attribute:
        before["attribute"], after["attribute"] = old.plan.attribute, new.plan.attribute
        rules["attribute"] = "FIELD_SAME_ATTRIBUTE"
    if old.plan.annotation() != new.plan.annotation():
        if before["type"] != after["type"] and _struct_is_renamed(old, new):
            rules["type"] = "STRUCT_SAME_NAME"
        else:
            before["annotation"], after["annotation"] = old.plan.annotation(), new.plan.annotation()
            rules["annotation"] = "FIELD_SAME_ANNOTATION"
    # A value of another type is always another default.
    same_base = _without_null(old.plan) == _without_null(new.plan)
    if same_base and _default_in_python(old) != _default_in_python(new):
        if before["default"] == after["default"]:
            before["default"], after["default"] = _default_in_python(old), _default_in_python(new)
        rules["default"] = "FIELD_SAME_DEFAULT"
    return rules


def _without_null(field: ops.FieldPlan) -> str:
    return field.annotation().removesuffix(" | None")


def _struct_is_renamed(old: Field, new: Field) -> bool:
    """Whether the annotations of two fields only differ in the name of a class."""
    names = old.plan.type.removeprefix("[]"), new.plan.type.removeprefix("[]")
    renamed = replace(new.plan, type=new.plan.type.replace(names[1], names[0]))
    return PRIMITIVES.keys().isdisjoint(names) and old.plan.annotation() == renamed.annotation()


def _default_in_python(field: Field) -> str:
    return repr(field.plan.default)


def _changes(
    subject: str,
    facts: tuple[Facts, Facts],
    rules: Rules,
    on_wire: _OnWire,
    places: Callable[[str], tuple[Location, Location]],
) -> Iterator[Change]:
    """The facts that differ, with the rule that they break on the wire, otherwise that of ``rules``."""
    for name, before in facts[0].items():
        rule, versions = on_wire.get(name, ("", ()))
        if before != facts[1][name] or versions:
            yield Change(
                subject,
                name,
                before,
                facts[1][name],
                *places(name),
                rule if versions else rules.get(name, ""),
                versions,
            )


def _lone_field(pair: MessagePair, struct: StructPair, both: FieldPair) -> Iterator[Change]:
    versions = [version for version, one in both.meetings.items() if one.alone]
    if both.old is not None and not both.old.plan.versions.empty:
        rule = "FIELD_NOT_REMOVED" if versions else ""
        if not versions and any(one.old is not None for one in both.meetings.values()):
            # The new spec skips its tag, or it takes no bytes.
            rule = "TAGGED_FIELD_NOT_REMOVED"
        text = field_summary(both.old.spec, pair.old.spec.valid_versions)
        places = pair.old.location(both.old.spec, ""), struct.places[1]
        yield Change(struct.path + both.old.spec.name, "", text, None, *places, rule, versions)
    if both.new is not None and not both.new.plan.versions.empty:
        rule = "FIELD_NOT_ADDED" if versions else ""
        text = field_summary(both.new.spec, pair.new.spec.valid_versions)
        places = struct.places[0], pair.new.location(both.new.spec, "")
        yield Change(struct.path + both.new.spec.name, "", None, text, *places, rule, versions)


def _place(side: Side, field: Field, name: str) -> Location:
    """The location of a property, or of the one that decides what is not a property itself."""
    spelled = {"attribute": "name", "annotation": "type", "place": "name"}
    if name == "encoding" and isinstance(field.spec.type, ArrayType):
        return side.location(field.spec, "elementEncoding")
    return side.location(field.spec, spelled.get(name, name))
