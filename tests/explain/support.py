"""Messages for tests of explanations, and what holds for every explanation."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from messagegen.explain import Explanation
from messagegen.generation.messages import Messages
from tests.support.specs import read_specs

_PART = re.compile(r"\[(\d+)\]|([^.\[]+)")


@cache
def messages_of(folder: Path) -> Messages:
    """The messages of a folder of specs."""
    return Messages(read_specs([folder]))


def check_tiles(found: Explanation) -> None:
    """The bytes of parts follow one another without a gap, and a part is at most one deeper than the one before."""
    offsets = [part.offset for part in found.parts]
    assert offsets == sorted(offsets)
    assert offsets[:1] == [0][: len(offsets)]
    assert all(offset <= found.end for offset in offsets)
    depths = [-1, *(part.depth for part in found.parts)]
    assert all(after <= before + 1 for before, after in pairwise(depths))
    assert sum(end - part.offset for part, end in found.shown()) + len(found.rest) == len(found.data)


def check_values(found: Explanation, message: Any) -> None:
    """The values of the parts are those of the message."""
    for part in found.parts:
        if part.type == "unknown tag":
            tags = value_at(message, f"{part.path}.unknown_tagged_fields".removeprefix("."))
            assert (int(part.name.removeprefix("tag ")), part.value) in tags
        elif part.counted == "":
            assert part.value == value_at(message, part.path), part.path
        elif part.counted == "element":
            assert part.value == len(value_at(message, part.path)), part.path


def value_at(message: Any, path: str) -> Any:
    """The value at a path such as ``topics[3].name``."""
    value = message
    for index, name in _PART.findall(path):
        value = getattr(value, name) if name else value[int(index)]
    return value


def flat(found: Explanation) -> list[tuple[object, ...]]:
    """The parts in order, as values that do not depend on what comes later."""
    return [(part.name, part.depth, part.path, part.type, part.offset) for part in found.parts]
