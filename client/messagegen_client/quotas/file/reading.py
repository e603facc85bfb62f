"""Reads quota files in YAML or JSON.

For example:

quotas:
  - entity: {user: alice, client-id: null}
    values: {producer_byte_rate: 1000000, request_percentage: 12.5}
scope: [[user]]
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

from messagegen_client.quotas.addresses import same_for_brokers
from messagegen_client.quotas.checks import problem_of_key, problems_of_kinds
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.file.text import Document, Number, Path, TextError, parse_text
from messagegen_client.quotas.names import QuotaTextError, parse_value

_MOST_PROBLEMS: Final = 20
"""How many problems an error lists."""
_LONGEST_VALUE: Final = 80
"""Characters of a value that an error shows."""
_FIRST_LINE: Final = 1

Target: TypeAlias = tuple[ClientQuotaEntity, str | None]
"""What an error is about: an entity, as it is for a broker, and the key of one of its quotas, or ``None``."""
Place: TypeAlias = tuple[int, str]
"""A line, and the path to a value in it, as in ``quotas[0].entity: ``."""


class QuotaFileError(ValueError):
    """An invalid quota file; ``problems`` has a line for each error, with its place."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(self.problems)


@dataclass(frozen=True, slots=True)
class QuotaFile:
    """A quota file: the values of each entity, ``None`` for a quota to remove.

    ``scope`` has the combinations of entity types to prune: those of its entities, and those in the key ``scope``.
    ``places`` says for errors where each entity is, and each of its quotas.
    """

    entries: Mapping[ClientQuotaEntity, Mapping[str, float | None]]
    scope: frozenset[frozenset[str]] = field(default_factory=frozenset[frozenset[str]])
    places: Mapping[Target, Place] = field(default_factory=dict[Target, Place], compare=False)

    def problem(self, entity: ClientQuotaEntity, key: str | None, text: str) -> tuple[int, str]:
        """A line of the file, and what is wrong there with an entity or one of its quotas."""
        same = same_for_brokers(entity)
        of_entity = self.places.get((same, None), (_FIRST_LINE, ""))
        line, path = self.places.get((same, key), of_entity)
        return line, f"{path}{text}"


def read_quota_file(text: str, name: str) -> QuotaFile:
    """Parses a quota file; ``name`` is for errors. Raises ``QuotaFileError`` with all errors."""
    try:
        reader = _Reader(parse_text(text))
    except TextError as problem:
        place = name if problem.line is None else f"{name}:{problem.line}"
        raise QuotaFileError([f"{place}: {problem}"]) from None
    file = reader.file()
    if reader.problems:
        raise QuotaFileError(reader.report(name))
    return file


def report(name: str, found: Iterable[tuple[int, str]]) -> list[str]:
    """The lines of an error: the line and text of each problem in the file ``name``, in order, up to a limit."""
    problems = sorted(found, key=lambda problem: problem[0])
    lines = [f"{name}:{line}: {text}" for line, text in problems[:_MOST_PROBLEMS]]
    more = len(problems) - len(lines)
    return [*lines, f"{name}: and {more} more"] if more else lines


