"""Selects the runtime files of a package: those of every package, of its messages, and of the chosen parts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from messagegen.findings import UsageError
from messagegen.outputs.output import OWN_FOLDER
from messagegen.plan import ops
from messagegen.primitives import PRIMITIVES

_RUNTIME: Final = Path(__file__).parents[2] / "runtime"
EVERY_MODULE: Final = frozenset(
    path.name.removesuffix(".py") for path in _RUNTIME.iterdir() if path.name != "__pycache__"
)
"""The names of all modules and packages of the runtime."""
_INDEX: Final = "__init__.py"
_ALWAYS: Final = frozenset({"__init__", "base", "errors", "fields", "plan", "structs", "walk", "wire"})
_CASE: Final = re.compile(r'^ {8}case "(\w+)":\n(?: {12}.*\n|\n)+', re.MULTILINE)
"""A ``case`` in the index of the runtime that imports a module which not every package has."""
PARTS: Final = {
    "json": frozenset({"json_form"}),
    "frames": frozenset({"frames", "messages"}),
    "native": frozenset({"native"}),
    "session": frozenset({"frames", "messages", "session"}),
    "rewriting": frozenset({"rewriting"}),
    "records": frozenset({"native", "records", "varints"}),
}
"""The modules of each part that a package may have.

The parts are JSON in Kafka's form, frames, the native engine with lazy decoding, sessions, rewriting, and record
batches.
"""


def default_parts(plans: Iterable[ops.MessagePlan]) -> frozenset[str]:
    """Return the parts that users of these messages expect.

    All messages get JSON and the native engine. Requests and responses add frames, sessions and rewriting. A field of
    type ``records`` adds record batches.
    """
    plans = tuple(plans)
    parts = {"json", "native"}
    if any(plan.kind in ("request", "response") for plan in plans):
        parts |= {"frames", "rewriting", "session"}
    if any(field.type == "records" for plan in plans for struct in plan.structs for field in struct.fields):
        parts.add("records")
    return frozenset(parts)


def chosen_parts(plans: Sequence[ops.MessagePlan], given: object) -> frozenset[str]:
    """Return the parts of a package: ``given`` by ``options.python.parts``, or the default parts for its messages.

    Raise ``UsageError`` for unknown parts.
    """
    if given is None:
        return default_parts(plans)
    known = ", ".join(f'"{part}"' for part in PARTS)
    parts = frozenset(map(str, cast("list[object]", given))) if isinstance(given, list | tuple) else None
    if parts is None or not parts <= {*PARTS}:
        raise UsageError(f"parts must be a list of {known}, not {given!r}")
    return parts


@dataclass(frozen=True, slots=True)
class SharedRuntime:
    """A runtime outside the generated package: the name of its own package, and its modules."""

    name: str
    modules: frozenset[str]

    def check(self, plans: Sequence[ops.MessagePlan], parts: Iterable[str]) -> None:
        """Raise ``UsageError`` if the runtime lacks a module that messages with these parts need."""
        lacking = sorted(needed_modules(plans, parts) - self.modules)
        if lacking:
            raise UsageError(
                f"the runtime {self.name} lacks {', '.join(lacking)}; write shared = true in the options.python of its "
                "output and generate that again, or leave out runtime"
            )


def needed_modules(plans: Iterable[ops.MessagePlan], parts: Iterable[str]) -> frozenset[str]:
    """Return the modules of the runtime that messages with these parts need."""
    return _ALWAYS.union(_needed(plans), *(PARTS[part] for part in parts))


def runtime_files(wanted: Collection[str]) -> dict[str, str]:
    """Return the files of the ``wanted`` modules, by path.

    Their text is copied. The index imports only modules of the package, and by literal names. Type checkers would
    report missing modules, and tools that freeze programs do not find imports by computed names.
    """
    found: dict[str, str] = {}
    for file in sorted(_RUNTIME.rglob("*.py")):
        path = file.relative_to(_RUNTIME)
        if path.parts[0].removesuffix(".py") in wanted:
            text = file.read_text(encoding="utf-8")
            is_index = path.as_posix() == _INDEX
            found[f"{OWN_FOLDER}/{path.as_posix()}"] = _with_cases(text, wanted) if is_index else text
    return found


def _with_cases(index: str, wanted: Collection[str]) -> str:
    """Return the text of the runtime's index without the imports of modules that are not ``wanted``."""
    return _CASE.sub(lambda case: case[0] if case[1] in wanted else "", index)


def _needed(plans: Iterable[ops.MessagePlan]) -> Iterator[str]:
    """Yield the modules that messages need in addition to ``_ALWAYS``."""
    for plan in plans:
        fields = [field for struct in plan.structs for field in struct.fields]
        if plan.api_key is not None:
            yield "messages"
        if any(field.sensitive is not None for field in fields):
            yield "secrets"
        types = {field.type for field in fields}
        if any(field.element_type == "uuid" for field in fields):
            yield "uuids"
        if any(field.tag is not None for field in fields) or not types <= PRIMITIVES.keys() - {"bytes", "records"}:
            yield "arrays"
        for layout in plan.layouts:
            for _, codec in ops.fields_on_wire(layout):
                element = codec.element if isinstance(codec, ops.ArrayCodec) else codec
                if isinstance(element, ops.VarintCodec):
                    yield "varints"
