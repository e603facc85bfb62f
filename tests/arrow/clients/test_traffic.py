"""Clients and their versions, from the events of observers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

import messagegen_kafka
from messagegen import load
from messagegen_arrow import ClientTraffic, client_reports
from messagegen_arrow.clients.traffic import ClientConnection, ClientName
from messagegen_arrow.clients.verdicts import NOT_OFFERED, UsedVersion, Verdict
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    MetadataRequest,
    Observer,
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from messagegen_kafka.api_versions_response import ApiVersion

MESSAGE_SPECS: Final = Path(__file__).parents[3] / "message_specs"
API_VERSIONS: Final = 18
METADATA: Final = 3
UNSUPPORTED_VERSION: Final = 35


class Conversation:
    """A connection whose frames pass through an observer of ``package``."""

    def __init__(
        self, traffic: ClientTraffic, address: str | None = None, package: ModuleType = messagegen_kafka
    ) -> None:
        self.connection: ClientConnection = traffic.connect(address)
        self._observer: Any = package.Observer(package)
        self._asked = 0

    def ask(self, message: Any, version: int, client_id: str | None = "billing", answer: Any = None) -> None:
        """Send a request, and its answer if there is one."""
        self._asked += 1
        frame = message.encode_frame(version=version, correlation_id=self._asked, client_id=client_id)
        self.pass_on(frame)
        if answer is not None:
            refused = getattr(answer, "error_code", 0) == UNSUPPORTED_VERSION
            self.pass_on(answer.encode_frame(version=0 if refused else version, correlation_id=self._asked), False)

    def pass_on(self, frame: bytes, from_client: bool = True) -> None:
        """Pass bytes of the client or the broker through the observer."""
        read = self._observer.from_client if from_client else self._observer.from_broker
        for event in read(frame):
            self.connection.add(event)


def software(name: str = "shop-client", version: str = "1.2") -> ApiVersionsRequest:
    return ApiVersionsRequest(client_software_name=name, client_software_version=version)


def offer(highest: Mapping[int, int], error_code: int = 0) -> ApiVersionsResponse:
    keys = tuple(ApiVersion(api_key=key, min_version=0, max_version=version) for key, version in highest.items())
    return ApiVersionsResponse(error_code=error_code, api_keys=keys)


def used(traffic: ClientTraffic, name: ClientName) -> Mapping[int, frozenset[UsedVersion]]:
    return traffic.used_versions(traffic.clients[name])


def test_a_client_is_named_by_its_software_and_client_id() -> None:
    traffic = ClientTraffic()
    conversation = Conversation(traffic)
    conversation.ask(software(), 3, answer=offer({API_VERSIONS: 4, METADATA: 12}))
    conversation.ask(MetadataRequest(), 9)
    name = ClientName("shop-client", "1.2", "billing", None)
    assert set(traffic.clients) == {name}
    assert used(traffic, name) == {METADATA: {UsedVersion(9, 12)}, API_VERSIONS: {UsedVersion(3, 4)}}


def test_clients_without_software_or_client_id_are_listed() -> None:
    traffic = ClientTraffic()
    Conversation(traffic).ask(ApiVersionsRequest(), 0, None)
    assert set(traffic.clients) == {ClientName(None, None, None, None)}


def test_addresses_and_connections_of_a_client_are_counted() -> None:
    traffic = ClientTraffic()
    for address in ("10.0.0.1", "10.0.0.2", "10.0.0.1", None):
        Conversation(traffic, address).ask(software(), 3)
    (report,) = client_reports(traffic, "4.4.0")
    assert (report.addresses, report.connections) == (2, 4)


def test_clients_of_closed_connections_are_kept() -> None:
    traffic = ClientTraffic()
    conversation = Conversation(traffic, "10.0.0.1")
    conversation.ask(software(), 3)
    before = traffic.clients
    conversation.connection.close()
    conversation.connection.close()
    assert traffic.clients == before


def test_a_connection_may_have_several_client_ids() -> None:
    traffic = ClientTraffic()
    conversation = Conversation(traffic)
    conversation.ask(software(), 3, "a")
    conversation.ask(MetadataRequest(), 9, "b")
    assert {name.client_id: set(used(traffic, name)) for name in traffic.clients} == {
        "a": {API_VERSIONS},
        "b": {METADATA},
    }


def test_connections_without_an_offer_get_the_lowest_offer_of_other_connections() -> None:
    traffic = ClientTraffic()
    Conversation(traffic).ask(MetadataRequest(), 9, "alone")
    alone = ClientName(None, None, "alone", None)
    assert used(traffic, alone) == {METADATA: {UsedVersion(9, None)}}
    for highest in (12, 11):
        Conversation(traffic).ask(software(), 3, answer=offer({METADATA: highest}))
    Conversation(traffic).ask(software(), 3, answer=offer({API_VERSIONS: 3}))
    assert used(traffic, alone) == {METADATA: {UsedVersion(9, 11)}}


def test_a_version_of_an_unoffered_api_is_marked_as_not_offered() -> None:
    traffic = ClientTraffic()
    conversation = Conversation(traffic)
    conversation.ask(software(), 3, answer=offer({API_VERSIONS: 3}))
    conversation.ask(MetadataRequest(), 9)
    (name,) = traffic.clients
    assert used(traffic, name)[METADATA] == {UsedVersion(9, NOT_OFFERED)}


def test_a_refused_version_counts_as_a_fallback_but_not_as_an_offer() -> None:
    traffic = ClientTraffic()
    conversation = Conversation(traffic)
    conversation.ask(software(), 5, answer=offer({API_VERSIONS: 3}, UNSUPPORTED_VERSION))
    conversation.ask(software(), 3, answer=offer({API_VERSIONS: 3, METADATA: 12}))
    (name,) = traffic.clients
    assert used(traffic, name) == {API_VERSIONS: {UsedVersion(5, 3, is_refused=True), UsedVersion(3, 3)}}
    assert [each.verdict for each in client_reports(traffic, "3.9..4.3")] == [Verdict.FELL_BACK]


@pytest.mark.parametrize(
    ("mechanism", "token", "principal"),
    [
        ("PLAIN", b"\0ann\0secret", "User:ann"),
        ("PLAIN", b"zoe\0ann\0secret", "User:ann"),
        ("PLAIN", b"ann", None),
        ("PLAIN", b"\0\0secret", None),
        ("SCRAM-SHA-256", b"n,,n=ann,r=abc", "User:ann"),
        ("SCRAM-SHA-512", b"n,a=zoe,n=a=2Cb=3Dc,r=abc", "User:a,b=c"),
        ("SCRAM-SHA-256", b"n,,n=token-id,r=abc,tokenauth=true", None),
        ("SCRAM-SHA-256", b"c=biws,r=abc,p=proof", None),
        ("GSSAPI", b"\0ann\0secret", None),
        ("OAUTHBEARER", b"n,,\x01auth=Bearer ey\x01\x01", None),
        ("PLAIN", b"\xff\0ann\0secret", None),
    ],
)
@pytest.mark.parametrize("handshake", [0, 1])
def test_the_first_token_of_a_login_names_the_principal(
    mechanism: str, token: bytes, principal: str | None, handshake: int
) -> None:
    traffic = ClientTraffic()
    conversation = Conversation(traffic)
    answer = SaslHandshakeResponse(mechanisms=(mechanism,))
    conversation.ask(SaslHandshakeRequest(mechanism=mechanism), handshake, answer=answer)
    if handshake:
        conversation.ask(SaslAuthenticateRequest(auth_bytes=token), 2, answer=SaslAuthenticateResponse())
        conversation.ask(SaslAuthenticateRequest(auth_bytes=b"c=biws,r=abc,p=proof"), 2)
    else:
        conversation.pass_on(len(token).to_bytes(4) + token)
        conversation.pass_on(b"\0\0\0\0", from_client=False)
    assert {name.principal for name in traffic.clients} == {principal}
    assert b"secret" not in repr(traffic.clients).encode()


def test_versions_of_undecodable_requests_are_counted() -> None:
    traffic = ClientTraffic()
    connection = traffic.connect()
    frame = software().encode_frame(version=3, correlation_id=1, client_id="billing")
    connection.add(Observer(messagegen_kafka, gaps=True).request(frame[4:20]))
    unreadable = Observer(messagegen_kafka, gaps=True).request(frame[4:15])
    connection.add(unreadable)
    newest = b"\0\x12\0\x63\0\0\0\x01\0\x07billing"
    connection.add(Observer(messagegen_kafka, gaps=True).request(newest))
    versions = {version.version for client in traffic.clients.values() for version in traffic.used_versions(client)[18]}
    assert versions == {3, 0x63}


def test_events_from_observers_of_other_packages_are_accepted() -> None:
    names = ["ApiVersionsRequest", "ApiVersionsResponse", "RequestHeader", "ResponseHeader"]
    package: Any = load(MESSAGE_SPECS, messages=names)
    traffic = ClientTraffic()
    conversation = Conversation(traffic, package=package)
    request = package.ApiVersionsRequest(client_software_name="own", client_software_version="1")
    conversation.ask(request, 3, answer=package.ApiVersionsResponse())
    assert set(traffic.clients) == {ClientName("own", "1", "billing", None)}
