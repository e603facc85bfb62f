"""Responses with errors to every request of Kafka."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest

from messagegen import load
from messagegen_kafka import (
    ErrorCode,
    FetchRequest,
    FetchResponse,
    MetadataRequest,
    MetadataResponse,
    OffsetFetchRequest,
    OffsetFetchResponse,
)
from messagegen_kafka.fetch_request import FetchPartition, FetchTopic
from messagegen_kafka.fetch_response import FetchableTopicResponse, PartitionData
from messagegen_kafka.metadata_request import MetadataRequestTopic
from messagegen_kafka.metadata_response import (
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from messagegen_kafka.offset_fetch_request import OffsetFetchRequestGroup, OffsetFetchRequestTopics
from messagegen_testing.errors.answers import ErrorAnswer, merged, with_error
from messagegen_testing.errors.selection import Selection
from messagegen_testing.errors.shape import shape_of
from tests.conftest import Golden

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "testing" / "errors.txt"
_API_KEYS: Final = range(200)
_ERROR: Final = ErrorCode.NOT_LEADER_OR_FOLLOWER


def shapes(package: Any) -> Iterator[str]:
    """Yield the shapes of all responses with errors, each with its versions."""
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


@pytest.mark.slow
@pytest.mark.java
def test_error_shapes_of_all_kafka_requests_are_reviewed(official: Path, golden: Golden) -> None:
    package = load(*sorted(official.iterdir()))
    golden(GOLDEN, "\n".join(shapes(package)) + "\n")


def _fetch(*topics: FetchTopic) -> FetchRequest:
    return FetchRequest(topics=topics)


def _partitions(*numbers: int) -> tuple[FetchPartition, ...]:
    return tuple(FetchPartition(partition=number) for number in numbers)


def _lost(partition: int) -> PartitionData:
    return PartitionData(partition_index=partition, error_code=_ERROR, high_watermark=-1, records=b"")


def _answer(selection: Selection, version: int = 12, code: ErrorCode = _ERROR) -> ErrorAnswer:
    return ErrorAnswer(shape_of(FetchRequest, FetchResponse, version), selection, code)


def made(answer: ErrorAnswer, request: Any) -> Any:
    response = answer.made(request)
    assert response is not None
    return response


class TestParts:
    REQUEST: Final = _fetch(
        FetchTopic(topic="orders", partitions=_partitions(0, 1)), FetchTopic(topic="other", partitions=_partitions(0))
    )

    def test_only_the_selected_partition_has_the_error(self) -> None:
        answer = _answer(Selection(topic="orders", partition=1))
        assert made(answer, self.REQUEST).responses == (FetchableTopicResponse(topic="orders", partitions=(_lost(1),)),)
        assert answer.rest(self.REQUEST) == _fetch(
            FetchTopic(topic="orders", partitions=_partitions(0)), FetchTopic(topic="other", partitions=_partitions(0))
        )

    def test_all_partitions_have_the_error_if_the_selection_is_empty(self) -> None:
        answer = _answer(Selection())
        assert [len(topic.partitions) for topic in made(answer, self.REQUEST).responses] == [2, 1]
        assert answer.rest(self.REQUEST) is None

    def test_a_request_is_unchanged_if_nothing_is_selected(self) -> None:
        answer = _answer(Selection(topic="absent"))
        assert answer.made(self.REQUEST) is None
        assert answer.rest(self.REQUEST) == self.REQUEST

    def test_a_topic_id_without_a_known_name_is_not_selected(self) -> None:
        topic_id = UUID(int=1)
        request = _fetch(FetchTopic(topic_id=topic_id, partitions=_partitions(0)))
        assert _answer(Selection(topic="orders"), version=13).made(request) is None
        known = Selection(topic="orders", topic_names={topic_id: "orders"})
        assert made(_answer(known, version=13), request).responses[0].topic_id == topic_id

    def test_errors_are_merged_into_the_answer_of_the_same_topic(self) -> None:
        answer = _answer(Selection(topic="orders", partition=1))
        rest = FetchableTopicResponse(topic="orders", partitions=(PartitionData(partition_index=0),))
        both = merged(answer.shape, FetchResponse(responses=(rest,)), made(answer, self.REQUEST))
        (topic,) = both.responses
        assert [(one.partition_index, one.error_code) for one in topic.partitions] == [(0, 0), (1, _ERROR)]

    def test_an_error_about_the_whole_request_is_in_the_response(self) -> None:
        answer = _answer(Selection(), version=13, code=ErrorCode.UNKNOWN_SERVER_ERROR)
        assert made(answer, self.REQUEST) == FetchResponse(error_code=ErrorCode.UNKNOWN_SERVER_ERROR)
        assert answer.rest(self.REQUEST) is None

    def test_only_partitions_of_the_selected_topic_have_the_error(self) -> None:
        answer = _answer(Selection(topic="orders"), code=ErrorCode.UNKNOWN_SERVER_ERROR)
        response = made(answer, self.REQUEST)
        assert response.error_code == 0
        assert [len(topic.partitions) for topic in response.responses] == [2]
        assert answer.rest(self.REQUEST) == _fetch(FetchTopic(topic="other", partitions=_partitions(0)))

    def test_an_answer_with_error_none_has_no_records(self) -> None:
        answer = _answer(Selection(), version=13, code=ErrorCode.NONE)
        found = [one for topic in made(answer, self.REQUEST).responses for one in topic.partitions]
        assert {(one.error_code, one.high_watermark, one.records) for one in found} == {(0, 0, b"")}
        assert len(found) == 3


class TestOffsetsOfGroups:
    """Java's consumer fails if partitions have an error that brokers return only for groups."""

    REQUEST: Final = OffsetFetchRequest(
        groups=(
            OffsetFetchRequestGroup(
                group_id="billing",
                topics=(
                    OffsetFetchRequestTopics(name="orders", partition_indexes=(3,)),
                    OffsetFetchRequestTopics(name="other", partition_indexes=(0,)),
                ),
            ),
            OffsetFetchRequestGroup(group_id="shipping", topics=None),
        )
    )

    def _answer(self, code: ErrorCode, selection: Selection = Selection()) -> ErrorAnswer:  # noqa: B008 - immutable
        return ErrorAnswer(shape_of(OffsetFetchRequest, OffsetFetchResponse, 8), selection, code)

    def test_an_error_about_the_coordinator_is_in_every_group(self) -> None:
        response = made(self._answer(ErrorCode.NOT_COORDINATOR), self.REQUEST)
        found = [(group.group_id, group.error_code, group.topics) for group in response.groups]
        assert found == [("billing", ErrorCode.NOT_COORDINATOR, ()), ("shipping", ErrorCode.NOT_COORDINATOR, ())]

    def test_a_coordinator_error_for_one_topic_covers_its_whole_group(self) -> None:
        answer = self._answer(ErrorCode.NOT_COORDINATOR, Selection(topic="orders"))
        (group,) = made(answer, self.REQUEST).groups
        assert (group.group_id, group.error_code) == ("billing", ErrorCode.NOT_COORDINATOR)
        left: Any = answer.rest(self.REQUEST)
        assert [group.group_id for group in left.groups] == ["shipping"]

    def test_an_error_about_partitions_is_in_the_partitions(self) -> None:
        billing, shipping = made(self._answer(ErrorCode.UNSTABLE_OFFSET_COMMIT), self.REQUEST).groups
        found = [one for topic in billing.topics for one in topic.partitions]
        assert [(one.error_code, one.committed_offset) for one in found] == [(ErrorCode.UNSTABLE_OFFSET_COMMIT, -1)] * 2
        assert (billing.error_code, shipping.error_code) == (0, ErrorCode.UNSTABLE_OFFSET_COMMIT)

    def test_a_request_for_all_topics_of_a_group_goes_to_the_broker(self) -> None:
        answer = self._answer(ErrorCode.UNSTABLE_OFFSET_COMMIT, Selection(topic="orders"))
        (group,) = made(answer, self.REQUEST).groups
        assert [topic.name for topic in group.topics] == ["orders"]
        left: Any = answer.rest(self.REQUEST)
        assert [[topic.name for topic in group.topics or ()] for group in left.groups] == [["other"], []]
        assert left.groups[1].topics is None

    def test_an_answer_with_error_none_has_no_committed_offsets(self) -> None:
        billing, _ = made(self._answer(ErrorCode.NONE), self.REQUEST).groups
        found = [one for topic in billing.topics for one in topic.partitions]
        assert [(one.error_code, one.committed_offset) for one in found] == [(0, -1), (0, -1)]


