"""What one task of ``kafka-log`` reads, as Spark hands it from the driver to executors."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql.datasource import InputPartition

from messagegen_arrow.log.planning import FileRange


class LogInputPartition(InputPartition):
    """What one task reads."""

    def __init__(self, ranges: Iterable[FileRange]) -> None:
        super().__init__(tuple(ranges))

    @property
    def ranges(self) -> tuple[FileRange, ...]:
        """The ranges, in the order of topic, partition and offset."""
        ranges: tuple[FileRange, ...] = self.value
        return ranges


def input_partitions(tasks: Iterable[Iterable[FileRange]]) -> list[InputPartition]:
    """The tasks for Spark. Without any there is one that reads nothing: otherwise Spark would make one of its own."""
    return [LogInputPartition(task) for task in tasks] or [LogInputPartition(())]
