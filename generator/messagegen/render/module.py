"""Prints modules; the text is valid Python, close to black's form."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen.lower import Module
from messagegen.lower.imports import Import
from messagegen.lower.literals import docstring, text_literal
from messagegen.render.classes import class_lines
from messagegen.render.functions import function_lines
from messagegen.render.printer import Lines
from messagegen.render.templates import template


def render_message(module: Module) -> str:
    """The module of a message."""
    return template("python", "module.py.j2").render(
        name=module.name,
        class_name=module.public[0],
        docstring=docstring(module.about, 0),
        standard_imports=_imports(module.standard_imports),
        runtime_imports=_imports(module.runtime_imports),
        types=_types(module),
        public=_collection("__all__ = [", [text_literal(name) for name in module.public], "]"),
        constants=_constants(module),
        classes="\n\n\n".join("\n".join(class_lines(one)) for one in module.classes),
        functions="\n\n\n".join("\n".join(function_lines(one)) for one in module.functions),
        plan=module.plan.replace("\\", "\\\\").replace('"""', '\\"\\"\\"'),
        readers=module.readers,
        writers=module.writers,
        listed=_collection("classes=(", module.public, "),", "    "),
        own=module.own,
        small=module.small,
    )


def _imports(imports: Sequence[Import]) -> list[str]:
    to = Lines()
    for import_ in imports:
        if import_.names:
            to.import_from(import_.module, [f"{name} as {alias}" for name, alias in import_.names])
        else:
            to.add(f"import {import_.module} as _{import_.module}")
    return to.lines


def _constants(module: Module) -> list[str]:
    """The constants, with the blank line that separates them from the classes."""
    lines = [f"{constant.name} = {constant.value}" for constant in module.constants]
    return [*lines, ""] if lines else []


def _types(module: Module) -> list[str]:
    """The imports that only type checkers need."""
    to = Lines()
    to.indent = "    "
    if module.partner:
        to.import_from(f".{module.partner.module}", [f"{module.partner.class_name} as _Partner"])
        to.lines.append("")
    to.import_from("._runtime.limits", ["Allowance as _Allowance"])
    return to.lines


def _collection(head: str, items: Sequence[str], tail: str, indent: str = "") -> list[str]:
    to = Lines()
    to.indent = indent
    if len(items) == 1 and head.endswith("("):
        to.add(f"{head}{items[0]},{tail}")
    else:
        to.bracketed(head, items, tail, one_a_line=True)
    return to.lines
