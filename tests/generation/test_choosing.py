"""The choice of messages and versions, by names, patterns, exclusions and supported brokers."""

from __future__ import annotations

import pytest

from messagegen.brokers.supported import supported_versions
from messagegen.fetch.releases import RELEASES
from messagegen.findings import UsageError
from messagegen.generation.choosing import Choice, chosen
from messagegen.spec.model import MessageSpec
from messagegen.spec.narrowing import narrowed
from messagegen.versions import VersionRange
from tests.support.specs import OWN, made_package, read_specs, spec

BROKERS = ("2.8.2", "3.0.2")


def api(name: str, api_key: int, versions: str, **others: object) -> MessageSpec:
    """Return the spec of a request or a response, depending on the end of ``name``. It has no fields."""
    kind = "request" if name.endswith("Request") else "response"
    return spec(name=name, type=kind, apiKey=api_key, validVersions=versions, **others)


FETCH = (api("FetchRequest", 1, "4-18"), api("FetchResponse", 1, "4-18"))
SHARE_FETCH = (api("ShareFetchRequest", 78, "1-2"), api("ShareFetchResponse", 78, "1-2"))
RECORD = spec(name="TopicRecord", type="metadata", apiKey=2, validVersions="0-3")
ALL = (*FETCH, *SHARE_FETCH, RECORD)


def versions(*specs: MessageSpec, **choice: object) -> dict[str, str]:
    """Return the versions of the chosen messages by name."""
    return {each.name: str(each.valid_versions) for each in chosen(specs, Choice(**choice))}  # type: ignore[arg-type]


class TestNames:
    def test_all_messages_are_chosen_by_default(self) -> None:
        assert chosen(ALL, Choice()) == list(ALL)

    @pytest.mark.parametrize(
        ("messages", "exclude", "expected"),
        [
            (["Fetch*"], [], {"FetchRequest", "FetchResponse"}),
            (["FetchRequest", "TopicRecord"], [], {"FetchRequest", "TopicRecord"}),
            (["?opic[A-Z]ecord"], [], {"TopicRecord"}),
            ([], ["*Fetch*"], {"TopicRecord"}),
            (["*Response"], ["Share*"], {"FetchResponse"}),
            (["FetchRequest", "FetchResponse"], ["FetchResponse"], {"FetchRequest"}),
        ],
    )
    def test_patterns_choose_and_exclude_messages(
        self, messages: list[str], exclude: list[str], expected: set[str]
    ) -> None:
        assert versions(*ALL, messages=messages, exclude=exclude).keys() == expected

    @pytest.mark.parametrize(
        ("choice", "expected"),
        [
            ({"messages": ["fetch*"]}, 'no message matches "fetch\\*"'),
            ({"exclude": ["*Value"]}, 'no message matches "\\*Value"'),
            ({"exclude": ["FetchReques"]}, r"unknown message FetchReques; did you mean FetchRequest\?"),
            ({"exclude": ["*"]}, "exclude leaves no message; name fewer messages in it"),
            ({"messages": ["Fetch*"], "exclude": ["*"]}, "exclude leaves no message"),
        ],
    )
    def test_patterns_without_a_message_are_errors(self, choice: dict[str, list[str]], expected: str) -> None:
        with pytest.raises(UsageError, match=expected):
            versions(*ALL, **choice)


class TestVersions:
    def test_patterns_choose_versions(self) -> None:
        found = versions(*ALL, versions={"Fetch*": "12", "*Record": "0-1"})
        assert found == {
            "FetchRequest": "12",
            "FetchResponse": "12",
            "ShareFetchRequest": "1-2",
            "ShareFetchResponse": "1-2",
            "TopicRecord": "0-1",
        }

    @pytest.mark.parametrize("patterns", [["FetchRequest", "Fetch*", "*"], ["*", "Fetch*", "FetchRequest"]])
    def test_a_name_overrides_patterns_in_any_order(self, patterns: list[str]) -> None:
        chosen_versions = {"FetchRequest": "5", "Fetch*": "12", "*": "12"}
        found = versions(*FETCH, versions={each: chosen_versions[each] for each in patterns})
        assert found == {"FetchRequest": "5", "FetchResponse": "12"}

    @pytest.mark.parametrize(
        ("choice", "expected"),
        [
            ({"fetch*": "4"}, 'no message matches "fetch\\*"'),
            ({"FetchReques": "4"}, r"unknown message FetchReques; did you mean FetchRequest\?"),
            ({"*Fetch*": "4"}, "ShareFetchRequest has versions 1-2, not all of 4"),
            (
                {"Fetch*": "4", "*Request": "5"},
                'both "Fetch\\*" and "\\*Request" match FetchRequest; write FetchRequest itself into versions$',
            ),
        ],
    )
    def test_wrong_patterns_of_versions_are_errors(self, choice: dict[str, str], expected: str) -> None:
        with pytest.raises(UsageError, match=expected):
            versions(*ALL, versions=choice)


