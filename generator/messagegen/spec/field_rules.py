"""The rules of Apache's generator for single fields, tagged fields (KIP-482) and the fields of a struct (upstream: ``FieldSpec``, ``StructSpec``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from messagegen.findings import clipped, quoted
from messagegen.primitives import BYTES, PRIMITIVES, RECORDS, STRING, Primitive
from messagegen.spec.field_types import element_or_self, integer_width, struct_name
from messagegen.spec.model import ArrayType, EntityType, FieldSpec, MessageSpec, StructSpec
from messagegen.spec.report import did_you_mean, placed
from messagegen.spec.rule import Problem, fields, rule, structs, versions_of, written

_ENTITY_TYPES: Final = tuple(entity.value for entity in EntityType)
_ENTITIES: Final = {
    EntityType.TRANSACTIONAL_ID: STRING,
    EntityType.PRODUCER_ID: PRIMITIVES["int64"],
    EntityType.GROUP_ID: STRING,
    EntityType.TOPIC_NAME: STRING,
    EntityType.BROKER_ID: PRIMITIVES["int32"],
}
_NOT_TAGGED: Final = {"mapKey": "a map key", "zeroCopy": "zero copy", "type": "of type records"}


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
    """Checks that a field exists in some version of the enclosing message or struct, unless it was dropped.

    Fields of versions that are no longer valid do no harm, unless they define a struct; later versions would never be reached.
    """
    holder, instead = versions_of(spec, struct), "use versions in which the enclosing struct exists, or remove it"
    if struct.common and struct.versions.empty:
        yield struct, "versions", f"struct {quoted(struct.name)} has no versions", instead
    for field in struct.fields if not holder.empty else ():
        defines = struct_name(field.type) is not None and written(field, "fields")
        if (defines or field.versions.lowest > holder.highest) and holder.intersect(field.versions).empty:
            message = f"field never exists: it has versions {field.versions}, and the enclosing struct has {holder}"
            yield field, "versions", message, instead


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
    type_, entity = field.type, _ENTITIES.get(field.entity_type)
    # Types such as varint32 name the encoding themselves.
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

    Another one, such as those that forks of Kafka have, changes no bytes and has no effect.
    """
    text = placed(field).text("entityType")
    if text and text not in _ENTITY_TYPES:
        advice = did_you_mean(text, _ENTITY_TYPES)
        instead = advice if advice.startswith("did you mean") else f"{advice}, or remove entityType"
        yield field, "entityType", f"unknown entity type {quoted(text)}, ignored", instead


@rule(fields)
def encoding_fits_type(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that no encoding is wider than its type."""
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


@rule(fields)
def field_flexible_versions_within_message(spec: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field is flexible only in flexible versions of its message."""
    own = field.flexible_versions
    if own is not None and not spec.flexible_versions.covers(own):
        message = f"flexible versions {own} of the field are outside those of the message, {spec.flexible_versions}"
        yield field, "flexibleVersions", message, 'use flexible versions of the message, or "none"'


@rule(fields)
def tag_with_tagged_versions(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that tag and taggedVersions are used together."""
    if field.tag is None and not field.tagged_versions.empty:
        message = f"missing tag: the field is tagged in versions {field.tagged_versions}"
        yield field, "taggedVersions", message, 'add "tag" with the lowest free number, or remove taggedVersions'
    if field.tag is not None and field.tagged_versions.empty:
        message = f"missing taggedVersions: the field has tag {field.tag}"
        yield field, "tag", message, 'add "taggedVersions", or remove the tag'


@rule(structs)
def tags_contiguous(_: MessageSpec, struct: StructSpec) -> Iterator[Problem]:
    """Checks that the tags of a struct run from 0 without gaps, each once."""
    tagged = sorted((field.tag, number) for number, field in enumerate(struct.fields) if field.tag is not None)
    for expected, (tag, number) in enumerate(tagged):
        if tag != expected:
            message = f"tag {tag}, but the next tag of the struct is {expected}: they run from 0, each once"
            yield struct.fields[
                number
            ], "tag", message, f'write "tag": {expected}, or keep the released field that has it'
            return


@rule(fields)
def tagged_versions_nullable_all_or_none(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field is nullable in all of its tagged versions or in none."""
    nullable = field.nullable_versions.intersect(field.tagged_versions)
    if field.tag is not None and not nullable.empty and nullable != field.tagged_versions:
        message = f"the field is tagged in versions {field.tagged_versions}, but nullable only in {nullable} of them"
        yield field, "nullableVersions", message, "make all tagged versions nullable, or none"


@rule(fields)
def tagged_versions_open_ended(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field stays tagged once it is."""
    tagged = field.tagged_versions
    if not tagged.empty and not tagged.open_ended:
        yield field, "taggedVersions", f"tagged versions {tagged} must be open-ended", f'write "{tagged.lowest}+"'


@rule(fields)
def tagged_versions_within_versions(spec: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field is tagged only in versions in which it exists and that are flexible."""
    flexible = spec.flexible_versions if field.flexible_versions is None else field.flexible_versions
    for versions, what in ((field.versions, "the field exists in"), (flexible, "it is flexible in")):
        if not versions.covers(field.tagged_versions):
            message = f"the field is tagged in versions {field.tagged_versions}, but {what} {versions}"
            yield field, "taggedVersions", message, "tag it only in these versions"
            return


@rule(fields)
def tagged_field_plain(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that no tagged field is a map key, zero copy, or of type records."""
    wrong = {"mapKey": field.map_key, "zeroCopy": field.zero_copy, "type": field.type is RECORDS}
    for name, is_wrong in wrong.items():
        if is_wrong and field.tag is not None:
            message, instead = f"a tagged field can't be {_NOT_TAGGED[name]}", f"remove the tag, or change {name}"
            yield field, name, message, instead
