"""The rules of Apache's generator for single fields, tagged fields (KIP-482) and the fields of a struct.

Upstream: ``FieldSpec``, ``StructSpec``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Final

from messagegen.findings import clipped, quoted
from messagegen.primitives import BYTES, PRIMITIVES, RECORDS, STRING, Primitive
from messagegen.spec.field_types import element_or_self, integer_width, struct_name
from messagegen.spec.model import ArrayType, EntityType, FieldSpec, MessageSpec, StructSpec, StructType
from messagegen.spec.report import did_you_mean, placed
from messagegen.spec.rule import Problem, fields, rule, structs, versions_of, written
from messagegen.versions import NONE, VersionRange

_ENTITY_TYPES: Final = tuple(entity.value for entity in EntityType)
_ENTITIES: Final = {
    EntityType.TRANSACTIONAL_ID: STRING,
    EntityType.PRODUCER_ID: PRIMITIVES["int64"],
    EntityType.GROUP_ID: STRING,
    EntityType.TOPIC_NAME: STRING,
    EntityType.BROKER_ID: PRIMITIVES["int32"],
}
_NOT_TAGGED: Final = {
    "mapKey": ("a map key", "remove mapKey"),
    "zeroCopy": ("zero copy", "remove zeroCopy"),
    "type": ("of type records", 'write "type": "bytes"'),
}


@rule(structs)
def field_name_unique(_: MessageSpec, struct: StructSpec) -> Iterator[Problem]:
    """Checks that the fields of a struct have different names, and different keys in JSON."""
    known: dict[str, FieldSpec] = {}
    for field in struct.fields:
        first = known.setdefault(field.name[:1].lower() + field.name[1:], field)
        if first is not field:
            message = f"duplicate field {quoted(field.name)}: {quoted(first.name)} has the same key in JSON"
            yield field, "name", message, "rename one of them, by more than its first letter"


@rule(structs)
def field_versions_meet_holder(spec: MessageSpec, struct: StructSpec) -> Iterator[Problem]:
    """Checks that a field exists, or once existed, in a version of the enclosing message or struct.

    A field whose versions are no longer valid is harmless, unless it defines a struct. A field whose first version is
    above the valid versions would never exist.
    """
    holder = versions_of(spec, struct)
    if struct.common and struct.versions.empty:
        yield struct, "versions", f"struct {quoted(struct.name)} has no versions", 'write "0+", or remove the struct'
    for field in struct.fields if not holder.empty else ():
        defines = struct_name(field.type) is not None and written(field, "fields")
        if (defines or field.versions.lowest > holder.highest) and holder.intersect(field.versions).empty:
            message = f"field never exists: it has versions {field.versions}, and the enclosing struct has {holder}"
            yield field, "versions", message, f'write "{holder.lowest}+", a part of {holder}, or remove the field'


@rule(fields)
def fields_only_in_structs(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that only fields that define a struct have fields and structAbout."""
    if struct_name(field.type) is None and field.fields:
        yield field, "fields", f"a field of type {field.type} can't have fields", "remove fields"
    if field.struct_about and (struct_name(field.type) is None or not written(field, "fields")):
        yield field, "structAbout", "structAbout on a field that does not define a struct", "move the text to about"


