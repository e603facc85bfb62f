"""The templates of Python modules contain the code that callers see, and places for generated text.

They are short, and have loops and includes, but no conditions, macros or expressions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from messagegen.emit import module_text
from messagegen.plan.ops import MessagePlan
from tests.support.specs import OWN, PURPOSE_MADE, plans

TEMPLATES: Final = Path(__file__).parents[2] / "templates"
PYTHON: Final = sorted(
    path for output in ("python", "error_codes", "strategies") for path in (TEMPLATES / output).iterdir()
)
STATEMENT: Final = re.compile(r'for \w+(, \w+)* in [\w.]+|endfor|include "[\w.]+"')
PLACE: Final = re.compile(r"[\w.]+")
LONGEST: Final = 60


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.name))
class TestTemplates:
    def test_templates_are_short(self, path: Path) -> None:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST

    def test_templates_contain_only_names_and_loops_and_includes(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        statements = [statement.strip() for statement in re.findall(r"{%(.*?)%}", text)]
        assert [statement for statement in statements if not STATEMENT.fullmatch(statement)] == []
        places = [place.strip() for place in re.findall(r"{{(.*?)}}", text)]
        assert [place for place in places if not PLACE.fullmatch(place)] == []


def constants(plan: MessagePlan) -> Iterator[str]:
    """Yield the constants in the bodies of the classes of a message."""
    for node in ast.walk(ast.parse(module_text(plan))):
        if isinstance(node, ast.ClassDef):
            for line in node.body:
                if isinstance(line, ast.Assign):
                    yield ast.unparse(line.targets[0])


@pytest.mark.slow
def test_every_constant_of_a_class_is_written_in_a_template() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in PYTHON)
    found = {name for plan in [*plans(PURPOSE_MADE).values(), *plans(OWN).values()] for name in constants(plan)}
    assert {"API_KEY", "KIND", "LISTENERS", "SENSITIVE"} <= found
    assert [name for name in sorted(found) if f"\n    {name} = {{" not in text] == []
