"""What was found out about some bytes: the trees of their parts, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from messagegen.explain.tracer import Tracer
from messagegen.explain.tree import Node
from messagegen.runtime import DEFAULT_LIMITS, Limits
from messagegen.runtime.errors import DecodeError
from messagegen.runtime.plans import Plan


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, at which field and byte; ``message`` names message and version, if it is about one."""

    reason: str
    offset: int
    path: str = ""
    message: str = ""

    def __str__(self) -> str:
        where = f"{self.message}, byte {self.offset}" if self.message else f"byte {self.offset}"
        return f"{self.path}: {self.reason} ({where})" if self.path else f"{self.reason} ({where})"


class Stop(Exception):  # noqa: N818 - it ends an explanation early and never leaves this package
    """Raised where nothing more can be read."""


@dataclass(slots=True)
class Explanation:
    """The bytes ``data``: ``nodes`` are their parts from the first byte on, as far as they can be read.

    ``problem`` says why the bytes from ``end`` on are not part of any, if some are left or something else is wrong.
    ``rest_is_sensitive`` says that they may hold what is not shown. ``messages`` are those that were read,
    each with its version.
    """

    data: bytes
    limits: Limits = DEFAULT_LIMITS
    nodes: list[Node] = field(default_factory=list[Node])
    end: int = 0
    problem: Problem | None = None
    rest_is_sensitive: bool = False
    messages: list[tuple[Any, int]] = field(default_factory=list[tuple[Any, int]])

    @property
    def rest(self) -> bytes:
        """The bytes behind those that could be read."""
        return self.data[self.end :]

    def walk(self) -> Iterator[Node]:
        """All nodes in the order of their bytes."""
        for node in self.nodes:
            yield from node.walk()

    def number(self, name: str, type_: str) -> int:
        """The next part, a number before a message. Raises ``Stop``."""
        number: int = self._read("", lambda tracer: tracer.trace_number(name, type_))
        return number

    def message(self, plan: Plan, version: int) -> Any:
        """The next part, a message. Raises ``Stop``."""
        self.rest_is_sensitive |= may_be_sensitive(plan)
        message = self._read(f"{plan.name} version {version}", lambda tracer: tracer.trace(plan, version))
        self.messages.append((message, version))
        return message

    def stop(self, reason: str, offset: int) -> Stop:
        """What to raise where the bytes can be read and still are wrong."""
        self.problem = Problem(reason, offset)
        return Stop()

    def _read(self, message: str, read: Callable[[Tracer], Any]) -> Any:
        tracer = Tracer(self.data, self.end, self.limits)
        try:
            return read(tracer)
        except DecodeError as error:
            self.problem = Problem(error.reason, error.offset, error.path, message)
            raise Stop from None
        finally:
            self.nodes += [tracer.root] if tracer.root is not None else []
            self.end = tracer.read_until


def explained(data: bytes, read: Callable[[Explanation], object], limits: Limits = DEFAULT_LIMITS) -> Explanation:
    """What ``read`` finds in some bytes, up to what can't be read; bytes that it leaves are a problem too."""
    found = Explanation(data, limits)
    with suppress(Stop):
        read(found)
        if found.problem is None and found.rest:
            found.problem = Problem(f"extra bytes after the message: {len(found.rest)}", found.end)
    return found


def may_be_sensitive(plan: Plan) -> bool:
    """Whether a message has fields that are not shown."""
    return any(struct.sensitive for struct in plan.structs.values())
