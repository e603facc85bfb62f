"""Style rules for valid message specs: the table of rules, and comments that ignore rules."""

from messagegen.lint.ignores import IGNORE_RULES
from messagegen.lint.rules import CATEGORIES, RULES
from messagegen.lint.run import RULE_NAMES, lint

__all__ = ["CATEGORIES", "IGNORE_RULES", "RULES", "RULE_NAMES", "lint"]
