"""Settings: addresses, Kafka's properties, and errors for unusable properties."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trustme
from cryptography.hazmat.primitives import serialization

from messagegen_client.config.addresses import parse_address
from messagegen_client.config.property_names import REFUSED
from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import ConfigError
from messagegen_client.security.settings import SaslCredentials, SslSettings

SCRAM = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="alice" password="hunter2";'
PLAIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="alice" password="hunter2";'
KEY_TAB = "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true;"
SASL = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "SCRAM-SHA-512", "sasl.jaas.config": SCRAM}


def config_of(**properties: str) -> ClientConfig:
    """Return the config from properties; names have underscores in place of dots."""
    return read({name.replace("_", "."): value for name, value in properties.items()})


def read(properties: dict[str, str]) -> ClientConfig:
    config, warnings = ClientConfig.from_properties(properties, bootstrap_servers="localhost:9092")
    assert warnings == config.security.warnings()
    return config


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("localhost:9092", "localhost", 9092),
        ("127.0.0.1:1", "127.0.0.1", 1),
        ("[::1]:9092", "::1", 9092),
        ("[fe80::1%eth0]:65535", "fe80::1%eth0", 65535),
        ("kafka-1.example.com:443", "kafka-1.example.com", 443),
        ("bücher.example:9092", "bücher.example", 9092),
    ],
)
def test_valid_addresses_are_parsed(text: str, host: str, port: int) -> None:
    assert parse_address(text) == (host, port)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("localhost", "add the port, for example localhost:9092"),
        ("::1:9092", "put an IPv6 address in brackets"),
        ("PLAINTEXT://localhost:9092", "use security.protocol for the protocol"),
        ("localhost:0", "a port from 1 to 65535"),
        ("localhost:99999", "a port from 1 to 65535"),
        (":9092", "write host:port"),
        ("a b:9092", "write host:port"),
        ("localhost:9092/", "write host:port"),
    ],
)
def test_an_invalid_address_is_an_error_with_advice(text: str, advice: str) -> None:
    with pytest.raises(ConfigError, match=advice):
        ClientConfig.of(text)


def test_a_list_of_addresses_is_split_at_commas() -> None:
    assert ClientConfig.of("one:1, two:2,").bootstrap_servers == ("one:1", "two:2")
    assert ClientConfig.of(["one:1", "two:2"]).bootstrap_servers == ("one:1", "two:2")
    for nothing in ("", ",", ()):
        with pytest.raises(ConfigError, match="expected at least one address"):
            ClientConfig.of(nothing)
    with pytest.raises(ConfigError, match="must be a tuple"):
        ClientConfig(bootstrap_servers="one:1")  # type: ignore[arg-type]  # that is the mistake


def test_times_are_read_from_kafkas_properties() -> None:
    config = config_of(
        request_timeout_ms="1500",
        default_api_timeout_ms="2000",
        retry_backoff_ms="50",
        retry_backoff_max_ms="500",
        socket_connection_setup_timeout_ms="700",
        client_id="my-tool",
    )
    assert (config.request_timeout, config.api_timeout, config.connection_setup_timeout) == (1.5, 2.0, 0.7)
    assert (config.retry_backoff, config.retry_backoff_max) == (0.05, 0.5)
    assert config.client_id == "my-tool"


@pytest.mark.parametrize("value", ["", "0", "-5", "1.5", "soon", "1e3", "٣", "9" * 30])
def test_an_invalid_time_is_an_error(value: str) -> None:
    with pytest.raises(
        ConfigError, match=r"request\.timeout\.ms: invalid value .*: expected a whole number of milliseconds above 0"
    ):
        config_of(request_timeout_ms=value)


def test_a_file_is_read_as_java_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "client.properties"
    file.write_bytes(
        b"# comment\n! another\nbootstrap.servers = one:1,\\\n    two:2\nclient.id: b\xfccher\\u2603\n"
        b"security.protocol=PLAINTEXT\nclient.idd=x\nmy.own.key=secret\n"
    )
    config, warnings = ClientConfig.from_properties(file)
    assert config.bootstrap_servers == ("one:1", "two:2")
    assert config.client_id == "bücher☃"
    assert warnings == ["properties without effect: client.idd (did you mean client.id?), my.own.key"]


def test_an_option_overrides_the_file() -> None:
    config, _ = ClientConfig.from_properties({"bootstrap.servers": "file:1"}, bootstrap_servers="option:1")
    assert config.bootstrap_servers == ("option:1",)
    with pytest.raises(ConfigError, match="expected at least one address"):
        ClientConfig.from_properties({})


def test_a_missing_file_and_an_invalid_escape_are_errors(tmp_path: Path) -> None:
    (tmp_path / "bad.properties").write_text("client.id=\\uXYZ")
    with pytest.raises(ConfigError, match="four hex digits"):
        ClientConfig.from_properties(tmp_path / "bad.properties")
    with pytest.raises(FileNotFoundError):
        ClientConfig.from_properties(tmp_path / "none.properties")


@pytest.mark.parametrize(("name", "advice"), sorted(REFUSED.items()))
def test_unsupported_properties_are_errors(name: str, advice: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read({name: "something"})
    assert str(caught.value) == f"{name} is not supported: {advice}"
    assert read({name: ""}) == read({})


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256", "SCRAM-SHA-512", "PLAIN"])
def test_sasl_settings_become_credentials(mechanism: str) -> None:
    config = read({**SASL, "sasl.mechanism": mechanism, "sasl.jaas.config": PLAIN if mechanism == "PLAIN" else SCRAM})
    assert config.security.protocol == "SASL_PLAINTEXT"
    assert config.security.sasl == SaslCredentials(mechanism=mechanism, username="alice", password="hunter2")
    assert "hunter2" not in repr(config)
    assert "alice" in repr(config)


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ({"sasl.mechanism": "NTLM"}, "NTLM is not supported; use one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, GSSAPI"),
        ({"sasl.mechanism": "GSSAPI"}, "the login module for GSSAPI is com.sun.security"),
        ({"sasl.mechanism": "GSSAPI", "sasl.jaas.config": ""}, "sasl.kerberos.service.name is not set"),
        (
            {"sasl.mechanism": "GSSAPI", "sasl.jaas.config": KEY_TAB},
            "useKeyTab is not supported; set KRB5_CLIENT_KTNAME",
        ),
        (
            {"sasl.mechanism": "OAUTHBEARER"},
            "token.endpoint.url: expected a file with the token, for example file:///run",
        ),
        ({"sasl.mechanism": ""}, "the login module for GSSAPI is"),
        ({"sasl.jaas.config": ""}, "sasl.jaas.config is not set; use org.apache.kafka.common.security.scram"),
        ({"sasl.jaas.config": PLAIN}, "the login module for SCRAM-SHA-512 is .*ScramLoginModule"),
        ({"sasl.jaas.config": SCRAM.replace('username="alice"', "")}, "missing username"),
        ({"sasl.jaas.config": SCRAM.replace("hunter2", "")}, "missing password"),
        ({"sasl.jaas.config": SCRAM.replace(";", " tokenauth=true;")}, "delegation tokens"),
        (
            {"security.protocol": "TLS"},
            "security.protocol: unknown protocol TLS; use one of PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL",
        ),
    ],
)
def test_invalid_sasl_settings_are_errors(properties: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        read({**SASL, **properties})
    assert "hunter2" not in str(caught.value)


def test_gssapi_settings_become_credentials() -> None:
    config = read({**SASL, "sasl.mechanism": "GSSAPI", "sasl.jaas.config": "", "sasl.kerberos.service.name": "kafka"})
    assert config.security.sasl == SaslCredentials(mechanism="GSSAPI", kerberos_service_name="kafka")


@pytest.mark.parametrize(
    ("username", "password"), [("", "p"), ("u", ""), ("u\0x", "p"), ("u", "hunter2\0"), ("u", "hunter2\ud800")]
)
def test_invalid_credentials_are_errors(username: str, password: str) -> None:
    with pytest.raises(ConfigError) as caught:
        SaslCredentials(mechanism="PLAIN", username=username, password=password)
    assert "hunter2" not in str(caught.value)


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate authority (ca.pem), and a certificate with its key, both plain and encrypted."""
    folder = tmp_path_factory.mktemp("pem")
    authority = trustme.CA()
    leaf = authority.issue_cert("localhost")
    key = serialization.load_pem_private_key(leaf.private_key_pem.bytes(), password=None)
    encrypted = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"hunter2"),
    )
    (folder / "ca.pem").write_bytes("# Főtanúsítvány\n".encode() + authority.cert_pem.bytes())
    (folder / "plain.pem").write_bytes(leaf.private_key_and_cert_chain_pem.bytes())
    (folder / "encrypted.pem").write_bytes(encrypted + leaf.cert_chain_pems[0].bytes())
    (folder / "empty.pem").write_bytes(b"")
    (folder / "store.jks").write_bytes(b"\xfe\xed\xfe\xed\x00\xff")
    return folder


