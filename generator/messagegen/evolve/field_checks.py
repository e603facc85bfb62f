"""Compares the properties of a field, and finds the rules and the released versions that a change breaks.

Each of the two parts ends with a table. A row contains a property, its rule, and the function that decides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from messagegen.evolve.changes import Change
from messagegen.evolve.checks import BeforeAndAfter, ByteCheck, Checked, CodeCheck, changes_by
from messagegen.evolve.facts import Facts, field_facts
from messagegen.evolve.pairs import Meeting, MessagePair, StructPair
from messagegen.evolve.sides import Field, Side
from messagegen.evolve.wire import compact, same_kind
from messagegen.findings import Location
from messagegen.plan import ops
from messagegen.primitives import PRIMITIVES
from messagegen.spec.model import ArrayType


@dataclass(frozen=True, slots=True)
class FieldSides:
    """Both sides of a field, the enclosing ``struct``, and the field's meetings in the released versions.

    ``before`` and ``after`` are its properties in the specs.
    """

    struct: StructPair
    old: Field
    new: Field
    meetings: Mapping[int, Meeting]
    before: Facts
    after: Facts

    def differs(self, name: str) -> bool:
        """Whether the old and the new spec have different values for a property."""
        return self.before[name] != self.after[name]


def field_changes(
    pair: MessagePair, struct: StructPair, old: Field, new: Field, meetings: Mapping[int, Meeting]
) -> Iterator[Change]:
    """Yield the changes of a field that both sides have; ``meetings`` has one meeting for each released version."""
    valid = pair.new.spec.valid_versions
    sides = FieldSides(
        struct=struct,
        old=old,
        new=new,
        meetings=meetings,
        before=field_facts(old.spec, valid),
        after=field_facts(new.spec, valid),
    )
    checked = Checked(
        sides=sides,
        subject=struct.path + new.spec.name,
        properties=_properties(sides),
        place=lambda name: (_place(pair.old, old, name), _place(pair.new, new, name)),
    )
    yield from changes_by(checked, _BYTE_CHECKS, _CODE_CHECKS if struct.was_released(old) else ())


def _properties(sides: FieldSides) -> dict[str, BeforeAndAfter]:
    """Return the properties to compare: properties of the spec, and facts that follow from several of them."""
    found = {name: (sides.before[name], sides.after[name]) for name in sides.before}
    old, new = sides.old.plan, sides.new.plan
    if _default_differs(sides) and not sides.differs("default"):
        found["default"] = (repr(old.default), repr(new.default))
    if not sides.differs("default") and any(map(_only_one_is_always_written, sides.meetings.values())):
        before = sides.before["default"]
        added = not any(meeting.old and meeting.old.always_written for meeting in sides.meetings.values())
        found["default"] = (before, f"{before} with NaN") if added else (f"{before} with NaN", before)
    if _attribute_differs(sides):
        found["attribute"] = (old.attribute, new.attribute)
    if _annotation_differs(sides):
        found["annotation"] = (old.annotation(), new.annotation())

    passed = next((meeting.passed for meeting in sides.meetings.values() if meeting.passed), None)
    if passed is not None:
        other_old, other_new = passed
        found["place"] = (
            f"after {sides.struct.old.fields[other_old.number].spec.name}",
            f"before {sides.struct.new.fields[other_new.number].spec.name}",
        )
    return found


def _place(side: Side, field: Field, name: str) -> Location:
    """Return the location of a property, or of the property that decides a fact such as ``attribute``."""
    if name == "encoding" and isinstance(field.spec.type, ArrayType):
        return side.location(field.spec, "elementEncoding")
    return side.location(field.spec, _DECIDED_BY.get(name, name))


_DECIDED_BY: Final = {"attribute": "name", "annotation": "type", "place": "name"}
"""The facts that are not properties of a spec, each with the property that decides it."""


# Bytes: whether a field's meeting in a version breaks a rule.


def _each_version(differs: Callable[[FieldSides, Meeting], bool]) -> Callable[[FieldSides], Collection[int]]:
    """Return a function that returns the released versions whose meetings differ."""

    def versions(sides: FieldSides) -> list[int]:
        return [version for version, meeting in sides.meetings.items() if differs(sides, meeting)]

    return versions


def _kind_differs(meeting: Meeting) -> bool:
    old, new = meeting.old, meeting.new
    if old is None or new is None or same_kind(old, new):
        return False
    # A field that takes no bytes on one side and has a different tag on the other side is skipped by readers.
    return old.tag == new.tag or not (old.empty or new.empty)


def _type_changes_bytes(sides: FieldSides, meeting: Meeting) -> bool:
    return sides.differs("type") and _kind_differs(meeting)


def _encoding_changes_bytes(sides: FieldSides, meeting: Meeting) -> bool:
    return not sides.differs("type") and _kind_differs(meeting)


def _is_nullable_differs(_: FieldSides, meeting: Meeting) -> bool:
    old, new = meeting.old, meeting.new
    if old is None or new is None or not same_kind(old, new):
        return False
    return old.codec.nullable != new.codec.nullable


def _is_compact_differs(_: FieldSides, meeting: Meeting) -> bool:
    old, new = meeting.old, meeting.new
    if old is None or new is None or not same_kind(old, new):
        return False
    # A different rule reports versions that become flexible or stop being flexible.
    return old.flexible == new.flexible and compact(old.codec) != compact(new.codec)


def _tag_differs(_: FieldSides, meeting: Meeting) -> bool:
    old, new = meeting.old, meeting.new
    if old is None or new is None or old.empty or new.empty:
        return False
    return old.tag != new.tag


def _default_changes_bytes(sides: FieldSides, meeting: Meeting) -> bool:
    old, new = meeting.old, meeting.new
    if old is None or new is None or not same_kind(old, new):
        return False
    return _only_one_is_always_written(meeting) or (meeting.as_default and sides.differs("default"))


def _only_one_is_always_written(meeting: Meeting) -> bool:
    """Whether one side omits the default of a tagged field, and the other cannot, because the default contains NaN."""
    old, new = meeting.old, meeting.new
    if old is None or new is None or old.tag is None or new.tag is None:
        return False
    return old.always_written != new.always_written


def _is_on_one_side(_: FieldSides, meeting: Meeting) -> bool:
    return meeting.alone


def _follows_another_field(_: FieldSides, meeting: Meeting) -> bool:
    return meeting.passed is not None


_BYTE_CHECKS: Final = (
    ByteCheck(
        property="type",
        rule="FIELD_SAME_TYPE",
        versions=_each_version(_type_changes_bytes),
    ),
    ByteCheck(
        property="versions",
        rule="FIELD_SAME_VERSIONS",
        versions=_each_version(_is_on_one_side),
    ),
    ByteCheck(
        property="nullableVersions",
        rule="FIELD_SAME_NULLABLE_VERSIONS",
        versions=_each_version(_is_nullable_differs),
    ),
    ByteCheck(
        property="tag",
        rule="FIELD_SAME_TAG",
        versions=_each_version(_tag_differs),
    ),
    ByteCheck(
        property="flexibleVersions",
        rule="FIELD_SAME_FLEXIBLE_VERSIONS",
        versions=_each_version(_is_compact_differs),
    ),
    ByteCheck(
        property="encoding",
        rule="FIELD_SAME_ENCODING",
        versions=_each_version(_encoding_changes_bytes),
    ),
    ByteCheck(
        property="default",
        rule="TAGGED_FIELD_SAME_DEFAULT",
        versions=_each_version(_default_changes_bytes),
    ),
    ByteCheck(
        property="place",
        rule="FIELD_SAME_ORDER",
        versions=_each_version(_follows_another_field),
    ),
)


# Code: whether a property that differs breaks a rule.


def _both_names_differ(sides: FieldSides) -> bool:
    return sides.old.plan.key != sides.new.plan.key and sides.old.plan.attribute != sides.new.plan.attribute


def _only_json_name_differs(sides: FieldSides) -> bool:
    return sides.old.plan.key != sides.new.plan.key and sides.old.plan.attribute == sides.new.plan.attribute


def _attribute_differs(sides: FieldSides) -> bool:
    """Whether the attribute differs, but not the JSON key. If both differ, the property ``name`` is reported."""
    return sides.old.plan.key == sides.new.plan.key and sides.old.plan.attribute != sides.new.plan.attribute


def _struct_is_renamed(sides: FieldSides) -> bool:
    """Whether the annotations of a field differ only in the name of a class."""
    old, new = sides.old.plan, sides.new.plan
    if not sides.differs("type") or old.annotation() == new.annotation():
        return False
    old_name = old.element_type
    new_name = new.element_type
    if old_name in PRIMITIVES or new_name in PRIMITIVES:
        return False
    return old.annotation() == replace(new, type=new.type.replace(new_name, old_name)).annotation()


_COLUMN_TYPES: Final = {"uint16": "int32", "uint32": "int64", "records": "bytes"}
"""The types whose columns have the same type as columns of another type."""


def _column_type_differs(sides: FieldSides) -> bool:
    return _column_type(sides.old.plan) != _column_type(sides.new.plan)


def _column_type(field: ops.FieldPlan) -> tuple[bool, str]:
    """Return whether the column of a field contains arrays, and the type of its values or elements.

    All structs are equal, because their fields are compared as columns of their own.
    """
    element = field.element_type
    is_array = field.type != element
    return is_array, _COLUMN_TYPES.get(element, element) if element in PRIMITIVES else "struct"


def _annotation_differs(sides: FieldSides) -> bool:
    """Whether the annotation differs in more than the name of a struct. A new struct name is a change of ``type``."""
    return sides.old.plan.annotation() != sides.new.plan.annotation() and not _struct_is_renamed(sides)


def _default_differs(sides: FieldSides) -> bool:
    """Whether a field with an unchanged type has a different default in Python; ``0`` and ``False`` are different."""
    old, new = sides.old.plan, sides.new.plan
    return _without_null(old) == _without_null(new) and repr(old.default) != repr(new.default)


def _without_null(field: ops.FieldPlan) -> str:
    return field.annotation().removesuffix(" | None")


def _had_entity_type(sides: FieldSides) -> bool:
    return sides.before["entityType"] != "none"


def _is_missing_in_a_version(sides: FieldSides) -> bool:
    return any(version not in sides.new.plan.versions for version in sides.struct.versions)


def _hidden_values_are_shown(sides: FieldSides) -> bool:
    """Whether a value that was always hidden is now shown, always or for some config names.

    The plan decides, because it also knows Kafka's own secrets, which specs do not mark.
    """
    was_hidden = sides.old.plan.sensitive == ()
    is_hidden = sides.new.plan.sensitive == ()
    return was_hidden and not is_hidden


# Two properties have no check: mapKey and zeroCopy change nothing in Python. They are only in the upgrade report.
_CODE_CHECKS: Final = (
    CodeCheck(
        property="name",
        rule="FIELD_SAME_NAME",
        breaks=_both_names_differ,
    ),
    CodeCheck(
        property="name",
        rule="FIELD_SAME_JSON_NAME",
        breaks=_only_json_name_differs,
    ),
    CodeCheck(
        property="attribute",
        rule="FIELD_SAME_ATTRIBUTE",
        breaks=_attribute_differs,
    ),
    CodeCheck(
        property="type",
        rule="STRUCT_SAME_NAME",
        breaks=_struct_is_renamed,
    ),
    CodeCheck(
        property="type",
        rule="FIELD_SAME_COLUMN_TYPE",
        breaks=_column_type_differs,
    ),
    CodeCheck(
        property="annotation",
        rule="FIELD_SAME_ANNOTATION",
        breaks=_annotation_differs,
    ),
    CodeCheck(
        property="default",
        rule="FIELD_SAME_DEFAULT",
        breaks=_default_differs,
    ),
    CodeCheck(
        property="entityType",
        rule="FIELD_SAME_ENTITY_TYPE",
        breaks=_had_entity_type,
    ),
    CodeCheck(
        property="ignorable",
        rule="FIELD_SAME_IGNORABLE",
        breaks=_is_missing_in_a_version,
    ),
    CodeCheck(
        property="sensitive",
        rule="FIELD_STAYS_SENSITIVE",
        breaks=_hidden_values_are_shown,
    ),
)
