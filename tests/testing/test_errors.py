"""Responses with errors for every request of Kafka."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest

from messagegen import load
from messagegen_kafka import FetchRequest, FetchResponse, OffsetFetchRequest, OffsetFetchResponse
from messagegen_kafka.fetch_request import FetchPartition, FetchTopic
from messagegen_kafka.fetch_response import FetchableTopicResponse, PartitionData
from messagegen_kafka.offset_fetch_request import OffsetFetchRequestGroup, OffsetFetchRequestTopics
from messagegen_testing.errors.answers import ErrorAnswer, merged
from messagegen_testing.errors.selection import Selection
from messagegen_testing.errors.shape import shape_of
from tests.conftest import Golden

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "testing" / "errors.txt"
_API_KEYS: Final = range(200)
_ERROR: Final = 7


def shapes(package: Any) -> Iterator[str]:
    """The shapes of all responses with errors, each with the versions that have it."""
    for request in [cls for key in _API_KEYS for cls in package.message_classes("request", key)]:
        versions = [
            (version, list(shape_of(request, request.RESPONSE, version).lines("  "))) for version in _valid(request)
        ]
        for lines, group in groupby(versions, key=lambda one: one[1]):
            numbers = [version for version, _ in group]
            yield f"{request.__name__} {numbers[0]} to {numbers[-1]}"
            yield from lines or ["  in the answer of the broker"]


def _valid(request: Any) -> list[int]:
    return [version for version in request.VALID_VERSIONS if version in request.RESPONSE.VALID_VERSIONS]


@pytest.mark.java
def test_errors_follow_from_all_requests_of_kafka(official: Path, golden: Golden) -> None:
    package = load(*sorted(official.iterdir()))
    golden(GOLDEN, "\n".join(shapes(package)) + "\n")


def _fetch(*topics: FetchTopic) -> FetchRequest:
    return FetchRequest(topics=topics)


def _partitions(*numbers: int) -> tuple[FetchPartition, ...]:
    return tuple(FetchPartition(partition=number) for number in numbers)


def _answer(selection: Selection, version: int = 12) -> ErrorAnswer:
    return ErrorAnswer(shape_of(FetchRequest, FetchResponse, version), selection, _ERROR)


def made(answer: ErrorAnswer, request: Any) -> Any:
    response = answer.made(request)
    assert response is not None
    return response


class TestParts:
    REQUEST: Final = _fetch(
        FetchTopic(topic="orders", partitions=_partitions(0, 1)), FetchTopic(topic="other", partitions=_partitions(0))
    )

    def test_one_partition(self) -> None:
        answer = _answer(Selection(topic="orders", partition=1))
        assert made(answer, self.REQUEST).responses == (
            FetchableTopicResponse(topic="orders", partitions=(PartitionData(partition_index=1, error_code=_ERROR),)),
        )
        assert answer.rest(self.REQUEST) == _fetch(
            FetchTopic(topic="orders", partitions=_partitions(0)), FetchTopic(topic="other", partitions=_partitions(0))
        )

    def test_all(self) -> None:
        answer = _answer(Selection())
        assert [len(topic.partitions) for topic in made(answer, self.REQUEST).responses] == [2, 1]
        assert answer.rest(self.REQUEST) is None

    def test_nothing(self) -> None:
        answer = _answer(Selection(topic="absent"))
        assert answer.made(self.REQUEST) is None
        assert answer.rest(self.REQUEST) == self.REQUEST

    def test_a_topic_id_whose_name_is_not_known_is_another_topic(self) -> None:
        topic_id = UUID(int=1)
        request = _fetch(FetchTopic(topic_id=topic_id, partitions=_partitions(0)))
        assert _answer(Selection(topic="orders"), version=13).made(request) is None
        known = Selection(topic="orders", topic_names={topic_id: "orders"})
        assert made(_answer(known, version=13), request).responses[0].topic_id == topic_id

    def test_errors_are_put_beside_the_answers_of_the_same_topic(self) -> None:
        answer = _answer(Selection(topic="orders", partition=1))
        rest = FetchableTopicResponse(topic="orders", partitions=(PartitionData(partition_index=0),))
        both = merged(answer.shape, FetchResponse(responses=(rest,)), made(answer, self.REQUEST))
        (topic,) = both.responses
        assert [(one.partition_index, one.error_code) for one in topic.partitions] == [(0, 0), (1, _ERROR)]


@pytest.mark.parametrize("topics", [None, (OffsetFetchRequestTopics(name="orders", partition_indexes=(3,)),)])
def test_a_group_has_the_error_if_no_partition_can_have_it(topics: Any) -> None:
    request = OffsetFetchRequest(groups=(OffsetFetchRequestGroup(group_id="billing", topics=topics),))
    answer = ErrorAnswer(shape_of(OffsetFetchRequest, OffsetFetchResponse, 8), Selection(), _ERROR)
    (group,) = made(answer, request).groups
    assert group.error_code == (0 if topics else _ERROR)
    found = [(one.partition_index, one.error_code) for topic in group.topics for one in topic.partitions]
    assert found == ([(3, _ERROR)] if topics else [])
