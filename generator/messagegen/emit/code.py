"""Lines of Python with their indentation, in black's form.

Black changes nothing in them. Lines that do not depend on a spec's names fit. The others have one of a few forms,
which put one item a line if they do not fit: lists in brackets, and assignments.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from messagegen.emit.literals import LINE_LENGTH, tuple_literal

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
        self.listed(f"def {name}(", parameters, f") -> {returns}:")
        return self

    def listed(self, head: str, items: Sequence[str], tail: str) -> None:
        """Add ``head``, which ends with a bracket, items and ``tail``: on one line, or with one item a line."""
        together = f"{head}{', '.join(items)}{tail}"
        if self._fits(together):
            self.line(together)
        else:
            self.one_a_line(head, items, tail)

    def tuple(self, head: str, items: Sequence[str], tail: str) -> None:
        """Add a tuple between ``head`` and ``tail``: on one line, or with one item a line."""
        together = f"{head}{tuple_literal(items)}{tail}"
        if not items or self._fits(together):
            self.line(together)
        else:
            self.one_a_line(f"{head}(", items, f"){tail}")

    def one_a_line(self, head: str, items: Sequence[str], tail: str) -> None:
        """Add ``head``, items and ``tail`` with one item a line."""
        self.line(head)
        for item in items:
            self.line(f"{_INDENT}{item},")
        self.line(tail)

    def assign(self, target: str, value: str) -> None:
        """Add the assignment of a name, an attribute or a short literal: on one line, or with the value on its own."""
        if self._fits(f"{target} = {value}"):
            self.line(f"{target} = {value}")
        else:
            self.parenthesized(f"{target} = ", [value])

    def literal(self, name: str, source: str, pieces: Sequence[str]) -> None:
        """Add the assignment of a literal: on one line, or with the pieces of a string on lines of their own."""
        if self._fits(f"{name} = {source}"):
            self.line(f"{name} = {source}")
        else:
            self.parenthesized(f"{name} = ", pieces)

    def parenthesized(self, head: str, lines: Sequence[str], tail: str = "") -> None:
        """Add ``lines`` in parentheses between ``head`` and ``tail``."""
        self.line(f"{head}(")
        for line in lines:
            self.line(f"{_INDENT}{line}")
        self.line(f"){tail}")

    def unpack(self, targets: Sequence[str], value: str) -> None:
        """Add the assignment of a tuple to its targets."""
        together = ", ".join(targets) if len(targets) > 1 else f"({targets[0]},)"
        if self._fits(f"{together} = {value}"):
            self.line(f"{together} = {value}")
        else:
            self.one_a_line("(", targets, f") = {value}")

    def imported(self, module: str, names: Sequence[str]) -> None:
        """Add an import of names, on one line or with one name a line."""
        statement = f"from {module} import {', '.join(names)}"
        if self._fits(statement):
            self.line(statement)
        else:
            self.one_a_line(f"from {module} import (", names, ")")

    def field(self, name: str, type_: str, default: str) -> None:
        """Add a field of a class; ``default`` has no brackets with anything in them.

        If it does not fit, a type of several words becomes a string, and the default or else the type gets a line.
        """
        if self._fits(f"{name}: {type_} = {default}"):
            self.line(f"{name}: {type_} = {default}")
            return
        type_ = type_ if type_.replace(".", "_").isidentifier() else f'"{type_}"'
        if self._fits(f"{name}: {type_} = ("):
            self.parenthesized(f"{name}: {type_} = ", [default])
        else:
            self.parenthesized(f"{name}: ", [type_], f" = {default}")

    def _fits(self, text: str) -> bool:
        return len(self._indent) + len(text) <= LINE_LENGTH
