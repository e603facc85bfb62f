"""Reads quota files in YAML or JSON.

``quota_file.schema.json`` is their schema. For example:

quotas:
  - entity: {user: alice, client-id: null}
    values: {producer_byte_rate: 1000000, request_percentage: 12.5}
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Final, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from messagegen_client.quotas.entities import COMBINATIONS, QUOTAS, ClientQuotaEntity
from messagegen_client.quotas.file.text import Document, Number, Path, TextError, parse_text
from messagegen_client.quotas.names import QuotaTextError, check_known

_MOST_PROBLEMS: Final = 20
_LONGEST: Final = 200
_HINTS: Final = {
    "minProperties": "; expected at least one entity type, for example user",
}


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
    """

    entries: Mapping[ClientQuotaEntity, Mapping[str, float | None]]
    scope: frozenset[frozenset[str]] = field(default_factory=frozenset[frozenset[str]])


def read_quota_file(text: str, name: str) -> QuotaFile:
    """Parses a quota file; ``name`` is for errors. Raises ``QuotaFileError`` with all errors."""
    try:
        document = parse_text(text)
    except TextError as problem:
        raise QuotaFileError([f"{name}{f':{problem.line}' if problem.line else ''}: {problem}"]) from None
    problems = list(document.problems)
    reported = {path for path, _ in problems if path}  # further errors of a missing value would be misleading
    problems += [finding for finding in _invalid(document) if finding[0] not in reported]
    problems += _contradictory(document)
    if problems:
        problems.sort(key=lambda finding: _line(finding[0], document) or 0)
        raise QuotaFileError(_report(problems, document, name))
    return _quota_file(document.value)


@cache
def _validator() -> Draft202012Validator:
    text = (
        resources.files("messagegen_client.quotas.file").joinpath("quota_file.schema.json").read_text(encoding="utf-8")
    )
    return Draft202012Validator(json.loads(text))


def _invalid(document: Document) -> Iterator[tuple[Path, str]]:
    untyped: Any = _validator()  # its stubs lack types
    errors: Iterable[ValidationError] = untyped.iter_errors(document.value)
    for error in errors:
        path = tuple(error.absolute_path)
        if not path and error.validator == "type":
            yield path, "expected a mapping with the key quotas, a list of entities with their values"
        elif error.validator == "type" and len(path) == 4 and path[2] == "entity":
            name = _shortened(f"invalid name {error.instance!r}")
            yield path, f"{name}; put it in quotes, or write null for the default entity"
        elif error.validator == "anyOf":
            yield path, _shortened(f"invalid value {error.instance!r}") + "; write a number, Infinity or null"
        else:
            yield path, _shortened(error.message) + _HINTS.get(str(error.validator), "")


def _shortened(message: str) -> str:
    """A message of the validator, shortened because it repeats the whole value."""
    return message if len(message) <= _LONGEST else f"{message[: _LONGEST // 2]} ... {message[-_LONGEST // 2 :]}"


def _contradictory(document: Document) -> Iterator[tuple[Path, str]]:
    """Errors that a schema can't express, in those parts that are valid otherwise."""
    value = _mapping(document.value) or {}
    first: dict[ClientQuotaEntity, int] = {}
    for index, item in enumerate(_list(value.get("quotas"))):
        names, values = (_mapping((_mapping(item) or {}).get(key)) for key in ("entity", "values"))
        entity = _entity(names or {})
        if entity is not None and entity in first:
            line = document.lines.get(("quotas", first[entity]))
            before = f"on line {line}" if line else f"as quotas[{first[entity]}]"
            yield ("quotas", index), f"duplicate entity {entity}, first {before}"
        elif entity is not None:
            first[entity] = index
        if values is not None:
            yield from _unusable(values, ("quotas", index, "values"))
            if entity is not None and all(number is None for number in values.values()):
                yield from _unknown_types(entity, ("quotas", index, "entity"))
    for index, kinds in enumerate(_list(value.get("scope"))):
        yield from _unknown_types([kind for kind in _list(kinds) if isinstance(kind, str)], ("scope", index))


def _unusable(values: Mapping[str, object], path: Path) -> Iterator[tuple[Path, str]]:
    """Invalid numbers, and unknown quotas to remove, which a broker would ignore."""
    for key, value in values.items():
        if isinstance(value, Number) and value.problem is not None:
            yield (*path, key), value.problem
        elif value is None and key and (problem := _problem(key, QUOTAS, "quota")):
            yield (*path, key), problem


def _unknown_types(kinds: Collection[str], path: Path) -> Iterator[tuple[Path, str]]:
    """Unknown entity types and combinations. A broker only refuses them if a value is set."""
    known = sorted({kind for kinds in COMBINATIONS for kind in kinds})
    problems = [problem for kind in kinds if kind and (problem := _problem(kind, known, "entity type"))]
    yield from ((path, problem) for problem in problems)
    if kinds and not problems and frozenset(kinds) not in COMBINATIONS and all(kinds):
        yield path, f"invalid combination {' and '.join(kinds)}; expected user, client-id, user and client-id, or ip"


def _problem(name: str, known: Iterable[str], what: str) -> str | None:
    try:
        check_known(name, known, what)
    except QuotaTextError as problem:
        return str(problem)
    return None


def _list(value: object) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, list) else ()


def _mapping(value: object) -> dict[str, Any] | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _entity(names: Mapping[str, object]) -> ClientQuotaEntity | None:
    """The entity, if the names are valid."""
    usable = {kind: name for kind, name in names.items() if kind and (name is None or (isinstance(name, str) and name))}
    return ClientQuotaEntity(usable) if names and len(usable) == len(names) else None


def _entries(value: Any) -> Iterator[tuple[ClientQuotaEntity, dict[str, float | None]]]:
    for item in value["quotas"]:
        values = {key: None if number is None else float(number) for key, number in item["values"].items()}
        yield ClientQuotaEntity(item["entity"]), values


def _quota_file(value: Any) -> QuotaFile:
    entries = dict(_entries(value))
    shapes = {frozenset(entity) for entity in entries} | {frozenset(kinds) for kinds in value.get("scope", ())}
    return QuotaFile(entries, frozenset(shapes))


def _report(problems: list[tuple[Path, str]], document: Document, name: str) -> list[str]:
    lines = [_located(path, message, document, name) for path, message in problems[:_MOST_PROBLEMS]]
    more = len(problems) - len(lines)
    return [*lines, f"{name}: and {more} more"] if more else lines


def _located(path: Path, message: str, document: Document, name: str) -> str:
    line = _line(path, document)
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    return f"{name}{f':{line}' if line else ''}: {f'{where}: ' if where else ''}{message}"


def _line(path: Path, document: Document) -> int | None:
    return next((document.lines[path[:end]] for end in range(len(path), -1, -1) if path[:end] in document.lines), None)
