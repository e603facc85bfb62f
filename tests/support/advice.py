"""Edits a spec as the advice in a finding recommends."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from messagegen.findings import Finding

_WRITE = re.compile(r"(?:^|; |, )(?:or )?write (?:[^\";]*such as )?")

_WORDS = re.compile(r"write one of ((?:(?!or )[\w\[\]]+(?:, )?)+)")

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")

_REMOVE = re.compile(r"\bremove (?P<names>[a-z][A-Za-z]*(?: and [a-z][A-Za-z]*)?)(?=$|,)")

_MEAN = re.compile(r'did you mean "(?P<word>[^"]*)"\?')

_AFTER = re.compile(r"$|,|;| or | for | if ")


def values(text: str) -> Iterator[tuple[str, Any]]:
    """Yield each value that an advice recommends, after its property name; "" means the finding's own property."""
    decoder = json.JSONDecoder()
    for words in _WORDS.findall(text):
        for word in filter(None, words.split(", ")):
            yield "", word
    for start in (match.end() for match in _WRITE.finditer(text)):
        rest = text[start:]
        while rest:
            try:
                value, end = decoder.raw_decode(rest)
                name = ""
                if rest[end:].startswith(": "):
                    name, rest = value, rest[end + 2 :]
                    value, end = decoder.raw_decode(rest)
            except ValueError:
                break
            if _AFTER.match(rest, end):
                yield name, value
            more = re.match(r"(?: for [^,;]*)?(?:,? or |, )", rest[end:])
            if more is None:
                break
            rest = rest[end + more.end() :]


def parent_and_key(tree: Any, path: str) -> tuple[Any, str | int]:
    """Return the object or list that contains the end of a path, and the last name or index of the path."""
    steps: list[str | int] = [int(index) if index else name for name, index in _STEP.findall(path)]
    for step in steps[:-1]:
        tree = tree[step]
    return tree, steps[-1]


def edits(finding: Finding, tree: Any) -> Iterator[Any]:
    """Yield the edited spec for each edit that the finding's advice spells out."""
    if not finding.json_path:
        return
    for match in _MEAN.finditer(finding.instead):
        word = match["word"]
        yield renamed(finding, tree, word) if finding.rule == "PROPERTY_KNOWN" else written(finding, tree, "", word)
    for name, value in values(finding.instead):
        yield written(finding, tree, name, value)
    for match in _REMOVE.finditer(finding.instead):
        yield removed(finding, tree, match["names"].split(" and "))


def written(finding: Finding, tree: Any, name: str, value: Any) -> Any:
    """Return the spec with ``value`` for ``name``, a property of the finding's object.

    If ``name`` is "", set the finding's property.
    """
    root = copy.deepcopy(tree)
    holder, key = parent_and_key(root, finding.json_path)
    holder[name or key] = value
    return root


def renamed(finding: Finding, tree: Any, name: str) -> Any:
    """Return the spec after renaming the finding's property to ``name``."""
    root = copy.deepcopy(tree)
    holder, key = parent_and_key(root, finding.json_path)
    holder[name] = holder.pop(key)
    return root


def removed(finding: Finding, tree: Any, names: Iterable[str]) -> Any:
    """Return the spec without ``names``, properties of the finding's object; "it" means the finding's property."""
    root = copy.deepcopy(tree)
    holder, key = parent_and_key(root, finding.json_path)
    for name in names:
        holder.pop(key if name == "it" else name, None)
    return root
