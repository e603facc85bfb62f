"""Messages for tests of explanations, and what holds for every explanation."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from messagegen.explain import Explanation, Kind, Node
from messagegen.generation.messages import Messages
from tests.support.specs import read_specs

_PART = re.compile(r"\[(\d+)\]|([^.\[]+)")


@cache
def messages_of(folder: Path) -> Messages:
    """The messages of a folder of specs."""
    return Messages(read_specs([folder]))


def check_tiles(found: Explanation) -> None:
    """The own bytes of nodes follow one another without a gap, and children lie within their parents."""
    place = 0
    for node in found.walk():
        assert node.offset == place
        assert node.offset <= node.own_end <= node.end
        assert all(node.offset <= child.offset <= child.end <= node.end for child in node.children)
        place = node.own_end
    assert place == found.end
    own = b"".join(found.data[node.offset : node.own_end] for node in found.walk())
    assert own + found.rest == found.data


def check_values(found: Explanation, message: Any) -> None:
    """The values of the tree are those of the message."""
    for node in found.walk():
        if node.kind is Kind.VALUE:
            assert node.value == value_at(message, node.path), node.path
        elif node.kind is Kind.ARRAY:
            value = value_at(message, node.path)
            assert node.value == (None if value is None else len(value)), node.path
        elif node.kind is Kind.UNKNOWN_TAG:
            tags = value_at(message, f"{node.path}.unknown_tagged_fields".removeprefix("."))
            assert (int(node.name.removeprefix("tag ")), node.value) in tags


def value_at(message: Any, path: str) -> Any:
    """The value at a path such as ``topics[3].name``."""
    value = message
    for index, name in _PART.findall(path):
        value = getattr(value, name) if name else value[int(index)]
    return value


def flat(found: Explanation) -> list[tuple[object, ...]]:
    """The nodes in order, as values that do not depend on what comes later."""
    return [_flat(node) for node in found.walk()]


def _flat(node: Node) -> tuple[object, ...]:
    return (node.kind, node.name, node.path, node.type, node.offset, node.own_end, node.value, node.is_null)
