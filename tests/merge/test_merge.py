"""Merging sets of specs: the content and origin of each version, and specs that cannot be merged."""

from __future__ import annotations

import json
from typing import Any

import pytest

from messagegen.evolve.wire import Slot, compact, held_layout, kind, slots_of
from messagegen.fmt import format_spec
from messagegen.merge import CANNOT_MERGE
from messagegen.merge.message import Source
from messagegen.plan.build import build_plan
from messagegen.plan.ops import MessagePlan
from messagegen.spec import parse
from messagegen.versions import VersionRange
from tests.support.merging import NEW, OLD, Json, field, merge, message, text_of
from tests.support.specs import OWN, PURPOSE_MADE


def tagged_pair() -> list[Json]:
    return [field(name, "1+", taggedVersions="1+", tag=tag) for tag, name in enumerate("BA")]


def plan_of(text: str | bytes) -> MessagePlan:
    read = parse(text, "spec")
    assert read.spec is not None, read.findings
    return build_plan(read.spec)


def wire_of(text: str | bytes, version: int) -> list[Any]:
    return wire_in(plan_of(text), version)


def wire_in(plan: MessagePlan, version: int) -> list[Any]:
    """Return the name, tag and wire format of each field of a version, in wire order."""
    slots = slots_of(plan)

    def described(slot: Slot, struct: int) -> list[Any]:
        layout = held_layout(slot.codec)
        inside = [] if layout is None else [described(each, plan.layouts[layout].struct) for each in slots[layout]]
        name = plan.structs[struct].fields[slot.number].name
        return [name, slot.tag, kind(slot.codec), compact(slot.codec), slot.codec.nullable, inside]

    layout = dict(plan.roots)[version]
    return [described(slot, plan.layouts[layout].struct) for slot in slots[layout]]


def test_each_version_comes_from_the_newest_set_that_has_the_version() -> None:
    text = text_of(merge(OLD, NEW))
    for version in (0, 1):
        assert wire_of(text, version) == wire_of(json.dumps(OLD), version)
    for version in (2, 3, 4, 5):
        assert wire_of(text, version) == wire_of(json.dumps(NEW), version)
    assert merge(OLD, NEW).findings == ()


def test_the_result_is_a_formatted_spec() -> None:
    text = text_of(merge(OLD, NEW))
    assert format_spec(text.encode(), "spec").decode() == text
    assert '{ "name": "Rack", "type": "string", "versions": "0-1" }' in text
    assert '"validVersions": "0-5"' in text
    assert '"flexibleVersions": "4+"' in text


def test_sets_without_additional_versions_change_nothing() -> None:
    assert (
        merge(message("0-3", field("Id", "0+")), NEW, NEW).texts == merge(message("0-3", field("Id", "0+")), NEW).texts
    )
    assert text_of(merge(NEW)) == format_spec(json.dumps(NEW).encode(), "spec").decode()


def test_fields_dropped_from_the_middle_of_a_message_return_to_their_place() -> None:
    old = message("0-1", field("A", "0+"), field("B", "0"), field("C", "0+"), field("D", "0"))
    new = message("1-2", field("A", "0+"), field("C", "0+"), field("E", "2+"))
    assert [name for name, *_ in wire_of(text_of(merge(old, new)), 0)] == ["A", "B", "C", "D"]
    assert [name for name, *_ in wire_of(text_of(merge(old, new)), 2)] == ["A", "C", "E"]


def test_renamed_fields_and_structs_and_messages_keep_the_newest_name() -> None:
    old = message(
        "0-2", field("Id", "0+"), field("Rows", "0+", "[]Row", fields=[field("Epoch", "0+"), field("Gone", "0")])
    )
    new = message("1-3", field("Id", "0+"), field("Lines", "0+", "[]Line", fields=[field("LeaderEpoch", "0+")]))
    merged = merge({**old, "name": "PlaceOrderRequest"}, new)
    assert list(merged.texts) == ["OrderRequest.json"]
    spec = parse(text_of(merged), "spec").spec
    assert spec is not None
    assert [struct.name for struct in spec.structs] == ["Line"]
    assert [(each.name, str(each.versions)) for each in spec.structs[0].fields] == [
        ("LeaderEpoch", "0+"),
        ("Gone", "0"),
    ]


def test_version_ranges_of_a_field_are_joined() -> None:
    old = message("0-1", field("Name", "0+", "string", nullableVersions="1+"), flexible="1+")
    new = message("1-2", field("Name", "1+", "string", nullableVersions="1+"), flexible="1+", deprecatedVersions="1")
    spec = parse(text_of(merge(old, new)), "spec").spec
    assert spec is not None
    name = spec.fields[0]
    assert [str(each) for each in (name.versions, name.nullable_versions, spec.deprecated_versions)] == [
        "0+",
        "1+",
        "1",
    ]


