"""Native memory that batches hold: counted in the memory of tasks, and nothing after each task, however it ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyspark.sql import functions as sf

from tests.arrow.support.log_data import many_batches, write_segment

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

Load = Callable[..., "DataFrame"]
Held = Callable[[], int]


@pytest.fixture
def frame(load: Load, tmp_path: Path) -> DataFrame:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 2000))
    write_segment(tmp_path / "orders-1", 0, many_batches(0, 2000))
    return load(tmp_path, maxRecordsPerBatch="100")


def test_nothing_is_held_after_a_task(frame: DataFrame, held: Held) -> None:
    assert frame.selectExpr("sum(offset)", "max(value)").count() == 1
    assert held() == 0


def test_nothing_is_held_after_a_limit(frame: DataFrame, held: Held) -> None:
    assert len(frame.limit(1).collect()) == 1
    assert held() == 0


def test_nothing_is_held_after_a_failed_task(frame: DataFrame, held: Held) -> None:
    with pytest.raises(Exception, match="enough"):
        frame.selectExpr("if(offset < 500, offset, raise_error('enough'))").collect()
    assert held() == 0


def test_nothing_is_held_after_a_cancelled_task(spark: SparkSession, frame: DataFrame, held: Held) -> None:
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


@pytest.mark.parametrize("columnar", ["false", "true"])
def test_nothing_is_held_after_functions_in_python(
    spark: SparkSession, frame: DataFrame, held: Held, columnar: str
) -> None:
    @sf.arrow_udf("long")  # type: ignore[attr-defined, untyped-decorator] # the stubs of PySpark lack it
    def plus(values: pa.Array) -> pa.Array:
        import pyarrow.compute as pc  # noqa: PLC0415 - runs in a worker

        return pc.call_function("add", [values, pa.scalar(1)])

    spark.conf.set("spark.sql.execution.arrow.pythonUDF.columnarInput.enabled", columnar)
    assert frame.select(plus("offset").alias("n")).agg(sf.sum("n")).collect()[0][0] == 2 * sum(range(1, 6001))
    assert held() == 0


def test_a_panic_is_an_exception(static: Callable[..., Any], load: Load, tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    assert load(tmp_path).count() == 3  # the library is loaded
    with pytest.raises(Exception, match="a defect of messagegen, please report it: no way"):
        static("Native", "panic", "no way")
    assert load(tmp_path).count() == 3
