"""All commands of the client escape foreign text: of brokers, files and arguments."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from messagegen_client import admin as admin_module
from messagegen_client.cli.offsets.command import NAME as OFFSETS
from messagegen_client.cli.offsets.command import offsets
from messagegen_client.cli.quotas.command import NAME as QUOTAS
from messagegen_client.cli.quotas.command import quotas
from messagegen_client.cli.quotas.modes import MODES
from messagegen_client.cli.support import run
from messagegen_client.errors import BrokerConnectionError
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.names import sanitize
from tests.client.support.offset_cluster import Log, OffsetCluster, OffsetStore
from tests.client.support.quota_cluster import QuotaCluster, QuotaStore
from tests.support.hostile import FORGED, print_as_to_a_terminal, unsafe_lines

HOSTILE: Final = f"::stop-commands::{FORGED}"
LINE: Final = "x\u2028::stop-commands::y\x85\u202e ##[error]z"
"""Text that a line of YAML may contain outside quotes."""
TOPIC: Final = HOSTILE.replace("\n", "")
CLUSTER: Final = ("--bootstrap-server", "memory:9092", "--timeout", "0.05")
RATE: Final = "producer_byte_rate"
ENTITY: Final = f"user={sanitize(HOSTILE)},client-id={sanitize(HOSTILE)}"

FILES: Final[dict[str, str]] = {
    "quotas.yaml": json.dumps({"quotas": [{"entity": {"user": HOSTILE}, "values": {RATE: 5}}]}),
    "no mapping.yaml": LINE,
    "unknown keys.yaml": json.dumps({HOSTILE: 1, "quotas": [{HOSTILE: 1}], "scope": [[HOSTILE]]}),
    "values.yaml": json.dumps({"quotas": [{"entity": {"user": "a"}, "values": {HOSTILE: HOSTILE, RATE: HOSTILE}}]}),
    "entities.yaml": json.dumps({"quotas": [{"entity": {HOSTILE: HOSTILE, "user": 5}, "values": {HOSTILE: None}}]}),
    "refused.yaml": json.dumps({"quotas": [{"entity": {HOSTILE: ""}, "values": {HOSTILE: -1}}]}),
    "twice.yaml": json.dumps({"quotas": [{"entity": {"user": HOSTILE}, "values": {}}] * 2}),
    "addresses.yaml": json.dumps({"quotas": [{"entity": {"ip": HOSTILE}, "values": {"connection_creation_rate": 1}}]}),
    "no yaml.yaml": f"{{{LINE}",
    "tag.yaml": f"quotas: !<{LINE.replace(' ', '')}> 5",
    "key.yaml": f"? [{LINE}]\n: 5",
    "directive.yaml": f"%{LINE}",
    "control.yaml": f"quotas: {HOSTILE}",
    HOSTILE.replace("/", "").replace("\0", "")[:60]: LINE,
}
PROPERTIES: Final[dict[str, str]] = {
    "unknown": "x{0}y = {0}",
    "time": "request.timeout.ms = {0}",
    "protocol": "security.protocol = {0}",
    "mechanism": "security.protocol = SASL_SSL\nsasl.mechanism = {0}",
    "jaas": "security.protocol = SASL_SSL\nsasl.mechanism = PLAIN\nsasl.jaas.config = {0}",
    "url": "security.protocol = SASL_SSL\nsasl.mechanism = OAUTHBEARER\nsasl.oauthbearer.token.endpoint.url = {0}",
    "token": "security.protocol = SASL_SSL\nsasl.mechanism = OAUTHBEARER\n"
    "sasl.oauthbearer.token.endpoint.url = file:///{0}",
    "store type": "security.protocol = SSL\nssl.truststore.location = {0}\nssl.truststore.type = {0}",
    "store": "security.protocol = SSL\nssl.truststore.location = {0}\nssl.truststore.type = PEM",
    "versions": "security.protocol = SSL\nssl.enabled.protocols = {0}",
    "algorithm": "security.protocol = SSL\nssl.endpoint.identification.algorithm = {0}",
    "addresses": "bootstrap.servers = {0}",
    "escape": "a = \\u{0}",
}
STATES: Final = ("accepts", "refuses", "fails")
"""The ways in which the cluster responds to requests."""
ON_A_CLUSTER: Final[dict[str, tuple[str, ...]]] = {
    "describe": (QUOTAS, "--describe"),
    "resolve": (QUOTAS, "--resolve", "--names", ENTITY),
    "resolve an address": (QUOTAS, "--resolve", "--names", f"ip={sanitize(HOSTILE)}"),
    "alter": (QUOTAS, "--alter", "--names", ENTITY, "--add", f"{sanitize(HOSTILE)}=5"),
    "plan": (QUOTAS, "plan", "--prune", "quotas.yaml"),
    "apply": (QUOTAS, "apply", "--prune", "quotas.yaml"),
    "check": (QUOTAS, "apply", "--validate-only", "quotas.yaml"),
    "addresses": (QUOTAS, "apply", "addresses.yaml"),
    "export": (QUOTAS, "export"),
    "offsets": (OFFSETS, "--time", "0"),
    "offsets of topics": (OFFSETS, "--topic", ".*"),
    "offsets of a topic": (OFFSETS, "--topic", "unknown"),
}
WITH_PROPERTIES: Final = {OFFSETS: (), QUOTAS: ("--describe",)}
WRONG_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "argument of offsets": (OFFSETS, HOSTILE),
    "option of offsets": (OFFSETS, f"--{HOSTILE}"),
    "command of quotas": (QUOTAS, HOSTILE),
    "option of quotas": (QUOTAS, f"--{HOSTILE}"),
    "file of quotas": (QUOTAS, "plan", HOSTILE.replace("\0", "")),
    "argument of export": (QUOTAS, "export", HOSTILE),
    **{
        f"{option} of offsets": (OFFSETS, option, HOSTILE.replace("\0", ""))
        for option in (
            "--bootstrap-server",
            "--command-config",
            "--timeout",
            "--topic",
            "--partitions",
            "--topic-partitions",
            "--time",
            "--isolation-level",
            "--format",
        )
    },
    **{
        f"{option} of quotas": (QUOTAS, "--alter", "--names", "user=a", option, HOSTILE)
        for option in ("--bootstrap-server", "--names", "--defaults", "--add", "--delete", "--format")
    },
    "value of quotas": (QUOTAS, "--alter", "--names", "user=a", "--add", f"a={LINE}"),
    "escape of quotas": (QUOTAS, "--resolve", "--names", f"user=%{LINE}"),
}


@pytest.fixture
def stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[QuotaStore, OffsetStore]:
    """A folder with foreign files, and clusters with hostile text."""
    monkeypatch.chdir(tmp_path)
    print_as_to_a_terminal(monkeypatch)
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    escaped = "".join(f"\\u{ord(each):04x}" if ord(each) < 0x3000 and each != "\0" else "" for each in HOSTILE)
    for name, text in PROPERTIES.items():
        Path(f"{name}.properties").write_text(text.replace("{0}", escaped), encoding="latin-1")
    values = {HOSTILE: 1.0, RATE: float("nan"), "connection_creation_rate": 5.0}
    names = (
        {"user": HOSTILE},
        {"user": HOSTILE, "client-id": HOSTILE},
        {"ip": HOSTILE},
        {HOSTILE: HOSTILE},
        {"ip": "0"},
    )
    of_quotas = QuotaStore({ClientQuotaEntity(each): dict(values) for each in names})
    of_offsets = OffsetStore()
    of_offsets.add(TOPIC, Log(1, 5, [15]), Log(1, 5, [15], errors=itertools.repeat(29)))
    return of_quotas, of_offsets


def fail(_: object = None) -> None:
    """End the connection, with foreign text."""
    raise BrokerConnectionError(f"broker {HOSTILE} closed the connection", outcome_unknown=True)


def set_up(state: str, of_quotas: QuotaStore, of_offsets: OffsetStore) -> None:
    """Let the clusters accept requests, refuse them, or end the connection."""
    if state == "refuses":
        of_quotas.answer_with = lambda entry: replace(entry, error_code=42, error_message=HOSTILE)
        of_offsets.add(TOPIC, Log(metadata_error=29))
    if state == "fails":
        of_quotas.before = fail
        of_offsets.before = fail


def printed(words: Sequence[str], capfd: pytest.CaptureFixture[str]) -> str:
    """Run a command, and return its output, which must be safe; JSON must be valid."""
    run(quotas if words[0] == QUOTAS else offsets, words[0], words[1:])
    out, err = capfd.readouterr()
    assert out + err
    assert unsafe_lines(out + err) == []
    if words[-1] == "json" and out:
        json.loads(out)
    return out + err


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", ON_A_CLUSTER)
def test_text_of_brokers_is_escaped_in_every_output(
    stores: tuple[QuotaStore, OffsetStore],
    name: str,
    state: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    words = ON_A_CLUSTER[name]
    of_quotas, of_offsets = stores
    set_up(state, of_quotas, of_offsets)
    made = (lambda _: QuotaCluster(of_quotas)) if words[0] == QUOTAS else (lambda _: OffsetCluster(of_offsets))
    monkeypatch.setattr(admin_module, "Cluster", made)
    for form in ("table" if words[0] == OFFSETS else "text", "json"):
        text = printed([*words, *CLUSTER, "--format", form], capfd)
        assert "stop-commands" in text or "unknown" in words


@pytest.mark.parametrize("name", FILES)
def test_text_of_files_is_escaped_in_errors(
    stores: tuple[QuotaStore, OffsetStore],
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(admin_module, "Cluster", lambda _: QuotaCluster(stores[0]))
    printed([QUOTAS, "plan", *CLUSTER, name], capfd)


@pytest.mark.parametrize("command", WITH_PROPERTIES)
@pytest.mark.parametrize("name", PROPERTIES)
@pytest.mark.usefixtures("stores")
def test_text_of_properties_is_escaped_in_errors(command: str, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    server = () if name == "addresses" else ("--bootstrap-server", "127.0.0.1:1")
    printed([command, *WITH_PROPERTIES[command], *server, "--command-config", f"{name}.properties"], capfd)


@pytest.mark.parametrize("name", WRONG_WORDS)
@pytest.mark.usefixtures("stores")
def test_text_of_arguments_is_escaped_in_errors(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    command, *words = WRONG_WORDS[name]
    printed([command, *(CLUSTER if "--bootstrap-server" not in words else ()), *words], capfd)


def test_every_command_and_mode_is_tested_with_foreign_text() -> None:
    words = {word for line in ON_A_CLUSTER.values() for word in line}
    assert words >= {*quotas.commands, *(f"--{mode}" for mode in MODES), OFFSETS}
