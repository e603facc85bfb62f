"""The makers of specs: pure functions of their seeds, and between them every part of the spec language."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.fixtures import MADE_UP_SPECS
from tests.oracle.made_up import made_up_spec, made_up_text
from tests.oracle.mini_reader import MiniField, MiniSpec, read_spec
from tests.oracle.near_valid import near_valid
from tests.oracle.spelling import tidy

_REPOSITORY = Path(__file__).resolve().parents[2]
_DIGEST = """
import hashlib
from tests.oracle.made_up import made_up_text
from tests.oracle.mini_reader import read_spec
from tests.oracle.near_valid import near_valid
from tests.oracle.values import samples
text = "".join(made_up_text(seed) + near_valid(seed)[1] for seed in range(30))
specs = [read_spec(made_up_text(seed)) for seed in range(30)]
values = [repr(list(samples(spec, version))) for spec in specs for version in spec.versions]
print(hashlib.sha256((text + "".join(values)).encode()).hexdigest())
"""


def all_fields(spec: MiniSpec) -> Iterator[MiniField]:
    waiting = [*spec.fields, *(one for fields in spec.structs.values() for one in fields)]
    while waiting:
        yield (one := waiting.pop())
        waiting.extend(one.fields)


def objects(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield part
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from objects(one)


@pytest.mark.slow
def test_same_seed_gives_same_bytes_under_any_hash_seed() -> None:
    digests = set()
    for hash_seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", _DIGEST]
        digests.add(subprocess.run(command, cwd=_REPOSITORY, env=environment, capture_output=True, check=True).stdout)
    assert len(digests) == 1


def test_seeds_give_different_specs() -> None:
    assert len({made_up_text(seed) for seed in range(100)}) == 100
    assert len({near_valid(seed)[1] for seed in range(100)}) > 95


def test_spelling_keeps_the_meaning() -> None:
    for seed in range(200):
        assert read_spec(made_up_text(seed)) == read_spec(tidy(made_up_spec(seed))), seed


def test_kept_specs_use_the_whole_language() -> None:
    specs = [read_spec(file.read_text(encoding="utf-8")) for file in MADE_UP_SPECS.glob("*.json")]
    fields = [one for spec in specs for one in all_fields(spec)]
    scalars = {
        "bool",
        "int8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "float64",
        "uuid",
        "string",
        "bytes",
        "records",
    }
    bases = {one.base(0) for one in fields if not one.is_struct}
    assert bases == scalars
    assert {one.base(0) for one in fields if one.array and not one.is_struct} == scalars - {"bytes", "records"}
    kinds = {"request", "response", "header", "data", "metadata", "coordinator-key", "coordinator-value"}
    assert {spec.kind for spec in specs} == kinds
    assert any(spec.structs for spec in specs)
    for array in (False, True):
        assert any(one.is_struct and one.array is array and one.nullable for one in fields)
        assert any(one.is_struct and one.array is array and one.tag is not None for one in fields)


def test_many_specs_use_every_property() -> None:
    found = [part for seed in range(300) for part in objects(made_up_spec(seed))]
    expected = """about apiKey commonStructs default deprecatedVersions entityType fields flexibleVersions ignorable
        latestVersionUnstable listeners mapKey name nullableVersions tag taggedVersions type validVersions versions zeroCopy"""
    assert {name for part in found for name in part} == set(expected.split())
    assert any("versions" not in part for part in found if "tag" in part)
    assert any(part.get("validVersions") == "none" for part in found)
    defaults = {str(part["default"])[:2] for part in found if "default" in part}
    assert {"0x", "-1", "nu", "Na", "+1"} <= defaults


def test_near_valid_specs_change_structure_and_text() -> None:
    changes = [near_valid(seed)[0] for seed in range(300)]
    for what in (
        "dropped",
        "default of a field set",
        "type of a field set",
        "given twice",
        "text cut",
        "validVersions",
    ):
        assert any(what in change for change in changes), what
