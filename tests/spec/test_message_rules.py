from __future__ import annotations

import pytest

from tests.spec.building import Spec, accepted, message, refusals


@pytest.mark.parametrize(
    "spec",
    [
        message(validVersions="3"),
        message(deprecatedVersions="0-3"),
        message(deprecatedVersions="1+"),
        message(type="request"),
        message(type="request", listeners=[], latestVersionUnstable="false"),
        message(type="response", apiKey=3, latestVersionUnstable=False, listeners=[]),
        message(type="coordinator-key", apiKey=1, validVersions="0", flexibleVersions="none"),
        message(type="coordinator-key", apiKey=1, validVersions="0-0", flexibleVersions="none"),
        message(type="coordinator-value", apiKey=1),
        message(type="metadata"),
        message(type="header"),
        message(type="coordinator-key", validVersions="none", flexibleVersions="0"),
        message(type="data", validVersions="none", listeners=["broker"], flexibleVersions=...),
        message(name="Example_2"),
    ],
)
def test_accepts(spec: Spec) -> None:
    accepted(spec)


def test_a_coordinator_key_may_break_all_of_its_rules() -> None:
    spec = message(type="coordinator-key")
    assert sorted(rule for rule, _ in refusals(spec)) == [
        "COORDINATOR_API_KEY_WRITTEN",
        "COORDINATOR_KEY_NOT_FLEXIBLE",
        "COORDINATOR_KEY_VERSION_ZERO",
    ]


def test_consequences_of_a_damaged_property_are_not_told() -> None:
    assert refusals(message(type="coordinator-kee", listeners=["broker"], latestVersionUnstable=True)) == [
        ("MESSAGE_TYPE_KNOWN", "type")
    ]
    assert refusals(message(type="coordinator-value", apiKey="one")) == [("PROPERTY_TYPE", "apiKey")]
    assert refusals(message(type="coordinator-key", apiKey=1, validVersions="zero", flexibleVersions="none")) == [
        ("VERSION_RANGE_WELL_FORMED", "validVersions")
    ]
