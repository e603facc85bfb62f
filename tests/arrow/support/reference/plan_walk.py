"""Runs the reference codec of generated packages on a plan text. It is slow, but needs no native code.

Workers have the plan text but no generated module, so the classes are created here.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any
from uuid import UUID

from messagegen_arrow.plans import Codec, Field, Layout, Plan, read_plan, read_text
from messagegen_kafka._runtime.structs import Struct, dataclass
from messagegen_kafka._runtime.walk import walk_decode, walk_encode

__all__ = ["codecs_of", "table_of", "walk_decode", "walk_encode"]


@lru_cache(maxsize=256)
def table_of(plan_text: str) -> Plan:
    """Return the plan for ``walk_decode`` and ``walk_encode``."""
    plan = read_plan(plan_text)
    classes: dict[str, type[Struct]] = {}
    for struct in plan.structs:
        _struct_class(plan, struct, classes)
    return read_text(plan_text, classes)


def codecs_of(layout: Layout) -> dict[str, Codec]:
    """Return the codec of each field of this layout, by attribute."""
    return {field.attribute: codec for field, codec in (*layout.steps, *layout.tagged.values())}


def _struct_class(plan: Plan, name: str, classes: dict[str, type[Struct]]) -> type[Struct]:
    if name not in classes:
        defaults = {field.attribute: _default(plan, field, classes) for field in plan.structs[name].fields.values()}
        body = {
            "__module__": __name__,
            "__annotations__": dict.fromkeys(defaults, "object"),
            "SENSITIVE": plan.structs[name].sensitive,
            **defaults,
        }
        classes[name] = dataclass(type(name, (Struct,), body))
    return classes[name]


def _default(plan: Plan, field: Field, classes: dict[str, type[Struct]]) -> Any:
    match field.default_text, field.type:
        case "null", _:
            return None
        case "[]", _:
            return ()
        case "{}", struct:
            return _struct_class(plan, struct, classes)()
        case text, "uuid":
            return UUID(json.loads(text))
        case text, "bytes" | "records":
            return bytes.fromhex(json.loads(text))
        case text, _:
            return json.loads(text)
