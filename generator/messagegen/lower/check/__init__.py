"""The invariants of lowered modules; a violation is a bug in a pass, not in a spec."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen.lower.check.reading import reading_problems
from messagegen.lower.check.writing import writing_problems
from messagegen.lower.module import Module
from messagegen.lower.ops import walk
from messagegen.plan import ops as planned


class LoweringError(AssertionError):
    """Operations that break an invariant."""


def check_module(plan: planned.MessagePlan, module: Module) -> None:
    """Raises ``LoweringError`` with all broken invariants of a message's module.

    Every name that is used is defined or imported. Readers set each field exactly once on every path, and use a length only after
    reading one. Writers write each field of the layout exactly once on every path, and compare the others with their defaults.
    """
    broken = list(_broken(plan, module))
    if broken:
        raise LoweringError(f"the operations of {plan.name} are broken: {'; '.join(broken)}")


def _broken(plan: planned.MessagePlan, module: Module) -> Iterator[str]:
    functions = [function.name for function in module.functions]
    if len(set(functions)) < len(functions):
        yield "two functions have one name"
    imports = (*module.standard_imports, *module.runtime_imports)
    defined = {
        *functions,
        *(constant.name for constant in module.constants),
        *(alias for import_ in imports for _, alias in import_.names),
        *(f"_{import_.module}" for import_ in imports if not import_.names),
    }
    used = {name for _, name in (*module.readers, *module.writers)}
    used.update(name for one in module.classes for name in one.names())
    for function in module.functions:
        layout = plan.layouts[function.layout]
        for op in walk(function.body):
            used.update(op.names(), op.calls(), (f"_{kind}_{format_.name}" for kind, format_ in op.formats()))
        problems = reading_problems if function.kind.startswith("decode") else writing_problems
        yield from (f"{function.name}: {problem}" for problem in problems(plan, layout, function))
    yield from (f"{name} is not defined" for name in sorted(used - defined))
