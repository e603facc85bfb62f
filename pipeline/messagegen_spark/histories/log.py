"""What histories have in common: the columns that a log must have, and modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from messagegen_arrow.malformed import Mode, check_mode

_MODES: Final[tuple[Mode, ...]] = ("DROPMALFORMED", "FAILFAST")
"""A record that can't be read does not say what happened: a history that kept it would show a deletion."""
REQUIRED: Final = ("key", "value", "topic", "partition", "offset", "timestamp")


def check_history_mode(mode: str) -> Mode:
    """The mode in upper case. Raises ``ValueError`` for one that histories do not have."""
    return check_mode(mode, _MODES)


def of_topics(log: DataFrame, topics: Sequence[str]) -> DataFrame:
    """The records of these topics, and those whose topic is unknown. Raises ``ValueError`` for a DataFrame that is not a log."""
    missing = [name for name in REQUIRED if name not in log.columns]
    if missing:
        raise ValueError(
            f"the log has no column {', '.join(missing)}: read it with format('kafka-log') or format('kafka')"
        )
    topic = sql.col("topic")
    return log.where(topic.isin(*topics) | topic.isNull())
