"""Lines of Python: names, indentation, and long lines broken as black breaks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from messagegen.plan.ops import MessagePlan

LINE_LENGTH: Final = 120
_DEEP: Final = LINE_LENGTH - 16
"""The length of lines in functions, before most of their indentation."""
_INDENT: Final = "    "


def layout_name(plan: MessagePlan, layout: int) -> str:
    """The common part of the names of a layout's functions: its class and the lowest version that uses it."""
    body = plan.layouts[layout]
    return f"{plan.structs[body.struct].class_name}_v{body.versions[0].lowest}"


def format_name(letters: str) -> str:
    """The name of a ``struct`` format: its letters, with ``t`` for bools and ``u`` for uuids."""
    return letters.replace("?", "t").replace("16s", "u")


def format_letters(name: str) -> str:
    """The ``struct`` format of a name."""
    return name.replace("t", "?").replace("u", "16s")


def plus(base: str, number: int) -> str:
    """``pos + 1``, ``pos - 1``, or ``pos`` itself."""
    return f"{base} {'+' if number > 0 else '-'} {abs(number)}" if number else base


def indented(lines: Iterable[str], steps: int = 1) -> list[str]:
    """The lines, further to the right."""
    return [f"{_INDENT * steps}{line}" if line else "" for line in lines]


def bracketed(
    head: str, items: Sequence[str], tail: str, *, one_a_line: bool = False, length: int = LINE_LENGTH
) -> list[str]:
    """``head``, items and ``tail``: on one line, with the items on a line of their own, or with one item a line."""
    inside = ", ".join(items)
    if len(head) + len(inside) + len(tail) <= length:
        return [f"{head}{inside}{tail}"]
    indent = head[: len(head) - len(head.lstrip())]
    if len(indent) + len(_INDENT) + len(inside) <= length and not one_a_line:
        return [head, f"{indent}{_INDENT}{inside}", f"{indent}{tail}"]
    return [head, *(f"{indent}{_INDENT}{item}," for item in items), f"{indent}{tail}"]


def call(head: str, arguments: Sequence[str]) -> list[str]:
    """A call in a function, whose lines fit wherever it is."""
    return bracketed(head, arguments, ")", length=_DEEP)


def assigned(targets: Sequence[str], value: str) -> list[str]:
    """An assignment of a tuple to its targets, in a function."""
    line = f"{', '.join(targets)} = {value}" if targets[1:] else f"({targets[0]},) = {value}"
    return [line] if len(line) <= _DEEP else ["(", *(f"{_INDENT}{target}," for target in targets), f") = {value}"]


def refused(conditions: Sequence[str]) -> Iterator[str]:
    """Raises if any of the conditions is true, with as many on a line as fit in a loop."""
    line = ""
    for condition in conditions:
        joined = f"{line} or {condition}" if line else condition
        if line and len(joined) + len("        if :") > LINE_LENGTH:
            yield from (f"if {line}:", "    raise _wire.CodecFailure")
            joined = condition
        line = joined
    if line:
        yield from (f"if {line}:", "    raise _wire.CodecFailure")


def import_from(module: str, names: Sequence[str], indent: str = "") -> list[str]:
    """An import of names."""
    inside = ", ".join(names)
    if len(module) + len(inside) + len(indent) + len("from  import ") <= LINE_LENGTH:
        return [f"{indent}from {module} import {inside}"]
    return bracketed(f"{indent}from {module} import (", names, ")")


def definition(name: str, parameters: Sequence[str], returns: str, body: Iterable[str]) -> str:
    """A function."""
    lines = bracketed(f"def {name}(", parameters, f") -> {returns}:")
    return "\n".join([*lines, *indented(body)])
