"""What counts as a difference between two outputs."""

from __future__ import annotations

import pytest

from tests.oracle.compare_output import code_of, compare, compare_functions

BASE = '"""A."""\n\nclass A:\n    """About."""\n\n    x: int = 1\n    """One."""\n'


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        (BASE, "same"),
        (BASE.replace("One.", "Two."), "text"),
        (BASE.replace('    """About."""\n', ""), "text"),
        (BASE.replace("x: int = 1", "x: int = (1)  # one"), "text"),
        (BASE.replace("= 1", "= 2"), "code"),
        (BASE.replace("x:", "y:"), "code"),
    ],
)
def test_a_file_is_compared_as_bytes_and_as_code(other: str, kind: str) -> None:
    found = compare({"a.py": BASE}, {"a.py": other})
    assert getattr(found, kind) == ("a.py",)
    assert found.equal_code == (kind != "code")


def test_files_of_one_side_are_listed() -> None:
    found = compare({"a.py": "", "b.py": ""}, {"b.py": "", "c.py": ""})
    assert (found.only_before, found.same, found.only_after) == (("a.py",), ("b.py",), ("c.py",))
    assert not found.equal_code
    assert found.summary() == "1 same bytes, 1 only before, 1 only after"


def test_other_files_have_no_code() -> None:
    assert compare({"MANIFEST.json": "{}"}, {"MANIFEST.json": "[]"}).code == ("MANIFEST.json",)


def test_a_body_of_docstrings_alone_stays_a_body() -> None:
    assert code_of('class A:\n    """About."""\n') == "class A:\n    pass"


def test_functions_are_compared_without_local_names() -> None:
    before = "def f(a):\n    b = g(a)\n    return b\n\ndef h():\n    pass\n"
    after = before.replace("b", "other").replace("(a)", "(one)")
    assert compare_functions(before, after) == (2, [])
    assert compare_functions(before, after.replace("g(", "k(")) == (1, ["f"])
    assert compare_functions(before, "") == (0, ["f", "h"])
