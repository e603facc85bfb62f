"""Puts other addresses in place of those of brokers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from messagegen_testing.errors.fields import elements

if TYPE_CHECKING:
    from messagegen_kafka import FieldInfo

Address = tuple[str, int]


def with_addresses(value: Any, fields: Sequence[FieldInfo], replaced: Callable[[str, int], Address]) -> Any:
    """A message in which each host and port are replaced; itself if it has none."""
    changes: dict[str, Any] = {}
    names = {field.name for field in fields}
    if {"host", "port"} <= names and value.host:
        changes["host"], changes["port"] = replaced(value.host, value.port)
    for field in fields:
        if field.is_array and field.fields:
            before = elements(value, field.name)
            after = tuple(with_addresses(each, field.fields, replaced) for each in before)
            if any(new is not old for new, old in zip(after, before, strict=True)):
                changes[field.name] = after
    return value.__replace__(**changes) if changes else value
