"""The client on real brokers: every security protocol and mechanism, wrong settings, brokers that go and come back."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import get_args

import pytest
import trustme

from messagegen_client.admin import Admin
from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import AuthenticationError, KafkaError, SaslAuthenticationError
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import (
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    MetadataRequest,
    MetadataResponse,
)
from tests.broker.cluster import Cluster as Brokers
from tests.broker.settings import Listener, Mechanism
from tests.client.fakes.broker import in_loop

LISTENERS: tuple[Listener, ...] = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS: tuple[Mechanism, ...] = get_args(Mechanism)
WAYS = [(listener, mechanism) for listener in LISTENERS for mechanism in MECHANISMS if "SASL" in listener] + [
    ("PLAINTEXT", MECHANISMS[0]),
    ("SSL", MECHANISMS[0]),
]


def config_for(
    brokers: Brokers,
    listener: Listener,
    mechanism: Mechanism = "SCRAM-SHA-256",
    changes: Mapping[str, str] | None = None,
) -> ClientConfig:
    properties = {**brokers.client_properties(listener, mechanism=mechanism), **(changes or {})}
    config, warnings = ClientConfig.from_properties(properties, bootstrap_servers=brokers.bootstrap(listener))
    assert warnings == config.security.warnings()
    return config


@in_loop
async def _failures(configs: Iterable[ClientConfig], errors: list[KafkaError]) -> None:
    async def fail(config: ClientConfig) -> KafkaError:
        async with Cluster(config) as cluster:
            with pytest.raises(KafkaError) as caught:
                await cluster.metadata(deadline=cluster.deadline(60))
        return caught.value

    errors += await asyncio.gather(*map(fail, configs))


def failures(*configs: ClientConfig) -> list[KafkaError]:
    """The error of each config; all connect at the same time."""
    errors: list[KafkaError] = []
    _failures(configs, errors)
    return errors


@pytest.mark.filterwarnings("ignore:SASL PLAIN without TLS")
@pytest.mark.parametrize(("listener", "mechanism"), WAYS)
def test_every_way_to_connect(broker: Brokers, listener: Listener, mechanism: Mechanism) -> None:
    with Admin(config_for(broker, listener, mechanism)) as admin:
        assert isinstance(admin.describe_client_quotas(), dict)


def test_a_wrong_password(broker: Brokers, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    configs: list[ClientConfig] = []
    for mechanism in MECHANISMS:
        jaas = broker.client_properties("SASL_SSL", mechanism=mechanism)["sasl.jaas.config"]
        wrong = jaas.replace(broker.users["admin"], "wrong-hunter2")
        configs.append(config_for(broker, "SASL_SSL", mechanism, {"sasl.jaas.config": wrong}))
    errors = failures(*configs)
    for mechanism, error in zip(MECHANISMS, errors, strict=True):
        assert isinstance(error, SaslAuthenticationError)
        assert f"rejected user 'admin' with {mechanism}: " in str(error)
        assert "SASL_AUTHENTICATION_FAILED" in str(error)
        assert "hunter2" not in repr(error) + str(error)
    assert "hunter2" not in caplog.text


def test_another_security_protocol_than_the_brokers(broker: Brokers) -> None:
    pairs = list(itertools.permutations(LISTENERS, 2))
    configs = [
        ClientConfig.from_properties(broker.client_properties(ours), bootstrap_servers=broker.bootstrap(theirs))[0]
        for ours, theirs in pairs
    ]
    for (ours, theirs), error in zip(pairs, failures(*configs), strict=True):
        assert "security.protocol" in str(error), (ours, theirs)
        assert broker.bootstrap(theirs) in str(error)


def test_a_truststore_of_somebody_else(broker: Brokers, tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.pem"
    stranger.write_bytes(trustme.CA().cert_pem.bytes())
    trust = {"ssl.truststore.location": str(stranger)}
    assert isinstance(failures(config_for(broker, "SSL", changes=trust))[0], AuthenticationError)


def test_the_certificate_of_the_broker_may_be_trusted_itself_as_in_java(broker: Brokers) -> None:
    trust = {"ssl.truststore.location": str(broker.certificates.server)}
    with Admin(config_for(broker, "SSL", changes=trust)) as admin:
        assert isinstance(admin.describe_client_quotas(), dict)


def test_versions_of_tls_are_followed(broker: Brokers) -> None:
    for version in ("TLSv1.2", "TLSv1.3"):
        with Admin(config_for(broker, "SSL", changes={"ssl.enabled.protocols": version})) as admin:
            admin.describe_client_quotas()


@in_loop
async def _each_version(config: ClientConfig) -> None:
    async with Cluster(config) as cluster:
        for version in MetadataRequest.VALID_VERSIONS:
            answer = await cluster.call(
                MetadataRequest(topics=None if version else ()),  # Version 0 has no null; none is all there.
                MetadataResponse,
                deadline=cluster.deadline(20),
                versions=range(version, version + 1),
            )
            assert [one.node_id for one in answer.message.brokers] == [1]
            assert answer.version == version


def test_every_version_of_a_request(broker: Brokers) -> None:
    _each_version(config_for(broker, "PLAINTEXT"))


@in_loop
async def _survive(brokers: Brokers) -> None:
    in_thread = asyncio.get_running_loop().run_in_executor
    async with Cluster(config_for(brokers, "SASL_SSL")) as cluster:

        async def answered_by(target: int | None) -> int:
            answer = await cluster.call(
                DescribeClientQuotasRequest(components=()),
                DescribeClientQuotasResponse,
                to=target,
                deadline=cluster.deadline(60),
            )
            return answer.broker.id

        known = await cluster.metadata(deadline=cluster.deadline(30))
        assert sorted(known.brokers) == [1, 2, 3]
        node = await answered_by(None)
        assert node in known.brokers
        await in_thread(None, brokers.kill, node)
        assert await answered_by(None) != node
        await in_thread(None, brokers.start, node)
        assert await answered_by(node) == node


def test_a_broker_that_goes_and_comes_back(three_brokers: Brokers) -> None:
    _survive(three_brokers)
