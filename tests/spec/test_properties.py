from __future__ import annotations

import pytest

from messagegen.jsonc import Object, Position, Scalar, parse_json
from messagegen.spec.properties import Properties, read_range, scalar_number
from messagegen.spec.report import Report
from messagegen.versions import HIGHEST_VERSION, NONE, VersionRange


def properties(text: str) -> Properties:
    report = Report("Example.json")
    node = parse_json(text).root.value
    assert isinstance(node, Object)
    return Properties(node, "fields[3]", report)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("3", 3),
        ("-3", -3),
        ("2.9", 2),
        ("-2.9", -2),
        ('"12"', 12),
        ('" +12 "', 12),
        ('""', None),
        ('"1.5"', None),
        ('"١"', None),
        ('"' + "9" * 30 + '"', None),
        ("1e300", None),
        ("true", None),
    ],
)
def test_a_scalar_as_a_number(written: str, number: int | None) -> None:
    node = properties('{"tag": ' + written + "}").node("tag")
    assert isinstance(node, Scalar)
    assert scalar_number(node) == number


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("3", VersionRange(3, 3)),
        (" 0-9 ", VersionRange(0, 9)),
        ("2+", VersionRange(2, HIGHEST_VERSION)),
        ("none", NONE),
        ("007", VersionRange(7, 7)),
    ],
)
def test_reads_ranges(text: str, versions: VersionRange) -> None:
    report = Report("Example.json")
    assert read_range(text, Position(1, 1), "versions", report) == versions
    assert report.findings() == ()


@pytest.mark.parametrize(
    ("text", "message", "instead"),
    [
        ("9-2", "invalid version range 9-2: the lowest comes first", 'write "2-9"'),
        ("0-40000", "versions run from 0 to 32767, not 0 to 40000", 'write "3", "0-9", "2+" or "none"'),
        ("v1", 'invalid version range "v1"', 'write "3", "0-9", "2+" or "none"'),
        ("None", 'invalid version range "None"', 'write "3", "0-9", "2+" or "none"'),
        ("1\n2", 'invalid version range "1\\u000a2"', 'write "3", "0-9", "2+" or "none"'),
        ("-1", 'invalid version range "-1"', 'write "3", "0-9", "2+" or "none"'),
        ("1" * 99, 'invalid version range "' + "1" * 60 + '..."', 'write "3", "0-9", "2+" or "none"'),
    ],
)
def test_says_what_is_wrong_with_a_range(text: str, message: str, instead: str) -> None:
    report = Report("Example.json")
    assert read_range(text, Position(1, 1), "versions", report) is None
    assert [(finding.message, finding.instead) for finding in report.findings()] == [(message, instead)]


def test_null_is_left_out_and_what_is_left_out_stands_at_the_object() -> None:
    part = properties('{\n  "about": null, "type": "int32" }')
    assert (part.written("about"), part.written("type"), part.written("name")) == (False, True, False)
    assert (part.position_of("type"), part.position_of("name")) == (Position(2, 26), Position(1, 1))
    assert (part.path_of("name"), part.text("name"), part.text("type")) == ("fields[3].name", None, "int32")


def test_values_of_a_wrong_type_read_as_left_out() -> None:
    part = properties('{"name": [], "tag": {}, "ignorable": [], "versions": {}, "fields": 5, "listeners": [[]]}')
    assert (part.text("name"), part.number("tag"), part.flag("ignorable"), part.versions("versions")) == (
        None,
        None,
        False,
        None,
    )
    assert (list(part.objects("fields")), part.texts("listeners")) == ([], ())
