"""The package around the modules: its names, each loaded when it is first used, and messages by kind and API key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from messagegen.emit.literals import text_literal
from messagegen.emit.text import bracketed, import_from
from messagegen.plan.ops import MessagePlan
from messagegen.plan.partners import KINDS
from messagegen.templating import template

_RUNTIME: Final = {
    "DecodeError": "errors",
    "EncodeError": "errors",
    "Limits": "",
    "Message": "base",
    "MessageError": "errors",
    "UnsupportedVersionError": "errors",
}
"""What packages export from their runtime, with its module; a message with the same name takes precedence."""

_RECORDS: Final = {
    "ControlRecord": "records.control",
    "Record": "records.values",
    "RecordBatch": "records.batches",
    "RecordBatches": "records.reading",
    "RecordHeader": "records.values",
    "UnsupportedCompressionError": "records.compression",
    "read_records": "records.reading",
}
"""What they export in addition if they can read record batches."""


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
    names = {name: f".{module}" for name, module in sorted(names.items())}
    offered = {**_RUNTIME, **_RECORDS} if records else _RUNTIME
    offered = {name: f"{runtime}.{module}".rstrip(".") for name, module in sorted(offered.items()) if name not in names}
    types = [(module, [f"{name} as {name}"]) for name, module in [*offered.items(), *names.items()]]
    if keyed:
        types.insert(len(offered), (f"{runtime}.messages", ["KeyedMessage", "Request", "Response"]))
    return template("python", "package.py.j2").render(
        typing=", Literal, overload" if keyed else "",
        types=[line for module, imported in types for line in import_from(module, imported, "    ")],
        names=[
            line
            for name, module in [*offered.items(), *names.items()]
            for line in _row(name, module, *details.get(name, ("", None)))
        ],
        public=", ".join(["*_NAMES", *['"message_classes"'] * keyed]),
        keyed=_keyed() if keyed else "",
    )


def _row(name: str, module: str, kind: str, key: int | None) -> list[str]:
    items = [text_literal(module), text_literal(kind), str(key)]
    return bracketed(f"    {text_literal(name)}: (", items, "),", one_a_line=True)


def _keyed() -> str:
    """The part about messages that have an API key."""
    kinds = bracketed("_KINDS = (", [text_literal(kind) for kind in KINDS], ")")
    return template("python", "keyed.py.j2").render(kinds=kinds)