@rule(fields)
def property_fits_type(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field has only properties that its type allows."""
    type_ = field.type
    entity = _ENTITIES.get(field.entity_type)
    # Types such as varint32 already imply an encoding.
    shown = placed(field).text("type") or "that depends on the version"
    plain = shown.strip().removeprefix("[]").strip() in ("int16", "int32", "int64")
    wrong = {
        "nullableVersions": not field.nullable_versions.empty and isinstance(type_, Primitive) and bool(type_.size),
        "entityType": entity is not None and element_or_self(type_) is not entity,
        "zeroCopy": field.zero_copy and type_ is not BYTES,
        "flexibleVersions": field.flexible_versions is not None and type_ not in (STRING, BYTES),
        "encoding": not plain or isinstance(type_, ArrayType),
        "elementEncoding": not plain or not isinstance(type_, ArrayType),
    }
    for name, is_wrong in wrong.items():
        if is_wrong and written(field, name):
            message = f"{name} is not allowed on a field of type {clipped(shown)}"
            yield field, name, message, f"remove {name}, or change the type"


@rule(fields, severity="warning")
def entity_type_known(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that the entity type of a field is one of Kafka's.

    Another type, such as a type of a fork of Kafka, changes no bytes and has no effect.
    """
    text = placed(field).text("entityType")
    if text and text not in _ENTITY_TYPES:
        advice = did_you_mean(text, _ENTITY_TYPES)
        instead = advice if advice.startswith("did you mean") else f"{advice}, or remove entityType"
        yield field, "entityType", f"unknown entity type {quoted(text)}, ignored", instead


@rule(fields)
def encoding_fits_type(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that no encoding is wider than the type of its field."""
    width = integer_width(field.type) or 64
    for encoding in field.encodings.values() if field.encodings else ():
        if encoding.bits > width:
            name = "elementEncoding" if isinstance(field.type, ArrayType) else "encoding"
            message = f"{encoding} carries {encoding.bits} bits, but {field.type} has {width}"
            yield field, name, message, f'write "{encoding.form.value}{width}", or make the type wider'


@rule(fields)
def default_null_where_nullable(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that the default of a field is null only if the field is nullable in all of its versions."""
    if field.default is None and field.type is not RECORDS and not field.nullable_versions.covers(field.versions):
        message = f"invalid default null: the field has versions {field.versions}, but is nullable only in "
        message += f"{field.nullable_versions.intersect(field.versions)}"
        yield field, "default", message, f'write "nullableVersions": "{field.versions}", or another default'


def _structs_with_nan(spec: MessageSpec) -> set[str]:
    """Return the names of the structs whose defaults contain NaN, in a field or in a nested struct."""
    found: set[str] = set()
    # Repeat until nothing is added: a struct may precede the structs inside it. In an invalid spec it may contain
    # itself.
    while True:
        more = {struct.name for struct in spec.structs if any(_has_nan(field, found) for field in struct.fields)}
        if more == found:
            return found
        found = more


def _has_nan(field: FieldSpec, structs_with_nan: Collection[str]) -> bool:
    if isinstance(field.default, float):
        return math.isnan(field.default)
    return isinstance(field.type, StructType) and field.default is not None and field.type.name in structs_with_nan


@rule(structs, severity="warning")
def nan_default_ignorable(spec: MessageSpec, struct: StructSpec) -> Iterator[Problem]:
    """Checks that a field whose default is or contains NaN is ignorable if a version of its struct lacks the field.

    Otherwise, such a version can't be encoded: it requires the field to equal its default, and NaN equals nothing, not
    even itself.
    """
    holder = versions_of(spec, struct)
    missing = [field for field in struct.fields if not field.ignorable and not field.versions.covers(holder)]
    # This search walks over all structs, so do it only if a missing field is a struct.
    has_structs = any(isinstance(field.type, StructType) for field in missing)
    structs_with_nan = _structs_with_nan(spec) if has_structs else ()
    for field in missing:
        if _has_nan(field, structs_with_nan):
            default = "is NaN" if isinstance(field.default, float) else "contains NaN"
            message = (
                f"the default {default}, but some of the versions {holder} lack the field; these versions can't be "
                "encoded: they require the default, and NaN equals nothing"
            )
            yield field, "default", message, 'write "ignorable": true, or another default'


@rule(fields)
def field_flexible_versions_within_message(spec: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field is flexible only in flexible versions of its message."""
    own = field.flexible_versions
    if own is not None and not spec.flexible_versions.covers(own):
        message = f"flexible versions {own} of the field are outside those of the message, {spec.flexible_versions}"
        yield field, "flexibleVersions", message, f'write "{spec.flexible_versions.intersect(own)}" or "none"'


@rule(structs)
def tag_with_tagged_versions(spec: MessageSpec, struct: StructSpec) -> Iterator[Problem]:
    """Checks that tag and taggedVersions are used together."""
    for field in struct.fields:
        if field.tag is None and not field.tagged_versions.empty:
            message = f"missing tag: the field is tagged in versions {field.tagged_versions}"
            yield field, "taggedVersions", message, f'write "tag": {_free_tag(struct)}, or remove taggedVersions'
        if field.tag is not None and field.tagged_versions.empty:
            message = f"missing taggedVersions: the field has tag {field.tag}"
            versions = _may_be_tagged(spec, field)
            instead = "remove tag" if versions.empty else f'write "taggedVersions": "{versions}", or remove tag'
            yield field, "tag", message, instead


@rule(structs)
def tags_contiguous(_: MessageSpec, struct: StructSpec) -> Iterator[Problem]:
    """Checks that the tags of a struct run from 0 without gaps or duplicates."""
    tagged = [field for field in struct.fields if field.tag is not None]
    free = _free_tag(struct)
    first: dict[int | None, FieldSpec] = {}
    for field in tagged:
        other = first.setdefault(field.tag, field)
        if other is not field:
            message = f"duplicate tag {field.tag}: field {quoted(other.name)} has it, too"
            instead = f'write "tag": {free} for the one of them that is new; a released field keeps its tag'
            yield field, "tag", message, instead
            return
    for field in sorted(tagged, key=lambda field: field.tag or 0):
        if field.tag is not None and field.tag > free:
            message = f"tag {field.tag}, but no field of the struct has tag {free}: tags run from 0 without gaps"
            instead = f'write "tag": {free} if this field is new; if a released field had tag {free}, put it back'
            yield field, "tag", message, instead
            return


@rule(fields)
def tagged_versions_nullable_all_or_none(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field is nullable in all of its tagged versions or in none."""
    nullable = field.nullable_versions.intersect(field.tagged_versions)
    if field.tag is not None and not nullable.empty and nullable != field.tagged_versions:
        message = f"the field is tagged in versions {field.tagged_versions}, but nullable only in {nullable} of them"
        lowest = min(field.nullable_versions.lowest, field.tagged_versions.lowest)
        yield field, "nullableVersions", message, f'write "{lowest}+", or remove nullableVersions'


@rule(fields)
def tagged_versions_open_ended(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field stays tagged in all versions after its first tagged version."""
    tagged = field.tagged_versions
    if not tagged.empty and not tagged.open_ended:
        message = f"tagged versions {tagged} must be open-ended, because a tagged field never ends"
        yield field, "taggedVersions", message, f'write "{tagged.lowest}+"'


@rule(fields)
def tagged_versions_within_versions(spec: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field is tagged only in versions in which it exists and that are flexible."""
    tagged = field.tagged_versions
    flexible = _flexible_versions(spec, field)
    if tagged.empty:
        return
    if not field.versions.open_ended:
        message = f"the field ends with version {field.versions.highest}, but a tagged field never ends"
        instead = f'write "versions": "{min(field.versions.lowest, tagged.lowest)}+"; readers may ignore the field'
        yield field, "versions", message, instead
        return
    for versions, what in ((field.versions, "the field exists in"), (flexible, "it is flexible in")):
        if not versions.covers(tagged):
            message = f"the field is tagged in versions {tagged}, but {what} {versions}"
            both = versions.intersect(tagged)
            instead = "remove tag and taggedVersions" if both.empty else f'write "{both}"'
            yield field, "taggedVersions", message, instead
            return


@rule(fields)
def tagged_field_plain(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that no tagged field is a map key, zero copy, or of type records."""
    wrong = {"mapKey": field.map_key, "zeroCopy": field.zero_copy, "type": field.type is RECORDS}
    for name, is_wrong in wrong.items():
        if is_wrong and field.tag is not None:
            what, advice = _NOT_TAGGED[name]
            yield field, name, f"a tagged field can't be {what}", f"{advice}, or remove tag and taggedVersions"


def _free_tag(struct: StructSpec) -> int:
    """Return the lowest tag that no field of a struct has."""
    used = {field.tag for field in struct.fields}
    return next(tag for tag in range(len(struct.fields) + 1) if tag not in used)


def _flexible_versions(spec: MessageSpec, field: FieldSpec) -> VersionRange:
    return spec.flexible_versions if field.flexible_versions is None else field.flexible_versions


def _may_be_tagged(spec: MessageSpec, field: FieldSpec) -> VersionRange:
    """Return the flexible versions of a field, or ``NONE`` if they are not open-ended, as tagged versions must be."""
    both = field.versions.intersect(_flexible_versions(spec, field))
    return both if both.open_ended else NONE
