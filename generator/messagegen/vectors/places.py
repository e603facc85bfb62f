"""Which field a byte of a vector belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from messagegen.plan import ops
from messagegen.plan.walkable import walkable
from messagegen.runtime.errors import DecodeError
from messagegen.runtime.plans import Plan
from messagegen.runtime.walk import walk_decode
from messagegen.vectors.make import Vector


class Places:
    """Finds the field of a byte by decoding what lies before it: the reference codec names the field that is cut off.

    Where few bytes are left, that is the array that announces more elements than these.
    """

    def __init__(self, plans: Iterable[ops.MessagePlan]) -> None:
        self._sources = {plan.name: plan for plan in plans}
        self._plan = cache(self._walkable)

    def field(self, vector: Vector, offset: int) -> str:
        """The path of the field, such as ``topics[0].name``; empty for tags between fields and bytes behind the message."""
        try:
            walk_decode(self._plan(vector.message), vector.data[:offset], 0, vector.version)
        except DecodeError as error:
            return error.path
        return ""

    def _walkable(self, name: str) -> Plan:
        return walkable(self._sources[name])
