"""The command ``messagegen rules RULE`` shows each rule with a bad and a good example, and the examples are correct."""

from __future__ import annotations

import json
import re

import pytest

from messagegen import evolve, lint
from messagegen.cli import command as cli
from messagegen.cli.findings import all_rules
from messagegen.evolve import compare_specs
from messagegen.examples import CHANGES, COMMANDS, SPECS
from messagegen.spec import PURPOSES, parse, parse_error_codes
from messagegen.spec.model import MessageSpec

IDS = [name for name, _, _ in all_rules()]
IN_WORDS = {"MESSAGE_NAME_UNIQUE", "API_KEY_UNIQUE", "LAYOUT_FIELDS_LIMITED"}
"""Rules without parsed examples, because an example needs two specs or a very large one."""


def text_of(part: str, valid: str, flexible: str) -> str:
    """Return the text of a spec that contains ``part``, which is fields or properties of the message."""
    properties = {"type": "data", "name": "Example", "validVersions": valid, "flexibleVersions": flexible}
    if part.startswith("{"):
        return f'{json.dumps(properties)[:-1]}, "fields": [{part}] }}'
    if part.startswith('"type": "data", "name"'):
        return f"{{ {part} }}"
    own = json.loads(f"{{{part}}}")
    kept = {name: value for name, value in properties.items() if name not in own}
    return f"{json.dumps(kept)[:-1]}{', ' if kept else ''}{part} }}"


def rules_of(part: str) -> list[str]:
    return [one.rule for one in parse(text_of(part, "0-3", "2+"), "Example.json").findings]


@pytest.mark.parametrize("rule", [rule for rule in PURPOSES if rule not in IN_WORDS and not rule.startswith("ERROR_")])
def test_bad_examples_of_spec_rules_break_only_their_rule(rule: str) -> None:
    assert rules_of(SPECS[rule].bad) == [rule]
    assert rules_of(SPECS[rule].good) == []


@pytest.mark.parametrize("rule", [rule for rule in PURPOSES if rule.startswith("ERROR_")])
def test_bad_examples_of_error_code_rules_break_only_their_rule(rule: str) -> None:
    for part, expected in ((SPECS[rule].bad, [rule]), (SPECS[rule].good, [])):
        none = "" if '"code": 0' in part else '{ "code": 0, "name": "NONE" },'
        found = parse_error_codes(f'{{ "errors": [{none} {part}] }}', "codes.json").findings
        assert [one.rule for one in found] == expected


@pytest.mark.parametrize("rule", [rule.id for rule in evolve.RULES])
def test_bad_examples_of_breaking_rules_break_their_rule(rule: str) -> None:
    def specs(part: str) -> list[MessageSpec]:
        parsed = parse(text_of(part, "0-1", "0+"), "Example.json")
        assert [str(one) for one in parsed.findings] == []
        assert parsed.spec is not None
        return [parsed.spec]

    example = CHANGES[rule]
    before = specs(example.before)
    bad = compare_specs(before, specs(example.bad) if example.bad else [])
    assert rule in {change.rule for change in bad}
    assert rule not in {change.rule for change in compare_specs(before, specs(example.good))}


def test_each_rule_has_an_example() -> None:
    documented = {rule.id for rule in lint.RULES}
    assert {*IDS} <= {*SPECS, *CHANGES, *COMMANDS, *documented}


@pytest.mark.parametrize("rule", IDS)
def test_each_rule_is_shown_with_examples(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["rules", rule]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{rule} (")
    assert re.search(r"\n\nbad:\n  \S", out)
    assert re.search(r"\n\ngood:\n  \S", out)
    assert cli.run(["rules", rule.lower(), "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["rule"], bool(shown["purpose"]), bool(shown["good"])) == (rule, True, True)


def test_the_error_about_an_unknown_rule_suggests_the_nearest_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["rules", "FIELD_NAME_CAES"]) == 2
    assert "unknown rule FIELD_NAME_CAES; did you mean FIELD_NAME_CASE?" in capsys.readouterr().err
