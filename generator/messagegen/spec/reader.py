"""Builds the model from the tree of a spec (upstream: ``MessageSpec``, ``StructSpec``, ``FieldSpec``)."""

from __future__ import annotations

from messagegen.jsonc import Object
from messagegen.spec.defaults import OctalError, parse_default
from messagegen.spec.encodings import read_encodings, read_type
from messagegen.spec.header_versions import read_header_versions
from messagegen.spec.model import (
    Default,
    EmptyDefault,
    EntityType,
    FieldSpec,
    FieldType,
    MessageKind,
    MessageSpec,
    StructSpec,
)
from messagegen.spec.properties import Properties
from messagegen.spec.report import RefusedError, Report
from messagegen.spec.rules import Rule
from messagegen.versions import ALL, NONE, VersionRange


def read_message(root: Object, file: str, report: Report) -> MessageSpec:
    """The message in ``root``, with its common structs as written; invalid parts are reported and replaced by something harmless."""
    properties = Properties(root, "", report)
    kind, valid, api_key = _kind(properties), _valid_versions(properties, report), _api_key(properties, report)
    name, place = properties.text("name") or "", properties.place()
    if valid.empty:
        # A retired message reserves its name and API key; the rest of its spec is ignored.
        return MessageSpec(name, kind, NONE, NONE, (), api_key=api_key, file=file, place=place)
    flexible = _flexible_versions(properties, report)
    headers = None
    if report.clean("type"):
        headers = read_header_versions(properties, kind, api_key, valid, flexible, report)
    return MessageSpec(
        name=name,
        kind=kind,
        valid_versions=valid,
        flexible_versions=flexible,
        fields=_read_fields(properties, "fields", report),
        structs=_read_common_structs(properties, report),
        api_key=api_key,
        about=properties.text("about") or "",
        deprecated_versions=properties.versions("deprecatedVersions") or NONE,
        latest_version_unstable=properties.flag("latestVersionUnstable"),
        listeners=properties.texts("listeners"),
        header_versions=headers,
        file=file,
        place=place,
    )


def _kind(properties: Properties) -> MessageKind:
    try:
        return MessageKind(properties.text("type"))
    except ValueError:
        return MessageKind.DATA


def _valid_versions(properties: Properties, report: Report) -> VersionRange:
    name = "validVersions"
    versions = properties.versions(name)
    if versions is None and report.clean(name):
        message, instead = 'missing property "validVersions"', 'write "validVersions": "0"'
        report.add(Rule.PROPERTY_REQUIRED, properties.position_of(name), name, message, instead)
    return ALL if versions is None else versions


def _api_key(properties: Properties, report: Report) -> int | None:
    name = "apiKey"
    api_key = properties.number(name)
    if api_key is not None and not -(2**15) <= api_key < 2**15:
        message, instead = f"the API key {api_key} does not fit 16 bits", "write a number from 0 to 32767"
        report.add(Rule.NUMBER_IN_RANGE, properties.position_of(name), name, message, instead)
    return api_key


def _flexible_versions(properties: Properties, report: Report) -> VersionRange:
    if not properties.written("flexibleVersions") and report.clean("flexibleVersions"):
        # Kafka 2.4 to 2.8 omit it in messages without flexible versions; later generators require it.
        message = 'missing property "flexibleVersions"' + (', read as "none"' if report.old == "warning" else "")
        instead = 'write "flexibleVersions": "0+" for a new message, or "none"'
        rule, position = Rule.MESSAGE_FLEXIBLE_VERSIONS_WRITTEN, properties.position_of("flexibleVersions")
        report.add(rule, position, "flexibleVersions", message, instead, report.old)
    return properties.versions("flexibleVersions") or NONE


def _read_common_structs(properties: Properties, report: Report) -> tuple[StructSpec, ...]:
    structs: list[StructSpec] = []
    for node, path in properties.objects("commonStructs"):
        parts = Properties(node, path, report)
        name, versions = parts.text("name"), parts.versions("versions")
        if versions is None and report.clean(parts.path_of("versions")):
            message = 'missing property "versions" of the struct'
            position = parts.position_of("versions")
            report.add(Rule.PROPERTY_REQUIRED, position, parts.path_of("versions"), message, 'write "versions": "0+"')
        versions = ALL if versions is None else versions
        fields = _read_fields(parts, "fields", report)
        if name is not None:
            about = parts.text("about") or ""
            structs.append(StructSpec(name, versions, versions, fields, common=True, about=about, place=parts.place()))
        else:
            report.damage("commonStructs")
    return tuple(structs)


def _read_fields(properties: Properties, name: str, report: Report) -> tuple[FieldSpec, ...]:
    fields: list[FieldSpec] = []
    for node, path in properties.objects(name):
        field = _read_field(Properties(node, path, report), report)
        if field is None:
            report.damage(properties.path_of(name))
        else:
            fields.append(field)
    return tuple(fields)


def _read_field(properties: Properties, report: Report) -> FieldSpec | None:
    """Reads a field; ``None`` if its name or type is unknown."""
    tagged = properties.versions("taggedVersions") or NONE
    versions = _field_versions(properties, tagged, report)
    fields = _read_fields(properties, "fields", report)
    name, typed = properties.text("name"), read_type(properties, versions, report)
    if name is None or typed is None:
        return None
    type_, _ = typed
    return FieldSpec(
        name=name,
        type=type_,
        versions=ALL if versions is None else versions,
        about=properties.text("about") or "",
        default=_default(properties, type_, report),
        nullable_versions=properties.versions("nullableVersions") or NONE,
        tagged_versions=tagged,
        tag=properties.number("tag"),
        flexible_versions=properties.versions("flexibleVersions"),
        ignorable=properties.flag("ignorable"),
        map_key=properties.flag("mapKey"),
        zero_copy=properties.flag("zeroCopy"),
        sensitive=properties.flag("sensitive"),
        entity_type=_entity_type(properties),
        encodings=read_encodings(properties, typed, versions, report),
        fields=fields,
        struct_about=properties.text("structAbout") or "",
        place=properties.place(),
    )


def _field_versions(properties: Properties, tagged: VersionRange, report: Report) -> VersionRange | None:
    """The versions of a field, or ``None`` if unknown."""
    versions = properties.versions("versions")
    path = properties.path_of("versions")
    if versions is not None or not report.clean(path, properties.path_of("taggedVersions")):
        return versions
    rule, position = Rule.FIELD_VERSIONS_WRITTEN, properties.position_of("versions")
    message = 'missing property "versions" of the field'
    if tagged.empty:
        report.add(rule, position, path, message, f'write "versions": "{ALL}"')
        return None
    # Apache's generator falls back to the tagged versions; newer ones don't do so for a field that defines a struct.
    if any(True for _ in properties.objects("fields")):
        message += f", read as the tagged versions, {tagged}"
        report.add(rule, position, path, message, f'write "versions": "{tagged}"', severity="warning")
    return tagged


def _default(properties: Properties, type_: FieldType, report: Report) -> Default:
    try:
        return parse_default(type_, properties.text("default") or "")
    except RefusedError as error:
        position, path = properties.position_of("default"), properties.path_of("default")
        rule = Rule.DEFAULT_NOT_OCTAL if isinstance(error, OctalError) else Rule.DEFAULT_FITS_TYPE
        report.add(rule, position, path, error.message, error.instead)
        return EmptyDefault.EMPTY


def _entity_type(properties: Properties) -> EntityType:
    try:
        return EntityType(properties.text("entityType") or "unknown")
    except ValueError:
        return EntityType.UNKNOWN
