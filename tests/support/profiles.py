"""The profiles of Hypothesis: the number of examples, and the seed.

``MESSAGEGEN_HYPOTHESIS`` names the profile: ``quick`` (``make check``), ``fast`` (``make test``, the default), ``full``
(``make test-all``, and so CI), ``random`` (the same number of examples, for a bounded ``make test-thorough``) or
``thorough`` (``make test-thorough``). The first three draw the same examples each time, so a run fails only because of
the change at hand. ``MESSAGEGEN_SEED`` moves the random corpora; Hypothesis has its own option, ``--hypothesis-seed``.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis.internal import reflection

PROFILE_VARIABLE: Final = "MESSAGEGEN_HYPOTHESIS"
SEED_VARIABLE: Final = "MESSAGEGEN_SEED"

# On a busy machine, drawing large messages is slow.
_SLOW_IS_FINE: Final = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)

_SCALES: Final = {"quick": 0.1, "fast": 0.4, "full": 1.0, "random": 1.0, "thorough": 10.0}
"""The factors for tests that set their own number of examples, by profile."""

_MOST: Final = {"quick": 2, "fast": 3, "full": 5, "random": 5, "thorough": 300}
"""The numbers of examples for tests that do not set their own."""


_REPEATED: Final = frozenset({"quick", "fast", "full"})
"""The profiles that draw the same examples each time."""


def register() -> None:
    """Register the profiles and load the one named in the environment."""
    # Hypothesis derives the seed of a test from its source, and tokenizes the source again for each set of parameters.
    reflection._clean_source = lru_cache(reflection._clean_source)  # noqa: SLF001 - Hypothesis has no option for it
    common = settings(deadline=None, database=None, suppress_health_check=_SLOW_IS_FINE)
    for name, most in _MOST.items():
        settings.register_profile(name, common, max_examples=most, derandomize=name in _REPEATED, print_blob=True)
    settings.load_profile(os.environ.get(PROFILE_VARIABLE, "fast"))


def examples(count: int) -> settings:
    """Return the settings for a test with ``count`` examples in ``make test-all``; other profiles scale the number."""
    return settings(max_examples=scaled(count))


def scaled(count: int) -> int:
    """Return ``count`` scaled by the profile's factor, but at least 1."""
    return max(1, round(count * _SCALES.get(settings.get_current_profile_name(), 1.0)))


def seeds(first: int, count: int) -> range:
    """Return the seeds of a random corpus: ``count`` seeds in ``make test-all``, and at most ``count`` in other runs.

    They start at ``first``, or at the seed in the environment.
    """
    start = seed() or first
    # Apache's generator reads a spec for each seed of these corpora, so they don't grow in thorough runs.
    return range(start, start + min(count, scaled(count)))


def seed() -> int:
    """Return the seed of the random corpora; 0 in profiles that draw the same examples each time."""
    return int(os.environ.get(SEED_VARIABLE, "0"))
