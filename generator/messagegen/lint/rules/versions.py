"""Rules about versions."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen.jsonc import Edit
from messagegen.lint.rules.rule import Problem, Spot
from messagegen.lint.subject import FieldSubject
from messagegen.spec.model import MessageKind


def stated(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Problems with fields that don't state their versions."""
    part, after = spot.part("versions"), spot.part("type")
    if part is None and after is not None:
        versions = field.spec.versions
        message = f'field "{field.spec.name}" does not state its versions'
        edits = (Edit(after.value.end, after.value.end, f', "versions": "{versions}"'),)
        yield spot.problem("versions", message, f'write "versions": "{versions}"', edits)


def latest_flexible(spot: Spot) -> Iterator[Problem]:
    """Problems with messages whose latest version is not flexible."""
    spec = spot.subject.spec
    if spec.kind is MessageKind.COORDINATOR_KEY:
        return
    if spec.valid_versions.highest not in spec.flexible_versions:
        message = f"version {spec.valid_versions.highest} is not flexible"
        later = spec.valid_versions.highest + 1
        instead = f'make a new version flexible ("{later}+"), or all if none was released ("0+")'
        yield spot.problem("flexibleVersions", message, instead)


def open_ended(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Problems with fields that would be missing from the next version."""
    versions, latest = field.spec.versions, spot.subject.spec.valid_versions.highest
    # In a message with a single version, the range of a field says nothing about later versions.
    if versions.highest == latest and spot.subject.spec.kind is not MessageKind.COORDINATOR_KEY:
        message = (
            f'field "{field.spec.name}" ends with the latest version, {latest}, and would be missing from the next'
        )
        yield spot.problem("versions", message, f'write "{versions.lowest}+", or end before the latest version')


def nullable_within(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Problems with fields that are nullable in versions without the field."""
    nullable, versions = field.spec.nullable_versions, field.spec.versions
    if not nullable.empty and not versions.covers(nullable) and versions.intersect(nullable) != versions:
        message = f'field "{field.spec.name}" is nullable in versions {nullable}, but exists in {versions}'
        yield spot.problem("nullableVersions", message, f'write "{versions.intersect(nullable)}"')
