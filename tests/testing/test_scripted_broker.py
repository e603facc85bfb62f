from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID

import pytest
from confluent_kafka.admin import AdminClient

import messagegen_kafka
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    ClientSession,
    ErrorCode,
    FetchRequest,
    FetchResponse,
    FindCoordinatorRequest,
    ListOffsetsRequest,
    MetadataRequest,
    ProduceRequest,
    ProduceResponse,
    ReceivedResponse,
    Request,
)
from messagegen_kafka.fetch_request import FetchPartition, FetchTopic
from messagegen_kafka.list_offsets_request import ListOffsetsPartition, ListOffsetsTopic
from messagegen_kafka.metadata_request import MetadataRequestTopic
from messagegen_kafka.produce_request import PartitionProduceData, TopicProduceData
from messagegen_testing import ScriptedBroker, UnansweredRequestError, UnusedRuleError, scripted_broker
from messagegen_testing.faults import NoFaultError
from tests.testing.support.asking import Asker

Start = Callable[..., ScriptedBroker]


def fetch(*topics: str, partitions: int = 1) -> FetchRequest:
    wanted = tuple(FetchPartition(partition=index) for index in range(partitions))
    return FetchRequest(topics=tuple(FetchTopic(topic=name, partitions=wanted) for name in topics))


def test_a_scripted_broker_answers_requests_for_versions_and_metadata(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 2})
    with Asker(broker.bootstrap) as asker:
        versions = {each.api_key: each for each in asker.ask(ApiVersionsRequest(), version=3).api_keys}
        metadata = asker.ask(MetadataRequest(topics=None), version=12)
        named = asker.ask(MetadataRequest(topics=(MetadataRequestTopic(name="absent"),)), version=1)
    assert versions[FetchRequest.API_KEY].max_version == FetchRequest.VALID_VERSIONS[-1]
    assert [(each.host, each.port) for each in metadata.brokers] == [("127.0.0.1", broker.port)]
    assert [(topic.name, len(topic.partitions)) for topic in metadata.topics] == [("orders", 2)]
    assert metadata.topics[0].topic_id == broker.topic_ids["orders"]
    assert [topic.error_code for topic in named.topics] == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]


