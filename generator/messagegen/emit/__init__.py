"""Plans to Python: the module of a message, in one step.

``classes.py`` has the views of classes for the templates. ``reading/`` and ``writing/`` add the functions. They take
names, formats and charges from ``uses.py``, which then returns the imports and constants of the module.
"""

from __future__ import annotations

from typing import Final

from messagegen.emit.classes import class_views, optional, partner_view
from messagegen.emit.code import Code, listed_items, tuple_source
from messagegen.emit.layouts import layout_name
from messagegen.emit.literals import docstring, lines_literal, text_literal
from messagegen.emit.reading import LayoutReader
from messagegen.emit.summaries import summary
from messagegen.emit.uses import Uses
from messagegen.emit.writing import LayoutWriter
from messagegen.plan import ops
from messagegen.plan.text import plan_text
from messagegen.templating import template

__all__ = ["module_text"]

_INDENT: Final = "    "


def module_text(plan: ops.MessagePlan, runtime: str = "._runtime", partner: ops.MessagePlan | None = None) -> str:
    """Return the module of a message.

    ``runtime`` is the package that the module imports the runtime from. ``partner`` is the response of a request, or
    the request of a response, in the same package.
    """
    use = Uses(runtime, [struct.class_name for struct in plan.structs])
    partner_class = None if partner is None else partner_view(plan, partner, use)
    classes = class_views(plan, partner_class, use)
    functions = Code()
    _add_functions(plan, use, functions)
    exported = [text_literal(struct.class_name) for struct in plan.structs]
    structs = [use.class_(struct.class_name) for struct in plan.structs]
    return template("python", "module.py.j2").render(
        name=plan.name,
        docstring=docstring(summary(plan), 0),
        partner=optional(partner_class),
        exported=listed_items("__all__ = [", exported, "]"),
        dataclass=use.dataclass,
        classes=classes,
        structs=structs,
        functions=str(functions),
        plan=lines_literal(plan_text(plan)),
        message_class=plan.class_name(),
        Codec=use.Codec,
        codec_rows=_codec_rows(plan, use),
        codec_classes=tuple_source("", structs, ",", _INDENT),
        small=plan.small,
        # These come last, because the lines above decide which imports and constants are used.
        imports=use.import_lines(),
        constants=use.constant_groups(),
    )


def _add_functions(plan: ops.MessagePlan, use: Uses, code: Code) -> None:
    """Add the functions that are called for each layout: for single structs, arrays and tag sections."""
    single, arrays = ops.layout_uses(plan)
    for index, layout in enumerate(plan.layouts):
        reader = LayoutReader(plan, index, use, code)
        writer = LayoutWriter(plan, index, use, code)
        if index in single:
            reader.single()
        if index in arrays:
            reader.array()
        if layout.tagged:
            reader.tags()
        if index in single:
            writer.single()
        if index in arrays:
            writer.array()


def _codec_rows(plan: ops.MessagePlan, use: Uses) -> list[str]:
    """Return the versions of each layout, with the functions that read and write it."""
    rows: list[str] = []
    for layout in dict.fromkeys(root for _, root in plan.roots):
        name = layout_name(plan, layout, use)
        for versions in plan.layouts[layout].versions:
            row = [str(versions.lowest), str(versions.highest), f"_decode_{name}", f"_encode_{name}"]
            rows.append(tuple_source("", row, ",", _INDENT * 2))
    return rows
