"""Decodes what Spark's own ``kafka`` source reads, as a batch and as a stream; a program of its own, for it needs more jars.

Its argument is a JSON object of ``Task``'s fields. It prints one JSON object: the rows of each way of reading, bytes as hex.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from messagegen_spark import decode_messages, from_internal_topic, from_kafka_message, to_kafka_message

OFFSETS: Final = "__consumer_offsets"
OLD_VERSION: Final = 3
"""The version of values in which commits are copied once more; brokers write a newer one."""
CUT: Final = 3
"""How many bytes damaged copies lack at their end."""

_MESSAGE: Final = "OffsetCommitValue"
_PREFIX: Final = 2
"""Bytes of the type or version that keys and values of ``__consumer_offsets`` begin with."""
_INTERNAL_TOPICS: Final = "spark.sql.streaming.kafka.useDeprecatedOffsetFetching"
"""The setting without which the source passes over internal topics, even those that are named."""


@dataclass(frozen=True)
class Task:
    """What to read: commits of groups whose names begin with ``group``, and their copies in a topic.

    ``partitions`` are those of both topics; ``jars`` and ``folder`` are folders, the second one to write into.
    """

    bootstrap_servers: str
    jars: str
    folder: str
    group: str
    copies: str
    partitions: dict[str, list[int]]


def queries(spark: SparkSession, task: Task) -> dict[str, Any]:
    """Copies the commits, and reads them with their copies."""
    server = {"kafka.bootstrap.servers": task.bootstrap_servers, "startingOffsets": "earliest"}
    # Not of both topics: what is written would be read by the same query.
    originals = {**server, "assign": json.dumps({OFFSETS: task.partitions[OFFSETS]})}
    copies = copies_of(decoded(spark.read.format("kafka").options(**originals).load(), task.group))
    copies.write.format("kafka").options(**server, topic=task.copies).save()

    asked = {**server, "assign": json.dumps(task.partitions)}
    batch = spark.read.format("kafka").options(**asked).load()
    stream = decoded(spark.readStream.format("kafka").options(**asked).load(), task.group)
    target = f"{task.folder}/rows"
    writer = stream.writeStream.format("parquet").option("checkpointLocation", f"{task.folder}/checkpoint")
    writer.trigger(availableNow=True).start(target).awaitTermination()
    found = {"batch": rows(decoded(batch, task.group)), "stream": rows(spark.read.parquet(target))}

    spark.conf.unset(_INTERNAL_TOPICS)
    topics = spark.read.format("kafka").options(**asked).load().select("topic").distinct().collect()
    return {**found, "topics_by_default": [row.topic for row in topics]}


def decoded(frame: DataFrame, group: str) -> DataFrame:
    """The commits in a frame of the source, by each function."""
    is_commit = sql.hex(sql.substring("key", 1, _PREFIX)) == "0001"
    is_ours = sql.contains("key", sql.lit(group.encode()))
    version = sql.conv(sql.hex(sql.substring("value", 1, _PREFIX)), 16, 10).cast("int")
    body = sql.expr(f"substring(value, {_PREFIX + 1})")
    commits = frame.where(is_commit & is_ours).withColumns({"version": version, "body": body})
    keep = ["topic", "partition", "offset", "key", "value", "version", "body"]
    return decode_messages(commits, "body", _MESSAGE, "version", keep=keep).withColumns(
        {
            "record": from_internal_topic("key", "value", "topic", types=["OffsetCommit"]),
            "ofColumn": from_kafka_message("body", _MESSAGE, "version"),
            "encoded": to_kafka_message("message", _MESSAGE, "version", "PERMISSIVE"),
        }
    )


def copies_of(commits: DataFrame) -> DataFrame:
    """Keys and values as they are encoded again: all; those that are no tombstones in an older version, and once more damaged."""
    same = commits.select("key", sql.concat(sql.substring("value", 1, _PREFIX), "encoded.value").alias("value"))
    damaged = same.where("value is not null").select("key", sql.expr(f"substring(value, 1, length(value) - {CUT})"))
    prefix = sql.lit(OLD_VERSION.to_bytes(_PREFIX, "big"))
    in_old_version = sql.concat(prefix, to_kafka_message("message", _MESSAGE, OLD_VERSION))
    return same.union(damaged).union(commits.where("value is not null").select("key", in_old_version))


def rows(frame: DataFrame) -> list[dict[str, Any]]:
    """Rows as plain dicts, by topic, partition and offset."""
    return [row.asDict(recursive=True) for row in frame.orderBy("topic", "partition", "offset").collect()]


def main(argument: str) -> None:
    """Runs the queries in a session with the jars."""
    task = Task(**json.loads(argument))
    settings = {
        "spark.jars": ",".join(map(str, sorted(Path(task.jars).glob("*.jar")))),
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.local.dir": f"{task.folder}/local",
        "spark.sql.warehouse.dir": f"{task.folder}/warehouse",
        _INTERNAL_TOPICS: "true",
    }
    builder = SparkSession.builder.master("local[2]").appName("tests")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    found = queries(spark, task)
    spark.stop()
    json.dump(found, sys.stdout, default=bytes.hex)


if __name__ == "__main__":
    main(sys.argv[1])
