"""The makers of values and of damage."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.oracle.damage import damaged_samples, mutate, spoil
from tests.oracle.mini_reader import MiniSpec, read_spec
from tests.oracle.values import sample, samples

_FIELDS = [
    {"name": "Small", "type": "int8", "versions": "0+", "default": "010"},
    {"name": "Packed", "type": "int64", "versions": "0+", "encoding": {"0": "fixed32", "1+": "packed64"}},
    {"name": "Grown", "type": {"0": "varint16", "1+": "int32"}, "versions": "0+"},
    {"name": "Text", "type": "string", "versions": "0+", "nullableVersions": "1+"},
    {"name": "Rate", "type": "double", "versions": "0+", "default": "-Infinity"},
    {"name": "Id", "type": "uuid", "versions": "1+", "ignorable": "true"},
    {"name": "Late", "type": "int32", "versions": "2+", "default": "0x10"},
    {"name": "Data", "type": "bytes", "versions": "0+"},
    {"name": "Items", "type": "[]Item", "versions": "0+", "fields": {"name": "Key", "type": "int16", "versions": "0+"}},
    {"name": "Extra", "type": "[]int32", "taggedVersions": "1+", "tag": "0"},
]
_TEXT = "// a comment\n" + json.dumps(
    {"name": "M", "type": "data", "validVersions": "0-2", "flexibleVersions": "1+", "fields": _FIELDS}
)


@pytest.fixture
def spec() -> MiniSpec:
    return read_spec(_TEXT)


def test_reader_takes_loose_spellings(spec: MiniSpec) -> None:
    fields = {one.name: one for one in spec.fields}
    assert (fields["extra"].versions, fields["extra"].tag) == (range(1, 32768), 0)
    assert fields["id"].ignorable
    assert [one.name for one in fields["items"].fields] == ["key"]


@pytest.mark.parametrize(
    ("name", "default"),
    [("small", 8), ("late", 16), ("packed", 0), ("text", ""), ("rate", float("-inf")), ("extra", []), ("items", [])],
)
def test_defaults_are_java_values(spec: MiniSpec, name: str, default: Any) -> None:
    assert {one.name: one for one in spec.fields}[name].default_json(2) == default


def test_lowest_and_highest_fill_the_encoding(spec: MiniSpec) -> None:
    lowest, highest = sample(spec, 0, "lowest").json, sample(spec, 1, "highest").json
    assert (lowest["small"], lowest["packed"], lowest["grown"]) == (-128, -(2**31), -(2**15))
    assert (highest["small"], highest["packed"], highest["grown"]) == (127, 2**63 - 1, 2**31 - 1)


def test_empty_is_null_where_null_is_allowed(spec: MiniSpec) -> None:
    assert sample(spec, 0, "empty").json["text"] == ""
    empty = sample(spec, 2, "empty").json
    assert (empty["text"], empty["items"], empty["data"]) == (None, [], "")
    assert "extra" not in empty


def test_values_hold_exactly_the_fields_of_their_version(spec: MiniSpec) -> None:
    always = {"small", "packed", "grown", "text", "rate", "data", "items"}
    for version, more in ((0, set[str]()), (1, {"id"}), (2, {"id", "late"})):
        for one in samples(spec, version, mixed=20):
            assert set(one.json) - {"extra"} == always | more
            assert not one.unknown or version in spec.flexible


def test_mixed_values_reach_unicode_nulls_and_unknown_tags(spec: MiniSpec) -> None:
    many = list(samples(spec, 2, mixed=200))
    texts = [one.json["text"] for one in many]
    assert None in texts
    assert any(text and not text.isascii() for text in texts)
    assert any(one.unknown for one in many)
    assert all(tag >= 1 for one in many for tag, _ in one.unknown.get("", []))
    assert any(path.startswith("items[") for one in many for path in one.unknown)
    assert max(len(base64.b64decode(one.json["data"])) for one in many) > 128


def test_mutations_change_the_bytes() -> None:
    encoded = bytes(range(40)).hex()
    found = list(mutate(encoded, count=40))
    assert {what for what, _ in found} == {"truncated", "flipped", "extended", "huge length"}
    assert encoded not in [damaged for _, damaged in found]
    assert [what for what, _ in mutate("", count=2)] == ["extended", "extended"]


def test_spoiled_json_differs_and_leaves_the_good_one_alone(spec: MiniSpec) -> None:
    good = sample(spec, 1, "highest")
    before = json.dumps(good.json)
    spoiled = dict(spoil(spec, good))
    assert json.dumps(good.json) == before
    assert all(json.dumps(bad) != before for bad in spoiled.values())
    assert set(spoiled) == {
        "field left out",
        "null in a field that is not nullable",
        "value of another type",
        "integer out of range",
        "string too long",
        "value in a version without the field",
    }
    assert spoiled["value in a version without the field"]["late"] == 1


def test_damaged_samples_follow_from_the_seed(spec: MiniSpec) -> None:
    assert list(damaged_samples(spec, 1, seed="a")) == list(damaged_samples(spec, 1, seed="a"))
    assert list(damaged_samples(spec, 1, seed="a")) != list(damaged_samples(spec, 1, seed="b"))
