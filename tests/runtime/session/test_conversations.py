"""Conversations between a client and a broker, through an observer, with the bytes split anywhere."""

from __future__ import annotations

from collections import deque

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import messagegen_kafka
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    BrokerSession,
    ClientSession,
    ListOffsetsRequest,
    ListOffsetsResponse,
    MetadataRequest,
    MetadataResponse,
    Observer,
    ProduceRequest,
    ReceivedRequest,
    ReceivedResponse,
    Request,
    Response,
    SentRequest,
)

UNANSWERED = ProduceRequest(acks=0)
REQUESTS: list[Request] = [ApiVersionsRequest(), MetadataRequest(), ListOffsetsRequest(), UNANSWERED]
RESPONSES: dict[int, Response] = {
    ApiVersionsRequest.API_KEY: ApiVersionsResponse(),
    MetadataRequest.API_KEY: MetadataResponse(cluster_id="c"),
    ListOffsetsRequest.API_KEY: ListOffsetsResponse(),
}
AT_ONCE = 30
"""The maximum number of bytes that arrive in one step."""


class Conversation(RuleBasedStateMachine):
    """Moves bytes from the client through the observer to the broker, and back, in small steps."""

    def __init__(self) -> None:
        super().__init__()
        self.client = ClientSession(messagegen_kafka, client_id="app")
        self.observer = Observer(messagegen_kafka)
        self.broker = BrokerSession(messagegen_kafka)
        self.to_broker = bytearray()
        self.to_client = bytearray()
        self.unanswered: list[ReceivedRequest] = []
        self.expected: deque[SentRequest] = deque()
        """The requests whose responses the client must receive, in order."""

    @rule(request=st.sampled_from(REQUESTS), data=st.data())
    def send(self, request: Request, data: st.DataObject) -> None:
        version = data.draw(st.sampled_from(request.VALID_VERSIONS))
        sent = self.client.send(request, version=version)
        self.to_broker += sent.frame
        if request is not UNANSWERED:
            self.expected.append(sent)

    @rule(count=st.integers(1, AT_ONCE))
    def arrive_at_the_broker(self, count: int) -> None:
        part = bytes(self.to_broker[:count])
        del self.to_broker[:count]
        observed = [event.frame for event in self.observer.from_client(part)]
        received = list(self.broker.receive(part))
        assert observed == [event.frame for event in received]
        for event in received:
            assert isinstance(event, ReceivedRequest)
            if event.expects_response:
                self.unanswered.append(event)

    @rule(data=st.data())
    def answer_in_any_order(self, data: st.DataObject) -> None:
        if not self.unanswered:
            return
        request = data.draw(st.sampled_from(self.unanswered))
        self.unanswered.remove(request)
        self.to_client += self.broker.respond(request, RESPONSES[request.api_key])

    @rule(count=st.integers(1, AT_ONCE))
    def arrive_at_the_client(self, count: int) -> None:
        part = bytes(self.to_client[:count])
        del self.to_client[:count]
        observed = list(self.observer.from_broker(part))
        for event, seen in zip(self.client.receive(part), observed, strict=True):
            assert isinstance(event, ReceivedResponse)
            assert isinstance(seen, ReceivedResponse)
            sent = self.expected.popleft()
            assert event.request is sent
            for each in (event, seen):
                assert (each.correlation_id, each.api_key) == (sent.correlation_id, sent.api_key)
                assert each.version == sent.version
            assert event.decode() == RESPONSES[sent.api_key]

    @invariant()
    def both_sides_count_the_same(self) -> None:
        assert self.client.waiting == len(self.expected)
        assert self.broker.unanswered <= self.client.waiting


TestConversation = Conversation.TestCase
TestConversation.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
