"""Examples of rules, for ``messagegen rules RULE``: parts of specs that break them, and parts that do not.

Each part shows only the relevant properties or fields of a message. A test adds the rest, and checks that the bad part
breaks the rule and that the good part does not. The examples of style rules are in their docstrings.
"""

from __future__ import annotations

from messagegen.examples.changes import CHANGES
from messagegen.examples.commands import COMMANDS
from messagegen.examples.example import Example
from messagegen.examples.specs import SPECS

__all__ = ["CHANGES", "COMMANDS", "SPECS", "Example"]
