"""Each rule, held against pairs of specs: the folders ``previous`` and ``current``, and the exact findings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from messagegen.evolve import CATEGORIES, RULES, BreakingChange, breaking_changes
from messagegen.findings import SpecError
from tests.conftest import Golden
from tests.evolve.pairs import FIXTURES, PAIRS, rule_of, texts
from tests.support.comparing import compare_texts


def changes_of(pair: Path) -> list[BreakingChange]:
    return breaking_changes(compare_texts(texts(pair / "previous"), texts(pair / "current")))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_findings_equal_the_expected_findings(pair: Path, golden: Golden) -> None:
    changes = changes_of(pair)
    golden(pair / "expected.txt", "".join(f"{change}\n" for change in changes))
    if pair.name.upper() == rule_of(pair):
        assert rule_of(pair) in {change.rule for change in changes}
    for change in changes:
        assert (change.versions != ()) == ("WIRE" in change.categories)


def test_each_rule_has_a_pair_of_specs_that_breaks_it() -> None:
    assert {rule.id for rule in RULES} <= {pair.name.upper() for pair in PAIRS}


def test_the_table_of_rules_is_well_formed() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.purpose.startswith("Checks that ")
        assert rule.purpose.endswith(".")
        assert rule.categories == tuple(one for one in CATEGORIES if one in rule.categories) != ()


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_specs_that_did_not_change_have_no_findings(pair: Path) -> None:
    for side in (texts(pair / "previous"), texts(pair / "current")):
        # The words of a spec make no difference.
        assert compare_texts(side, reworded(side)) == []
        assert compare_texts(side, {name: b"/* moved */\r\n" + data for name, data in side.items()}) == []


def reworded(side: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: data.replace(b'"name"', b'"about": "It.", "name"') for name, data in side.items()}


def test_errors_in_either_spec_are_reported_even_without_a_change() -> None:
    broken = b"{ no spec }"
    with pytest.raises(SpecError, match=r"new/B\.json:1:3"):
        compare_texts({"old/A.json": broken}, {"new/B.json": broken})
    with pytest.raises(SpecError, match=r"old/A\.json:1:3"):
        compare_texts({"old/A.json": broken}, {})


def test_only_chosen_messages_are_compared() -> None:
    pair = FIXTURES / "message_not_removed"
    old, new = texts(pair / "previous"), texts(pair / "current")
    assert [one.name for one in compare_texts(old, new, messages=["Other"])] == ["Other"]
    assert compare_texts(old, new, messages=["Sample"]) == []
    assert compare_texts(old, new, partial=True) == []


def test_a_change_is_a_json_object() -> None:
    change = next(one for one in changes_of(FIXTURES / "field_same_type") if one.rule == "FIELD_SAME_TYPE")
    assert change.as_json() == {
        "rule": "FIELD_SAME_TYPE",
        "severity": "error",
        "file": "current/Sample.json",
        "line": 9,
        "column": 32,
        "path": "fields[1].type",
        "message": 'field "Epoch": type was int32, now string, which changes versions 0-1',
        "instead": "keep it, or add a field of the new type in a new version",
        "categories": ["WIRE", "JSON", "COLUMNS"],
        "versions": [0, 1],
        "previous": {"file": "previous/Sample.json", "line": 8, "column": 32, "path": "fields[1].type"},
    }
