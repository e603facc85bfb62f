"""What histories have in common: the columns that a log must have."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from messagegen_arrow.histories.records import REQUIRED


def of_topics(log: DataFrame, topics: Sequence[str]) -> DataFrame:
    """The records of these topics, and those whose topic is unknown.

    Raises ``ValueError`` for a DataFrame that is not a log.
    """
    missing = [name for name in REQUIRED if name not in log.columns]
    if missing:
        raise ValueError(
            f"the log has no column {', '.join(missing)}: read it with format('kafka-log') or format('kafka')"
        )
    topic = sql.col("topic")
    return log.where(topic.isin(*topics) | topic.isNull())
