"""Decides whether the codecs of two specs agree on a version of a message. Each codec reads the other's bytes.

Both sides are read by a reader of specs that shares no code with the project's own. The generated class of one side
writes values, and the class of the other reads them. ``docs/design/015-breaking-changes.md`` defines agreement.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from types import ModuleType
from typing import Any, Final

from tests.oracle.mini_reader import MiniField, MiniSpec
from tests.oracle.values import Mode, sample

_BOUNDARIES: Final[tuple[Mode, ...]] = ("empty", "lowest", "highest")
_MIXED: Final[tuple[Mode, ...]] = ("mixed",)
_BUDGET: Final = 400
_WITH_HEADER: Final = ("request", "response")
_WITHOUT_API_KEY: Final = ("data", "header")


class Code:
    """One side: the spec as read for the tests, and the generated class."""

    def __init__(self, mini: MiniSpec, package: ModuleType) -> None:
        self.mini = mini
        self.cls: Any = getattr(package, mini.name) if mini.versions else None

    def has(self, version: int) -> bool:
        return version in self.mini.versions

    def envelope(self, version: int) -> tuple[object, ...]:
        """Return the data before the message on a connection or in a log."""
        if self.mini.kind in _WITH_HEADER:
            return self.mini.kind, self.cls.API_KEY, self.cls.header_version(version)
        return ("record", getattr(self.cls, "API_KEY", None))

    def values(self, version: int, seed: str, mixed: int) -> Iterator[bytes]:
        """Yield encoded values: the boundaries first."""
        names = [seed, *(f"{seed}/{number}" for number in range(mixed))]
        for mode, name in (*product(_BOUNDARIES, names[:1]), *product(_MIXED, names[1:])):
            value = sample(self.mini, version, mode, seed=name, budget=_BUDGET).json
            value = self._readable(self.mini.fields, value, version)
            yield self.cls.from_json(value, version=version).encode(version=version)

    def _readable(self, fields: Sequence[MiniField], value: Mapping[str, Any], version: int) -> dict[str, Any]:
        """Return ``value`` without elements that take no bytes: an array of them cannot be read."""
        found = dict(value)
        for one in fields:
            items = found.get(one.name)
            if not one.is_struct or not items:
                continue
            inside = self.mini.struct_fields(one)
            if one.array and version not in self.mini.flexible and _all_constant(self.mini, inside, version):
                found[one.name] = []
            elif one.array:
                found[one.name] = [self._readable(inside, item, version) for item in items]
            else:
                found[one.name] = self._readable(inside, items, version)
        return found


def _all_constant(spec: MiniSpec, fields: Sequence[MiniField], version: int) -> bool:
    """Whether a struct with these fields has only one value in a version: all its fields are such structs."""
    return all(
        one.is_struct
        and not one.array
        and version not in one.nullable
        and _all_constant(spec, spec.struct_fields(one), version)
        for one in fields
        if version in one.versions
    )


def disagree(old: Code, new: Code, version: int, *, seed: str, mixed: int) -> bool:
    """Return whether the codecs of both sides disagree on any value; ``mixed`` counts the random values of a side."""
    if not new.has(version):
        return True
    kinds = {old.mini.kind, new.mini.kind}
    framed = kinds & set(_WITH_HEADER) or not kinds & set(_WITHOUT_API_KEY)
    if framed and old.envelope(version) != new.envelope(version):
        return True
    compare = _Comparison(old.mini, new.mini, version)
    if not compare.same_names(old.mini.fields, new.mini.fields):
        return True
    return any(
        not _same(data, writer, reader, old, new, compare)
        for writer, reader in ((old, new), (new, old))
        for data in writer.values(version, seed, mixed)
    )


def _same(data: bytes, writer: Code, reader: Code, old: Code, new: Code, compare: _Comparison) -> bool:
    version = compare.version
    written = writer.cls.decode(data, version=version)
    try:
        read = reader.cls.decode(data, version=version)
    except ValueError:
        return False
    # A side writes the bytes that it read, including unknown tagged fields.
    if read.encode(version=version) != data:
        return False
    jsons = {id(reader): read.to_json(version=version), id(writer): written.to_json(version=version)}
    return compare.same_values(old.mini.fields, new.mini.fields, jsons[id(old)], jsons[id(new)])


class _Comparison:
    """Compares the fields of both sides, place by place and tag by tag."""

    def __init__(self, old: MiniSpec, new: MiniSpec, version: int) -> None:
        self.old = old
        self.new = new
        self.version = version

    def same_names(self, old: Sequence[MiniField], new: Sequence[MiniField]) -> bool:
        """Whether each name that both sides share is in the same place, in all structs."""
        old_slots, new_slots = self._slots(self.old, old), self._slots(self.new, new)
        if old_slots.keys() != new_slots.keys() and any(
            isinstance(place, int) for place in old_slots.keys() ^ new_slots.keys()
        ):
            return False
        old_names = {one.name: place for place, one in old_slots.items()}
        new_names = {one.name: place for place, one in new_slots.items()}
        if any(new_names[name] != place for name, place in old_names.items() if name in new_names):
            return False
        return all(
            self.same_names(self.old.struct_fields(one), self.new.struct_fields(new_slots[place]))
            for place, one in old_slots.items()
            if place in new_slots and one.is_struct and new_slots[place].is_struct
        )

    def same_values(
        self, old: Sequence[MiniField], new: Sequence[MiniField], value: Mapping[str, Any], other: Mapping[str, Any]
    ) -> bool:
        """Return whether two JSON values are equal except for field names."""
        old_slots, new_slots = self._slots(self.old, old), self._slots(self.new, new)
        return all(
            self._same_value(
                one,
                new_slots[place],
                value.get(one.name, self._default(self.old, one)),
                other.get(new_slots[place].name, self._default(self.new, new_slots[place])),
            )
            for place, one in old_slots.items()
            if place in new_slots
        )

    def _same_value(self, old: MiniField, new: MiniField, value: Any, other: Any) -> bool:
        if value is None or other is None:
            return value is other
        if old.array != new.array or old.is_struct != new.is_struct:
            return False
        if old.array:
            return len(value) == len(other) and all(
                self._same_element(old, new, *pair) for pair in zip(value, other, strict=True)
            )
        return self._same_element(old, new, value, other)

    def _same_element(self, old: MiniField, new: MiniField, value: Any, other: Any) -> bool:
        if old.is_struct:
            return self.same_values(self.old.struct_fields(old), self.new.struct_fields(new), value, other)
        # Compare texts: in Python, 1, 1.0 and True are equal, and so are -0.0 and 0.0.
        return json.dumps(value) == json.dumps(other)

    def _slots(self, spec: MiniSpec, fields: Sequence[MiniField]) -> dict[int | str, MiniField]:
        """Return the fields that take bytes: untagged ones by their place, tagged ones by ``tag N``."""
        slots: dict[int | str, MiniField] = {}
        untagged = 0
        for one in fields:
            if self.version not in one.versions or self._silent(spec, one):
                continue
            if self.version in one.tagged:
                slots[f"tag {one.tag}"] = one
            else:
                slots[untagged] = one
                untagged += 1
        return slots

    def _silent(self, spec: MiniSpec, one: MiniField) -> bool:
        """Return whether all values of a field take no bytes: a struct without fields in this version."""
        if not one.is_struct or one.array or self.version in one.nullable:
            return False
        tagged = self.version in one.tagged
        if not tagged and self.version in spec.flexible:
            return False
        return _all_constant(spec, spec.struct_fields(one), self.version)

    def _default(self, spec: MiniSpec, one: MiniField) -> Any:
        """Return the JSON of a missing field; only a tagged field may be missing."""
        if one.default == "null" and (one.array or one.is_struct):
            return None
        if one.array:
            return []
        if one.is_struct:
            return {
                field.name: self._default(spec, field)
                for field in spec.struct_fields(one)
                if self.version in field.versions
            }
        return one.default_json(self.version)
