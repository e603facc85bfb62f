"""What became of transactions, out of ``__transaction_state`` (KIP-98, KIP-890)."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame, Observation, Window
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog
from messagegen_spark.histories.common import history_records, when_milliseconds

_STATES: Final = (
    "Empty",
    "Ongoing",
    "PrepareCommit",
    "PrepareAbort",
    "CompleteCommit",
    "CompleteAbort",
    "Dead",
    "PrepareEpochFence",
)
"""By their numbers (upstream: ``TransactionState``)."""


def transaction_history(
    log: DataFrame,
    mode: str = "DROPMALFORMED",
    *,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
) -> DataFrame:
    """A row for each change of the state of a transactional id, and for each id that was given up (``isTombstone``), in no order.

    ``log`` has the records of ``__transaction_state``. ``state`` is Kafka's word, ``previousState`` that of the record before;
    ``partitions`` are those of the transaction, as ``topic`` and ``partitions``. Records that can't be read are
    left out, or end the query (``mode`` FAILFAST); ``observe`` counts them. Raises ``ValueError`` for a DataFrame that lacks columns, and
    for other modes.
    """
    records = history_records(log, ["TransactionLog"], mode, observe, catalog)
    value = sql.col("TransactionLog.value")
    number = value["transactionStatus"].cast("int")
    states = sql.array(*map(sql.lit, _STATES))
    state = sql.coalesce(sql.get(states, number), number.cast("string"))
    partitions = sql.transform(
        value["transactionPartitions"],
        lambda each: sql.struct(each["topic"].alias("topic"), each["partitionIds"].alias("partitions")),
    )
    history = records.where(sql.col("recordType") == "TransactionLog").select(
        sql.col("TransactionLog.key.transactionalId").alias("transactionalId"),
        state.alias("state"),
        value["producerId"].alias("producerId"),
        value["producerEpoch"].alias("producerEpoch"),
        value["transactionTimeoutMs"].alias("transactionTimeoutMs"),
        partitions.alias("partitions"),
        when_milliseconds(value["transactionStartTimestampMs"]).alias("startTimestamp"),
        when_milliseconds(value["transactionLastUpdateTimestampMs"]).alias("lastUpdateTimestamp"),
        "isTombstone",
        "logPartition",
        "logOffset",
        "logTimestamp",
    )
    before = Window.partitionBy("transactionalId").orderBy("logOffset")
    return history.withColumn("previousState", sql.lag("state").over(before))
