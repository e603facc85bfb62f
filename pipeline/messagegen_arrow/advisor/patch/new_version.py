"""Adds a version with other encodings to a spec, and leaves the rest of its text unchanged."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from messagegen.jsonc import Object, Part, Scalar, Value
from messagegen.versions import NONE, VersionRange
from messagegen_arrow.advisor.encodings import WIDTH_OF_TYPE, encoding_of_codec, split
from messagegen_arrow.advisor.patch.text import (
    Edits,
    Span,
    SpecText,
    SpecTextError,
    all_properties,
    property_objects,
    property_text,
    property_value,
)
from messagegen_arrow.advisor.patch.wire_format import FieldEncodings, check_new_version
from messagegen_arrow.catalog import Catalog, MessageTable
from messagegen_arrow.plans import Field, Plan

_WORD_OF_FORM: Final = {"fixed": "int", "packed": "varint", "upacked": "unsigned_varint"}
"""How ``type`` writes the forms of KIP-625."""
_MAPS: Final = ("encoding", "elementEncoding", "type", "headerVersions")
"""Properties that may be an object whose keys are ranges of versions."""
_KEPT: Final = "deprecatedVersions"
"""A range that the new version does not extend: it is not deprecated."""


def patch_spec(text: str, encodings: FieldEncodings) -> str:
    """Adds a version to the message of a spec in which the named fields have other encodings, and gives the new text.

    The next version is added to ``validVersions``, and to every range that ended with the last one;
    ``deprecatedVersions`` stay. Fields get ``encoding`` or ``elementEncoding`` (or another entry in a map of types),
    and everything else stays unchanged, including comments. Then the result is checked: messagegen reads it, all old
    versions have the same wire format, and the new version differs from the last one only in those encodings.

    Raises ``SpecTextError`` for a spec or a field that cannot be changed so, and what ``Catalog.of_specs`` raises for a
    spec that has findings.
    """
    before = load_table(text)
    if before.kind == "coordinator-key":
        raise SpecTextError(
            f"{before.name} is a coordinator's key, which has one version only; a new layout takes a new API key"
        )
    latest = before.valid_versions[1]
    spec = SpecText(text)
    fields = _Fields(spec.root, before.parsed_plan)
    edits = dict(_range_edits(spec, latest))
    for (struct, key), encoding in encodings.items():
        span, new = _encoding_edit(spec, fields.find(struct, key), latest, encoding)
        edits[span] = new
    after = spec.edited(edits)
    check_new_version(before.plan, load_table(after).plan, encodings)
    return after


def load_table(text: str) -> MessageTable:
    """The message of a spec's text.

    Raises what ``Catalog.of_specs`` raises, and ``SpecTextError`` for a retired message.
    """
    with tempfile.TemporaryDirectory(prefix="messagegen-advisor-") as scratch:
        file = Path(scratch) / "spec.json"
        # As bytes, which keep the line breaks of the file.
        file.write_bytes(text.encode())
        tables = list(Catalog.of_specs(file))
    if not tables:
        raise SpecTextError("the message of this spec is retired; it has no version that another one could follow")
    return tables[0]


def _range_edits(spec: SpecText, latest: int) -> Edits:
    """The next version, wherever a range of versions ends with the last one and is not continued by another."""
    edits: dict[Span, str] = {}
    for part in all_properties(spec.root):
        ranges = {key: VersionRange.parse(key.text) for key in _ranges_in(part)}
        if any(latest + 1 in versions for versions in ranges.values()):
            continue
        for key, versions in ranges.items():
            if versions.highest == latest:
                edits[spec.span(key)] = f'"{VersionRange(versions.lowest, latest + 1)}"'
    return edits


def _ranges_in(part: Part) -> list[Scalar]:
    """The version ranges that a property consists of: keys of its map, or its value."""
    if part.name in _MAPS and isinstance(part.value, Object):
        return [entry.key for entry in part.value.parts if entry.key is not None]
    if part.name.endswith("ersions") and part.name != _KEPT and isinstance(part.value, Scalar):
        return [part.value]
    return []


class _SpecField(NamedTuple):
    """A field in the text and in the plan."""

    written: Object
    planned: Field


@dataclass(frozen=True, slots=True)
class _Fields:
    """Finds fields. Classes may have other names than structs, so the text and the plan are walked together."""

    root: Object
    plan: Plan

    def find(self, struct: str, key: str) -> _SpecField:
        """The field of a struct. Raises ``SpecTextError`` if there is none."""
        holders: dict[str, Object] = {}
        self._add_holder(holders, self.plan.root.class_name, self.root)
        if struct in holders:
            for field in self._fields_of(struct, holders[struct]):
                if field.planned.key == key:
                    return field
        raise SpecTextError(f"{self.plan.name} has no field {struct}.{key}")

    def _add_holder(self, holders: dict[str, Object], class_name: str, holder: Object) -> None:
        """Adds where the fields of a class, and of the structs in it, are written."""
        holders[class_name] = holder
        for field in self._fields_of(class_name, holder):
            inner = field.planned.element_type
            if inner in self.plan.structs and inner not in holders:
                self._add_holder(holders, inner, self._common_struct(field.written) or field.written)

    def _fields_of(self, class_name: str, holder: Object) -> Iterator[_SpecField]:
        planned = {field.key: field for field in self.plan.structs[class_name].fields.values()}
        for written in property_objects(holder, "fields"):
            name = property_text(written, "name")
            field = planned.get(name[:1].lower() + name[1:])
            if field is not None:
                yield _SpecField(written, field)

    def _common_struct(self, field: Object) -> Object | None:
        """The common struct of a field's type; ``None`` for a struct that is written within the field."""
        name = property_text(field, "type").removeprefix("[]")
        for struct in property_objects(self.root, "commonStructs"):
            if property_text(struct, "name") == name:
                return struct
        return None


