"""A few constructions that always have a plainer form. ``python -m tests.support.english`` prints where they occur.

The list is short on purpose. A reader finds the other problems, and a rule that is sometimes wrong would be evaded.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import click

from tests.support.style import NOT_CHECKED, ROOT

SKIPPED: Final = (*NOT_CHECKED, "message_specs/", "tests/support/english.py", "tests/test_english.py")
"""Files that programs or Apache have written, and files that contain the constructions as examples."""

SUFFIXES: Final = (".py", ".pyi", ".md", ".j2", ".toml", ".yml", ".mk", ".rs", ".java")
_ONLY_COMMENTS: Final = (".rs", ".java")


class Construction(NamedTuple):
    """A pattern to avoid, and the advice for it."""

    pattern: re.Pattern[str]
    instead: str


ANYWHERE: Final = (
    Construction(
        re.compile(r"(?<![\"'=])\b[Nn]obody\b|(?<![\"'=])\b[Ss]omebody\b|\b[Aa]nybody\b|\b[Ww]hoever\b"),
        'name the person or program: "No client writes", not "Nobody writes"',
    ),
    Construction(re.compile(r"\bany more\b"), 'write "no longer": "a message that no longer has a spec"'),
    Construction(re.compile(r"\b[Ii]n vain\b"), 'name the result: "waits without an answer"'),
    Construction(re.compile(r"\b[Tt]hereby\b"), 'write "so"'),
    Construction(re.compile(r"\bdear(er|est)\b"), 'write "more expensive" or "most expensive"'),
    Construction(
        re.compile(r"\bthat (is|are) (not )?there\b|\b(is|are) not there\b"),
        'write "existing", "installed" or "missing": "missing files are not written"',
    ),
    Construction(
        re.compile(r"\b[Tt]hose (that|which|whose)\b|\bthat of (which|those)\b"),
        'repeat the noun: "the fields that differ", not "those that differ"',
    ),
)
"""Constructions that are wrong in any line of text."""

IN_DOCSTRINGS: Final = (
    Construction(
        re.compile(r"(What|That|How|Where|Why|Which|Whose)\b(?!.*\?)"),
        'begin with a verb or noun: "Return the end of the batch", not "Where the batch ends"',
    ),
    Construction(
        re.compile(r"(Says|Tells|Gives|Puts|Takes back) (it|them|this)\b"),
        'begin with a verb in the imperative: "Print the error"',
    ),
)
"""Constructions that are wrong at the start of a docstring."""

IN_TEST_NAMES: Final = (
    Construction(
        re.compile(r"\b(say|says|said|tell|tells|told)\b"),
        'code prints, returns, raises or contains: "the_error_names_the_field", not "the_error_says_which"',
    ),
    Construction(
        re.compile(r"^what |\b(is|are) (none|asked for)\b"),
        'write subject, verb, object: "unreadable_rows_are_counted", not "what_cannot_be_read_is_counted"',
    ),
)
"""Constructions that are wrong in a test name, after its underscores are replaced with blanks."""


def line_problems(text: str, *, only_comments: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the line number and a description of each problem in any text, or only in comments after ``//``."""
    for number, line in enumerate(text.splitlines(), 1):
        checked = line.partition("//")[2] if only_comments and not line.lstrip().startswith("*") else line
        for problem in _found(ANYWHERE, checked):
            yield number, problem


def python_problems(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and a description of each problem in docstrings and test names."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(docstring))):
                for construction in IN_DOCSTRINGS:
                    if construction.pattern.match(docstring.lstrip().partition("\n")[0]):
                        yield node.lineno, f'"{docstring.split()[0]}" begins a docstring: {construction.instead}'
            case ast.FunctionDef(name=name) if name.startswith("test_"):
                for problem in _found(IN_TEST_NAMES, name.removeprefix("test_").replace("_", " ")):
                    yield node.lineno, problem


def _found(constructions: tuple[Construction, ...], text: str) -> Iterator[str]:
    for construction in constructions:
        match = construction.pattern.search(text)
        if match is not None:
            yield f'"{match[0].strip()}": {construction.instead}'


def problems(root: Path = ROOT) -> Iterator[str]:
    """Yield the problems in all tracked files of a repository, each as a line."""
    tracked = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout
    for name in tracked.splitlines():
        if not name.endswith(SUFFIXES) or name.startswith(SKIPPED):
            continue
        text = (root / name).read_text(encoding="utf-8")
        found = [*line_problems(text, only_comments=name.endswith(_ONLY_COMMENTS))]
        if name.endswith((".py", ".pyi")):
            found += python_problems(text)
        for line, problem in sorted(found):
            yield f"{name}:{line}: {problem}"


def main() -> None:
    """Print the problems, and exit with status 1 if any were found."""
    found = list(problems())
    for problem in found:
        click.echo(problem)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
