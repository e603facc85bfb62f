"""Each rule has specs that break it. Golden files record the finding of each spec."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen.findings import Finding
from messagegen.spec import PURPOSES, check_together, parse, parse_error_codes
from tests.conftest import Golden
from tests.spec.bad_specs import ERROR_CODES, FOLDER

# A folder contains specs that are valid alone, but not together.
SPECS = sorted(path for path in FOLDER.iterdir() if path.is_dir() or path.suffix == ".json")
CASES = [*SPECS, *sorted(ERROR_CODES.glob("*.json"))]
RULES_BY_LENGTH = sorted(PURPOSES, key=len, reverse=True)
WARNINGS = {
    "entity_type_known",
    "entity_type_known_fork",
    "nan_default_ignorable",
    "property_written_once_same",
    "spec_text_json_one_value_closing_bracket",
    "struct_used",
}
"""The specs that are accepted with a warning: harmless mistakes, and mistakes in specs of a Kafka release or fork."""


def rule_of(case: Path) -> str:
    """Return the rule that ``case`` breaks: its file is named <rule id>[_variant]."""
    return next(rule for rule in RULES_BY_LENGTH if f"{case.stem}_".startswith(f"{rule.lower()}_"))


def findings_of(case: Path) -> tuple[Finding, ...]:
    if case.parent == ERROR_CODES:
        return parse_error_codes(case.read_bytes(), case.name).findings
    if not case.is_dir():
        return parse(case.read_bytes(), case.name).findings
    parsed = [parse(path.read_bytes(), path.name) for path in sorted(case.iterdir())]
    specs = [one.spec for one in parsed if one.spec is not None]
    assert len(specs) == len(parsed)
    return check_together(specs)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_bad_spec_has_one_finding_of_its_rule(case: Path, golden: Golden) -> None:
    findings = findings_of(case)
    assert [finding.rule for finding in findings] == [rule_of(case)]
    assert findings[0].instead
    golden(case.with_suffix(".txt"), f"{findings[0]}\n")


@pytest.mark.parametrize("case", [case for case in SPECS if not case.is_dir()], ids=lambda case: case.name)
def test_bad_specs_are_accepted_only_if_all_findings_are_warnings(case: Path) -> None:
    parsed = parse(case.read_bytes(), case.name)
    assert (parsed.spec is not None) == (case.stem in WARNINGS)
    assert {finding.severity for finding in parsed.findings} == {"warning" if case.stem in WARNINGS else "error"}


def test_every_rule_has_a_bad_spec() -> None:
    assert {rule_of(case) for case in CASES} == {*PURPOSES}


def test_every_golden_finding_has_a_bad_spec() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {case.stem for case in SPECS}
    assert {path.stem for path in ERROR_CODES.glob("*.txt")} == {path.stem for path in ERROR_CODES.glob("*.json")}
