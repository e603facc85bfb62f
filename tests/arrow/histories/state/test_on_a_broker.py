"""The state at a time beside what a real broker described at that time, and yesterday's quotas applied again."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from aiokafka import AIOKafkaProducer, TopicPartition  # type: ignore[import-untyped]

from messagegen_arrow import ClusterState, cluster_state
from messagegen_arrow.cli import command as data_command
from messagegen_client.admin import Admin
from messagegen_client.cli import support
from messagegen_client.cli.groups.command import EXIT_USAGE, NAME, group_offsets
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from tests.broker import java
from tests.broker.cluster import Cluster
from tests.broker.records import create_topics, produce
from tests.broker.waiting import eventually
from tests.client.support.quotas_command import run_quotas

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("broker")]

PROPERTIES = {"metadata.log.max.record.bytes.between.snapshots": "3000"}
EXIT_CHANGES = 2
QUOTAS: list[dict[ClientQuotaEntity, dict[str, float | None]]] = [
    {
        ClientQuotaEntity(user="ann", client_id=None): {"producer_byte_rate": 1e6, "request_percentage": 12.5},
        ClientQuotaEntity(user="<default>"): {"consumer_byte_rate": 3e9},
        ClientQuotaEntity(user=None): {"consumer_byte_rate": 5.0},
        ClientQuotaEntity(user="a,b=%2C ü no"): {"consumer_byte_rate": 7.0},
    },
    {
        ClientQuotaEntity(user="ann", client_id=None): {"producer_byte_rate": 2e6, "request_percentage": None},
        ClientQuotaEntity(user=None): {"consumer_byte_rate": None},
        ClientQuotaEntity(client_id="12"): {"producer_byte_rate": 4.0},
    },
    {ClientQuotaEntity(ip="192.0.2.7"): {"connection_creation_rate": 20.0}},
]


@dataclass(frozen=True)
class Moment:
    """A time, and what the broker described then."""

    at: int
    described: dict[str, Any]


@dataclass(frozen=True)
class Past:
    """A cluster that was changed in steps, with a moment after each."""

    cluster: Cluster
    moments: list[Moment]

    @property
    def folder(self) -> Path:
        return self.cluster.log_dir()


def alter_quotas(bootstrap: str, step: int) -> None:
    with Admin(bootstrap) as admin:
        changes = [ClientQuotaAlteration(entity, values) for entity, values in QUOTAS[step - 1].items()]
        admin.alter_client_quotas(changes).raise_for_errors()


def moment(bootstrap: str, step: int = 0) -> Moment:
    """Makes the changes of a step, if it is one, lets the broker settle, and asks it for everything."""
    if step:
        alter_quotas(bootstrap, step)
    described = java.call("changeCluster", bootstrap, {"step": step})
    at = round(time.time() * 1000)
    # The next record has a later millisecond.
    time.sleep(0.01)
    return Moment(at, described)


async def steps(bootstrap: str) -> list[Moment]:
    """The moments after each step; offsets that are sent to a transaction are pending during the second one."""
    moments = [await asyncio.to_thread(moment, bootstrap, 1)]
    async with AIOKafkaProducer(bootstrap_servers=bootstrap, transactional_id="ledger") as producer:
        async with producer.transaction():
            await producer.send_offsets_to_transaction({TopicPartition("orders", 0): 3}, "ledgers")
            moments.append(await asyncio.to_thread(moment, bootstrap, 2))
        moments.append(await asyncio.to_thread(moment, bootstrap))
    moments.append(await asyncio.to_thread(moment, bootstrap, 3))
    return moments


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Past]:
    """A cluster with an authorizer and many snapshots, after all steps."""
    with Cluster(tmp_path_factory.mktemp("state"), authorizer=True, properties=PROPERTIES) as cluster:
        yield Past(cluster, asyncio.run(steps(cluster.bootstrap())))


def as_described(state: ClusterState) -> dict[str, Any]:
    """A state in the form of ``ClusterCalls.describe``."""
    partitions = ("topic", "topicId", "partition", "leader", "replicas", "isr")
    configs = []
    for row in state["configs"].to_pylist():
        value = None if row["value"] == "<redacted>" else row["value"]
        kind = row["resourceType"].upper().replace("-", "_")
        configs.append([kind, row["resource"] or "", row["config"], value])
    quotas: dict[ClientQuotaEntity, dict[str, float]] = {}
    for row in state["quotas"].to_pylist():
        quotas.setdefault(ClientQuotaEntity(dict(row["entity"])), {})[row["quota"]] = row["value"]
    return {
        "topics": columns(state["partitions"], *partitions),
        "configs": sorted(configs, key=str),
        "quotas": quotas,
        "acls": columns(state["acls"], *state["acls"].column_names[1:]),
        "users": columns(state["users"], "user", "mechanism", "iterations"),
        "features": {row["feature"]: row["level"] for row in state["features"].to_pylist()},
        "commits": columns(state["commits"], "group", "topic", "partition", "offset", "metadata"),
    }


def columns(table: pa.Table, *names: str) -> list[list[Any]]:
    return sorted(([row[name] for name in names] for row in table.to_pylist()), key=str)


def in_order(described: dict[str, Any]) -> dict[str, Any]:
    """What a broker described, without what is no record of its metadata."""
    found = {name: sorted(rows, key=str) for name, rows in described.items() if isinstance(rows, list)}
    quotas = {ClientQuotaEntity(each["entity"]): each["values"] for each in described["quotas"]}
    # The version of the quorum's own protocol is in a control record.
    features = {name: level for name, level in described["features"].items() if name != "kraft.version"}
    return {**found, "quotas": quotas, "features": features}


@pytest.mark.parametrize("step", range(4))
def test_states_are_what_the_broker_described(past: Past, step: int) -> None:
    found = past.moments[step]
    state = cluster_state(past.folder, found.at)
    assert as_described(state) == in_order(found.described)
    assert state.notes == ()


def test_the_newest_state_is_the_last_one(past: Past) -> None:
    assert as_described(cluster_state(past.folder, "now")) == in_order(past.moments[-1].described)


def test_offsets_of_a_transaction_count_after_its_end(past: Past) -> None:
    pending, committed = (
        [
            row["offset"]
            for row in cluster_state(past.folder, each.at)["commits"].to_pylist()
            if row["group"] == "ledgers"
        ]
        for each in past.moments[1:3]
    )
    assert (pending, committed) == ([], [3])


def test_snapshots_and_the_whole_log_tell_the_same_states(past: Past, tmp_path: Path) -> None:
    name = "__cluster_metadata-0"
    snapshots = sorted((past.folder / name).glob("*.checkpoint"))
    assert len(snapshots) > 1
    shutil.copytree(past.folder / name, tmp_path / name, ignore=shutil.ignore_patterns("*.checkpoint"))
    for found in past.moments:
        with_snapshots = cluster_state(past.folder, found.at)
        whole_log = cluster_state(tmp_path, found.at)
        for table, rows in whole_log.tables.items():
            assert rows.equals(with_snapshots[table]), table


def test_the_quotas_of_an_earlier_time_are_applied_again(
    past: Past, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bootstrap = ["--bootstrap-server", past.cluster.bootstrap()]
    before = past.moments[0]
    file = tmp_path / "quotas.yaml"
    options = ["--at", str(before.at), "--only", "quotas", "--format", "yaml", "--output", str(file)]
    assert data_command.run(["state", str(past.folder), *options]) == 0

    assert run_quotas(["plan", str(file), "--prune", *bootstrap]) == EXIT_CHANGES
    planned = capsys.readouterr().out
    assert "~ producer_byte_rate=2000000 -> 1000000" in planned
    assert "- connection_creation_rate=20" in planned
    assert "2 to add, 1 to change, 2 to remove" in planned
    assert run_quotas(["apply", str(file), "--prune", *bootstrap]) == 0
    expected = in_order(before.described)["quotas"]
    with Admin(past.cluster.bootstrap()) as admin:
        eventually(lambda: admin.describe_client_quotas() == expected)
    assert run_quotas(["plan", str(file), "--prune", *bootstrap]) == 0


def test_the_commits_of_an_earlier_time_are_made_again(past: Past, tmp_path: Path) -> None:
    bootstrap = past.cluster.bootstrap()
    before = past.moments[0]
    file = tmp_path / "groups.json"
    options = ["--at", str(before.at), "--only", "groups", "--output", str(file)]
    assert data_command.run(["state", str(past.folder), *options]) == 0
    state = json.loads(file.read_text(encoding="utf-8"))
    state["groups"] = [each for each in state["groups"] if each["group"] == "billing"]
    file.write_text(json.dumps(state), encoding="utf-8")

    # The last step deleted the topic, and offsets of the file must be there.
    create_topics(bootstrap, {"orders": 2})
    produce(bootstrap, [{"topic": "orders", "partition": number % 2, "value": b"x"} for number in range(20)])
    arguments = ["--bootstrap-server", bootstrap, "apply", str(file)]
    assert support.run(group_offsets, NAME, arguments, exit_usage=EXIT_USAGE) == 0
    with Admin(bootstrap) as admin:
        committed = admin.list_consumer_group_offsets("billing")
    found = [["billing", *partition, place.offset, place.metadata] for partition, place in committed.items()]
    assert found == sorted(each for each in before.described["commits"] if each[0] == "billing")
    assert ["billing", "orders", 0, 5, "first"] in found
