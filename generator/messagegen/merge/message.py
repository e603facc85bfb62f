"""Merges two specs of a message: the versions of the newer spec, and the versions that only the older spec has.

Not all specs can be merged, so the merged spec is compared with both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

from messagegen.evolve.align import align
from messagegen.evolve.differ import changes_of
from messagegen.evolve.sides import Side
from messagegen.jsonc import parse_json, plain
from messagegen.merge.origins import Key, Origin, Origins, origins_of
from messagegen.spec import parse
from messagegen.spec.model import FieldSpec, MessageKind, MessageSpec
from messagegen.versions import HIGHEST_VERSION, NONE, VersionRange, ranges_of, versions_text

Raw = dict[str, Any]
"""A part of a spec as a JSON value. Unlike the model, it keeps the notation of defaults, abouts and types."""
Part = tuple[Raw, FieldSpec]
"""A field as JSON (without the fields of its struct), and the same field in the model."""

_COMMON: Final = "commonStructs"


class CannotMergeError(ValueError):
    """Raised if the spec language cannot express the merged spec; the message contains the reason.

    ``lost`` are the versions of the older spec that the merged spec does not have.
    """

    def __init__(self, reason: str, lost: frozenset[int]) -> None:
        super().__init__(reason)
        self.lost = lost


@dataclass(frozen=True)
class Source:
    """A spec: its text, its model, and the origin of each part."""

    text: bytes
    spec: MessageSpec
    origins: Origins

    @classmethod
    def of(cls, text: bytes, spec: MessageSpec, label: str) -> Source:
        """Return the source of a spec in the set ``label``."""
        return cls(text, spec, origins_of(spec, label))

    @cached_property
    def raw(self) -> Raw:
        """The properties in their order. ``flexibleVersions`` is added if the spec omits it, as in old releases."""
        raw: Any = plain(parse_json(self.text).root.value)
        return {"flexibleVersions": "none", **raw}

    @cached_property
    def side(self) -> Side:
        """The spec as a side of comparisons, without unstable versions: these are merged like all others."""
        return Side(self.spec)

    @property
    def plain(self) -> bytes:
        """The text without comments and layout."""
        return json.dumps(self.raw, ensure_ascii=False).encode()

    @cached_property
    def structs(self) -> dict[str, dict[str, Part]]:
        """The fields of the message itself and of its structs, by struct name and field name."""
        specs = {self.spec.name: self.spec.fields} | {one.name: one.fields for one in self.spec.structs}
        found: dict[str, dict[str, Part]] = {}
        for struct, fields in _definitions(self.raw, self.spec.name):
            own = [{name: value for name, value in raw.items() if name != "fields"} for raw in fields]
            found[struct] = {spec.name: (raw, spec) for raw, spec in zip(own, specs[struct], strict=True)}
        return found


def merge_messages(newer: Source, older: Source) -> Source | None:
    """Return the merged spec, or ``None`` if the newer spec already has all versions. Raise ``CannotMergeError``."""
    if (older.spec.kind, newer.spec.kind) == (MessageKind.DATA, MessageKind.COORDINATOR_KEY):
        _check_key(newer.spec, older.spec)
        return None
    gained = frozenset(older.spec.valid_versions) - frozenset(newer.spec.valid_versions)
    if not gained:
        return None
    if newer.spec.valid_versions.empty:
        return older
    merge = _Merge(newer, older, gained)
    text = json.dumps(merge.message(), ensure_ascii=False).encode()
    parsed = parse(text, newer.spec.file)
    if parsed.spec is None:
        errors = [each.message for each in parsed.findings if each.severity == "error"]
        raise CannotMergeError("; ".join(errors), gained)
    merged = Source(text, parsed.spec, merge.origins())
    for source, versions in ((newer, frozenset(newer.spec.valid_versions)), (older, gained)):
        for change in changes_of(source.side, merged.side):
            if versions.intersection(change.versions) and "WIRE" in change.finding().categories:
                raise CannotMergeError(change.finding().message, gained)
    return merged


def _check_key(newer: MessageSpec, older: MessageSpec) -> None:
    """Raise ``CannotMergeError`` if the older key has any version other than the API key of the newer key.

    In Kafka 4.1, the number before a coordinator's key on the wire became its API key; the key itself has one version.
    """
    lost = frozenset(older.valid_versions) - {newer.api_key}
    if lost:
        raise CannotMergeError(f"the only version of a coordinator-key is its API key, {newer.api_key}", lost)


@dataclass(frozen=True, slots=True)
class _NewNames:
    """Maps the names of structs and fields in the older spec to their names in the newer spec."""

    structs: dict[str, str]
    fields: dict[tuple[str, str], str]

    def struct(self, name: str) -> str:
        """Return the newer name of a struct."""
        return self.structs.get(name, name)

    def field(self, struct: str, name: str) -> str:
        """Return the newer name of a field; ``struct`` is its struct's older name."""
        return self.fields.get((struct, name), name)

    def type(self, text: str) -> str:
        """Return a type; a struct in it gets its newer name."""
        name = text.removeprefix("[]")
        return text.removesuffix(name) + self.struct(name)


