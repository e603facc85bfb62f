"""New versions of specs: what changes in the text, what must not, and the proof that old versions stay."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from messagegen.findings import SpecError
from messagegen_arrow.advisor.encodings import FORMS
from messagegen_arrow.advisor.fields import integer_fields
from messagegen_arrow.advisor.patch import diff_of_specs, load_table, patch_spec
from messagegen_arrow.advisor.patch.text import SpecText, SpecTextError
from messagegen_arrow.advisor.patch.wire_format import IncompatibleError, check_new_version, layouts
from tests.arrow.support.advisor_data import ROOT, SPEC, spec_of
from tests.support.specs import OWN, PURPOSE_MADE

SPECS = [*sorted(PURPOSE_MADE.rglob("*.json")), *sorted(OWN.rglob("*.json"))[::3]]
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"', re.DOTALL)


def added(before: str, after: str) -> list[str]:
    return [line.strip() for line in after.splitlines() if line not in before.splitlines()]


def comments(text: str) -> list[str]:
    return [found for found in COMMENT.findall(text) if not found.startswith('"')]


ENCODINGS: Final = {
    ("Sample", "id"): "packed32",
    ("Sample", "numbers"): "upacked64",
    ("Sample", "mapped"): "upacked32",
    ("Sample", "spare"): "upacked32",
    ("Extra", "count"): "packed32",
    ("Point", "x"): "upacked32",
    ("Point", "y"): "packed64",
}

ADDED: Final = [
    '"validVersions": "0-3",',
    (
        '{ "name": "X", "type": "int32", "versions": "0+", "encoding": { "0-2": "fixed32", "3+": "upacked32" }, '
        '"about": "Kept: \\u00e4, /* no comment */." },'
    ),
    (
        '{ "name": "Y", "type": "int64", "versions": "0-3", '
        '"encoding": { "0": "fixed32", "1-2": "fixed64", "3": "packed64" } } // trailing'
    ),
    '{ "name": "Id", "type": "int32", "versions": "0+", "encoding": { "0-2": "fixed32", "3+": "packed32" } },',
    (
        '{ "name": "Numbers", "type": "[]int64", "versions": "0+", '
        '"elementEncoding": { "0-2": "fixed64", "3+": "upacked64" }, "nullableVersions": "0+" },'
    ),
    (
        '{ "name": "Mapped", "type": { "0": "int16", "1-2": "varint32", "3+": "unsigned_varint32" }, '
        '"versions": "0+" },'
    ),
    (
        '{ "name": "Spare", "type": "int32", "versions": "1+", '
        '"encoding": { "1-2": "fixed32", "3+": "upacked32" }, '
        '"taggedVersions": "1+", "tag": 0, "default": "-1" },'
    ),
    (
        '{ "name": "Count", "type": "int32", "versions": "1+", "encoding": { "1-2": "fixed32", "3+": "packed32" }, '
        '"default": "7" },'
    ),
]
"""The lines that these encodings change."""


def test_the_text_changes_where_it_has_to() -> None:
    after = patch_spec(SPEC, ENCODINGS)
    assert load_table(after).valid_versions == (0, 3)
    assert added(SPEC, after) == ADDED
    # Versions that are deprecated do not become more, and comments stay.
    assert '"deprecatedVersions": "0-2"' in after
    assert comments(after) == comments(SPEC)


@pytest.mark.parametrize(
    "file",
    [*SPECS[::4], *(pytest.param(file, marks=pytest.mark.exhaustive) for file in SPECS if file not in SPECS[::4])],
    ids=lambda file: file.stem,
)
def test_every_spec_takes_every_form(file: Path) -> None:
    text = file.read_bytes().decode()
    try:
        table = load_table(text)
    except SpecTextError:
        return  # It is retired.
    latest = integer_fields(table.plan, table.valid_versions[1]).values()
    advisable = {one.name: one for one in latest if one.advisable}
    form = FORMS[len(file.stem) % len(FORMS)]
    encodings = {key: f"{form}{one.width}" for key, one in advisable.items()}
    if table.kind == "coordinator-key":
        with pytest.raises(SpecTextError, match="one version only"):
            patch_spec(text, encodings)
        return
    try:
        after = patch_spec(text, encodings)
    except IncompatibleError:
        assert re.search(
            rf'"{table.valid_versions[1] + 1}\+"', text
        ), "only what begins with the next version is in the way"
        return
    plan = load_table(after).plan
    new = layouts(plan)
    assert {version: new[version] for version in table.versions} == layouts(table.plan)
    assert comments(after) == comments(text)
    changed = {one.name: one for one in integer_fields(plan, table.valid_versions[1] + 1).values()}
    assert {key: changed[key].encoding for key in advisable} == encodings


@pytest.mark.parametrize(
    ("encodings", "complaint"),
    [
        ({("Sample", "missing"): "packed32"}, "Sample has no field Sample.missing"),
        ({("Nothing", "id"): "packed32"}, "Sample has no field Nothing.id"),
        ({("Sample", "unsigned"): "packed32"}, "unsigned of type uint32 can't have the encoding packed32"),
        ({("Sample", "points"): "packed32"}, "can't have the encoding packed32"),
        ({("Sample", "depth"): "packed32"}, "depth of type int16 can't have the encoding packed32"),
        ({("Sample", "id"): "varint"}, "unknown encoding"),
    ],
)
def test_what_cannot_be_changed(encodings: dict[tuple[str, str], str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        patch_spec(SPEC, encodings)


def test_fields_of_older_versions_only() -> None:
    text = spec_of('{ "name": "Old", "type": "int32", "versions": "0" }', versions="0-1")
    with pytest.raises(SpecTextError, match="the field Old is not in version 1"):
        patch_spec(text, {("Small", "old"): "packed32"})


def test_a_range_that_goes_beyond_the_last_version_is_cut() -> None:
    map_ = '{ "0-4": "fixed32", "5+": "packed32" }'
    text = spec_of(f'{{ "name": "A", "type": "int32", "versions": "0+", "encoding": {map_} }}', versions="0-4")
    assert '{ "0-4": "fixed32", "5+": "upacked32" }' in patch_spec(text, {("Small", "a"): "upacked32"})
    text = text.replace('{ "0-4"', '{ "0-9"').replace("5+", "10+")
    after = patch_spec(text, {("Small", "a"): "upacked32"})
    assert '{ "0-4": "fixed32", "5-9": "upacked32", "10+": "packed32" }' in after


def test_what_is_no_spec() -> None:
    with pytest.raises(SpecError):
        patch_spec('{ "type": "data" }', {})
    with pytest.raises(SpecTextError, match="expected a JSON object"):
        SpecText("[]")
    with pytest.raises(SpecTextError, match="invalid JSON: 1:2: expected the name of a property"):
        SpecText("{")


def test_a_byte_order_mark_stays() -> None:
    after = patch_spec(f"\ufeff{SPEC}", {("Sample", "id"): "packed32"})
    assert after == f"\ufeff{patch_spec(SPEC, {('Sample', 'id'): 'packed32'})}"


def test_the_new_version_must_not_bring_more() -> None:
    other = '{ "name": "B", "type": "string", "versions": "0+", "nullableVersions": "1+" }'
    field = f'{{ "name": "A", "type": "int32", "versions": "0+" }}, {other}'
    with pytest.raises(IncompatibleError, match="begin with version 1"):
        patch_spec(spec_of(field), {("Small", "a"): "packed32"})


def test_changes_of_old_versions_are_found() -> None:
    def plan(fields: str) -> str:
        return load_table(spec_of(fields)).plan

    old = plan('{ "name": "A", "type": "int32", "versions": "0+" }')
    with pytest.raises(IncompatibleError, match="version 0 would be read"):
        check_new_version(old, plan('{ "name": "A", "type": "int32", "versions": "0+", "encoding": "packed32" }'), {})
    with pytest.raises(IncompatibleError, match="types or their defaults"):
        check_new_version(old, plan('{ "name": "A", "type": "int32", "versions": "0+", "default": 1 }'), {})
    with pytest.raises(IncompatibleError, match="the new version is not 1"):
        check_new_version(old, old, {})


def test_the_other_half_of_an_api_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    specs, encodings = [ROOT / "message_specs"], {("MetadataResponsePartition", "leaderId"): "packed32"}
    diff = diff_of_specs("MetadataResponse", encodings, specs)
    assert re.findall(r"\+\+\+ (.*)", diff) == [
        "b/message_specs/MetadataResponse.json",
        "b/message_specs/MetadataRequest.json",
    ]
    assert diff.count('+  "validVersions": "0-14",') == 2
    with pytest.raises(LookupError, match="no spec in --specs defines the message Metadata"):
        diff_of_specs("Metadata", {}, specs)
