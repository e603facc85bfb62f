"""Two specs of a message as one: the versions of the newer one, and those that only the older one has.

The merged spec is what one spec can say of both; a comparison with each of them tells whether that is right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

from messagegen.evolve.align import Side, align
from messagegen.evolve.differ import changes_of
from messagegen.jsonc import parse_json, plain
from messagegen.merge.origins import Key, Origin, Origins, origins_of
from messagegen.spec import parse
from messagegen.spec.model import FieldSpec, MessageKind, MessageSpec
from messagegen.versions import HIGHEST_VERSION, NONE, VersionRange

Raw = dict[str, Any]
"""A part of a spec as a JSON value, which keeps what the model does not: how defaults, abouts and types are written."""
Part = tuple[Raw, FieldSpec]
"""A field as JSON, without the fields of its struct, and as in the model."""

_COMMON: Final = "commonStructs"


class CannotMergeError(ValueError):
    """Raised for what the spec language cannot express; the text says what and where.

    ``lost`` are the versions of the older spec that the merged spec does not have.
    """

    def __init__(self, reason: str, lost: frozenset[int]) -> None:
        super().__init__(reason)
        self.lost = lost


@dataclass(frozen=True)
class Source:
    """A spec: its text, its model, and where each part comes from."""

    text: bytes
    spec: MessageSpec
    origins: Origins

    @classmethod
    def of(cls, text: bytes, spec: MessageSpec, label: str) -> Source:
        """A spec of the set with this label."""
        return cls(text, spec, origins_of(spec, label))

    @cached_property
    def raw(self) -> Raw:
        """The properties in their order; what old releases leave out is there."""
        raw: Any = plain(parse_json(self.text).root.value)
        return {"flexibleVersions": "none", **raw}

    @property
    def plain(self) -> bytes:
        """The same text without comments and layout."""
        return json.dumps(self.raw, ensure_ascii=False).encode()

    @cached_property
    def structs(self) -> dict[str, dict[str, Part]]:
        """The fields of the message itself and of its structs, by the names of both."""
        specs = {self.spec.name: self.spec.fields} | {one.name: one.fields for one in self.spec.structs}
        found: dict[str, dict[str, Part]] = {}
        for struct, fields in _definitions(self.raw, self.spec.name):
            own = [{name: value for name, value in raw.items() if name != "fields"} for raw in fields]
            found[struct] = {spec.name: (raw, spec) for raw, spec in zip(own, specs[struct], strict=True)}
        return found


def merge_messages(newer: Source, older: Source) -> Source | None:
    """The merged spec, or ``None`` if the newer spec has all versions of the older one. Raises ``CannotMergeError``."""
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
    for source, versions in ((newer, frozenset(newer.spec.valid_versions)), (older, gained)):
        # Unstable versions are merged like all others, and so they are compared.
        for change in changes_of(Side(source.spec), Side(parsed.spec)):
            if versions.intersection(change.versions) and "WIRE" in change.finding().categories:
                raise CannotMergeError(change.finding().message, gained)
    return Source(text, parsed.spec, merge.origins())


def _check_key(newer: MessageSpec, older: MessageSpec) -> None:
    """The version before a coordinator's key became its API key in Kafka 4.1; the key itself has one version."""
    lost = frozenset(older.valid_versions) - {newer.api_key}
    if lost:
        raise CannotMergeError(f"a coordinator-key has one version, that of its API key {newer.api_key}", lost)


