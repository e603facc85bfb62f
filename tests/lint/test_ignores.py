"""Comments that suppress findings. A comment without the intended effect is itself a finding."""

from __future__ import annotations

import json

import pytest

from messagegen.findings import Finding
from messagegen.lint import RULE_NAMES, RULES, lint
from messagegen.spec import PURPOSES
from tests.lint.rule_specs import shown

ABOUT = "messagegen:ignore FIELD_ABOUT_WRITTEN because its name says all"


def spec(comment: str, place: str) -> bytes:
    """Return a spec with one finding, FIELD_ABOUT_WRITTEN, and ``comment`` at ``place``."""
    lines = [
        "<before>",
        "{",
        '  "type": "data", "name": "Made", "validVersions": "0-3", "flexibleVersions": "0+", "about": "A value.",',
        "  <property>",
        '  "fields": [',
        "    <field>",
        '    { "name": "Value", "type": "int32", "versions": "0+" } <after field>',
        "    <list>",
        "  ]",
        "  <object>",
        "}",
        "<after>",
    ]
    text = "\n".join(lines)
    for each in PLACES:
        text = text.replace(f"<{each}>", f"/* {comment} */" if each == place else "")
    return text.encode()


PLACES = ["before", "property", "field", "after field", "list", "object", "after"]


def findings(data: bytes, *use: str) -> tuple[Finding, ...]:
    return lint({"Made.json": data}, RULE_NAMES.select(use))


@pytest.mark.parametrize("place", PLACES)
def test_a_comment_suppresses_findings_at_its_place(place: str) -> None:
    assert shown(findings(spec(ABOUT, place))) == ""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("comment", "rule", "others"),
    [
        ("messagegen:ignore FIELD_ABOUT_WRITTEN", "IGNORE_WITH_REASON", ["FIELD_ABOUT_WRITTEN"]),
        ("messagegen:ignore FIELD_ABOUT because it is short", "IGNORE_RULE_KNOWN", ["FIELD_ABOUT_WRITTEN"]),
        ("messagegen:ignore MAP_KEY_TYPE because it is", "IGNORE_USED", ["FIELD_ABOUT_WRITTEN"]),
        (ABOUT.replace(" because", ", MAP_KEY_TYPE because"), "IGNORE_USED", []),
    ],
)
def test_a_comment_without_effect_is_reported_once_at_its_place(
    comment: str, rule: str, others: list[str], place: str
) -> None:
    data = spec(comment, place)
    found = findings(data)
    assert sorted(one.rule for one in found) == sorted([rule, *others])
    (one,) = (one for one in found if one.rule == rule)
    assert data.decode().splitlines()[one.line - 1][one.column - 1 :].startswith(f"/* {comment}")


def test_comments_about_rules_that_are_not_selected_are_not_reported() -> None:
    assert findings(spec(ABOUT, "field"), "MINIMAL") == ()
    assert findings(spec(ABOUT, "field"), "FIELD_NAME_CASE") == ()


def test_two_comments_about_one_finding_are_both_accepted() -> None:
    assert findings(f"// {ABOUT}\n".encode() + spec(ABOUT, "field")) == ()


def test_unused_comments_are_not_reported_in_a_spec_with_errors() -> None:
    broken = spec(ABOUT, "field").replace(b'"int32"', b'"int23"')
    assert [one.rule for one in findings(broken)] == ["FIELD_TYPE_KNOWN"]
    without_reason = spec("messagegen:ignore FIELD_ABOUT_WRITTEN", "field").replace(b'"int32"', b'"int23"')
    assert [one.rule for one in findings(without_reason)] == ["IGNORE_WITH_REASON", "FIELD_TYPE_KNOWN"]


def test_errors_of_the_spec_language_cannot_be_ignored() -> None:
    (one,) = findings(spec(ABOUT.replace("FIELD_ABOUT_WRITTEN", "FIELD_ABOUT_WRITTEN, TAGS_CONTIGUOUS"), "field"))
    assert (one.rule, one.message) == ("IGNORE_USED", "the comment suppresses no finding of TAGS_CONTIGUOUS")


def test_warnings_of_the_spec_language_can_be_ignored() -> None:
    common = {"name": "Unused", "versions": "0+", "fields": []}
    text = {"type": "data", "name": "Made", "validVersions": "0", "flexibleVersions": "0+", "about": "A value."}
    data = json.dumps({**text, "commonStructs": [common], "fields": []}).encode()
    assert [one.rule for one in findings(data)] == ["STRUCT_USED"]
    assert findings(b"// messagegen:ignore STRUCT_USED because it is an example\n" + data) == ()


def test_lint_rules_and_rules_of_the_spec_language_have_different_names() -> None:
    assert {one.id for one in RULES}.isdisjoint(PURPOSES)
