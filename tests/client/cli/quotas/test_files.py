from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from messagegen_client.errors import BrokerConnectionError, KafkaTimeoutError
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.file.writing import yaml_text
from messagegen_kafka import AlterClientQuotasRequest
from messagegen_kafka.alter_client_quotas_response import EntryData
from tests.client.support.quota_cluster import QuotaStore
from tests.client.support.quotas_command import ALICE, BOB, RATE, Command, command, store

__all__ = ["command", "store"]  # fixtures

FILE = """
quotas:
  - entity: {user: alice}
    values: {producer_byte_rate: 2000, consumer_byte_rate: 5, request_percentage: null}
  - entity: {user: null, client-id: "a,b"}
    values: {producer_byte_rate: 15}
"""
PLAN = """\
+ {user=<default>, client-id=a%2Cb}
    + producer_byte_rate=15
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
    assert [request.validate_only for request in store.alterations] == [True]


def test_applying_carries_out_the_plan_once(store: QuotaStore, command: Command, file: str) -> None:
    planned = command("plan", file)[1]
    assert command("apply", file) == (0, planned + "2 entities altered\n", "")
    assert store.entries == {
        ALICE: {RATE: 2000.0, "consumer_byte_rate": 5.0},
        BOB: {RATE: 1.0},
        ClientQuotaEntity(user=None, client_id="a,b"): {RATE: 15.0},
    }
    assert [(len(request.entries), request.validate_only) for request in store.alterations[1:]] == [
        (2, True),
        (2, False),
    ]
    same = "No changes: the cluster has the quotas of the file.\n"
    assert command("plan", file) == command("apply", file) == (0, same, "")
    assert len(store.alterations) == 3


def test_json_output_has_changes_and_outcomes(store: QuotaStore, command: Command, file: str) -> None:
    code, out, _ = command("--format=json", "plan", file)
    planned = json.loads(out)
    assert code == 2
    assert planned["changes"][1] == {"entity": {"user": "alice"}, "quota": RATE, "before": 1000, "after": 2000}
    assert planned["refused"] == []
    assert (planned["add"], planned["change"], planned["remove"]) == (2, 1, 1)
    code, out, _ = command("apply", "--format=json", file)
    applied = json.loads(out)
    assert code == 0
    assert applied["changes"] == planned["changes"]
    assert applied["altered"][0] == {"entity": {"user": "alice"}, "outcome": "done", "error": None}
    assert applied["validate_only"] is False


def test_apply_reports_unknown_outcomes_if_no_answer_arrives(store: QuotaStore, command: Command, file: str) -> None:
    def before(request: object) -> None:
        if isinstance(request, AlterClientQuotasRequest) and not request.validate_only:
            raise KafkaTimeoutError("timed out after 60 s", outcome_unknown=True)

    store.before = before
    code, out, err = command("apply", file)
    assert code == 1
    assert out.endswith("\n0 entities altered, 2 unknown\n")
    unknown = (
        "timed out after 60 s; the outcome is unknown: the broker may have carried out the request, or may still do so"
    )
    assert err == (
        f"Error: {{user=alice}}: {unknown}\nError: {{user=<default>, client-id=a%2Cb}}: {unknown}\n"
        "To see what was changed, describe these quotas, or run plan again.\n"
    )


def test_a_plan_of_an_exported_file_has_no_changes(store: QuotaStore, command: Command, tmp_path: Path) -> None:
    store.entries = {
        ClientQuotaEntity(user="no", client_id=None): {RATE: 1e6, "request_percentage": 0.1},
        ClientQuotaEntity(ip="10.0.0.1"): {"connection_creation_rate": 5.0},
        ClientQuotaEntity(client_id="old"): {"controller_mutation_rate": math.inf, RATE: 0.0},
        ALICE: {RATE: math.nan, "request_percentage": 3.0},
        BOB: {RATE: math.nan},
        ClientQuotaEntity(user=""): {RATE: 4.0},
        ClientQuotaEntity(user="a", client_id=""): {RATE: 5.0},
        ClientQuotaEntity(ip="::0001"): {"connection_creation_rate": 6.0},
        ClientQuotaEntity({"future type": "a"}): {"future quota": -1.0},
    }
    code, out, err = command("export")
    assert code == 0
    assert err == (
        "warning: {user=alice}: producer_byte_rate is nan, which does not limit anything; left out\n"
        "warning: {user=bob}: producer_byte_rate is nan, which does not limit anything; left out\n"
    )
    assert len(yaml.safe_load(out)["quotas"]) == 8
    for name, text in (("quotas.yaml", out), ("quotas.json", command("export", "--format=json")[1])):
        path = tmp_path / name
        path.write_text(text)
        assert command("plan", str(path)) == (0, "No changes: the cluster has the quotas of the file.\n", "")


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_exported_file_restores_all_quotas(store: QuotaStore, command: Command, tmp_path: Path, form: str) -> None:
    wanted = {ALICE: {RATE: 1000.0}}
    store.entries = dict(wanted)
    path = tmp_path / "quotas.yaml"
    path.write_text(command("export", "--format", form)[1])
    for names in ({"client_id": "c"}, {"user": "a", "client_id": None}, {"user": None}):
        store.entries[ClientQuotaEntity(**names)] = {RATE: 5.0}
    store.entries[ClientQuotaEntity(ip="10.0.0.1")] = {"connection_creation_rate": 5.0}
    store.entries[ALICE] = {RATE: 7.0, "request_percentage": 7.0}
    assert command("apply", "--prune", str(path))[0] == 0
    assert store.entries == wanted


@pytest.mark.parametrize("name", ["plan", "apply"])
def test_an_invalid_fraction_is_reported_without_a_request_to_the_broker(
    store: QuotaStore, command: Command, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("quotas.yaml").write_text(
        "quotas:\n- entity: {user: bob}\n  values: {request_percentage: 0.5, producer_byte_rate: 0.5}\n"
        "- entity: {usr: bob}\n  values: {request_percentage: -1}\n"
    )
    code, out, err = command(name, "quotas.yaml")
    assert (code, out) == (1, "")
    assert err.removeprefix("Error: ").splitlines() == [
        "quotas.yaml:3: quotas[0].values.producer_byte_rate: producer_byte_rate must be a whole number, not 0.5",
        "quotas.yaml:4: quotas[1].entity: unknown entity type 'usr'; did you mean user?",
        "quotas.yaml:5: quotas[1].values.request_percentage: -1 is not above 0; to remove the quota, write null",
    ]
    assert store.requests == []


def test_unusable_files_are_errors(store: QuotaStore, command: Command, tmp_path: Path) -> None:
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


def test_errors_are_counted_and_only_the_first_five_of_each_kind_are_shown(
    store: QuotaStore, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def before(request: object) -> None:
        sent = [request for request in store.alterations if not request.validate_only]
        if len(sent) == 2 and request is sent[1]:
            raise BrokerConnectionError("broker 2 closed the connection", outcome_unknown=True)

    def refused(entry: EntryData) -> EntryData:
        # Accept fewer changes than in the check, like a new controller that took over after the check.
        some = entry.entity[0].entity_name in [f"user-{number:02}" for number in range(7)]
        checking = store.alterations[-1].validate_only
        return entry if checking or not some else replace(entry, error_code=42, error_message="Refused")

    monkeypatch.setattr("messagegen_client.quotas.batches.MAX_RECORDS", 10)
    store.answer_with = refused
    store.entries.clear()
    store.before = before
    path = tmp_path / "quotas.yaml"
    wanted = {ClientQuotaEntity(user=f"user-{number:02}"): {RATE: 1.0} for number in range(25)}
    path.write_text(yaml_text(wanted))
    code, out, err = command("apply", str(path))
    assert code == 1
    assert out.endswith("\n3 entities altered, 7 refused, 10 unknown, 5 not sent\n")
    assert err.startswith("Error: altering client quotas of {user=user-00}: Refused")
    lines = err.splitlines()
    assert lines[5] == "Error: 2 more refused"
    assert lines[6].startswith("Error: {user=user-10}: broker 2 closed the connection; the outcome is unknown")
    assert lines[11] == "Error: 5 more unknown"
    assert lines[12].startswith("Error: altering client quotas of {user=user-20}: not sent, because an earlier request")
    assert lines[17:] == ["To see what was changed, describe these quotas, or run plan again."]
    applied = json.loads(command("apply", "--format=json", str(path))[1])
    assert applied["counts"] == {"done": 15, "refused": 0, "unknown": 0, "not_sent": 0}


def test_max_removals_limits_the_number_of_removed_quotas(store: QuotaStore, command: Command, file: str) -> None:
    before = {entity: dict(values) for entity, values in store.entries.items()}
    planned = command("plan", "--prune", file)[1]
    said = (
        "Error: 2 quotas would be removed, but --max-removals allows 1; nothing was changed. "
        "To remove them, use --max-removals 2\n"
    )
    for name in ("plan", "apply"):
        assert command(name, "--prune", "--max-removals=1", file) == (1, planned, said)
    assert command("apply", "--prune", "--max-removals=0", "--format=json", file)[:2] == (1, "")
    assert store.entries == before
    assert all(request.validate_only for request in store.alterations)
    assert command("plan", "--prune", "--max-removals=2", file) == (2, planned, "")
    assert command("apply", "--prune", "--max-removals=2", file)[0] == 0
    assert command("plan", "--max-removals=-1", file)[0] == 64


WRONG = """
quotas:
  - entity: {user: carol}
    values: {producer_byte_rate: 7}
  - entity: {usr: alice}
    values: {producer_byte_rate: 2000}
  - entity: {user: alice}
    values:
      prodcer_byte_rate: 5
      producer_byte_rate: -1
      connection_creation_rate: 5
  - entity: {ip: "10.0.0.1"}
    values: {consumer_byte_rate: 5}
  - entity: {user: "", client-id: null}
    values: {consumer_byte_rate: 5}
  - entity: {user: a, ip: b}
    values: {consumer_byte_rate: 5}
