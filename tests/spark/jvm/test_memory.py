"""Native memory of batches counts as task memory, and is released after each task, however the task ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyspark.sql import functions as sf

from messagegen_kafka import OffsetCommitValue
from tests.arrow.support.log_data import Batch, Data, many_batches, write_segment

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

Load = Callable[..., "DataFrame"]
Held = Callable[[], int]


_COMMIT = OffsetCommitValue(offset=7, metadata="m" * 100)


@pytest.fixture(params=["columns", "rows"])
def frame(request: pytest.FixtureRequest, load: Load, tmp_path: Path) -> DataFrame:
    """Read ``offset`` and ``value`` of 12,000 records, as columns, or as rows with messages."""
    if request.param == "columns":
        for number in range(2):
            write_segment(tmp_path / f"orders-{number}", 0, many_batches(0, 2000))
        return load(tmp_path, maxRecordsPerBatch="100")
    records = [Data(_COMMIT.encode(version=3))] * 3
    batches = [Batch(base, records).encode() for base in range(0, 6000, 3)]
    for number in range(2):
        write_segment(tmp_path / f"orders-{number}", 0, batches)
    frame = load(tmp_path, maxRecordsPerBatch="100", message="OffsetCommitValue", version="3")
    return frame.selectExpr("offset", "message.metadata AS value")


def test_no_native_memory_is_held_after_a_task(frame: DataFrame, held: Held) -> None:
    assert frame.selectExpr("sum(offset)", "max(value)").count() == 1
    assert held() == 0


def test_no_native_memory_is_held_after_a_query_with_a_limit(frame: DataFrame, held: Held) -> None:
    assert len(frame.limit(1).collect()) == 1
    assert held() == 0


def test_no_native_memory_is_held_after_a_failed_task(frame: DataFrame, held: Held) -> None:
    with pytest.raises(Exception, match="enough"):
        frame.selectExpr("if(offset < 500, offset, raise_error('enough'))").collect()
    assert held() == 0


@pytest.mark.slow
def test_no_native_memory_is_held_after_a_cancelled_task(spark: SparkSession, frame: DataFrame, held: Held) -> None:
    context = spark.sparkContext
    seen = []

    def run() -> None:
        context.setJobGroup("slow", "a job that is cancelled", interruptOnCancel=True)
        try:
            frame.selectExpr("java_method('java.lang.Thread', 'getAllStackTraces')", "offset").collect()
            frame.crossJoin(frame.select("offset")).selectExpr("sum(hash(value))").collect()
        except Exception as error:  # noqa: BLE001 - whatever Spark makes of it
            seen.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        context.cancelJobGroup("slow")
        time.sleep(0.2)
    thread.join()
    assert seen
    for _ in range(100):
        if held() == 0:
            break
        time.sleep(0.1)
    assert held() == 0


@pytest.mark.slow
@pytest.mark.parametrize("columnar", ["false", "true"])
def test_no_native_memory_is_held_after_functions_in_python(
    spark: SparkSession, frame: DataFrame, held: Held, columnar: str
) -> None:
    @sf.arrow_udf("long")  # type: ignore[attr-defined, untyped-decorator] # the stubs of PySpark lack it
    def plus(values: pa.Array) -> pa.Array:
        import pyarrow.compute as pc  # noqa: PLC0415 - runs in a worker

        return pc.call_function("add", [values, pa.scalar(1)])

    spark.conf.set("spark.sql.execution.arrow.pythonUDF.columnarInput.enabled", columnar)
    assert frame.select(plus("offset").alias("n")).agg(sf.sum("n")).collect()[0][0] == 2 * sum(range(1, 6001))
    assert held() == 0
