"""The settings of Kafka's clients that this client uses, and settings that it refuses because ignoring them is harmful.

Taken from ``AdminClientConfig`` of Apache Kafka 4.3.1.
"""

from __future__ import annotations

from typing import Final

USED: Final = frozenset("""
    bootstrap.servers client.id default.api.timeout.ms request.timeout.ms retry.backoff.max.ms
    retry.backoff.ms sasl.jaas.config sasl.kerberos.service.name sasl.mechanism
    sasl.oauthbearer.token.endpoint.url security.protocol socket.connection.setup.timeout.ms
    ssl.enabled.protocols ssl.endpoint.identification.algorithm ssl.key.password ssl.keystore.location
    ssl.keystore.password ssl.keystore.type ssl.protocol ssl.truststore.location ssl.truststore.password
    ssl.truststore.type
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
    "ssl.keystore.certificate.chain": "write the PEM text to a file, and set ssl.keystore.location",
    "ssl.keystore.key": "write the PEM text to the file of ssl.keystore.location",
    "ssl.truststore.certificates": "write the PEM text to a file, and set ssl.truststore.location",
}
"""Unsupported settings, each with advice. To ignore one could change what is sent or trusted."""
