#!/usr/bin/env python3
"""Writes the rules in docs/breaking.md, below the heading "Rules", from their table.

Run ``python docs/make_breaking.py`` to write the page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from messagegen.evolve import RULES, Rule

PAGE: Final = Path(__file__).with_name("breaking.md")
_HEADING: Final = "## Rules\n"
_OPENING: Final = """
`messagegen breaking --list-rules` prints these {count} rules. `docs/make_breaking.py` generates this section.

"""


def page() -> str:
    """The text of the page: the handwritten part, then the rules."""
    text = PAGE.read_text(encoding="utf-8").partition(_HEADING)[0]
    return text + _HEADING + _OPENING.format(count=len(RULES)) + "\n".join(map(_section, RULES))


def _section(rule: Rule) -> str:
    before, after = rule.example
    return f"""### {rule.id}

{', '.join(rule.categories)}. {rule.purpose} {rule.rationale}

```diff
- {before}
+ {after}
```
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