def test_an_unknown_topic_id_is_reported_with_the_id(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    wanted = [broker.topic_ids["orders"], UUID(int=7)]
    request = MetadataRequest(topics=tuple(MetadataRequestTopic(name=None, topic_id=each) for each in wanted))
    with Asker(broker.bootstrap) as asker:
        known, unknown = asker.ask(request, version=12).topics
    assert (known.name, known.topic_id, known.error_code) == ("orders", wanted[0], 0)
    assert (unknown.name, unknown.topic_id, unknown.error_code) == (None, wanted[1], ErrorCode.UNKNOWN_TOPIC_ID)


def test_a_topic_that_is_named_twice_is_listed_once(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    topic_id = broker.topic_ids["orders"]
    wanted = [
        MetadataRequestTopic(name="orders"),
        MetadataRequestTopic(name="absent"),
        MetadataRequestTopic(name=None, topic_id=topic_id),
        MetadataRequestTopic(name="", topic_id=topic_id),
        MetadataRequestTopic(name="absent"),
    ]
    with Asker(broker.bootstrap) as asker:
        answer = asker.ask(MetadataRequest(topics=tuple(wanted)), version=12)
    assert [topic.name for topic in answer.topics] == ["orders", "absent"]


def test_an_older_broker_refuses_a_version_of_api_versions(scripted_broker: Start) -> None:
    broker = scripted_broker(versions={ApiVersionsRequest: (0, 2)})
    broker.when(ApiVersionsRequest).throttle(1)
    with Asker(broker.bootstrap) as asker:
        refusal = asker.ask(ApiVersionsRequest(), version=3)
        answer = asker.ask(ApiVersionsRequest(), version=2)
    (entry,) = refusal.api_keys
    assert (refusal.error_code, entry.max_version) == (ErrorCode.UNSUPPORTED_VERSION, 2)
    assert (answer.error_code, answer.throttle_time_ms) == (0, 1)


@pytest.mark.parametrize("version", ApiVersionsRequest.VALID_VERSIONS)
def test_a_refused_version_is_answered_in_version_0_with_lower_versions(scripted_broker: Start, version: int) -> None:
    broker = scripted_broker()
    rule = broker.when(ApiVersionsRequest).error("UNSUPPORTED_VERSION")
    with Asker(broker.bootstrap) as asker:
        asker.send(ApiVersionsRequest(), version=version)
        frame = asker.socket.recv(1 << 16)
    _, refusal = ApiVersionsResponse.decode_frame(frame, version=0)
    (entry,) = refusal.api_keys
    highest = version - 1 if version else ApiVersionsRequest.VALID_VERSIONS[-1]
    assert refusal.error_code == ErrorCode.UNSUPPORTED_VERSION
    assert (entry.api_key, entry.min_version, entry.max_version) == (ApiVersionsRequest.API_KEY, 0, highest)
    assert rule.used == 1


@pytest.mark.parametrize("version", MetadataRequest.VALID_VERSIONS)
def test_requests_for_metadata_are_answered_in_all_versions(scripted_broker: Start, version: int) -> None:
    broker = scripted_broker({"orders": 1})
    request = MetadataRequest(topics=() if version == 0 else None)
    with Asker(broker.bootstrap) as asker:
        assert [topic.name for topic in asker.ask(request, version=version).topics] == ["orders"]


def test_offered_versions_can_be_limited(scripted_broker: Start) -> None:
    broker = scripted_broker(versions={FetchRequest: (4, 11), ProduceRequest: None})
    with Asker(broker.bootstrap) as asker:
        versions = {each.api_key: each for each in asker.ask(ApiVersionsRequest(), version=0).api_keys}
    assert (versions[1].min_version, versions[1].max_version) == (4, 11)
    assert ProduceRequest.API_KEY not in versions


def test_a_broker_without_api_versions_closes_the_connection(scripted_broker: Start) -> None:
    broker = scripted_broker(versions={ApiVersionsRequest: None})
    with Asker(broker.bootstrap) as asker:
        asker.send(ApiVersionsRequest(), version=0)
        assert asker.received_until_the_end() == b""


@pytest.mark.parametrize("highest", [2, ApiVersionsRequest.VALID_VERSIONS[-1]])
def test_an_unknown_version_of_api_versions_is_refused(scripted_broker: Start, highest: int) -> None:
    broker = scripted_broker(versions={ApiVersionsRequest: (0, highest)})
    session = ClientSession(messagegen_kafka)
    frame = bytearray(session.send(ApiVersionsRequest(), version=4).frame)
    frame[6:8] = (99).to_bytes(2, "big")
    with socket.create_connection(("127.0.0.1", broker.port), timeout=30) as connection:
        connection.sendall(frame)
        (event,) = session.receive(connection.recv(1 << 16))
    assert isinstance(event, ReceivedResponse)
    assert event.refused
    assert event.decode().api_keys[0].max_version == highest


def test_a_rule_applies_to_its_partition_for_a_limited_number_of_requests(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 2, "other": 2})
    rule = broker.when(FetchRequest, topic="orders", partition=1, times=2).error("NOT_LEADER_OR_FOLLOWER")
    broker.when(FetchRequest).error("NONE")
    with Asker(broker.bootstrap) as asker:
        answers = [asker.ask(fetch("orders", "other", partitions=2), version=12) for _ in range(3)]
    found = [
        [
            (topic.topic, part.partition_index, part.error_code)
            for topic in answer.responses
            for part in topic.partitions
        ]
        for answer in answers
    ]
    lost = ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert sorted(found[0]) == [("orders", 0, 0), ("orders", 1, lost), ("other", 0, 0), ("other", 1, 0)]
    assert sorted(found[1]) == sorted(found[0])
    assert all(code == 0 for _, _, code in found[2])
    assert len(found[2]) == 4
    assert rule.used == 2


def test_a_topic_selector_matches_requests_with_topic_ids(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1, "other": 1})
    broker.when(FetchRequest, topic="orders").error("UNKNOWN_TOPIC_ID")
    broker.when(FetchRequest).error("NONE")
    wanted = tuple(
        FetchTopic(topic_id=broker.topic_ids[name], partitions=(FetchPartition(partition=0),)) for name in broker.topics
    )
    with Asker(broker.bootstrap) as asker:
        answer = asker.ask(FetchRequest(topics=wanted), version=16)
    codes = {topic.topic_id: topic.partitions[0].error_code for topic in answer.responses}
    assert codes == {broker.topic_ids["orders"]: ErrorCode.UNKNOWN_TOPIC_ID, broker.topic_ids["other"]: 0}


