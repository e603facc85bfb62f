"""The encoding advisor over DataFrames, and its page with charts; what it decides is in ``messagegen_arrow.advisor``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from messagegen_arrow.lazy import lazy_names

if TYPE_CHECKING:
    from messagegen_spark.advisor.collecting import advise as advise
    from messagegen_spark.advisor.collecting import collect as collect
    from messagegen_spark.advisor.report import report_page as report_page

__getattr__, __dir__ = lazy_names(__name__, {"advise": "collecting", "collect": "collecting", "report_page": "report"})
