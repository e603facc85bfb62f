"""Rules about versions."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen.spec.model import FieldSpec, MessageKind, MessageSpec
from messagegen.spec.report import placed
from messagegen.spec.rule import Category, Problem, fields, messages, rule


@rule(fields, category=Category.STANDARD)
def field_versions_stated(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a tagged field states its versions.

    Apache's generator falls back to the tagged versions, which few people know.

    - not `"taggedVersions": "1+", "tag": 0`
    - but `"versions": "1+", "taggedVersions": "1+", "tag": 0`
    """
    if "versions" not in placed(field).properties:
        message = f'field "{field.name}" does not state its versions'
        yield field, "versions", message, f'write "versions": "{field.versions}"'


@rule(messages, category=Category.STANDARD)
def latest_version_flexible(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that the latest version of a message is flexible.

    Only flexible versions can get new tagged fields, which older readers skip (KIP-482).

    - not `"flexibleVersions": "none"`
    - but `"flexibleVersions": "0+"`
    """
    if spec.kind is MessageKind.COORDINATOR_KEY:
        return
    if spec.valid_versions.highest not in spec.flexible_versions:
        message = f"version {spec.valid_versions.highest} is not flexible"
        later = spec.valid_versions.highest + 1
        instead = f'make a new version flexible ("{later}+"), or all if none was released ("0+")'
        yield spec, "flexibleVersions", message, instead


@rule(fields, category=Category.STANDARD)
def field_versions_open_ended(spec: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that the versions of a field do not end with the latest version.

    The field would silently be missing from the next version.

    - not `"validVersions": "0-3" and "versions": "1-3"`
    - but `"validVersions": "0-3" and "versions": "1+"`
    """
    versions, latest = field.versions, spec.valid_versions.highest
    # Coordinator keys never have a later version, so the ranges of their fields may end.
    if versions.highest == latest and spec.kind is not MessageKind.COORDINATOR_KEY:
        message = f'field "{field.name}" ends with the latest version, {latest}, and would be missing from the next'
        yield field, "versions", message, f'write "{versions.lowest}+", or end before the latest version'
