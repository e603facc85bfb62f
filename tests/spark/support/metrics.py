"""The metrics of a session's queries in Spark's UI. Spark keeps them even if the UI is off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def on_sql_page(spark: SparkSession) -> dict[str, str]:
    """Return the metrics of the latest query: their values by their descriptions."""
    session: Any = spark._jsparkSession  # noqa: SLF001 - PySpark has no other way to what the UI shows
    _wait(spark)
    store = session.sharedState().statusStore()
    latest = max(_each(store.executionsList()), key=lambda execution: int(execution.executionId()))
    values = store.executionMetrics(latest.executionId())
    shown = {}
    for metric in _each(latest.metrics()):
        value = values.get(metric.accumulatorId())
        if value.isDefined():
            shown[metric.name()] = value.get()
    return shown


def scans_on_sql_page(spark: SparkSession) -> list[str]:
    """Return the descriptions of the scans of the latest query."""
    session: Any = spark._jsparkSession  # noqa: SLF001 - likewise
    _wait(spark)
    store = session.sharedState().statusStore()
    latest = max(int(execution.executionId()) for execution in _each(store.executionsList()))
    return [node.desc() for node in _each(store.planGraph(latest).allNodes()) if "Scan" in node.name()]


def on_stage_page(spark: SparkSession) -> dict[str, str]:
    """Return the accumulators of the latest stage: their values by their names."""
    return {update.name(): update.value() for update in _each(_latest_stage(spark).accumulatorUpdates())}


def input_of_stage(spark: SparkSession) -> tuple[int, int]:
    """Return the bytes and the records that the latest stage read."""
    stage = _latest_stage(spark)
    return int(stage.inputBytes()), int(stage.inputRecords())


def _latest_stage(spark: SparkSession) -> Any:
    context: Any = spark.sparkContext
    _wait(spark)
    quantiles = context._gateway.new_array(context._gateway.jvm.double, 0)  # noqa: SLF001 - likewise
    stages = context._jsc.sc().statusStore().stageList(None, False, False, quantiles, None)  # noqa: SLF001
    return max(_each(stages), key=lambda stage: int(stage.stageId()))


def _each(sequence: Any) -> Iterator[Any]:
    iterator = sequence.iterator()
    while iterator.hasNext():
        yield iterator.next()


def _wait(spark: Any) -> None:
    """Wait until all listeners have been called."""
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()  # noqa: SLF001 - likewise
