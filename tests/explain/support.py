"""Messages for tests of explanations, and checks of every explanation."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

from messagegen.explain import Explanation
from messagegen.generation.messages import Messages
from tests.support.specs import read_specs


@cache
def messages_of(folder: Path) -> Messages:
    """Return the messages of a folder of specs."""
    return Messages({spec.name: spec for spec in read_specs([folder])})


def check_tiles(found: Explanation) -> None:
    """Check that the bytes of parts have no gaps, and that a part is at most one deeper than the one before."""
    offsets = [part.offset for part in found.parts]
    assert [0, *(part.end for part in found.parts)] == [*offsets, len(found.data)]
    depths = [-1, *(part.depth for part in found.parts)]
    assert all(after <= before + 1 for before, after in pairwise(depths))


def flat(found: Explanation) -> list[tuple[object, ...]]:
    """Return the parts in order, as values that do not depend on later parts; the part of unread bytes is left out."""
    return [(part.name, part.depth, part.type, part.offset) for part in found.parts if part.name != "(not read)"]
