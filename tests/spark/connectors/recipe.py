"""Runs a recipe on the page twice, and appends records in between. It is a program, to use a different PySpark.

Its arguments are the recipe's heading, session settings as JSON, the folder with its files, and the table to read
afterwards. It prints the PySpark version, the offsets in the table, the rows of a round trip, the changes of a history,
and the outcomes of changes of a spec.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyspark
from pyspark.sql import SparkSession

from messagegen_spark import metadata_history, register
from tests.arrow.support.history_data import write_broker
from tests.arrow.support.log_data import many_batches, write_segment
from tests.spark.connectors.evolving import outcomes
from tests.spark.support.page import example
from tests.spark.support.round_trip import round_trip

_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.databricks.delta.snapshotPartitions": "2",
    "spark.log.level": "ERROR",
}


def main(heading: str, settings: str, place: str, table: str) -> None:
    """Run the recipe twice, then a round trip, and print the results as JSON."""
    folder = Path(place)
    spark = SparkSession.builder.master("local[2]").config(map={**_SETTINGS, **json.loads(settings)}).getOrCreate()
    register(spark)
    logs = folder / "var" / "lib" / "kafka" / "data"
    write_broker(logs)
    names: dict[str, Any] = {"spark": spark}
    for _ in range(2):
        exec(compile(example(heading, folder), heading, "exec"), names)
        write_segment(logs / "orders-0", 10, many_batches(10, 2))
    metadata = spark.read.format("kafka-log").option("topics", "__cluster_metadata").load(str(logs))
    found = {
        "pyspark": pyspark.__version__,
        "offsets": sorted(row.offset for row in spark.sql(f"SELECT offset FROM {table}").collect()),
        "rows": round_trip(spark, folder),
        "changes": metadata_history(metadata).count(),
        "evolved": outcomes(spark, heading.split()[1].lower()),
    }
    spark.stop()
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
