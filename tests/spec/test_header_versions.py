from __future__ import annotations

from typing import Any

import pytest

from messagegen.spec.header_versions import derive_header_versions
from messagegen.spec.model import MessageKind
from messagegen.versions import VersionRange
from tests.spec.building import accepted, message, refusals


def derived(kind: MessageKind, api_key: int | None, flexible: str) -> dict[str, int] | None:
    versions = derive_header_versions(kind, api_key, VersionRange.parse(flexible))
    return None if versions is None else {str(range_): version for range_, version in versions.entries}


@pytest.mark.parametrize(
    ("kind", "api_key", "flexible", "expected"),
    [
        (MessageKind.REQUEST, 3, "none", {"0+": 1}),
        (MessageKind.REQUEST, 3, "9+", {"0-8": 1, "9+": 2}),
        (MessageKind.REQUEST, 3, "0+", {"0+": 2}),
        (MessageKind.REQUEST, None, "1+", {"0": 1, "1+": 2}),
        (MessageKind.RESPONSE, 3, "none", {"0+": 0}),
        (MessageKind.RESPONSE, 3, "9+", {"0-8": 0, "9+": 1}),
        (MessageKind.RESPONSE, 18, "3+", {"0+": 0}),
        (MessageKind.REQUEST, 18, "3+", {"0-2": 1, "3+": 2}),
        (MessageKind.REQUEST, 7, "3+", {"0": 0, "1-2": 1, "3+": 2}),
        (MessageKind.REQUEST, 7, "0+", {"0": 0, "1+": 2}),
        (MessageKind.REQUEST, 7, "none", {"0": 0, "1+": 1}),
        (MessageKind.RESPONSE, 7, "3+", {"0-2": 0, "3+": 1}),
        (MessageKind.DATA, None, "0+", None),
        (MessageKind.HEADER, None, "2+", None),
    ],
)
def test_header_versions_are_derived_from_flexible_versions(
    kind: MessageKind, api_key: int | None, flexible: str, expected: dict[str, int] | None
) -> None:
    assert derived(kind, api_key, flexible) == expected


def spec(kind: str, versions: dict[str, Any], **properties: Any) -> dict[str, Any]:
    return message(**({"type": kind, "apiKey": 1000, "headerVersions": versions} | properties))


def test_header_versions_are_read_in_any_order_and_from_strings() -> None:
    header_versions = accepted(spec("request", {"2+": "2", "0-1": " 1 "})).header_versions
    assert header_versions is not None
    assert [header_versions.get(version) for version in range(5)] == [1, 1, 2, 2, 2]


def test_only_flexible_api_versions_responses_can_have_header_version_0() -> None:
    assert accepted(spec("response", {"0+": 0}, apiKey=18)).header_versions is not None
    assert refusals(spec("response", {"0+": 0}, apiKey=19)) == [("HEADER_VERSION_FITS", "headerVersions")]


@pytest.mark.parametrize("version", [-1, 4, "4", 10**9])
def test_unknown_header_versions_are_refused(version: object) -> None:
    assert refusals(spec("request", {"0+": version})) == [("PROPERTY_TYPE", "headerVersions.0+")]
