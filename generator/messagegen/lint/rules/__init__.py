"""The style rules, in one table. A rule is a function in one of these modules; its docstring explains it."""

from __future__ import annotations

from typing import Final

from messagegen.lint.rules import fields, names, sets, versions
from messagegen.lint.rules.rule import Category, Problem, Rule

__all__ = ["CATEGORIES", "RULES", "Category", "Problem", "Rule"]

CATEGORIES: Final[tuple[Category, ...]] = ("MINIMAL", "STANDARD")

RULES: Final = tuple(
    one for module in (names, versions, fields, sets) for one in vars(module).values() if isinstance(one, Rule)
)
