"""The state at a point in time equals a real broker's description at that time, and earlier quotas can be restored."""

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
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from tests.broker import java
from tests.broker.cluster import Cluster
from tests.broker.group_consumer import group_consumer
from tests.broker.offsets_script import KAFKA, Commits, commit, committed, run_script
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
    """A point in time, and the broker's description at that time."""

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
    """Make the changes of a step (0: none), let the broker settle, and return its description and the time."""
    if step:
        alter_quotas(bootstrap, step)
    described = java.call("changeCluster", bootstrap, {"step": step})
    at = round(time.time() * 1000)
    # Ensure that the next record has a later time in milliseconds.
    time.sleep(0.01)
    return Moment(at, described)


async def steps(bootstrap: str) -> list[Moment]:
    """Return the moments after each step. At the second moment, the offsets of a transaction are pending."""
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
    """A cluster with an authorizer and many snapshots, after all steps of changes."""
    with Cluster(tmp_path_factory.mktemp("state"), authorizer=True, properties=PROPERTIES) as cluster:
        yield Past(cluster, asyncio.run(steps(cluster.bootstrap())))


def as_described(state: ClusterState) -> dict[str, Any]:
    """Return a state in the form of ``ClusterCalls.describe``."""
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
    """Return a broker's description in a fixed order, without values that are not in its metadata records."""
    found = {name: sorted(rows, key=str) for name, rows in described.items() if isinstance(rows, list)}
    quotas = {ClientQuotaEntity(each["entity"]): each["values"] for each in described["quotas"]}
    # The version of the quorum's own protocol is in a control record.
    features = {name: level for name, level in described["features"].items() if name != "kraft.version"}
    return {**found, "quotas": quotas, "features": features}


@pytest.mark.parametrize("step", range(4))
def test_states_equal_the_descriptions_of_the_broker(past: Past, step: int) -> None:
    found = past.moments[step]
    state = cluster_state(past.folder, found.at)
    assert as_described(state) == in_order(found.described)
    assert state.notes == ()


def test_the_current_state_equals_the_last_description(past: Past) -> None:
    assert as_described(cluster_state(past.folder, "now")) == in_order(past.moments[-1].described)


def test_transactional_offsets_are_ignored_until_the_transaction_ends(past: Past) -> None:
    pending, committed = (
        [
            row["offset"]
            for row in cluster_state(past.folder, each.at)["commits"].to_pylist()
            if row["group"] == "ledgers"
        ]
        for each in past.moments[1:3]
    )
    assert (pending, committed) == ([], [3])


def test_states_from_snapshots_equal_states_from_the_whole_log(past: Past, tmp_path: Path) -> None:
    name = "__cluster_metadata-0"
    snapshots = sorted((past.folder / name).glob("*.checkpoint"))
    assert len(snapshots) > 1
    shutil.copytree(past.folder / name, tmp_path / name, ignore=shutil.ignore_patterns("*.checkpoint"))
    for found in past.moments:
        with_snapshots = cluster_state(past.folder, found.at)
        whole_log = cluster_state(tmp_path, found.at)
        for table, rows in whole_log.tables.items():
            assert rows.equals(with_snapshots[table]), table


