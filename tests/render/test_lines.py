"""Breaking long lines changes how code looks and nothing else."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen.publish import format_python
from messagegen.render.lines import LINE_LENGTH, break_long_lines

NAMES = [f"a_name_of_some_length_{number}" for number in range(8)]
ARGUMENTS = ", ".join(NAMES)
LONG = [
    f"from somewhere import {ARGUMENTS}",
    f"def function({ARGUMENTS}) -> tuple[int, int]:\n    return 1, 2",
    f"__all__ = [{', '.join(map(repr, NAMES))}]",
    f"x = f(\n    classes=({ARGUMENTS}),\n)",
    f"if x:\n    w += _pack_iiii({', '.join(f'o.{name}' for name in NAMES)})",
    f"if x:\n    {', '.join(f'o.{name}' for name in NAMES)} = _unpack_iiii(b, p)",
    f"if x:\n    o.value, p = _read_array(_decode, b, p, {', '.join(NAMES)})",
    f"if x:\n    from somewhere import {ARGUMENTS}",
    f"if x:\n    tags = [] if o.unknown_tagged_fields is _NOTHING else _raw_tags(o, {tuple(range(10, 22))}, o.some_more)",
    f"if x:\n    tags = [] if o.unknown_tagged_fields is _NOTHING else _raw_tags(obj, {tuple(range(10, 22))})",
]


@pytest.mark.parametrize("code", LONG)
def test_long_lines_are_broken_and_mean_the_same(code: str) -> None:
    broken = break_long_lines(code)
    assert max(map(len, code.splitlines())) > LINE_LENGTH
    assert max(map(len, broken.splitlines())) <= LINE_LENGTH
    assert ast.dump(ast.parse(broken)) == ast.dump(ast.parse(code))


@pytest.mark.parametrize("code", LONG)
def test_what_is_broken_is_what_the_formatter_wants(code: str) -> None:
    assert format_python(break_long_lines(code)) == format_python(code)


@pytest.mark.parametrize("code", LONG[-3:])
def test_what_is_broken_needs_no_formatting(code: str) -> None:
    assert format_python(break_long_lines(code)) == break_long_lines(code) + "\n"


starts = st.sampled_from(["default_x: str = ", "from_x: str = ", "define = ", "o.x = ", "w_x = ", "t = ", "x = "])
texts = st.lists(st.sampled_from(["(", ")", "[", "]", ", ", '"', "'", "word ", "\\"]), min_size=20, max_size=80).map(
    "".join
)


@settings(max_examples=100)
@given(starts, texts)
def test_text_in_a_line_stays_as_it_is(start: str, text: str) -> None:
    code = f"class A:\n    {start}{'x' * 100 + text!r}\n"
    assert ast.dump(ast.parse(break_long_lines(code))) == ast.dump(ast.parse(code))


def test_strings_over_several_lines_are_left_alone() -> None:
    code = f'"""\nfrom somewhere import ({ARGUMENTS})\n"""\n'
    assert break_long_lines(code) == code
