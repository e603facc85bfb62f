"""Each rule has bad specs, which break only this rule, the exact findings, and good specs, which break no rule."""

from __future__ import annotations

import json
from typing import Final

import pytest

from messagegen.cli.rules import EXAMPLE_IN_DOC
from messagegen.lint import RULE_NAMES, RULES, lint
from messagegen.spec.rule import Rule
from tests.conftest import Golden
from tests.lint.rule_specs import FOLDER, IDS, shown, texts_of

FORM: Final = """\
expected a docstring of this form, with each example on one line that ends with its backtick:

Checks that ... .

Why it matters, in a paragraph of sentences.

- not `what breaks the rule`
- but `what does not`
"""


def test_every_rule_has_specs_and_every_spec_has_a_rule() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(rule.lower() for rule in IDS)


@pytest.mark.parametrize("rule", IDS)
def test_bad_specs_break_only_their_rule(rule: str, golden: Golden) -> None:
    findings = lint(texts_of(FOLDER / rule.lower() / "bad"), RULE_NAMES.select())
    assert {one.rule for one in findings} == {rule}
    assert all(one.instead for one in findings)
    golden(FOLDER / rule.lower() / "findings.txt", shown(findings))


@pytest.mark.parametrize("rule", IDS)
def test_good_specs_break_no_rule(rule: str) -> None:
    assert shown(lint(texts_of(FOLDER / rule.lower() / "good"), RULE_NAMES.select())) == ""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_docstrings_of_rules_have_a_summary_a_reason_and_an_example(rule: Rule) -> None:
    assert rule.purpose.startswith("Checks that "), FORM
    assert rule.purpose.endswith("."), FORM
    why, _, example = rule.doc.partition("\n\n")
    assert why.endswith("."), FORM
    assert EXAMPLE_IN_DOC.fullmatch(example), FORM


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_rule_has_a_category(rule: Rule) -> None:
    assert rule.categories in (("MINIMAL", "STANDARD"), ("STANDARD",))


def test_findings_of_the_spec_language_are_reported() -> None:
    text = json.dumps({"type": "data", "name": "Made", "validVersions": "0", "fields": []}).encode()
    for released, severity in (((), "error"), (("Made.json",), "warning")):
        findings = lint({"Made.json": text}, RULE_NAMES.select(["MINIMAL"]), released)
        assert [(one.rule, one.severity) for one in findings] == [("MESSAGE_FLEXIBLE_VERSIONS_WRITTEN", severity)]


def test_text_after_a_spec_is_one_finding() -> None:
    text = '{ "type": "data", "name": "Made", "validVersions": "0", "flexibleVersions": "0+", "fields": [] } ]'
    findings = lint({"Made.json": text.encode()}, RULE_NAMES.select(["MINIMAL"]))
    assert [one.rule for one in findings] == ["SPEC_TEXT_JSON"]