def test_a_retired_message_keeps_its_old_versions() -> None:
    retired = {"apiKey": 7, "type": "request", "name": "OrderRequest", "validVersions": "none"}
    assert wire_of(text_of(merge(OLD, retired)), 1) == wire_of(json.dumps(OLD), 1)


def test_structs_of_old_versions_are_kept() -> None:
    item = {"name": "Item", "versions": "0+", "fields": [field("Sku", "0+"), field("Price", "0+", "int64")]}
    old = message("0-1", field("Id", "0+"), field("Items", "0", "[]Item"), commonStructs=[item])
    new = message("1-2", field("Id", "0+"))
    text = text_of(merge(old, new))
    assert wire_of(text, 0) == wire_of(json.dumps(old), 0)
    assert wire_of(text, 2) == [["Id", None, "int32", [], False, []]]


def test_missing_flexible_versions_are_written_as_none() -> None:
    old = message("0", field("Id", "0+"))
    del old["flexibleVersions"]
    assert '"flexibleVersions": "none"' in text_of(merge(old))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            message("0-1", field("A", "0+")),
            message("3", field("A", "0+")),
            "version 2 of validVersions 0-3 is in neither spec",
        ),
        (
            message("0-1", field("A", "0+"), field("B", "0+")),
            message("1-2", field("A", "0-1"), field("B", "2")),
            'field "B": versions was 2+, now 0+, which changes version 1',
        ),
        (
            message("0", field("A", "0+", "int32")),
            message("1", field("A", "1+", "string")),
            'field "A": type was int32, now string, which changes version 0',
        ),
        (
            message("0", field("A", "0+", taggedVersions="0+", tag=0), flexible="0+"),
            message("1", *tagged_pair(), flexible="0+"),
            'field "A": tag was 0 in 0+, now 1 in 0+, which changes version 0',
        ),
        (
            message("0", field("A", "0+", taggedVersions="0+", tag=0, default=1), flexible="0+"),
            message("1", field("A", "1+", taggedVersions="1+", tag=0, default=2), flexible="0+"),
            'field "A": default was 1, now 2, which changes version 0',
        ),
        (
            message("0", field("A", "0+"), field("B", "0+")),
            message("1", field("B", "1+"), field("A", "1+")),
            'field "B": place was after A, now before A, which changes version 0',
        ),
    ],
    ids=["gap of versions", "gap of a field", "type", "tag", "default", "order"],
)
def test_differences_that_one_spec_cannot_express_are_refused(old: Json, new: Json, reason: str) -> None:
    merged = merge(old, new)
    (refused,) = [one for one in merged.findings if one.rule == CANNOT_MERGE]
    assert refused.file == "OrderRequest.json"
    assert refused.message.startswith(f"cannot merge OrderRequest of v1: {reason}")
    assert text_of(merged) == format_spec(json.dumps(new).encode(), "spec").decode()


def test_sets_that_disagree_on_a_released_version_are_reported() -> None:
    old = message("0-1", field("A", "0+"))
    new = message("0-1", field("A", "0+", "int64"))
    (change,) = merge(old, new).findings
    assert (change.rule, change.versions) == ("FIELD_SAME_TYPE", (0, 1))


def cut(spec: Json, valid: str) -> Json:
    """Return a spec with only the ``valid`` versions."""
    return {**spec, "validVersions": valid, "fields": within(spec["fields"], VersionRange.parse(valid))}


def within(fields: list[Json], valid: VersionRange) -> list[Json]:
    own = [(each, valid.intersect(VersionRange.parse(each.get("versions", "0+")))) for each in fields]
    return [
        {**each, **({"fields": within(each["fields"], versions)} if "fields" in each else {})}
        for each, versions in own
        if not versions.empty
    ]


@pytest.mark.slow
def test_merging_restores_a_spec_that_was_split_by_version() -> None:
    """Split every own spec at every version."""
    tried = 0
    for path in sorted([*OWN.glob("*.json"), *PURPOSE_MADE.glob("*.json")]):
        read = parse(path.read_bytes(), path.name)
        if read.spec is None or read.spec.valid_versions.empty or read.spec.kind.value == "coordinator-key":
            continue
        raw, versions = Source.of(path.read_bytes(), read.spec, "own").raw, read.spec.valid_versions
        whole = build_plan(read.spec)
        wires = {version: wire_in(whole, version) for version in versions}

        for middle in range(versions.lowest, versions.highest):
            parts = (cut(raw, f"{versions.lowest}-{middle + 1}"), cut(raw, f"{middle + 1}-{versions.highest}"))
            if any(parse(json.dumps(part), "part").spec is None for part in parts):
                continue
            merged = merge(*parts)
            assert merged.findings == (), path
            again = plan_of(text_of(merged))
            assert {version: wire_in(again, version) for version in versions} == wires, (path, middle)
            tried += 1
    assert tried > 100
