from __future__ import annotations

import asyncio
import io
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from messagegen_client.errors import BrokerConnectionError
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_kafka import AlterClientQuotasRequest
from tests.client.support.quota_cluster import QuotaStore
from tests.client.support.quotas_command import ALICE, RATE, Command, command, run_quotas, store

__all__ = ["command", "store"]  # fixtures


def test_describing_shows_entities_and_values(store: QuotaStore, command: Command) -> None:
    store.entries = {
        ClientQuotaEntity(user=None, client_id="c"): {RATE: 500000.0, "consumer_byte_rate": 1e6},
        ClientQuotaEntity(user="u,1", client_id="c"): {"request_percentage": 12.5},
        ClientQuotaEntity(ip="::1"): {"connection_creation_rate": 3.0},
    }
    assert command("--describe", "--names=client-id=c") == (
        0,
        """\
{user=u%2C1, client-id=c}
request_percentage=12.5
{user=<default>, client-id=c}
consumer_byte_rate=1000000
producer_byte_rate=500000
""",
        "",
    )
    assert command("--describe", "--names=ip")[1] == "{ip=::1}\nconnection_creation_rate=3\n"
    assert command("--describe", "--defaults=user", "--names=client-id")[1].startswith("{user=<default>, client-id=c}")


def test_resolve_shows_each_value_with_its_source_entity(store: QuotaStore, command: Command) -> None:
    store.entries = {
        ClientQuotaEntity(user="alice", client_id="c"): {"consumer_byte_rate": 2e6},
        ClientQuotaEntity(user=None, client_id="c"): {"consumer_byte_rate": 1.0, RATE: 5e5},
    }
    assert command("--resolve", "--names=user=alice,client-id=c") == (
        0,
        (
            "consumer_byte_rate=2000000 {user=alice, client-id=c}\n"
            "producer_byte_rate=500000 {user=<default>, client-id=c}\n"
        ),
        "",
    )
    _, out, _ = command("--resolve", "--names=user=alice,client-id=c", "--format=json")
    assert json.loads(out)["values"]["producer_byte_rate"] == {
        "value": 500000,
        "source": {"user": None, "client-id": "c"},
    }


def test_addresses_are_compared_and_host_names_get_a_warning(store: QuotaStore, command: Command) -> None:
    store.entries = {
        ClientQuotaEntity(ip="127.0.0.1"): {"connection_creation_rate": 5.0},
        ClientQuotaEntity(ip="localhost"): {"connection_creation_rate": 9.0},
    }
    code, out, err = command("--resolve", "--names=ip=127.1")
    assert (code, out) == (0, "connection_creation_rate=5 {ip=127.0.0.1}\n")
    assert (
        err
        == "warning: {ip=localhost}: expected an IP address, found a host name, which each broker resolves by itself\n"
    )
    assert command("--resolve", "--names=user=alice")[2] == "No quota applies to {user=alice}.\n"


def test_entries_with_unknown_entity_types_are_named(store: QuotaStore, command: Command) -> None:
    store.entries = {ClientQuotaEntity({"client-id-prefix": f"app{number}"}): {RATE: 5.0} for number in range(7)}
    store.entries[ClientQuotaEntity(client_id="app1")] = {RATE: 6.0}
    code, out, err = command("--resolve", "--names=client-id=app1")
    assert (code, out) == (0, "producer_byte_rate=6 {client-id=app1}\n")
    names = ", ".join(f"{{client-id-prefix=app{number}}}" for number in range(5))
    warning = "warning: left out entries with unknown entity types, which may also apply: "
    assert err == f"{warning}{names}, and 2 more\n"
    code, out, err = command("--resolve", "--names=client-id-prefix=app1")
    assert (code, out, err) == (0, "producer_byte_rate=5 {client-id-prefix=app1}\n", "")


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_filter_without_matches_prints_a_note(store: QuotaStore, command: Command, form: str) -> None:
    store.entries = {ALICE: {RATE: 1.0}}
    code, out, err = command("--resolve", "--names=user=nobody", f"--format={form}")
    assert (code, err) == (0, "No quota applies to {user=nobody}.\n")
    assert out == "" or json.loads(out) == {"entity": {"user": "nobody"}, "values": {}}
    code, out, err = command("--describe", "--names=user=nobody", f"--format={form}")
    assert (code, err) == (0, "No entity with quotas matches.\n")
    assert out == "" or json.loads(out) == {"quotas": []}


def test_alter_prints_nothing_unless_the_format_is_json(store: QuotaStore, command: Command) -> None:
    store.entries = {ALICE: {RATE: 1.0}}
    arguments = (
        "--alter",
        "--names=user=alice",
        "--add=consumer_byte_rate=2e6,request_percentage=1.5",
        f"--delete={RATE}",
    )
    assert command(*arguments, "--validate-only") == (0, "", "")
    assert store.entries == {ALICE: {RATE: 1.0}}
    assert command(*arguments) == (0, "", "")
    assert store.entries == {ALICE: {"consumer_byte_rate": 2e6, "request_percentage": 1.5}}
    _, out, _ = command(*arguments, "--format=json")
    assert json.loads(out) == {
        "counts": {"done": 1, "refused": 0, "unknown": 0, "not_sent": 0},
        "altered": [{"entity": {"user": "alice"}, "outcome": "done", "error": None}],
    }


