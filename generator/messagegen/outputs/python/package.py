"""The package around the modules: its names, each loaded when it is first used, and messages by kind and API key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from messagegen.lower.literals import text_literal
from messagegen.plan.ops import MessagePlan
from messagegen.plan.partners import KINDS
from messagegen.render.printer import Lines
from messagegen.render.templates import template

_RUNTIME: Final = {
    "DecodeError": "errors",
    "EncodeError": "errors",
    "Limits": "limits",
    "Message": "messages",
    "MessageError": "errors",
    "UnsupportedVersionError": "errors",
}
"""What packages export from their runtime, with its module; a message with the same name takes precedence."""

_RECORDS: Final = {
    "ControlRecord": "records.control",
    "Record": "records.values",
    "RecordBatch": "records.values",
    "RecordBatches": "records.reading",
    "RecordHeader": "records.values",
    "UnsupportedCompressionError": "records.compression",
    "parse_timestamp": "records.times",
    "read_records": "records.reading",
}
"""What they export in addition if a message carries record batches."""


def has_records(plans: Sequence[MessagePlan]) -> bool:
    """Whether any of the messages has a field of type ``records``."""
    return any(field.type == "records" for plan in plans for struct in plan.structs for field in struct.fields)


def package_text(plans: Sequence[MessagePlan], exports: Mapping[str, str] | None = None) -> str:
    """The package's ``__init__``; ``exports`` are the names that it exports in addition to its messages, with their modules."""
    ordered = sorted(plans, key=lambda plan: plan.name)
    names = dict(sorted({**{plan.class_name(): plan.module for plan in ordered}, **(exports or {})}.items()))
    offered = {**_RUNTIME, **_RECORDS} if has_records(plans) else _RUNTIME
    runtime = {name: module for name, module in sorted(offered.items()) if name not in names}
    types = Lines("    ")
    for name, module in runtime.items():
        types.import_from(f"._runtime.{module}", [f"{name} as {name}"])
    types.import_from("._runtime.messages", ["KeyedMessage", "Request", "Response"])
    for name, module in names.items():
        types.import_from(f".{module}", [f"{name} as {name}"])
    kinds = Lines()
    kinds.bracketed("_KINDS = (", [text_literal(kind) for kind in KINDS], ")")
    return template("python", "package.py.j2").render(
        types=types.lines,
        modules=[*((name, f"_runtime.{module}") for name, module in runtime.items()), *names.items()],
        # By name, one per line: if new messages were all appended at the end, branches that add some would not merge.
        keys=[(plan.class_name(), plan.kind, plan.api_key) for plan in ordered if plan.api_key is not None],
        kinds=kinds.lines,
        public=[text_literal(name) for name in sorted([*names, *runtime, "message_classes"])],
    )
