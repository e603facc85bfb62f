"""Style rules that neither ruff nor rustfmt has. ``python -m tests.support.style`` prints the problems."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from keyword import iskeyword
from pathlib import Path
from typing import Final

import click

ROOT: Final = Path(__file__).resolve().parents[2]

LINE_LENGTH: Final = 120
"""The maximum length of a line in Rust and Java; ruff checks Python (E501)."""

NOT_CHECKED: Final = ("generated/", "tests/golden/", "tests/fixtures/")
"""Folders whose files a program writes."""

_COUNT: Final = re.compile(r"[A-Z_]+|(\w+_)?(count|depth|indent|number|size|width)s?")
"""Names of numbers that may multiply a string. Other names are taken for flags."""


def python_problems(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and a description of each problem in Python code."""
    tree = ast.parse(text)
    conditionals = [node for node in ast.walk(tree) if isinstance(node, ast.IfExp)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Starred) and isinstance(node.value, ast.List | ast.Set | ast.Tuple):
            yield node.lineno, "unpacked literal: write its elements, one a line"
        elif isinstance(node, ast.Dict) and None in node.keys and any(map(_is_unpacked_dict, node.keys, node.values)):
            yield node.lineno, "unpacked literal: write its items, one a line"
        elif isinstance(node, ast.Call) and any(_is_unpacked_dict(each.arg, each.value) for each in node.keywords):
            yield node.lineno, "unpacked literal: write keyword arguments"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _multiplies_text_by_flag(node):
            yield node.lineno, "text multiplied by a flag: use a condition, or name the number (count, width)"
    yield from _crowded_conditionals(conditionals)


def _is_unpacked_dict(key: object, value: ast.expr) -> bool:
    """Whether ``**`` is followed by a dict literal that could be written as keyword arguments or items instead."""
    return key is None and isinstance(value, ast.Dict) and all(map(_is_name, value.keys))


def _is_name(key: ast.expr | None) -> bool:
    name = key.value if isinstance(key, ast.Constant) else None
    return isinstance(name, str) and name.isidentifier() and not iskeyword(name)


def _multiplies_text_by_flag(product: ast.BinOp) -> bool:
    for text, factor in ((product.left, product.right), (product.right, product.left)):
        if isinstance(text, ast.JoinedStr) or (isinstance(text, ast.Constant) and isinstance(text.value, str)):
            return not _is_number(factor)
    return False


def _is_number(factor: ast.expr) -> bool:
    match factor:
        case ast.Constant(value=value):
            return isinstance(value, int) and not isinstance(value, bool)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _COUNT.fullmatch(name) is not None
        case ast.Call(func=ast.Name(id=name)):
            return name in {"int", "len", "max", "min"}
        case ast.BinOp(op=ast.Mult()):
            return _is_number(factor.left) and _is_number(factor.right)
        case _:
            return isinstance(factor, ast.BinOp)


def _crowded_conditionals(conditionals: list[ast.IfExp]) -> Iterator[tuple[int, str]]:
    for outer in conditionals:
        if any(isinstance(node, ast.IfExp) and node is not outer for node in ast.walk(outer)):
            yield outer.lineno, "conditional expression inside another one: use a statement or a function"
    inner_first = sorted(conditionals, key=lambda each: (each.lineno, each.col_offset))
    for first, second in pairwise(inner_first):
        after = (first.end_lineno, first.end_col_offset) <= (second.lineno, second.col_offset)
        if after and first.end_lineno == second.lineno:
            yield second.lineno, "two conditional expressions on a line: name one of the values"


def long_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and a description of each line that is too long."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LINE_LENGTH:
            yield number, f"line too long ({len(line)} > {LINE_LENGTH})"


_CHECKS: Final = {".py": python_problems, ".rs": long_lines, ".java": long_lines}


def problems(root: Path = ROOT) -> Iterator[str]:
    """Yield the problems in all tracked files of a repository, each as a line."""
    tracked = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout
    for name in tracked.splitlines():
        check = _CHECKS.get(Path(name).suffix)
        if check is not None and not name.startswith(NOT_CHECKED):
            for line, problem in check((root / name).read_text(encoding="utf-8")):
                yield f"{name}:{line}: {problem}"


def main() -> None:
    """Print the problems, and exit with status 1 if any were found."""
    found = list(problems())
    for problem in found:
        click.echo(problem)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
