"""What all operations are printed with: lines at an indentation, long ones broken as black would, and blocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Final

from messagegen.lower.ops import Block, Op

LINE_LENGTH: Final = 120
_INDENT: Final = "    "


class Lines:
    """Lines of Python; ``out`` is the name of the bytes that are written to."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.indent = ""
        self.out = "w"

    def add(self, *lines: str) -> None:
        """Adds lines at the indentation."""
        self.lines.extend([self.indent + line for line in lines])

    def block(self, block: Block, *, steps: int = 1) -> None:
        """Adds what a block does, so many steps further in."""
        outside = self.indent
        self.indent += _INDENT * steps
        for op in block:
            print_op(op, self)
        self.indent = outside

    def bracketed(self, head: str, items: Sequence[str], tail: str, *, one_a_line: bool = False) -> None:
        """Adds ``head``, items and ``tail``: in a line, with the items in one of their own, or one by one."""
        inside = ", ".join(items)
        width = LINE_LENGTH - len(self.indent)
        if len(head) + len(inside) + len(tail) <= width:
            self.add(f"{head}{inside}{tail}")
        elif len(_INDENT) + len(inside) <= width and not one_a_line:
            self.add(head, _INDENT + inside, tail)
        else:
            self.add(head, *(f"{_INDENT}{item}," for item in items), tail)

    def import_from(self, module: str, names: Sequence[str]) -> None:
        """Adds an import of names."""
        line = f"from {module} import {', '.join(names)}"
        if len(self.indent) + len(line) <= LINE_LENGTH:
            self.add(line)
        else:
            self.add(f"from {module} import (", *(f"{_INDENT}{name}," for name in names), ")")

    def assign(self, targets: Sequence[str], value: str) -> None:
        """Unpacks a value into targets."""
        if len(targets) == 1:
            self.add(f"({targets[0]},) = {value}")
            return
        line = f"{', '.join(targets)} = {value}"
        if len(self.indent) + len(line) <= LINE_LENGTH:
            self.add(line)
        else:
            self.bracketed("(", targets, f") = {value}", one_a_line=True)


@singledispatch
def print_op(op: Op, to: Lines) -> None:
    """Adds the lines of an operation."""
    raise AssertionError(f"nothing prints {op} with {to.out}")


def sum_of(base: str, number: int) -> str:
    """``p + 1``, ``p - 1``, or ``p`` itself."""
    return f"{base} {'+' if number > 0 else '-'} {abs(number)}" if number else base
