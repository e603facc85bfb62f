"""Lines of Python with their indentation; long lines are broken as black breaks them.

Only lines whose parts are known when they are added are broken here: calls, brackets, unpacked tuples, conditions. All
other long lines need black, which is slower than everything else, so no message of Kafka should have any.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from messagegen.emit.literals import tuple_literal

LINE_LENGTH: Final = 120
_INDENT: Final = "    "


class Code:
    """Lines of Python. The lines that are added inside ``with code.block(...)`` are the body of that block."""

    def __init__(self, indent: str = "") -> None:
        self.lines: list[str] = []
        self._indent = indent

    def __enter__(self) -> Self:
        self._indent += _INDENT
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._indent = self._indent.removesuffix(_INDENT)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def line(self, text: str) -> None:
        """Add a line as it is."""
        self.lines.append(f"{self._indent}{text}")

    def blank(self, count: int = 1) -> None:
        """Add empty lines."""
        self.lines.extend([""] * count)

    def block(self, head: str) -> Self:
        """Add the first line of a block."""
        self.line(head)
        return self

    def function(self, name: str, parameters: Sequence[str], returns: str) -> Self:
        """Add the head of a function, two lines after the previous one."""
        if self.lines:
            self.blank(2)
        self.bracketed(f"def {name}(", parameters, f") -> {returns}:")
        return self

    def bracketed(self, head: str, items: Sequence[str], tail: str) -> None:
        """Add ``head``, items and ``tail``: on one line, with the items on a line of their own, or one item a line."""
        inside = ", ".join(items)
        if self._fits(f"{head}{inside}{tail}"):
            self.line(f"{head}{inside}{tail}")
        elif self._fits(f"{_INDENT}{inside}"):
            self.line(head)
            self.line(f"{_INDENT}{inside}")
            self.line(tail)
        else:
            self.one_a_line(head, items, tail)

    def listed(self, head: str, items: Sequence[str], tail: str) -> None:
        """Add ``head``, items and ``tail``: on one line, or with one item a line."""
        together = f"{head}{', '.join(items)}{tail}"
        if self._fits(together):
            self.line(together)
        else:
            self.one_a_line(head, items, tail)

    def tuple(self, items: Sequence[str], tail: str) -> None:
        """Add a tuple and ``tail``: on one line, or with one item a line."""
        together = f"{tuple_literal(items)}{tail}"
        if self._fits(together):
            self.line(together)
        else:
            self.one_a_line("(", items, f"){tail}")

    def one_a_line(self, head: str, items: Sequence[str], tail: str) -> None:
        """Add ``head``, items and ``tail`` with one item a line."""
        self.line(head)
        for item in items:
            self.line(f"{_INDENT}{item},")
        self.line(tail)

    def unpack(self, targets: Sequence[str], value: str) -> None:
        """Add the assignment of a tuple to its targets."""
        together = ", ".join(targets) if len(targets) > 1 else f"({targets[0]},)"
        if self._fits(f"{together} = {value}"):
            self.line(f"{together} = {value}")
        else:
            self.one_a_line("(", targets, f") = {value}")

    def choose(self, target: str, condition: str, value: str, otherwise: str) -> None:
        """Add the assignment of a value if a condition is true, and of another one if it is not."""
        choice = f"{value} if {condition} else {otherwise}"
        if self._fits(f"{target} = {choice}"):
            self.line(f"{target} = {choice}")
        else:
            self.line(f"{target} = (")
            self.line(f"{_INDENT}{choice}")
            self.line(")")

    def if_any(self, conditions: Sequence[str]) -> Self:
        """Add the first lines of a block that is executed if any condition is true."""
        together = f"if {' or '.join(conditions)}:"
        if len(conditions) == 1 or self._fits(together):
            return self.block(together)
        first, *others = conditions
        self.line("if (")
        self.line(f"{_INDENT}{first}")
        for condition in others:
            self.line(f"{_INDENT}or {condition}")
        return self.block("):")

    def imported(self, module: str, names: Sequence[str]) -> None:
        """Add an import of names, on one line or with one name a line."""
        statement = f"from {module} import {', '.join(names)}"
        if self._fits(statement):
            self.line(statement)
        else:
            self.one_a_line(f"from {module} import (", names, ")")

    def _fits(self, text: str) -> bool:
        return len(self._indent) + len(text) <= LINE_LENGTH