class TestBrokers:
    def test_requests_and_responses_keep_the_versions_of_the_releases(self) -> None:
        assert versions(*FETCH, RECORD, brokers=BROKERS) == {
            "FetchRequest": "12",
            "FetchResponse": "12",
            "TopicRecord": "0-3",
        }
        assert versions(*FETCH, brokers=("2.8.2", "4.4.0"))["FetchResponse"] == "12-18"

    def test_versions_set_for_a_message_override_the_releases(self) -> None:
        found = versions(*ALL, brokers=BROKERS, versions={"FetchRequest": "4+", "ShareFetchRequest": "2"})
        assert found == {"FetchRequest": "4-18", "FetchResponse": "12", "ShareFetchRequest": "2", "TopicRecord": "0-3"}

    @pytest.mark.parametrize("messages", [[], ["*"], ["*Fetch*"]])
    def test_messages_that_no_release_supports_are_left_out(self, messages: list[str]) -> None:
        assert not versions(*ALL, messages=messages, brokers=BROKERS).keys() & {each.name for each in SHARE_FETCH}

    def test_a_named_message_that_no_release_supports_is_an_error(self) -> None:
        expected = (
            "^brokers of Kafka 2.8.2 to 3.0.2 support no stable version of ShareFetchRequest, which has API key 78 and "
            "versions 1-2; remove it from messages, or write its versions into versions$"
        )
        with pytest.raises(UsageError, match=expected):
            versions(*ALL, messages=["FetchRequest", "ShareFetchRequest"], brokers=BROKERS)
        with pytest.raises(UsageError, match=r"^brokers of Kafka 4\.0\.2 support no stable version of ShareFetch"):
            versions(*ALL, messages=["ShareFetchRequest"], brokers=("4.0.2",))

    def test_releases_that_support_none_of_the_messages_are_an_error(self) -> None:
        with pytest.raises(UsageError, match=r"brokers of Kafka 2\.8\.2 to 3\.0\.2 support none of these messages"):
            versions(*SHARE_FETCH, brokers=BROKERS)

    def test_a_retired_message_has_no_versions_for_any_release(self) -> None:
        retired = api("StopReplicaRequest", 5, "none")
        assert versions(retired, messages=["StopReplicaRequest"], brokers=BROKERS) == {"StopReplicaRequest": "none"}

    def test_a_version_that_is_unstable_in_the_request_is_not_chosen_for_the_response(self) -> None:
        request = api("OffsetCommitRequest", 8, "2-10", latestVersionUnstable=True)
        response = api("OffsetCommitResponse", 8, "2-10")
        expected = {"OffsetCommitRequest": "9", "OffsetCommitResponse": "9"}
        assert versions(request, response, brokers=("4.2.2",)) == expected
        assert versions(request, response, messages=["*Response"], brokers=("4.2.2",)) == {"OffsetCommitResponse": "9"}
        only_unstable = api("ShareFetchRequest", 78, "1", latestVersionUnstable=True)
        assert versions(only_unstable, RECORD, brokers=("4.4.0",)).keys() == {"TopicRecord"}


class TestUnstableVersions:
    def test_the_latest_version_is_stable_if_the_unstable_one_is_left_out(self) -> None:
        request = api("InitProducerIdRequest", 22, "0-6", latestVersionUnstable=True)
        (found,) = chosen([request], Choice(versions={"InitProducerIdRequest": "0-5"}))
        cls = made_package(found).InitProducerIdRequest
        assert not cls.LATEST_VERSION_UNSTABLE
        assert cls.choose_version(0, 6) == 5

    def test_the_latest_version_stays_unstable_if_it_is_kept(self) -> None:
        request = api("InitProducerIdRequest", 22, "0-6", latestVersionUnstable=True)
        assert narrowed(request, VersionRange(3, 6)).latest_version_unstable


@pytest.mark.slow
def test_choosing_brokers_does_not_change_the_versions_that_clients_use() -> None:
    """Check the committed specs of Kafka's requests with every range of releases."""
    specs = [each for each in read_specs([OWN]) if each.kind.value == "request" and "Resolve" not in each.name]
    table = supported_versions()

    def used(each: MessageSpec, release: str) -> int | None:
        stable = each.valid_versions.highest - int(each.latest_version_unstable)
        common = [version for version in table[release].get(each.api_key or 0, ()) if version <= stable]
        return max((version for version in common if version in each.valid_versions), default=None)

    for first in range(len(RELEASES)):
        for last in range(first, len(RELEASES)):
            releases = RELEASES[first : last + 1]
            kept = {each.name: each for each in chosen(specs, Choice(brokers=releases))}
            for each in specs:
                before = [used(each, release) for release in releases]
                after = [used(kept[each.name], release) for release in releases] if each.name in kept else before
                assert after == before
                assert each.name in kept or not any(version is not None for version in before)
