"""Lowers plans to operations: what generated code does, as data, with one decision per pass."""

from __future__ import annotations

from messagegen.lower.charge import charge
from messagegen.lower.charges import Charges
from messagegen.lower.classes import classes, summary
from messagegen.lower.module import Module, constants, imports
from messagegen.lower.ops import Function, walk
from messagegen.lower.peek import peek
from messagegen.lower.rows import rows
from messagegen.lower.select import select
from messagegen.lower.share import share
from messagegen.lower.values import function_name
from messagegen.plan.ops import MessagePlan
from messagegen.plan.text import plan_text

__all__ = ["Function", "Module", "lower", "lower_functions"]


def lower_functions(plan: MessagePlan) -> tuple[Function, ...]:
    """The functions that read and write a message."""
    functions = select(plan)
    functions = peek(functions)
    functions = share(functions)
    functions = rows(functions)
    return charge(plan, functions)


def lower(plan: MessagePlan, partner: MessagePlan | None = None) -> Module:
    """The module of a message; ``partner`` is the response of a request or the request of a response, if there is one."""
    functions = lower_functions(plan)
    made = classes(plan, partner)
    ops = [op for function in functions for op in walk(function.body)]
    standard, runtime = imports(ops, made)
    charges = Charges(plan)
    return Module(
        name=plan.name,
        class_name=plan.class_name(),
        about=summary(plan),
        partner=made[-1].partner,
        standard_imports=standard,
        runtime_imports=runtime,
        public=tuple(struct.class_name for struct in plan.structs),
        constants=constants(ops),
        classes=made,
        functions=functions,
        readers=tuple((version, f"_decode_{function_name(plan, root)}") for version, root in plan.roots),
        writers=tuple((version, f"_encode_{function_name(plan, root)}") for version, root in plan.roots),
        plan=plan_text(plan),
        own=charges.own(),
        small=charges.small(),
    )
