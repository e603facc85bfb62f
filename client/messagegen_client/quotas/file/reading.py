"""Reads quota files in YAML or JSON.

For example:

quotas:
  - entity: {user: alice, client-id: null}
    values: {producer_byte_rate: 1000000, request_percentage: 12.5}
scope: [[user]]
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from messagegen_client.documents.checking import (
    FIRST_LINE,
    DocumentError,
    DocumentReader,
    Place,
    is_text,
    parsed,
    short,
)
from messagegen_client.documents.parsing import Document, Number, Path
from messagegen_client.quotas.addresses import same_for_brokers
from messagegen_client.quotas.checks import (
    problem_of_key,
    problem_of_new_quota,
    problem_of_number,
    problem_of_value,
    problems_of_kinds,
    problems_of_new_entity,
)
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.names import QuotaTextError, parse_value

Target: TypeAlias = tuple[ClientQuotaEntity, str | None]
"""The target of an error: an entity in the usual form, and the key of one of its quotas, or ``None``."""


class QuotaFileError(DocumentError):
    """An invalid quota file."""


@dataclass(frozen=True, slots=True)
class QuotaFile:
    """A quota file: the quotas of each entity, with the value ``None`` for a quota to remove.

    ``scope`` has the combinations of entity types to prune: the combinations of its entities, and those in the key
    ``scope``. ``places`` has the lines of all entities and quotas, for errors.
    """

    entries: Mapping[ClientQuotaEntity, Mapping[str, float | None]]
    scope: frozenset[frozenset[str]] = field(default_factory=frozenset[frozenset[str]])
    places: Mapping[Target, Place] = field(default_factory=dict[Target, Place], compare=False)

    def problem(self, entity: ClientQuotaEntity, key: str | None, text: str) -> tuple[int, str]:
        """Return the line of an entity or of its quota ``key``, and ``text`` after its place in the file."""
        same = same_for_brokers(entity)
        of_entity = self.places.get((same, None), (FIRST_LINE, ""))
        line, path = self.places.get((same, key), of_entity)
        return line, f"{path}{text}"


def read_quota_file(text: str, name: str) -> QuotaFile:
    """Parse a quota file; ``name`` is for errors. Raises ``QuotaFileError`` with all errors."""
    try:
        reader = _Reader(parsed(text, name))
        file = reader.file()
        reader.check(name)
    except DocumentError as problem:
        raise QuotaFileError(problem.problems) from None
    return file


class _Reader(DocumentReader):
    """Builds a quota file from a document, and collects problems."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._entries: dict[ClientQuotaEntity, dict[str, float | None]] = {}
        self._items: list[tuple[ClientQuotaEntity | None, Mapping[str, float | None], Path]] = []
        """The entity, the values and the path of each item; ``None`` for an invalid entity."""
        self._paths: dict[ClientQuotaEntity, tuple[ClientQuotaEntity, Path]] = {}
        """The first of the entities that brokers treat as one, and its path. Addresses in keys have the usual form."""

    def file(self) -> QuotaFile:
        top = self.mapping_with(self._document.value, (), required=("quotas",), optional=("scope",))
        for index, item in enumerate(self.sequence(top.get("quotas", []), ("quotas",))):
            self._item(item, ("quotas", index))
        scope = {frozenset(entity) for entity in self._entries}
        for index, kinds in enumerate(self.sequence(top.get("scope", []), ("scope",))):
            path = ("scope", index)
            names = [kind for kind in self.sequence(kinds, path) if isinstance(kind, str)]
            self._check_kinds(names, path)
            scope.add(frozenset(names))
        if self.problems:
            self._note_refusals()
        return QuotaFile(self._entries, frozenset(scope), self._places())

    def _note_refusals(self) -> None:
        """Note everything that a cluster without quotas would refuse, to report all errors of an invalid file at once.

        For a valid file, ``refusals`` checks only the changes to the cluster's quotas.
        """
        for entity, values, path in self._items:
            for text in problems_of_new_entity(entity) if entity else ():
                self._note_once((*path, "entity"), text)
            for key, value in values.items():
                of_key = (*path, "values", key)
                if value is not None and (problem := problem_of_new_quota(tuple(entity or ()), key)):
                    self._note_once(of_key, problem)
                if value is not None and (problem := problem_of_value(key, value)):
                    self._note_once(of_key, problem)

    def _note_once(self, path: Path, text: str) -> None:
        if text not in self.problems.get(path, ()):
            self.problem(path, text)

    def _places(self) -> dict[Target, Place]:
        places: dict[Target, Place] = {}
        for same, (entity, path) in self._paths.items():
            places[same, None] = self.place((*path, "entity"))
            for key in self._entries[entity]:
                places[same, key] = self.place((*path, "values", key))
        return places

    def _item(self, item: object, path: Path) -> None:
        parts = self.mapping_with(item, path, required=("entity", "values"))
        values = self._values(parts.get("values", {}), (*path, "values"))
        entity = self._entity(parts["entity"], (*path, "entity")) if "entity" in parts else None
        self._items.append((entity, values, path))
        if entity is None:
            return

        same = same_for_brokers(entity)
        if same in self._paths:
            first, first_path = self._paths[same]
            line, _ = self.place(first_path)
            spelling = "" if first == entity else f" as {first}"
            self.problem(path, f"duplicate entity {entity}, first on line {line}{spelling}")
        if all(value is None for value in values.values()):
            self._check_kinds(entity, (*path, "entity"))  # If a value is set, the broker checks the entity types.
        self._entries[entity] = values
        self._paths.setdefault(same, (entity, path))

    def _entity(self, names: object, path: Path) -> ClientQuotaEntity | None:
        found = self.mapping(names, path, "names and values")
        if not found:
            self.problem(path, "expected at least one entity type, for example {user: alice}")
        is_valid = bool(found)
        for kind, name in found.items():
            if not kind:
                self.problem((*path, kind), "expected an entity type that is not empty")
                is_valid = False
            elif name is not None and not is_text(name):
                advice = "put it in quotes, or write null for the default entity"
                self.problem((*path, kind), f"invalid name {short(name)}; {advice}")
                is_valid = False
        return ClientQuotaEntity(found) if is_valid else None

    def _values(self, values: object, path: Path) -> dict[str, float | None]:
        found: dict[str, float | None] = {}
        for key, value in self.mapping(values, path, "names and values").items():
            found[key] = self._value(key, value, (*path, key))
        return found

    def _value(self, key: str, value: object, path: Path) -> float | None:
        """Return the value of a quota; NaN if it is invalid."""
        if value is None:
            unknown = problem_of_key(key)
            if unknown is not None:
                self.problem(path, unknown)  # A broker would ignore the removal of an unknown quota.
            return None
        is_number = isinstance(value, Number) or value == "Infinity"
        if not is_number:
            self.problem(path, f"invalid value {short(value)}; write a number, Infinity or null")
            return math.nan
        try:
            number = parse_value(cast("str", value))
        except QuotaTextError as problem:
            self.problem(path, str(problem))
            return math.nan
        if impossible := problem_of_number(key, number):
            self.problem(path, impossible)
            return math.nan
        return number

    def _check_kinds(self, kinds: Collection[str], path: Path) -> None:
        """Note unknown entity types and combinations."""
        for text in problems_of_kinds(kinds):
            self.problem(path, text)
