"""How transactions changed state: ``messagegen_arrow.histories.transactions`` over a DataFrame."""

from __future__ import annotations

from pyspark.sql import DataFrame, Observation

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.records import HistoryReader
from messagegen_arrow.histories.transactions import (
    STATES,
    TOPICS,
    TRANSACTION_HISTORY,
    TYPES,
    TransactionHistory,
    states_of,
)
from messagegen_spark.histories.common import Batches, extracted, mapped


def transaction_history(
    log: DataFrame,
    mode: str = "DROPMALFORMED",
    *,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
) -> DataFrame:
    """The rows of ``messagegen_arrow.transaction_history``, in no order.

    ``log`` has the records of ``__transaction_state``. Records that can't be read are left out, or end the query (``mode``
    FAILFAST); ``observe`` counts them. Raises ``ValueError`` for a DataFrame that lacks columns, and for other modes.
    """
    rows = extracted(log, HistoryReader.of(TOPICS, TYPES, mode, catalog), states_of, STATES, observe)
    ordered = rows.repartition("transactionalId").sortWithinPartitions("logOffset")
    return mapped(ordered, STATES, _with_previous, TRANSACTION_HISTORY)


def _with_previous(batches: Batches) -> Batches:
    return map(TransactionHistory().with_previous, batches)
