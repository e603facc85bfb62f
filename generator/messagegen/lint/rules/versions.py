"""Rules about versions."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen.lint.rules.rule import Problem, Spot, fields, rule, specs
from messagegen.lint.subject import FieldSubject
from messagegen.spec.model import MessageKind


@rule(fields)
def field_versions_stated(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Checks that a tagged field states its versions.

    Apache's generator falls back to the tagged versions, which few people know.

    - not `"taggedVersions": "1+", "tag": 0`
    - but `"versions": "1+", "taggedVersions": "1+", "tag": 0`
    """
    if spot.part("versions") is None:
        message = f'field "{field.spec.name}" does not state its versions'
        yield spot.problem("versions", message, f'write "versions": "{field.spec.versions}"')


@rule(specs)
def latest_version_flexible(spot: Spot) -> Iterator[Problem]:
    """Checks that the latest version of a message is flexible.

    Only flexible versions can get new tagged fields, which older readers skip (KIP-482).

    - not `"flexibleVersions": "none"`
    - but `"flexibleVersions": "0+"`
    """
    spec = spot.subject.spec
    if spec.kind is MessageKind.COORDINATOR_KEY:
        return
    if spec.valid_versions.highest not in spec.flexible_versions:
        message = f"version {spec.valid_versions.highest} is not flexible"
        later = spec.valid_versions.highest + 1
        instead = f'make a new version flexible ("{later}+"), or all if none was released ("0+")'
        yield spot.problem("flexibleVersions", message, instead)


@rule(fields)
def field_versions_open_ended(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Checks that the versions of a field do not end with the latest version.

    The field would silently be missing from the next version.

    - not `"validVersions": "0-3" and "versions": "1-3"`
    - but `"validVersions": "0-3" and "versions": "1+"`
    """
    versions, latest = field.spec.versions, spot.subject.spec.valid_versions.highest
    # In a message with a single version, the range of a field says nothing about later versions.
    if versions.highest == latest and spot.subject.spec.kind is not MessageKind.COORDINATOR_KEY:
        message = (
            f'field "{field.spec.name}" ends with the latest version, {latest}, and would be missing from the next'
        )
        yield spot.problem("versions", message, f'write "{versions.lowest}+", or end before the latest version')


@rule(fields)
def nullable_versions_within_versions(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Checks that a field is nullable only in versions in which it exists.

    The other versions have no effect, so one of the two ranges is a mistake.

    - not `"versions": "2+", "nullableVersions": "1-3"`
    - but `"versions": "2+", "nullableVersions": "2-3"`
    """
    nullable, versions = field.spec.nullable_versions, field.spec.versions
    if not nullable.empty and not versions.covers(nullable) and versions.intersect(nullable) != versions:
        message = f'field "{field.spec.name}" is nullable in versions {nullable}, but exists in {versions}'
        yield spot.problem("nullableVersions", message, f'write "{versions.intersect(nullable)}"')
