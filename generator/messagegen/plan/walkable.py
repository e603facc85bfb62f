"""Plans that the reference codec can walk without generated code: their classes hold attributes and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from messagegen.plan import ops
from messagegen.plan.text import plan_text
from messagegen.runtime.walk import Plan, read_plan


class Plain:
    """A struct: its attributes, of which all have a default."""

    __defaults__: dict[str, Any]
    SENSITIVE: Mapping[str, tuple[str, ...]]

    def __init__(self) -> None:
        self.unknown_tagged_fields: tuple[tuple[int, bytes], ...] = ()
        for name, value in type(self).__defaults__.items():
            setattr(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]


def plain_classes(plan: ops.MessagePlan) -> dict[str, type[Plain]]:
    """A plain class for each struct of a plan, by the name of its generated class."""
    classes: dict[str, type[Plain]] = {
        struct.class_name: type(struct.class_name, (Plain,), {"SENSITIVE": _sensitive(struct)})
        for struct in plan.structs
    }
    structs = {struct.class_name: struct for struct in plan.structs}
    done: set[str] = set()

    def complete(name: str) -> type[Plain]:
        cls = classes[name]
        if name not in done:
            done.add(name)
            cls.__defaults__ = {field.attribute: default_of(field) for field in structs[name].fields}
        return cls

    def default_of(field: ops.FieldPlan) -> Any:
        if field.default is ops.EMPTY_ARRAY:
            return ()
        return complete(field.type)() if field.default is ops.EMPTY_STRUCT else field.default

    return {name: complete(name) for name in classes}


def _sensitive(struct: ops.StructPlan) -> dict[str, tuple[str, ...]]:
    return {field.attribute: field.sensitive for field in struct.fields if field.sensitive is not None}


def walkable(plan: ops.MessagePlan) -> Plan:
    """A plan with plain classes in place of generated ones."""
    return read_plan(plan_text(plan), plain_classes(plan))
