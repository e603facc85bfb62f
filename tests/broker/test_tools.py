from __future__ import annotations

import base64

import pytest

from tests.broker import Cluster
from tests.broker.tools import JavaCallError, JavaTools, json_values
from tests.broker.waiting import eventually


def bootstrap(cluster: Cluster) -> tuple[str, str]:
    return "--bootstrap-server", cluster.bootstrap()


def test_quotas_of_the_tool_and_of_the_admin_client_agree(
    broker: Cluster, java_tools: JavaTools, topic_name: str
) -> None:
    user = topic_name
    entity = ("--entity-type", "users", "--entity-name", user)
    altered = java_tools.run(
        "kafka-configs", *bootstrap(broker), "--alter", "--add-config", "request_percentage=12.5", *entity
    )
    assert (altered.exit, altered.err) == (0, "")
    filtered = [{"type": "user", "match": user}]
    wanted = [{"entity": {"user": user}, "values": {"request_percentage": 12.5}}]
    # The controller answers before the broker has heard of it.
    eventually(lambda: java_tools.call("describeClientQuotas", broker, components=filtered) == wanted)
    described = java_tools.run("kafka-configs", *bootstrap(broker), "--describe", *entity)
    assert described.out == f"Quota configs for user-principal '{user}' are request_percentage=12.5\n"
    removal = [{"entity": {"user": user}, "ops": {"request_percentage": None}}]
    assert java_tools.call("alterClientQuotas", broker, entries=removal) == [None]
    eventually(lambda: java_tools.call("describeClientQuotas", broker, components=filtered, strict=True) == [])


def test_each_entity_has_its_own_outcome(broker: Cluster, java_tools: JavaTools, topic_name: str) -> None:
    good = {"entity": {"user": topic_name}, "ops": {"consumer_byte_rate": 1000}}
    bad = {"entity": {"user": topic_name, "client-id": None}, "ops": {"no_such_quota": 1}}
    first, second = java_tools.call("alterClientQuotas", broker, entries=[good, bad], validateOnly=True)
    assert first is None
    assert second["error"] == "InvalidRequestException"


def test_offsets_of_the_tool_and_of_the_clients_agree(broker: Cluster, java_tools: JavaTools, topic_name: str) -> None:
    java_tools.call("createTopics", broker, topics=[{"name": topic_name, "partitions": 2}])
    records = [{"topic": topic_name, "partition": 0, "timestamp": 1000 + 10 * n, "value": str(n)} for n in range(5)]
    sent = java_tools.call("produce", broker, records=records)
    assert [each["offset"] for each in sent] == [0, 1, 2, 3, 4]
    times = [{"topic": topic_name, "partition": partition, "timestamp": 1011} for partition in (0, 1)]
    found = {"offset": 2, "timestamp": 1020, "leaderEpoch": 0}
    assert java_tools.call("offsetsForTimes", broker, times=times) == [found, None]
    listed, absent = java_tools.call("listOffsets", broker, times=times)
    assert listed == found
    assert absent["offset"] == -1
    shell = java_tools.run("kafka-get-offsets", *bootstrap(broker), "--topic", topic_name, "--time", "1011")
    assert shell.out.splitlines() == [f"{topic_name}:0:2"], "it leaves out what has no offset"
    java_tools.call("deleteRecords", broker, topic=topic_name, partition=0, offset=3)
    earliest = [{"topic": topic_name, "partition": 0, "timestamp": -2}]
    assert java_tools.call("listOffsets", broker, times=earliest)[0]["offset"] == 3


def test_records_come_back(broker: Cluster, java_tools: JavaTools, topic_name: str) -> None:
    configs = {"message.timestamp.type": "LogAppendTime"}
    java_tools.call("createTopics", broker, topics=[{"name": topic_name, "configs": configs}])
    records = [{"topic": topic_name, "key": "k", "value": "größer"}, {"topic": topic_name, "value": None}]
    java_tools.call("produce", broker, records=records, producer={"compression.type": "zstd"})
    first, second = java_tools.call("consume", broker, topics=[topic_name])
    assert base64.b64decode(first["value"]).decode() == "größer"
    assert first["timestampType"] == "LogAppendTime"
    assert (second["key"], second["value"], second["offset"]) == (None, None, 1)


