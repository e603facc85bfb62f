"""Quota files: the quotas that a cluster should have, in YAML or JSON.

The form is that of ``quota_file.schema.json`` beside this module:

    quotas:
      - entity: {user: alice, client-id: null}
        values: {producer_byte_rate: 1000000, request_percentage: 12.5}
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from messagegen_client.quota_file_text import Document, Path, TextError, parse_text
from messagegen_client.quotas import ClientQuotaEntity

_MOST_PROBLEMS: Final = 20
_LONGEST: Final = 200
_HINTS: Final = {
    "minProperties": "; name at least one entity type, such as user",
}


class QuotaFileError(ValueError):
    """A quota file that can't be used; ``problems`` has a line for each thing that is wrong, with its place."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(self.problems)


@dataclass(frozen=True, slots=True)
class QuotaFile:
    """What a quota file says: the values of each entity, ``None`` for a quota that it shall not have.

    ``scope`` has the combinations of entity types that the file speaks for when it comes to pruning: those of its entities,
    and those that it names itself.
    """

    entries: Mapping[ClientQuotaEntity, Mapping[str, float | None]]
    scope: frozenset[frozenset[str]] = field(default_factory=frozenset[frozenset[str]])


def read_quota_file(text: str, name: str) -> QuotaFile:
    """The quota file that a text is; ``name`` stands in errors. Raises ``QuotaFileError`` with all that is wrong."""
    try:
        document = parse_text(text)
    except TextError as problem:
        raise QuotaFileError([f"{name}{f':{problem.line}' if problem.line else ''}: {problem}"]) from None
    problems = document.problems or list(_invalid(document))
    if not problems:
        problems = list(_contradictory(document))
    if problems:
        raise QuotaFileError(_report(problems, document, name))
    return _quota_file(document.value)


@cache
def _validator() -> Draft202012Validator:
    text = resources.files("messagegen_client").joinpath("quota_file.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def _invalid(document: Document) -> Iterator[tuple[Path, str]]:
    untyped: Any = _validator()  # its stubs know half of what iter_errors takes
    errors: Iterable[ValidationError] = untyped.iter_errors(document.value)
    for error in errors:
        path = tuple(error.absolute_path)
        if not path and error.validator == "type":
            yield path, "a quota file is a mapping with the key quotas, a list of entities with their values"
        elif error.validator == "type" and len(path) == 4 and path[2] == "entity":
            yield path, f"{error.instance!r} is not a name; put quotes around it, or write null for the default entity"
        elif error.validator == "anyOf":
            yield path, _shortened(f"{error.instance!r} is not a value") + "; write a number, Infinity, or null"
        else:
            yield path, _shortened(error.message) + _HINTS.get(str(error.validator), "")


def _shortened(message: str) -> str:
    """A message of the validator, which repeats the value: all of it, however long that is."""
    return message if len(message) <= _LONGEST else f"{message[: _LONGEST // 2]} ... {message[-_LONGEST // 2 :]}"


def _contradictory(document: Document) -> Iterator[tuple[Path, str]]:
    """What a schema can't say: entities that come twice, and numbers that are none."""
    first: dict[ClientQuotaEntity, int] = {}
    for index, (entity, values) in enumerate(_entries(document.value)):
        if entity in first:
            line = document.lines.get(("quotas", first[entity]))
            before = f"on line {line}" if line else f"as quotas[{first[entity]}]"
            yield ("quotas", index), f"{entity} is there already, {before}"
        first.setdefault(entity, index)
        for key, value in values.items():
            if value is not None and not -math.inf < value:
                yield ("quotas", index, "values", key), f"{value} is not a limit; write null if there should be none"


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
    line = next((document.lines[path[:end]] for end in range(len(path), -1, -1) if path[:end] in document.lines), None)
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    return f"{name}{f':{line}' if line else ''}: {f'{where}: ' if where else ''}{message}"
