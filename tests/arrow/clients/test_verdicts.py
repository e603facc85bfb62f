"""Verdicts on the versions of one API, compared with what clients and brokers agree on."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow.clients.releases import ApiSupport
from messagegen_arrow.clients.verdicts import NOT_OFFERED, UsedVersion, Verdict, verdict, worst

SUPPORTED: Final = ApiSupport(range(3, 8))
HIGHEST: Final = 12


@st.composite
def ranges(draw: st.DrawFn) -> range:
    lowest = draw(st.integers(0, HIGHEST))
    return range(lowest, draw(st.integers(lowest, HIGHEST)) + 1)


def uses() -> st.SearchStrategy[UsedVersion]:
    limits = st.none() | st.integers(NOT_OFFERED, HIGHEST)
    return st.builds(UsedVersion, st.integers(0, HIGHEST), limits, st.booleans())


APIS = ranges().map(ApiSupport) | st.sampled_from(
    [ApiSupport(range(0), "removed"), ApiSupport(range(0), "added later"), ApiSupport(range(0), "never")]
)


@given(st.lists(uses(), min_size=1, max_size=5), APIS)
def test_every_verdict_implies_which_versions_the_release_has(used: list[UsedVersion], api: ApiSupport) -> None:
    missing = [each for each in used if each.version not in api.versions]
    newest = [each for each in used if each.version == max(one.version for one in used)]
    found = verdict(used, api)
    assert (found is Verdict.WORKS) == (not missing)
    if found in (Verdict.BREAKS, Verdict.CAPPED, Verdict.NO_OFFER):
        assert missing == used
    if found is Verdict.BREAKS and api.versions:
        assert newest[0].version < api.versions[0]
        assert any(each.version != each.highest_offered is not None for each in newest)
    if found is Verdict.CAPPED:
        assert any(each.version == each.highest_offered for each in newest)
    if found is Verdict.NO_OFFER:
        assert all(each.highest_offered is None for each in newest)
    if found is Verdict.FELL_BACK:
        assert {each.version for each in missing} <= {each.version for each in used if each.is_refused}
    if found in (Verdict.FELL_BACK, Verdict.SOME_GONE):
        assert 0 < len(missing) < len(used)
    if found is Verdict.NEWER and api.versions:
        assert any(each.version > api.versions[-1] for each in used)


@given(client=ranges(), captured=ranges(), target=ranges())
def test_verdicts_are_right_about_clients_that_use_the_highest_common_version(
    client: range, captured: range, target: range
) -> None:
    common = [version for version in client if version in captured]
    if not common:
        return
    works = any(version in target for version in client)
    found = verdict([UsedVersion(common[-1], captured[-1])], ApiSupport(target))
    if found is Verdict.WORKS:
        assert works
    if found is Verdict.BREAKS:
        assert not works
    if not works and client[-1] < min(captured[-1], target[0]):
        assert found is Verdict.BREAKS, "the capture shows the client's own limit"


def of(version: int, highest_offered: int | None = 9, *, is_refused: bool = False) -> UsedVersion:
    return UsedVersion(version, highest_offered, is_refused)


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        ([of(3), of(7)], Verdict.WORKS),
        ([of(2)], Verdict.BREAKS),
        ([of(2, 2)], Verdict.CAPPED),
        ([of(2, None)], Verdict.NO_OFFER),
        ([of(1), of(2, None)], Verdict.NO_OFFER),
        ([of(1, None), of(2, 2)], Verdict.CAPPED),
        ([of(2, None), of(2, 2)], Verdict.CAPPED),
        ([of(2, NOT_OFFERED)], Verdict.BREAKS),
        ([of(1), of(2, 2)], Verdict.CAPPED),
        ([of(1, 1), of(2, 2), of(2, 5)], Verdict.BREAKS),
        ([of(2), of(3)], Verdict.SOME_GONE),
        ([of(2, 2), of(3)], Verdict.SOME_GONE),
        ([of(2), of(3), of(8)], Verdict.SOME_GONE),
        ([of(8)], Verdict.NEWER),
        ([of(3), of(8)], Verdict.NEWER),
        ([of(8, is_refused=True), of(3)], Verdict.FELL_BACK),
        ([of(8, is_refused=True), of(8, 8), of(3)], Verdict.FELL_BACK),
        ([of(8, is_refused=True), of(9), of(3)], Verdict.NEWER),
        ([of(8, is_refused=True)], Verdict.NEWER),
        ([of(7, is_refused=True), of(3)], Verdict.WORKS),
        ([of(8, is_refused=True), of(2), of(3)], Verdict.SOME_GONE),
    ],
    ids=str,
)
def test_each_verdict_follows_from_the_used_and_supported_versions(used: list[UsedVersion], expected: Verdict) -> None:
    assert verdict(used, SUPPORTED) is expected


def test_a_removed_api_breaks_the_client_and_a_later_api_is_newer() -> None:
    assert verdict([of(2)], ApiSupport(range(0), "removed")) is Verdict.BREAKS
    assert verdict([of(2)], ApiSupport(range(0), "added later")) is Verdict.NEWER
    assert verdict([of(2)], ApiSupport(range(0), "never")) is Verdict.NOT_KAFKA


def test_the_worst_of_several_verdicts_is_chosen() -> None:
    assert worst([]) is Verdict.WORKS
    assert worst([Verdict.WORKS, Verdict.CAPPED, Verdict.NEWER]) is Verdict.CAPPED
    assert worst([Verdict.BREAKS, Verdict.CAPPED]) is Verdict.BREAKS
