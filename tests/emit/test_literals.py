"""Values as Python source: they evaluate to themselves, and no string can escape from its quotes."""

from __future__ import annotations

import ast
import math
import struct
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen.emit.literals import docstring, text_literal
from messagegen.emit.uses import Uses
from messagegen.emit.values import default_source
from messagegen.plan import ops

laws = settings(max_examples=200)
awkward = st.lists(
    st.sampled_from(
        [
            '"',
            "'",
            "\\",
            '"""',
            "'''",
            "{{",
            "}}",
            "{%",
            "#",
            "\n",
            "\r",
            "\u2028",
            "\x00",
            "\x85",
            "\ud800",
            "é",
            " ",
            "a",
            "N{",
            "x4",
        ]
    )
).map("".join)
texts = st.one_of(st.text(st.characters(), max_size=30), awkward)
"""Strings of any characters, including lone surrogates, and of characters with a meaning in Python or in templates."""

NAMES = {"_UUID": UUID, "_ZERO_UUID": UUID(int=0), "_NAN": math.nan, "_default_Part": object()}


def evaluated_default(value: ops.PlanDefault, attribute: str) -> object:
    """Evaluate the expression for a field's default, with the constants of its module."""
    use = Uses()
    source = default_source(ops.FieldPlan("X", attribute, "x", "Part", default=value), use)
    names = dict(NAMES)
    exec("\n".join(line for group in use.constant_groups() for line in group), names)
    return eval(source, names)


@pytest.mark.slow
@laws
@given(texts)
def test_text_evaluates_to_itself(text: str) -> None:
    literal = text_literal(text)
    assert ast.literal_eval(literal) == text
    assert "\n" not in literal


@laws
@given(st.one_of(st.booleans(), st.integers(), st.floats(), texts, st.binary(), st.uuids(allow_nil=True), st.none()))
def test_defaults_evaluate_to_themselves(value: ops.PlanDefault) -> None:
    check_default(value, "x")
    check_default(value, "x" * 100)


def check_default(value: ops.PlanDefault, attribute: str) -> None:
    found = evaluated_default(value, attribute)
    assert type(found) is type(value)
    if isinstance(value, float):
        assert isinstance(found, float)
        assert math.isnan(value) == math.isnan(found)
        assert math.isnan(value) or struct.pack(">d", found) == struct.pack(">d", value)
    else:
        assert found == value


def shown(text: str) -> str:
    """Return the words of a docstring with one blank between them."""
    return " ".join(text.split())


def value_of_docstring(source: str) -> str:
    """Return the docstring of the class in ``source``, after checking that the class contains nothing else."""
    (cls,) = ast.parse(source).body
    assert isinstance(cls, ast.ClassDef)
    (statement,) = cls.body
    assert isinstance(statement, ast.Expr)
    value = ast.literal_eval(statement.value)
    assert isinstance(value, str)
    return value


class TestDocstring:
    @laws
    @given(texts.filter(str.split))
    def test_docstrings_evaluate_to_their_text(self, text: str) -> None:
        source = f'class A:\n    """{docstring(text)}"""\n'
        # `docstring` escapes unprintable characters, so that no text is invisible or reverses the direction of a line.
        assert shown(value_of_docstring(source)) == shown(text)
