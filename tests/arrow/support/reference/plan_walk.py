"""Runs the reference codec of generated packages on the text of a plan: slow, but without native code.

Workers have the text of a plan but no generated module, so the classes are created here.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from messagegen_arrow.plans import Codec, Field, Layout, Plan, read_plan, read_text
from messagegen_kafka._runtime.structs import Struct, dataclass
from messagegen_kafka._runtime.walk import walk_decode, walk_encode

LARGEST_TAG: Final = (1 << 31) - 1
"""The largest tag in the column of unknown tagged fields."""

__all__ = [
    "LARGEST_TAG",
    "Codec",
    "Layout",
    "Plan",
    "codecs_of",
    "structs_of",
    "table_of",
    "walk_decode",
    "walk_encode",
]


@lru_cache(maxsize=256)
def table_of(plan_text: str, *, small_tags: bool = False) -> Plan:
    """The plan for ``walk_decode`` and ``walk_encode``; with ``small_tags``, tags above int32 are rejected."""
    plan = read_plan(plan_text)
    classes: dict[str, type[Struct]] = {}
    for struct in plan.structs:
        _struct_class(plan, struct, classes)
    table = read_text(plan_text, classes)
    for layout in _layouts(table):
        # In wire order, like the engine, so that both report the same error first.
        layout.tagged = dict(sorted(layout.tagged.items()))
        if small_tags:
            layout.foreign = _WithLargeTags(layout.foreign)
    return table


class _WithLargeTags(set[int]):
    """Rejected tags, including all above int32."""

    def __contains__(self, tag: object) -> bool:
        return super().__contains__(tag) or (isinstance(tag, int) and tag > LARGEST_TAG)


def codecs_of(layout: Layout) -> dict[str, Codec]:
    """The codec of each field of this layout, by attribute."""
    return {field.attribute: codec for field, codec in (*layout.steps, *layout.tagged.values())}


@lru_cache(maxsize=256)
def structs_of(plan_text: str) -> dict[str, Layout]:
    """One layout of each struct, by the struct's name: for its class and its fields."""
    return {layout.cls.__name__: layout for layout in _layouts(table_of(plan_text))}


def _layouts(table: Plan) -> list[Layout]:
    found: dict[int, Layout] = {}

    def visit(layout: Layout) -> None:
        if id(layout) in found:
            return
        found[id(layout)] = layout
        for codec in codecs_of(layout).values():
            inner = codec.layout if codec.element is None else codec.element.layout
            if inner is not None:
                visit(inner)

    for layout in table.roots.values():
        visit(layout)
    return list(found.values())


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