def test_the_error_of_the_broker_is_printed(store: QuotaStore, command: Command) -> None:
    code, out, err = command("--alter", "--names=user=a%0Ab", "--add=producer_byte_rate=0")
    assert (code, out) == (1, "")
    assert err == (
        "Error: altering client quotas of {user=a%0Ab}: Quota producer_byte_rate must be greater than 0 "
        "(INVALID_REQUEST, error 42)\n"
    )
    assert command("--alter", "--names=user=a", "--add=zoo=1,zoo=2")[2].startswith("Error: altering client quotas of")
    assert command("--describe", "--names=planet")[:2] == (1, "")


def test_errors_are_printed_in_one_line(store: QuotaStore, command: Command) -> None:
    def before(_: object) -> None:
        raise BrokerConnectionError("memory:9092 is \x1b[31mgone")

    store.before = before
    assert command("--describe") == (1, "", "Error: memory:9092 is \\u001b[31mgone\n")


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        ([], "Expected one of --describe, --resolve and --alter"),
        (["--describe", "--alter"], "not --describe and --alter"),
        (["--describe", "--add=a=1"], "--add requires --alter"),
        (["--resolve", "--validate-only"], "--validate-only requires --alter"),
        (["--resolve"], "Missing entity"),
        (["--alter", "--names=user=a"], "Nothing to alter"),
        (["--alter", "--add=a=1"], "Missing entity"),
        (["--alter", "--names=user", "--add=a=1"], "--defaults=user"),
        (["--alter", "--names=user=a", "--add=a"], "missing value in"),
        (["--alter", "--names=user=a", "--add=a=nan"], "nan sets no limit"),
        (["--alter", "--names=user=a", "--delete=a=1"], "remove the ="),
        (["--alter", "--names=user=a", "--add=a=010"], "--add: invalid number '010'; write for example 1000000"),
        (["--alter", "--names=user=a", "--add=a=1e400"], "--add: '1e400' is too large; use Infinity"),
        (["--alter", "--names=user=a", "--delete=nope"], "--delete: unknown quota 'nope'; expected producer_byte_rate"),
        (["--alter", "--names=user=a", "--delete=consumer_rate"], "did you mean consumer_byte_rate?"),
        (["--describe", "--names=user=a,user=b"], "Duplicate entity type user"),
        (["--resolve", "--names=user=a", "--defaults=user"], "Duplicate entity type user"),
        (["--describe", "--names=user=<default>"], "%3Cdefault%3E"),
        (["--describe", "--defaults=user,"], "empty item"),
        (["--describe", "plan", "x.yaml"], "No such file|can't be used with plan"),
        (["--describe", "export"], "--describe can't be used with export"),
        (["--names=user=a", "export"], "--names can't be used with export"),
        (["--frobnicate"], "No such option"),
        (["--alter", "--entity-name", "alice"], "No such option '--entity-name'; write --names"),
        (["--alter", "--add-config", f"{RATE}=5"], "No such option '--add-config'; write --add"),
        (["--list"], "No such option '--list'; write --describe"),
        (["plan", "--at", "now"], "No such option '--at'."),
        (["--describe", "--timeout=0"], "expected a number of seconds above 0, got '0'"),
        (["--describe", "--timeout=nan"], "expected a number of seconds above 0, got 'nan'"),
        (["--describe", "--timeout=inf"], "expected a number of seconds above 0, got 'inf'"),
        (["frobnicate"], "No such command"),
        (["--describe", "--bootstrap-server", "memory"], "invalid address 'memory': add the port"),
    ],
)
def test_wrong_usage_is_an_error(store: QuotaStore, command: Command, arguments: list[str], advice: str) -> None:
    code, out, err = command(*arguments)
    assert (code, out) == (64, "")
    assert any(part in err for part in advice.split("|")), err
    assert store.requests == []


def test_missing_bootstrap_servers_are_a_usage_error(store: QuotaStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_quotas(["--describe"]) == 64
    assert "--bootstrap-server HOST:PORT" in capsys.readouterr().err


def test_settings_come_from_a_file(store: QuotaStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "client.properties"
    file.write_text("bootstrap.servers=memory:9092\nsecurity.protocl=SSL\n")
    assert run_quotas(["--describe", "--command-config", str(file)]) == 0
    assert "warning: " in (err := capsys.readouterr().err)
    assert "security.protocl" in err


def test_an_unexpected_exception_is_reported_as_a_bug(store: QuotaStore, command: Command) -> None:
    def before(_: object) -> None:
        raise ZeroDivisionError("made up")

    store.before = before
    code, out, err = command("--describe")
    assert (code, out) == (1, "")
    assert re.match(r"Error: ZeroDivisionError: made up \(test_command.py, line \d+\); this is a bug", err)


@pytest.fixture
def python_hears_interrupts() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("python_hears_interrupts")
@pytest.mark.parametrize("arguments", [["--alter", "--names=user=alice", f"--add={RATE}=1"], ["apply", "-"]])
@pytest.mark.parametrize(("more", "said"), [([], "Interrupted: the outcome is unknown"), (["--validate-only"], "")])
def test_an_interrupted_alteration_has_an_unknown_outcome_unless_validate_only(
    store: QuotaStore,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    more: list[str],
    said: str,
) -> None:
    def before(request: object) -> None:
        if isinstance(request, AlterClientQuotasRequest) and request.validate_only is bool(more):
            signal.raise_signal(signal.SIGINT)
            raise asyncio.CancelledError  # The loop would do this at the next wait, but this cluster never waits.

    store.before = before
    monkeypatch.setattr("sys.stdin", io.StringIO(f"quotas: [{{entity: {{user: alice}}, values: {{{RATE}: 1}}}}]"))
    code, _, err = command(*arguments, *more)
    assert code == 130
    assert err.startswith(said)
    assert bool(err) == bool(said)
