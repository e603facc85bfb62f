"""The package around the modules: its names, which are loaded on first use, and its messages by kind and API key."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from messagegen.emit.code import imported_names, listed_items
from messagegen.emit.literals import text_literal
from messagegen.names import EXPORTS
from messagegen.plan.ops import MessagePlan
from messagegen.plan.partners import KINDS
from messagegen.templating import template

_INDENT: Final = "    "


@dataclass(slots=True)
class NameView:
    """A name of the package: its import, which type checkers treat as an export, and its row in the table of names."""

    literal: str
    module: str
    imported: str
    facts: str


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
    kinds = listed_items("_KINDS = (", [text_literal(kind) for kind in KINDS], ")")
    return template("python", "package.py.j2").render(names=_names(plans, offered), keyed=[kinds] if keyed else [])


def _later(parts: Collection[str], *, keyed: bool) -> Iterator[tuple[str, str]]:
    """Yield the names that the runtime exports, sorted, each with its module."""
    modules = {"base", "errors", "fields", *parts}
    if keyed:
        modules.add("messages")
    for name, module in sorted(EXPORTS.items()):
        if module.partition(".")[0] in modules:
            yield name, module


def _names(plans: Sequence[MessagePlan], offered: Mapping[str, str]) -> list[NameView]:
    plan_of = {plan.class_name(): plan for plan in plans}
    names: list[NameView] = []
    for name, module in offered.items():
        plan = plan_of.get(name)
        kind = plan.kind if plan else ""
        api_key = plan.api_key if plan else None
        literal = text_literal(name)
        facts = [text_literal(module), text_literal(kind), str(api_key)]
        names.append(
            NameView(
                literal=literal,
                module=module,
                imported=imported_names(module, [f"{name} as {name}"], _INDENT),
                facts=listed_items(f"{literal}: (", facts, "),", _INDENT),
            )
        )
    return names
