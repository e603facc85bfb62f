"""The names that select rules of style."""

from __future__ import annotations

from typing import Final

from messagegen.lint.ignores import IGNORE_RULES
from messagegen.lint.rules import CATEGORIES, RULES
from messagegen.selection import RuleNames
from messagegen.spec import Rule

_OTHERS: Final = (*IGNORE_RULES, *(rule.name for rule in Rule))

RULE_NAMES: Final = RuleNames(
    {category: [rule.id for rule in RULES if category in rule.categories] for category in CATEGORIES},
    (*(rule.id for rule in RULES), *_OTHERS),
    default=("STANDARD",),
    always=frozenset(_OTHERS),
)
"""Rules of style, rules about comments that ignore rules, and those of the reader of specs; the last two always hold."""
