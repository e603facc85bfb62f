"""The encoding advisor: chooses the best of KIP-625's encodings for each integer field, from data.

Names are loaded when they are first used: reading saved statistics does not load Arrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from messagegen_arrow.lazy import lazy_names

if TYPE_CHECKING:
    from messagegen_arrow.advisor.advice import Advice as Advice
    from messagegen_arrow.advisor.advice import FieldAdvice as FieldAdvice
    from messagegen_arrow.advisor.collecting import advise as advise
    from messagegen_arrow.advisor.collecting import collect as collect
    from messagegen_arrow.advisor.costs import CostTable as CostTable
    from messagegen_arrow.advisor.recommending import recommend as recommend
    from messagegen_arrow.advisor.sources import bodies_of as bodies_of
    from messagegen_arrow.advisor.sources import records_of as records_of
    from messagegen_arrow.advisor.specs.patch import SpecPatch as SpecPatch
    from messagegen_arrow.advisor.specs.patch import patch_spec as patch_spec
    from messagegen_arrow.advisor.statistics import Statistics as Statistics
    from messagegen_arrow.advisor.trial import run_trial as run_trial

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Advice": "advice",
        "CostTable": "costs",
        "FieldAdvice": "advice",
        "SpecPatch": "specs.patch",
        "Statistics": "statistics",
        "advise": "collecting",
        "bodies_of": "sources",
        "collect": "collecting",
        "patch_spec": "specs.patch",
        "recommend": "recommending",
        "records_of": "sources",
        "run_trial": "trial",
    },
)