def test_quotas_of_an_earlier_time_can_be_restored(
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


@dataclass(frozen=True)
class Restored:
    """A topic, a group's commits in it, and the state of the cluster after these commits."""

    bootstrap: str
    folder: Path
    topic: str
    group: str
    commits: Commits
    state: dict[str, Any]

    def run(self, *options: str) -> tuple[int, str, str]:
        """Run the page's script on the state."""
        (self.folder / "groups.json").write_text(json.dumps(self.state), encoding="utf-8")
        done = run_script(self.folder, self.bootstrap, "groups.json", *options)
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
def restored(past: Past, tmp_path: Path, request: pytest.FixtureRequest) -> Restored:
    """The test's own topic, with a commit that is later than the commits in the state."""
    bootstrap = past.cluster.bootstrap()
    topic = f"{request.node.name[:60]}-{time.time_ns()}"
    group = f"readers of {topic}"
    create_topics(bootstrap, {topic: 2})
    produce(bootstrap, [{"topic": topic, "partition": number % 2, "value": b"x"} for number in range(20)])
    commits: Commits = {(topic, 0): (5, "first"), (topic, 1): (10, "")}
    commit(bootstrap, group, commits)
    at = round(time.time() * 1000)
    time.sleep(0.01)
    commit(bootstrap, group, {(topic, 0): (7, "later")})

    file = tmp_path / "state.json"
    options = ["--at", str(at), "--only", "topics,groups", "--output", str(file)]
    assert data_command.run(["state", str(past.folder), *options]) == 0
    state = json.loads(file.read_text(encoding="utf-8"))
    state["groups"] = [each for each in state["groups"] if each["group"] == group]
    assert len(state["groups"][0]["commits"]) == 2
    return Restored(bootstrap, tmp_path, topic, group, commits, state)


def test_the_script_restores_the_committed_offsets_of_a_state(restored: Restored) -> None:
    later = committed(restored.bootstrap, restored.group)
    assert later != restored.commits
    lines = [
        f"{restored.group}, {restored.topic}-0: 5, metadata 'first'",
        f"{restored.group}, {restored.topic}-1: 10, metadata ''",
    ]
    assert restored.run() == (0, "".join(f"{line}\n" for line in lines), "")
    assert committed(restored.bootstrap, restored.group) == later
    assert restored.run("--execute")[0] == 0
    assert committed(restored.bootstrap, restored.group) == restored.commits


def test_the_script_leaves_out_commits_without_an_offset(restored: Restored) -> None:
    (group,) = restored.state["groups"]
    group["commits"][0] |= {"offset": None, "isKnown": False}
    share = {"group": "shared", "groupType": "share", "commits": [{"topic": None, "partition": 0, "offset": 3}]}
    restored.state["groups"].append(share)
    code, printed, _ = restored.run("--execute")
    assert (code, printed.count("left out")) == (0, 2)
    assert committed(restored.bootstrap, restored.group)[restored.topic, 0] == (7, "later")
    assert committed(restored.bootstrap, "shared") == {}


def test_the_script_refuses_a_topic_that_was_created_again(restored: Restored) -> None:
    with KAFKA.KafkaAdminClient(bootstrap_servers=restored.bootstrap) as admin:
        admin.delete_topics([restored.topic])
        eventually(lambda: restored.topic not in admin.list_topics())
        code, _, problem = restored.run("--execute")
        assert (code, f"{restored.topic}: the cluster has no such topic" in problem) == (1, True)
        create_topics(restored.bootstrap, {restored.topic: 2})
    values = [{"topic": restored.topic, "partition": number % 2, "value": b"y"} for number in range(40)]
    produce(restored.bootstrap, values)
    code, printed, problem = restored.run("--execute")
    assert (code, printed) == (1, "")
    assert f"{restored.topic}: the cluster has another topic of this name" in problem
    assert committed(restored.bootstrap, restored.group) == {}


def test_the_script_refuses_commits_whose_topic_id_is_unknown(restored: Restored) -> None:
    del restored.state["topics"]
    for each in restored.state["groups"][0]["commits"]:
        each.pop("topicId", None)
    code, printed, problem = restored.run("--execute")
    assert (code, printed) == (1, "")
    assert f"{restored.topic}: the file has no topic id; write it with --only topics,groups" in problem
    assert committed(restored.bootstrap, restored.group)[restored.topic, 0] == (7, "later")


def test_the_script_refuses_offsets_that_the_partition_does_not_have(restored: Restored) -> None:
    restored.state["groups"][0]["commits"][1]["offset"] = 11
    code, printed, problem = restored.run("--execute")
    assert (code, printed) == (1, "")
    assert f"{restored.topic}-1: 11 is outside the offsets of the partition, 0 to 10" in problem
    assert committed(restored.bootstrap, restored.group)[restored.topic, 0] == (7, "later")


def test_the_script_reports_a_group_with_members(restored: Restored) -> None:
    consumer = group_consumer(restored.topic, bootstrap_servers=restored.bootstrap, group_id=restored.group)
    try:
        eventually(lambda: consumer.poll(timeout_ms=200) is not None and bool(consumer.assignment()))
        code, _, problem = restored.run("--execute")
    finally:
        consumer.close(autocommit=False)
    assert code == 1
    assert "are all consumers of the groups stopped?" in problem
    assert f"{restored.group}, {restored.topic}-0: UnknownMemberIdError" in problem
