"""TLS and SASL settings."""

from __future__ import annotations

import re
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from messagegen_client.errors import ConfigError
from messagegen_client.files import check_is_file

_WITH_PASSWORD: Final = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
SASL_MECHANISMS: Final = (*_WITH_PASSWORD, "GSSAPI", "OAUTHBEARER")
TLS_VERSIONS: Final = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}

TokenSource: TypeAlias = Callable[[], Awaitable[str]]
"""A coroutine function that is called for each new connection, and returns its token."""


@dataclass(frozen=True, kw_only=True)
class SslSettings:
    """TLS, with files in PEM. ``repr`` hides the password."""

    truststore: Path | None = None
    """The trusted certificates; the default is the system's certificates."""
    keystore: Path | None = None
    """The key and the certificate chain of the client, for brokers that require one."""
    key_password: str | None = field(default=None, repr=False)
    verify_hostname: bool = True
    """Whether the certificate of the broker must match its host name."""
    versions: tuple[str, ...] = ("TLSv1.2", "TLSv1.3")

    def __post_init__(self) -> None:
        unknown = [version for version in self.versions if version not in TLS_VERSIONS]
        if unknown or not self.versions:
            raise ConfigError(
                f"invalid TLS versions {', '.join(unknown) or '()'}: expected {' or '.join(TLS_VERSIONS)}"
            )

    def context(self) -> ssl.SSLContext:
        """Return the SSL context. Raises ``ConfigError`` for files that can't be used."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = self.verify_hostname
        chosen = [TLS_VERSIONS[version] for version in self.versions]
        context.minimum_version = min(chosen)
        context.maximum_version = max(chosen)
        for file in (self.truststore, self.keystore):
            if file is not None:
                check_is_file(file)
        file = self.truststore
        try:
            if file is None:
                context.load_default_certs()
            else:
                # As in Java, an intermediate authority may be trusted without its root.
                context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
                context.load_verify_locations(file)
            if (file := self.keystore) is not None:
                # If the password is None, OpenSSL prompts for one.
                context.load_cert_chain(file, password=self.key_password or "")
        except (ssl.SSLError, ValueError):
            advice = (
                "a certificate"
                if file is self.truststore
                else "a key and its certificate; for an encrypted key, set ssl.key.password"
            )
            raise ConfigError(f"{file}: expected PEM with {advice}") from None
        except OSError as problem:
            raise ConfigError(f"{file} can't be read: {problem.strerror}") from None
        return context


@dataclass(frozen=True, kw_only=True)
class SaslCredentials:
    """SASL credentials. ``repr`` hides password and token.

    GSSAPI (Kerberos) takes the ticket of the current user, as ``kinit`` makes it, or the keytab file in
    ``KRB5_CLIENT_KTNAME``; it needs the library ``gssapi``.
    """

    mechanism: str
    """PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512 with username and password, GSSAPI, or OAUTHBEARER with token."""
    username: str = ""
    password: str = field(default="", repr=False)
    kerberos_service_name: str = "kafka"
    token: TokenSource | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.mechanism not in SASL_MECHANISMS:
            raise ConfigError(
                f"sasl.mechanism: {self.mechanism} is not supported; use one of {', '.join(SASL_MECHANISMS)}"
            )
        if self.mechanism in _WITH_PASSWORD and not (self.username and self.password):
            raise ConfigError(f"{self.mechanism} requires a username and a password")
        if self.mechanism == "OAUTHBEARER" and self.token is None:
            raise ConfigError("OAUTHBEARER requires a token: a coroutine function that returns one")
        if re.search("[\0\ud800-\udfff]", self.username + self.password):
            raise ConfigError("invalid character in username or password: U+0000 or a lone surrogate")

    def without_secrets(self, text: str) -> str:
        """Return a text from a broker without the password, because the broker may repeat it."""
        return text.replace(self.password, "***") if self.password else text


@dataclass(frozen=True, kw_only=True)
class Security:
    """TLS and SASL, each optional."""

    ssl: SslSettings | None = None
    sasl: SaslCredentials | None = None

    @property
    def protocol(self) -> str:
        """The security protocol: PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL."""
        transport = "PLAINTEXT" if self.ssl is None else "SSL"
        return transport if self.sasl is None else f"SASL_{transport}"

    def warnings(self) -> list[str]:
        """Return warnings about settings that are allowed but not safe."""
        if self.sasl is None or self.ssl is not None or self.sasl.mechanism != "PLAIN":
            return []
        return ["SASL PLAIN without TLS sends the password unencrypted: use SASL_SSL, or SCRAM-SHA-512"]
