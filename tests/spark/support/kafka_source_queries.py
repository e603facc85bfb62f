"""Decodes what Spark's own ``kafka`` source reads, as a batch and as a stream; a program of its own, for it needs more jars.

Its arguments are the broker, folders of jars and of its files, and the number of partitions. It prints a JSON object.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from messagegen_spark import decode_internal_topics, decode_messages, from_kafka_message, to_kafka_message

OFFSETS: Final = "__consumer_offsets"
_PREFIX: Final = 2
"""Bytes of the version that values begin with."""
_INTERNAL_TOPICS: Final = "spark.sql.streaming.kafka.useDeprecatedOffsetFetching"
"""The setting without which the source passes over internal topics, even those that are named."""


def decoded(frame: DataFrame) -> DataFrame:
    """The commits in a frame of the source, by each function."""
    version = sql.conv(sql.hex(sql.substring("value", 1, _PREFIX)), 16, 10).cast("int")
    commits = frame.where("hex(substring(key, 1, 2)) = '0001'")
    commits = commits.withColumns({"version": version, "body": sql.expr(f"substring(value, {_PREFIX + 1})")})
    keep = ["partition", "offset", "key", "value", "body", "topic", "version"]
    found = decode_messages(commits, "body", "OffsetCommitValue", "version", "FAILFAST", keep=keep)
    found = decode_internal_topics(found, ["OffsetCommit"], "FAILFAST", keep=[*keep, "message"])
    record = sql.struct("OffsetCommit").alias("record")
    function = from_kafka_message("body", "OffsetCommitValue", "version", "FAILFAST")
    again = to_kafka_message("message", "OffsetCommitValue", "version")
    return found.select(
        *("partition", "offset", sql.hex("key").alias("key"), sql.hex("value").alias("value"), "message"),
        *(record, function.alias("column"), again.eqNullSafe(sql.col("body")).alias("isSame")),
    )


def rows(frame: DataFrame) -> list[dict[str, Any]]:
    """Rows as plain dicts, by partition and offset."""
    return [row.asDict(recursive=True) for row in frame.orderBy("partition", "offset").collect()]


def main(bootstrap: str, jars: str, folder: str, partitions: str) -> None:
    """Runs the queries in a session with the jars."""
    settings = {
        "spark.jars": ",".join(map(str, sorted(Path(jars).glob("*.jar")))),
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.local.dir": f"{folder}/local",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        _INTERNAL_TOPICS: "true",
    }
    builder = SparkSession.builder.master("local[2]").appName("tests")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    assigned = json.dumps({OFFSETS: list(range(int(partitions)))})
    asked = {"kafka.bootstrap.servers": bootstrap, "startingOffsets": "earliest", "assign": assigned}
    batch = rows(decoded(spark.read.format("kafka").options(**asked).load()))
    stream = decoded(spark.readStream.format("kafka").options(**asked).load())
    writer = stream.writeStream.format("parquet").option("checkpointLocation", f"{folder}/checkpoint")
    writer.trigger(availableNow=True).start(f"{folder}/rows").awaitTermination()
    streamed = rows(spark.read.parquet(f"{folder}/rows"))
    spark.conf.unset(_INTERNAL_TOPICS)
    by_default = spark.read.format("kafka").options(**asked).load().count()
    spark.stop()
    json.dump({"batch": batch, "stream": streamed, "by_default": by_default}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
