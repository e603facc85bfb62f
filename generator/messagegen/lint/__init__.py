"""Style rules for valid message specs, in one table."""

from messagegen.lint.rules import RULES
from messagegen.lint.run import RULE_NAMES, lint

__all__ = ["RULES", "RULE_NAMES", "lint"]
