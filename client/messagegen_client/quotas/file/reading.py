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
from typing import Any, Final, cast

from messagegen_client.quotas.addresses import same_for_brokers
from messagegen_client.quotas.checks import problem_of_key, problems_of_kinds
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.file.text import Document, Number, Path, TextError, parse_text
from messagegen_client.quotas.names import QuotaTextError, parse_value

_MOST_PROBLEMS: Final = 20
_LONGEST: Final = 80


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
    ``places`` says for errors where an entity is, as it is for a broker, and each of its quotas: a line and a path.
    """

    entries: Mapping[ClientQuotaEntity, Mapping[str, float | None]]
    scope: frozenset[frozenset[str]] = field(default_factory=frozenset[frozenset[str]])
    places: Mapping[tuple[ClientQuotaEntity, str | None], tuple[int, str]] = field(
        default_factory=dict[tuple[ClientQuotaEntity, str | None], tuple[int, str]], compare=False
    )

    def problem(self, entity: ClientQuotaEntity, key: str | None, text: str) -> tuple[int, str]:
        """A line of the file, and what is wrong there with an entity or one of its quotas."""
        same = same_for_brokers(entity)
        line, place = self.places.get((same, key)) or self.places.get((same, None)) or (1, "")
        return line, f"{place}{text}"


def read_quota_file(text: str, name: str) -> QuotaFile:
    """Parses a quota file; ``name`` is for errors. Raises ``QuotaFileError`` with all errors."""
    try:
        reader = _Reader(parse_text(text))
    except TextError as problem:
        raise QuotaFileError([f"{name}{f':{problem.line}' if problem.line else ''}: {problem}"]) from None
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
        self._entries: dict[ClientQuotaEntity, dict[str, float | None]] = {}
        self._paths: dict[ClientQuotaEntity, tuple[ClientQuotaEntity, Path]] = {}
        for path, text in document.problems:
            self._problem(path, text)
        self._reported = set(self.problems)  # Further errors of a missing value would be misleading.

    def file(self) -> QuotaFile:
        top = self._mapping(self._document.value, (), ("quotas",), ("scope",))
        for index, item in enumerate(self._list(top.get("quotas", []), ("quotas",))):
            self._item(item, ("quotas", index))
        scope: set[frozenset[str]] = set()
        for index, kinds in enumerate(self._list(top.get("scope", []), ("scope",))):
            names = [kind for kind in self._list(kinds, ("scope", index)) if isinstance(kind, str)]
            self._check_kinds(names, ("scope", index))
            scope.add(frozenset(names))
        kinds = {frozenset(entity) for entity in self._entries}
        return QuotaFile(self._entries, frozenset(scope | kinds), self._places())

    def report(self, name: str) -> list[str]:
        """The problems in order of their lines."""
        found = [(self._line(path), _place(path) + text) for path, texts in self.problems.items() for text in texts]
        return report(name, found)

    def _places(self) -> dict[tuple[ClientQuotaEntity, str | None], tuple[int, str]]:
        places: dict[tuple[ClientQuotaEntity, str | None], tuple[int, str]] = {}
        for same, (entity, path) in self._paths.items():
            steps: dict[str | None, Path] = {key: (*path, "values", key) for key in self._entries[entity]}
            for key, inner in [(None, (*path, "entity")), *steps.items()]:
                places[same, key] = self._line(inner), _place(inner)
        return places

    def _item(self, item: object, path: Path) -> None:
        parts = self._mapping(item, path, ("entity", "values"))
        values = self._values(parts.get("values", {}), (*path, "values"))
        entity = self._entity(parts["entity"], (*path, "entity")) if "entity" in parts else None
        if entity is None:
            return
        same = same_for_brokers(entity)
        if same in self._paths:
            first, place = self._paths[same]
            text = "" if first == entity else f" as {first}"
            self._problem(path, f"duplicate entity {entity}, first on line {self._line(place)}{text}")
        if all(value is None for value in values.values()):
            self._check_kinds(entity, (*path, "entity"))  # If a value is set, the broker checks them.
        self._entries[entity] = values
        self._paths.setdefault(same, (entity, path))

    def _entity(self, names: object, path: Path) -> ClientQuotaEntity | None:
        found = self._mapping(names, path)
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
        for key, value in self._mapping(values, path).items():
            place = (*path, key)
            found[key] = None if value is None else math.nan
            if value is None:
                unknown = problem_of_key(key)
                if unknown is not None:
                    self._problem(place, unknown)  # A broker would ignore it.
            elif not isinstance(value, Number) and value != "Infinity":
                self._problem(place, f"invalid value {_short(value)}; write a number, Infinity or null")
            else:
                try:
                    found[key] = parse_value(value)
                except QuotaTextError as problem:
                    self._problem(place, str(problem))
        return found

    def _check_kinds(self, kinds: Collection[str], path: Path) -> None:
        """Notes unknown entity types and combinations."""
        for text in problems_of_kinds(kinds):
            self._problem(path, text)

    def _mapping(
        self, value: object, path: Path, required: Collection[str] = (), optional: Collection[str] = ()
    ) -> dict[str, Any]:
        """The value, if it is a mapping. If keys are ``required``, it may have these and the ``optional`` ones only."""
        keys = " and ".join([*required, *optional])
        if not isinstance(value, dict):
            self._problem(path, f"expected a mapping with {keys or 'names and values'}, not {_short(value)}")
            return {}
        found = cast("dict[str, Any]", value)
        for key in required:
            if key not in found:
                self._problem(path, f"missing key {key}")
        for key in found if required else ():
            if key not in required and key not in optional:
                self._problem((*path, key), f"unknown key; expected {keys}")
        return found

    def _list(self, value: object, path: Path) -> list[Any]:
        if isinstance(value, list):
            return cast("list[Any]", value)  # type: ignore[redundant-cast]
        self._problem(path, f"expected a list, not {_short(value)}")
        return []

    def _problem(self, path: Path, text: str) -> None:
        if path not in getattr(self, "_reported", ()):
            self.problems.setdefault(path, []).append(text)

    def _line(self, path: Path) -> int:
        lines = self._document.lines
        return next((lines[path[:end]] for end in range(len(path), -1, -1) if path[:end] in lines), 1)


def _place(path: Path) -> str:
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    return f"{where}: " if where else ""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
