"""Reads properties files of Kafka's tools (``--command-config``) as settings of this client."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import javaproperties

from messagegen_client.config.property_names import ALL, REFUSED, SECRET, known
from messagegen_client.errors import ConfigError
from messagegen_client.security.jaas import parse_jaas_config
from messagegen_client.security.settings import SASL_MECHANISMS, TLS_VERSIONS, SaslCredentials, Security, SslSettings
from messagegen_client.security.tokens import ClientCredentials

_PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_LOGIN_MODULES: Final = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "GSSAPI": "com.sun.security.auth.module.Krb5LoginModule",
    "OAUTHBEARER": "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule",
}
_PEM: Final = ("ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.truststore.certificates")
_LIKE_A_NAME: Final = re.compile(r"(?=.{1,80}\Z)[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+")
"""The form of Kafka's property names, except a few of one word. Base64 has no dots."""
_TO_PEM: Final = {
    "JKS": "keytool -importkeystore -srcstoretype JKS -deststoretype PKCS12, then openssl pkcs12",
    "PKCS12": "openssl pkcs12",
}


def read_properties(path: Path | str) -> dict[str, str]:
    r"""The properties of a file, in the format of Java's ``Properties.load``: Latin-1 with ``\u`` escapes.

    Raises ``OSError`` for a file that can't be read and ``ConfigError`` for an invalid escape.
    """
    data = Path(path).read_bytes()
    try:
        return javaproperties.loads(data)
    except javaproperties.InvalidUEscapeError:
        raise ConfigError(f"{path}: expected four hex digits after \\u") from None


def warnings_for(properties: Mapping[str, str]) -> list[str]:
    """A warning for each unknown property, without its value.

    A name that does not look like a property is not shown either: it may be a line of a secret value, if the line before lacks
    a backslash.
    """
    unknown = [name for name in properties if not known(name)]
    shown = [name for name in unknown if _LIKE_A_NAME.fullmatch(name)]
    warnings = [_unknown(name) for name in shown]
    if len(shown) < len(unknown):
        count = len(unknown) - len(shown)
        warnings.append(
            f"{count} {'line is' if count == 1 else 'lines are'} not a property, and not shown because of possible secrets: "
            "a value of several lines needs a backslash at the end of each line but the last"
        )
    return warnings


def _unknown(name: str) -> str:
    close = difflib.get_close_matches(name, sorted(ALL), n=1, cutoff=0.8)
    advice = f"; did you mean {close[0]}?" if close else ""
    return f"unknown property {name}: it has no effect{advice}"


def file_warnings(path: Path | str, properties: Mapping[str, str]) -> list[str]:
    """A warning if all users of the machine can read a file with secrets."""
    if os.name != "posix" or not any(properties.get(name, "").strip() for name in SECRET):
        return []
    if not os.stat(path).st_mode & stat.S_IROTH:  # noqa: PTH116 - the path may be text
        return []
    return [f"{path} contains secrets and every user of this machine can read it: chmod o-r {shlex.quote(str(path))}"]


def check_supported(properties: Mapping[str, str]) -> None:
    """Raises ``ConfigError`` for an unsupported property that must not be ignored, and for truncated PEM."""
    for name, advice in REFUSED.items():
        if properties.get(name, "").strip():
            raise ConfigError(f"{name} is not supported: {advice}")
    for name in _PEM:
        text = properties.get(name, "")
        if "-----BEGIN" in text and "-----END" not in text:
            raise ConfigError(
                f"{name}: the PEM text ends after its first line; end each line but the last with \\n\\, or use a file "
                "with ssl.keystore.location or ssl.truststore.location"
            )


def milliseconds(properties: Mapping[str, str], name: str) -> float | None:
    """The property in seconds, ``None`` if it is not set. Raises ``ConfigError``."""
    text = properties.get(name)
    if text is None:
        return None
    value = text.strip()
    if not (value.isascii() and value.isdigit() and 0 < int(value) < 2**63):
        raise ConfigError(f"{name}: invalid value {value!r}: expected a whole number of milliseconds above 0")
    return int(value) / 1000


def security_from(properties: Mapping[str, str]) -> Security:
    """The TLS and SASL settings. Raises ``ConfigError``."""
    protocol = properties.get("security.protocol", "PLAINTEXT").strip().upper()
    if protocol not in _PROTOCOLS:
        raise ConfigError(f"security.protocol: unknown protocol {protocol}; use one of {', '.join(_PROTOCOLS)}")
    return Security(
        ssl=_ssl_settings(properties) if protocol.endswith("SSL") else None,
        sasl=_sasl_credentials(properties) if protocol.startswith("SASL") else None,
    )


def _sasl_credentials(properties: Mapping[str, str]) -> SaslCredentials:
    mechanism = properties.get("sasl.mechanism", "").strip() or "GSSAPI"
    if mechanism not in SASL_MECHANISMS:
        raise ConfigError(f"sasl.mechanism: {mechanism} is not supported; use one of {', '.join(SASL_MECHANISMS)}")
    options = _login_options(properties.get("sasl.jaas.config", "").strip(), mechanism)
    if mechanism == "GSSAPI":
        return _kerberos(properties, options)
    if mechanism == "OAUTHBEARER":
        return _oauth(properties, options)
    if options.get("tokenauth", "false").lower() == "true":
        raise ConfigError("sasl.jaas.config: delegation tokens (tokenauth) are not supported; use a password")
    _require(options, "username", "password")
    return SaslCredentials(mechanism=mechanism, username=options["username"], password=options["password"])


