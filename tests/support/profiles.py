"""How long Hypothesis searches: ``fast`` in every run, ``thorough`` on request.

``pytest --hypothesis-profile=thorough`` or ``MESSAGEGEN_HYPOTHESIS=thorough`` chooses. The fast profile draws the same examples
each time, so that a run of the whole suite passes or fails for a reason in the change at hand.
"""

from __future__ import annotations

import os
from typing import Final

from hypothesis import HealthCheck, settings

ENVIRONMENT_VARIABLE: Final = "MESSAGEGEN_HYPOTHESIS"

# Large messages are slow to draw on a busy machine; how long that takes says nothing about them.
_SLOW_IS_FINE: Final = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)


def register() -> None:
    """Makes both profiles known and loads the one that is asked for."""
    common = settings(deadline=None, database=None, suppress_health_check=_SLOW_IS_FINE)
    settings.register_profile("fast", common, derandomize=True, max_examples=8)
    settings.register_profile("thorough", common, max_examples=300, print_blob=True)
    settings.load_profile(os.environ.get(ENVIRONMENT_VARIABLE, "fast"))
