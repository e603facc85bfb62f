"""The printer for all operations: indented lines, wrapped the way black does, and blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial, singledispatch
from itertools import pairwise
from typing import Final

from messagegen.lower.ops import Block, Op

LINE_LENGTH: Final = 120
_INDENT: Final = "    "


class Lines:
    """Lines of Python; ``out`` is the name of the output buffer."""

    def __init__(self, indent: str = "") -> None:
        self.lines: list[str] = []
        self.indent = indent
        self.out = "out"

    def add(self, *lines: str) -> None:
        """Adds lines at the current indentation."""
        self.lines.extend([self.indent + line for line in lines])

    def block(self, block: Block, *, steps: int = 1) -> None:
        """Adds the operations of a block, indented by that many steps."""
        outside = self.indent
        self.indent += _INDENT * steps
        for op in block:
            print_op(op, self)
        self.indent = outside

    def call(self, line: str) -> None:
        """Adds a line that ends with a call; wraps long lines between the arguments."""
        if len(self.indent) + len(line) <= LINE_LENGTH or not line.endswith(")"):
            self.add(line)
            return
        depth, start = 1, len(line) - 1
        cuts = [start]
        while depth:
            start -= 1
            depth += {")": 1, "(": -1}.get(line[start], 0)
            if depth == 1 and line[start] == ",":
                cuts.insert(0, start)
        items = [line[cut + 1 : end].strip() for cut, end in pairwise([start, *cuts])]
        outside = self.indent
        self.indent += line[: len(line) - len(line.lstrip())]
        self.bracketed(line[: start + 1].lstrip(), items, ")")
        self.indent = outside

    def bracketed(self, head: str, items: Sequence[str], tail: str, *, one_a_line: bool = False) -> None:
        """Adds ``head``, items and ``tail``: on one line, with the items on a separate line, or with one item per line."""
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
            self.bracketed(f"from {module} import (", names, ")", one_a_line=True)

    def condition(self, parts: Sequence[str]) -> None:
        """Adds an ``if`` with a condition; ``parts`` can each have their own line."""
        line = f"if {' '.join(parts)}:"
        if len(self.indent) + len(line) <= LINE_LENGTH:
            self.add(line)
        else:
            self.add("if (", *(f"{_INDENT}{part}" for part in parts), "):")

    def assign(self, targets: Sequence[str], value: str) -> None:
        """Adds an assignment that unpacks a value into targets."""
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


def print_as(texts: Mapping[type[Op], str]) -> None:
    """Registers the texts of operations: ``{op.name}`` is a field, ``{out}`` the buffer, ``<name>`` alone on a line a block."""
    for kind, text in texts.items():
        print_op.register(kind, partial(_print_text, text.strip("\n").splitlines()))


def _print_text(lines: Sequence[str], op: Op, to: Lines) -> None:
    for line in lines:
        bare = line.lstrip()
        if bare.startswith("<"):
            to.block(getattr(op, bare[1:-1]), steps=(len(line) - len(bare)) // len(_INDENT))
        else:
            to.call(line.format(op=op, out=to.out))


def sum_of(base: str, number: int) -> str:
    """``pos + 1``, ``pos - 1``, or ``pos`` itself."""
    return f"{base} {'+' if number > 0 else '-'} {abs(number)}" if number else base
