"""The rules about the API are held to the truth: the generated classes of both sides."""

from __future__ import annotations

import pytest

from messagegen.evolve import compare_specs
from tests.evolve.classes import compare_classes
from tests.evolve.test_truth import CHUNK, CHUNKS, edits, package


@pytest.mark.parametrize("chunk", range(CHUNKS, 2 * CHUNKS))
def test_findings_about_fields_are_what_differs_between_the_classes(chunk: int) -> None:
    cases = [case for case in edits(chunk) if not case[3].spec.valid_versions.empty]
    assert len(cases) > CHUNK // 2
    old_code, new_code = package([case[2] for case in cases]), package([case[3] for case in cases])
    wrong = []
    for seed, done, before, after in cases:
        valid = before.spec.valid_versions
        unstable = valid.highest if before.spec.latest_version_unstable else None
        compared = {version for version in valid if version in after.spec.valid_versions and version != unstable}
        changes = compare_specs([before.spec], [after.spec])
        # A message of another type, or without its API key, is another message.
        if any(change.rule == "MESSAGE_NOT_REMOVED" for change in changes):
            continue
        differing = compare_classes(before.spec, compared, old_code, new_code, after.spec.name)
        if not differing.agrees(changes):
            wrong.append(f"seed {seed}, {done}: {differing}, said {list(map(str, changes))}")
    assert wrong == []
