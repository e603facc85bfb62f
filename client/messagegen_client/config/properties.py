"""Reads properties files of Kafka's tools (``--command-config``) as settings of this client."""

from __future__ import annotations

import asyncio
import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import javaproperties

from messagegen_client.config.property_names import REFUSED, USED
from messagegen_client.errors import ConfigError
from messagegen_client.files import check_is_file
from messagegen_client.security.jaas import parse_jaas_config
from messagegen_client.security.settings import SASL_MECHANISMS, TLS_VERSIONS, SaslCredentials, Security, SslSettings

_PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_LOGIN_MODULES: Final = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "GSSAPI": "com.sun.security.auth.module.Krb5LoginModule",
}
_LIKE_A_NAME: Final = re.compile(r"(?=.{1,80}\Z)[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+")
"""The form of all Kafka property names except a few without dots. Base64 text never matches: it has no dots."""
_SIMILARITY: Final = 0.8
"""The minimum similarity, from 0 to 1, for a name to be suggested."""


def read_properties(path: Path | str) -> dict[str, str]:
    r"""Return the properties of a file, in the format of Java's ``Properties.load``: Latin-1 with ``\u`` escapes.

    Raises ``OSError`` if the file can't be read, and ``ConfigError`` for an invalid escape or if ``path`` is not a
    file.
    """
    check_is_file(path)
    data = Path(path).read_bytes()
    try:
        return javaproperties.loads(data)
    except javaproperties.InvalidUEscapeError:
        raise ConfigError(f"{path}: expected four hex digits after \\u") from None


def warnings_for(properties: Mapping[str, str]) -> list[str]:
    """Return a warning that names the properties that have no effect here, or an empty list. Values are not shown.

    A name that does not look like a property name is not shown either: if the line before lacks a backslash, such a
    name may be part of a secret value.
    """
    unused = [name for name in properties if name not in USED and name not in REFUSED]
    shown = [_with_suggestion(name) for name in unused if _LIKE_A_NAME.fullmatch(name)]
    hidden = len(unused) - len(shown)
    if hidden:
        lines = "they may be lines of a secret value (end each line of such a value with a backslash)"
        shown.append(f"{hidden} that are not shown, because {lines}")
    return [f"properties without effect: {', '.join(shown)}"] if shown else []


def _with_suggestion(name: str) -> str:
    close = difflib.get_close_matches(name, USED, n=1, cutoff=_SIMILARITY)
    return f"{name} (did you mean {close[0]}?)" if close else name


def check_supported(properties: Mapping[str, str]) -> None:
    """Raise ``ConfigError`` for an unsupported property that must not be ignored."""
    for name, advice in REFUSED.items():
        if properties.get(name, "").strip():
            raise ConfigError(f"{name} is not supported: {advice}")


def milliseconds(properties: Mapping[str, str], name: str) -> float | None:
    """Convert a property from milliseconds to seconds; return ``None`` if it is not set. Raises ``ConfigError``."""
    text = properties.get(name)
    if text is None:
        return None
    value = text.strip()
    if not (value.isascii() and value.isdigit() and 0 < int(value) < 2**63):
        raise ConfigError(f"{name}: invalid value {value!r}: expected a whole number of milliseconds above 0")
    return int(value) / 1000


def security_from(properties: Mapping[str, str]) -> Security:
    """Return the TLS and SASL settings. Raises ``ConfigError``."""
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
    if mechanism == "OAUTHBEARER":
        return _oauth(properties.get("sasl.oauthbearer.token.endpoint.url", "").strip())
    options = _login_options(properties.get("sasl.jaas.config", "").strip(), mechanism)
    if mechanism == "GSSAPI":
        return _kerberos(properties, options)
    if options.get("tokenauth", "false").lower() == "true":
        raise ConfigError("sasl.jaas.config: delegation tokens (tokenauth) are not supported; use a password")
    missing = [name for name in ("username", "password") if not options.get(name)]
    if missing:
        raise ConfigError(f"sasl.jaas.config: missing {' and '.join(missing)}")
    return SaslCredentials(mechanism=mechanism, username=options["username"], password=options["password"])


def _login_options(text: str, mechanism: str) -> dict[str, str]:
    wanted = _LOGIN_MODULES[mechanism]
    if not text and mechanism == "GSSAPI":
        return {}
    if not text:
        raise ConfigError(f'sasl.jaas.config is not set; use {wanted} required username="..." password="...";')
    module = parse_jaas_config(text)
    if module.name != wanted:
        raise ConfigError(f"sasl.jaas.config: the login module for {mechanism} is {wanted}")
    return module.options


def _kerberos(properties: Mapping[str, str], options: Mapping[str, str]) -> SaslCredentials:
    if options.get("useKeyTab", "false").lower() == "true":
        raise ConfigError(
            "sasl.jaas.config: useKeyTab is not supported; set KRB5_CLIENT_KTNAME to the keytab file, or run kinit"
        )
    service = properties.get("sasl.kerberos.service.name", "").strip() or options.get("serviceName", "")
    if not service:
        raise ConfigError("sasl.kerberos.service.name is not set; it is kafka in most clusters")
    return SaslCredentials(mechanism="GSSAPI", kerberos_service_name=service)


def _oauth(url: str) -> SaslCredentials:
    """Return credentials that read the token from a file, again for each connection (KIP-768)."""
    if not url.startswith("file://"):
        raise ConfigError(
            "sasl.oauthbearer.token.endpoint.url: expected a file with the token, for example file:///run/token; "
            "let a tool of your identity provider write it"
        )
    file = Path(unquote(url.removeprefix("file://")))

    async def token() -> str:
        check_is_file(file)
        try:
            return (await asyncio.to_thread(file.read_text, encoding="ascii")).strip()
        except (OSError, ValueError) as problem:
            raise ConfigError(f"can't read a token from {file}: {type(problem).__name__}") from None

    return SaslCredentials(mechanism="OAUTHBEARER", token=token)


def _store(properties: Mapping[str, str], prefix: str) -> Path | None:
    """Return the path of the truststore or the keystore, if set. Raises ``ConfigError`` if it is not PEM."""
    location = properties.get(f"{prefix}.location", "").strip()
    if not location:
        return None
    form = properties.get(f"{prefix}.type", "").strip().upper() or "JKS"
    if form != "PEM":
        advice = f"convert JKS to PKCS12 with keytool, PKCS12 to PEM with openssl pkcs12, and set {prefix}.type=PEM"
        raise ConfigError(f"{prefix}.type: {form} is not supported; {advice}")
    if properties.get(f"{prefix}.password", "").strip():
        raise ConfigError(f"{prefix}.password can't be used with PEM; for an encrypted key set ssl.key.password")
    return Path(location)


def _ssl_settings(properties: Mapping[str, str]) -> SslSettings:
    algorithm = properties.get("ssl.endpoint.identification.algorithm", "https").strip().lower()
    if algorithm not in {"https", ""}:
        raise ConfigError("ssl.endpoint.identification.algorithm: expected https, or an empty value to accept any host")
    return SslSettings(
        truststore=_store(properties, "ssl.truststore"),
        keystore=_store(properties, "ssl.keystore"),
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
