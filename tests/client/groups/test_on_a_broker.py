"""Groups on a real broker, side by side with Kafka's own tool: of the classic protocol, and of that of KIP-848."""

from __future__ import annotations

import csv
import json
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from messagegen_client.admin import Admin
from messagegen_client.cli.offsets.command import NAME, offsets
from messagegen_client.cli.support import run as run_command
from messagegen_client.errors import GroupIdNotFoundError
from messagegen_client.groups.descriptions import DescribeConsumerGroupsError, GroupState, GroupType
from messagegen_client.groups.lag import PartitionLag
from messagegen_client.groups.offsets import OffsetAndMetadata
from messagegen_client.groups.resets import OffsetReset
from messagegen_client.net import cluster
from messagegen_client.net.metadata import Broker as Node
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.net.versions import highest_common
from messagegen_client.outcomes import Outcome
from messagegen_client.records import times
from messagegen_client.records.batches import RecordTime
from messagegen_kafka import (
    DescribeGroupsRequest,
    ErrorCode,
    FetchRequest,
    FindCoordinatorRequest,
    OffsetCommitRequest,
    OffsetFetchRequest,
)
from messagegen_kafka._runtime.messages import Request
from tests.broker.cluster import Cluster as Broker
from tests.broker.tools import JavaTools
from tests.broker.waiting import eventually
from tests.client.offsets.test_on_a_broker import START, create, produce

PROTOCOLS: Final = {"classic": GroupType.CLASSIC, "consumer": GroupType.CONSUMER}
protocols = pytest.mark.parametrize("protocol", PROTOCOLS)


class Row(NamedTuple):
    """A partition as ``kafka-consumer-groups --describe --offsets`` prints it."""

    topic: str
    partition: int
    current: int | None
    end: int
    lag: int | None
    client: str


@pytest.fixture
def admin(broker: Broker) -> Iterator[Admin]:
    with Admin(broker.bootstrap()) as client:
        yield client


@contextmanager
def member(tools: JavaTools, broker: Broker, group: str, protocol: str, topic: str, records: int = 0) -> Iterator[str]:
    """A member of a group, under its client id."""
    client_id = f"{group}-client"
    tools.call("joinGroup", broker, group=group, clientId=client_id, protocol=protocol, topics=[topic], records=records)
    try:
        yield client_id
    finally:
        tools.call("leaveGroup", broker, clientId=client_id)


def number(text: str) -> int | None:
    return None if text == "-" else int(text)


def described_by_java(tools: JavaTools, broker: Broker, group: str) -> list[Row]:
    said = tools.run(
        "kafka-consumer-groups", "--bootstrap-server", broker.bootstrap(), "--describe", "--group", group, "--offsets"
    )
    rows = [line.split() for line in said.out.splitlines() if line.startswith(f"{group} ")]
    return sorted(Row(one[1], int(one[2]), number(one[3]), int(one[4]), number(one[5]), one[-1]) for one in rows)


@protocols
def test_a_group_with_and_without_members(
    broker: Broker, java_tools: JavaTools, admin: Admin, topic_name: str, protocol: str
) -> None:
    create(java_tools, broker, topic_name, 2)
    produce(java_tools, broker, [(topic_name, number % 2, START + number) for number in range(20)])
    with member(java_tools, broker, topic_name, protocol, topic_name, records=5) as client_id:
        described = admin.describe_consumer_groups([topic_name])[topic_name]
        assert (described.type, described.state) == (PROTOCOLS[protocol], GroupState.STABLE)
        (one,) = described.members
        assert (one.client_id, one.host) == (client_id, "/127.0.0.1")
        assert one.assignment == (TopicPartition(topic_name, 0), TopicPartition(topic_name, 1))
        refused = admin.alter_consumer_group_offsets(topic_name, {(topic_name, 0): 0})
        assert [(error.code, Outcome.of(error)) for error in refused.values()] == [  # type: ignore[union-attr]
            (ErrorCode.UNKNOWN_MEMBER_ID, Outcome.REFUSED)
        ]
        lag = admin.consumer_group_lag(topic_name)
        theirs = described_by_java(java_tools, broker, topic_name)
        assert [
            (row.topic, row.partition, row.current, row.end, row.lag) for row in theirs if row.current is not None
        ] == [
            (*partition, found.committed and found.committed.offset, found.end_offset, found.records)
            for partition, found in lag.items()
        ]
        assert {row.client for row in theirs} == {client_id}
        assert sum(found.records or 0 for found in lag.values()) == 15
    eventually(lambda: not admin.describe_consumer_groups([topic_name])[topic_name].members)
    described = admin.describe_consumer_groups([topic_name])[topic_name]
    assert (described.type, described.state) == (PROTOCOLS[protocol], GroupState.EMPTY)
    wanted: dict[TopicPartition, int | OffsetAndMetadata] = {
        TopicPartition(topic_name, 0): OffsetAndMetadata(3, "by hand"),
        TopicPartition(topic_name, 1): 10,
    }
    admin.alter_consumer_group_offsets(topic_name, wanted).raise_for_errors()
    assert admin.list_consumer_group_offsets(topic_name) == {
        TopicPartition(topic_name, 0): OffsetAndMetadata(3, "by hand"),
        TopicPartition(topic_name, 1): OffsetAndMetadata(10),
    }
    assert [(row.current, row.lag) for row in described_by_java(java_tools, broker, topic_name)] == [(3, 7), (10, 0)]