class _Merge:
    """Names are those of the newer spec; ``old`` are the older spec's structs under these names."""

    def __init__(self, newer: Source, older: Source, gained: frozenset[int]) -> None:
        self.newer, self.older, self.gained = newer, older, gained
        self.kept = frozenset(newer.spec.valid_versions)
        self.placed: set[str] = set()
        self.old: dict[str, dict[str, Part]] = {}
        structs, fields = _new_names(newer.spec, older.spec)
        self.struct_names, self.field_names = structs, fields
        for struct, parts in older.structs.items():
            found = self.old.setdefault(structs.get(struct, struct), {})
            for name, (raw, spec) in parts.items():
                now, inside = fields.get((struct, name), name), str(raw["type"]).removeprefix("[]")
                renamed = {"type": raw["type"].replace(inside, structs[inside])} if inside in structs else {}
                found.setdefault(now, ({**raw, "name": now, **renamed}, spec))
        self.common: dict[str, Raw] = {}
        for one in (*_list(older.raw, _COMMON), *_list(newer.raw, _COMMON)):
            struct = structs.get(one["name"], str(one["name"]))
            self.common[struct] = {**one, "name": struct, "versions": "0+"}

    def message(self) -> Raw:
        newer, older, every = self.newer.spec, self.older.spec, self.kept | self.gained
        valid = VersionRange(min(every), max(every))
        if len(every) <= valid.highest - valid.lowest:
            raise CannotMergeError(f"neither has all of validVersions {valid}", self.gained)
        raw = {**self.newer.raw, "validVersions": str(valid)}
        # It is about the highest version only.
        latest = newer if valid.highest in self.kept else older
        _put(raw, "latestVersionUnstable", latest.latest_version_unstable or None)
        raw["flexibleVersions"] = str(self._join(newer.flexible_versions, older.flexible_versions))
        _put(raw, "deprecatedVersions", self._join(newer.deprecated_versions, older.deprecated_versions))
        raw["fields"] = self._fields(newer.name)
        _put(raw, _COMMON, [struct for name, struct in self.common.items() if name in self.placed])
        return raw

    def origins(self) -> Origins:
        """Where the parts of the merged spec come from: what both specs have is from the newer one."""
        newer, older = self.newer.origins, self.older.origins
        versions = {**older.versions, **newer.versions}
        parts: dict[Key, Origin] = {}
        for (struct, field), origin in older.parts.items():
            name = self.field_names.get((struct, field), field)
            parts.setdefault((self.struct_names.get(struct, struct), name), origin)
        return Origins(newer.message, versions, {**parts, **newer.parts})

    def _fields(self, struct: str) -> list[Raw]:
        """The fields of a struct, with those of the structs in them unless these are common."""
        fields = [field for field in self._merged(struct) if "versions" in field]
        for field in fields:
            inside = str(field["type"]).removeprefix("[]")
            if inside not in self.placed and (inside in self.newer.structs or inside in self.old):
                self.placed.add(inside)
                self.common.get(inside, field)["fields"] = self._fields(inside)
        return fields

    def _merged(self, struct: str) -> Iterator[Raw]:
        """The fields of a struct on both sides; one that only the older spec has follows the same field as there."""
        new, old = self.newer.structs.get(struct, {}), self.old.get(struct, {})
        names, place = list(new), 0
        for name in old:
            if name not in new:
                names.insert(place, name)
            place = names.index(name) + 1
        return (self._field(new.get(name), old.get(name)) for name in names)

    def _field(self, new: Part | None, old: Part | None) -> Raw:
        """A field; without ``versions`` if no version has it."""
        first = new or old
        assert first is not None
        merged, specs = dict(first[0]), [part and part[1] for part in (new, old)]
        for name, versions in (
            ("versions", [spec.versions if spec else NONE for spec in specs]),
            ("nullableVersions", [spec.nullable_versions if spec else NONE for spec in specs]),
            ("taggedVersions", [spec.tagged_versions if spec else NONE for spec in specs]),
        ):
            _put(merged, name, self._join(*versions))
        tags = [spec.tag for spec in specs if spec and spec.tag is not None]
        _put(merged, "tag", tags[0] if "taggedVersions" in merged else None)
        if any(spec and spec.flexible_versions is not None for spec in specs):
            flexible = [
                NONE if spec is None else spec.flexible_versions or source.spec.flexible_versions
                for spec, source in zip(specs, (self.newer, self.older), strict=True)
            ]
            merged["flexibleVersions"] = str(self._join(*flexible))
        return merged

    def _join(self, newer: VersionRange, older: VersionRange) -> VersionRange:
        """The versions of a property, of which each spec says its part; open-ended if the last one is."""
        versions = {version for version in self.kept if version in newer}
        versions |= {version for version in self.gained if version in older}
        if not versions:
            return NONE
        is_open = max(versions) == max(self.kept | self.gained) and (newer.open_ended or older.open_ended)
        return VersionRange(min(versions), HIGHEST_VERSION if is_open else max(versions))


def _new_names(newer: MessageSpec, older: MessageSpec) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """What the structs of the older spec are called in the newer one, and their fields."""
    structs, fields = {older.name: newer.name}, dict[tuple[str, str], str]()
    for pair in align(Side(older), Side(newer)).structs:
        structs[pair.old.name] = pair.new.name
        for both in pair.fields:
            if both.old is not None and both.new is not None:
                fields[pair.old.name, both.old.spec.name] = both.new.spec.name
    return structs, fields


def _put(raw: Raw, name: str, value: object) -> None:
    """Sets a property, or removes it if there is nothing to say."""
    if value in (None, NONE, []):
        raw.pop(name, None)
    else:
        raw[name] = str(value) if isinstance(value, VersionRange) else value


def _definitions(holder: Raw, name: str) -> Iterator[tuple[str, list[Raw]]]:
    """The fields of a struct by its name, then those of the structs that are defined in it."""
    fields = _list(holder, "fields")
    yield name, fields
    for field in fields:
        if "fields" in field:
            yield from _definitions(field, field["type"].removeprefix("[]"))
    for struct in _list(holder, _COMMON):
        yield from _definitions(struct, struct["name"])


def _list(holder: Raw, name: str) -> list[Raw]:
    """The objects of a list; one object counts as a list of one, as in Apache's reader."""
    found: Any = holder.get(name) or []
    return [cast("Raw", found)] if isinstance(found, dict) else found