def ssl_settings(**properties: str) -> SslSettings:
    settings = config_of(security_protocol="SSL", **properties).security.ssl
    assert settings is not None
    return settings


@pytest.mark.parametrize("keys", ["plain.pem", "encrypted.pem"])
def test_tls_files_are_loaded(pem: Path, keys: str) -> None:
    settings = ssl_settings(
        ssl_truststore_type="PEM",
        ssl_truststore_location=str(pem / "ca.pem"),
        ssl_keystore_type="pem",
        ssl_keystore_location=str(pem / keys),
        ssl_key_password="hunter2",
        ssl_endpoint_identification_algorithm="",
    )
    context = settings.context()
    assert context.cert_store_stats()["x509_ca"] == 1
    assert not context.check_hostname
    assert "hunter2" not in repr(settings)


@pytest.mark.parametrize(
    ("properties", "versions"),
    [
        ({}, ("TLSv1.2", "TLSv1.3")),
        ({"ssl_protocol": "TLSv1.2"}, ("TLSv1.2",)),
        ({"ssl_protocol": "TLS"}, ("TLSv1.2", "TLSv1.3")),
        ({"ssl_enabled_protocols": "TLSv1.3"}, ("TLSv1.3",)),
    ],
)
def test_tls_versions_are_limited_by_properties(properties: dict[str, str], versions: tuple[str, ...]) -> None:
    assert ssl_settings(**properties).versions == versions


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        (
            {"ssl_truststore_location": "trust.jks"},
            "JKS is not supported; convert JKS to PKCS12 with keytool, .*ssl.truststore.type=PEM",
        ),
        (
            {"ssl_truststore_location": "t", "ssl_truststore_type": "PKCS12"},
            "PKCS12 is not supported; .*openssl pkcs12",
        ),
        ({"ssl_keystore_location": "k", "ssl_keystore_type": "JKS"}, "set ssl.keystore.type=PEM"),
        ({"ssl_truststore_certificates": "x"}, "write the PEM text to a file, and set ssl.truststore.location"),
        ({"ssl_keystore_key": "hunter2"}, "ssl.keystore.key is not supported: write the PEM text to the file"),
        (
            {"ssl_truststore_type": "PEM", "ssl_truststore_location": "t", "ssl_truststore_password": "hunter2"},
            "ssl.truststore.password can't be used with PEM",
        ),
        ({"ssl_endpoint_identification_algorithm": "ldap"}, "expected https, or an empty value"),
        ({"ssl_protocol": "TLSv1.1"}, "ssl.protocol: unsupported value TLSv1.1"),
        ({"ssl_enabled_protocols": "TLSv1.2,SSLv3"}, "ssl.enabled.protocols: unsupported value SSLv3"),
        ({"ssl_enabled_protocols": ""}, "ssl.enabled.protocols: unsupported value ''"),
        ({"ssl_protocol": "TLSv1.2", "ssl_enabled_protocols": "TLSv1.3"}, "have no common version"),
    ],
)
def test_invalid_tls_settings_are_errors(properties: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        ssl_settings(**properties)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"truststore": "empty.pem"}, "empty.pem: expected PEM with a certificate"),
        ({"truststore": "store.jks"}, "store.jks: expected PEM with a certificate"),
        ({"truststore": "none.pem"}, "none.pem can't be read: No such file"),
        (
            {"keystore": "ca.pem"},
            "ca.pem: expected PEM with a key and its certificate; for an encrypted key, set ssl.key.password",
        ),
        ({"keystore": "encrypted.pem"}, "for an encrypted key, set ssl.key.password"),
        ({"keystore": "encrypted.pem", "key_password": "wrong-hunter2"}, "for an encrypted key, set ssl.key.password"),
    ],
)
def test_unusable_tls_files_are_errors(
    pem: Path, settings: dict[str, str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    files: dict[str, Any] = {name: value if "password" in name else pem / value for name, value in settings.items()}
    with pytest.raises(ConfigError, match=message) as caught:
        SslSettings(**files).context()
    assert "hunter2" not in str(caught.value)
    assert capfd.readouterr() == ("", ""), "no password is requested"


def test_warnings_list_ignored_properties_but_no_possible_secrets(tmp_path: Path) -> None:
    file = tmp_path / "client.properties"
    file.write_text(
        "bootstrap.servers=localhost:9092\nsecurity.protocl=SSL\nacks=all\ngroup.id=g\n"
        "MIIEhunter2==\npassword=hunter2\n"
    )
    _, warnings = ClientConfig.from_properties(file)
    (warning,) = warnings
    assert warning == (
        "properties without effect: security.protocl (did you mean security.protocol?), group.id, 3 that are "
        "not shown, because they may be lines of a secret value (end each line of such a value with a backslash)"
    )


def test_a_password_that_is_sent_unencrypted_gets_a_warning() -> None:
    plain = {**SASL, "sasl.mechanism": "PLAIN", "sasl.jaas.config": PLAIN}
    _, warnings = ClientConfig.from_properties(plain, bootstrap_servers="localhost:9092")
    assert warnings == ["SASL PLAIN without TLS sends the password unencrypted: use SASL_SSL, or SCRAM-SHA-512"]
    encrypted = {**plain, "security.protocol": "SASL_SSL"}
    assert ClientConfig.from_properties(encrypted, bootstrap_servers="localhost:9092")[1] == []
    assert ClientConfig.from_properties(SASL, bootstrap_servers="localhost:9092")[1] == []
