"""Plans that the reference codec can walk without generated code: their classes have attributes and no codecs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from messagegen.plan import ops
from messagegen.plan.text import plan_text
from messagegen.runtime.plan import Plan, read_plan


class Plain:
    """A struct: its attributes, all with defaults."""

    unknown_tagged_fields: tuple[tuple[int, bytes], ...]
    __defaults__: Mapping[str, Any]
    SENSITIVE: Mapping[str, tuple[str, ...]]

    def __init__(self) -> None:
        vars(self).update(self.__defaults__)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]


def walkable(plan: ops.MessagePlan) -> Plan:
    """Return a plan with plain classes in place of generated classes."""
    structs = {struct.class_name: struct for struct in plan.structs}

    @cache
    def plain_class(name: str) -> type[Plain]:
        body: dict[str, dict[str, Any]] = {"__defaults__": {}, "SENSITIVE": {}}
        for field in structs[name].fields:
            default = plain_class(field.type)() if field.default is ops.EMPTY_STRUCT else field.default
            body["__defaults__"][field.attribute] = default
            if field.sensitive is not None:
                body["SENSITIVE"][field.attribute] = field.sensitive
        body["__defaults__"]["unknown_tagged_fields"] = ()
        return type(name, (Plain,), body)

    return read_plan(plan_text(plan), {name: plain_class(name) for name in structs})