def test_a_group_that_is_not_there(broker: Broker, java_tools: JavaTools, admin: Admin, topic_name: str) -> None:
    create(java_tools, broker, topic_name)
    with pytest.raises(DescribeConsumerGroupsError) as caught:
        admin.describe_consumer_groups([topic_name])
    assert isinstance(caught.value.errors[topic_name], GroupIdNotFoundError)
    assert admin.list_consumer_group_offsets(topic_name) == {}
    assert admin.list_consumer_group_offsets(topic_name, [(topic_name, 0)]) == {(topic_name, 0): None}
    admin.alter_consumer_group_offsets(topic_name, {(topic_name, 0): 0}).raise_for_errors()
    assert admin.describe_consumer_groups([topic_name])[topic_name].state is GroupState.EMPTY
    result = admin.alter_consumer_group_offsets(topic_name, {(topic_name, 0): 0, (f"not-{topic_name}", 0): 0})
    assert [error and error.code for error in result.values()] == [  # type: ignore[attr-defined]
        None,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ]


@pytest.mark.parametrize("compression", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_the_time_of_a_record_in_the_middle_of_a_batch(
    broker: Broker, java_tools: JavaTools, admin: Admin, topic_name: str, compression: str
) -> None:
    if compression == "zstd":
        pytest.importorskip("backports.zstd")
    create(java_tools, broker, topic_name)
    times = [START + 1000 * (number % 7) for number in range(50)]
    records = [
        {"topic": topic_name, "partition": 0, "timestamp": time, "value": f"value {number} " * 40}
        for number, time in enumerate(times)
    ]
    options = {"compression.type": compression, "linger.ms": "1000", "batch.size": "1000000"}
    java_tools.call("produce", broker, records=records, producer=options)
    partition = TopicPartition(topic_name, 0)
    for offset in (0, 1, 24, 49):
        admin.alter_consumer_group_offsets(topic_name, {partition: offset}).raise_for_errors()
        lag = admin.consumer_group_lag(topic_name)[partition]
        assert (lag.time_error, lag.next_record) == (None, RecordTime(offset, times[offset]))
        assert lag.seconds(times[offset] + 1500) == 1.5
    admin.alter_consumer_group_offsets(topic_name, {partition: 50}).raise_for_errors()
    lag = admin.consumer_group_lag(topic_name)[partition]
    assert (lag.records, lag.next_record, lag.seconds(datetime.now(UTC))) == (0, None, 0.0)


def test_records_that_were_deleted_are_not_waited_for(
    broker: Broker, java_tools: JavaTools, admin: Admin, topic_name: str
) -> None:
    create(java_tools, broker, topic_name)
    produce(java_tools, broker, [(topic_name, 0, START + number) for number in range(10)])
    partition = TopicPartition(topic_name, 0)
    admin.alter_consumer_group_offsets(topic_name, {partition: 2}).raise_for_errors()
    java_tools.call("deleteRecords", broker, topic=topic_name, partition=0, offset=6)
    lag = admin.consumer_group_lag(topic_name)[partition]
    assert (lag.records, lag.next_record, lag.time_error) == (8, RecordTime(6, START + 6), None)
    plan = admin.plan_consumer_group_reset(topic_name, OffsetReset.to_datetime(START))
    assert plan.offsets == {partition: 6}


def ours(broker: Broker, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run_command(offsets, NAME, [*arguments, "--bootstrap-server", broker.bootstrap()])
    said = capsys.readouterr()
    return code, said.out, said.err


def reset_by_java(tools: JavaTools, broker: Broker, group: str, *arguments: str) -> dict[TopicPartition, int]:
    """The new offsets in the plan of ``kafka-consumer-groups``, or what it has done with ``--execute``."""
    said = tools.run(
        "kafka-consumer-groups",
        *("--bootstrap-server", broker.bootstrap(), "--reset-offsets", "--group", group, *arguments),
    )
    rows = [line.split() for line in said.out.splitlines() if line.startswith(f"{group} ")]
    return {TopicPartition(one[1], int(one[2])): int(one[3]) for one in rows}


def test_plans_are_those_of_java(
    broker: Broker, java_tools: JavaTools, admin: Admin, topic_name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    create(java_tools, broker, topic_name, 3)
    chance = random.Random(122)
    produce(
        java_tools,
        broker,
        [(topic_name, number, START + chance.randrange(60_000)) for number in (0, 0, 1) for _ in range(30)],
    )
    java_tools.call("deleteRecords", broker, topic=topic_name, partition=0, offset=7)
    committed = {(topic_name, 0): 20, (topic_name, 1): 11, (topic_name, 2): 0}
    admin.alter_consumer_group_offsets(topic_name, committed).raise_for_errors()
    moment = datetime.fromtimestamp((START + 55_000) / 1000, UTC)
    places: list[tuple[list[str], list[str]]] = [
        ([option], [option]) for option in ("--to-earliest", "--to-latest", "--to-current")
    ]
    places += [([option, value], [option, value]) for option, value in (("--to-offset", "25"), ("--shift-by", "-15"))]
    places += [
        (["--to-datetime", f"{moment:%Y-%m-%dT%H:%M:%S.000}Z"], ["--to-datetime", f"{moment:%Y-%m-%dT%H:%M:%S.000}"])
    ]
    places += [(["--by-duration", "PT1H"], ["--by-duration", "PT1H"])]
    for mine, theirs in places:
        code, out, _ = ours(broker, capsys, "plan", "--group", topic_name, *mine, "--output", "json")
        plan = {TopicPartition(one["topic"], one["partition"]): one["new"] for one in json.loads(out)["partitions"]}
        assert code == 0
        assert plan == reset_by_java(java_tools, broker, topic_name, "--all-topics", "--dry-run", *theirs), mine


def test_a_reset_and_the_way_back(
    broker: Broker,
    java_tools: JavaTools,
    admin: Admin,
    topic_name: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    create(java_tools, broker, topic_name, 2)
    produce(java_tools, broker, [(topic_name, number % 2, START + number) for number in range(20)])
    first, second = TopicPartition(topic_name, 0), TopicPartition(topic_name, 1)
    admin.alter_consumer_group_offsets(topic_name, {first: 7, second: 10}).raise_for_errors()
    group, backup = ("--group", topic_name), tmp_path / "before.csv"

    def committed() -> list[int]:
        return [found.offset for found in admin.list_consumer_group_offsets(topic_name).values() if found is not None]

    code, out, err = ours(broker, capsys, "reset", *group, "--to-earliest")
    assert (code, err) == (0, "Nothing was changed; use --execute to commit.\n")
    assert "plan for group" in out
    assert committed() == [7, 10]
    execute = ("--execute", "--backup", str(backup))
    code, _, err = ours(broker, capsys, "reset", *group, "--to-earliest", *execute)
    assert (code, err) == (0, f"The previous offsets are in {backup}; restore them with reset --from-file.\n")
    assert committed() == [0, 0]
    assert backup.read_text() == f"{topic_name},0,7\n{topic_name},1,10\n"
    code, _, err = ours(broker, capsys, "reset", *group, "--to-latest", *execute)
    assert (code, err) == (
        1,
        f"Error: {backup} exists; nothing was changed. Choose another --backup FILE\n",
    )
    assert committed() == [0, 0]
    theirs = reset_by_java(java_tools, broker, topic_name, "--from-file", str(backup), "--execute")
    assert theirs == {first: 7, second: 10}
    assert committed() == [7, 10], "Java's tool reads our file"
    exported = java_tools.run(
        "kafka-consumer-groups",
        *("--bootstrap-server", broker.bootstrap(), "--reset-offsets", *group, "--to-offset", "3", "--all-topics"),
        *("--dry-run", "--export"),
    )
    from_java = tmp_path / "java.csv"
    from_java.write_text(exported.out)
    code, _, _ = ours(
        broker, capsys, "reset", *group, "--from-file", str(from_java), "--execute", "--backup", str(tmp_path / "2.csv")
    )
    assert (code, committed()) == (0, [3, 3]), "we read the file of Java's tool"


@protocols
def test_a_group_with_members_is_not_reset(
    broker: Broker,
    java_tools: JavaTools,
    topic_name: str,
    protocol: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    create(java_tools, broker, topic_name)
    produce(java_tools, broker, [(topic_name, 0, START + number) for number in range(9)])
    with member(java_tools, broker, topic_name, protocol, topic_name, records=4) as client_id:
        backup = tmp_path / "before.csv"
        arguments = ("--group", topic_name, "--to-earliest", "--execute", "--backup", str(backup))
        code, out, err = ours(broker, capsys, "reset", *arguments)
        assert (code, out) == (1, "")
        assert f"group {topic_name} has 1 member: {client_id} (127.0.0.1); stop them first" in err
        assert not backup.exists()
        code, out, err = ours(broker, capsys, "plan", "--group", topic_name, "--to-earliest", "--output", "csv")
        assert (code, out) == (0, f"{topic_name},0,0\n")
        assert "a reset needs a group without members" in err
        code, out, err = ours(broker, capsys, "lag", "--group", topic_name, "--output", "csv")
        assert (code, err) == (0, "")
        names, row = csv.reader(out.splitlines())
        found = dict(zip(names, row, strict=True))
        assert (found["committed"], found["end"], found["lag"], found["client_id"]) == ("4", "9", "5", client_id)
        assert float(found["seconds"]) == pytest.approx(time.time() - (START + 4) / 1000, abs=60)


def test_every_version_gives_the_same(
    broker: Broker, java_tools: JavaTools, topic_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(java_tools, broker, topic_name)
    produce(java_tools, broker, [(topic_name, 0, START + number) for number in range(5)])
    partition = TopicPartition(topic_name, 0)
    asked: list[tuple[type[Request], int]] = []
    forced: dict[int, range] = {}

    def highest(request: type[Request], offered: Mapping[int, range], versions: range | None, node: Node) -> int:
        version = highest_common(request, {**offered, **forced}, versions, node)
        asked.append((request, version))
        return version

    monkeypatch.setattr(cluster, "highest_common", highest)
    for request, versions in (
        (FindCoordinatorRequest, range(7)),
        (OffsetCommitRequest, range(2, 10)),
        (OffsetFetchRequest, range(2, 10)),
        (DescribeGroupsRequest, range(7)),
        (FetchRequest, range(4, 13)),
    ):
        for version in versions:
            forced.clear()
            forced[request.API_KEY] = range(version, version + 1)
            with Admin(broker.bootstrap()) as admin:
                admin.alter_consumer_group_offsets(topic_name, {partition: 2}).raise_for_errors()
                assert admin.describe_consumer_groups([topic_name])[topic_name].state is GroupState.EMPTY
                lag = admin.consumer_group_lag(topic_name)
            assert lag == {partition: PartitionLag(OffsetAndMetadata(2), 5, RecordTime(2, START + 2))}
            assert (request, version) in asked


@pytest.mark.parametrize(("first", "most"), [(100, 1000), (5000, 6000)])
def test_records_that_do_not_fit_are_asked_for_again(
    broker: Broker,
    java_tools: JavaTools,
    admin: Admin,
    topic_name: str,
    monkeypatch: pytest.MonkeyPatch,
    first: int,
    most: int,
) -> None:
    monkeypatch.setattr(times, "_FIRST_BYTES", first)
    monkeypatch.setattr(times, "_ANSWER_BYTES", most)
    create(java_tools, broker, topic_name, 12)
    records = [
        {"topic": topic_name, "partition": number, "timestamp": START + number, "value": "x" * (number % 4) * 3000}
        for number in range(12)
    ]
    java_tools.call("produce", broker, records=records)
    offsets = {TopicPartition(topic_name, number): 0 for number in range(12)}
    admin.alter_consumer_group_offsets(topic_name, offsets).raise_for_errors()
    lag = admin.consumer_group_lag(topic_name)
    assert [one.next_record for one in lag.values()] == [RecordTime(0, START + number) for number in range(12)]
