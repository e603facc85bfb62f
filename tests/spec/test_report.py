from __future__ import annotations

import pytest

from messagegen.jsonc import Position
from messagegen.spec.model import Place
from messagegen.spec.report import Report, below, did_you_mean, quoted
from messagegen.spec.rules import Rule


def test_a_place_takes_one_finding_and_all_are_sorted() -> None:
    report = Report("Example.json")
    report.add(Rule.TAG_UNIQUE, Position(3, 1), "b", "second", "do this")
    report.add(Rule.TAG_NOT_NEGATIVE, Position(3, 1), "b", "a consequence", "do that")
    report.add(Rule.TAGS_CONTIGUOUS, Position(2, 9), "a", "first", "do this")
    assert [str(finding) for finding in report.findings()] == [
        "Example.json:2:9: TAGS_CONTIGUOUS first; do this",
        "Example.json:3:1: TAG_UNIQUE second; do this",
    ]
    assert report.failed
    assert not report.clean("c", "b")
    assert report.clean("c")


def test_a_warning_is_no_failure() -> None:
    report = Report("Example.json")
    report.add(Rule.TAG_UNIQUE, Position(1, 1), "a", "odd", "do this", severity="warning")
    assert not report.failed
    assert report.clean("a")
    assert [finding.severity for finding in report.findings()] == ["warning"]


def test_a_property_that_is_left_out_is_told_at_its_object() -> None:
    report = Report("Example.json")
    place = Place(Position(4, 5), "fields[0]", {"tag": Position(4, 20)})
    report.add_at(place, "tag", Rule.TAG_UNIQUE, "one", "do this")
    report.add_at(place, "type", Rule.FIELD_TYPE_KNOWN, "two", "do this")
    assert [(finding.column, finding.json_path) for finding in report.findings()] == [
        (5, "fields[0].type"),
        (20, "fields[0].tag"),
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b", '"a b"'),
        ("é日", '"é日"'),
        ("a\nb\x00", '"a\\u000ab\\u0000"'),
        ("\u202e", '"\\u202e"'),
        ("x" * 70, '"' + "x" * 60 + '..."'),
    ],
)
def test_quoted_text_stays_on_its_line(text: str, shown: str) -> None:
    assert quoted(text) == shown


def test_did_you_mean() -> None:
    known = ("alpha", "betaGamma")
    assert did_you_mean("BETAGAMMA", known) == 'did you mean "betaGamma"?'
    assert did_you_mean("alhpa", known) == 'did you mean "alpha"?'
    assert did_you_mean("omega", known) == "write one of alpha, betaGamma"
    assert did_you_mean("alpha" * 1000, known) == "write one of alpha, betaGamma"


def test_below() -> None:
    assert (below("", "a"), below("a[0]", "b")) == ("a", "a[0].b")