def _login_options(text: str, mechanism: str) -> dict[str, str]:
    wanted = _LOGIN_MODULES[mechanism]
    if not text and mechanism == "GSSAPI":
        return {}
    if not text:
        what = 'clientId="..." clientSecret' if mechanism == "OAUTHBEARER" else 'username="..." password'
        raise ConfigError(f'sasl.jaas.config is not set; use {wanted} required {what}="...";')
    module = parse_jaas_config(text)
    if module.name != wanted:
        raise ConfigError(f"sasl.jaas.config: the login module for {mechanism} is {wanted}")
    return module.options


def _kerberos(properties: Mapping[str, str], options: Mapping[str, str]) -> SaslCredentials:
    if options.get("useKeyTab", "false").lower() == "true":
        raise ConfigError(
            "sasl.jaas.config: useKeyTab is not supported; set KRB5_CLIENT_KTNAME to the key tab, or run kinit"
        )
    service = properties.get("sasl.kerberos.service.name", "").strip() or options.get("serviceName", "")
    if not service:
        raise ConfigError("sasl.kerberos.service.name is not set; it is kafka in most clusters")
    return SaslCredentials(mechanism="GSSAPI", kerberos_service_name=service)


def _oauth(properties: Mapping[str, str], options: Mapping[str, str]) -> SaslCredentials:
    url = properties.get("sasl.oauthbearer.token.endpoint.url", "").strip()
    if not url:
        raise ConfigError("sasl.oauthbearer.token.endpoint.url is not set; expected the URL of the token endpoint")
    _require(options, "clientId", "clientSecret")
    token = ClientCredentials(
        url=url,
        client_id=options["clientId"],
        client_secret=options["clientSecret"],
        scope=options.get("scope"),
    )
    return SaslCredentials(mechanism="OAUTHBEARER", token=token)


def _require(options: Mapping[str, str], *names: str) -> None:
    missing = [name for name in names if not options.get(name)]
    if missing:
        raise ConfigError(f"sasl.jaas.config: missing {' and '.join(missing)}")


@dataclass(frozen=True, slots=True)
class _Store:
    """The properties of the truststore or the keystore, which have the same names after a prefix."""

    prefix: str
    get: Callable[[str], str | None]

    def property(self, name: str) -> str | None:
        """The value of a property; ``None`` if it is not set or blank."""
        value = self.get(f"{self.prefix}.{name}")
        return value if value is not None and value.strip() else None

    def location(self, *inline: str) -> Path | None:
        """The path of the store, if set. Raises ``ConfigError`` if it is not PEM."""
        location, form = self.property("location"), (self.property("type") or "JKS").strip().upper()
        given = [name for name in inline if self.property(name)]
        if location is None and not given:
            return None
        if form != "PEM":
            how = f" (convert it with {_TO_PEM[form]})" if location and form in _TO_PEM else ""
            raise ConfigError(f"{self.prefix}.type: {form} is not supported; set {self.prefix}.type=PEM{how}")
        if location is not None and given:
            raise ConfigError(f"{self.prefix}.location and {self.prefix}.{given[0]} can't be used together")
        if self.property("password"):
            raise ConfigError(
                f"{self.prefix}.password can't be used with PEM; for an encrypted key set ssl.key.password"
            )
        return None if location is None else Path(location.strip())


def _ssl_settings(properties: Mapping[str, str]) -> SslSettings:
    trust = _Store("ssl.truststore", properties.get)
    keys = _Store("ssl.keystore", properties.get)
    truststore = trust.location("certificates") or trust.property("certificates")
    keystore = keys.location("key", "certificate.chain")
    chain, key = keys.property("certificate.chain"), keys.property("key")
    if (chain is None) != (key is None):
        raise ConfigError("ssl.keystore.key and ssl.keystore.certificate.chain must both be set")
    algorithm = properties.get("ssl.endpoint.identification.algorithm", "https").strip().lower()
    if algorithm not in {"https", ""}:
        raise ConfigError(
            "ssl.endpoint.identification.algorithm: expected https, or an empty value to accept any host name"
        )
    return SslSettings(
        truststore=truststore,
        certificate_chain=keystore or chain,
        key=key,
        key_password=properties.get("ssl.key.password") or None,
        verify_hostname=bool(algorithm),
        versions=_tls_versions(properties),
    )


def _tls_versions(properties: Mapping[str, str]) -> tuple[str, ...]:
    enabled = properties.get("ssl.enabled.protocols", ",".join(TLS_VERSIONS))
    versions = [version for part in enabled.split(",") if (version := part.strip())]
    highest = properties.get("ssl.protocol", "TLSv1.3").strip()
    if highest == "TLS":
        highest = "TLSv1.3"
    for name, given in (("ssl.enabled.protocols", versions), ("ssl.protocol", [highest])):
        refused = [version for version in given if version not in TLS_VERSIONS]
        if refused or not given:
            raise ConfigError(f"{name}: unsupported value {', '.join(refused) or repr('')}; use TLSv1.2 or TLSv1.3")
    chosen = tuple(version for version in TLS_VERSIONS if version in versions and version <= highest)
    if not chosen:
        raise ConfigError(f"ssl.protocol={highest} and ssl.enabled.protocols={enabled} have no common version")
    return chosen
