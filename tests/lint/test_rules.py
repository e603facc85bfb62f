"""Each rule has specs that break it and no other, with the exact findings, and specs that break none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from messagegen.lint import IGNORE_RULES, RULE_NAMES, RULES, LintFinding, fix, lint
from messagegen.spec import parse
from tests.conftest import Golden

FOLDER = Path(__file__).parent.parent / "fixtures" / "lint"
IDS = [*(rule.id for rule in RULES), *IGNORE_RULES]
FIXABLE = [*(rule.id for rule in RULES if rule.fixable), "IGNORE_USED"]


def texts_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.json"))}


def shown(findings: tuple[LintFinding, ...]) -> str:
    return "".join(f"{one.finding}{' [fix]' if one.edits else ''}\n" for one in findings)


def models(texts: Mapping[str, bytes]) -> list[str]:
    return [repr(parse(data, name).spec) for name, data in texts.items()]


def test_every_rule_has_specs_and_none_is_left_over() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(rule.lower() for rule in IDS)


@pytest.mark.parametrize("rule", IDS)
def test_bad_specs_break_it_and_no_other(rule: str, golden: Golden) -> None:
    findings = lint(texts_of(FOLDER / rule.lower() / "bad"), RULE_NAMES.select())
    assert {one.finding.rule for one in findings} == {rule}
    assert all(one.finding.instead for one in findings)
    golden(FOLDER / rule.lower() / "findings.txt", shown(findings))


@pytest.mark.parametrize("rule", IDS)
def test_good_specs_break_no_rule(rule: str) -> None:
    assert shown(lint(texts_of(FOLDER / rule.lower() / "good"), RULE_NAMES.select())) == ""


@pytest.mark.parametrize("rule", FIXABLE)
def test_fixed_specs_have_no_finding_of_it_and_mean_the_same(rule: str, golden: Golden) -> None:
    before = texts_of(FOLDER / rule.lower() / "bad")
    fixed = fix(before, RULE_NAMES.select([rule]))
    after = before | dict(fixed.texts)
    assert {one.finding.rule for one in fixed.findings if one.edits} == set()
    assert {one.finding.rule for one in lint(after, RULE_NAMES.select([rule]))} <= {"IGNORE_USED"}
    assert models(after) == models(before)
    for name, data in fixed.texts.items():
        golden(FOLDER / rule.lower() / "fixed" / name, data.decode())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_table_reads_well(rule: object) -> None:
    one = next(each for each in RULES if each is rule)
    assert one.purpose.startswith("Checks that ")
    assert one.purpose.endswith(".")
    rationale, example = one.doc.split("\n\n")
    assert rationale.endswith(".")
    assert [line.split()[1] for line in example.splitlines() if line.startswith("- ")] == ["not", "but"]
    assert one.categories in (("MINIMAL", "STANDARD"), ("STANDARD",))


def test_only_rules_that_say_so_have_edits() -> None:
    for rule in IDS:
        findings = lint(texts_of(FOLDER / rule.lower() / "bad"), RULE_NAMES.select())
        assert any(one.edits for one in findings) == (rule in FIXABLE), rule


def test_what_the_reader_finds_is_reported() -> None:
    text = json.dumps({"type": "data", "name": "Made", "validVersions": "0", "fields": []}).encode()
    for released, severity in (((), "error"), (("Made.json",), "warning")):
        findings = lint({"Made.json": text}, RULE_NAMES.select(["MINIMAL"]), released)
        assert [(one.finding.rule, one.finding.severity) for one in findings] == [
            ("MESSAGE_FLEXIBLE_VERSIONS_WRITTEN", severity)
        ]


def test_text_after_a_spec_does_no_harm() -> None:
    text = '{ "type": "data", "name": "Made", "validVersions": "0", "flexibleVersions": "0+", "fields": [] } ]'
    assert [one.finding.rule for one in lint({"Made.json": text.encode()}, RULE_NAMES.select())] == [
        "SPEC_TEXT_ONE_VALUE"
    ]


def test_a_byte_order_mark_and_carriage_returns_stay_in_a_fixed_file() -> None:
    text = '\ufeff{ "type": "data", "name": "Made", "validVersions": "0-0",\r\n "flexibleVersions": "0+", "fields": [] }\r\n'
    fixed = fix({"Made.json": text.encode()}, RULE_NAMES.select())
    assert fixed.texts["Made.json"].decode() == text.replace('"0-0"', '"0"')
    assert (fixed.count, fixed.findings) == (1, ())
