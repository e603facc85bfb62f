"""Compares two sets of specs: finds changes and the users that they break, and reports them to users of messages."""

from __future__ import annotations

from messagegen.evolve.changes import BreakingChange
from messagegen.evolve.compare import Comparison, SpecSet, breaking_changes, compare_sets, compare_specs
from messagegen.evolve.rules import CATEGORIES, RULE_NAMES, RULES, Category, Rule

__all__ = [
    "CATEGORIES",
    "RULES",
    "RULE_NAMES",
    "BreakingChange",
    "Category",
    "Comparison",
    "Rule",
    "SpecSet",
    "breaking_changes",
    "compare_sets",
    "compare_specs",
]
