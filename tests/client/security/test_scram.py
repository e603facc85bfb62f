"""SCRAM, message by message: the example from RFC 7677, and the encoding of names and passwords."""

from __future__ import annotations

import asyncio

import pytest
from scramp import ScramMechanism  # type: ignore[import-untyped]  # it has no annotations

from messagegen_client.errors import SaslAuthenticationError
from messagegen_client.security.scram import scram_exchange

NONCE = "rOprNGfwEbeRWgbNEkqO"
SERVER_FIRST = f"r={NONCE}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
SERVER_FINAL = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="


async def replies(*answers: str, username: str = "user", password: str = "pencil") -> list[str]:
    """Return the client's messages to a server with these answers."""
    exchange = scram_exchange("SCRAM-SHA-256", username, password, NONCE)
    sent = [(await anext(exchange)).data.decode()]
    for answer in answers:
        try:
            sent.append((await exchange.asend(answer.encode())).data.decode())
        except StopAsyncIteration:
            sent.append("the client is satisfied")
    await exchange.aclose()
    return sent


def test_the_example_of_rfc_7677_is_reproduced() -> None:
    assert asyncio.run(replies(SERVER_FIRST, SERVER_FINAL)) == [
        f"n,,n=user,r={NONCE}",
        f"c=biws,r={NONCE}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
        "the client is satisfied",
    ]


def test_commas_and_equals_signs_in_names_are_escaped() -> None:
    assert asyncio.run(replies(username="a=b,c")) == [f"n,,n=a=3Db=2Cc,r={NONCE}"]


def test_passwords_are_not_normalized_because_brokers_do_not_normalize_them() -> None:
    # SASLprep turns ª into a.
    proofs = {asyncio.run(replies(SERVER_FIRST, password=password))[1] for password in ("ª", "a")}
    assert len(proofs) == 2


@pytest.mark.parametrize(
    "server_first",
    ["", "r", SERVER_FIRST.replace("r=", "r=x"), SERVER_FIRST.replace("W22", "W-2"), SERVER_FIRST.replace("s=", "t=")],
)
def test_an_invalid_first_message_is_an_error(server_first: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        asyncio.run(replies(server_first))


@pytest.mark.parametrize(
    "server_final", ["", "e=invalid-proof", "v=", "v=AAAA", SERVER_FINAL.replace("6rr", "7rr"), "v=é"]
)
def test_a_server_that_does_not_prove_that_it_knows_the_password_is_an_error(server_final: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        asyncio.run(replies(SERVER_FIRST, server_final))


@pytest.mark.parametrize("count", ["", "1", "4095", "100001", "4096,i=100001", "-4096", "４０９６"])
def test_a_number_of_iterations_outside_the_limits_is_an_error(count: str) -> None:
    with pytest.raises(SaslAuthenticationError, match="expected 4096 to 100000"):
        asyncio.run(replies(SERVER_FIRST.replace("4096", count)))


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_a_server_of_another_library_accepts_the_proof(mechanism: str) -> None:
    async def run() -> None:
        scram = ScramMechanism(mechanism)
        known = scram.make_auth_info("secret", iteration_count=5000)
        server = scram.make_server(lambda _: known)
        exchange = scram_exchange(mechanism, "alice", "secret")
        server.set_client_first((await anext(exchange)).data.decode())
        server.set_client_final((await exchange.asend(server.get_server_first().encode())).data.decode())
        with pytest.raises(StopAsyncIteration):
            await exchange.asend(server.get_server_final().encode())

    asyncio.run(run())
