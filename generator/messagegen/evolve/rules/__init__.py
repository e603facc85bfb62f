"""The rules about spec changes, in one table."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from messagegen.evolve.changes import CATEGORIES
from messagegen.evolve.rules import fields, messages, structs
from messagegen.evolve.rules.rule import Rule
from messagegen.selection import RuleNames

__all__ = ["RULES", "RULE_NAMES", "Rule"]


def _of(module: ModuleType) -> list[Rule]:
    """The rules of a module, in its order."""
    return [value for value in vars(module).values() if isinstance(value, Rule)]


RULES: Final = (*_of(messages), *_of(structs), *_of(fields))
"""All rules: about the message, its structs, their fields."""

RULE_NAMES: Final = RuleNames(
    {category: [rule.id for rule in RULES if category in rule.categories] for category in CATEGORIES},
    [rule.id for rule in RULES],
    default=CATEGORIES,
)
"""The names that select rules."""
