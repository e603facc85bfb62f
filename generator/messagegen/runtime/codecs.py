"""The codecs of a message: those of the native engine, or straight-line Python."""

from __future__ import annotations

import struct

from .limits import DEFAULT_LIMITS, FREE, budget
from .native import ENGINE, lazy_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .limits import Budget, Limits
    from .native import Engine
    from .plans import Plan
    from .structs import Struct

    Reader = Callable[[bytes, int, bytes | memoryview, Budget], tuple[Any, int]]
    Writer = Callable[[Any, bytearray], None]

DECODE_FAILURES = (ValueError, struct.error, LookupError)
"""The exceptions that codecs raise for invalid bytes."""


class Codec:
    """The codecs of a message by version, and its plan, which is used to locate errors.

    ``engine`` does the work if there is one; ``readers`` and ``writers`` are straight-line Python. ``projections`` are what
    ``projection.py`` made of fields that were chosen. ``own`` is what the
    message itself may cost beyond its bytes; up to ``small`` bytes, no message reaches the default limits (``limits.py``).
    """

    __slots__ = ("_parsed", "classes", "cls", "engine", "own", "plan", "projections", "readers", "small", "writers")

    def __init__(
        self,
        layouts: list[tuple[int, int, Reader, Writer]],
        classes: tuple[type[Struct], ...],
        plan: str,
        own: int,
        small: int,
    ) -> None:
        self.own = own
        self.small = small
        self.readers = {v: read for lowest, highest, read, _ in layouts for v in range(lowest, highest + 1)}
        self.writers = {v: write for lowest, highest, _, write in layouts for v in range(lowest, highest + 1)}
        self.classes = classes
        self.cls = classes[0]
        self.plan = plan
        self.engine: Engine | None = None
        if ENGINE is not None:
            try:
                self.engine = ENGINE(plan, classes, lazy_class)
            except ValueError:
                self.engine = None  # The engine does not support these classes, so use Python.
        self.projections: dict[tuple[str, ...], Any] = {}
        self._parsed: Plan | None = None

    def read(
        self,
        version: int,
        buffer: bytes,
        offset: int,
        source: bytes | memoryview,
        limits: Limits,
        *,
        lazy: bool = False,
        projection: Any = None,
    ) -> tuple[Any, int]:
        """Reads a message; of an engine's ``projection`` only those fields.

        Raises any of ``DECODE_FAILURES`` if it can't, or if the walker has to decide.
        """
        if self.engine is not None:
            if projection is not None:
                return self.engine.decode_fields(version, buffer, offset, source, limits.packed, projection)
            if lazy:
                return self.engine.decode_lazily(version, buffer, offset, source, limits.packed)
            return self.engine.decode(version, buffer, offset, source, limits.packed)
        size = len(buffer) - offset
        m = FREE if size <= self.small and limits is DEFAULT_LIMITS else budget(self, limits, size)
        message, end = self.readers[version](buffer, offset, source, m)
        if end > len(buffer):
            raise LookupError
        return message, end

    def name(self) -> str:
        """The message's name in its spec."""
        return self.plan.split(None, 4)[3]

    def parsed_plan(self) -> Plan:
        """The plan as objects, parsed from its text on first use."""
        if self._parsed is None:
            from .plans import read_plan

            self._parsed = read_plan(self.plan, {cls.__name__: cls for cls in self.classes})
        return self._parsed
