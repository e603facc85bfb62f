"""Messages for tests of explanations, and a check that holds for every explanation."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

from messagegen.explain import Explanation
from messagegen.generation.messages import Messages
from tests.support.specs import read_specs


@cache
def messages_of(folder: Path) -> Messages:
    """Return the messages of the specs in ``folder``."""
    return Messages({spec.name: spec for spec in read_specs([folder])})


def check_tiles(found: Explanation) -> None:
    """Check that parts cover all bytes without gaps, and that each part is at most one level deeper than the last."""
    offsets = [part.offset for part in found.parts]
    assert [0, *(part.end for part in found.parts)] == [*offsets, len(found.data)]
    depths = [-1, *(part.depth for part in found.parts)]
    assert all(after <= before + 1 for before, after in pairwise(depths))


def flat(found: Explanation) -> list[tuple[object, ...]]:
    """Return the properties of each part that do not depend on later parts. Omit the part of unread bytes."""
    return [(part.name, part.depth, part.type, part.offset) for part in found.parts if part.name != "(not read)"]
