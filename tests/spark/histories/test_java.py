"""Histories of records from a real broker equal the output of Apache's own tools."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from pyspark.sql import functions as sql

from messagegen_arrow import consumer_lag_history
from messagegen_spark import metadata_history
from tests.broker import java
from tests.broker.cluster import Cluster
from tests.broker.dump_log import dumped

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.spark, pytest.mark.xdist_group("broker")]


def kafka_log(spark: SparkSession, folder: Path, **options: str) -> DataFrame:
    return spark.read.format("kafka-log").options(includeControl="true", **options).load(str(folder))


def test_the_last_lag_equals_the_output_of_kafka_consumer_groups(busy_cluster: Cluster, spark: SparkSession) -> None:
    folder = busy_cluster.log_dir()
    ends = kafka_log(spark, folder, topicsPattern="[^_].*").groupBy("topic", "partition")
    log = kafka_log(spark, folder, topics="__consumer_offsets,__share_group_state", isolationLevel="read_committed")
    highest = ends.agg((sql.max("offset") + 1).alias("endOffset")).toArrow()
    rows = pa.table(consumer_lag_history(log.orderBy("topic", "partition", "offset").toArrow(), highest)).to_pylist()
    last = {(row["group"], row["topic"], row["partition"]): row for row in rows}
    found = {key: (row["offset"], row["endOffset"], row["lag"]) for key, row in last.items() if not row["isTombstone"]}
    described = java.tool(
        "kafka-consumer-groups", "--bootstrap-server", busy_cluster.bootstrap(), "--describe", "--all-groups"
    )
    theirs = {}
    for line in described.splitlines():
        match line.split():
            case [group, topic, partition, offset, end, lag, *_] if offset.isdigit():
                theirs[group, topic, int(partition)] = (int(offset), int(end), int(lag))
    assert len(theirs) >= 8
    share = {key: found.pop(key) for key in [*found] if last[key]["groupType"] == "share"}
    assert found == theirs
    assert [(key[0], key[1]) for key in share] == [("workers", "audit")]
    assert {row["groupType"] for row in rows} == {"classic", "consumer", "share"}


def test_the_last_metadata_equals_the_description_of_the_cluster(busy_cluster: Cluster, spark: SparkSession) -> None:
    history = metadata_history(kafka_log(spark, busy_cluster.log_dir(), topics="__cluster_metadata"))
    rows = sorted(history.collect(), key=lambda row: (row.offset, row.place))
    state = {(row.subject, row.name, row.property): row.value for row in rows}
    now = {key: value for key, value in state.items() if value is not None}
    described = java.tool("kafka-topics", "--bootstrap-server", busy_cluster.bootstrap(), "--describe")
    listed = set(re.findall(r"Topic: (\S+)", described))
    assert {name for subject, name, _ in now if subject == "topic"} == listed
    theirs = dict(re.findall(r"Topic: (\S+\tPartition: \d+)\tLeader: (\d+)", described))
    leaders = {
        name: value
        for (subject, name, property_), value in now.items()
        if (subject, property_) == ("partition", "leader")
    }
    assert leaders == {name.replace("\tPartition: ", "-"): leader for name, leader in theirs.items()}
    quotas = {(name, property_): value for (subject, name, property_), value in now.items() if subject == "quota"}
    assert quotas["client-id=reports,user=ann", "producer_byte_rate"] == "12345.0"
    assert ("client-id=reports,user=ann", "consumer_byte_rate") not in quotas
    assert [row.action for row in rows if row.name == "topic codec-none"] == ["created", "created", "removed"]
    assert [row.action for row in rows if (row.subject, row.name) == ("scram", "dave")] == ["created", "removed"]
    assert {row.value for row in rows if row.subject == "acl" and row.value} == {
        "User:ann ALLOW READ on TOPIC PREFIXED codec- from *",
        "User:bob DENY ALL on GROUP LITERAL billing from 192.0.2.7",
    }
    assert sorted(row.action for row in rows if row.subject == "acl") == ["created", "created", "removed"]
    # In upstream's output for the same log, these users have keys.
    (path,) = (busy_cluster.log_dir() / "__cluster_metadata-0").glob("*.log")
    printed = "".join(dumped([path], "__cluster_metadata")[path].values())
    secrets = re.findall(r'"(?:salt|storedKey|serverKey)":"([^"]+)"', printed)
    assert len(secrets) >= 6
    shown = " ".join(str(row) for row in rows)
    assert not [secret for secret in secrets if secret in shown]
