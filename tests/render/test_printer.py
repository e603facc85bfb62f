"""Long lines are broken where the formatter would break them, and mean the same."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.lower.ops import Op
from messagegen.outputs.python import message_text
from messagegen.publish import format_python
from messagegen.render.printer import LINE_LENGTH, Lines, print_op, sum_of
from tests.lower.test_text import kinds_of_operations
from tests.support.specs import OWN, plans

names = st.lists(st.from_regex(r"n_[a-z_]{0,25}[a-z]", fullmatch=True), min_size=1, max_size=12)
depths = st.integers(0, 4)
PRINTED: dict[str, tuple[Callable[[Lines, list[str]], None], Callable[[list[str]], str]]] = {
    "calls": (
        lambda to, items: to.call(f"out += _pack({', '.join(items)})"),
        lambda items: f"out += _pack({', '.join(items)})",
    ),
    "indented calls": (
        lambda to, items: to.call(f"    out += _pack(_f(data, pos), {', '.join(items)})"),
        lambda items: f"out += _pack(_f(data, pos), {', '.join(items)})",
    ),
    "functions": (
        lambda to, items: to.bracketed("def f(", [f"{item}: int" for item in dict.fromkeys(items)], ") -> int: ..."),
        lambda items: f"def f({', '.join(f'{item}: int' for item in dict.fromkeys(items))}) -> int: ...",
    ),
    "collections": (
        lambda to, items: to.bracketed("x = [", items, "]", one_a_line=True),
        lambda items: f"x = [{', '.join(items)}]",
    ),
    "imports": (
        lambda to, items: to.import_from("m", [f"{item}_" for item in items]),
        lambda items: f"from m import {', '.join(f'{item}_' for item in items)}",
    ),
    "targets": (
        lambda to, items: to.assign([f"o.{item}" for item in items], "_unpack(b, p)"),
        lambda items: f"({', '.join(f'o.{item}' for item in items)},) = _unpack(b, p)",
    ),
}


def printed(kind: str, items: list[str], depth: int) -> str:
    """Lines of a kind at a depth, with each ``if`` that they stand below; functions stand at the margin."""
    to = Lines()
    if kind == "indented calls":
        to.add("if x:")
    for _ in range(depth if kind not in ("functions", "indented calls") else 0):
        to.add("if x:")
        to.indent += "    "
    PRINTED[kind][0](to, items)
    return "\n".join(to.lines) + "\n"


@pytest.mark.parametrize("kind", PRINTED)
class TestLines:
    @given(names, depths)
    def test_no_line_is_too_long(self, kind: str, items: list[str], depth: int) -> None:
        assert max(map(len, printed(kind, items, depth).splitlines())) <= LINE_LENGTH

    @given(names)
    def test_broken_lines_mean_the_same(self, kind: str, items: list[str]) -> None:
        plain = PRINTED[kind][1](items)
        if kind == "indented calls":
            plain = f"if x:\n    {plain}"
        assert ast.dump(ast.parse(printed(kind, items, 0))) == ast.dump(ast.parse(plain))

    @given(names, depths)
    def test_the_formatter_has_nothing_to_do(self, kind: str, items: list[str], depth: int) -> None:
        text = printed(kind, items, depth)
        assert format_python(text) == text


@pytest.mark.parametrize(("number", "text"), [(0, "pos"), (1, "pos + 1"), (-4, "pos - 4")])
def test_sums(number: int, text: str) -> None:
    assert sum_of("pos", number) == text


@pytest.mark.parametrize("kind", sorted(kinds_of_operations(), key=repr))
def test_every_operation_is_printed(kind: type[Op]) -> None:
    assert print_op.dispatch(kind) is not print_op.dispatch(Op)


@pytest.mark.parametrize("name", ["FetchRequest", "FetchResponse", "ListOffsetsRequest"])
def test_the_formatter_has_nothing_to_do_in_most_modules(name: str) -> None:
    text = message_text(plans(OWN)[name])
    assert format_python(text) == text
