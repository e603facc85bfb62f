"""The settings of Kafka's clients, and what this client does with each.

Taken from ``AdminClientConfig``, ``ConsumerConfig`` and ``ProducerConfig`` of Apache Kafka 4.3.1.
"""

from __future__ import annotations

from typing import Final

USED: Final = frozenset("""
    bootstrap.servers client.id default.api.timeout.ms request.timeout.ms retry.backoff.max.ms
    retry.backoff.ms sasl.jaas.config sasl.kerberos.service.name sasl.mechanism
    sasl.oauthbearer.token.endpoint.url security.protocol socket.connection.setup.timeout.ms ssl.enabled.protocols
    ssl.endpoint.identification.algorithm ssl.key.password ssl.keystore.certificate.chain ssl.keystore.key
    ssl.keystore.location ssl.keystore.password ssl.keystore.type ssl.protocol ssl.truststore.certificates
    ssl.truststore.location ssl.truststore.password ssl.truststore.type
    """.split())  # noqa: SIM905 - a list of words is easier to read and compare
"""Settings that this client uses."""

_JAVA_CLASS: Final = "remove it; Java classes can't be loaded here"
REFUSED: Final = {
    "bootstrap.controllers": "use bootstrap.servers; this client connects to brokers",
    "config.providers": "write the values; placeholders such as ${file:...} are not replaced",
    "sasl.client.callback.handler.class": _JAVA_CLASS,
    "sasl.login.callback.handler.class": _JAVA_CLASS,
    "sasl.login.class": _JAVA_CLASS,
    "security.providers": _JAVA_CLASS,
    "ssl.cipher.suites": "remove it, or set ssl.enabled.protocols; OpenSSL chooses the suites",
    "ssl.engine.factory.class": _JAVA_CLASS,
}
"""Unsupported settings that would change what is sent or trusted; each with advice."""

IGNORED: Final = frozenset("""
    acks allow.auto.create.topics auto.commit.interval.ms auto.include.jmx.reporter auto.offset.reset
    batch.size buffer.memory check.crcs client.dns.lookup client.rack compression.gzip.level
    compression.lz4.level compression.type compression.zstd.level connections.max.idle.ms delivery.timeout.ms
    enable.auto.commit enable.idempotence enable.metrics.push exclude.internal.topics fetch.max.bytes
    fetch.max.wait.ms fetch.min.bytes group.id group.instance.id group.protocol group.remote.assignor
    heartbeat.interval.ms interceptor.classes isolation.level key.deserializer key.serializer linger.ms
    max.block.ms max.in.flight.requests.per.connection max.partition.fetch.bytes max.poll.interval.ms
    max.poll.records max.request.size metadata.max.age.ms metadata.max.idle.ms metadata.recovery.rebootstrap.trigger.ms
    metadata.recovery.strategy metric.reporters metrics.num.samples metrics.recording.level
    metrics.sample.window.ms partition.assignment.strategy partitioner.adaptive.partitioning.enable
    partitioner.availability.timeout.ms partitioner.class partitioner.ignore.keys receive.buffer.bytes
    reconnect.backoff.max.ms reconnect.backoff.ms retries
    send.buffer.bytes session.timeout.ms share.acknowledgement.mode share.acquire.mode
    socket.connection.setup.timeout.max.ms ssl.keymanager.algorithm ssl.provider
    ssl.secure.random.implementation ssl.trustmanager.algorithm transaction.timeout.ms
    transaction.two.phase.commit.enable transactional.id value.deserializer value.serializer
    """.split())  # noqa: SIM905 - a list of words is easier to read and compare
"""Settings that have no effect on this client. They are accepted, so that one file works for all tools."""

ALL: Final = USED | IGNORED | REFUSED.keys()

_IGNORED_FAMILIES: Final = ("sasl.kerberos.", "sasl.login.", "sasl.oauthbearer.")
"""Further settings of Kerberos and OAuth, which have no effect here."""


def known(name: str) -> bool:
    """Whether Kafka's clients have a setting of this name."""
    return name in ALL or name.startswith(_IGNORED_FAMILIES)


SECRET: Final = frozenset("""
    sasl.jaas.config sasl.oauthbearer.assertion.private.key.passphrase
    sasl.oauthbearer.client.credentials.client.secret ssl.key.password ssl.keystore.key ssl.keystore.password
    ssl.truststore.password
    """.split())  # noqa: SIM905 - a list of words is easier to read and compare
"""Settings with a secret value."""
