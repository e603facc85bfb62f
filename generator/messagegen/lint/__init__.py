"""Style rules for valid message specs, in one table."""

from messagegen.lint.rules import CATEGORIES, RULES
from messagegen.lint.run import RULE_NAMES, lint

__all__ = ["CATEGORIES", "RULES", "RULE_NAMES", "lint"]
