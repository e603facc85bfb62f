"""Plans to Python: the module of a message, in one step.

``classes.py`` adds the classes, ``reading/`` and ``writing/`` the functions. They take names, formats and charges from
``uses.py``, which knows the imports and constants of the module at the end.
"""

from __future__ import annotations

from messagegen.emit.classes import add_classes, summary, typing_lines
from messagegen.emit.code import Code
from messagegen.emit.layouts import layout_name
from messagegen.emit.literals import docstring, lines_literal, text_literal
from messagegen.emit.reading import LayoutReader
from messagegen.emit.uses import Uses
from messagegen.emit.writing import LayoutWriter
from messagegen.plan import ops
from messagegen.plan.text import plan_text
from messagegen.templating import template

__all__ = ["module_text"]


def module_text(plan: ops.MessagePlan, runtime: str = "._runtime", partner: ops.MessagePlan | None = None) -> str:
    """Return the module of a message.

    ``runtime`` is the package that it imports the runtime from. ``partner`` is the response of a request, or the
    request of a response, in the same package.
    """
    use = Uses(runtime, [struct.class_name for struct in plan.structs])
    names = [use.class_(struct.class_name) for struct in plan.structs]
    classes = Code()
    add_classes(plan, partner, use, classes)
    functions = Code()
    _add_functions(plan, use, functions)
    public = Code()
    public.listed("__all__ = [", [text_literal(struct.class_name) for struct in plan.structs], "]")
    codec = Code()
    _add_codec(plan, use, codec)
    return template("python", "module.py.j2").render(
        name=plan.name,
        docstring=docstring(summary(plan), 0),
        imports=use.import_lines(),
        typing=[] if partner is None else [*typing_lines(partner), ""],
        public=public.lines,
        constants=[line for group in use.constant_groups() for line in [*group, ""]],
        classes=str(classes),
        arguments=[f"_args_{name} = ({name},)" for name in names],
        functions=str(functions),
        plan=lines_literal(plan_text(plan)),
        codec=codec.lines,
    )


def _add_functions(plan: ops.MessagePlan, use: Uses, code: Code) -> None:
    """Add the functions of each layout: of single structs, of arrays, of tag sections, if they are called."""
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


def _add_codec(plan: ops.MessagePlan, use: Uses, code: Code) -> None:
    """Add the codec: the versions by layout, with the functions that read and write it, and the classes."""
    with code.block(f"{plan.class_name()}.CODEC = {use.Codec}("):
        with code.block("["):
            for layout in dict.fromkeys(root for _, root in plan.roots):
                name = layout_name(plan, layout, use)
                for versions in plan.layouts[layout].versions:
                    row = [str(versions.lowest), str(versions.highest), f"_decode_{name}", f"_encode_{name}"]
                    code.tuple("", row, ",")
        code.line("],")
        code.tuple("", [use.class_(struct.class_name) for struct in plan.structs], ",")
        code.line("_PLAN,")
        code.line(f"small={plan.small},")
    code.line(")")
