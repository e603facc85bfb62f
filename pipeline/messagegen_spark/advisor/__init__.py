"""The encoding advisor: which of KIP-625's encodings serves which integer field best, from data.

Names are loaded when they are first asked for: reading saved statistics needs neither Spark nor Arrow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from messagegen_spark.advisor.advice import Advice as Advice
    from messagegen_spark.advisor.advice import FieldAdvice as FieldAdvice
    from messagegen_spark.advisor.collecting import advise as advise
    from messagegen_spark.advisor.collecting import collect as collect
    from messagegen_spark.advisor.costs import CostTable as CostTable
    from messagegen_spark.advisor.recommending import recommend as recommend
    from messagegen_spark.advisor.report import report_page as report_page
    from messagegen_spark.advisor.spec_patch import SpecPatch as SpecPatch
    from messagegen_spark.advisor.spec_patch import patch_spec as patch_spec
    from messagegen_spark.advisor.statistics import Statistics as Statistics
    from messagegen_spark.advisor.trial import run_trial as run_trial

_MODULES: Final = {
    "Advice": "advice",
    "CostTable": "costs",
    "FieldAdvice": "advice",
    "SpecPatch": "spec_patch",
    "Statistics": "statistics",
    "advise": "collecting",
    "collect": "collecting",
    "patch_spec": "spec_patch",
    "recommend": "recommending",
    "report_page": "report",
    "run_trial": "trial",
}
"""The module of each public name."""

__all__ = [
    "Advice",
    "CostTable",
    "FieldAdvice",
    "SpecPatch",
    "Statistics",
    "advise",
    "collect",
    "patch_spec",
    "recommend",
    "report_page",
    "run_trial",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
