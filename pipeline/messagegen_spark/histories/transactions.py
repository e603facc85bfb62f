"""How transactions changed state: ``messagegen_arrow.histories.transactions`` over a DataFrame."""

from __future__ import annotations

from pyspark.sql import DataFrame, Observation

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.kinds import TRANSACTIONS
from messagegen_arrow.histories.transactions import STATES, TRANSACTION_HISTORY, TransactionHistory
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
    rows = extracted(log, TRANSACTIONS.reader(mode, catalog), TRANSACTIONS.extract, STATES, observe)
    ordered = rows.repartition("transactionalId").sortWithinPartitions("logOffset")
    return mapped(ordered, STATES, _with_previous, TRANSACTION_HISTORY)


def _with_previous(batches: Batches) -> Batches:
    return map(TransactionHistory().feed, batches)
