"""The client works with real brokers: every security protocol and mechanism, wrong settings, and restarts."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Iterable, Mapping
from typing import get_args

import pytest

from messagegen_client.admin import Admin
from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import KafkaError, SaslAuthenticationError
from messagegen_client.transport.cluster import Cluster
from tests.broker.cluster import Cluster as Brokers
from tests.broker.settings import USERS, Listener, Mechanism
from tests.client.support.event_loop import in_loop

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
    """Return the error of each config; all connect at the same time."""
    errors: list[KafkaError] = []
    _failures(configs, errors)
    return errors


@pytest.mark.filterwarnings("ignore:SASL PLAIN without TLS")
@pytest.mark.parametrize(("listener", "mechanism"), WAYS)
def test_each_security_protocol_and_mechanism_works(broker: Brokers, listener: Listener, mechanism: Mechanism) -> None:
    with Admin(config_for(broker, listener, mechanism)) as admin:
        assert isinstance(admin.describe_client_quotas(), dict)


def test_a_wrong_password_is_an_error_without_the_password(broker: Brokers, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    configs: list[ClientConfig] = []
    for mechanism in MECHANISMS:
        jaas = broker.client_properties("SASL_SSL", mechanism=mechanism)["sasl.jaas.config"]
        wrong = jaas.replace(USERS["admin"], "wrong-hunter2")
        configs.append(config_for(broker, "SASL_SSL", mechanism, {"sasl.jaas.config": wrong}))
    errors = failures(*configs)
    for mechanism, error in zip(MECHANISMS, errors, strict=True):
        assert isinstance(error, SaslAuthenticationError)
        assert f"rejected user 'admin' with {mechanism}: " in str(error)
        assert "SASL_AUTHENTICATION_FAILED" in str(error)
        assert "hunter2" not in repr(error) + str(error)
    assert "hunter2" not in caplog.text


@pytest.mark.slow
def test_the_error_about_a_wrong_security_protocol_names_the_setting(broker: Brokers) -> None:
    pairs = list(itertools.permutations(LISTENERS, 2))
    configs = [
        ClientConfig.from_properties(broker.client_properties(ours), bootstrap_servers=broker.bootstrap(theirs))[0]
        for ours, theirs in pairs
    ]
    for (ours, theirs), error in zip(pairs, failures(*configs), strict=True):
        assert "security.protocol" in str(error), (ours, theirs)
        assert broker.bootstrap(theirs) in str(error)
