"""The rules of Apache's generator for single fields, tagged fields (KIP-482) and the fields of a struct (upstream: ``FieldSpec``, ``StructSpec``)."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen.findings import Severity, quoted
from messagegen.primitives import BYTES, RECORDS, STRING
from messagegen.spec.field_types import can_be_nullable, element_or_self, entity_base, struct_name, type_text
from messagegen.spec.model import ArrayType, FieldSpec, MessageSpec
from messagegen.spec.report import Report, defines_struct, placed
from messagegen.spec.rules import Rule
from messagegen.versions import VersionRange

_TEXTS = (STRING, BYTES)


def check_fields(message: MessageSpec, report: Report) -> None:
    """Reports what is wrong with the fields of a message and of all structs that it defines."""
    for field in message.fields:
        if field.map_key:
            text = "a top-level field of a message can't be a map key"
            report.add_at(placed(field), "mapKey", Rule.MAP_KEY_INSIDE_STRUCT, text, "remove mapKey")
    valid, flexible = message.valid_versions, message.flexible_versions
    _check_group(message.fields, valid, flexible, "fields", report)
    for struct in message.structs:
        holder = valid.intersect(struct.versions)
        _check_group(struct.fields, holder, flexible, f"{placed(struct).json_path}.fields", report)


def _check_group(
    fields: Sequence[FieldSpec], holder: VersionRange, flexible: VersionRange, path: str, report: Report
) -> None:
    """Checks the fields of a struct, at ``path``, and of the structs that they define.

    ``holder`` are the versions in which the struct exists.
    """
    _check_names(fields, report)
    _check_tags(fields, path, report)
    for field in fields:
        _check_field(field, flexible, report)
        if struct_name(field.type) is not None:
            inner = f"{placed(field).json_path}.fields"
            _check_group(field.fields, holder.intersect(field.versions), flexible, inner, report)
        if struct_name(field.type) is None or not defines_struct(field):
            _check_versions(field, holder, report)


def _check_versions(field: FieldSpec, holder: VersionRange, report: Report) -> None:
    """Reports a field that exists in no version; the struct registry reports those that define a struct."""
    place = placed(field)
    if holder.empty or not holder.intersect(field.versions).empty:
        return
    if not report.clean(f"{place.json_path}.versions", "validVersions"):
        return
    text = f"field never exists: it has versions {field.versions}, and the enclosing struct has {holder}"
    instead = "use versions in which the enclosing struct exists, or remove the field"
    # Fields of versions that are no longer valid do no harm; later versions would never be reached.
    late = field.versions.lowest > holder.highest
    severity: Severity = "error" if late else "warning"
    report.add_at(place, "versions", Rule.FIELD_VERSIONS_MEET_HOLDER, text, instead, severity)


def _check_names(fields: Sequence[FieldSpec], report: Report) -> None:
    names: set[str] = set()
    keys: dict[str, str] = {}
    for field in fields:
        key = field.name[:1].lower() + field.name[1:]
        if field.name in names:
            text, instead = f"duplicate field {quoted(field.name)}", "rename or remove one of them"
            report.add_at(placed(field), "name", Rule.FIELD_NAME_UNIQUE, text, instead)
        elif key in keys:
            text = f"fields {quoted(keys[key])} and {quoted(field.name)} have the same JSON key, {quoted(key)}"
            instead = "rename one of them, by more than its first letter"
            report.add_at(placed(field), "name", Rule.FIELD_JSON_KEY_UNIQUE, text, instead)
        names.add(field.name)
        keys.setdefault(key, field.name)


def _check_field(field: FieldSpec, flexible: VersionRange, report: Report) -> None:
    _check_type_properties(field, report)
    _check_inner_fields(field, report)
    _check_null_default(field, report)
    override = field.flexible_versions
    if override is not None:
        _check_flexible(field, override, flexible, report)
    _check_tag(field, flexible if override is None else override, report)


def _check_type_properties(field: FieldSpec, report: Report) -> None:
    """Checks the properties that only certain types allow."""
    shown = type_text(field.type)
    if not field.nullable_versions.empty and not can_be_nullable(field.type):
        text = f"a field of type {shown} can't be nullable"
        instead = "remove nullableVersions, or put the field into a struct that is nullable"
        report.add_at(placed(field), "nullableVersions", Rule.FIELD_NULLABLE_TYPE, text, instead)
    base = entity_base(field.entity_type)
    if base is not None and element_or_self(field.type) is not base:
        text = f"entity type {field.entity_type.value} requires type {base.name}, not {shown}"
        report.add_at(
            placed(field), "entityType", Rule.ENTITY_TYPE_FITS_TYPE, text, "remove entityType, or change the type"
        )
    if field.zero_copy and field.type is not BYTES:
        text = f"a field of type {shown} can't be zero copy"
        report.add_at(
            placed(field), "zeroCopy", Rule.ZERO_COPY_ONLY_ON_BYTES, text, "remove zeroCopy, or make the type bytes"
        )


def _check_inner_fields(field: FieldSpec, report: Report) -> None:
    if field.struct_about and (struct_name(field.type) is None or not defines_struct(field)):
        text, instead = "structAbout on a field that does not define a struct", "move the text to about"
        report.add_at(placed(field), "structAbout", Rule.STRUCT_ABOUT_WITH_FIELDS, text, instead)
    if not field.fields or struct_name(field.type) is not None:
        return
    shown = type_text(field.type)
    if isinstance(field.type, ArrayType):
        # Apache's generator accepts this and ignores the fields.
        text, instead = f"fields are ignored on a field of type {shown}", "remove fields"
        report.add_at(placed(field), "fields", Rule.FIELDS_OF_PRIMITIVE_ARRAY, text, instead, severity="warning")
        return
    text = f"a field of type {shown} can't have fields"
    instead = "remove fields, or make the type the name of a struct"
    report.add_at(placed(field), "fields", Rule.FIELDS_ONLY_IN_STRUCTS, text, instead)


def _check_null_default(field: FieldSpec, report: Report) -> None:
    place = placed(field)
    known = report.clean(f"{place.json_path}.versions", f"{place.json_path}.nullableVersions")
    if field.default is not None or field.type is RECORDS or not known:
        return
    if not field.nullable_versions.covers(field.versions):
        nullable = field.nullable_versions.intersect(field.versions)
        text = f"invalid default null: the field has versions {field.versions}, "
        text += "but is never nullable" if nullable.empty else f"but is nullable only in {nullable}"
        instead = f'write "nullableVersions": "{field.versions}", or another default'
        report.add_at(placed(field), "default", Rule.DEFAULT_NULL_WHERE_NULLABLE, text, instead)


def _check_flexible(field: FieldSpec, override: VersionRange, flexible: VersionRange, report: Report) -> None:
    if field.type not in _TEXTS:
        text = f"flexibleVersions is not allowed on a field of type {type_text(field.type)}"
        report.add_at(
            placed(field), "flexibleVersions", Rule.FIELD_FLEXIBLE_VERSIONS_TYPE, text, "remove flexibleVersions"
        )
    elif not flexible.covers(override) and report.clean("flexibleVersions"):
        text = f"flexible versions {override} of the field are outside those of the message, {flexible}"
        instead = 'use flexible versions of the message, or "none"'
        rule = Rule.FIELD_FLEXIBLE_VERSIONS_WITHIN_MESSAGE
        report.add_at(placed(field), "flexibleVersions", rule, text, instead)


def _check_tags(fields: Sequence[FieldSpec], path: str, report: Report) -> None:
    """Checks that the tags of one struct, with fields at ``path``, differ and run from 0."""
    holders: dict[int, FieldSpec] = {}
    for field in fields:
        if field.tag is None:
            continue
        first = holders.setdefault(field.tag, field)
        if first is not field:
            message = f"duplicate tag {field.tag}: field {quoted(first.name)} has it already"
            report.add_at(placed(field), "tag", Rule.TAG_UNIQUE, message, "use the lowest free tag")
    # A field that could not be parsed may have the missing tag.
    if report.clean(path, *(f"{placed(field).json_path}.tag" for field in fields)):
        _check_contiguous(holders, report)


def _check_contiguous(holders: dict[int, FieldSpec], report: Report) -> None:
    """Reports the lowest missing tag, at the first field with a higher one."""
    missing = next(tag for tag in range(len(holders) + 1) if tag not in holders)
    above = [tag for tag in holders if tag > missing]
    if above:
        field = holders[min(above)]
        message = f"tags go up to {max(above)}, but tag {missing} is not used"
        report.add_at(
            placed(field),
            "tag",
            Rule.TAGS_CONTIGUOUS,
            message,
            f'write "tag": {missing} here, or keep the released field that has it',
        )


def _check_tag(field: FieldSpec, flexible: VersionRange, report: Report) -> None:
    """Checks one field; ``flexible`` are the versions in which it may be tagged.

    The checks run in the same order as Apache's, and only the first failure is reported.
    """
    tagged = field.tagged_versions
    path = placed(field).json_path
    if not report.clean(f"{path}.tag", f"{path}.taggedVersions"):
        return
    if field.tag is None:
        if not tagged.empty:
            message = f"missing tag: the field is tagged in versions {tagged}"
            instead = 'add "tag" with the lowest free number, or remove taggedVersions'
            report.add_at(placed(field), "taggedVersions", Rule.TAG_WITH_TAGGED_VERSIONS, message, instead)
        return
    if field.map_key:
        instead = "remove mapKey, or the tag"
        report.add_at(placed(field), "mapKey", Rule.MAP_KEY_NOT_TAGGED, "a tagged field can't be a map key", instead)
    if field.tag < 0:
        report.add_at(placed(field), "tag", Rule.TAG_NOT_NEGATIVE, f"negative tag {field.tag}", "write 0 or more")
        return
    if tagged.empty:
        instead = 'add "taggedVersions", or remove the tag'
        message = f"missing taggedVersions: the field has tag {field.tag}"
        report.add_at(placed(field), "tag", Rule.TAG_WITH_TAGGED_VERSIONS, message, instead)
        return
    _check_tagged_versions(field, flexible, report)
    _check_tagged_type(field, report)


def _check_tagged_versions(field: FieldSpec, flexible: VersionRange, report: Report) -> None:
    tagged, path = field.tagged_versions, placed(field).json_path
    nullable = field.nullable_versions.intersect(tagged)
    versions_known = report.clean(f"{path}.versions")
    if not nullable.empty and nullable != tagged:
        message = f"the field is tagged in versions {tagged}, but nullable only in {nullable} of them"
        rule, instead = Rule.TAGGED_VERSIONS_NULLABLE_ALL_OR_NONE, "make all tagged versions nullable, or none"
        report.add_at(placed(field), "nullableVersions", rule, message, instead)
    elif not tagged.open_ended:
        message = f"tagged versions {tagged} must be open-ended"
        instead = f'write "{tagged.lowest}+"'
        report.add_at(placed(field), "taggedVersions", Rule.TAGGED_VERSIONS_OPEN_ENDED, message, instead)
    elif versions_known and not field.versions.covers(tagged):
        message = f"the field is tagged in versions {tagged}, but only exists in {field.versions}"
        rule, instead = Rule.TAGGED_VERSIONS_WITHIN_VERSIONS, "tag it only in versions in which it exists"
        report.add_at(placed(field), "taggedVersions", rule, message, instead)
    elif report.clean("flexibleVersions", f"{path}.flexibleVersions") and not flexible.covers(tagged):
        message = f"the field is tagged in versions {tagged}, but only {flexible} are flexible"
        rule, instead = Rule.TAGGED_VERSIONS_WITHIN_FLEXIBLE_VERSIONS, "tag it only in flexible versions"
        report.add_at(placed(field), "taggedVersions", rule, message, instead)


def _check_tagged_type(field: FieldSpec, report: Report) -> None:
    if field.type is RECORDS:
        message, instead = "a field of type records can't be tagged", "remove the tag, or make the type bytes"
        report.add_at(placed(field), "tag", Rule.TAGGED_FIELD_NOT_RECORDS, message, instead)
    if field.zero_copy:
        message, instead = "a tagged field can't be zero copy", "remove zeroCopy"
        report.add_at(placed(field), "zeroCopy", Rule.TAGGED_FIELD_NOT_ZERO_COPY, message, instead)
