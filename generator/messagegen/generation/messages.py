"""Messages by name, whose generated classes are made when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from messagegen.generation.loading import load_specs
from messagegen.generation.sources import unknown_message
from messagegen.runtime.walk import Plan, read_plan

if TYPE_CHECKING:
    from messagegen.runtime.messages import Message
    from messagegen.spec.model import MessageSpec

_HEADERS = ("RequestHeader", "ResponseHeader")


class Messages:
    """The messages of some specs. Only those that are asked for are planned and rendered."""

    def __init__(self, specs: Iterable[MessageSpec]) -> None:
        self.specs = {spec.name: spec for spec in specs}
        self._package = cache(self._load)
        self._plan = cache(self._read)

    def cls(self, name: str) -> type[Message]:
        """The class of a message; frames of requests and responses find their headers. Raises ``UsageError`` for an unknown name."""
        found: type[Message] = getattr(self._package(name), name)
        return found

    def plan(self, name: str) -> Plan:
        """The plan of a message, with its classes. Raises ``UsageError`` for an unknown name."""
        return self._plan(name)

    def named(self, kind: str, api_key: int) -> Sequence[str]:
        """The names of the messages of a kind that have an API key."""
        return [spec.name for spec in self.specs.values() if (spec.kind.value, spec.api_key) == (kind, api_key)]

    def _load(self, name: str) -> ModuleType:
        if name not in self.specs:
            raise unknown_message(name, self.specs)
        return load_specs([self.specs[each] for each in dict.fromkeys((name, *_HEADERS)) if each in self.specs])

    def _read(self, name: str) -> Plan:
        codec: Any = self.cls(name).CODEC
        return read_plan(codec.plan, {cls.__name__: cls for cls in codec.classes})
