"""What was counted while the rows of a unit passed by."""

from __future__ import annotations

import json

from pyspark.sql import Observation

from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_spark.jobs.unit_store import UnitCounts


def observed(observation: Observation) -> UnitCounts:
    """The counts of an observation of ``rows``, ``malformed`` and, of histories, ``counted``."""
    found = observation.get
    details = HistoryCounts.total(map(json.loads, found["counted"])).as_json() if "counted" in found else {}
    return UnitCounts(int(found.get("rows", 0)), int(found.get("malformed", 0)), details)
