"""Rules of style for message specs, beyond what makes a spec one: a table of rules, comments that ignore them, fixes."""

from messagegen.lint.ignores import IGNORE_RULES
from messagegen.lint.names import RULE_NAMES
from messagegen.lint.rules import CATEGORIES, RULES
from messagegen.lint.run import LintFinding, fix, lint

__all__ = ["CATEGORIES", "IGNORE_RULES", "RULES", "RULE_NAMES", "LintFinding", "fix", "lint"]
