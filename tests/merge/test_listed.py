"""A merge lists every breaking change from an input to the result, so it never loses data without a finding."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product

import pytest

from messagegen.evolve import compare_specs
from messagegen.evolve.compare import parse_texts
from messagegen.findings import SpecError
from messagegen.merge import CANNOT_MERGE, Merged, MergeFinding, SpecSet, merge_sets
from tests.evolve.edits import edited
from tests.support.merging import Json, field, merge, message, text_of, unlisted

EDITS = 40
"""The number of random edits; each old spec is merged with its edited spec."""


def all_unlisted(sets: Sequence[SpecSet], merged: Merged) -> list[str]:
    """Return each change that breaks the wire format between an input and the result but is not listed by the merge."""
    result = parse_texts(merged.texts)
    found: list[str] = []
    for one in sets:
        found += unlisted(one, compare_specs(parse_texts(one.texts), result), merged)
    return found


def sets_of(*specs: Json | None) -> list[SpecSet]:
    """Return a set for each spec, from the oldest to the newest. For ``None``, the set lacks the message."""
    filler = json.dumps(message("0", field("A", "0+"), name="Filler", type="data", apiKey=None)).encode()
    return [
        (
            SpecSet(f"v{number}", {f"v{number}/Filler.json": filler})
            if spec is None
            else SpecSet(f"v{number}", {f"v{number}/{spec['name']}.json": json.dumps(spec).encode()})
        )
        for number, spec in enumerate(specs, 1)
    ]


def data_key(name: str, valid: str, *fields: Json) -> Json:
    return {"type": "data", "name": name, "validVersions": valid, "flexibleVersions": "none", "fields": list(fields)}


def coordinator_key(name: str, api_key: int, *fields: Json) -> Json:
    return {**data_key(name, "0", *fields), "type": "coordinator-key", "apiKey": api_key}


def test_versions_lost_in_a_coordinator_key_are_listed() -> None:
    old = data_key("OffsetCommitKey", "0-1", field("Group", "0+", "string"))
    sets = sets_of(old, coordinator_key("OffsetCommitKey", 1, field("Group", "0+", "string")))
    merged = merge_sets(sets)
    (finding,) = merged.findings
    assert (finding.rule, finding.versions, finding.sets) == (CANNOT_MERGE, (0,), ("v1",))
    assert finding.message == (
        "cannot merge OffsetCommitKey of v1: the only version of a coordinator-key is its API key, 1; "
        "version 0 is left out"
    )
    assert all_unlisted(sets, merged) == []


def test_findings_name_the_coordinator_key_that_replaces_a_lost_version() -> None:
    fields = [field("Group", "0+", "string")]
    old = SpecSet("v1", {"v1/a/OffsetCommitKey.json": json.dumps(data_key("OffsetCommitKey", "0-2", *fields)).encode()})
    new = [
        coordinator_key("OffsetCommitKey", 1, *fields),
        coordinator_key("LegacyOffsetCommitKey", 0, *fields),
        coordinator_key("OtherKey", 2, field("Id", "0+")),
    ]
    merged = merge_sets([old, SpecSet("v2", {f"v2/a/{one['name']}.json": json.dumps(one).encode() for one in new})])
    (finding,) = merged.findings
    assert finding.message.endswith("; versions 0 and 2 are left out; version 0 is now LegacyOffsetCommitKey")


def test_a_new_version_number_of_a_coordinator_key_is_listed() -> None:
    old = data_key("GroupKey", "2", field("Group", "0+", "string"))
    merged = merge(old, coordinator_key("GroupKey", 2, field("Group", "0+", "string")))
    assert [(one.rule, one.sets) for one in merged.findings] == [("MESSAGE_VERSIONS_SAME_NUMBERS", ("v1",))]


def test_lost_versions_are_listed_for_every_api_key_and_version_range() -> None:
    fields = [field("Group", "0+", "string")]
    for lowest, highest, api_key in product(range(4), range(4), range(4)):
        if lowest > highest:
            continue
        valid = str(lowest) if lowest == highest else f"{lowest}-{highest}"
        sets = sets_of(data_key("GroupKey", valid, *fields), coordinator_key("GroupKey", api_key, *fields))
        merged = merge_sets(sets)
        assert all_unlisted(sets, merged) == [], (valid, api_key)
        lost = {*range(lowest, highest + 1)} - {api_key}
        told = {version for one in merged.findings if one.rule == CANNOT_MERGE for version in one.versions}
        assert told == lost, (valid, api_key)


@pytest.mark.parametrize("unstable", [True, False])
def test_changed_bytes_of_an_unstable_version_are_listed(unstable: bool) -> None:
    old = message("0-1", field("A", "0+"), latestVersionUnstable=unstable)
    merged = merge(old, message("0-2", field("A", "0+"), field("B", "1+")))
    (finding,) = merged.findings
    assert (finding.rule, finding.versions) == ("FIELD_NOT_ADDED", (1,))
    assert finding.message.endswith("(v1, where version 1 is unstable)" if unstable else "(v1)")


def test_an_unstable_version_that_only_old_sets_have_is_kept() -> None:
    old = message("0-1", field("A", "0+", "int64"), latestVersionUnstable=True)
    new = message("0", field("A", "0+"))
    sets = sets_of(old, new)
    merged = merge_sets(sets)
    assert all_unlisted(sets, merged) == []
    assert [one.rule for one in merged.findings] == ["SPECS_CAN_MERGE", "FIELD_SAME_TYPE"]


@pytest.mark.parametrize(
    ("old", "new", "unstable"),
    [
        (message("0-1", field("A", "0+")), message("1-2", field("A", "0+"), latestVersionUnstable=True), True),
        (message("0-2", field("A", "0+")), message("0-1", field("A", "0+"), latestVersionUnstable=True), False),
        (message("0-2", field("A", "0+"), latestVersionUnstable=True), message("0-1", field("A", "0+")), True),
        (message("0-1", field("A", "0+"), latestVersionUnstable=True), message("0-2", field("A", "0+")), False),
    ],
)
def test_the_latest_version_is_unstable_if_its_set_declares_it(old: Json, new: Json, unstable: bool) -> None:
    (spec,) = parse_texts(merge(old, new).texts)
    assert spec.latest_version_unstable is unstable


def test_a_difference_is_listed_even_if_an_intermediate_set_lacks_the_message() -> None:
    sets = sets_of(message("0", field("A", "0+")), None, message("0", field("A", "0+", "int64")))
    (finding,) = merge_sets(sets).findings
    assert (finding.rule, finding.sets) == ("FIELD_SAME_TYPE", ("v1",))


def test_sets_with_the_same_difference_have_one_finding() -> None:
    old, new = message("0", field("A", "0+")), message("0", field("A", "0+", "int64"))
    described = message("0", field("A", "0+", about="The same."))
    (finding,) = merge_sets(sets_of(old, described, None, old, new)).findings
    assert finding.sets == ("v1", "v2", "v4")
    assert finding.message.endswith("which changes version 0 (v1 to v2, v4)")
    assert finding.as_json()["sets"] == ["v1", "v2", "v4"]


def test_a_reused_field_name_is_listed() -> None:
    old = message("0", field("Id", "0+"), field("Lag", "0+"), field("Interval", "0+"))
    new = message(
        "0-1", field("Id", "0+"), field("LegacyLag", "0"), field("Interval", "0+"), field("Lag", "1+", "int64")
    )
    (finding,) = merge(old, new).findings
    assert (finding.rule, finding.sets) == ("FIELD_SAME_NAME", ("v1",))
    assert finding.message == (
        'field "LegacyLag": name was Lag, now LegacyLag (v1); Lag is now the name of another field'
    )


def test_a_reused_struct_name_is_listed() -> None:
    rows = [field("Key", "0+", "string")]
    old = message("0", field("Rows", "0+", "[]Row", fields=rows))
    new = message(
        "0-1", field("Rows", "0+", "[]OldRow", fields=rows), field("More", "1+", "[]Row", fields=[field("Id", "1+")])
    )
    (finding,) = merge(old, new).findings
    assert (finding.rule, finding.sets) == ("STRUCT_SAME_NAME", ("v1",))
    assert finding.message.endswith("(v1); Row is now the name of another struct")


def test_a_renamed_field_is_not_a_finding() -> None:
    assert merge(message("0", field("Id", "0+")), message("0-1", field("Key", "0+"))).findings == ()


def test_a_finding_points_into_the_newest_spec() -> None:
    """The place is in an input file, because the result might never be written."""
    old = message("0-1", field("Gone", "0"), field("A", "0+"))
    new = message("1-2", field("B", "2+"), field("A", "1+", "int64"))
    text = json.dumps(new, indent=2)
    sets = [
        SpecSet("v1", {"v1/OrderRequest.json": json.dumps(old).encode()}),
        SpecSet("v2", {"v2/OrderRequest.json": text.encode()}),
    ]
    finding = next(one for one in merge_sets(sets).findings if one.rule == "FIELD_SAME_TYPE")
    assert (finding.file, finding.json_path) == ("v2/OrderRequest.json", "fields[1].type")
    assert '"type": "int64"' in text.splitlines()[finding.line - 1]


@pytest.mark.parametrize("official", [True, False])
def test_findings_about_releases_have_no_advice(official: bool) -> None:
    texts = [{"F.json": json.dumps(message("0", field("A", "0+", kind))).encode()} for kind in ("int32", "int64")]
    sets = [SpecSet(f"v{number}", each, official=official) for number, each in enumerate(texts, 1)]
    (finding,) = merge_sets(sets).findings
    assert bool(finding.instead) is not official


def test_a_refused_merge_names_the_omitted_versions() -> None:
    sets = sets_of(message("0-1", field("A", "0+")), message("0-1", field("A", "0+")), message("3", field("A", "0+")))
    (finding,) = merge_sets(sets).findings
    assert finding.message == (
        "cannot merge OrderRequest of v1 to v2: version 2 of validVersions 0-3 is in neither spec; "
        "versions 0-1 are left out"
    )
    assert (finding.versions, finding.categories) == ((0, 1), ("WIRE", "API", "JSON", "COLUMNS"))


@pytest.mark.slow
def test_breaking_changes_of_random_edits_are_listed() -> None:
    """Merge each old spec with its edited spec, with and without a set between them that lacks the message."""
    tried, found = 0, 0
    for seed in range(EDITS):
        case = edited(seed)
        if case is None or not case[0]:
            continue
        _, before, after = case
        pair = [json.loads(one.text) for one in (before, after)]
        for specs in (pair, [pair[0], None, pair[1]], [pair[1], pair[0]]):
            sets = sets_of(*specs)
            try:
                merged = merge_sets(sets)
            except SpecError:
                continue
            assert all_unlisted(sets, merged) == [], seed
            tried += 1
            found += bool(merged.findings)
    assert tried > EDITS
    assert found > EDITS / 2


def test_findings_are_sorted_by_place() -> None:
    merged = merge(
        message("0", field("B", "0+"), field("A", "0+")),
        message("0", field("B", "0+", "int8"), field("A", "0+", "int8")),
    )
    assert [*merged.findings] == sorted(merged.findings)
    assert all(isinstance(one, MergeFinding) for one in merged.findings)
    assert text_of(merged)
