"""The rules of Apache's generator for single fields and for the fields of a struct (upstream: ``FieldSpec``, ``StructSpec``)."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen.findings import Severity, quoted
from messagegen.primitives import BYTES, RECORDS, STRING
from messagegen.spec.field_types import can_be_nullable, element_or_self, entity_base, struct_name, type_text
from messagegen.spec.model import ArrayType, FieldSpec, MessageSpec
from messagegen.spec.reader import CommonStruct
from messagegen.spec.report import Report, defines_struct, placed
from messagegen.spec.rules import Rule
from messagegen.spec.tag_rules import check_tag, check_tags
from messagegen.versions import VersionRange

_TEXTS = (STRING, BYTES)


def check_fields(message: MessageSpec, common: Sequence[CommonStruct], report: Report) -> None:
    """Reports what is wrong with the fields of a message and of all structs that it defines."""
    for field in message.fields:
        if field.map_key:
            text = "a top-level field of a message can't be a map key"
            report.add_at(placed(field), "mapKey", Rule.MAP_KEY_INSIDE_STRUCT, text, "remove mapKey")
    valid, flexible = message.valid_versions, message.flexible_versions
    _check_group(message.fields, valid, flexible, "fields", report)
    for entry in common:
        holder = valid.intersect(entry.struct.versions)
        _check_group(entry.struct.fields, holder, flexible, f"{entry.place.json_path}.fields", report)


def _check_group(
    fields: Sequence[FieldSpec], holder: VersionRange, flexible: VersionRange, path: str, report: Report
) -> None:
    """Checks the fields of a struct, at ``path``, and of the structs that they define.

    ``holder`` are the versions in which the struct exists.
    """
    _check_names(fields, report)
    check_tags(fields, path, report)
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
    check_tag(field, flexible if override is None else override, report)


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
