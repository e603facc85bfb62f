"""The message versions that a client needs for the brokers of given releases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.brokers.needed import needed_versions
from messagegen.brokers.supported import SupportedVersions, supported_versions
from messagegen.fetch.releases import RELEASES
from messagegen.versions import NONE, VersionRange

API: int = 1
API_VERSIONS: int = 18


def highest_common(first: VersionRange, second: VersionRange) -> int | None:
    """Return the highest common version, which a client and a broker use; ``None`` if they have none."""
    common = first.intersect(second)
    return None if common.empty else common.highest


@st.composite
def ranges(draw: st.DrawFn) -> VersionRange:
    lowest = draw(st.integers(0, 9))
    return VersionRange(lowest, draw(st.integers(lowest, 9)))


@st.composite
def tables(draw: st.DrawFn, api_key: int) -> SupportedVersions:
    supported = draw(st.lists(st.one_of(st.none(), ranges()), min_size=1, max_size=5))
    return {f"{number}.0": {api_key: each} if each else {} for number, each in enumerate(supported)}


@given(tables(API), ranges())
def test_a_client_with_only_needed_versions_uses_the_same_version_with_each_release(
    table: SupportedVersions, own: VersionRange
) -> None:
    needed = needed_versions(table, tuple(table), API, own)
    used = [highest_common(each.get(API, NONE), own) for each in table.values()]
    assert [highest_common(each.get(API, NONE), needed) for each in table.values()] == used


@given(tables(API), ranges())
def test_the_lowest_and_the_highest_needed_version_are_used(table: SupportedVersions, own: VersionRange) -> None:
    needed = needed_versions(table, tuple(table), API, own)
    used = {highest_common(each.get(API, NONE), own) for each in table.values()} - {None}
    assert used == set() if needed.empty else {needed.lowest, needed.highest} <= used


@given(tables(API_VERSIONS), ranges())
def test_needed_versions_of_api_versions_begin_with_the_lowest_version_of_the_client(
    table: SupportedVersions, own: VersionRange
) -> None:
    needed = needed_versions(table, tuple(table), API_VERSIONS, own)
    assert needed.empty or needed.lowest == own.lowest


def test_releases_that_lack_the_api_are_ignored() -> None:
    table = {"1.0": {}, "2.0": {API: VersionRange(0, 3)}, "3.0": {API: VersionRange(2, 5)}}
    assert needed_versions(table, ("1.0",), API, VersionRange(0, 9)) == NONE
    assert needed_versions(table, ("1.0", "2.0", "3.0"), API, VersionRange(0, 9)) == VersionRange(3, 5)
    assert needed_versions(table, ("2.0", "3.0"), API, VersionRange(4, 9)) == VersionRange(5, 5)


@pytest.mark.parametrize(
    ("first", "api_key", "expected"),
    [("2.8.2", 1, "12-18"), ("4.0.2", 1, "17-18"), ("2.8.2", 18, "0-5"), ("2.8.2", 68, "0-1"), ("2.4.1", 3, "9-13")],
)
def test_needed_versions_match_known_releases(first: str, api_key: int, expected: str) -> None:
    releases = RELEASES[RELEASES.index(first) :]
    needed = needed_versions(supported_versions(), releases, api_key, VersionRange(0, 20))
    assert str(needed) == expected
