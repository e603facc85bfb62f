"""The style rules, in one table. A rule is a function in one of these modules, and its docstring explains it."""

from typing import Final

from messagegen.lint.rules import fields, ignores, names, sets, versions
from messagegen.spec.rule import rules_in

SPEC_RULES: Final = rules_in(names, versions, fields, sets)
COMMENT_RULES: Final = rules_in(ignores)
RULES: Final = (*SPEC_RULES, *COMMENT_RULES)
