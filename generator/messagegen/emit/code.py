"""Lines of Python with their indentation, in black's form.

Black changes nothing in them. Lines that do not depend on a spec's names are short enough. All others are lists in
brackets or assignments. If a list or assignment is too long for one line, each item or value gets its own line.

``Code`` has the forms for functions. A template shows the fixed parts of a line itself, so its view uses the functions
of this module. They return the value for the line, with line breaks if it does not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from messagegen.emit.literals import LINE_LENGTH, tuple_literal

_INDENT: Final = "    "


def listed_items(head: str, items: Sequence[str], tail: str, indent: str = "") -> str:
    """Return the items between ``head`` and ``tail``: on one line, or with one item a line.

    ``head`` ends with a bracket. ``indent`` is the indentation of the line.
    """
    together = ", ".join(items)
    return together if _fits(f"{indent}{head}{together}{tail}") else _one_a_line(items, indent)


def tuple_source(head: str, items: Sequence[str], tail: str, indent: str = "") -> str:
    """Return the tuple between ``head`` and ``tail``: on one line, or with one item a line."""
    together = tuple_literal(items)
    if not items or _fits(f"{indent}{head}{together}{tail}"):
        return together
    return f"({_one_a_line(items, indent)})"


def imported_names(module: str, names: Sequence[str], indent: str = "") -> str:
    """Return the names after ``from MODULE import``: on one line, or with one name a line in parentheses."""
    together = ", ".join(names)
    if _fits(f"{indent}from {module} import {together}"):
        return together
    return f"({_one_a_line(names, indent)})"


def assigned_value(target: str, value: str, indent: str = "") -> str:
    """Return a name, an attribute or a short literal after ``TARGET = ``, in parentheses if it does not fit."""
    return value if _fits(f"{indent}{target} = {value}") else _parenthesized([value], indent)


def field_sources(name: str, type_: str, default: str, indent: str = "") -> tuple[str, str]:
    """Return the type and the default of a field for the line ``NAME: TYPE = DEFAULT``.

    All brackets in ``default`` are empty. If the line does not fit, a type of several words becomes a string, and the
    default, or else the type, gets its own line.
    """
    if _fits(f"{indent}{name}: {type_} = {default}"):
        return type_, default
    type_ = type_ if type_.replace(".", "_").isidentifier() else f'"{type_}"'
    if _fits(f"{indent}{name}: {type_} = ("):
        return type_, _parenthesized([default], indent)
    return _parenthesized([type_], indent), default


def _fits(line: str) -> bool:
    return len(line) <= LINE_LENGTH


def _one_a_line(items: Sequence[str], indent: str) -> str:
    """Return the text between two brackets, with each item on its own line."""
    lines = "".join(f"{indent}{_INDENT}{item},\n" for item in items)
    return f"\n{lines}{indent}"


def _parenthesized(parts: Sequence[str], indent: str) -> str:
    """Return the parts of a value in parentheses, with a line for each."""
    lines = "".join(f"{indent}{_INDENT}{part}\n" for part in parts)
    return f"(\n{lines}{indent})"


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
        """Add ``head``, ``items`` and ``tail``: on one line, or with one item a line. ``head`` ends with a bracket."""
        self.line(f"{head}{listed_items(head, items, tail, self._indent)}{tail}")

    def one_a_line(self, head: str, items: Sequence[str], tail: str) -> None:
        """Add ``head``, items and ``tail`` with one item a line."""
        self.line(f"{head}{_one_a_line(items, self._indent)}{tail}")

    def tuple(self, head: str, items: Sequence[str], tail: str) -> None:
        """Add a tuple between ``head`` and ``tail``: on one line, or with one item a line."""
        self.line(f"{head}{tuple_source(head, items, tail, self._indent)}{tail}")

    def assign(self, target: str, value: str) -> None:
        """Add ``TARGET = VALUE`` for a name, attribute or short literal. If it does not fit, break the line."""
        self.line(f"{target} = {assigned_value(target, value, self._indent)}")

    def literal(self, name: str, source: str, pieces: Sequence[str]) -> None:
        """Add ``NAME = SOURCE``; if this does not fit, each of the literal's ``pieces`` gets its own line."""
        together = f"{name} = {source}"
        if _fits(f"{self._indent}{together}"):
            self.line(together)
        else:
            self.line(f"{name} = {_parenthesized(pieces, self._indent)}")

    def unpack(self, targets: Sequence[str], value: str) -> None:
        """Add the assignment of a tuple to its targets."""
        together = ", ".join(targets) if len(targets) > 1 else f"({targets[0]},)"
        if _fits(f"{self._indent}{together} = {value}"):
            self.line(f"{together} = {value}")
        else:
            self.one_a_line("(", targets, f") = {value}")

    def imported(self, module: str, names: Sequence[str]) -> None:
        """Add an import of names, on one line or with one name a line."""
        self.line(f"from {module} import {imported_names(module, names, self._indent)}")
