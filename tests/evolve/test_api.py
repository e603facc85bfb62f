"""Findings about the API agree with the differences between the generated classes of both sides."""

from __future__ import annotations

from typing import Any, Final

import pytest

from messagegen.evolve import compare_specs
from tests.evolve.classes import compare_classes
from tests.evolve.edit_chunks import CHUNK, CHUNKS, edits, package
from tests.evolve.edits import Version

MESSAGE_RULES: Final = (
    "MESSAGE_SAME_API_KEY",
    "MESSAGE_KEEPS_API_KEY",
    "MESSAGE_SAME_TYPE",
    "MESSAGE_VERSIONS_NOT_REMOVED",
    "MESSAGE_LISTENER_NOT_REMOVED",
)
"""The rules about constants of a message."""


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS, 2 * CHUNKS))
def test_findings_about_fields_equal_the_differences_between_the_classes(chunk: int) -> None:
    cases = [case for case in edits(chunk) if not case[3].spec.valid_versions.empty]
    assert len(cases) > CHUNK // 2
    old_code, new_code = package([case[2] for case in cases]), package([case[3] for case in cases])
    wrong = []
    for seed, done, before, after in cases:
        valid = before.spec.valid_versions
        unstable = valid.highest if before.spec.latest_version_unstable else None
        compared = {version for version in valid if version in after.spec.valid_versions and version != unstable}
        changes = compare_specs([before.spec], [after.spec])
        # A message of a different type, or without its API key, is a different message.
        if any(change.rule == "MESSAGE_NOT_REMOVED" for change in changes):
            continue
        differing = compare_classes(before.spec, compared, old_code, new_code, after.spec.name)
        if not differing.agrees(changes) or _constants_differ(before, old_code, after, new_code) != any(
            change.rule in MESSAGE_RULES for change in changes
        ):
            wrong.append(f"seed {seed}, {done}: {differing}, said {list(map(str, changes))}")
    assert wrong == []


def _constants_differ(before: Version, old_code: Any, after: Version, new_code: Any) -> bool:
    """Whether the new class lacks a constant that users need: the API key, a version, a listener or the direction."""
    old, new = getattr(old_code, before.spec.name), getattr(new_code, after.spec.name)
    key = getattr(old, "API_KEY", None)
    # An unstable version may be removed. If it is the only version, the message was never released.
    unstable = {before.spec.valid_versions.highest} if before.spec.latest_version_unstable else set[int]()
    released = set(old.VALID_VERSIONS) - unstable
    return bool(released) and (
        key not in (None, getattr(new, "API_KEY", None))
        or not released <= set(new.VALID_VERSIONS)
        or not set(_listeners(old)) <= set(_listeners(new))
        or _direction(before) != _direction(after)
    )


def _listeners(cls: Any) -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(cls, "LISTENERS", ())
    return found


def _direction(version: Version) -> str:
    """Return whether a message is a request or a response, which have their own classes and methods."""
    kind = version.spec.kind.value
    return kind if kind in ("request", "response") else ""