"""
PROBLEMS = """\
quotas.yaml:5: quotas[1].entity: unknown entity type 'usr'; did you mean user?
quotas.yaml:9: quotas[2].values.prodcer_byte_rate: unknown quota 'prodcer_byte_rate'; did you mean producer_byte_rate?
quotas.yaml:10: quotas[2].values.producer_byte_rate: -1 is not above 0; to remove the quota, write null
quotas.yaml:11: quotas[2].values.connection_creation_rate: connection_creation_rate is a quota of an ip, not of user
quotas.yaml:13: quotas[3].values.consumer_byte_rate: consumer_byte_rate is not a quota of an ip; \
expected connection_creation_rate
quotas.yaml:14: quotas[4].entity: empty name of user; write a name, or null for the default entity
quotas.yaml:16: quotas[5].entity: invalid combination user and ip; expected user, client-id, user and client-id, or ip
"""


@pytest.mark.parametrize("name", ["plan", "apply"])
def test_all_mistakes_are_reported_together_and_nothing_is_sent(
    store: QuotaStore, command: Command, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("quotas.yaml").write_text(WRONG)
    assert command(name, "quotas.yaml") == (1, "", f"Error: {PROBLEMS}")
    assert store.alterations == []


def refuse_bob(store: QuotaStore) -> None:
    """Make the broker refuse changes to Bob's quotas."""

    def refused(entry: EntryData) -> EntryData:
        bob = entry.entity[0].entity_name == "bob"
        return replace(entry, error_code=42, error_message="Not Bob") if bob else entry

    store.answer_with = refused


