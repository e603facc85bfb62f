"""Small specs for tests of the spec reader."""

from __future__ import annotations

import json
from typing import Any

from messagegen.spec import Parsed, parse
from messagegen.spec.model import FieldSpec, MessageSpec

Spec = dict[str, Any]


def message(*fields: Spec, **properties: Any) -> Spec:
    """Return a data message with versions 0-3 that is flexible from 2 on. Requests and responses get an API key."""
    spec: Spec = {
        "type": "data",
        "name": "Example",
        "validVersions": "0-3",
        "flexibleVersions": "2+",
        "fields": list(fields),
    }
    if properties.get("type") in ("request", "response"):
        spec["apiKey"] = 1000
    return {name: value for name, value in (spec | properties).items() if value is not ...}


def field(name: str = "Count", type: Any = "int32", versions: Any = "0+", **properties: Any) -> Spec:  # noqa: A002
    """Return a field that exists in all versions. The value ``...`` omits a property."""
    spec = {"name": name, "type": type, "versions": versions} | properties
    return {key: value for key, value in spec.items() if value is not ...}


def read(spec: Spec | str | bytes, *, released: bool = False) -> Parsed[MessageSpec]:
    """Return the reader's result for a spec."""
    return parse(spec if isinstance(spec, (str, bytes)) else json.dumps(spec), "Example.json", released=released)


def accepted(spec: Spec | str | bytes) -> MessageSpec:
    """Return the model of a spec that has no findings."""
    parsed = read(spec)
    assert parsed.findings == ()
    assert parsed.spec is not None
    return parsed.spec


def accepted_field(*args: Any, **properties: Any) -> FieldSpec:
    """Return the model of a field, from a spec with only this field and no findings."""
    return accepted(message(field(*args, **properties))).fields[0]


def refusals(spec: Spec | str | bytes) -> list[tuple[str, str]]:
    """Return the rule and the JSON path of each error of a refused spec."""
    parsed = read(spec)
    assert parsed.spec is None
    return [(finding.rule, finding.json_path) for finding in parsed.findings if finding.severity == "error"]


def warned(spec: Spec | str) -> tuple[MessageSpec, list[tuple[str, str]]]:
    """Return the model of a release's spec that has only warnings, and the rule and JSON path of each warning."""
    parsed = read(spec, released=True)
    assert parsed.spec is not None
    assert {finding.severity for finding in parsed.findings} == {"warning"}
    return parsed.spec, [(finding.rule, finding.json_path) for finding in parsed.findings]
