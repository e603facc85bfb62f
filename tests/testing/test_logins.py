"""Logins with raw tokens (SaslHandshake version 0) through a proxy, which never waits for a missing answer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence
from typing import Self

import pytest

from messagegen_kafka import (
    Framer,
    MetadataRequest,
    MetadataResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from messagegen_kafka._runtime.session.framing import framed
from messagegen_testing import KafkaFaults

Proxy = Callable[..., KafkaFaults]

HANDSHAKE = SaslHandshakeRequest(mechanism="GSSAPI").encode_frame(version=0, correlation_id=1)
ACCEPTED = SaslHandshakeResponse(mechanisms=("GSSAPI",)).encode_frame(version=0, correlation_id=1)
REFUSED = SaslHandshakeResponse(error_code=33).encode_frame(version=0, correlation_id=1)
METADATA = MetadataRequest().encode_frame(version=12, correlation_id=2)
CLUSTER = MetadataResponse(cluster_id="c").encode_frame(version=12, correlation_id=2)
TOKEN = framed(b"\xfftoken")
CHALLENGE = framed(b"\xffchallenge")


class AnsweringBroker:
    """Accepts one connection, and answers each frame with the next bytes of a list, which may be empty.

    ``None`` closes the connection. ``received`` are the received frames.
    """

    def __init__(self, answers: Sequence[bytes | None]) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.received: list[bytes] = []
        self._answers = iter(answers)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        framer = Framer("request")
        with connection:
            while data := connection.recv(1 << 16):
                for payload in framer.feed(data):
                    self.received.append(framed(payload))
                    answer = next(self._answers)
                    if answer is None:
                        return
                    connection.sendall(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(10)
        self._listener.close()


Dialogue = list[tuple[bytes, bytes | None]]
"""A client's frames, each with its answer; the client waits for all bytes of an answer."""

DIALOGUES: dict[str, Dialogue] = {
    "no token is answered": [(HANDSHAKE, ACCEPTED), (TOKEN, b""), (METADATA, CLUSTER)],
    "the last token is not answered": [
        (HANDSHAKE, ACCEPTED),
        (TOKEN, CHALLENGE),
        (TOKEN, b""),
        (METADATA, CLUSTER),
        (METADATA, CLUSTER),
    ],
    "each token is answered": [(HANDSHAKE, ACCEPTED), (TOKEN, CHALLENGE), (TOKEN, CHALLENGE), (METADATA, CLUSTER)],
    "tokens are empty": [(HANDSHAKE, ACCEPTED), (framed(b""), framed(b"")), (METADATA, CLUSTER)],
    "tokens are answered at once": [(HANDSHAKE, ACCEPTED), (TOKEN + TOKEN, CHALLENGE + CHALLENGE), (METADATA, CLUSTER)],
    "the broker ends the login": [(HANDSHAKE, ACCEPTED), (TOKEN, CHALLENGE), (TOKEN, None)],
    "the broker ends the login without a challenge": [(HANDSHAKE, ACCEPTED), (TOKEN, None)],
    "the handshake is refused": [(HANDSHAKE, REFUSED), (TOKEN, None)],
}


def received_by_client(connection: socket.socket, dialogue: Dialogue) -> list[bytes]:
    """Return the answers to the frames of a dialogue."""
    answers = []
    for frame, expected in dialogue:
        connection.sendall(frame)
        answer = b""
        while (expected is None or len(answer) < len(expected)) and (data := connection.recv(1 << 16)):
            answer += data
        answers.append(answer)
    return answers


def answers_of_broker(dialogue: Dialogue) -> list[bytes | None]:
    """Return the answer to each frame; a client may send several frames in one step."""
    answers: list[bytes | None] = []
    for frame, answer in dialogue:
        if frame == TOKEN + TOKEN:
            answers += [CHALLENGE, CHALLENGE]
        else:
            answers.append(answer)
    return answers


def through_proxy(faults: KafkaFaults, dialogue: Dialogue) -> list[bytes]:
    """Return the answers that a client gets."""
    with socket.create_connection(("127.0.0.1", faults.port), timeout=30) as client:
        return received_by_client(client, dialogue)


@pytest.mark.parametrize("dialogue", DIALOGUES.values(), ids=DIALOGUES)
def test_a_login_passes_unchanged(kafka_faults: Proxy, dialogue: Dialogue) -> None:
    with AnsweringBroker(answers_of_broker(dialogue)) as broker:
        found = through_proxy(kafka_faults(broker.address), dialogue)
    assert found == [answer or b"" for _, answer in dialogue]
    assert b"".join(broker.received) == b"".join(frame for frame, _ in dialogue)


def test_a_request_can_immediately_follow_a_token(kafka_faults: Proxy) -> None:
    with AnsweringBroker([ACCEPTED, b"", CLUSTER]) as broker:
        faults = kafka_faults(broker.address)
        assert through_proxy(faults, [(HANDSHAKE, ACCEPTED), (TOKEN + METADATA, CLUSTER)]) == [ACCEPTED, CLUSTER]
    assert [seen.version for seen in faults.seen(MetadataRequest)] == [12]


def test_rules_apply_after_a_token_without_an_answer(kafka_faults: Proxy) -> None:
    with AnsweringBroker([ACCEPTED, b""]) as broker:
        faults = kafka_faults(broker.address)
        faults.when(MetadataRequest).answer(MetadataResponse(cluster_id="c"))
        assert through_proxy(faults, DIALOGUES["no token is answered"]) == [ACCEPTED, b"", CLUSTER]
    assert len(broker.received) == 2
