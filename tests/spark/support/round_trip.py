"""Read, decode and encode a small log in each way, to compare versions of Spark and Java.

``python -m tests.spark.support.round_trip FOLDER`` prints the versions, and the rows of each way, as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from messagegen_spark import decode_messages, register
from tests.spark.support.commit_logs import VERSION, write_commits
from tests.spark.support.sessions import classic_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RECORDS: Final = 300
_MESSAGE: Final = "OffsetCommitValue"
_DECODED: Final = f"kafka.{_MESSAGE}(value, {VERSION})"


def round_trip(spark: SparkSession, folder: Path) -> dict[str, int]:
    """Return the number of right rows of each way, which are `RECORDS` rows."""
    logs = folder / "commits"
    write_commits(logs / "commits-0", RECORDS)
    register(spark)
    log = spark.read.format("kafka-log").load(str(logs))
    # Without the functions in SQL, workers decode.
    in_workers = decode_messages(log, "value", _MESSAGE, VERSION, keep=["offset"])
    found = {"functions in workers": _right(in_workers)}

    register(spark, messages=[_MESSAGE])
    options = {"message": _MESSAGE, "version": str(VERSION)}
    found["source"] = _right(spark.read.format("kafka-log").options(**options).load(str(logs)))
    stream = spark.readStream.format("kafka-log").options(**options).load(str(logs))
    _write(stream.select("offset", "message"), folder)
    found["stream"] = _right(spark.read.parquet(str(folder / "streamed")))
    found["functions in SQL"] = _right(log.selectExpr("offset", f"{_DECODED} AS message"))
    encoded = f"kafka.encode_{_MESSAGE}({_DECODED}, {VERSION})"
    found["functions in SQL that encode"] = log.where(f"{encoded} = value").count()
    found["a thread that started later"] = _in_thread(spark, logs)
    return found


def _right(rows: DataFrame) -> int:
    return rows.where("message.offset = offset AND message.metadata = 'm' || offset").count()


def _write(rows: DataFrame, folder: Path) -> None:
    stream = rows.writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
    stream.trigger(availableNow=True).start(str(folder / "streamed")).awaitTermination()


def _in_thread(spark: SparkSession, logs: Path) -> int:
    """Return the records that a Python thread reads; its JVM thread does not come from the session's thread."""
    counts = [0]
    thread = threading.Thread(target=lambda: counts.append(spark.read.format("kafka-log").load(str(logs)).count()))
    thread.start()
    thread.join()
    return counts[-1]


def main(folder: Path) -> None:
    spark = classic_session(folder)
    jvm: Any = spark.sparkContext._jvm  # noqa: SLF001 - PySpark has no other way to the JVM
    java = jvm.java.lang.System.getProperty("java.version")
    found = {"java": java, "spark": spark.version, "rows": round_trip(spark, folder)}
    spark.stop()
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
