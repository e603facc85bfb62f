"""Slow and simple rewriting of a message's JSON, based on the reviewed list of fields.

It shares no code with ``rewrite``, and does not use plans.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

FIELDS: Final = Path(__file__).with_name("reached.txt")
_ROW: Final = re.compile(
    r"  (?P<path>\S+)"
    r"(?: if (?P<request>the request's )?(?P<decider>\w+) is (?P<value>\d+)| with (?P<id>\S+)| without an id)?"
    r"(?:  \[.*\])?"
)
_PORTS: Final = {"host": "port", "hostName": "port", "v0Host": "v0Port"}

Functions = Mapping[str, Callable[..., Any]]
"""A function for each argument of ``rewrite``."""


@dataclass(frozen=True)
class Row:
    """A line of the list: an argument, the path of keys to a field that it reaches, and the text after the field."""

    argument: str
    path: tuple[str, ...]
    decider: str
    value: int
    is_of_request: bool
    node_id: tuple[str, ...]

    def decides(self, holder: Mapping[str, Any], request: Mapping[str, Any] | None) -> bool:
        """Whether the field is of this kind, according to ``holder`` or the request."""
        if not self.decider:
            return True
        where = request if self.is_of_request else holder
        return where is not None and bool(where.get(self.decider, 0) == self.value)


@cache
def rows() -> Mapping[str, list[Row]]:
    """Return the lines of the list by message. Address lines come first, because they need the original ids."""
    found: dict[str, list[Row]] = {}
    argument = ""
    for line in FIELDS.read_text(encoding="utf-8").splitlines():
        match = _ROW.fullmatch(line)
        if match is None:
            argument = line.removesuffix(":")
            continue
        message, *path = match["path"].split(".")
        _, *node_id = (match["id"] or "").split(".")
        row = Row(
            argument,
            tuple(_key(name) for name in path),
            _key(match["decider"] or ""),
            int(match["value"] or 0),
            match["request"] is not None,
            tuple(_key(name) for name in node_id),
        )
        found.setdefault(message, []).append(row)
    # Some names are spelled differently in different releases, but both spellings have the same key.
    different = {message: dict.fromkeys(listed) for message, listed in found.items()}
    return {message: sorted(listed, key=_is_no_address) for message, listed in different.items()}


def _is_no_address(row: Row) -> bool:
    return row.argument != "addresses"


def rewrite_json(
    message: str, value: dict[str, Any], functions: Functions, request: Mapping[str, Any] | None = None
) -> None:
    """Change the JSON of a message in place."""
    for row in rows().get(message, []):
        if row.argument not in functions:
            continue
        for objects in _objects(value, row.path, []):
            if row.argument == "addresses":
                _rewrite_address(objects, row, functions["addresses"])
            elif row.path[-1] in objects[-1] and row.decides(objects[-1], request):
                _rewrite_values(objects[-1], row, functions[row.argument])


def _objects(value: dict[str, Any], path: tuple[str, ...], around: list[dict[str, Any]]) -> Iterator[list[Any]]:
    """Yield the objects that may contain the last key of a path, each after its enclosing objects."""
    first, *others = path
    if not others:
        yield [*around, value]
        return
    inner = value.get(first)
    for each in inner if isinstance(inner, list) else [inner]:
        if each is not None:
            yield from _objects(each, tuple(others), [*around, value])


def _rewrite_values(holder: dict[str, Any], row: Row, function: Callable[..., Any]) -> None:
    value = holder[row.path[-1]]
    if isinstance(value, list):
        holder[row.path[-1]] = [_rewritten(each, row, function) for each in value]
    else:
        holder[row.path[-1]] = _rewritten(value, row, function)


def _rewritten(value: Any, row: Row, function: Callable[..., Any]) -> Any:
    if value is None or value == "" or (value == "*" and row.decider.startswith(("resourceType", "type"))):
        return value
    if row.argument != "brokers":
        return function(value)
    if isinstance(value, int):
        return value if value < 0 else function(value)
    return str(function(int(value))) if re.fullmatch("[0-9]+", value) else value


def _rewrite_address(objects: list[dict[str, Any]], row: Row, function: Callable[..., Any]) -> None:
    holder = objects[-1]
    host = row.path[-1]
    port = _PORTS.get(host, "")
    if not port or host not in holder or (not holder[host] and holder[port] < 0):
        return
    node_id = objects[len(row.node_id) - 1].get(row.node_id[-1]) if row.node_id else None
    holder[host], holder[port] = function(holder[host], holder[port], node_id)


def _key(name: str) -> str:
    """Return the JSON key of a field or attribute."""
    first, *others = name.split("_")
    return first[:1].lower() + first[1:] + "".join(word.title() for word in others)
