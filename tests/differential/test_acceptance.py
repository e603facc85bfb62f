"""Our reader accepts the same nearly valid specs as Apache's generator followed by javac."""

from __future__ import annotations

from typing import Final

import pytest

from messagegen.spec import parse
from tests.oracle import Oracle
from tests.oracle.near_valid import near_valid
from tests.support.profiles import seeds

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.random]

SEEDS: Final = seeds(5000, 400)

STRICTER: Final = {
    "VERSION_RANGE_WELL_FORMED": "ranges that are the wrong way round, which Apache reads as none",
    "PROPERTY_TYPE": (
        "names that are not ASCII identifiers, and what Jackson reads loosely: signs, numbers as the index of a word"
    ),
    "PROPERTY_WRITTEN_ONCE": "properties written twice with two values, of which Jackson keeps the last",
    "FIELDS_ONLY_IN_STRUCTS": "fields of an array of primitives, which Apache ignores",
    "FIELD_VERSIONS_MEET_HOLDER": "fields that begin after the last version",
    "MESSAGE_DEPRECATED_VERSIONS_WITHIN_VALID": "deprecated versions that are not valid",
    "API_KEY_WRITTEN": "requests and responses without API key",
    "STRUCT_DEFINED": "structs that nothing defines, which Apache's generator takes for ones without fields",
    "DEFAULT_NOT_OCTAL": "defaults with a leading zero, which is octal in Java",
}
"""Specs that Apache accepts but we reject, by rule."""

LAXER: Final = {
    "integer number too large": "defaults between 2^31 and 2^32-1 of uint32 fields, written in decimal; we take them",
    "<identifier> expected": "names that are words of Java",
}
"""javac errors for specs that both Apache's generator and our reader accept, with their causes."""

OLD: Final = {"MESSAGE_FLEXIBLE_VERSIONS_WRITTEN", "SPEC_TEXT_JSON", "ENTITY_TYPE_KNOWN"}
"""Rules that only warn: generators of old releases and of forks accept such specs, but Apache's current one refuses."""


def test_apache_and_messagegen_refuse_the_same_specs(generator: Oracle) -> None:
    pairs = [near_valid(seed) for seed in SEEDS]
    different = []
    refused = 0
    for (what, text), refusal in zip(pairs, generator.refusals(text for _, text in pairs), strict=True):
        findings = parse(text, "spec.json").findings
        errors = [finding for finding in findings if finding.severity == "error"]
        if refusal is None:
            different += [f"{what}: {error}" for error in errors[:1] if error.rule not in STRICTER]
        elif errors:
            refused += 1
        elif not any(reason in refusal.reason for reason in LAXER) and OLD.isdisjoint(f.rule for f in findings):
            different.append(f"{what}: Apache refuses to {refusal.stage} it: {refusal.reason}\n{text}")
    assert different == []
    assert refused > len(SEEDS) // 2


def test_apache_refuses_messages_with_an_about_property(generator: Oracle) -> None:
    without = '"type": "data", "name": "Made", "validVersions": "0", "flexibleVersions": "0+", "fields": []'
    refusals = generator.refusals([f"{{ {without} }}", f'{{ {without}, "about": "What was made." }}'])
    assert [refusal and refusal.stage for refusal in refusals] == [None, "read"]
