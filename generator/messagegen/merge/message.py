"""Two specs of a message as one: the versions of the newer one, and those that only the older one has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from messagegen.evolve.align import align
from messagegen.evolve.sides import Side
from messagegen.evolve.wire import same_default
from messagegen.merge.order import in_order
from messagegen.merge.ranges import CannotMergeError, Split
from messagegen.merge.raw import Raw, definitions, fields_of, struct_of
from messagegen.spec.model import FieldSpec, MessageKind, MessageSpec, StructSpec
from messagegen.versions import HIGHEST_VERSION, NONE, VersionRange

_RANGES: Final = ("nullableVersions", "taggedVersions", "flexibleVersions")


@dataclass(frozen=True)
class Source:
    """A spec: its model, and how to get its JSON value."""

    spec: MessageSpec
    read: Callable[[], Raw]

    @cached_property
    def raw(self) -> Raw:
        """The JSON value; most specs add no version, so theirs is not needed."""
        return self.read()

    @cached_property
    def structs(self) -> dict[str, StructSpec]:
        """The message itself as a struct, and its structs, by name."""
        spec = self.spec
        message = StructSpec(spec.name, spec.valid_versions, spec.valid_versions, spec.fields)
        return {spec.name: message} | {each.name: each for each in spec.structs}


def merge_messages(newer: Source, older: Source) -> Raw | None:
    """The merged JSON value, or ``None`` if the newer spec has all versions of the older one.

    Raises ``CannotMergeError`` with the name of the field that the spec language can't express.
    """
    gained = frozenset(older.spec.valid_versions) - frozenset(newer.spec.valid_versions)
    # The version before a coordinator's key became its API key in Kafka 4.1; the key itself has one version.
    if not gained or (older.spec.kind, newer.spec.kind) == (MessageKind.DATA, MessageKind.COORDINATOR_KEY):
        return None
    if newer.spec.valid_versions.empty:
        return older.raw
    return _Merge(newer, older, Split(frozenset(newer.spec.valid_versions), gained)).message()


class _Merge:
    """Names are those of the newer spec; ``twins`` maps the structs and fields of the older one to them."""

    def __init__(self, newer: Source, older: Source, split: Split) -> None:
        self.newer, self.older, self.split = newer, older, split
        self.struct_twins = {name: name for name in older.structs if name in newer.structs}
        self.field_twins: dict[tuple[str, str], str] = {}
        for pair in align(Side(older.spec), Side(newer.spec)).structs:
            self.struct_twins[pair.old.name] = pair.new.name
            for one in pair.fields:
                if one.slots or one.old.name == one.new.name:
                    self.field_twins[pair.old.name, one.old.name] = one.new.name
        self.struct_twins[older.spec.name] = newer.spec.name
        self.older_raw = definitions(older.raw)
        self.placed: set[str] = set()

    def message(self) -> Raw:
        newer, older = self.newer, self.older
        raw = {**newer.raw, "validVersions": str(self.split.valid)}
        flexible = newer.spec.flexible_versions, older.spec.flexible_versions
        raw["flexibleVersions"] = str(self.split.join(*flexible, "flexibleVersions"))
        deprecated = self.split.join(
            newer.spec.deprecated_versions, older.spec.deprecated_versions, "deprecatedVersions"
        )
        _put(raw, "deprecatedVersions", deprecated)
        if "headerVersions" in raw:
            raw["headerVersions"] = self._headers()
        self.placed = {name for name in definitions(newer.raw) if name != newer.spec.name}
        raw["fields"] = self._fields(newer.spec.name, fields_of(newer.raw))
        common = [self._common(struct) for struct in fields_of(newer.raw, "commonStructs")]
        common += [
            {**struct, "fields": self._old_fields(struct["name"])}
            for struct in fields_of(older.raw, "commonStructs")
            if self._name_of(struct["name"]) not in self.placed and self._used(struct["name"], raw)
        ]
        if common:
            raw["commonStructs"] = common
        return raw

    def _headers(self) -> Mapping[str, int]:
        """The header version of every version from 0 on, by ranges."""
        newer, older = self.newer.spec.header_versions, self.older.spec.header_versions
        last = max(self.split.newer)
        found: list[tuple[int, int | None]] = []
        for version in range(last + 1):
            headers = older if version in self.split.older else newer
            header = None if headers is None else headers.get(version)
            if not found or found[-1][1] != header:
                found.append((version, header))
        ends = [*(following - 1 for following, _ in found[1:]), HIGHEST_VERSION]
        pairs = zip(found, ends, strict=True)
        return {str(VersionRange(start, end)): header for (start, header), end in pairs if header is not None}

    def _name_of(self, struct: str) -> str:
        return self.struct_twins.get(struct, struct)

    def _used(self, struct: str, raw: Raw) -> bool:
        return any(struct_of(each) == struct for holder in definitions(raw).values() for each in fields_of(holder))

    def _common(self, struct: Raw) -> Raw:
        twins = [old for old in self._old_structs(struct["name"]) if old.common]
        merged = {**struct, "fields": self._fields(struct["name"], fields_of(struct))}
        for old in twins:
            versions = self.split.join(
                self.newer.structs[struct["name"]].versions, old.versions, f"versions of {old.name}"
            )
            merged["versions"] = str(versions)
        return merged

    def _old_structs(self, name: str) -> list[StructSpec]:
        return [struct for old, struct in self.older.structs.items() if self._name_of(old) == name]

    def _fields(self, struct: str, raws: Sequence[Raw]) -> list[Raw]:
        """The fields of a struct of the newer spec, with those of its twins in the older one."""
        found: dict[str, Raw] = {}
        orders: list[list[str]] = []
        specs = {each.name: each for each in self.newer.structs[struct].fields}
        olds: dict[str, FieldSpec] = {}
        extra: dict[str, tuple[StructSpec, FieldSpec]] = {}
        names = [raw["name"] for raw in raws]
        for old in self._old_structs(struct):
            own: list[tuple[str, FieldSpec]] = []
            previous: str | None = None
            for each in old.fields:
                name = self.field_twins.get((old.name, each.name), each.name)
                own.append((name, each))
                if name in specs:
                    olds[name] = each
                elif any(version in each.versions for version in self.split.older):
                    extra[name] = (old, each)
                    names.insert(names.index(previous) + 1 if previous in names else 0, name)
                if name in names:
                    previous = name
            orders += _orders(own, self.split.older)
        orders += _orders(list(specs.items()), self.split.newer)
        for raw in raws:
            found[raw["name"]] = self._field(struct, raw, specs[raw["name"]], olds.get(raw["name"]))
        for name, (old, each) in extra.items():
            found[name] = self._old_field(old.name, each)
        return [found[name] for name in in_order(names, orders)]

    def _field(self, struct: str, raw: Raw, spec: FieldSpec, old: FieldSpec | None) -> Raw:
        where = f"{struct}.{spec.name}"
        merged = dict(raw)
        before = NONE if old is None else old.versions
        _put(merged, "versions", self.split.join(spec.versions, before, f"versions of {where}"))
        if old is not None and any(version in old.versions for version in self.split.older):
            self._same(where, spec, old)
            for name, newer, older in (
                ("nullableVersions", spec.nullable_versions, old.nullable_versions),
                ("taggedVersions", spec.tagged_versions, old.tagged_versions),
            ):
                _put(merged, name, self.split.join(newer, older, f"{name} of {where}"))
            if spec.flexible_versions is not None or old.flexible_versions is not None:
                own = self._flexibility(spec, self.newer), self._flexibility(old, self.older)
                merged["flexibleVersions"] = str(self.split.join(*own, f"flexibleVersions of {where}"))
            if old.tag is not None:
                merged["tag"] = old.tag
        inside = struct_of(raw)
        if inside is not None and fields_of(raw):
            merged["fields"] = self._fields(inside, fields_of(raw))
        return merged

    def _flexibility(self, spec: FieldSpec, source: Source) -> VersionRange:
        return source.spec.flexible_versions if spec.flexible_versions is None else spec.flexible_versions

    def _same(self, where: str, spec: FieldSpec, old: FieldSpec) -> None:
        """Raises ``CannotMergeError`` where both have a property that holds for all versions of a field, and differ."""
        if self._type(old) != str(spec.type):
            raise CannotMergeError(f"type of {where}: {old.type} in older versions, {spec.type} in newer ones")
        if spec.encodings != old.encodings:
            raise CannotMergeError(f"encoding of {where} differs between versions")
        if None not in (spec.tag, old.tag) and spec.tag != old.tag:
            raise CannotMergeError(f"tag of {where}: {old.tag} in older versions, {spec.tag} in newer ones")
        if old.tag is not None and spec.tag is not None and not same_default(old.default, spec.default):
            raise CannotMergeError(
                f"default of {where}: {old.default!r} in older versions, {spec.default!r} in newer ones"
            )

    def _type(self, old: FieldSpec) -> str:
        text = str(old.type)
        prefix = "[]" if text.startswith("[]") else ""
        return prefix + self._name_of(text.removeprefix("[]"))

    def _old_field(self, struct: str, spec: FieldSpec) -> Raw:
        """A field that only the older spec has."""
        raw = next(each for each in fields_of(self.older_raw[struct]) if each["name"] == spec.name)
        merged = dict(raw)
        _put(merged, "versions", self.split.join(NONE, spec.versions, f"versions of {struct}.{spec.name}"))
        for name, versions in (("nullableVersions", spec.nullable_versions), ("taggedVersions", spec.tagged_versions)):
            _put(merged, name, self.split.join(NONE, versions, f"{name} of {struct}.{spec.name}"))
        if spec.tag is not None and "taggedVersions" not in merged:
            merged.pop("tag", None)
        inside = struct_of(raw)
        if inside is not None:
            merged["type"] = raw["type"].replace(inside, self._name_of(inside))
            if self._name_of(inside) in self.placed:
                merged.pop("fields", None)
            elif fields_of(raw):
                self.placed.add(self._name_of(inside))
                merged["fields"] = self._old_fields(inside)
        return merged

    def _old_fields(self, struct: str) -> list[Raw]:
        specs = {each.name: each for each in self.older.structs[struct].fields}
        return [
            self._old_field(struct, specs[raw["name"]])
            for raw in fields_of(self.older_raw[struct])
            if any(version in specs[raw["name"]].versions for version in self.split.older)
        ]


def _orders(fields: Sequence[tuple[str, FieldSpec]], versions: Iterable[int]) -> Iterator[list[str]]:
    """The untagged fields of each version, in their order."""
    for version in versions:
        yield [name for name, spec in fields if version in spec.versions and version not in spec.tagged_versions]


def _put(raw: dict[str, Any], name: str, versions: VersionRange) -> None:
    if versions.empty:
        raw.pop(name, None)
    else:
        raw[name] = str(versions)
