"""Findings: their text, their order, and the error that contains them."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest

from messagegen.findings import Finding, SpecError, nearest

FINDING = Finding(
    "specs/A.json", 3, 14, "FIELD_NAME_UNIQUE", 'two fields are called "X"', "rename one", "fields[1].name"
)


def test_findings_read_like_compiler_messages() -> None:
    assert str(FINDING) == 'specs/A.json:3:14: FIELD_NAME_UNIQUE two fields are called "X"; rename one'


def test_findings_without_advice_have_no_semicolon() -> None:
    assert str(Finding("A.json", 1, 2, "RULE", "wrong")) == "A.json:1:2: RULE wrong"


def test_warnings_are_marked() -> None:
    assert str(replace(FINDING, severity="warning")).startswith("specs/A.json:3:14: warning: FIELD_NAME_UNIQUE two ")


@pytest.mark.parametrize("file", ["a\nB.json:1:1: RULE forged", "\x1b[31mred.json", "\r.json", "\udcff.json"])
def test_findings_stay_on_one_line_whatever_the_name_of_the_file(file: str) -> None:
    assert str(replace(FINDING, file=file)).isprintable()


def test_the_json_form_has_stable_keys() -> None:
    assert json.loads(json.dumps(FINDING.as_json())) == {
        "rule": "FIELD_NAME_UNIQUE",
        "severity": "error",
        "file": "specs/A.json",
        "line": 3,
        "column": 14,
        "path": "fields[1].name",
        "message": 'two fields are called "X"',
        "instead": "rename one",
    }


def test_findings_are_sorted_by_numeric_position() -> None:
    expected = [
        Finding("A.json", 2, 10, "B", ""),
        Finding("A.json", 10, 2, "A", ""),
        Finding("A.json", 10, 2, "B", ""),
        Finding("B.json", 1, 1, "A", ""),
    ]
    shuffled = [expected[number] for number in (2, 0, 3, 1)]
    assert sorted(shuffled) == expected


class TestSpecError:
    def test_the_error_lists_all_findings_in_order(self) -> None:
        error = SpecError([FINDING, Finding("specs/A.json", 1, 1, "RULE", "wrong")])
        assert str(error) == f"specs/A.json:1:1: RULE wrong\n{FINDING}"
        assert [finding.line for finding in error.findings] == [1, 3]

    def test_the_error_is_a_value_error(self) -> None:
        with pytest.raises(ValueError, match="FIELD_NAME_UNIQUE"):
            raise SpecError(iter([FINDING]))

    def test_the_error_can_be_pickled(self) -> None:
        error = pickle.loads(pickle.dumps(SpecError([FINDING])))
        assert error.findings == (FINDING,)
        assert str(error) == str(FINDING)


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("verions", ["name", "versions"], "versions"),
        ("MAPKEY", ["mapKey"], "mapKey"),
        ("nullable", ["nullableVersions", "versions"], "nullableVersions"),
        ("Fetch", ["FetchSnapshotRequest", "FetchRequest"], "FetchRequest"),
        ("nodeId", ["brokerId", "producerId"], None),
        ("topicId", ["topicName"], None),
        ("na", ["name"], None),
        ("", ["name"], None),
        ("name", [], None),
    ],
)
def test_only_similar_words_are_suggested(word: str, known: list[str], expected: str | None) -> None:
    assert nearest(word, known) == expected
