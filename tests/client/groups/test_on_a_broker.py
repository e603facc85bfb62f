"""Offsets of groups on a real broker, beside Kafka's own tool and clients of both group protocols."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import confluent_kafka
import pytest

from messagegen_client.admin import Admin
from messagegen_client.cli.groups.command import EXIT_USAGE, NAME, group_offsets
from messagegen_client.cli.support import run
from messagegen_client.errors import BrokerError
from messagegen_client.groups.calls import OffsetAndMetadata
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_kafka.error_codes import ErrorCode
from tests.broker import java
from tests.broker.cluster import Cluster
from tests.broker.records import create_topics, produce
from tests.broker.waiting import eventually


@pytest.fixture
def topic(broker: Cluster, topic_name: str) -> str:
    """A topic with 2 partitions of 10 records."""
    create_topics(broker.bootstrap(), {topic_name: 2})
    places = [(partition, number) for partition in range(2) for number in range(10)]
    records = [{"topic": topic_name, "partition": one, "value": b"%d" % number} for one, number in places]
    produce(broker.bootstrap(), records)
    return topic_name


@pytest.fixture
def consumer(broker: Cluster) -> Iterator[Callable[..., Any]]:
    """Consumers of groups that have joined, with partitions."""
    joined: list[Any] = []

    def join(topic: str, **settings: str) -> Any:
        given = {name.replace("_", "."): value for name, value in settings.items()}
        others = {"bootstrap.servers": broker.bootstrap(), "auto.offset.reset": "error", "enable.auto.commit": False}
        consumer = confluent_kafka.Consumer({**others, **given})
        joined.append(consumer)
        consumer.subscribe([topic])
        eventually(lambda: consumer.poll(0.1) is not None or bool(consumer.assignment()))
        return consumer

    yield join
    for one in joined:
        one.close()


def command(broker: Cluster, *arguments: str) -> int:
    return run(group_offsets, NAME, ["--bootstrap-server", broker.bootstrap(), *arguments], exit_usage=EXIT_USAGE)


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_consumers_continue_where_a_file_says(
    broker: Cluster,
    topic: str,
    consumer: Callable[..., Any],
    protocol: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "offsets.csv"
    file.write_text(f"{topic},{topic},0,4\n{topic},{topic},1,10\n", encoding="utf-8")
    assert command(broker, "apply", str(file)) == 0
    assert command(broker, "export", "--group", topic) == 0
    assert capsys.readouterr().out.endswith(file.read_text(encoding="utf-8"))

    one = consumer(topic, group_id=topic, group_protocol=protocol)
    assert {(place.partition, place.offset) for place in one.committed(one.assignment())} == {(0, 4), (1, 10)}
    file.write_text(f"{topic},{topic},0,7\n{topic},{topic},1,10\n", encoding="utf-8")
    # The group has a member.
    assert command(broker, "plan", str(file)) == 1
    assert command(broker, "apply", str(file)) == 1
    assert "has members; stop its consumers first" in capsys.readouterr().err
    with Admin(broker.bootstrap()) as admin:
        results = admin.alter_consumer_group_offsets(topic, {(topic, 0): 7})
        (error,) = results.errors.values()
        assert isinstance(error, BrokerError)
        assert error.code is ErrorCode.UNKNOWN_MEMBER_ID
        assert "the group has members" in str(error)

        one.close()
        assert command(broker, "apply", str(file)) == 0
        assert admin.list_consumer_group_offsets(topic) == {
            TopicPartition(topic, 0): OffsetAndMetadata(7),
            TopicPartition(topic, 1): OffsetAndMetadata(10),
        }


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_metadata_and_leader_epochs_go_into_a_document_and_back(
    broker: Cluster, topic: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {
        TopicPartition(topic, 0): OffsetAndMetadata(4, "AgAAAZ \u202e17 💥", 0),
        TopicPartition(topic, 1): OffsetAndMetadata(10),
    }
    with Admin(broker.bootstrap()) as admin:
        admin.alter_consumer_group_offsets(topic, before).raise_for_errors()
        assert command(broker, "export", "--group", topic, "--format", form) == 0
        file = tmp_path / f"before.{form}"
        file.write_text(capsys.readouterr().out, encoding="utf-8")
        assert command(broker, "plan", str(file)) == 0

        admin.alter_consumer_group_offsets(topic, dict.fromkeys(before, 5)).raise_for_errors()
        assert command(broker, "apply", str(file)) == 0
        assert admin.list_consumer_group_offsets(topic) == before
    # What a consumer of the group gets.
    consumer = confluent_kafka.Consumer({"bootstrap.servers": broker.bootstrap(), "group.id": topic})
    places = consumer.committed([confluent_kafka.TopicPartition(topic, 0)], timeout=10)
    consumer.close()
    assert [(each.offset, each.metadata, each.leader_epoch) for each in places] == [(4, "AgAAAZ \u202e17 💥", 0)]


def test_kafkas_own_tool_reads_and_writes_the_same_files(
    broker: Cluster, topic: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "offsets.csv"
    groups = [f"{topic}-a", f"{topic}-b"]
    file.write_text("".join(f"{group},{topic},{one},{one + 3}\n" for group in groups for one in range(2)))
    assert command(broker, "apply", str(file)) == 0
    options = ["--bootstrap-server", broker.bootstrap(), "--reset-offsets"]
    options += [word for group in groups for word in ("--group", group)]
    moved = java.tool("kafka-consumer-groups", *options, "--topic", topic, "--shift-by", "2", "--export", "--dry-run")
    file.write_text(moved, encoding="utf-8")
    capsys.readouterr()
    assert command(broker, "plan", str(file)) == 2
    assert capsys.readouterr().out.count("-0: 3 -> 5\n") == 2
    java.tool("kafka-consumer-groups", *options, "--from-file", str(file), "--execute")
    assert command(broker, "plan", str(file)) == 0
