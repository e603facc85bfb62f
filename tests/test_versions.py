"""Version ranges: their notation, and the laws of their algebra."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.versions import HIGHEST_VERSION, NONE, VersionMap, VersionRange, versions_text
from tests.support.profiles import examples

versions = st.one_of(st.integers(0, 12), st.integers(0, HIGHEST_VERSION), st.just(HIGHEST_VERSION))
pairs = st.tuples(versions, versions).map(sorted)
non_empty = pairs.map(lambda ends: VersionRange(ends[0], ends[1]))
ranges = st.one_of(st.just(NONE), non_empty)
laws = examples(200)


class TestParse:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("0", VersionRange(0, 0)),
            ("3", VersionRange(3, 3)),
            ("0-9", VersionRange(0, 9)),
            ("7-7", VersionRange(7, 7)),
            ("2+", VersionRange(2, 32767)),
            ("32767", VersionRange(32767, 32767)),
            ("none", NONE),
            (" 0-9\t", VersionRange(0, 9)),
            ("00012", VersionRange(12, 12)),
        ],
    )
    def test_each_notation_is_parsed(self, text: str, expected: VersionRange) -> None:
        assert VersionRange.parse(text) == expected

    @pytest.mark.parametrize(
        "text",
        ["", "+", "-", "1-", "-1", "1--2", "1 - 2", "1,2", "None", "all", "1.0", "0x1", "٣", "3+4", "100000", "\u00b2"],
    )
    def test_invalid_text_is_refused_with_advice(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"invalid version range .*; write"):
            VersionRange.parse(text)

    @pytest.mark.parametrize(
        ("text", "reason"), [("5-3", "the lowest comes first"), ("32768", "from 0 to 32767"), ("0-99999", "from 0")]
    )
    def test_impossible_bounds_are_refused(self, text: str, reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            VersionRange.parse(text)

    @pytest.mark.slow
    @laws
    @given(ranges)
    def test_printed_ranges_are_parsed_to_equal_ranges(self, one: VersionRange) -> None:
        assert VersionRange.parse(str(one)) == one


@pytest.mark.parametrize("ends", [(-1, 3), (0, 32768), (1, 0), (0, -2), (5, -1)])
def test_invalid_ranges_cannot_be_built(ends: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"versions run from|the lowest comes first"):
        VersionRange(*ends)


class TestAlgebra:
    @laws
    @given(ranges, ranges, versions)
    def test_intersections_contain_exactly_the_common_versions(
        self, one: VersionRange, other: VersionRange, version: int
    ) -> None:
        assert (version in one.intersect(other)) == (version in one and version in other)

    @pytest.mark.slow
    @laws
    @given(ranges, ranges)
    def test_covering_and_intersection_agree(self, one: VersionRange, other: VersionRange) -> None:
        assert one.covers(other) == (one.intersect(other) == other)

    @laws
    @given(non_empty, versions)
    def test_clamping_returns_the_nearest_version(self, one: VersionRange, version: int) -> None:
        nearest = one.clamp(version)
        assert nearest in one
        assert one.clamp(nearest) == nearest
        assert (
            abs(nearest - version) == min(abs(one.lowest - version), abs(one.highest - version)) or nearest == version
        )


class TestVersionMap:
    entries = VersionMap(
        ((VersionRange(0, 1), "fixed"), (VersionRange(3, 3), "packed"), (VersionRange(5, 32767), "fixed"))
    )

    @pytest.mark.parametrize(
        ("version", "value"),
        [(0, "fixed"), (1, "fixed"), (2, None), (3, "packed"), (4, None), (5, "fixed"), (32767, "fixed")],
    )
    def test_get_returns_the_value_of_the_range_that_contains_the_version(
        self, version: int, value: str | None
    ) -> None:
        assert self.entries.get(version) == value

    @given(non_empty, versions)
    def test_a_constant_map_has_one_value(self, one: VersionRange, version: int) -> None:
        assert VersionMap(((one, 5),)).get(version) == (5 if version in one else None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3", "version 3"),
        ("3-4", "versions 3-4"),
        ("0 2+", "versions 0 and 2+"),
        ("0 2 4 6 8 10 12 14 16", "versions 0, 2, 4, 6, 8, 10, 12, 14 and more"),
    ],
)
def test_errors_list_version_ranges_in_words(text: str, words: str) -> None:
    assert versions_text([VersionRange.parse(part) for part in text.split()]) == words
