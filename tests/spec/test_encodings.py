from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.primitives import PRIMITIVES
from messagegen.spec import FieldSpec
from messagegen.spec.encodings import parse_encoding
from messagegen.spec.report import RefusedError
from tests.spec.building import accepted_field, field, message, read, refusals
from tests.support.profiles import examples

NAMES = [f"{form}{bits}" for form, bits in itertools.product(("fixed", "packed", "upacked"), (16, 32, 64))]


def encodings(spec: FieldSpec) -> dict[str, str]:
    """The encodings of a field by version range, in order."""
    assert spec.encodings is not None
    return {str(versions): str(encoding) for versions, encoding in spec.encodings.entries}


@pytest.mark.parametrize("name", NAMES)
def test_reads_the_nine_names(name: str) -> None:
    encoding = parse_encoding(name)
    assert str(encoding) == name
    assert encoding.bits == int(name[-2:])


@pytest.mark.parametrize("name", ["", "fixed8", "Fixed32", " fixed32", "fixed32 ", "packed032", "varint32", "zigzag"])
def test_refuses_other_names(name: str) -> None:
    with pytest.raises(RefusedError):
        parse_encoding(name)


@pytest.mark.parametrize("name", ["unsigned32", "UPACKED32", "uint32", "unsigned_packed32", "unsigned_varint32"])
def test_advises_what_an_unsigned_name_means(name: str) -> None:
    with pytest.raises(RefusedError) as refused:
        parse_encoding(name)
    assert refused.value.instead == 'write "upacked32"'


@pytest.mark.parametrize(
    ("type_", "name"),
    [("int16", "packed16"), ("int32", "upacked32"), ("int64", "fixed64"), ("int64", "packed16"), ("int32", "fixed16")],
)
def test_one_encoding_for_all_versions_of_the_field(type_: str, name: str) -> None:
    read_field = accepted_field(type=type_, versions="1+", encoding=name)
    assert read_field.type is PRIMITIVES[type_]
    assert encodings(read_field) == {"1+": name}


def test_encodings_by_version_in_any_order() -> None:
    read_field = accepted_field(
        type="int64", versions="1+", encoding={"4+": "packed64", "1-2": "fixed32", "3": "upacked32"}
    )
    assert encodings(read_field) == {"1-2": "fixed32", "3": "upacked32", "4+": "packed64"}


def test_no_encoding() -> None:
    assert accepted_field(encoding=None).encodings is None


@pytest.mark.parametrize("type_", ["int16", "int32", "int64"])
def test_encodings_of_elements(type_: str) -> None:
    read_field = accepted_field(type=f"[]{type_}", elementEncoding={"0-1": "fixed16", "2+": "packed16"})
    assert str(read_field.type) == f"[]{type_}"
    assert encodings(read_field) == {"0-1": "fixed16", "2+": "packed16"}


def test_tagged_fields_and_map_keys_may_be_encoded() -> None:
    assert encodings(accepted_field(versions="2+", tag=0, taggedVersions="2+", encoding="packed32")) == {
        "2+": "packed32"
    }
    rows = accepted_field("Rows", "[]Row", fields=[field(mapKey=True, encoding="upacked32")])
    assert encodings(rows.fields[0]) == {"0+": "upacked32"}


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
def test_types_by_version(types: dict[str, str], type_: str, expected: dict[str, str]) -> None:
    read_field = accepted_field(type=types)
    shown = str(read_field.type)
    assert (shown, encodings(read_field)) == (type_, expected)


@pytest.mark.parametrize("type_", ["string", "uint32", "[]bool", "[]Row", "int32"])
def test_one_type_in_all_versions_is_that_type(type_: str) -> None:
    inner = {"fields": [field()]} if type_ == "[]Row" else {}
    assert accepted_field(type={"0-1": type_, "2+": type_}, **inner) == accepted_field(type=type_, **inner)


def test_a_varint_type_alone_is_one_for_all_versions() -> None:
    assert encodings(accepted_field(type="[]varint32", versions="1-2")) == {"1-2": "packed32"}


def test_the_entity_type_goes_with_the_widest_type() -> None:
    types = {"0-9": "int32", "10+": "unsigned_varint32"}
    assert accepted_field(type=types, entityType="brokerId").type is PRIMITIVES["int32"]
    assert refusals(message(field(type=types, entityType="producerId"))) == [
        ("ENTITY_TYPE_FITS_TYPE", "fields[0].entityType")
    ]


def test_several_mistakes_in_one_map_are_told_each() -> None:
    spec = message(field(encoding={"0": "paked32", "1": "packed64", "x": "fixed32", "2+": "fixed32"}))
    assert refusals(spec) == [
        ("ENCODING_KNOWN", "fields[0].encoding"),
        ("ENCODING_FITS_TYPE", "fields[0].encoding"),
        ("VERSION_RANGE_WELL_FORMED", "fields[0].encoding"),
    ]


@pytest.mark.parametrize("name", ["encoding", "elementEncoding"])
@pytest.mark.parametrize(
    "type_",
    ["bool", "int8", "uint16", "uint32", "float64", "uuid", "string", "bytes", "records", "[]string", "[]int8", "Row"],
)
def test_only_integers_are_encoded(type_: str, name: str) -> None:
    properties: dict[str, Any] = {name: "fixed32"} | ({"fields": []} if type_ == "Row" else {})
    assert refusals(message(field(type=type_, **properties))) == [("ENCODING_FOR_INTEGERS", f"fields[0].{name}")]


def test_unknown_versions_of_the_field_hide_no_other_mistake() -> None:
    spec = message(
        field(versions="zero", encoding={"0-2": "fixed32", "2+": "fixed32"}), field("Other", encoding="fixed23")
    )
    assert refusals(spec) == [
        ("VERSION_RANGE_WELL_FORMED", "fields[0].versions"),
        ("ENCODING_RANGES_DISJOINT", "fields[0].encoding"),
        ("ENCODING_KNOWN", "fields[1].encoding"),
    ]


def test_a_map_with_very_many_ranges_is_no_work() -> None:
    spec = message(field(encoding={str(version): "fixed32" for version in range(0, 32768, 2)}))
    parsed = read(spec)
    assert [finding.rule for finding in parsed.findings] == ["ENCODING_COVERS_VERSIONS"]
    assert len(parsed.findings[0].message) < 100


RANGES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted), min_size=1, max_size=4, unique_by=tuple)


@examples(200)
@given(st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted), RANGES)
def test_accepts_exactly_the_maps_that_partition_the_versions(versions: list[int], parts: list[list[int]]) -> None:
    spec: dict[str, Any] = {f"{low}-{high}": "fixed32" for low, high in parts}
    members = sorted(version for low, high in parts for version in range(low, high + 1))
    rules = {
        finding.rule
        for finding in read(
            message(field(versions=f"{versions[0]}-{versions[1]}", encoding=spec), validVersions="0-6")
        ).findings
    }
    if len(members) > len(set(members)):
        assert rules == {"ENCODING_RANGES_DISJOINT"}
    elif members != list(range(versions[0], versions[1] + 1)):
        assert rules == {"ENCODING_COVERS_VERSIONS"}
    else:
        assert rules == set()