def test_metadata_with_an_error_still_contains_the_brokers(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1, "other": 1})
    broker.when(MetadataRequest, topic="orders").error("LEADER_NOT_AVAILABLE")
    with Asker(broker.bootstrap) as asker:
        metadata = asker.ask(MetadataRequest(topics=None), version=12)
    codes = {topic.name: topic.error_code for topic in metadata.topics}
    assert codes == {"orders": ErrorCode.LEADER_NOT_AVAILABLE, "other": 0}
    assert metadata.brokers


def test_a_rule_accepts_an_answer_or_a_function(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    broker.when(FetchRequest, times=1).answer(FetchResponse(throttle_time_ms=7))
    broker.when(FetchRequest).answer(lambda seen: FetchResponse(session_id=seen.message.max_bytes))
    with Asker(broker.bootstrap) as asker:
        assert asker.ask(fetch("orders"), version=12).throttle_time_ms == 7
        assert asker.ask(FetchRequest(max_bytes=3), version=12).session_id == 3
    assert [seen.message.max_bytes for seen in broker.seen(FetchRequest)][1] == 3
    assert broker.seen(FetchRequest)[0].client_id == "asker"


def test_all_rules_that_select_a_request_apply(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    broker.when(FetchRequest).throttle(250)
    broker.when(FetchRequest, times=1).delay(0.01)
    broker.when(FetchRequest).error("KAFKA_STORAGE_ERROR")
    with Asker(broker.bootstrap) as asker:
        answer = asker.ask(fetch("orders"), version=12)
    assert answer.throttle_time_ms == 250
    assert answer.responses[0].partitions[0].error_code == ErrorCode.KAFKA_STORAGE_ERROR


def test_an_answer_is_cut(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    broker.when(MetadataRequest).cut(after_bytes=10)
    with Asker(broker.bootstrap) as asker:
        asker.send(MetadataRequest(topics=None), version=12)
        assert len(asker.received_until_the_end()) == 10


def test_a_connection_is_closed_without_an_answer(scripted_broker: Start) -> None:
    broker = scripted_broker()
    broker.when(MetadataRequest).hang_up()
    with Asker(broker.bootstrap) as asker:
        asker.send(MetadataRequest(topics=None), version=12)
        assert asker.received_until_the_end() == b""


def test_nothing_is_answered_after_a_dropped_request(scripted_broker: Start) -> None:
    broker = scripted_broker()
    broker.when(MetadataRequest, times=1).drop()
    with Asker(broker.bootstrap) as asker:
        asker.send(MetadataRequest(topics=None), version=12)
        asker.send(ApiVersionsRequest(), version=0)
        with pytest.raises(TimeoutError):
            asker.receive(timeout=0.1)
    with Asker(broker.bootstrap) as asker:
        asker.ask(MetadataRequest(topics=None), version=12)


def test_a_test_can_wait_for_requests(scripted_broker: Start) -> None:
    broker = scripted_broker()
    with Asker(broker.bootstrap) as asker:
        asker.ask(MetadataRequest(topics=None), version=12)
        (seen,) = broker.wait_for(MetadataRequest)
    assert (seen.version, seen.connection) == (12, 1)
    with pytest.raises(TimeoutError) as caught:
        broker.wait_for(FetchRequest, timeout=0.01)
    assert str(caught.value) == (
        "expected 1 of FetchRequest within 0.01 s, got 0; requests that came in: MetadataRequest 1"
    )


def run(write_rules: Callable[[ScriptedBroker], object], *requests: tuple[Request, int]) -> None:
    """Run a test with rules. Its client sends requests, and loses its connection after the last one."""
    with scripted_broker() as broker:
        write_rules(broker)
        for request, version in requests:
            with Asker(broker.bootstrap) as asker:
                asker.send(request, version=version)
                broker.wait_for(type(request))
                with suppress(EOFError):
                    asker.receive()


class TestMistakes:
    def test_an_unused_rule_fails_the_test(self) -> None:
        with pytest.raises(UnusedRuleError) as caught:
            run(
                lambda broker: broker.when(FetchRequest, topic="orders", times=2).error("NOT_LEADER_OR_FOLLOWER"),
                (ApiVersionsRequest(), 0),
            )
        assert str(caught.value) == (
            "never used: when(FetchRequest, topic='orders', times=2).error('NOT_LEADER_OR_FOLLOWER');"
            " requests that came in: ApiVersionsRequest 1"
        )

    def test_a_missing_client_is_reported(self) -> None:
        with pytest.raises(UnusedRuleError, match="no client connected: does it connect to `bootstrap`"):
            run(lambda broker: broker.when(FetchRequest).drop())

    def test_a_rule_without_a_fault_is_an_error(self) -> None:
        with pytest.raises(UnusedRuleError, match=r"never used: when\(FetchRequest\); add \.error\(\.\.\.\)"):
            run(lambda broker: broker.when(FetchRequest))

    def test_a_request_without_an_answer_is_an_error(self) -> None:
        with pytest.raises(UnansweredRequestError) as caught:
            run(lambda _: None, (ListOffsetsRequest(), 2))
        assert str(caught.value) == (
            "no answer for ListOffsetsRequest version 2 (1 times); write broker.when(ListOffsetsRequest).answer(...)"
        )

    @pytest.mark.parametrize(
        ("offered", "expected"),
        [
            ((4, 11), "expected FetchRequest in versions 4 to 11, found version 12"),
            (None, "expected no FetchRequest, found version 12"),
        ],
    )
    def test_a_request_in_an_unoffered_version_ends_the_connection(
        self, offered: tuple[int, int] | None, expected: str
    ) -> None:
        def run() -> None:
            with scripted_broker({"orders": 1}, versions={FetchRequest: offered}) as broker:
                broker.when(FetchRequest).error("NONE")
                with Asker(broker.bootstrap) as asker:
                    asker.send(fetch("orders"), version=12)
                    assert asker.received_until_the_end() == b""

        with pytest.raises(UnansweredRequestError) as caught:
            run()
        assert str(caught.value) == f"{expected} (1 times); `versions` has what the broker offers"

    def test_the_error_of_a_failing_test_has_a_note_about_unused_rules(self) -> None:
        def fail(broker: ScriptedBroker) -> None:
            broker.when(FetchRequest).drop()
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError) as caught:
            run(fail)
        (note,) = caught.value.__notes__
        assert note == (
            "ScriptedBroker: never used: when(FetchRequest).drop();"
            " no client connected: does it connect to `bootstrap`?"
        )

    def test_an_answer_to_another_request_is_an_error(self) -> None:
        with pytest.raises(NoFaultError, match="MetadataRequest is answered by MetadataResponse, not by FetchResponse"):
            run(lambda broker: broker.when(MetadataRequest).answer(FetchResponse()), (MetadataRequest(), 12))

    def test_a_throttle_needs_a_version_with_a_throttle_time(self) -> None:
        with pytest.raises(NoFaultError, match="MetadataResponse version 1 has no throttle time; use delay"):
            run(lambda broker: broker.when(MetadataRequest).throttle(10), (MetadataRequest(), 1))

    @pytest.mark.parametrize(
        ("wrong", "expected"),
        [
            (lambda broker: broker.when(FetchRequest).error("NOT_LEADER"), "did you mean NOT_LEADER_OR_FOLLOWER"),
            (lambda broker: broker.when(FetchRequest).error("x"), "ErrorCode has all names"),
            (lambda broker: broker.when(FetchResponse), "class of a request: FetchRequest, got FetchResponse"),
            (lambda broker: broker.when("Fetch"), "class of a request, such as FetchRequest, got 'Fetch'"),
            (
                lambda broker: broker.when(FetchRequest, times=0),
                "times: expected a whole number of at least 1, found 0",
            ),
            (lambda broker: broker.when(ApiVersionsRequest, topic="a"), "ApiVersionsRequest has no topics: leave out"),
            (lambda broker: broker.when(MetadataRequest, partition=0), "MetadataRequest has no partitions"),
            (
                lambda broker: broker.when(ProduceRequest).drop().delay(1),
                r"already has a fault; write another when",
            ),
        ],
    )
    def test_mistakes_are_reported_with_advice(self, wrong: Callable[[ScriptedBroker], object], expected: str) -> None:
        with pytest.raises((TypeError, ValueError), match=expected):
            wrong(scripted_broker())


def test_list_offsets_reports_errors_in_the_partition(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    broker.when(ListOffsetsRequest, topic="orders").error("OFFSET_NOT_AVAILABLE")
    topic = ListOffsetsTopic(name="orders", partitions=(ListOffsetsPartition(partition_index=0, timestamp=-1),))
    request: Request = ListOffsetsRequest(topics=(topic,))
    with Asker(broker.bootstrap) as asker:
        answer = asker.ask(request, version=7)
    assert answer.topics[0].partitions[0].error_code == ErrorCode.OFFSET_NOT_AVAILABLE


class TestWithoutAcknowledgement:
    """Produce requests with acks=0 have no answer."""

    @pytest.fixture
    def request_without_answer(self) -> ProduceRequest:
        topic = TopicProduceData(name="orders", partition_data=(PartitionProduceData(index=0),))
        return ProduceRequest(acks=0, topic_data=(topic,))

    @pytest.mark.parametrize("answer", [None, ProduceResponse()])
    def test_no_answer_is_sent(
        self, scripted_broker: Start, request_without_answer: ProduceRequest, answer: ProduceResponse | None
    ) -> None:
        broker = scripted_broker({"orders": 1})
        rule = broker.when(ProduceRequest)
        if answer is None:
            rule.error("NONE")
        else:
            rule.answer(answer)
        with Asker(broker.bootstrap) as asker:
            asker.send(request_without_answer, version=9)
            assert asker.ask(MetadataRequest(topics=None), version=12).brokers

    def test_an_error_closes_the_connection(
        self, scripted_broker: Start, request_without_answer: ProduceRequest
    ) -> None:
        broker = scripted_broker({"orders": 1})
        rule = broker.when(ProduceRequest).error("NOT_LEADER_OR_FOLLOWER")
        with Asker(broker.bootstrap) as asker:
            asker.send(request_without_answer, version=9)
            assert asker.received_until_the_end() == b""
        assert rule.used == 1


@pytest.mark.parametrize("version", FindCoordinatorRequest.VALID_VERSIONS)
def test_find_coordinator_reports_an_unavailable_coordinator(scripted_broker: Start, version: int) -> None:
    request = FindCoordinatorRequest(key="billing")
    if version >= 4:
        request = FindCoordinatorRequest(coordinator_keys=("billing", "orders"))
    broker = scripted_broker()
    with Asker(broker.bootstrap) as asker:
        answer = asker.ask(request, version=version)
    found = answer.coordinators if version >= 4 else [answer]
    assert {each.error_code for each in found} == {ErrorCode.COORDINATOR_NOT_AVAILABLE}
    assert len(found) == len(request.coordinator_keys or [1])


def test_bytes_after_a_request_are_ignored(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    # librdkafka appends three extra bytes to a request for all topics.
    topics = AdminClient({"bootstrap.servers": broker.bootstrap}).list_topics(timeout=60).topics
    assert list(topics) == ["orders"]
    assert any(
        seen.received.body[len(seen.message.encode(version=seen.version)) :] for seen in broker.seen(MetadataRequest)
    )
