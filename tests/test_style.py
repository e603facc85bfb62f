"""The rules of ``tests.support.style``, which ``make lint`` applies."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.style import long_lines, problems, python_problems


def words(code: str) -> list[str]:
    """Return the problems in ``code``, without advice."""
    return [problem.partition(":")[0] for _, problem in python_problems(code)]


@pytest.mark.parametrize(
    "code",
    [
        "[*(1, 2), 3]",
        "f(*[1, 2])",
        "{*{1, 2}}",
        "f(**{'name': 1})",
        "{**{'name': 1}, 'other': 2}",
    ],
)
def test_an_unpacked_literal_is_a_problem(code: str) -> None:
    assert words(code) == ["unpacked literal"]


@pytest.mark.parametrize("code", ["[*names, 1]", "{**options}", "f(*names)", "f(**{'class': 1})", "f(**{name: 1})"])
def test_unpacking_without_a_shorter_form_is_not_a_problem(code: str) -> None:
    assert words(code) == []


@pytest.mark.parametrize(
    "code",
    [
        "'s' * several",
        "several * 's'",
        "'s' * (count != 1)",
        "'s' * bool(texts)",
        "'s' * text.startswith('a')",
        "'s' * (not text)",
        "f'{a}' * self.flexible",
        "'s' * True",
    ],
)
def test_text_multiplied_by_a_flag_is_a_problem(code: str) -> None:
    assert words(code) == ["text multiplied by a flag"]


@pytest.mark.parametrize(
    "code", ["'-' * 80", "' ' * len(text)", "' ' * (end - start)", "' ' * part.depth", "'[' * MAX_DEPTH", "b'a' * wide"]
)
def test_text_repeated_by_a_number_is_not_a_problem(code: str) -> None:
    assert words(code) == []


def test_a_conditional_expression_inside_another_one_is_a_problem() -> None:
    assert words("x = 1 if a else (2 if b else 3)") == ["conditional expression inside another one"]
    assert words("x = 1 if a else f(lambda: 2 if b else 3)") == ["conditional expression inside another one"]


def test_two_conditional_expressions_on_a_line_are_a_problem() -> None:
    assert words("x = f(1 if a else 2, 3 if b else 4)") == ["two conditional expressions on a line"]
    assert words("x = f(\n    1 if a else 2,\n    3 if b else 4,\n)") == []


def test_problems_have_line_numbers() -> None:
    assert [line for line, _ in python_problems("a = 1\n\nb = 's' * flag\n")] == [3]
    assert list(long_lines(f"{'a' * 120}\n{'b' * 121}\n")) == [(2, "line too long (121 > 120)")]


def test_all_tracked_files_except_generated_files_are_checked(tmp_path: Path) -> None:
    for name in ("a.py", "generated/b.py", "untracked.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("[*(1, 2)]\n")
    (tmp_path / "A.java").write_text(f"// {'a' * 120}\n")
    for command in (["init", "--quiet"], ["add", "a.py", "A.java", "generated"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    assert list(problems(tmp_path)) == [
        "A.java:1: line too long (123 > 120)",
        "a.py:1: unpacked literal: write its elements, one a line",
    ]