def test_partitions_can_be_added_and_topics_deleted(broker: Cluster, java_tools: JavaTools, topic_name: str) -> None:
    java_tools.call("createTopics", broker, topics=[{"name": topic_name}])
    java_tools.call("createPartitions", broker, topic=topic_name, count=3)
    described = java_tools.call("describeTopics", broker, topics=[topic_name])[topic_name]
    assert [each["leader"] for each in described["partitions"]] == [1, 1, 1]
    java_tools.call("deleteTopics", broker, topics=[topic_name])
    with pytest.raises(JavaCallError) as caught:
        java_tools.call("deleteTopics", broker, topics=[topic_name])
    assert caught.value.error == "UnknownTopicOrPartitionException"


def test_preferred_replicas_become_leaders_again(
    three_brokers: Cluster, java_tools: JavaTools, topic_name: str
) -> None:
    java_tools.call("createTopics", three_brokers, topics=[{"name": topic_name, "assignments": {0: [2, 1]}}])
    three_brokers.stop(2)
    three_brokers.start(2)
    java_tools.call("awaitInSync", three_brokers, topics=[topic_name])
    partitions = [{"topic": topic_name, "partition": 0}]
    # Any broker may answer, and each hears of new leaders in its own time.
    eventually(lambda: _leader(java_tools, three_brokers, topic_name) == 1)
    assert java_tools.call("electLeaders", three_brokers, partitions=partitions) == {f"{topic_name}-0": None}
    eventually(lambda: _leader(java_tools, three_brokers, topic_name) == 2)


def _leader(java_tools: JavaTools, cluster: Cluster, topic: str) -> int:
    leader: int = java_tools.call("describeTopics", cluster, topics=[topic])[topic]["partitions"][0]["leader"]
    return leader


def test_unknown_calls_are_named(broker: Cluster, java_tools: JavaTools) -> None:
    with pytest.raises(JavaCallError, match="no call electOwners: there are"):
        java_tools.call("electOwners", broker)


def test_the_console_consumer_counts_anew_each_time(broker: Cluster, java_tools: JavaTools, topic_name: str) -> None:
    java_tools.call("createTopics", broker, topics=[{"name": topic_name}])
    java_tools.call("produce", broker, records=[{"topic": topic_name, "value": f"value {n}"} for n in range(3)])
    arguments = (*bootstrap(broker), "--topic", topic_name, "--from-beginning", "--max-messages", "2")
    for _ in range(2):
        result = java_tools.run("kafka-console-consumer", *arguments)
        assert (result.exit, result.out) == (0, "value 0\nvalue 1\n")
        assert "Processed a total of 2 messages" in result.err


def test_formatters_read_internal_topics(broker: Cluster, java_tools: JavaTools, topic_name: str) -> None:
    java_tools.call("createTopics", broker, topics=[{"name": topic_name}])
    java_tools.call("produce", broker, records=[{"topic": topic_name, "value": "one"}])
    console = ("kafka-console-consumer", *bootstrap(broker), "--from-beginning", "--timeout-ms", "3000")
    java_tools.run(*console, "--topic", topic_name, "--group", topic_name)
    formatter = "org.apache.kafka.tools.consumer.OffsetsMessageFormatter"
    printed = java_tools.run(*console, "--topic", "__consumer_offsets", "--formatter", formatter)
    assert any(
        value["key"]["data"]["group"] == topic_name and value["value"]["data"]["offset"] == 1
        for value in json_values(printed.out)
    )


def test_values_without_separators_are_told_apart() -> None:
    assert list(json_values('{"a": 1}{"b": "} {"}\n\n[2]')) == [{"a": 1}, {"b": "} {"}, [2]]
    assert list(json_values(" \n")) == []
    with pytest.raises(ValueError, match="Expecting"):
        list(json_values('{"a": 1} nonsense'))


def test_a_tool_that_exits_does_not_end_the_rest(broker: Cluster, java_tools: JavaTools) -> None:
    failed = java_tools.run("kafka-configs", *bootstrap(broker), "--nonsense")
    assert failed.exit == 1
    assert "nonsense is not a recognized option" in failed.err
    assert "Exited" not in failed.err
    assert java_tools.run("kafka-topics", *bootstrap(broker), "--list").exit == 0


def test_unknown_tools_are_named(java_tools: JavaTools) -> None:
    with pytest.raises(JavaCallError, match=r"no tool kafka-cat: there are \[kafka-acls, kafka-configs,"):
        java_tools.run("kafka-cat")


@pytest.mark.java
@pytest.mark.slow
def test_a_dead_jvm_is_an_error() -> None:
    with JavaTools() as tools:
        assert tools.run("kafka-dump-log", "--files", "absent.log").exit == 1
        tools.kill()
        with pytest.raises(RuntimeError, match="ended early"):
            tools.run("kafka-topics", "--version")
    with pytest.raises(RuntimeError, match="context manager"):
        tools.run("kafka-topics", "--version")
