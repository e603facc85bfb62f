"""Builds the model from the tree of a spec (upstream: ``MessageSpec``, ``StructSpec``, ``FieldSpec``)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeVar

from messagegen.findings import quoted
from messagegen.jsonc import Object, Scalar
from messagegen.primitives import INTEGER_OF_WIDTH, STRING
from messagegen.spec.defaults import parse_default
from messagegen.spec.field_types import integer_width, parse_encoding, parse_type, struct_name
from messagegen.spec.header_versions import derive_header_versions
from messagegen.spec.model import (
    ArrayType,
    Default,
    EmptyDefault,
    Encoding,
    EncodingForm,
    EntityType,
    FieldSpec,
    FieldType,
    MessageKind,
    MessageSpec,
    StructSpec,
)
from messagegen.spec.place import Place
from messagegen.spec.report import RefusedError, Report
from messagegen.versions import ALL, NONE, VersionMap, VersionRange, versions_text

T = TypeVar("T")

_LONGEST_RANGE: Final = 20
"""The maximum length of an invalid version range that an error shows in full."""
_MOST_ADVISED: Final = 6
"""The maximum number of ranges in an advice."""
_ENTITY_TYPES: Final = {entity.value: entity for entity in EntityType}


def read_message(place: Place, file: str, report: Report) -> MessageSpec:
    """Return the message at ``place``; invalid values are reported, and replaced by defaults."""
    kind = MessageKind(place.text("type"))
    name = place.text("name")
    api_key = place.number("apiKey")
    valid = report.read(place, "validVersions", parse_range, ALL)
    if valid.empty:
        # A retired message reserves its name and API key; the rest of its spec is ignored.
        return MessageSpec(name, kind, NONE, NONE, (), api_key=api_key, file=file, place=place)
    flexible = report.read(place, "flexibleVersions", parse_range, NONE)
    headers = _read_map(place, "headerVersions", ALL, int, report)
    common = tuple(_read_common_struct(one, report) for one in place.objects("commonStructs"))
    fields = _read_fields(place, report)
    inline: dict[str, StructSpec] = {}
    _add_inline_structs(fields, valid, {struct.name for struct in common}, inline)
    return MessageSpec(
        name=name,
        kind=kind,
        valid_versions=valid,
        flexible_versions=flexible,
        fields=fields,
        structs=(*inline.values(), *common),
        api_key=api_key,
        about=place.text("about"),
        deprecated_versions=report.read(place, "deprecatedVersions", parse_range, NONE),
        latest_version_unstable=place.flag("latestVersionUnstable"),
        listeners=tuple(item.text for item in place.items("listeners") if isinstance(item, Scalar)),
        header_versions=headers or derive_header_versions(kind, api_key, flexible),
        file=file,
        place=place,
    )


def parse_range(text: str) -> VersionRange:
    """Parse a version range; raise ``RefusedError`` if it is invalid."""
    try:
        return VersionRange.parse(text)
    except ValueError as error:
        # A long text is clipped by ``quoted``.
        message = str(error) if len(text) <= _LONGEST_RANGE else f"invalid version range {quoted(text)}"
        raise RefusedError("VERSION_RANGE_WELL_FORMED", message, 'write "3", "0-9", "2+" or "none"') from None


def _read_common_struct(place: Place, report: Report) -> StructSpec:
    versions = report.read(place, "versions", parse_range, ALL)
    return StructSpec(
        name=place.text("name"),
        versions=versions,
        parent_versions=versions,
        fields=_read_fields(place, report),
        common=True,
        about=place.text("about"),
        place=place,
    )


def _add_inline_structs(
    fields: Sequence[FieldSpec], parent: VersionRange, common: Collection[str], found: dict[str, StructSpec]
) -> None:
    """Add the structs that ``fields`` define, in order of appearance.

    ``parent`` are the versions of the enclosing message or struct.
    """
    for field in fields:
        name = struct_name(field.type)
        if name is not None and name not in common and name not in found:
            found[name] = StructSpec(name, field.versions, parent, field.fields, about=field.struct_about)
            _add_inline_structs(field.fields, parent.intersect(field.versions), common, found)


def _read_fields(place: Place, report: Report) -> tuple[FieldSpec, ...]:
    return tuple(_read_field(one, report) for one in place.objects("fields"))


def _read_field(place: Place, report: Report) -> FieldSpec:
    tagged = report.read(place, "taggedVersions", parse_range, NONE)
    # Like Apache's generator, fall back to the tagged versions.
    versions = report.read(place, "versions", parse_range, tagged)
    if tagged.empty and not place.text("versions").strip():
        message = 'missing property "versions" of the field'
        report.tell(
            place.of("versions"), place.path("versions"), "FIELD_VERSIONS_WRITTEN", message, 'write "versions": "0+"'
        )
    type_, encodings = _read_type(place, versions, report)
    no_default: Default = EmptyDefault.EMPTY
    return FieldSpec(
        name=place.text("name"),
        type=type_,
        versions=versions,
        about=place.text("about"),
        default=report.attempt(place, "default", lambda: parse_default(type_, place.text("default")), no_default),
        nullable_versions=report.read(place, "nullableVersions", parse_range, NONE),
        tagged_versions=tagged,
        tag=place.number("tag"),
        flexible_versions=report.read(place, "flexibleVersions", parse_range, None),
        ignorable=place.flag("ignorable"),
        map_key=place.flag("mapKey"),
        zero_copy=place.flag("zeroCopy"),
        sensitive=place.flag("sensitive"),
        entity_type=_ENTITY_TYPES.get(place.text("entityType"), EntityType.UNKNOWN),
        encodings=encodings,
        fields=_read_fields(place, report),
        struct_about=place.text("structAbout"),
        place=place,
    )


def _read_type(place: Place, versions: VersionRange, report: Report) -> tuple[FieldType, VersionMap[Encoding] | None]:
    """Return the type of a field (the widest one of a map of types), and its encodings.

    The encodings come from the type, ``encoding`` or ``elementEncoding``.
    """
    types = _read_map(place, "type", versions, parse_type, report)
    if types is None:
        return STRING, None
    first, encoding = types.values()[0]
    is_array = isinstance(first, ArrayType)
    if encoding is None and len(set(types.values())) == 1:
        name = "elementEncoding" if is_array else "encoding"
        return first, _read_map(place, name, versions, parse_encoding, report)
    encodings: list[tuple[VersionRange, Encoding]] = []
    for range_, (type_, encoding) in types.entries:
        if width := integer_width(type_):
            encodings.append((range_, encoding or Encoding(EncodingForm.FIXED, width)))
    if len(encodings) < len(types.entries) or len({isinstance(type_, ArrayType) for type_, _ in types.values()}) > 1:
        message = "a type that depends on the version must be an integer, or an array of integers, in all versions"
        instead = "map to int16, int32, int64, varint and unsigned_varint types"
        report.tell(place.of("type"), place.path("type"), "TYPE_MAP_OF_INTEGERS", message, instead)
        return STRING, None
    widest = INTEGER_OF_WIDTH[max(encoding.bits for _, encoding in encodings)]
    return ArrayType(widest) if is_array else widest, VersionMap(tuple(encodings))


def _read_map(
    place: Place, name: str, versions: VersionRange, parse: Callable[[str], T], report: Report
) -> VersionMap[T] | None:
    """Return a property: one value for all of ``versions``, or an object that maps version ranges to values.

    KIP-625 and KIP-1313 define such objects. Return ``None`` if the property is missing or invalid.
    """
    value = place.properties.get(name)
    if isinstance(value, Object):
        texts = [(text, part.value.text) for text, part in value.members.items() if isinstance(part.value, Scalar)]
        return report.attempt(place, name, lambda: _parse_map(texts, versions, parse), None)
    return report.read(place, name, lambda text: VersionMap(((versions, parse(text)),)), None)


def _parse_map(texts: list[tuple[str, str]], versions: VersionRange, parse: Callable[[str], T]) -> VersionMap[T]:
    entries = [(parse_range(text), parse(value)) for text, value in texts]
    entries.sort(key=lambda entry: (entry[0].lowest, entry[0].highest))
    starts = [*(found.lowest for found, _ in entries), versions.highest + 1]
    expected = [versions.lowest, *(found.highest + 1 for found, _ in entries)]
    if starts != expected:
        wrong = next(min(pair) for pair in zip(starts, expected, strict=True) if pair[0] != pair[1])
        message = f"the ranges do not cover {versions_text([versions])} exactly once: check version {wrong}"
        advice = _ranges_that_cover([found.lowest for found, _ in entries], versions)
        raise RefusedError("VERSION_MAP_COVERS_VERSIONS", message, advice)
    return VersionMap(tuple(entries))


def _ranges_that_cover(starts: Iterable[int], versions: VersionRange) -> str:
    """Return the advice to let each range end where the next one starts."""
    first = [versions.lowest, *sorted({start for start in starts if versions.lowest < start <= versions.highest})]
    if len(first) > _MOST_ADVISED:
        return "let each range end just before the next one starts"
    last = [*(start - 1 for start in first[1:]), versions.highest]
    ranges = [f'"{VersionRange(*ends)}"' for ends in zip(first, last, strict=True)]
    return f"write {', '.join(ranges)}"
