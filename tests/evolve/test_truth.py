"""The codecs of the old and the new spec disagree on exactly the versions that findings about the wire contain."""

from __future__ import annotations

from typing import Final

import pytest

from messagegen.evolve import compare_specs
from tests.evolve.edit_chunks import CHUNK, CHUNKS, edits, package
from tests.evolve.judge import Code, disagree

TRIED: Final = 10
"""The number of random values to find a disagreement without a finding."""
SOUGHT: Final = 400
"""The number of random values to find the disagreement of a finding."""


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_codecs_disagree_exactly_in_the_versions_of_wire_findings(chunk: int) -> None:
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
