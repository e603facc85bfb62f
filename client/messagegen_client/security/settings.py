"""How a client and a broker know each other: TLS and SASL."""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from messagegen_client.errors import ConfigError

SASL_MECHANISMS: Final = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
TLS_VERSIONS: Final = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}


@dataclass(frozen=True, kw_only=True, repr=False)
class SslSettings:
    """TLS; every certificate and key is PEM, as a path or as the text itself (which begins with ``-----BEGIN``).

    Of what may be or have a secret, ``repr`` shows no more than a ``Path``.
    """

    truststore: Path | str | None = None
    """Certificates of the authorities that may vouch for brokers; without it, those of the system."""
    certificate_chain: Path | str | None = None
    """This client's certificate and those above it, where brokers ask for one."""
    key: Path | str | None = None
    """The key of the certificate; without it, the key is in ``certificate_chain``."""
    key_password: str | None = None
    verify_hostname: bool = True
    """Whether the certificate has to be for the host that was connected to."""
    versions: tuple[str, ...] = ("TLSv1.2", "TLSv1.3")

    def __post_init__(self) -> None:
        unknown = [version for version in self.versions if version not in TLS_VERSIONS]
        if unknown or not self.versions:
            raise ConfigError(f"TLS versions are {' and '.join(TLS_VERSIONS)}, not {', '.join(unknown) or 'none'}")
        if self.key is not None and self.certificate_chain is None:
            raise ConfigError("a key without its certificate: give certificate_chain too")

    def __repr__(self) -> str:
        sources = {"truststore": self.truststore, "certificate_chain": self.certificate_chain, "key": self.key}
        parts = [f"{name}={_shown(source)}" for name, source in sources.items() if source is not None]
        parts += ["key_password=<redacted>"] if self.key_password is not None else []
        parts += [f"verify_hostname={self.verify_hostname}", f"versions={self.versions}"]
        return f"SslSettings({', '.join(parts)})"

    def context(self) -> ssl.SSLContext:
        """What the standard library makes TLS connections with; raises ``ConfigError`` for files that can't be used."""
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
        # Certificates are ASCII, and so is all that the library takes; what stands between them is for people.
        pem = _pem_text(self.truststore, "truststore").encode("ascii", "ignore").decode()
        # An intermediate authority may be trusted without the one above it, as Java has it.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        try:
            context.load_verify_locations(cadata=pem)
        except (ssl.SSLError, ValueError):
            raise ConfigError(f"{_source(self.truststore, 'truststore')} has no certificate in PEM form") from None

    def _load_certificate(self, context: ssl.SSLContext, chain: Path | str) -> None:
        pem = _pem_text(chain, "keystore")
        if self.key is not None:
            pem = f"{_pem_text(self.key, 'key of the keystore')}\n{pem}"
        # The standard library reads keys from files only. This one is private, and gone when it has been read.
        with TemporaryDirectory() as folder:
            file = Path(folder, "keystore.pem")
            file.touch(mode=0o600)
            file.write_text(pem, encoding="utf-8")
            try:
                # A password of None would make OpenSSL ask at the terminal.
                context.load_cert_chain(file, password=self.key_password or "")
            except (ssl.SSLError, OSError, ValueError):
                raise ConfigError(
                    f"{_source(chain, 'keystore')}: certificate and key can't be used: they must be PEM and belong "
                    "together, and ssl.key.password must be the password of the key, if it is encrypted"
                ) from None


@dataclass(frozen=True, kw_only=True)
class SaslCredentials:
    """Who the client is, to brokers that ask with SASL; the password is a secret and does not show in ``repr``."""

    mechanism: str
    """PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512."""
    username: str
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if self.mechanism not in SASL_MECHANISMS:
            raise ConfigError(
                f"sasl.mechanism: {self.mechanism} can't be used here; use one of {', '.join(SASL_MECHANISMS)}"
            )
        if not self.username or not self.password:
            raise ConfigError("SASL needs a username and a password that are not empty")
        if re.search("[\0\ud800-\udfff]", self.username + self.password):
            raise ConfigError("neither username nor password may contain U+0000 or a half of a surrogate pair")


@dataclass(frozen=True, kw_only=True)
class Security:
    """TLS and SASL, each where it is given; without both, connections are plain and anonymous."""

    ssl: SslSettings | None = None
    sasl: SaslCredentials | None = None

    @property
    def protocol(self) -> str:
        """Kafka's name of the combination: PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL."""
        transport = "PLAINTEXT" if self.ssl is None else "SSL"
        return transport if self.sasl is None else f"SASL_{transport}"

    def warnings(self) -> list[str]:
        """What is allowed and unwise, in a sentence each."""
        if self.sasl is None or self.ssl is not None or self.sasl.mechanism != "PLAIN":
            return []
        text = "SASL PLAIN without TLS sends the password unencrypted: use SASL_SSL, or SCRAM-SHA-512"
        return [text]


def _pem_text(source: Path | str, what: str) -> str:
    """The PEM itself; ``source`` is its path, or the text."""
    if isinstance(source, str) and "-----BEGIN" in source:
        return source
    try:
        return Path(source).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{_source(source, what)} is not PEM; convert a JKS or PKCS12 store to PEM") from None
    except OSError as problem:
        raise ConfigError(f"{_source(source, what)} can't be read: {problem.strerror}") from None
    except ValueError:
        raise ConfigError(f"{what}: neither a path nor PEM") from None


def _shown(source: Path | str) -> str:
    return repr(source) if isinstance(source, Path) else "<redacted>"


def _source(source: Path | str, what: str) -> str:
    """How an error names a source: by its path only if it is sure to be one, for text may be a key."""
    return f"{what} {source}" if isinstance(source, Path) else what
