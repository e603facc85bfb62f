"""PLAIN and SCRAM report bad brokers and wrong passwords clearly, and no error contains a secret."""

from __future__ import annotations

import asyncio
import base64
import logging
import traceback

import pytest

from messagegen_client.errors import (
    BootstrapError,
    NoCommonVersionError,
    SaslAuthenticationError,
)
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import (
    AlterClientQuotasRequest,
    SaslAuthenticateRequest,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from tests.client.support.broker import FakeBroker, Received, Reply, hang_up
from tests.client.support.event_loop import in_loop
from tests.client.support.failing import failure
from tests.client.support.sasl_broker import MECHANISMS, PASSWORD, SaslBroker, sasl_config

mechanisms = pytest.mark.parametrize("mechanism", MECHANISMS)
scram = pytest.mark.parametrize("mechanism", MECHANISMS[1:])


def everything_said(error: BaseException, caplog: pytest.LogCaptureFixture) -> str:
    return "".join([*traceback.format_exception(error), repr(error), caplog.text, repr(vars(error))])


def assert_no_secret(said: str, password: str = PASSWORD) -> None:
    for form in (password, base64.b64encode(password.encode()).decode(), password.encode().hex(), repr(password)[1:-1]):
        assert form not in said


@mechanisms
def test_an_error_about_a_wrong_password_does_not_contain_the_password(
    mechanism: str, caplog: pytest.LogCaptureFixture
) -> None:
    @in_loop
    async def check() -> None:
        async with SaslBroker("another one") as broker:
            error = await failure(sasl_config(broker, mechanism))
        assert isinstance(error, SaslAuthenticationError)
        assert f"rejected user 'alice' with {mechanism}" in str(error)
        assert broker.connections == 1
        assert_no_secret(everything_said(error, caplog))

    caplog.set_level(logging.DEBUG)
    check()
    assert "request 0 is ApiVersions v" in caplog.text


@scram
def test_a_broker_that_cannot_prove_the_password_is_rejected(mechanism: str, caplog: pytest.LogCaptureFixture) -> None:
    @in_loop
    async def check() -> None:
        async with SaslBroker() as broker:
            signature = base64.b64encode(b"\0" * 32).decode()
            broker.damage = lambda text: f"v={signature}" if text.startswith("v=") else text
            error = await failure(sasl_config(broker, mechanism))
        assert isinstance(error, SaslAuthenticationError)
        assert "it may be the wrong broker" in str(error)
        assert_no_secret(everything_said(error, caplog))

    caplog.set_level(logging.DEBUG)
    check()


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        ("", "message, or did not prove"),
        ("r=,s=,i=", "invalid number of SCRAM iterations"),
        ("e=other-error", "message, or did not prove"),
        ("r=not-our-nonce,s=QUJD,i=4096", "message, or did not prove"),
        ("\ud83d", "message, or did not prove"),
    ],
)
@in_loop
async def test_an_invalid_first_scram_message_of_a_broker_is_an_error(damaged: str, message: str) -> None:
    async with SaslBroker() as broker:
        broker.damage = lambda _: damaged.encode("utf-8", "surrogatepass").decode("latin-1")
        error = await failure(sasl_config(broker, "SCRAM-SHA-256"))
    assert isinstance(error, SaslAuthenticationError)
    assert message in str(error)


@pytest.mark.parametrize(
    "iterations",
    ["i=1", "i=4095", "i=100001", "i=999999999", "i=99999999999999999999", "i=-4096", "i=4096,i=999999999", "i=٤٠٩٦"],
)
@in_loop
async def test_the_number_of_scram_iterations_is_limited(iterations: str) -> None:
    async with SaslBroker() as broker:
        broker.damage = lambda text: text.replace("i=4096", iterations)
        error = await failure(sasl_config(broker, "SCRAM-SHA-256"))
    assert isinstance(error, SaslAuthenticationError)
    assert "invalid number of SCRAM iterations; expected 4096 to 100000" in str(error)


@in_loop
async def test_the_error_about_a_disabled_mechanism_lists_the_enabled_mechanisms() -> None:
    async with SaslBroker() as broker:
        broker.enabled = ("SCRAM-SHA-512", "GSSAPI")
        error = await failure(sasl_config(broker, "PLAIN"))
    assert "does not support PLAIN; set sasl.mechanism to one of its mechanisms: SCRAM-SHA-512, GSSAPI" in str(error)


@pytest.mark.parametrize(
    ("code", "message"), [(34, "does not use SASL on this port"), (31, "CLUSTER_AUTHORIZATION_FAILED")]
)
@in_loop
async def test_an_error_code_in_the_handshake_is_an_authentication_error(code: int, message: str) -> None:
    async def refuse(received: Received) -> Reply:
        return SaslHandshakeResponse(error_code=code)

    async with FakeBroker({SaslHandshakeRequest: refuse}) as broker:
        error = await failure(sasl_config(broker, "PLAIN"))
    assert isinstance(error, SaslAuthenticationError)
    assert message in str(error)


@in_loop
async def test_a_connection_is_replaced_when_its_sasl_session_expires() -> None:
    async with SaslBroker(lifetime_ms=1) as broker, Cluster(sasl_config(broker, "PLAIN")) as cluster:
        for _ in range(3):
            await cluster.metadata(deadline=cluster.deadline(20))
            await asyncio.sleep(0.002)
    assert broker.connections == 3


@in_loop
async def test_a_change_is_not_sent_if_the_connection_ends_during_authentication() -> None:
    async with SaslBroker() as broker, Cluster(sasl_config(broker, "PLAIN")) as cluster:
        broker.on[SaslAuthenticateRequest] = hang_up
        with pytest.raises(BootstrapError) as caught:
            await cluster.call(
                AlterClientQuotasRequest(entries=(), validate_only=False),
                deadline=cluster.deadline(20),
                changes=True,
            )
    assert not caught.value.outcome_unknown
    assert not any(reason.outcome_unknown for _, reason in caught.value.reasons)


@mechanisms
@in_loop
async def test_brokers_before_kafka_1_0_take_tokens_without_header(mechanism: str) -> None:
    async with SaslBroker() as broker:
        broker.offered[SaslHandshakeRequest.API_KEY] = (0, 0)
        async with Cluster(sasl_config(broker, mechanism)) as cluster:
            await cluster.metadata(deadline=cluster.deadline(20))
        assert not broker.requests(SaslAuthenticateRequest)


@mechanisms
@in_loop
async def test_brokers_before_kafka_1_0_close_the_connection_after_a_wrong_password(mechanism: str) -> None:
    async with SaslBroker("another one") as broker:
        broker.offered[SaslHandshakeRequest.API_KEY] = (0, 0)
        error = await failure(sasl_config(broker, mechanism))
    assert "closed the connection instead of answering ApiVersions or SASL" in str(error)


@in_loop
async def test_a_broker_without_saslhandshake_is_an_error() -> None:
    async with SaslBroker() as broker:
        del broker.offered[SaslHandshakeRequest.API_KEY]
        error = await failure(sasl_config(broker, "PLAIN"))
    assert isinstance(error, NoCommonVersionError)
    assert "does not support SaslHandshake (API key 17)" in str(error)
