"""Runs a recipe on the page twice, and appends records in between. It is a program, to use a different PySpark.

Its arguments are the recipe's heading, session settings as JSON, the folder with its files, and the table to read
afterwards. It prints the PySpark version, the offsets in the table, the error of a stream, and the outcomes of changes
of a spec.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyspark
from pyspark.sql import SparkSession

from messagegen_spark import decode_messages, metadata_history, register
from tests.arrow.support.history_data import write_broker
from tests.arrow.support.log_data import many_batches, write_segment
from tests.spark.connectors.evolving import outcomes
from tests.spark.support.commit_logs import write_commits
from tests.spark.support.page import example

_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.databricks.delta.snapshotPartitions": "2",
    "spark.log.level": "ERROR",
}


def main(heading: str, settings: str, place: str, table: str) -> None:
    """Run the recipe twice, then the package's functions, and print the results as JSON."""
    folder = Path(place)
    spark = SparkSession.builder.master("local[2]").config(map={**_SETTINGS, **json.loads(settings)}).getOrCreate()
    register(spark)
    logs = folder / "var" / "lib" / "kafka" / "data"
    write_broker(logs)
    names: dict[str, Any] = {"spark": spark}
    for _ in range(2):
        exec(compile(example(heading, folder), heading, "exec"), names)
        write_segment(logs / "orders-0", 10, many_batches(10, 2))
    found = {
        "pyspark": pyspark.__version__,
        "offsets": sorted(row.offset for row in spark.sql(f"SELECT offset FROM {table}").collect()),
        **functions(spark, folder, logs),
        "evolved": outcomes(spark, heading.split()[1].lower()),
    }
    spark.stop()
    json.dump(found, sys.stdout)


def functions(spark: SparkSession, folder: Path, logs: Path) -> dict[str, Any]:
    """Return the numbers of rows from the functions, and the error of a stream, or ``None``."""
    write_commits(folder / "commits-0", 300)
    commits = spark.read.format("kafka-log").load(str(folder / "commits-0"))
    decoded = decode_messages(commits, "value", "OffsetCommitValue", 3, into=None, keep=[], fields=["offset"])

    def log(topics: str) -> Any:
        return spark.read.format("kafka-log").option("topics", topics).load(str(logs))

    stream = spark.readStream.format("kafka-log").load(str(logs)).writeStream.format("noop")
    try:
        stream.option("checkpointLocation", str(folder / "cp")).trigger(availableNow=True).start().awaitTermination()
        error = None
    except Exception as problem:  # noqa: BLE001 - which one depends on PySpark
        error = str(problem)
    return {
        "decoded": decoded.where("offset IS NOT NULL").count(),
        "changes": metadata_history(log("__cluster_metadata")).count(),
        "stream": error,
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
