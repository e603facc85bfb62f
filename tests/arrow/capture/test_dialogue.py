"""Logins before KIP-152, headers that cannot be read, and requests that wait for responses."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen_arrow.capture.dialogue import Dialogue
from messagegen_arrow.capture.framing import Frame
from messagegen_kafka import SaslHandshakeRequest, SaslHandshakeResponse
from tests.arrow.support.capture_traffic import (
    Said,
    conversation,
    frames,
    frames_of,
    problems,
    request,
    response,
    rows,
    sized,
    write_pcap,
)
from tests.broker.pcap import Network


def handshake(version: int) -> list[Said]:
    asked = request(0, SaslHandshakeRequest(mechanism="PLAIN"), version)
    return [
        (True, sized(asked)),
        (False, sized(response(0, SaslHandshakeResponse(mechanisms=("PLAIN",)), version))),
    ]


def test_a_request_without_client_id_gets_the_first_client_id_of_its_connection(tmp_path: Path) -> None:
    client_ids = [None, "app", None, "other", None]
    said = []
    for number, client_id in enumerate(client_ids):
        said += [(True, sized(request(number, client_id=client_id))), (False, sized(response(number)))]
    found = rows(write_pcap(tmp_path / "a.pcap", said))
    # A request without a client id has the connection's first client id (KIP-1313).
    assert [each.client_id for each in found[::2]] == [None, "app", "app", "other", "app"]
    assert [each.client_id for each in found[1::2]] == [None, "app", "app", "other", "app"]
    other, *_ = rows(write_pcap(tmp_path / "b.pcap", [(True, sized(request(1, client_id=None)))]))
    assert other.client_id is None


TOKENS = {
    "PLAIN": [(True, sized(b"\0alice\0hunter2")), (False, sized(b""))],
    "SCRAM": [
        (True, sized(b"n,,n=alice,r=hunter2")),
        (False, sized(b"r=hunter2,s=QSXCR,i=4096")),
        (True, sized(b"c=biws,r=hunter2,p=hunter2=")),
        (False, sized(b"v=hunter2")),
    ],
    "GSSAPI, of which the last token gets no answer": [
        (True, sized(b"\x60\x82hunter2 of the client")),
        (False, sized(b"\x60\x82hunter2 of the broker")),
        (True, sized(b"")),
        (False, sized(b"\x05\x04hunter2")),
        (True, sized(b"\x05\x04hunter2 again")),
    ],
}


@pytest.mark.parametrize("network", [Network(), Network(segment_size=3, reordered=0.4, retransmitted=0.3)])
@pytest.mark.parametrize("mechanism", TOKENS)
def test_sasl_tokens_before_kip_152_are_rows_without_secrets(tmp_path: Path, mechanism: str, network: Network) -> None:
    tokens, after = TOKENS[mechanism], conversation(3)
    found = rows(write_pcap(tmp_path / "a.pcap", [*handshake(0), *tokens, *after], network))
    assert problems(found) == ["SASL_TOKEN"] * len(tokens)
    of_tokens = [row for row in found if row.problem]
    assert [row.size for row in of_tokens] == [len(data) - 4 for _, data in tokens]
    assert not any(row.frame or row.raw or b"hunter2" in repr(row).encode() for row in of_tokens)
    whole = frames(row for row in found if not row.problem)
    assert sorted(whole, key=str) == sorted(frames_of([*handshake(0), *after]), key=str)
    assert all(row.api_key is not None for row in found if not row.problem)


def test_all_messages_of_a_login_since_kip_152_are_frames(tmp_path: Path) -> None:
    said = [*handshake(1), *conversation(2)]
    assert frames(rows(write_pcap(tmp_path / "a.pcap", said))) == frames_of(said)


def frame(data: bytes) -> Frame:
    return Frame(5, 0, data, len(data))


def test_a_request_header_without_a_client_id_field_is_read() -> None:
    dialogue = Dialogue()
    row = dialogue.request(frame(bytes.fromhex("00070000 00000009 00000001")))
    assert (row.api_key, row.api_version, row.correlation_id, row.client_id, row.problem) == (7, 0, 9, None, None)
    answer = dialogue.response(frame(bytes.fromhex("00000009 0000 00000000")))
    assert (answer.api_key, answer.problem) == (7, None)
