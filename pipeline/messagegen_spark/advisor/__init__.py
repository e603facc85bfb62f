"""The encoding advisor: which of KIP-625's encodings serves which integer field best, from data.

Names are loaded when they are first used: reading saved statistics needs neither Spark nor Arrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from messagegen_arrow.lazy import lazy_names

if TYPE_CHECKING:
    from messagegen_spark.advisor.advice import Advice as Advice
    from messagegen_spark.advisor.advice import FieldAdvice as FieldAdvice
    from messagegen_spark.advisor.collecting import advise as advise
    from messagegen_spark.advisor.collecting import collect as collect
    from messagegen_spark.advisor.costs import CostTable as CostTable
    from messagegen_spark.advisor.recommending import recommend as recommend
    from messagegen_spark.advisor.report import report_page as report_page
    from messagegen_spark.advisor.specs.patch import SpecPatch as SpecPatch
    from messagegen_spark.advisor.specs.patch import patch_spec as patch_spec
    from messagegen_spark.advisor.statistics import Statistics as Statistics
    from messagegen_spark.advisor.trial import run_trial as run_trial

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Advice": "advice",
        "CostTable": "costs",
        "FieldAdvice": "advice",
        "SpecPatch": "specs.patch",
        "Statistics": "statistics",
        "advise": "collecting",
        "collect": "collecting",
        "patch_spec": "specs.patch",
        "recommend": "recommending",
        "report_page": "report",
        "run_trial": "trial",
    },
)
