"""Finds breaking changes: takes two sets of specs and returns findings with the locations in both."""

from __future__ import annotations

from messagegen.evolve.changes import BreakingChange
from messagegen.evolve.compare import SpecSet, compare_specs, compare_texts
from messagegen.evolve.rules import CATEGORIES, RULE_NAMES, RULES, Category, Rule

__all__ = [
    "CATEGORIES",
    "RULES",
    "RULE_NAMES",
    "BreakingChange",
    "Category",
    "Rule",
    "SpecSet",
    "compare_specs",
    "compare_texts",
]
