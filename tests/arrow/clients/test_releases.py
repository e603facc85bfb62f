"""The table of releases that the pipeline shares with the generator, and ranges of releases."""

from __future__ import annotations

import pytest

from messagegen.brokers.supported import supported_versions
from messagegen_arrow.clients.releases import ApiSupport, api_support, known_releases, releases_of


def test_the_table_equals_the_table_of_the_generator() -> None:
    assert known_releases() == tuple(supported_versions())
    for release, apis in supported_versions().items():
        for api_key, versions in apis.items():
            assert api_support(release, api_key) == ApiSupport(range(versions.lowest, versions.highest + 1))


def test_api_support_explains_why_an_api_is_missing() -> None:
    assert api_support("4.0.2", 7) == ApiSupport(range(0), "removed")
    assert api_support("2.4.1", 60) == ApiSupport(range(0), "added later")
    assert api_support("4.4.0", 9999) == ApiSupport(range(0), "never")


@pytest.mark.parametrize(
    ("text", "releases"),
    [
        ("4.4.0", ("4.4.0",)),
        ("4.4", ("4.4.0",)),
        ("3.9..4.1", ("3.9.2", "4.0.2", "4.1.2")),
        ("3.9.2..4.0.2", ("3.9.2", "4.0.2")),
    ],
)
def test_ranges_name_releases_with_or_without_patch(text: str, releases: tuple[str, ...]) -> None:
    assert releases_of(text) == releases


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("4.4..3.9", "4.4 is newer than 3.9; write the older release first"),
        ("5.0", "unknown release '5.0'; expected one of 2.4.1, "),
        ("3.9..", "unknown release ''; expected one of "),
        ("4", "unknown release '4'; expected one of "),
        ("4.0.0", "unknown release '4.0.0'; write 4.0 or 4.0.2, the only patch of 4.0 here"),
        ("3.9.1..4.4", "unknown release '3.9.1'; write 3.9 or 3.9.2, the only patch of 3.9 here"),
    ],
)
def test_unknown_releases_are_reported(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        releases_of(text)
