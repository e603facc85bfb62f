"""Error answers equal the answers of Kafka's Java classes, for all requests and versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from messagegen import load
from messagegen_testing.errors.answers import ErrorAnswer
from messagegen_testing.errors.facts import PARTITION_CODES
from messagegen_testing.errors.selection import Place, Selection
from messagegen_testing.errors.shape import shape_of
from tests.testing.support.java_answers import Question, codes, form, has_repeats, java_answers, questions

pytestmark = pytest.mark.java

MAPS: Final = {
    "AlterUserScramCredentialsRequest": "the users are a set",
    "OffsetFetchRequest": "OffsetFetchResponse of version 1 is made from a map of partitions",
    "ProduceRequest": "partitionSizes is a map of partitions",
    "WriteTxnMarkersRequest": "WriteTxnMarkersResponse is made from maps of partitions",
}
"""Requests whose ``getErrorResponse`` merges repeated elements, and omits topics without partitions.

They are compared only if they have no repeated elements.
"""

IN_PARTITIONS: Final = {
    "AddPartitionsToTxnRequest": "KafkaApis.handleAddPartitionsToTxnRequest answers them by partition",
    "AlterPartitionReassignmentsRequest": "ReplicationControlManager.alterPartitionReassignments",
    "AlterPartitionRequest": "ReplicationControlManager.alterPartition",
    "AlterShareGroupOffsetsRequest": "GroupCoordinatorService.alterShareGroupOffsets",
    "AssignReplicasToDirsRequest": "ReplicationControlManager.handleAssignReplicasToDirs",
    "BeginQuorumEpochRequest": "KafkaRaftClient.handleBeginQuorumEpochRequest",
    "DeleteShareGroupOffsetsRequest": "GroupCoordinatorService.deleteShareGroupOffsets",
    "DescribeQuorumRequest": "KafkaRaftClient.handleDescribeQuorumRequest",
    "DescribeShareGroupOffsetsRequest": "GroupCoordinatorService.describeShareGroupOffsets",
    "ElectLeadersRequest": "ReplicationControlManager.electLeaders",
    "EndQuorumEpochRequest": "KafkaRaftClient.handleEndQuorumEpochRequest",
    "FetchRequest": "ReplicaManager.fetchMessages; getErrorResponse is for the request as a whole",
    "FetchSnapshotRequest": "KafkaRaftClient.handleFetchSnapshotRequest",
    "MetadataRequest": "KafkaApis.handleTopicMetadataRequest; version 13 has a code for REBOOTSTRAP_REQUIRED",
    "OffsetDeleteRequest": "OffsetMetadataManager.deleteOffsets",
    "OffsetFetchRequest": "OffsetMetadataManager.fetchOffsets and KafkaApis.fetchOffsetsForGroup",
    "ShareAcknowledgeRequest": "SharePartitionManager.acknowledge",
    "ShareFetchRequest": "SharePartitionManager.fetchMessages",
    "VoteRequest": "KafkaRaftClient.handleVoteRequest",
}
"""Requests whose ``getErrorResponse`` puts all codes into the response or the group, with a Java class of the broker.

The class of the broker puts codes about topics and partitions into the topics and partitions instead.
"""


@dataclass(frozen=True)
class Pair:
    """Our answer and Java's answer to the same question, as forms. Ours is ``None`` if the broker has to answer."""

    question: Question
    ours: dict[str, Any] | None
    javas: dict[str, Any]

    @property
    def differs(self) -> bool:
        return codes(self.javas) > 0 if self.ours is None else self.ours != self.javas


@pytest.fixture(scope="module")
def asked(official: Path) -> list[Question]:
    return [one for one in questions(load(*sorted(official.iterdir()))) if not is_repeated_in_map(one)]


@pytest.fixture(scope="module")
def pairs(asked: list[Question]) -> list[Pair]:
    return [
        Pair(question, _ours(question), _javas(question, answer["hex"]))
        for question, answer in zip(asked, java_answers(asked), strict=True)
        if answer.get("hex") is not None
    ]


def is_repeated_in_map(question: Question) -> bool:
    fields = question.request.fields(version=question.version)
    return question.name in MAPS and has_repeats(question.request, fields)


def _ours(question: Question) -> dict[str, Any] | None:
    response = _answer(question, Selection()).made(question.request)
    return None if response is None else _form(question, response.encode(version=question.version))


def _answer(question: Question, selection: Selection) -> ErrorAnswer:
    request_class: Any = type(question.request)
    return ErrorAnswer(shape_of(request_class, request_class.RESPONSE, question.version), selection, int(question.code))


def _javas(question: Question, data: str) -> dict[str, Any]:
    return _form(question, bytes.fromhex(data))


