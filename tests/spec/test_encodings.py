from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.findings import Finding
from messagegen.primitives import PRIMITIVES
from messagegen.spec.model import FieldSpec
from tests.spec.building import accepted_field, field, message, read, refusals
from tests.support.profiles import examples


def encodings(spec: FieldSpec) -> dict[str, str]:
    """Return the encodings of a field by version range, in version order."""
    assert spec.encodings is not None
    return {str(versions): str(encoding) for versions, encoding in spec.encodings.entries}


def test_encodings_by_version_are_read_in_any_order() -> None:
    read_field = accepted_field(
        type="int64", versions="1+", encoding={"4+": "packed64", "1-2": "fixed32", "3": "upacked32"}
    )
    assert encodings(read_field) == {"1-2": "fixed32", "3": "upacked32", "4+": "packed64"}


@pytest.mark.parametrize(
    ("types", "type_", "expected"),
    [
        ({"0-9": "int32", "10+": "unsigned_varint32"}, "int32", {"0-9": "fixed32", "10+": "upacked32"}),
        ({"0": "varint16", "1+": "int64"}, "int64", {"0": "packed16", "1+": "fixed64"}),
        ({"0": "int16", "1": "varint64", "2+": "int32"}, "int64", {"0": "fixed16", "1": "packed64", "2+": "fixed32"}),
        ({"0+": "[]varint16"}, "[]int16", {"0+": "packed16"}),
        ({"2+": "[]int64", "0-1": "[]unsigned_varint32"}, "[]int64", {"0-1": "upacked32", "2+": "fixed64"}),
    ],
)
def test_types_by_version_become_encodings_of_the_widest_type(
    types: dict[str, str], type_: str, expected: dict[str, str]
) -> None:
    read_field = accepted_field(type=types)
    shown = str(read_field.type)
    assert (shown, encodings(read_field)) == (type_, expected)


def test_the_entity_type_must_fit_the_widest_type() -> None:
    types = {"0-9": "int32", "10+": "unsigned_varint32"}
    assert accepted_field(type=types, entityType="brokerId").type is PRIMITIVES["int32"]
    assert refusals(message(field(type=types, entityType="producerId"))) == [
        ("PROPERTY_FITS_TYPE", "fields[0].entityType")
    ]


@pytest.mark.slow
def test_a_map_with_many_ranges_has_one_short_finding() -> None:
    spec = message(field(encoding={str(version): "fixed32" for version in range(0, 32768, 2)}))
    parsed = read(spec)
    assert [finding.rule for finding in parsed.findings] == ["VERSION_MAP_COVERS_VERSIONS"]
    assert len(parsed.findings[0].message) < 100


RANGES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted), min_size=1, max_size=4, unique_by=tuple)


@pytest.mark.slow
@examples(200)
@given(st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted), RANGES)
def test_maps_are_accepted_only_if_they_partition_the_versions(versions: list[int], parts: list[list[int]]) -> None:
    spec: dict[str, Any] = {f"{low}-{high}": "fixed32" for low, high in parts}
    members = sorted(version for low, high in parts for version in range(low, high + 1))
    is_partition = members == list(range(versions[0], versions[1] + 1))
    findings = findings_about(versions, spec)
    assert [one.rule for one in findings] == ([] if is_partition else ["VERSION_MAP_COVERS_VERSIONS"])
    for one in findings:
        advised = dict.fromkeys(re.findall('"(.*?)"', one.instead), "fixed32")
        assert one.instead.startswith("write ")
        assert findings_about(versions, advised) == ()


def findings_about(versions: list[int], spec: dict[str, str]) -> Sequence[Finding]:
    """Return the findings about a field with the versions and encodings."""
    whole = message(field(versions=f"{versions[0]}-{versions[1]}", encoding=spec), validVersions="0-6")
    return tuple(read(whole).findings)
