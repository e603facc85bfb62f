"""Style rules for valid message specs: the table of rules, comments that ignore rules, and fixes."""

from messagegen.lint.ignores import IGNORE_RULES
from messagegen.lint.names import RULE_NAMES
from messagegen.lint.rules import CATEGORIES, RULES
from messagegen.lint.run import LintFinding, fix, lint

__all__ = ["CATEGORIES", "IGNORE_RULES", "RULES", "RULE_NAMES", "LintFinding", "fix", "lint"]
