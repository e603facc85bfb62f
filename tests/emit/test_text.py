"""Long lines are broken where the formatter would break them, and mean the same."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.emit import module_text
from messagegen.emit.text import (
    LINE_LENGTH,
    bracketed,
    broken,
    definition,
    format_letters,
    format_name,
    import_from,
    plus,
)
from messagegen.outputs.formatting import format_python
from tests.support.specs import OWN, plans

names = st.lists(st.from_regex(r"n_[a-z_]{0,25}[a-z]", fullmatch=True), min_size=1, max_size=12, unique=True)
LINES: Final[dict[str, Callable[[list[str]], tuple[list[str], str]]]] = {
    "calls": lambda items: (
        broken(f"out += _pack(_f(data, pos), {', '.join(items)})"),
        f"out += _pack(_f(data, pos), {', '.join(items)})",
    ),
    "targets": lambda items: (
        broken(f"{', '.join(f'o.{item}' for item in [*items, 'last'])} = _unpack(b, p)"),
        f"{', '.join(f'o.{item}' for item in [*items, 'last'])} = _unpack(b, p)",
    ),
    "functions": lambda items: (
        definition("f", [f"{item}: int" for item in items], "int", ["return 0"]).splitlines(),
        f"def f({', '.join(f'{item}: int' for item in items)}) -> int: return 0",
    ),
    "collections": lambda items: (bracketed("x = [", items, "]", one_a_line=True), f"x = [{', '.join(items)}]"),
}


@pytest.mark.parametrize("kind", LINES)
@given(names)
def test_broken_lines_are_short_and_in_the_form_of_the_formatter(kind: str, items: list[str]) -> None:
    lines, plain = LINES[kind](items)
    assert max(map(len, lines)) <= LINE_LENGTH
    text = "\n".join(lines) + "\n"
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(plain))
    assert format_python(text) == text


@given(names)
def test_imports_fit_on_their_lines(items: list[str]) -> None:
    lines = import_from("m", items)
    assert max(map(len, lines)) <= LINE_LENGTH
    assert [name for line in lines for name in line.removeprefix("from m import ").split(", ")] == items


@pytest.mark.parametrize(("number", "text"), [(0, "pos"), (1, "pos + 1"), (-4, "pos - 4")])
def test_sums(number: int, text: str) -> None:
    assert plus("pos", number) == text


def test_names_of_formats() -> None:
    assert format_name("h?16sB") == "htuB"
    assert format_letters("htuB") == "h?16sB"


@pytest.mark.parametrize("name", ["FetchRequest", "FetchResponse", "ListOffsetsRequest"])
def test_the_formatter_has_nothing_to_do_in_most_modules(name: str) -> None:
    text = module_text(plans(OWN)[name])
    assert format_python(text) == text