def _new_names(newer: Source, older: Source) -> _NewNames:
    names = _NewNames({older.spec.name: newer.spec.name}, {})
    for pair in align(older.side, newer.side).structs:
        names.structs[pair.old.name] = pair.new.name
        for field in pair.fields:
            if field.old is not None and field.new is not None:
                names.fields[pair.old.name, field.old.spec.name] = field.new.spec.name
    return names


class _Merge:
    """A merge of two specs under the names of the newer spec.

    ``kept`` are the versions of the newer spec, and ``gained`` the versions that only the older spec has.
    ``old_structs`` are the structs of the older spec. ``common`` are the common structs of both specs, without their
    fields. ``placed`` are the names of the structs whose fields have already been added to the merged spec.
    """

    def __init__(self, newer: Source, older: Source, gained: frozenset[int]) -> None:
        self.newer = newer
        self.older = older
        self.kept = frozenset(newer.spec.valid_versions)
        self.gained = gained
        self.names = _new_names(newer, older)
        self.old_structs = self._renamed_structs()
        self.common = self._common_structs()
        self.placed: set[str] = set()

    def _renamed_structs(self) -> dict[str, dict[str, Part]]:
        """Return the fields of the older spec by struct name and field name, with their newer names."""
        found: dict[str, dict[str, Part]] = {}
        for struct, parts in self.older.structs.items():
            fields = found.setdefault(self.names.struct(struct), {})
            for name, (raw, spec) in parts.items():
                new_name = self.names.field(struct, name)
                renamed = {**raw, "name": new_name, "type": self._renamed_type(raw["type"])}
                fields.setdefault(new_name, (renamed, spec))
        return found

    def _renamed_type(self, type_: Any) -> Any:
        """Return a type of the older spec with newer names. A map of types has only integers, so it stays as it is."""
        return self.names.type(type_) if isinstance(type_, str) else type_

    def _common_structs(self) -> dict[str, Raw]:
        """Return the common structs of both specs. A struct that is in both has the properties of the newer spec."""
        found: dict[str, Raw] = {}
        for struct in (*_list(self.older.raw, _COMMON), *_list(self.newer.raw, _COMMON)):
            name = self.names.struct(struct["name"])
            found[name] = {**struct, "name": name, "versions": "0+"}
        return found

    def message(self) -> Raw:
        """Return the merged spec as a JSON value. Raise ``CannotMergeError``."""
        newer, older = self.newer.spec, self.older.spec
        every = self.kept | self.gained
        valid = VersionRange(min(every), max(every))
        if missing := {*valid} - every:
            verb = "is" if len(missing) == 1 else "are"
            reason = f"{versions_text(ranges_of(missing))} of validVersions {valid} {verb} in neither spec"
            raise CannotMergeError(reason, self.gained)

        raw = {**self.newer.raw, "validVersions": str(valid)}
        # The property concerns only the highest version.
        latest = newer if valid.highest in self.kept else older
        _put(raw, "latestVersionUnstable", latest.latest_version_unstable or None)
        raw["flexibleVersions"] = str(self._join(newer.flexible_versions, older.flexible_versions))
        _put(raw, "deprecatedVersions", self._join(newer.deprecated_versions, older.deprecated_versions))
        raw["fields"] = self._fields(newer.name)
        _put(raw, _COMMON, [struct for name, struct in self.common.items() if name in self.placed])
        return raw

    def origins(self) -> Origins:
        """Return the origins of the parts of the merged spec. A part that both specs have comes from the newer spec."""
        newer, older = self.newer.origins, self.older.origins
        parts: dict[Key, Origin] = {}
        for (struct, field), origin in older.parts.items():
            parts.setdefault((self.names.struct(struct), self.names.field(struct, field)), origin)
        return Origins(newer.message, {**older.versions, **newer.versions}, {**parts, **newer.parts})

    def _fields(self, struct: str) -> list[Raw]:
        """Return the fields of a struct, including the fields of nested structs that are not common."""
        fields = [field for field in self._merged_fields(struct) if "versions" in field]
        for field in fields:
            inside = str(field["type"]).removeprefix("[]")
            is_struct = inside in self.newer.structs or inside in self.old_structs
            if is_struct and inside not in self.placed:
                self.placed.add(inside)
                definition = self.common.get(inside, field)
                definition["fields"] = self._fields(inside)
        return fields

    def _merged_fields(self, struct: str) -> Iterator[Raw]:
        """Yield the fields of a struct. A field that only the older spec has follows the same field as in that spec."""
        new = self.newer.structs.get(struct, {})
        old = self.old_structs.get(struct, {})
        names = list(new)
        place = 0
        for name in old:
            if name not in new:
                names.insert(place, name)
            place = names.index(name) + 1
        for name in names:
            yield self._field(new.get(name), old.get(name))

    def _field(self, new: Part | None, old: Part | None) -> Raw:
        """Return a merged field, without ``versions`` if no version has the field."""
        first = new or old
        assert first is not None
        merged = dict(first[0])
        newer = None if new is None else new[1]
        older = None if old is None else old[1]

        versions = self._join(
            newer.versions if newer else NONE,
            older.versions if older else NONE,
        )
        nullable = self._join(
            newer.nullable_versions if newer else NONE,
            older.nullable_versions if older else NONE,
        )
        tagged = self._join(
            newer.tagged_versions if newer else NONE,
            older.tagged_versions if older else NONE,
        )
        _put(merged, "versions", versions)
        _put(merged, "nullableVersions", nullable)
        _put(merged, "taggedVersions", tagged)
        tags = [spec.tag for spec in (newer, older) if spec and spec.tag is not None]
        _put(merged, "tag", None if tagged.empty else tags[0])
        if any(spec and spec.flexible_versions is not None for spec in (newer, older)):
            merged["flexibleVersions"] = str(
                self._join(_flexible(newer, self.newer.spec), _flexible(older, self.older.spec))
            )
        return merged

    def _join(self, newer: VersionRange, older: VersionRange) -> VersionRange:
        """Return the merged versions of a property.

        They are open-ended if they include the last version and one of the two ranges is open-ended.
        """
        versions = {version for version in self.kept if version in newer}
        versions |= {version for version in self.gained if version in older}
        if not versions:
            return NONE
        is_open = max(versions) == max(self.kept | self.gained) and (newer.open_ended or older.open_ended)
        return VersionRange(min(versions), HIGHEST_VERSION if is_open else max(versions))


def _flexible(field: FieldSpec | None, message: MessageSpec) -> VersionRange:
    """Return the flexible versions of a field, by default of its message; ``NONE`` if ``field`` is ``None``."""
    if field is None:
        return NONE
    return field.flexible_versions or message.flexible_versions


def _put(raw: Raw, name: str, value: object) -> None:
    """Set a property, or remove it if the value is null or empty."""
    if value in (None, NONE, []):
        raw.pop(name, None)
    else:
        raw[name] = str(value) if isinstance(value, VersionRange) else value


def _definitions(holder: Raw, name: str) -> Iterator[tuple[str, list[Raw]]]:
    """Yield the name and the fields of a struct, then of each struct that is defined inside it."""
    fields = _list(holder, "fields")
    yield name, fields
    for field in fields:
        if "fields" in field:
            yield from _definitions(field, field["type"].removeprefix("[]"))
    for struct in _list(holder, _COMMON):
        yield from _definitions(struct, struct["name"])


def _list(holder: Raw, name: str) -> list[Raw]:
    """Return the objects of a list. A single object counts as a list of one, as in Apache's reader."""
    found: Any = holder.get(name) or []
    return [cast("Raw", found)] if isinstance(found, dict) else found
