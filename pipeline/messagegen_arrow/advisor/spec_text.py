"""The text of a message spec as a tree with positions, so that edits leave everything else unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

import tree_sitter
import tree_sitter_json

_LANGUAGE: Final = tree_sitter.Language(tree_sitter_json.language())
_HIGHEST: Final = 32767
"""Versions are 16-bit numbers, so this is the end of an open range."""


class SpecTextError(ValueError):
    """Raised for a spec that cannot be changed, with the reason."""


@dataclass(frozen=True, slots=True)
class Versions:
    """A range of versions, both ends included; ``highest`` is ``None`` for an open one."""

    lowest: int
    highest: int | None

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """``"3"``, ``"0-9"`` or ``"2+"``; ``None`` for ``"none"``. Raises ``SpecTextError`` for anything else."""
        text = text.strip()
        if text in {"none", ""}:
            return None
        try:
            if text.endswith("+"):
                return cls(int(text[:-1]), None)
            lowest, _, highest = text.partition("-")
            return cls(int(lowest), int(highest or lowest))
        except ValueError:
            raise SpecTextError(f"invalid range of versions {text!r}") from None

    def __contains__(self, version: int) -> bool:
        return self.lowest <= version <= (_HIGHEST if self.highest is None else self.highest)

    def __str__(self) -> str:
        if self.highest is None:
            return f"{self.lowest}+"
        return str(self.lowest) if self.lowest == self.highest else f"{self.lowest}-{self.highest}"


class SpecObject:
    """An object of a spec: its properties by name, as nodes with the offsets of their bytes."""

    def __init__(self, node: tree_sitter.Node) -> None:
        self.node = node
        self.properties: dict[str, tree_sitter.Node] = {}
        self.pairs: dict[str, tree_sitter.Node] = {}
        for pair in node.named_children:
            if pair.type == "pair":
                key, value = (child for child in pair.named_children if child.type != "comment")
                self.properties[_value(key)] = value
                self.pairs[_value(key)] = pair

    def text(self, name: str) -> str | None:
        """A property that is a string or a number, as text."""
        node = self.properties.get(name)
        return str(_value(node)) if node is not None and node.type in {"string", "number"} else None

    def objects(self, name: str) -> Iterator[SpecObject]:
        """The objects of a list; a single object counts as a list of one."""
        node = self.properties.get(name)
        if node is None:
            return
        for item in [node] if node.type == "object" else node.named_children:
            if item.type == "object":
                yield SpecObject(item)

    def fields(self) -> Iterator[SpecObject]:
        """All fields below, at any depth, those of common structs too."""
        for struct in self.objects("commonStructs"):
            yield from struct.fields()
        for field in self.objects("fields"):
            yield field
            yield from field.fields()

    def ranges_until(self, latest: int) -> Iterator[tuple[tree_sitter.Node, Versions]]:
        """The ranges of this object that end with a version and are not continued: in properties, and in maps."""
        for group in self._ranges():
            found = [(node, range_of(node)) for node in group]
            if any(versions is not None and latest + 1 in versions for _, versions in found):
                continue
            yield from ((node, versions) for node, versions in found if versions and versions.highest == latest)

    def _ranges(self) -> Iterator[list[tree_sitter.Node]]:
        """The nodes of ranges of versions: the value of a property, or the names of a map together."""
        for name, node in self.properties.items():
            if name.endswith("ersions") and name != "deprecatedVersions" and node.type in {"string", "number"}:
                yield [node]
            elif name in {"encoding", "elementEncoding", "type", "headerVersions"} and node.type == "object":
                yield [pair.named_children[0] for pair in SpecObject(node).pairs.values()]


def parse_spec(data: bytes) -> SpecObject:
    """The object of a spec that messagegen can read. Raises ``SpecTextError`` if it is not an object."""
    tree = tree_sitter.Parser(_LANGUAGE).parse(data)
    for node in tree.root_node.named_children:
        if node.type == "object" and not tree.root_node.has_error:
            return SpecObject(node)
    raise SpecTextError("expected a JSON object; `messagegen generate` says what is wrong with it")


def range_of(node: tree_sitter.Node) -> Versions | None:
    """The range that a node holds."""
    return Versions.parse(str(_value(node)))


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """New text for some bytes."""

    start: int
    end: int
    text: str


def apply(data: bytes, edits: list[Edit]) -> bytes:
    """The text with all edits, none of which may overlap."""
    for edit in sorted(edits, reverse=True):
        data = data[: edit.start] + edit.text.encode() + data[edit.end :]
    return data


def _value(node: tree_sitter.Node) -> Any:
    text = node.text
    assert text is not None
    return json.loads(text)
