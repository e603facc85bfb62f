"""A default of NaN equals nothing. So a tagged field with this default is written even if it was not read."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from messagegen import load
from tests.support.comparing import compare_texts

Field = dict[str, Any]


def float_field(name: str = "Ratio", default: str = "NaN", versions: str = "0+", **others: Any) -> Field:
    return {"name": name, "type": "float64", "versions": versions, "default": default, "ignorable": True, **others}


def tagged(field: Field, tag: int = 0) -> Field:
    return field | {"tag": tag, "taggedVersions": field["versions"]}


def struct_field(*inside: Field, **others: Any) -> Field:
    return {"name": "Part", "type": "Part", "versions": "0+", "fields": [*inside], **others}


PLAIN: Final[Field] = {"name": "Size", "type": "int32", "versions": "0+"}
EDITS: Final[dict[str, tuple[list[Field], list[Field]]]] = {
    "a tagged NaN is added": ([], [tagged(float_field())]),
    "a tagged zero is added": ([], [tagged(float_field(default="0"))]),
    "a tagged NaN is removed": ([tagged(float_field())], []),
    "a tagged NaN stays": ([tagged(float_field())], [tagged(float_field()), tagged(float_field("X", "1"), 1)]),
    "a tagged NaN becomes zero": ([tagged(float_field())], [tagged(float_field(default="0"))]),
    "a tagged zero becomes NaN": ([tagged(float_field(default="0"))], [tagged(float_field())]),
    "a tagged NaN is added in a new version": ([], [tagged(float_field(versions="2+"))]),
    "a tagged NaN of a later version is moved to this one": (
        [tagged(float_field(versions="1+"))],
        [tagged(float_field())],
    ),
    "a tagged struct with NaN is added": ([], [tagged(struct_field(float_field()))]),
    "a tagged struct with NaN that may be null is added": (
        [],
        [tagged(struct_field(float_field(), nullableVersions="0+", default="null"))],
    ),
    "a tagged NaN is added in a tagged struct": (
        [tagged(struct_field(PLAIN))],
        [tagged(struct_field(PLAIN, tagged(float_field())))],
    ),
    "a NaN of a new version is added in a tagged struct": (
        [tagged(struct_field(PLAIN))],
        [tagged(struct_field(PLAIN, float_field(versions="2+")))],
    ),
    "a NaN of a new version is added in a struct": (
        [struct_field(PLAIN)],
        [struct_field(PLAIN, float_field(versions="2+"))],
    ),
    "a NaN of another version is removed from a tagged struct": (
        [tagged(struct_field(PLAIN, float_field(versions="1+")))],
        [tagged(struct_field(PLAIN))],
    ),
    "a tagged array of structs with NaN is added": (
        [],
        [tagged(struct_field(float_field()) | {"type": "[]Part"})],
    ),
}


def spec(fields: list[Field], versions: str) -> bytes:
    properties = {"type": "data", "name": "Reading", "validVersions": versions, "flexibleVersions": "0+"}
    return json.dumps(properties | {"fields": [PLAIN | {"name": "First"}, *fields]}).encode()


def rewrite(package: ModuleType, data: bytes, version: int) -> bytes | None:
    """Return bytes as they are written after they were read, or ``None`` if they are rejected."""
    try:
        rewritten: bytes = package.Reading.decode(data, version=version).encode(version=version)
    except package.DecodeError:
        return None
    return rewritten


@pytest.mark.parametrize("name", EDITS)
def test_findings_name_exactly_the_versions_whose_bytes_are_rewritten(tmp_path: Path, name: str) -> None:
    sides = [spec(fields, versions) for fields, versions in zip(EDITS[name], ("0-1", "0-2"), strict=True)]
    packages = []
    for number, text in enumerate(sides):
        (tmp_path / f"{number}.json").write_bytes(text)
        packages.append(load(tmp_path / f"{number}.json"))
    old, new = packages
    rewritten = set()
    for version in (0, 1):
        for writer, reader in ((old, new), (new, old)):
            data = writer.Reading(first=7).encode(version=version)
            if rewrite(reader, data, version) != data:
                rewritten.add(version)
    changes = [
        change
        for message in compare_texts({"old.json": sides[0]}, {"new.json": sides[1]})
        for change in message.changes
        if change.versions
    ]
    assert rewritten == {version for change in changes for version in change.versions}
    assert all(change.rule for change in changes)