@pytest.fixture
def refused_file(store: QuotaStore, tmp_path: Path) -> str:
    """A file with a change that the broker refuses, and a change that it accepts."""
    refuse_bob(store)
    path = tmp_path / "quotas.yaml"
    path.write_text(yaml_text({ALICE: {RATE: 5.0}, BOB: {RATE: 5.0}}))
    return str(path)


def test_nothing_is_changed_if_the_broker_would_refuse_a_change(
    store: QuotaStore, command: Command, refused_file: str
) -> None:
    before = {entity: dict(values) for entity, values in store.entries.items()}
    code, out, err = command("apply", refused_file)
    assert code == 1
    assert out.endswith("\n0 entities altered, 1 refused, 1 not sent\n")
    assert err == (
        "Error: altering client quotas of {user=bob}: Not Bob (INVALID_REQUEST, error 42)\n"
        "Error: altering client quotas of {user=alice}: not sent, because other changes were refused\n"
    )
    assert store.entries == before
    assert [request.validate_only for request in store.alterations] == [True]
    document = json.loads(command("apply", "--format=json", refused_file)[1])
    assert document["counts"] == {"done": 0, "refused": 1, "unknown": 0, "not_sent": 1}
    assert [each["outcome"] for each in document["altered"]] == ["not_sent", "refused"]
    assert document["altered"][1]["error"]["code"] == 42
    assert document["altered"][1]["error"]["name"] == "INVALID_REQUEST"


def test_a_plan_reports_changes_that_the_broker_would_refuse(
    store: QuotaStore, command: Command, refused_file: str
) -> None:
    code, out, err = command("plan", refused_file)
    assert (code, err) == (1, "Error: altering client quotas of {user=bob}: Not Bob (INVALID_REQUEST, error 42)\n")
    assert out.endswith("0 to add, 2 to change, 0 to remove, in 2 entities\n")
    document = json.loads(command("plan", "--format=json", refused_file)[1])
    assert [each["entity"] for each in document["refused"]] == [{"user": "bob"}]
    assert len(document["changes"]) == 2


def test_a_plan_does_not_need_permission_to_alter(store: QuotaStore, command: Command, file: str) -> None:
    def forbidden(entry: EntryData) -> EntryData:
        return replace(entry, error_code=31, error_message="Not allowed")

    store.answer_with = forbidden
    code, out, err = command("plan", file)
    assert code == 2
    assert out.endswith("in 2 entities\n")
    assert err == (
        "warning: the broker did not check the changes, because you lack the permission to alter quotas: "
        "altering client quotas of {user=alice}: Not allowed (CLUSTER_AUTHORIZATION_FAILED, error 31)\n"
    )
    assert command("apply", file)[0] == 1


def test_a_plan_ignores_different_spellings_of_an_address(store: QuotaStore, command: Command, tmp_path: Path) -> None:
    store.entries = {ClientQuotaEntity(ip="2001:db8::1"): {"connection_creation_rate": 5.0}}
    path = tmp_path / "quotas.yaml"
    addresses = {ClientQuotaEntity(ip=name): {"connection_creation_rate": 5.0} for name in ("2001:0db8:0:0::1", "a.b")}
    path.write_text(yaml_text(addresses))
    code, out, err = command("plan", str(path))
    assert (code, err) == (
        2,
        "warning: {ip=a.b}: expected an IP address, found a host name, which each broker resolves by itself\n",
    )
    assert out.startswith("+ {ip=a.b}\n    + connection_creation_rate=5\n\n1 to add")
