"""The package around the modules: its names, each loaded when it is first used, and messages by kind and API key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from messagegen.emit.literals import text_literal
from messagegen.emit.text import bracketed, import_from
from messagegen.names import EXPORTS
from messagegen.plan.ops import MessagePlan
from messagegen.plan.partners import KINDS
from messagegen.templating import template


def package_text(
    plans: Sequence[MessagePlan],
    exports: Mapping[str, str] | None = None,
    *,
    records: bool = False,
    runtime: str = "._runtime",
) -> str:
    """The package's ``__init__``; ``exports`` are the names that it exports in addition to its messages, with their modules.

    With ``records``, it also exports what reads record batches. ``runtime`` is the package that has the runtime.
    """
    ordered = sorted(plans, key=lambda plan: plan.name)
    # By name, one per line: if new messages were all appended at the end, branches that add some would not merge.
    keyed = any(plan.api_key is not None for plan in ordered)
    details = {plan.class_name(): (plan.kind, plan.api_key) for plan in ordered}
    names = {**{plan.class_name(): plan.module for plan in ordered}, **(exports or {})}
    offered = {name: f"{runtime}.{module}" for name, module in _later(keyed=keyed, records=records)}
    offered |= {name: f".{module}" for name, module in sorted(names.items())}
    public = ["*_NAMES", *['"message_classes"'] * keyed]
    return template("python", "package.py.j2").render(
        typing="    from typing import Literal as _Literal, overload as _overload\n\n" if keyed else "",
        keyed=_keyed() if keyed else "",
        types=[line for name, module in offered.items() for line in import_from(module, [f"{name} as {name}"], "    ")],
        names=[line for name, module in offered.items() for line in _row(name, module, *details.get(name, ("", None)))],
        public="\n".join(bracketed("    __all__ = [", public, "]", one_a_line=True)),
    )


def _later(*, keyed: bool, records: bool) -> Iterator[tuple[str, str]]:
    """The exports of the runtime, with their modules, by name."""
    has = {"base": True, "errors": True, "limits": True, "messages": keyed, "records": records}
    for name, module in sorted(EXPORTS.items()):
        if has[module.partition(".")[0]]:
            yield name, module


def _row(name: str, module: str, kind: str, key: int | None) -> list[str]:
    items = [text_literal(module), text_literal(kind), str(key)]
    return bracketed(f"    {text_literal(name)}: (", items, "),", one_a_line=True)


def _keyed() -> str:
    """The part about messages that have an API key."""
    kinds = bracketed("_KINDS = (", [text_literal(kind) for kind in KINDS], ")")
    return template("python", "keyed.py.j2").render(kinds=kinds)
