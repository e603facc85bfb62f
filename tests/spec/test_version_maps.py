from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.spec.version_maps import merge, subtract
from messagegen.versions import NONE, VersionRange
from tests.support.profiles import examples


def ranges(text: str) -> list[VersionRange]:
    return [VersionRange.parse(part) for part in text.split()]


@pytest.mark.parametrize(
    ("given_", "merged"),
    [("", ""), ("0-1 2-3", "0-3"), ("0-1 3+", "0-1 3+"), ("0-5 1-2 7", "0-5 7"), ("none 2", "2"), ("0+ 3", "0+")],
)
def test_merge(given_: str, merged: str) -> None:
    assert merge(ranges(given_)) == ranges(merged)


@pytest.mark.parametrize(
    ("versions", "covered", "left"),
    [
        ("0+", "", "0+"),
        ("0+", "0-1", "2+"),
        ("0+", "0 2+", "1"),
        ("0-5", "2-3", "0-1 4-5"),
        ("2-5", "0-1 6+", "2-5"),
        ("2-5", "0+", ""),
        ("3+", "0-3 32767", "4-32766"),
        ("none", "0-1", ""),
    ],
)
def test_subtract(versions: str, covered: str, left: str) -> None:
    assert subtract(VersionRange.parse(versions), ranges(covered)) == ranges(left)


RANGES = st.builds(lambda a, b: VersionRange(min(a, b), max(a, b)), st.integers(0, 12), st.integers(0, 12)) | st.just(
    NONE
)


@examples(200)
@given(RANGES, st.lists(RANGES, max_size=5))
def test_merge_and_subtract_are_those_of_sets(versions: VersionRange, others: list[VersionRange]) -> None:
    merged = merge(sorted(others, key=lambda other: other.lowest))
    covered = {version for other in others for version in other}
    assert [version for range_ in merged for version in range_] == sorted(covered)
    left = subtract(versions, merged)
    assert [version for range_ in left for version in range_] == sorted(set(versions) - covered)
