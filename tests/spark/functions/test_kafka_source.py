"""Frames of Spark's own ``kafka`` source, in batches and as streams: commits that a real broker wrote."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any, Final

import pytest

from tests.broker import Cluster
from tests.broker.tools import JavaTools
from tests.oracle.jars import maven_jars

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from tests.spark.support.kafka_source_queries import OFFSETS
from tests.spark.support.processes import START_SECONDS, spark_environment

pytestmark = [pytest.mark.spark]

TESTS: Final = Path(__file__).parents[2]
COMMITTED: Final = {0: 4, 1: 0, 2: 3}
"""The offsets of a topic's partitions that the group commits."""


def commit(broker: Cluster, java_tools: JavaTools, group: str, offsets: Path) -> None:
    """Lets a group commit offsets of a topic that has its name, and another one that is then deleted."""
    java_tools.call("createTopics", broker, topics=[{"name": group, "partitions": len(COMMITTED)}])
    records = [{"topic": group, "partition": partition} for partition in COMMITTED for _ in range(5)]
    java_tools.call("produce", broker, records=records)
    offsets.write_text("".join(f"{group},{partition},{offset}\n" for partition, offset in COMMITTED.items()))
    for arguments in (
        ["--group", group, "--reset-offsets", "--from-file", str(offsets), "--execute"],
        ["--group", f"{group}-deleted", "--reset-offsets", "--from-file", str(offsets), "--execute"],
        ["--group", f"{group}-deleted", "--delete"],
    ):
        done = java_tools.run("kafka-consumer-groups", "--bootstrap-server", broker.bootstrap(), *arguments)
        assert (done.exit, done.err) == (0, "")


def hexed(data: str | None) -> str | None:
    return None if data is None else base64.b64decode(data).hex().upper()


def test_commits_are_read_as_a_consumer_reads_them(broker: Cluster, java_tools: JavaTools, tmp_path: Path) -> None:
    group = f"kafka-source-{uuid.uuid4().hex[:8]}"
    commit(broker, java_tools, group, tmp_path / "offsets.csv")
    partitions = len(list(broker.log_dir().glob(f"{OFFSETS}-*")))
    jars = maven_jars("spark-kafka", TESTS / "spark" / "support" / "spark_kafka.pom.xml")
    program = [sys.executable, "-m", "tests.spark.support.kafka_source_queries", broker.bootstrap()]
    done = subprocess.run(
        [*program, str(jars), str(tmp_path), str(partitions)],
        cwd=TESTS.parent,
        env=spark_environment(),
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    records = java_tools.call("consume", broker, topics=[OFFSETS])
    expected = {(each["partition"], each["offset"]): (hexed(each["key"]), hexed(each["value"])) for each in records}
    batch = found["batch"]
    assert batch
    for row in batch:
        assert (row["key"], row["value"]) == expected[row["partition"], row["offset"]]
        assert row["record"]["OffsetCommit"]["value"] == row["message"] == row["column"]
        assert row["isSame"]
    assert found["stream"] == batch
    ours = [row for row in batch if row["record"]["OffsetCommit"]["key"]["group"].startswith(group)]
    for name, last in ((group, COMMITTED), (f"{group}-deleted", dict.fromkeys(COMMITTED))):
        rows = [row["record"]["OffsetCommit"] for row in ours if row["record"]["OffsetCommit"]["key"]["group"] == name]
        assert {row["key"]["partition"]: row["value"] and row["value"]["offset"] for row in rows} == last
    assert found["by_default"] == 0, "internal topics take a setting of Spark"