def _form(question: Question, data: bytes) -> dict[str, Any]:
    response_class = type(question.request).RESPONSE
    response = response_class.decode(data, version=question.version)
    return form(response, response_class.fields(version=question.version), without_empty=question.name in MAPS)


def is_about_partitions(pair: Pair) -> bool:
    return pair.question.code in PARTITION_CODES and pair.question.name in IN_PARTITIONS


@pytest.mark.slow
def test_error_answers_equal_the_answers_of_java(pairs: list[Pair]) -> None:
    compared = [pair for pair in pairs if not is_about_partitions(pair)]
    assert [f"{pair.question}: {pair.ours} is {pair.javas} in Java" for pair in compared if pair.differs] == []
    assert sum(pair.ours is not None for pair in compared) > 5000


@pytest.mark.slow
def test_all_requests_and_versions_are_compared(official: Path, pairs: list[Pair]) -> None:
    package = load(*sorted(official.iterdir()))
    all_requests = [cls for key in range(200) for cls in package.message_classes("request", key)]
    found = {(pair.question.name, pair.question.version) for pair in pairs}
    assert {(cls.__name__, version) for cls in all_requests for version in cls.VALID_VERSIONS} - found == set()


def test_error_codes_about_partitions_are_set_only_in_partitions(pairs: list[Pair]) -> None:
    about = [pair for pair in pairs if is_about_partitions(pair) and pair.ours is not None]
    inside = [pair for pair in about if any(codes_inside(pair.ours))]
    assert [str(pair.question) for pair in inside if has_codes_beside_codes(pair.ours)] == []
    assert {pair.question.name for pair in inside if pair.differs} == IN_PARTITIONS.keys()


def codes_inside(found: Any) -> Iterator[int]:
    """Yield the number of error codes in each array element of a form."""
    return (codes(each) for value in found.values() if isinstance(value, list) for each in value)


def has_codes_beside_codes(found: Any) -> bool:
    """Whether a struct has an error code although elements of its arrays have one."""
    own = codes({name: value for name, value in found.items() if not isinstance(value, list)})
    inner = [each for value in found.values() if isinstance(value, list) for each in value if isinstance(each, dict)]
    return (own > 0 and sum(map(codes, inner)) > 0) or any(map(has_codes_beside_codes, inner))


def test_requests_without_elements_are_answered_by_the_broker(pairs: list[Pair]) -> None:
    by_broker = Counter(pair.question.name for pair in pairs if pair.ours is None)
    assert by_broker["ProduceRequest"]
    assert not by_broker["JoinGroupRequest"]
    assert all(codes(pair.javas) == 0 for pair in pairs if pair.ours is None)


def test_answers_without_elements_equal_the_answers_of_java(pairs: list[Pair]) -> None:
    compared: set[str] = set()
    for pair in (one for one in pairs if one.ours is None):
        question = pair.question
        response = _answer(question, Selection()).without_elements(question.request)
        if response is not None:
            assert _form(question, response.encode(version=question.version)) == pair.javas, question
            compared.add(question.name)
    assert {"ProduceRequest", "FetchRequest", "FindCoordinatorRequest", "DeleteTopicsRequest"} <= compared
    assert "DescribeTopicPartitionsRequest" not in compared


@pytest.mark.slow
def test_the_selected_topic_gets_the_error_and_the_broker_gets_the_rest(asked: list[Question]) -> None:
    divided: set[str] = set()
    for question in asked:
        fields = question.request.fields(version=question.version)
        topics = topics_of(question.request, fields)
        selection = Selection(topic=min(topics, default="absent"))
        answer = _answer(question, selection)
        made, rest = answer.made(question.request), answer.rest(question.request)
        if made is None:
            assert rest == question.request, question
            continue
        left = () if rest is None else topics_of(rest, fields)
        assert selection.topic not in left, question
        in_answer = topics_of(made, type(made).fields(version=question.version))
        assert in_answer <= {selection.topic}, question
        if left:
            divided.add(question.name)
    assert {"ProduceRequest", "FetchRequest", "OffsetCommitRequest", "AlterReplicaLogDirsRequest"} <= divided


def topics_of(value: Any, fields: Any) -> set[str]:
    """Return the topic names in the arrays of a struct, at any depth, except topics without partitions."""
    found: set[str] = set()
    for array in fields:
        place = Place.of(array)
        for each in (getattr(value, array.name) or ()) if array.is_array else ():
            inner = [getattr(each, field.name) for field in array.fields if field.is_array]
            name = _topic(place, each)
            if name and (any(inner) or not inner):
                found.add(name)
            found |= topics_of(each, array.fields)
    return found


def _topic(place: Place, element: Any) -> str | None:
    if not place.topic:
        return None if place.topic is None else str(element)
    name: str | None = getattr(element, place.topic)
    return name
