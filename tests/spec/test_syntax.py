from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.spec.syntax import explain
from tests.support.profiles import examples


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", "1", '"a"', "null", '{"a": [1, {"b": -0.5e+3}], "c": "\\u00e9"} // end', "/* */ [ /* , */ 1 // 2\n ]"],
)
def test_finds_nothing_in_json(text: str) -> None:
    assert explain(text) is None


@pytest.mark.parametrize(
    ("text", "at", "instead"),
    [
        ('{ "0-1": "fixed32", ^"2+", "2+": "fixed64"}', '"2+",', None),
        ('{"a": 1 ^"b": 2}', '"b"', 'write , before "b"'),
        ('["a"^ "b"]', ' "b"', 'write , before "b"'),
        ('{"a"^ 1}', " 1", 'write "a": 1'),
        ('{"a": 1^,}', ",}", "remove the comma"),
        ("[1^, ]", ", ]", "remove the comma"),
        ("[1,^,2]", ",2", "remove the ,"),
        ("[^,1]", ",1", "remove the ,"),
        ("{^'a': 1}", "'a'", 'write "a"'),
        ("[^'it]", "'it", 'write " at both ends'),
        ("{^a: 1}", "a:", 'write "a"'),
        ("{^12: 1}", "12", 'write "12"'),
        ("[^NaN]", "NaN", 'write "NaN"'),
        ("[^0x1F]", "0x", 'write "0x1F" in double quotes'),
        ("[^-Infinity]", "-I", 'write "-Infinity" in double quotes'),
        ("[^012]", "012", "remove the leading zeros"),
        ("[^+1]", "+1", "remove the +"),
        ("[^None]", "None", "write null"),
        ("[^False]", "False", "write false"),
        ("[^yes]", "yes", "write true"),
        ("^[[1]", "[[1]", "write ] where it ends"),
        ('^{"a": 1', '{"a"', "write } where it ends"),
        ("[{^]", "]", "write } before it"),
        ('{"a"^}', "}", 'write "a": and its value before the }'),
        ('{"a":^}', "}", 'write "a": and its value before the }'),
        ('[^"a\n"]', '"a', 'write " where it ends, in the same line'),
        ('["a^\tb"]', "\tb", "write \\u0009, or \\t for a tab"),
        ("[1] ^/* a", "/* a", "write */ where it ends"),
        ("^# a\n{}", "# a", "write comments as // or /* */"),
        ('{"a"^= 1}', "= 1", "write : instead"),
        ("[1^; 2]", "; 2", "write , instead"),
        ("{}^}", "}", "remove it, or write the bracket that it closes"),
        ("[1] ^2", "2", "remove it, or put it into a file of its own"),
    ],
)
def test_points_at_the_first_token_that_does_not_fit(text: str, at: str, instead: str | None) -> None:
    mark = text.index("^")
    text = text.replace("^", "", 1)
    problem = explain(text)
    assert problem is not None
    if instead is None:
        # The name is where the eye goes, the comma after it is where the colon is missing.
        assert text[problem.offset - 4 : problem.offset + 1] == at
        assert problem.instead == 'write it once: "2+": "fixed64"'
        return
    assert text[problem.offset :].lstrip(" ").startswith(at.lstrip(" "))
    assert abs(problem.offset - mark) <= 1
    assert problem.instead == instead


def test_a_name_without_value_before_another_name() -> None:
    problem = explain('{"a", "b": 1}')
    assert problem is not None
    assert (problem.offset, problem.message) == (4, 'missing value of "a"')


def test_an_escape_that_json_does_not_have_is_pointed_at() -> None:
    problem = explain(r'["a\d"]')
    assert problem is not None
    assert (problem.offset, problem.message) == (3, r"invalid escape \d")


@pytest.mark.parametrize(
    "text",
    ["[" + "x" * 10_000 + "]", "{" + "9" * 10_000 + ": 1}", "[0" + "9" * 10_000 + "]", '{"' + "x" * 10_000 + '" 1}'],
)
def test_long_tokens_are_clipped(text: str) -> None:
    problem = explain(text)
    assert problem is not None
    assert len(problem.message) < 120
    assert len(problem.instead) < 120


@examples(200)
@given(st.text(alphabet="{}[]:,\"\\/* \n0129eE+-.truefalsn#'=;@é\u00a0"))
def test_explains_any_text(text: str) -> None:
    problem = explain(text)
    if problem is not None:
        assert 0 <= problem.offset <= len(text)
        assert problem.message
        assert problem.instead
