"""Templates of Python modules only insert text: they are short, and have loops and includes, but no conditions,
macros or expressions.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

TEMPLATES: Final = Path(__file__).parents[2] / "templates"
PYTHON: Final = sorted(
    path for output in ("python", "error_codes", "strategies") for path in (TEMPLATES / output).iterdir()
)
STATEMENTS: Final = {"for", "endfor", "include"}
LONGEST: Final = 60


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.name))
class TestTemplates:
    def test_templates_are_short(self, path: Path) -> None:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST

    def test_templates_have_only_names_loops_and_includes(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r"{%-?\s*(\w+)", text)) <= STATEMENTS
        assert all(re.fullmatch(r"\w+", place.strip()) for place in re.findall(r"{{(.*?)}}", text))
