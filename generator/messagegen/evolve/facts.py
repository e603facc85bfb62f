"""The properties of messages and fields as text, for the comparison of two specs."""

from __future__ import annotations

import json
from typing import Final, TypeVar
from uuid import UUID

from messagegen.spec.model import Default, EmptyDefault, FieldSpec, MessageSpec
from messagegen.versions import HIGHEST_VERSION, VersionMap, VersionRange

T = TypeVar("T")
Facts = dict[str, str]

_USUAL: Final = ("none", "unset", "false", "0", "0.0", '""', "empty", str(UUID(int=0)))
"""The values that a summary omits."""


def message_facts(spec: MessageSpec, valid: VersionRange) -> Facts:
    """Return the properties of a message, with version ranges restricted to ``valid`` versions."""
    return {
        "name": spec.name,
        "type": spec.kind.value,
        "apiKey": "none" if spec.api_key is None else str(spec.api_key),
        "validVersions": str(spec.valid_versions),
        "latestVersionUnstable": _yes_or_no(spec.latest_version_unstable),
        "deprecatedVersions": _within(spec.deprecated_versions, valid),
        "flexibleVersions": _within(spec.flexible_versions, valid),
        "headerVersions": _map(spec.header_versions, valid),
        "listeners": ", ".join(sorted(spec.listeners)) or "none",
    }


def field_facts(spec: FieldSpec, valid: VersionRange) -> Facts:
    """Return the properties of a field, with version ranges restricted to ``valid``; ``tag`` includes its versions."""
    tagged = _within(spec.tagged_versions, valid)
    return {
        "name": spec.name,
        "type": str(spec.type),
        "versions": _within(spec.versions, valid),
        "nullableVersions": _within(spec.nullable_versions, valid),
        "tag": "none" if tagged == "none" else f"{spec.tag} in {tagged}",
        "flexibleVersions": "unset" if spec.flexible_versions is None else _within(spec.flexible_versions, valid),
        "encoding": _map(spec.encodings, valid),
        "default": _default(spec.default),
        "ignorable": _yes_or_no(spec.ignorable),
        "mapKey": _yes_or_no(spec.map_key),
        "zeroCopy": _yes_or_no(spec.zero_copy),
        "sensitive": _yes_or_no(spec.sensitive),
        "entityType": spec.entity_type.value.replace("unknown", "none"),
    }


def message_summary(spec: MessageSpec) -> str:
    """Return a summary of a message on one line: its type, API key and versions."""
    key = "" if spec.api_key is None else f" {spec.api_key}"
    return f"{spec.kind.value}{key}, versions {spec.valid_versions}"


def field_summary(spec: FieldSpec, valid: VersionRange) -> str:
    """Return a summary of a field on one line: its type, its versions, and other properties with unusual values."""
    facts = field_facts(spec, valid)
    del facts["name"]
    others = [f"{name} {text}" for name, text in facts.items() if name != "type" and text not in _USUAL]
    return ", ".join([facts["type"], *others])


def _within(versions: VersionRange, valid: VersionRange) -> str:
    """Return the part of a range within ``valid``, in Kafka's notation; open-ended if the latest version is in it."""
    found = versions.intersect(valid)
    return str(VersionRange(found.lowest, HIGHEST_VERSION) if found.highest == valid.highest >= 0 else found)


def _map(values: VersionMap[T] | None, valid: VersionRange) -> str:
    entries = values.entries if values else ()
    return (
        ", ".join(f"{value} in {_within(each, valid)}" for each, value in entries if not each.intersect(valid).empty)
        or "none"
    )


def _yes_or_no(value: bool) -> str:
    return str(value).lower()


def _default(value: Default) -> str:
    if value is None:
        return "null"
    if isinstance(value, str | bool):
        return json.dumps(value)
    return "empty" if value in (EmptyDefault.EMPTY, b"") else str(value)
