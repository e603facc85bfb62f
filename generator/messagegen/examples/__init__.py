"""Examples of rules, for ``messagegen rules RULE``: parts of specs that break them, and parts that do not.

Each part is what a reader needs to see of a message: its properties, or its fields. A test adds the rest, and checks
that the bad part breaks the rule and that the good one does not. Rules of style have theirs in their docstrings.
"""

from __future__ import annotations

from messagegen.examples.changes import CHANGES
from messagegen.examples.commands import COMMANDS
from messagegen.examples.example import Example
from messagegen.examples.specs import SPECS

__all__ = ["CHANGES", "COMMANDS", "SPECS", "Example"]
