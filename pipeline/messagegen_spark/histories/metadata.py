"""What changed in a cluster's metadata: ``messagegen_arrow.histories.metadata`` over a DataFrame."""

from __future__ import annotations

from pyspark.sql import DataFrame, Observation
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.kinds import METADATA
from messagegen_arrow.histories.metadata.history import history_of_metadata
from messagegen_arrow.histories.metadata.properties import METADATA_HISTORY
from messagegen_arrow.histories.metadata.records import ROWS
from messagegen_spark.histories.common import extracted, mapped


def metadata_history(
    log: DataFrame,
    mode: str = "DROPMALFORMED",
    *,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
) -> DataFrame:
    """The rows of ``messagegen_arrow.metadata_history``, in no order; sort them by ``offset`` and ``place``.

    ``log`` has the records of ``__cluster_metadata``, with ``includeControl=true`` also elections of its leader, and with
    ``path`` those of snapshots. It is read once, and the history is made by one task. Records that can't be read are left out,
    or end the query (``mode`` FAILFAST); ``observe`` counts them. Raises ``ValueError`` for a DataFrame that lacks columns, and
    for other modes.
    """
    rows = extracted(log, METADATA.reader(mode, catalog), METADATA.extract, ROWS, observe)
    ordered = rows.repartition(1).sortWithinPartitions(sql.desc("isSnapshot"), "snapshotEnd", "offset")
    return mapped(ordered, ROWS, history_of_metadata, METADATA_HISTORY)
