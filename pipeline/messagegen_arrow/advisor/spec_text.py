"""The text of a message spec as a tree with positions, so that edits leave everything else unchanged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

_TOKEN: Final = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"/]+', re.DOTALL)


class SpecTextError(ValueError):
    """Raised for a spec that cannot be changed, with the reason."""


@dataclass(frozen=True, slots=True)
class Versions:
    """A range of versions, both ends included; ``highest`` is infinite for an open one."""

    lowest: int
    highest: float

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """``"3"``, ``"0-9"`` or ``"2+"``; ``None`` for anything else, such as ``"none"``."""
        match = re.fullmatch(r"\s*(\d+)(?:-(\d+)|(\+))?\s*", text)
        if match is None:
            return None
        return cls(int(match[1]), float("inf") if match[3] else int(match[2] or match[1]))

    def __contains__(self, version: int) -> bool:
        return self.lowest <= version <= self.highest

    def __str__(self) -> str:
        if self.highest == float("inf"):
            return f"{self.lowest}+"
        return str(self.lowest) if self.lowest == self.highest else f"{self.lowest}-{self.highest}"


@dataclass(frozen=True, slots=True)
class Part:
    """A value in the text, from ``start`` to ``end``: a string, a number, parts in a list, or pairs of key and value by key."""

    start: int
    end: int
    value: Any

    def text(self, name: str) -> str:
        """A property that is a string or a number, as text; empty if there is none."""
        value = self[name].value if name in self.value else ""
        return str(value) if isinstance(value, str | int) else ""

    def objects(self, name: str) -> list[Part]:
        """The objects of a list; a single object counts as a list of one."""
        part = self[name] if name in self.value else Part(0, 0, [])
        return part.value if isinstance(part.value, list) else [part]

    def pairs(self) -> Iterator[tuple[Part, Part]]:
        """The keys and values of an object, and of all objects that are within it."""
        if isinstance(self.value, list):
            for part in self.value:
                yield from part.pairs()
        elif isinstance(self.value, dict):
            for key, part in self.value.values():
                yield key, part
                yield from part.pairs()

    def __getitem__(self, name: str) -> Part:
        part: Part = self.value[name][1]
        return part


def parse_spec(text: str) -> Part:
    """The object of a spec that messagegen can read. Raises ``SpecTextError`` if it is not an object."""
    tokens = [match for match in _TOKEN.finditer(text) if not match[0].startswith(("//", "/*"))]
    if not tokens or tokens[0][0] != "{":
        raise SpecTextError("expected a JSON object; `messagegen generate` says what is wrong with it")
    return _part(tokens[0], iter(tokens[1:]))


def _part(first: re.Match[str], others: Iterator[re.Match[str]]) -> Part:
    if first[0] not in ("{", "["):
        return Part(first.start(), first.end(), json.loads(first[0]))
    value: Any = {} if first[0] == "{" else []
    for token in others:
        if token[0] in ("}", "]"):
            return Part(first.start(), token.end(), value)
        if token[0] == ",":
            continue
        one = _part(token, others)
        if isinstance(value, list):
            value.append(one)
        else:
            next(others)  # the colon
            value[one.value] = one, _part(next(others), others)
    raise SpecTextError("the spec ends within an object; `messagegen generate` says where")
