from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
import yaml

from messagegen_client.errors import BrokerConnectionError, KafkaTimeoutError
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.file.writing import yaml_text
from messagegen_kafka import AlterClientQuotasRequest
from tests.client.cli.quotas.fixtures import ALICE, BOB, RATE, Command, command, store
from tests.client.fakes.quota_cluster import QuotaStore

__all__ = ["command", "store"]  # fixtures

FILE = """
quotas:
  - entity: {user: alice}
    values: {producer_byte_rate: 2000, consumer_byte_rate: 5, request_percentage: null}
  - entity: {user: null, client-id: "a,b"}
    values: {producer_byte_rate: 1.5}
"""
PLAN = """\
+ {user=<default>, client-id=a%2Cb}
    + producer_byte_rate=1.5
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "quotas.yaml"
    path.write_text(FILE)
    return str(path)


@pytest.fixture(autouse=True)
def some_entries(store: QuotaStore) -> None:
    store.entries = {ALICE: {RATE: 1000.0, "request_percentage": 7.0}, BOB: {RATE: 1.0}}


def test_a_plan_shows_the_difference(store: QuotaStore, command: Command, file: str) -> None:
    assert command("plan", file) == (
        2,
        "~ {user=alice}\n"
        "    + consumer_byte_rate=5\n"
        "    ~ producer_byte_rate=1000 -> 2000\n"
        "    - request_percentage=7\n" + PLAN + "\n2 to add, 1 to change, 1 to remove, in 2 entities\n",
        "",
    )
    assert store.alterations == []


def test_applying_does_what_the_plan_says_and_then_nothing(store: QuotaStore, command: Command, file: str) -> None:
    planned = command("plan", file)[1]
    assert command("apply", file) == (0, planned + "2 entities altered\n", "")
    assert store.entries == {
        ALICE: {RATE: 2000.0, "consumer_byte_rate": 5.0},
        BOB: {RATE: 1.0},
        ClientQuotaEntity(user=None, client_id="a,b"): {RATE: 1.5},
    }
    assert [len(request.entries) for request in store.alterations] == [2]
    same = "No changes: the cluster has the quotas of the file.\n"
    assert command("plan", file) == command("apply", file) == (0, same, "")
    assert len(store.alterations) == 1


def test_machines_read_json(store: QuotaStore, command: Command, file: str) -> None:
    code, out, _ = command("--output=json", "plan", file)
    planned = json.loads(out)
    assert code == 2
    assert planned["changes"][1] == {"entity": {"user": "alice"}, "quota": RATE, "before": 1000, "after": 2000}
    assert (planned["add"], planned["change"], planned["remove"]) == (2, 1, 1)
    code, out, _ = command("apply", "--output=json", file)
    applied = json.loads(out)
    assert code == 0
    assert applied["changes"] == planned["changes"]
    assert applied["altered"][0] == {"entity": {"user": "alice"}, "outcome": "done", "error": None}
    assert applied["validate_only"] is False


def test_no_answer_leaves_the_outcome_unknown(store: QuotaStore, command: Command, file: str) -> None:
    def before(request: object) -> None:
        if request in store.alterations:
            raise KafkaTimeoutError("timed out after 60 s", outcome_unknown=True)

    store.before = before
    code, out, err = command("apply", file)
    assert code == 1
    assert out.endswith("\n0 entities altered, 2 unknown\n")
    unknown = "timed out after 60 s; the outcome is unknown: the broker may have carried it out, or may still do so"
    assert err == (
        f"Error: {{user=alice}}: {unknown}\nError: {{user=<default>, client-id=a%2Cb}}: {unknown}\n"
        "Describe them, or run plan again, to see what was done.\n"
    )


def test_what_is_exported_plans_empty(store: QuotaStore, command: Command, tmp_path: Path) -> None:
    store.entries = {
        ClientQuotaEntity(user="no", client_id=None): {RATE: 1e6, "request_percentage": 0.1},
        ClientQuotaEntity(ip="10.0.0.1"): {"connection_creation_rate": math.inf},
        ALICE: {RATE: math.nan, "request_percentage": 3.0},
        BOB: {RATE: math.nan},
    }
    code, out, err = command("export")
    assert code == 0
    assert err == (
        "warning: {user=alice}: producer_byte_rate is nan, which is not a limit; left out\n"
        "warning: {user=bob}: producer_byte_rate is nan, which is not a limit; left out\n"
    )
    assert len(yaml.safe_load(out)["quotas"]) == 3
    for name, text in (("quotas.yaml", out), ("quotas.json", command("export", "--output=json")[1])):
        path = tmp_path / name
        path.write_text(text)
        assert command("plan", str(path)) == (0, "No changes: the cluster has the quotas of the file.\n", "")


def test_unusable_files(store: QuotaStore, command: Command, tmp_path: Path) -> None:
    path = tmp_path / "quotas.yaml"
    path.write_text("quotas:\n- {entity: {user: 1}, values: {}}\n- {entity: {user: a}, values: {a: x}}\n")
    code, out, err = command("plan", str(path))
    assert (code, out) == (1, "")
    assert f"{path}:2: quotas[0].entity.user: invalid name 1" in err
    assert f"{path}:3: quotas[1].values.a: invalid value 'x'" in err
    path.write_bytes(b"quotas: \xff")
    assert command("plan", str(path))[2] == f"Error: {path}: not UTF-8 text (invalid start byte at byte 8)\n"
    assert command("plan", str(tmp_path / "none.yaml"))[0] == 64
    assert store.requests == []


def test_errors_are_counted_and_a_few_named(
    store: QuotaStore, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def before(request: object) -> None:
        if isinstance(request, AlterClientQuotasRequest) and len(store.alterations) == 2:
            raise BrokerConnectionError("broker 2 closed the connection", outcome_unknown=True)

    monkeypatch.setattr("messagegen_client.quotas.batches.MAX_RECORDS", 10)
    store.entries.clear()
    store.before = before
    path = tmp_path / "quotas.yaml"
    wanted = {ClientQuotaEntity(user=f"user-{number:02}"): {RATE: 0.0 if number < 7 else 1.0} for number in range(25)}
    path.write_text(yaml_text(wanted))
    code, out, err = command("apply", str(path))
    assert code == 1
    assert out.endswith("\n3 entities altered, 7 refused, 10 unknown, 5 not sent\n")
    refused = "Error: altering client quotas of {user=user-00}: Quota producer_byte_rate must be greater than 0"
    assert err.startswith(refused)
    lines = err.splitlines()
    assert lines[5] == "Error: 2 more refused"
    assert lines[6].startswith("Error: {user=user-10}: broker 2 closed the connection; the outcome is unknown")
    assert lines[11] == "Error: 5 more unknown"
    assert lines[12].startswith("Error: altering client quotas of {user=user-20}: not sent, because an earlier request")
    assert lines[17:] == ["Describe them, or run plan again, to see what was done."]
    applied = json.loads(command("apply", "--output=json", str(path))[1])
    assert applied["counts"] == {"done": 15, "refused": 7, "unknown": 0, "not_sent": 0}
    assert applied["altered"][0]["outcome"] == "refused"
    assert applied["altered"][0]["error"]["code"] == 42
    assert applied["altered"][0]["error"]["name"] == "INVALID_REQUEST"


def test_no_more_quotas_are_removed_than_allowed(store: QuotaStore, command: Command, file: str) -> None:
    before = {entity: dict(values) for entity, values in store.entries.items()}
    planned = command("plan", "--prune", file)[1]
    said = (
        "Error: 2 quotas would be removed, --max-removals allows 1; nothing was changed. "
        "To remove them, use --max-removals 2\n"
    )
    for name in ("plan", "apply"):
        assert command(name, "--prune", "--max-removals=1", file) == (1, planned, said)
    assert command("apply", "--prune", "--max-removals=0", "--output=json", file)[:2] == (1, "")
    assert (store.entries, store.alterations) == (before, [])
    assert command("plan", "--prune", "--max-removals=2", file) == (2, planned, "")
    assert command("apply", "--prune", "--max-removals=2", file)[0] == 0
    assert command("plan", "--max-removals=-1", file)[0] == 64
