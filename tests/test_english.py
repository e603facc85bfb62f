"""The rules of ``tests.support.english``, which ``make lint`` applies."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.english import line_problems, problems, python_problems


@pytest.mark.parametrize(
    "line",
    [
        "Nobody writes to it.",
        "It belongs to whoever owns it.",
        "a message that has no spec any more",
        "The client waits in vain.",
        "and thereby closes it",
        "the dearest value",
        "files that are not there",
        "The library is not there.",
        "It writes those that differ.",
    ],
)
def test_a_forbidden_construction_is_a_problem_in_any_text(line: str) -> None:
    ((number, problem),) = line_problems(f"fine\n{line}\n")
    assert number == 2
    assert problem.startswith('"')
    assert any(quoted in line for quoted in [problem.split('"')[1]])


@pytest.mark.parametrize(
    "line",
    ["user=nobody", 'group = "nobody"', "a message that no longer has a spec", "Is anything there?", "those fields"],
)
def test_similar_text_is_not_a_problem(line: str) -> None:
    assert list(line_problems(line)) == []


def test_strings_of_rust_and_java_are_not_checked() -> None:
    text = 'fail("it is not there"); // It is not there.\n * It is not there.\nfail("it is not there");\n'
    assert [line for line, _ in line_problems(text, only_comments=True)] == [1, 2]


@pytest.mark.parametrize("start", ["What a byte means.", "Where the batch ends.", "Says it, and ends."])
def test_docstrings_must_not_begin_with_a_question_word(start: str) -> None:
    assert len(list(python_problems(f'def f():\n    """{start}"""\n'))) == 1
    assert len(list(python_problems(f'LIMIT = 5\n"""{start}"""\n'))) == 1
    assert list(python_problems(f'def f():\n    """Return it.\n\n    {start}\n    """\n')) == []


def test_docstrings_may_contain_a_question() -> None:
    assert list(python_problems('"""Which versions are stable? The page lists them."""')) == []


@pytest.mark.parametrize("name", ["the_error_says_why", "what_cannot_be_read_is_counted", "a_table_that_is_none"])
def test_names_of_tests_must_have_a_subject_and_a_verb(name: str) -> None:
    assert len(list(python_problems(f"def test_{name}(): pass"))) == 1
    assert list(python_problems(f"def {name}(): pass")) == []


def test_all_tracked_text_except_generated_files_is_checked(tmp_path: Path) -> None:
    for name in ("a.py", "b.md", "generated/c.py", "message_specs/d.md", "e.bin", "untracked.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('"""Why nobody writes."""\n')
    names = ["a.py", "b.md", "generated", "message_specs", "e.bin"]
    for command in (["init", "--quiet"], ["add", *names]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    assert [found.partition(" ")[0] for found in problems(tmp_path)] == ["a.py:1:", "a.py:1:", "b.md:1:"]
