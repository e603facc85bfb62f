"""The package around the modules: its names, which are loaded on first use, and its messages by kind and API key."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from messagegen.emit.code import Code
from messagegen.emit.literals import text_literal
from messagegen.names import EXPORTS
from messagegen.plan.ops import MessagePlan
from messagegen.plan.partners import KINDS
from messagegen.templating import template

_INDENT: Final = "    "
_OVERLOADS: Final = f"{_INDENT}from typing import Literal as _Literal, overload as _overload\n\n"


def package_text(
    plans: Sequence[MessagePlan],
    exports: Mapping[str, str] | None = None,
    *,
    parts: Collection[str] = (),
    runtime: str = "._runtime",
) -> str:
    """Return the package's ``__init__``.

    ``exports`` are the names that it exports in addition to its messages, with their modules. ``parts`` are the parts
    of the runtime in the package, some of which export names, too. ``runtime`` is the name of the package that contains
    the runtime.
    """
    keyed = any(plan.api_key is not None for plan in plans)
    offered = {name: f"{runtime}.{module}" for name, module in _later(parts, keyed=keyed)}
    # Sort by name, one per line: if new messages came last, branches that add messages would conflict.
    modules = {plan.class_name(): plan.module for plan in plans} | dict(exports or {})
    offered |= {name: f".{module}" for name, module in sorted(modules.items())}
    return template("python", "package.py.j2").render(
        typing=_OVERLOADS if keyed else "",
        types=_imports(offered, _INDENT),
        names=_names(plans, offered),
        keyed=_keyed() if keyed else "",
        public=_public(keyed=keyed),
    )


def _later(parts: Collection[str], *, keyed: bool) -> Iterator[tuple[str, str]]:
    """Yield the names that the runtime exports, sorted, each with its module."""
    modules = {"base", "errors", "fields", *parts}
    if keyed:
        modules.add("messages")
    for name, module in sorted(EXPORTS.items()):
        if module.partition(".")[0] in modules:
            yield name, module


def _imports(module_of: Mapping[str, str], indent: str = "") -> list[str]:
    """Return imports of the form ``NAME as NAME``, which type checkers treat as exports."""
    code = Code(indent)
    for name, module in module_of.items():
        code.imported(module, [f"{name} as {name}"])
    return code.lines


def _names(plans: Sequence[MessagePlan], offered: Mapping[str, str]) -> list[str]:
    """Return the rows of the table of names."""
    plan_of = {plan.class_name(): plan for plan in plans}
    code = Code(_INDENT)
    for name, module in offered.items():
        plan = plan_of.get(name)
        kind = plan.kind if plan else ""
        api_key = plan.api_key if plan else None
        code.listed(f"{text_literal(name)}: (", [text_literal(module), text_literal(kind), str(api_key)], "),")
    return code.lines


def _public(*, keyed: bool) -> list[str]:
    """Return the assignment of ``__all__``."""
    items = ["*_NAMES"]
    if keyed:
        items.append('"message_classes"')
    code = Code(_INDENT)
    code.listed("__all__ = [", items, "]")
    return code.lines


def _keyed() -> str:
    """Return the part of the text for messages that have an API key."""
    code = Code()
    code.listed("_KINDS = (", [text_literal(kind) for kind in KINDS], ")")
    return template("python", "keyed.py.j2").render(kinds=code.lines)
