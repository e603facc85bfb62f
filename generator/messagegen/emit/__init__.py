"""Plans to Python: the module of a message, in one step.

``reading.py`` and ``writing.py`` have the text of functions, ``classes.py`` that of classes. This module puts them together with what
they mention: imports and ``struct`` formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from messagegen.emit.classes import class_texts, summary
from messagegen.emit.literals import docstring, text_literal, tuple_literal
from messagegen.emit.reading import readers
from messagegen.emit.text import (
    LINE_LENGTH,
    bracketed,
    charge_name,
    format_letters,
    import_from,
    layout_name,
    tag_charge_name,
)
from messagegen.emit.writing import writers
from messagegen.plan import ops
from messagegen.plan.text import plan_text
from messagegen.templating import template

__all__ = ["module_text"]

_RUNTIME: Final = {
    "arrays": ("COUNTS", "default_of", "packers", "unpackers"),
    "base": ("Codec", "Message", "Struct", "dataclass"),
    "limits": ("Budget", "COPIED_ROWS", "SHORT_ARRAY"),
    "messages": ("KeyedMessage", "Request", "Response"),
    "uuids": ("ZERO_UUID", "uuid_bytes", "uuid_of"),
    "wire": ("Any", "NAN", "NOTHING", "Read", "TUPLE", "new", "utf8"),
}
"""What modules import by name from the runtime, in import order. They import whole modules for all that is not used for each value."""
_STANDARD: Final = {
    "_builtins": "import builtins as _builtins",
    "_Format": "from struct import Struct as _Format",
    "_UUID": "from uuid import UUID as _UUID",
}
_MODULES: Final = ("arrays", "uuids", "varints", "wire")
_METHODS: Final = {"unpack": "unpack_from", "pack": "pack", "rows": "iter_unpack"}
"""The methods of ``struct`` formats by the first part of a constant's name."""
_FEW_LINES: Final = 3
"""A call that is not longer has its arguments on one line."""
_TABLES: Final = ("unpackers", "packers")
"""The functions of the runtime that make a method for each length."""
_TEXT: Final = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', re.DOTALL)
"""Literals, in which texts of a spec may mention anything."""
_CONSTANT: Final = re.compile(rf"\b_({'|'.join([*_METHODS, *_TABLES])})_(\w+)")


def module_text(plan: ops.MessagePlan, runtime: str = "._runtime") -> str:
    """The module of a message; ``runtime`` is the package that it imports the runtime from."""
    classes = class_texts(plan)
    functions = list(_functions(plan))
    code = _TEXT.sub("", "\n".join([*classes, *functions, "_Codec"]))
    constants = [*_constants(code), *_charges(plan)]
    used = "\n".join([code, *constants])
    return template("python", "module.py.j2").render(
        name=plan.name,
        docstring=docstring(summary(plan), 0),
        imports=list(_imports(used, runtime)),
        public=bracketed("__all__ = [", [text_literal(one.class_name) for one in plan.structs], "]", one_a_line=True),
        constants=[*constants, ""] if constants else [],
        classes="\n\n\n".join(classes),
        arguments=[f"_args_{one.class_name} = ({one.class_name},)" for one in plan.structs],
        functions="\n\n\n".join(functions),
        plan=plan_text(plan).replace("\\", "\\\\").replace('"""', '\\"\\"\\"'),
        codec=list(_codec(plan)),
    )


def _functions(plan: ops.MessagePlan) -> Iterator[str]:
    single, arrays = ops.layout_uses(plan)
    for index in range(len(plan.layouts)):
        yield from readers(plan, index, single=index in single, array=index in arrays)
        yield from writers(plan, index, single=index in single, array=index in arrays)


def _constants(code: str) -> Iterator[str]:
    """The ``struct`` formats that code mentions."""
    kinds = [*_METHODS, *_TABLES]
    for kind, name in sorted(set(_CONSTANT.findall(code)), key=lambda pair: (kinds.index(pair[0]), pair[1])):
        letters = format_letters(name)
        made = f'_Format(">{letters}").{_METHODS[kind]}' if kind in _METHODS else f'_{kind}("{letters}")'
        yield f"_{kind}_{name} = {made}"


def _charges(plan: ops.MessagePlan) -> Iterator[str]:
    """The bytes of memory that elements of arrays and tagged fields take of the budget, as constants."""
    charges: dict[str, int] = {}
    for index, layout in enumerate(plan.layouts):
        for _, codec in ops.fields_on_wire(layout):
            if isinstance(codec, ops.ArrayCodec) and codec.charge:
                charges[charge_name(plan, codec.element)] = codec.charge
        if layout.flexible:
            charges[tag_charge_name(plan, index)] = layout.tag_charge
    for name, charge in sorted(charges.items()):
        yield f"{name} = {charge}"


def _imports(used: str, runtime: str) -> Iterator[str]:
    """The imports of the standard library, and of the runtime: its modules, and names that are used for each value."""
    standard = [line for name, line in _STANDARD.items() if _mentions(used, name)]
    yield from [*standard, ""] if standard else []
    if modules := [module for module in _MODULES if _mentions(used, rf"_{module}(?=\.)")]:
        yield from import_from(runtime, [f"{module} as _{module}" for module in modules])
    for module, names in _RUNTIME.items():
        if mentioned := [f"{name} as _{name}" for name in names if _mentions(used, f"_{name}")]:
            yield from import_from(f"{runtime}.{module}", mentioned)


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){name}(?!\w)", text) is not None


def _codec(plan: ops.MessagePlan) -> Iterator[str]:
    """The assignment of the codec: the versions of the message by layout, with the functions that read and write it, and its classes."""
    rows: list[list[str]] = []
    for layout in dict.fromkeys(root for _, root in plan.roots):
        name = layout_name(plan, layout)
        ranges = plan.layouts[layout].versions
        rows += [[str(each.lowest), str(each.highest), f"_decode_{name}", f"_encode_{name}"] for each in ranges]
    classes = [struct.class_name for struct in plan.structs]
    small = f"small={plan.small}"
    items = [f"[{', '.join(map(tuple_literal, rows))}]", tuple_literal(classes), "_PLAN", small]
    whole = bracketed(f"{plan.class_name()}.CODEC = _Codec(", items, ")")
    if len(whole) <= _FEW_LINES:
        yield from whole
        return
    yield whole[0]
    if len(items[0]) + len("    ,") <= LINE_LENGTH:
        yield f"    {items[0]},"
    else:
        yield "    ["
        for row in rows:
            yield from bracketed("        (", row, "),", one_a_line=True)
        yield "    ],"
    comma = "," if len(classes) == 1 else ""
    yield from (*bracketed("    (", classes, f"{comma}),", one_a_line=True), "    _PLAN,", f"    {small},", ")")
