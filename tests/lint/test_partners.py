"""A request or response is not reported as missing if its spec has an error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from messagegen.lint import RULE_NAMES, lint

RULE = "REQUEST_WITH_RESPONSE"


def spec(kind: str, **more: Any) -> dict[str, Any]:
    fields = [{"name": "Id", "type": "int32", "versions": "0+", "about": "An id."}]
    properties = {"apiKey": 1000, "type": kind, "name": f"Ping{kind.title()}", "validVersions": "0"}
    return {**properties, "flexibleVersions": "0+", "about": "A ping.", "fields": fields, **more}


def rules_of(*texts: dict[str, Any] | str, names: tuple[str, ...] = ("PingRequest", "PingResponse")) -> set[str]:
    """Return the rules that specs in files with ``names`` break. A string is written to its file as it is."""
    written = [text if isinstance(text, str) else json.dumps(text) for text in texts]
    files = {f"{name}.json": text.encode() for name, text in zip(names, written, strict=True)}
    return {finding.rule for finding in lint(files, RULE_NAMES.select())}


BROKEN = {
    "a value": {"fields": [{"name": "Id", "type": "int32", "versions": "none+"}]},
    "a rule": {"fields": [{"name": "Id", "type": "int32", "versions": "5"}]},
    "the structure": {"fields": [{"name": "Id", "type": "int32", "versions": "0+", "unknown": 1}]},
    "no versions": {"validVersions": None},
    "no API key": {"apiKey": None},
    "an invalid API key": {"apiKey": "one"},
    "an unknown type": {"type": "answer"},
    "another name": {"name": "PongResponse", "validVersions": "x"},
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_partner_with_an_error_is_not_reported_as_missing(broken: dict[str, Any]) -> None:
    rules = rules_of(spec("request"), {**spec("response"), **broken})
    assert rules
    assert RULE not in rules
    assert RULE not in rules_of({**spec("request"), **broken}, spec("response"), names=("PingRequest", "PingResponse"))


@pytest.mark.parametrize("text", ["{", "<<<<<<< ours", '{ "type": "response" } {', "[]"])
def test_a_partner_that_cannot_be_read_is_not_reported_as_missing(text: str) -> None:
    rules = rules_of(spec("request"), text)
    assert rules
    assert RULE not in rules


def test_a_missing_partner_is_reported_even_if_an_unrelated_spec_is_invalid() -> None:
    other = {**spec("response"), "apiKey": 1001, "name": "OtherResponse", "validVersions": "x"}
    assert RULE in rules_of(spec("request"), other, names=("PingRequest", "OtherResponse"))


def test_a_retired_partner_is_reported_as_missing() -> None:
    assert RULE in rules_of(spec("request"), {**spec("response"), "validVersions": "none"})


def test_the_api_key_is_checked_even_if_the_partner_has_an_error() -> None:
    rules = rules_of({**spec("request"), "apiKey": 3}, {**spec("response"), "apiKey": 3, "validVersions": "x"})
    assert "API_KEY_NOT_KAFKAS" in rules


@pytest.mark.parametrize(
    ("key", "name"),
    [(2, "ListOffset"), (2, "ListOffsets"), (43, "ElectPreferredLeaders"), (56, "AlterIsr"), (56, "AlterPartition")],
)
def test_former_names_of_requests_are_accepted_with_their_api_key(key: int, name: str) -> None:
    pair = [spec(kind, apiKey=key, name=f"{name}{kind.title()}") for kind in ("request", "response")]
    assert rules_of(*pair, names=(f"{name}Request", f"{name}Response")) == set()
