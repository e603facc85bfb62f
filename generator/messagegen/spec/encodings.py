"""``encoding``, ``elementEncoding`` and ``type`` as a map: the wire encoding of a field's integers (KIP-625).

``elementEncoding`` is ours: KIP-625 does not allow ``encoding`` on arrays, although its own benchmark needs it for elements.
"""

from __future__ import annotations

import re
from typing import Final

from messagegen.findings import quoted
from messagegen.jsonc import Object, Scalar
from messagegen.primitives import INTEGER_OF_WIDTH
from messagegen.spec.field_types import (
    INTEGER_WIDTHS,
    ElementTypeError,
    element_or_self,
    parse_type,
    type_text,
)
from messagegen.spec.model import ArrayType, Encoding, EncodingForm, FieldType, Width
from messagegen.spec.properties import Properties
from messagegen.spec.report import RefusedError, Report, did_you_mean
from messagegen.spec.rules import Rule
from messagegen.spec.version_maps import Entry, read_entries, tell_coverage, tell_overlaps
from messagegen.versions import VersionMap, VersionRange, versions_text

_ENCODING: Final = re.compile(r"(fixed|packed|upacked)(16|32|64)")
_WIDTHS: Final[dict[str, Width]] = {"16": 16, "32": 32, "64": 64}
_NAMES: Final = tuple(f"{form.value}{bits}" for form in EncodingForm for bits in _WIDTHS)

Encodings = VersionMap[Encoding]


def parse_encoding(text: str) -> Encoding:
    """The encoding that ``text`` names; raises ``RefusedError``."""
    match = _ENCODING.fullmatch(text)
    if match is not None:
        return Encoding(EncodingForm(match[1]), _WIDTHS[match[2]])
    raise RefusedError(f"invalid encoding {quoted(text)}", did_you_mean(text, _NAMES))


def read_type(
    properties: Properties, versions: VersionRange | None, report: Report
) -> tuple[FieldType, Encodings | None] | None:
    """The ``type`` of a field, and its encodings if it names them; ``None`` after a finding.

    ``versions`` are the field's, or ``None`` if unknown.
    """
    node, path = properties.node("type"), properties.path_of("type")
    if isinstance(node, Object):
        return _read_type_map(node, path, versions, report)
    if not isinstance(node, Scalar):
        return None
    parsed = _parse_told(node, path, report)
    if parsed is None:
        return None
    type_, encoding = parsed
    return type_, None if encoding is None else Encodings.constant(versions or VersionRange(0, 0), encoding)


def read_encodings(
    properties: Properties, typed: tuple[FieldType, Encodings | None], versions: VersionRange | None, report: Report
) -> Encodings | None:
    """The encodings of a field, from its type, ``encoding`` or ``elementEncoding``.

    ``typed`` is the result of ``read_type``. ``None`` if there is no encoding, or after a finding.
    """
    type_, found = typed
    named = found is not None or isinstance(properties.node("type"), Object)
    for name in ("encoding", "elementEncoding"):
        node = properties.node(name)
        if node is None:
            continue
        if named:
            message = f"{name} is not allowed here: the type of the field already names its encoding"
            position, path, instead = properties.position_of(name), properties.path_of(name), f"remove {name}"
            report.add(Rule.ENCODING_WRITTEN_ONCE, position, path, message, instead)
        elif _encoding_fits_field(properties, name, type_, report):
            found = _read_encodings(properties, name, type_, versions, report)
    return found


def _parse_told(node: Scalar, path: str, report: Report) -> tuple[FieldType, Encoding | None] | None:
    try:
        return parse_type(node.text)
    except RefusedError as error:
        rule = Rule.ARRAY_ELEMENT_TYPE if isinstance(error, ElementTypeError) else Rule.FIELD_TYPE_KNOWN
        report.add(rule, node.position, path, error.message, error.instead)
        return None


