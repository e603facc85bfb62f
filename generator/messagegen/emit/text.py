"""Lines of Python: names, indentation, and long lines broken as black breaks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from messagegen.plan import ops
from messagegen.plan.text import codec_text

LINE_LENGTH: Final = 120
_INDENT: Final = "    "


def layout_name(plan: ops.MessagePlan, layout: int) -> str:
    """The common part of the names of a layout's functions: its class and the lowest version that uses it."""
    body = plan.layouts[layout]
    return f"{plan.structs[body.struct].class_name}_v{body.versions[0].lowest}"


def charge_name(plan: ops.MessagePlan, element: ops.ElementCodec) -> str:
    """The constant with the charge of an array's elements."""
    if isinstance(element, ops.StructCodec):
        return f"_CHARGE_{layout_name(plan, element.layout)}"
    return f"_CHARGE_{codec_text(element)}"


def tag_charge_name(plan: ops.MessagePlan, layout: int) -> str:
    """The constant with the charge of a field in a layout's tag section. Sections without known fields share one."""
    return f"_CHARGE_{layout_name(plan, layout)}_tag" if plan.layouts[layout].tagged else "_CHARGE_unknown_tag"


def format_name(letters: str) -> str:
    """The name of a ``struct`` format: its letters, with ``t`` for bools and ``u`` for uuids."""
    return letters.replace("?", "t").replace("16s", "u")


def format_letters(name: str) -> str:
    """The ``struct`` format of a name."""
    return name.replace("t", "?").replace("u", "16s")


def length_letter(codec: ops.Codec) -> str:
    """The ``struct`` letter of the length of a value, which fields of constant size before it may be read with; empty if there is none."""
    match codec:
        case ops.VariableCodec(kind, compact):
            return "B" if compact else "h" if kind == "string" else "i"
        case ops.ArrayCodec(ops.FixedCodec() as element, compact) if element.primitive.is_number:
            return "B" if compact else "i"
        case _:
            return ""


def plus(base: str, number: int) -> str:
    """``pos + 1``, ``pos - 1``, or ``pos`` itself."""
    return f"{base} {'+' if number > 0 else '-'} {abs(number)}" if number else base


def indented(lines: Iterable[str], steps: int = 1) -> list[str]:
    """The lines, further to the right."""
    return [f"{_INDENT * steps}{line}" if line else "" for line in lines]


def bracketed(head: str, items: Sequence[str], tail: str, *, one_a_line: bool = False) -> list[str]:
    """``head``, items and ``tail``: on one line, with the items on a line of their own, or with one item a line."""
    inside = ", ".join(items)
    if len(head) + len(inside) + len(tail) <= LINE_LENGTH:
        return [f"{head}{inside}{tail}"]
    indent = head[: len(head) - len(head.lstrip())]
    if len(indent) + len(_INDENT) + len(inside) <= LINE_LENGTH and not one_a_line:
        return [head, f"{indent}{_INDENT}{inside}", f"{indent}{tail}"]
    return [head, *(f"{indent}{_INDENT}{item}," for item in items), f"{indent}{tail}"]


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


def call(head: str, arguments: Sequence[str]) -> list[str]:
    """A call; ``broken`` breaks it if it is too long."""
    return [f"{head}{', '.join(arguments)})"]


def assigned(targets: Sequence[str], value: str) -> list[str]:
    """An assignment of a tuple to its targets."""
    return [f"{', '.join(targets)} = {value}" if targets[1:] else f"({targets[0]},) = {value}"]


def import_from(module: str, names: Sequence[str], indent: str = "") -> list[str]:
    """Imports of names, as many on a line as fit."""
    start = f"{indent}from {module} import "
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) + 2 <= LINE_LENGTH:
            lines[-1] += f", {name}"
        else:
            lines.append(f"{start}{name}")
    broken_up = (bracketed(f"{start}(", [line.removeprefix(start)], ")", one_a_line=True) for line in lines)
    return [
        line
        for one, more in zip(lines, broken_up, strict=True)
        for line in ([one] if len(one) <= LINE_LENGTH else more)
    ]


def definition(name: str, parameters: Sequence[str], returns: str, body: Iterable[str]) -> str:
    """A function."""
    lines = bracketed(f"def {name}(", parameters, f") -> {returns}:")
    return "\n".join([*lines, *(line for each in indented(body) for line in broken(each))])


def broken(line: str) -> list[str]:
    """A line, or several if it is too long: broken in its last call, around its choice, or the tuple that it assigns to."""
    if len(line) <= LINE_LENGTH:
        return [line]
    code = line.lstrip()
    indent = line[: len(line) - len(code)]
    targets, assigns, value = code.partition(" = ")
    if assigns and len(value) + len(indent) + 4 <= LINE_LENGTH and ", " in targets:
        return [
            f"{indent}(",
            *(f"{indent}{_INDENT}{target}," for target in targets.split(", ")),
            f"{indent}) = {value}",
        ]
    if assigns and " else " in value:
        return [f"{indent}{targets} = (", f"{indent}{_INDENT}{value}", f"{indent})"]
    if code.endswith(")") and "(" in code:
        start = _opening(code)
        return bracketed(f"{indent}{code[: start + 1]}", _arguments(code[start + 1 : -1]), ")")
    return [line]


def _arguments(code: str) -> list[str]:
    """The arguments of a call, which commas separate outside of brackets."""
    arguments, depth, start = list[str](), 0, 0
    for place, char in enumerate(f"{code}, "):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(char, 0)
        if char == "," and not depth:
            arguments.append(code[start:place])
            start = place + 2
    return arguments


def _opening(code: str) -> int:
    """The bracket that the last one closes."""
    depth = 0
    for place in range(len(code) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(code[place], 0)
        if not depth:
            return place
    return code.index("(")
