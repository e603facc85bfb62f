"""The rules are held to the truth: an edit breaks a version on the wire exactly where the codecs of old and new
disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Final

import pytest
from hypothesis import settings

from messagegen.evolve import compare_specs
from messagegen.generation.loading import load_specs
from tests.evolve.edits import Version, edited
from tests.evolve.judge import Code, disagree

CHUNK: Final = 50
"""Edits whose specs become one package, since to make a package takes longer than to make a class."""
CHUNKS: Final = 200 if settings().max_examples > 100 else 6
TRIED: Final = 10
"""Random values to find a disagreement that no finding tells of."""
SOUGHT: Final = 400
"""Random values to find the disagreement that a finding tells of."""


def edits(chunk: int) -> Iterator[tuple[int, list[str], Version, Version]]:
    """The valid edits of a chunk, each of another message."""
    known: set[str] = set()
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        found = edited(seed)
        if found is not None and found[0] and found[1].spec.name not in known:
            known.add(found[1].spec.name)
            yield seed, *found


def package(versions: list[Version]) -> ModuleType:
    return load_specs([one.spec for one in versions if not one.spec.valid_versions.empty])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_finding_on_the_wire_stands_for_codecs_that_disagree(chunk: int) -> None:
    cases = list(edits(chunk))
    assert len(cases) > CHUNK // 2
    old_code, new_code = package([case[2] for case in cases]), package([case[3] for case in cases])
    wrong = []
    for seed, done, before, after in cases:
        changes = compare_specs([before.spec], [after.spec])
        claimed = {version for change in changes if "WIRE" in change.categories for version in change.versions}
        old, new = Code(before.mini, old_code), Code(after.mini, new_code)
        valid = before.spec.valid_versions
        released = set(valid) - ({valid.highest} if before.spec.latest_version_unstable else set())
        found = {
            version
            for version in released
            if disagree(old, new, version, seed=str(seed), mixed=SOUGHT if version in claimed else TRIED)
        }
        if found != claimed:
            missed, invented = sorted(found - claimed), sorted(claimed - found)
            wrong.append(f"seed {seed}, {done}: missed {missed}, invented {invented}, said {list(map(str, changes))}")
    assert wrong == []