class TestMetadata:
    BROKER: Final = MetadataResponse(
        brokers=(MetadataResponseBroker(node_id=1, host="broker", port=9092),),
        topics=(
            MetadataResponseTopic(
                name="orders",
                topic_id=UUID(int=1),
                partitions=(MetadataResponsePartition(partition_index=0, leader_id=1, replica_nodes=(1,)),),
            ),
        ),
    )
    CODE: Final = ErrorCode.LEADER_NOT_AVAILABLE

    @pytest.mark.parametrize("asked", [{"name": "orders"}, {"name": None, "topic_id": UUID(int=1)}])
    def test_an_error_replaces_the_topic_and_keeps_the_brokers(self, asked: Any) -> None:
        request = MetadataRequest(topics=(MetadataRequestTopic(**asked),))
        shape = shape_of(MetadataRequest, MetadataResponse, 12)
        both = merged(shape, self.BROKER, made(ErrorAnswer(shape, Selection(), self.CODE), request))
        assert both.brokers == self.BROKER.brokers
        assert [(topic.error_code, topic.partitions) for topic in both.topics] == [(self.CODE, ())]

    def test_all_topics_get_the_error(self) -> None:
        changed = with_error(self.BROKER, MetadataResponse.fields(version=12), Selection(), self.CODE)
        assert [(topic.name, topic.error_code, topic.partitions) for topic in changed.topics] == [
            ("orders", self.CODE, ())
        ]

    def test_a_partition_with_an_error_has_no_leader(self) -> None:
        selection = Selection(topic="orders", partition=0)
        changed = with_error(self.BROKER, MetadataResponse.fields(version=12), selection, self.CODE)
        (partition,) = changed.topics[0].partitions
        assert (partition.error_code, partition.leader_id, partition.replica_nodes) == (self.CODE, -1, (1,))