def _encoding_edit(spec: SpecText, field: _SpecField, latest: int, encoding: str) -> tuple[Span, str]:
    """The edit that gives a field its encoding after the last version.

    Raises ``SpecTextError`` if it cannot have it.
    """
    written, planned = field
    form, width = split(encoding)
    if width > WIDTH_OF_TYPE.get(planned.element_type, 0):
        raise SpecTextError(f"the field {planned.key} of type {planned.type} can't have the encoding {encoding}")
    versions = _versions_of(written)
    if latest not in versions:
        raise SpecTextError(f"the field {property_text(written, 'name')} is not in version {latest}")

    type_ = written.members["type"].value
    if isinstance(type_, Object) or "varint" in property_text(written, "type"):
        prefix = "[]" if planned.is_array else ""
        word = f"{prefix}{_WORD_OF_FORM[form]}{width}"
        return spec.span(type_), _map_text(_entries_of(type_, versions), latest, word)

    name = "elementEncoding" if planned.is_array else "encoding"
    known = property_value(written, name)
    if known is not None:
        return spec.span(known), _map_text(_entries_of(known, versions), latest, encoding)

    before = "versions" if "versions" in written.members else "type"
    end = spec.span(written.members[before].value).end
    entries = [_Entry(versions, encoding_of_codec(planned.element_type))]
    return Span(end, end), f', "{name}": {_map_text(entries, latest, encoding)}'


def _versions_of(field: Object) -> VersionRange:
    text = property_text(field, "versions") or property_text(field, "taggedVersions")
    return VersionRange.parse(text) if text else NONE


class _Entry(NamedTuple):
    """An entry of a map from versions to types or encodings."""

    versions: VersionRange
    word: str


def _entries_of(written: Value, versions: VersionRange) -> list[_Entry]:
    """What is written for a field with these versions: one word, or a map from versions to words."""
    if isinstance(written, Object):
        return [_Entry(VersionRange.parse(key), property_text(written, key)) for key in written.members]
    assert isinstance(written, Scalar)
    return [_Entry(versions, written.text)]


def _map_text(entries: list[_Entry], latest: int, new: str) -> str:
    """The entries as a map with another word after the last version."""
    pairs = [f'"{entry.versions}": "{entry.word}"' for entry in _with_new_version(entries, latest, new)]
    return f"{{ {', '.join(pairs)} }}"


def _with_new_version(entries: list[_Entry], latest: int, new: str) -> Iterator[_Entry]:
    """The entries, cut after the last version, with one for the versions from the next one on."""
    following = latest + 1
    end = following
    for entry in entries:
        if entry.versions.lowest <= latest:
            yield _Entry(VersionRange(entry.versions.lowest, min(entry.versions.highest, latest)), entry.word)
        if latest in entry.versions or following in entry.versions:
            end = max(end, entry.versions.highest)
    yield _Entry(VersionRange(following, end), new)
    for entry in entries:
        if entry.versions.lowest > following:
            yield entry
