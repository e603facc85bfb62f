"""TLS and SASL settings."""

from __future__ import annotations

import re
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from messagegen_client.errors import ConfigError

SASL_MECHANISMS: Final = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "GSSAPI", "OAUTHBEARER")
_WITH_PASSWORD: Final = SASL_MECHANISMS[:3]
TLS_VERSIONS: Final = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}

TokenSource: TypeAlias = Callable[[], str | Awaitable[str]]
"""Gives a token for each new connection; a plain or a coroutine function."""


@dataclass(frozen=True, kw_only=True, repr=False)
class SslSettings:
    """TLS. Certificates and keys are PEM, each as a path or as text (which starts with ``-----BEGIN``).

    ``repr`` shows paths, and hides text and passwords.
    """

    truststore: Path | str | None = None
    """The trusted certificates; default: those of the system."""
    certificate_chain: Path | str | None = None
    """The certificate of the client and its chain, for brokers that require one."""
    key: Path | str | None = None
    """The key of the certificate; default: the key in ``certificate_chain``."""
    key_password: str | None = None
    verify_hostname: bool = True
    """Whether the certificate of the broker must match its host name."""
    versions: tuple[str, ...] = ("TLSv1.2", "TLSv1.3")

    def __post_init__(self) -> None:
        unknown = [version for version in self.versions if version not in TLS_VERSIONS]
        if unknown or not self.versions:
            raise ConfigError(
                f"invalid TLS versions {', '.join(unknown) or '()'}: expected {' or '.join(TLS_VERSIONS)}"
            )
        if self.key is not None and self.certificate_chain is None:
            raise ConfigError("key requires certificate_chain")

    def __repr__(self) -> str:
        sources = {"truststore": self.truststore, "certificate_chain": self.certificate_chain, "key": self.key}
        parts = [f"{name}={_shown(source)}" for name, source in sources.items() if source is not None]
        parts += ["key_password=<redacted>"] if self.key_password is not None else []
        parts += [f"verify_hostname={self.verify_hostname}", f"versions={self.versions}"]
        return f"SslSettings({', '.join(parts)})"

    def context(self) -> ssl.SSLContext:
        """The SSL context. Raises ``ConfigError`` for files that can't be used."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = self.verify_hostname
        chosen = [TLS_VERSIONS[version] for version in self.versions]
        context.minimum_version, context.maximum_version = min(chosen), max(chosen)
        self._load_truststore(context)
        if self.certificate_chain is not None:
            self._load_certificate(context, self.certificate_chain)
        return context

    def _load_truststore(self, context: ssl.SSLContext) -> None:
        if self.truststore is None:
            context.load_default_certs()
            return
        # The library only accepts ASCII. Certificates are ASCII, and comments between them are dropped.
        pem = _pem_text(self.truststore, "truststore").encode("ascii", "ignore").decode()
        # As in Java, an intermediate authority may be trusted without its root.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        try:
            context.load_verify_locations(cadata=pem)
        except (ssl.SSLError, ValueError):
            raise ConfigError(f"{_source(self.truststore, 'truststore')} has no PEM certificate") from None

    def _load_certificate(self, context: ssl.SSLContext, chain: Path | str) -> None:
        pem = _pem_text(chain, "keystore")
        if self.key is not None:
            pem = f"{_pem_text(self.key, 'key of the keystore')}\n{pem}"
        # The standard library only reads keys from files. This file is private and removed at once.
        with TemporaryDirectory() as folder:
            file = Path(folder, "keystore.pem")
            file.touch(mode=0o600)
            file.write_text(pem, encoding="utf-8")
            try:
                # Without a password OpenSSL would prompt for it.
                context.load_cert_chain(file, password=self.key_password or "")
            except (ssl.SSLError, OSError, ValueError):
                raise ConfigError(
                    f"{_source(chain, 'keystore')}: invalid certificate and key: they must be PEM and match, and an "
                    "encrypted key needs ssl.key.password"
                ) from None


@dataclass(frozen=True, kw_only=True)
class SaslCredentials:
    """SASL credentials. ``repr`` hides password and token.

    GSSAPI (Kerberos) takes the ticket of the current user, as ``kinit`` makes it, or the key tab in ``KRB5_CLIENT_KTNAME``; it
    needs the library ``gssapi``.
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
            raise ConfigError("OAUTHBEARER requires a token: a function that returns one")
        if re.search("[\0\ud800-\udfff]", self.username + self.password):
            raise ConfigError("invalid character in username or password: U+0000 or a lone surrogate")

    def without_secrets(self, text: str) -> str:
        """A text of a broker without the password, which it may repeat."""
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
        """Warnings about settings that are allowed and not safe."""
        if self.sasl is None or self.ssl is not None or self.sasl.mechanism != "PLAIN":
            return []
        return ["SASL PLAIN without TLS sends the password unencrypted: use SASL_SSL, or SCRAM-SHA-512"]


def _pem_text(source: Path | str, what: str) -> str:
    """The PEM text; ``source`` is its path, or the text."""
    if isinstance(source, str) and "-----BEGIN" in source:
        return source
    try:
        return Path(source).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{_source(source, what)} is not PEM; convert JKS or PKCS12 stores to PEM") from None
    except OSError as problem:
        raise ConfigError(f"{_source(source, what)} can't be read: {problem.strerror}") from None
    except ValueError:
        raise ConfigError(f"{what}: expected a path or PEM") from None


def _shown(source: Path | str) -> str:
    return repr(source) if isinstance(source, Path) else "<redacted>"


def _source(source: Path | str, what: str) -> str:
    """The name of a source in errors. Text is never shown, because it may be a key."""
    return f"{what} {source}" if isinstance(source, Path) else what
