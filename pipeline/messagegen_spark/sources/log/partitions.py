"""What one task of ``kafka-log`` reads, as Spark hands it from the driver to executors."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql.datasource import InputPartition

from messagegen_arrow.log.planning import LogTask


class LogInputPartition(InputPartition):
    """What one task reads."""

    def __init__(self, task: LogTask) -> None:
        super().__init__(task)

    @property
    def task(self) -> LogTask:
        """The ranges of files, in the order of topic, partition and offset."""
        task: LogTask = self.value
        return task


def input_partitions(tasks: Iterable[LogTask]) -> list[InputPartition]:
    """The tasks for Spark. Without any there is one that reads nothing: otherwise Spark would make one of its own."""
    return [LogInputPartition(task) for task in tasks] or [LogInputPartition(LogTask("[]"))]