class _Reader:
    """Builds a quota file from a document, and collects what is wrong in it."""

    def __init__(self, document: Document) -> None:
        self.problems: dict[Path, list[str]] = {}
        self._document = document
        self._invalid = frozenset(path for path, _ in document.problems)
        """The values that the text does not have. Further errors about them would be misleading."""
        self._entries: dict[ClientQuotaEntity, dict[str, float | None]] = {}
        self._paths: dict[ClientQuotaEntity, tuple[ClientQuotaEntity, Path]] = {}
        """The first entity and its path, by what it is for a broker."""
        for path, text in document.problems:
            self.problems.setdefault(path, []).append(text)

    def file(self) -> QuotaFile:
        top = self._mapping_with(self._document.value, (), required=("quotas",), optional=("scope",))
        for index, item in enumerate(self._list(top.get("quotas", []), ("quotas",))):
            self._item(item, ("quotas", index))
        scope = {frozenset(entity) for entity in self._entries}
        for index, kinds in enumerate(self._list(top.get("scope", []), ("scope",))):
            path = ("scope", index)
            names = [kind for kind in self._list(kinds, path) if isinstance(kind, str)]
            self._check_kinds(names, path)
            scope.add(frozenset(names))
        return QuotaFile(self._entries, frozenset(scope), self._places())

    def report(self, name: str) -> list[str]:
        """The problems in order of their lines."""
        found: list[tuple[int, str]] = []
        for path, texts in self.problems.items():
            line, place = self._place(path)
            found += [(line, f"{place}{text}") for text in texts]
        return report(name, found)

    def _places(self) -> dict[Target, Place]:
        places: dict[Target, Place] = {}
        for same, (entity, path) in self._paths.items():
            places[same, None] = self._place((*path, "entity"))
            for key in self._entries[entity]:
                places[same, key] = self._place((*path, "values", key))
        return places

    def _item(self, item: object, path: Path) -> None:
        parts = self._mapping_with(item, path, required=("entity", "values"))
        values = self._values(parts.get("values", {}), (*path, "values"))
        if "entity" not in parts:
            return
        entity = self._entity(parts["entity"], (*path, "entity"))
        if entity is None:
            return

        same = same_for_brokers(entity)
        if same in self._paths:
            first, first_path = self._paths[same]
            line, _ = self._place(first_path)
            spelling = "" if first == entity else f" as {first}"
            self._problem(path, f"duplicate entity {entity}, first on line {line}{spelling}")
        if all(value is None for value in values.values()):
            self._check_kinds(entity, (*path, "entity"))  # If a value is set, the broker checks them.
        self._entries[entity] = values
        self._paths.setdefault(same, (entity, path))

    def _entity(self, names: object, path: Path) -> ClientQuotaEntity | None:
        found = self._mapping(names, path, "names and values")
        if not found:
            self._problem(path, "expected at least one entity type, for example {user: alice}")
        before = len(self.problems)
        for kind, name in found.items():
            if not kind:
                self._problem((*path, kind), "expected an entity type that is not empty")
            elif name is not None and (isinstance(name, Number) or not isinstance(name, str)):
                advice = "put it in quotes, or write null for the default entity"
                self._problem((*path, kind), f"invalid name {_short(name)}; {advice}")
        return ClientQuotaEntity(found) if found and len(self.problems) == before else None

    def _values(self, values: object, path: Path) -> dict[str, float | None]:
        found: dict[str, float | None] = {}
        for key, value in self._mapping(values, path, "names and values").items():
            found[key] = self._value(key, value, (*path, key))
        return found

    def _value(self, key: str, value: object, path: Path) -> float | None:
        """The value of a quota; NaN if it is invalid."""
        if value is None:
            unknown = problem_of_key(key)
            if unknown is not None:
                self._problem(path, unknown)  # A broker would ignore it.
            return None
        is_number = isinstance(value, Number) or value == "Infinity"
        if not is_number:
            self._problem(path, f"invalid value {_short(value)}; write a number, Infinity or null")
            return math.nan
        try:
            return parse_value(cast("str", value))
        except QuotaTextError as problem:
            self._problem(path, str(problem))
            return math.nan

    def _check_kinds(self, kinds: Collection[str], path: Path) -> None:
        """Notes unknown entity types and combinations."""
        for text in problems_of_kinds(kinds):
            self._problem(path, text)

    def _mapping_with(
        self, value: object, path: Path, *, required: Collection[str], optional: Collection[str] = ()
    ) -> dict[str, Any]:
        """The value, if it is a mapping that has the ``required`` keys, and no others but the ``optional`` ones."""
        keys = " and ".join([*required, *optional])
        found = self._mapping(value, path, keys)
        if not isinstance(value, dict):
            return found
        for key in required:
            if key not in found:
                self._problem(path, f"missing key {key}")
        for key in found:
            if key not in required and key not in optional:
                self._problem((*path, key), f"unknown key; expected {keys}")
        return found

    def _mapping(self, value: object, path: Path, content: str) -> dict[str, Any]:
        """The value, if it is a mapping; ``content`` is what it should have."""
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
        self._problem(path, f"expected a mapping with {content}, not {_short(value)}")
        return {}

    def _list(self, value: object, path: Path) -> list[Any]:
        if isinstance(value, list):
            return cast("list[Any]", value)  # type: ignore[redundant-cast]
        self._problem(path, f"expected a list, not {_short(value)}")
        return []

    def _problem(self, path: Path, text: str) -> None:
        if path not in self._invalid:
            self.problems.setdefault(path, []).append(text)

    def _place(self, path: Path) -> Place:
        """The line of a value, or of the nearest one around it that has a line, and its path as text."""
        nearest = path
        while nearest and nearest not in self._document.lines:
            nearest = nearest[:-1]
        return self._document.lines.get(nearest, _FIRST_LINE), _path_text(path)


def _path_text(path: Path) -> str:
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    return f"{where}: " if where else ""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."
