"""The jobs of histories: what happened, out of the logs of internal topics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as sql

from messagegen_arrow.histories.end_offsets import END_COLUMNS
from messagegen_arrow.histories.logs import COMMITTED, check_one_replica, log_mode, with_snapshots
from messagegen_arrow.histories.records import HISTORY_MODES
from messagegen_arrow.internal_topics.record_types import (
    CLUSTER_METADATA,
    CONSUMER_OFFSETS,
    SHARE_GROUP_STATE,
    TRANSACTION_STATE,
)
from messagegen_arrow.log.files import LogPathError
from messagegen_arrow.malformed import Mode, check_mode
from messagegen_spark.histories import consumer_lag_history, end_offsets, metadata_history, transaction_history
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
        log = internal_log(self.input.with_options(**COMMITTED), log_mode(self.mode))
        ends = None
        if self.ends is not None:
            columns = {"columns": ",".join(END_COLUMNS), "includeControl": "true"}
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
        check_one_replica(path for unit in (*offsets, *states) for path in unit.paths)
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
        log = internal_log(self.input, log_mode(self.mode), more=["path", "batchOffset"])
        return metadata_history(log.rows(spark, unit.paths), self.mode, observe=observation)

    def _plan(self, spark: SparkSession, unit_bytes: int | None) -> list[Unit]:
        units = self.input.with_options(topics=CLUSTER_METADATA).units(spark, unit_bytes, whole_partitions=True)
        if not units:
            raise LogPathError(f"no {CLUSTER_METADATA} in {', '.join(self.input.paths)}")
        check_one_replica(path for unit in units for path in unit.paths)
        return [replace(unit, paths=with_snapshots(unit.paths)) for unit in units]


@dataclass(frozen=True, kw_only=True)
class TransactionHistory:
    """What became of transactions. All records of a transactional id are in one partition."""

    input: Input
    mode: Mode = "DROPMALFORMED"

    def job(self, unit_bytes: int | None = None) -> Job:
        """The job of this history. Raises ``ValueError`` for a mode that histories do not have."""
        check_mode(self.mode, HISTORY_MODES)
        arguments = {"input": self.input.described(), "mode": self.mode, "catalog": catalog_digest(None)}
        return Job("transaction-history", arguments, lambda spark: self._plan(spark, unit_bytes), self.rows)

    def rows(self, spark: SparkSession, unit: Unit, observation: Observation) -> DataFrame:
        """The history of the transactional ids whose partitions are in the unit."""
        log = internal_log(self.input, log_mode(self.mode))
        return transaction_history(log.rows(spark, unit.paths), self.mode, observe=observation)

    def _plan(self, spark: SparkSession, unit_bytes: int | None) -> list[Unit]:
        units = self.input.with_options(topics=TRANSACTION_STATE).units(spark, unit_bytes, whole_partitions=True)
        if not units:
            raise LogPathError(f"no {TRANSACTION_STATE} in {', '.join(self.input.paths)}")
        check_one_replica(path for unit in units for path in unit.paths)
        return units
