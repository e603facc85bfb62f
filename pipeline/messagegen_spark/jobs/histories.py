"""The jobs ``consumer-lag-history`` and ``metadata-history``: what happened, out of the logs of internal topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as sql

from messagegen_arrow.internal_topics.record_types import CLUSTER_METADATA, CONSUMER_OFFSETS, SHARE_GROUP_STATE
from messagegen_arrow.log.files import LogPathError, parse_folder_name
from messagegen_arrow.malformed import Mode, check_mode
from messagegen_spark.histories import consumer_lag_history, end_offsets, metadata_history
from messagegen_spark.histories.common import HISTORY_MODES
from messagegen_spark.jobs.decode import catalog_digest, internal_log
from messagegen_spark.jobs.inputs import Input
from messagegen_spark.jobs.runner import Job
from messagegen_spark.jobs.units import Unit

_SHARE_UNIT: Final = "share-groups"


@dataclass(frozen=True, kw_only=True)
class ConsumerLagHistory:
    """Who committed what when. All records of a group are in one partition, so partitions are worked on each for itself."""

    input: Input
    ends: Input | None = None
    """The logs of the topics that were read, for the lag at each commit."""
    mode: Mode = "DROPMALFORMED"

    def job(self, unit_bytes: int | None = None) -> Job:
        """The job of this history. Raises ``ValueError`` for a mode that histories do not have."""
        check_mode(self.mode, HISTORY_MODES)
        arguments = {
            "input": self.input.described(),
            "ends": self.ends and self.ends.described(),
            "mode": self.mode,
            "catalog": catalog_digest(None),
        }
        return Job("consumer-lag-history", arguments, lambda spark: self._plan(spark, unit_bytes), self.rows)

    def rows(self, spark: SparkSession, unit: Unit, observation: Observation) -> DataFrame:
        """The history of the groups whose partitions are in the unit."""
        # As the group coordinator does: commits behind a transaction that is open count, those in it do not yet.
        committed = self.input.with_options(isolationLevel="read_committed", untilLastStableOffset="false")
        log = internal_log(committed, self.mode if self.mode == "FAILFAST" else "PERMISSIVE")
        ends = None
        if self.ends is not None:
            columns = {"columns": "topic,partition,offset,timestamp,batchOffset", "includeControl": "true"}
            # Damaged batches are left out with a warning: offsets behind them say how far the partition was all the same.
            logs = self.ends.with_options(mode=self.mode, **columns)
            ends = end_offsets(logs.rows(spark, self.ends.paths))
        history = consumer_lag_history(log.rows(spark, unit.paths), ends, self.mode, observe=observation)
        is_share = sql.col("logTopic") == SHARE_GROUP_STATE
        return history.where(is_share) if unit.name == _SHARE_UNIT else history

    def _plan(self, spark: SparkSession, unit_bytes: int | None) -> list[Unit]:
        offsets = self._units(spark, CONSUMER_OFFSETS, unit_bytes)
        states = self._units(spark, SHARE_GROUP_STATE, unit_bytes)
        if not offsets:
            raise LogPathError(f"no {CONSUMER_OFFSETS} in {', '.join(self.input.paths)}")
        if self.ends is not None:
            self.ends.units(spark)  # what is wrong with these paths is said before the output knows of them
        check_one_replica(offsets)
        check_one_replica(states)
        if not states:
            return offsets
        # The state of share groups is spread by partition, and only the group coordinator knows the names of their topics.
        paths = tuple(path for unit in (*offsets, *states) for path in unit.paths)
        return [*offsets, Unit(_SHARE_UNIT, paths, sum(unit.size for unit in (*offsets, *states)))]

    def _units(self, spark: SparkSession, topic: str, unit_bytes: int | None) -> list[Unit]:
        return self.input.with_options(topics=topic).units(spark, unit_bytes, whole_partitions=True)


@dataclass(frozen=True, kw_only=True)
class MetadataHistory:
    """What became of topics, configs and quotas. There is one partition of it, so there is one unit."""

    input: Input
    mode: Mode = "DROPMALFORMED"

    def job(self, unit_bytes: int | None = None) -> Job:
        """The job of this history. Raises ``ValueError`` for a mode that histories do not have."""
        check_mode(self.mode, HISTORY_MODES)
        arguments = {"input": self.input.described(), "mode": self.mode, "catalog": catalog_digest(None)}
        return Job("metadata-history", arguments, lambda spark: self._plan(spark, unit_bytes), self.rows)

    def rows(self, spark: SparkSession, unit: Unit, observation: Observation) -> DataFrame:
        """The whole history."""
        log = internal_log(self.input, self.mode if self.mode == "FAILFAST" else "PERMISSIVE", more=["path"])
        return metadata_history(log.rows(spark, unit.paths), self.mode, observe=observation)

    def _plan(self, spark: SparkSession, unit_bytes: int | None) -> list[Unit]:
        units = self.input.with_options(topics=CLUSTER_METADATA).units(spark, unit_bytes, whole_partitions=True)
        if not units:
            raise LogPathError(f"no {CLUSTER_METADATA} in {', '.join(self.input.paths)}")
        check_one_replica(units)
        return [_with_snapshots(unit) for unit in units]


def check_one_replica(units: Sequence[Unit]) -> None:
    """Raises ``LogPathError`` where a partition lies in several folders: each of its records would be there several times."""
    folders: dict[tuple[str, int], Path] = {}
    for folder in dict.fromkeys(Path(path).parent for unit in units for path in unit.paths):
        name = parse_folder_name(folder.name)
        if name is None:
            continue
        other = folders.setdefault((name.topic, name.partition), folder)
        if other != folder:
            raise LogPathError(f"{folder} and {other} are replicas of the same partition: give the logs of one broker")


def _with_snapshots(unit: Unit) -> Unit:
    """The unit with the snapshots that lie beside its segments."""
    folders = dict.fromkeys(Path(path).parent for path in unit.paths)
    snapshots = [str(path) for folder in folders for path in sorted(folder.glob("*.checkpoint"))]
    return replace(unit, paths=tuple(dict.fromkeys([*unit.paths, *snapshots])))