def _read_type_map(
    node: Object, path: str, versions: VersionRange | None, report: Report
) -> tuple[FieldType, Encodings | None] | None:
    entries = read_entries(node, path, report, lambda value: _parse_told(value, path, report))
    if not entries:
        return None
    if not tell_overlaps(entries, Rule.TYPE_MAP_RANGES_DISJOINT, path, "type", report) and versions is not None:
        tell_coverage(entries, versions, Rule.TYPE_MAP_COVERS_VERSIONS, node.position, path, "type", report)
    first = entries[0].value[0]
    if all(entry.value == (first, None) for entry in entries):
        return first, None
    widest = _widest([entry.value[0] for entry in entries])
    if widest is None:
        odd = next(entry for entry in entries if not _is_integer(entry.value[0]) or not _alike(entry.value[0], first))
        other = next(entry for entry in entries if entry.value[0] != odd.value[0])
        message = f"this field is {type_text(other.value[0])} in {versions_text([other.versions])}, "
        message += f"but {type_text(odd.value[0])} in {versions_text([odd.versions])}"
        instead = "map to int16, int32, int64, varint and unsigned_varint types only, all alone or all in arrays"
        report.add(Rule.TYPE_MAP_OF_INTEGERS, odd.value_position, path, message, instead)
        return None
    return widest, VersionMap(tuple((entry.versions, _wire_encoding(entry)) for entry in entries))


def _widest(types: list[FieldType]) -> FieldType | None:
    """The widest of ``types``, or ``None`` if they are not all integers or all arrays of integers."""
    if not all(_is_integer(type_) and _alike(type_, types[0]) for type_ in types):
        return None
    widest = INTEGER_OF_WIDTH[max(_width(type_) for type_ in types)]
    return ArrayType(widest) if isinstance(types[0], ArrayType) else widest


def _alike(one: FieldType, other: FieldType) -> bool:
    return isinstance(one, ArrayType) == isinstance(other, ArrayType)


def _is_integer(type_: FieldType) -> bool:
    return element_or_self(type_) in INTEGER_WIDTHS


def _width(type_: FieldType) -> Width:
    return INTEGER_WIDTHS[element_or_self(type_)]


def _wire_encoding(entry: Entry[tuple[FieldType, Encoding | None]]) -> Encoding:
    type_, encoding = entry.value
    return encoding or Encoding(EncodingForm.FIXED, _width(type_))


def _encoding_fits_field(properties: Properties, name: str, type_: FieldType, report: Report) -> bool:
    """Whether the property ``name`` is allowed on a field of this type."""
    position, path, other = properties.position_of(name), properties.path_of(name), "elementEncoding"
    is_array = isinstance(type_, ArrayType)
    if _is_integer(type_) and is_array == (name == other):
        return True
    if _is_integer(type_):
        other = other if is_array else "encoding"
        instead = f"write {other} instead of {name}"
    else:
        instead = f"remove {name}, or make the field an int16, int32 or int64" + (" array" if name == other else "")
    message = f"{name} is not allowed on a field of type {type_text(type_)}"
    report.add(Rule.ENCODING_FOR_INTEGERS, position, path, message, instead)
    return False


def _read_encodings(
    properties: Properties, name: str, type_: FieldType, versions: VersionRange | None, report: Report
) -> Encodings | None:
    node, path = properties.node(name), properties.path_of(name)
    if isinstance(node, Scalar):
        encoding = _read_encoding(node, type_, path, report)
        return None if encoding is None else Encodings.constant(versions or VersionRange(0, 0), encoding)
    if not isinstance(node, Object):
        return None
    entries = read_entries(node, path, report, lambda value: _read_encoding(value, type_, path, report))
    if not entries:
        return None
    if not tell_overlaps(entries, Rule.ENCODING_RANGES_DISJOINT, path, "encoding", report) and versions is not None:
        tell_coverage(entries, versions, Rule.ENCODING_COVERS_VERSIONS, node.position, path, "encoding", report)
    return VersionMap(tuple((entry.versions, entry.value) for entry in entries))


def _read_encoding(node: Scalar, type_: FieldType, path: str, report: Report) -> Encoding | None:
    try:
        encoding = parse_encoding(node.text)
    except RefusedError as error:
        report.add(Rule.ENCODING_KNOWN, node.position, path, error.message, error.instead)
        return None
    if encoding.bits > _width(type_):
        message = f"{encoding} carries {encoding.bits} bits, but {type_text(type_)} has {_width(type_)}"
        wider = type_text(type_).replace(str(_width(type_)), str(encoding.bits))
        instead = f'write "{encoding.form.value}{_width(type_)}", or make the type {wider}'
        report.add(Rule.ENCODING_FITS_TYPE, node.position, path, message, instead)
        return None
    return encoding
