"""What is found out about some bytes: a body alone, or a header and a size before it, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from messagegen.explain.tracer import Part, Tracer
from messagegen.runtime import DEFAULT_LIMITS, Limits
from messagegen.runtime.errors import DecodeError
from messagegen.runtime.walk import Plan

HEADERS: Final = {"request": "RequestHeader", "response": "ResponseHeader"}
"""The message before the body, by the kind of the body."""


class Messages(Protocol):
    """The messages that bytes can hold."""

    def plan(self, name: str) -> Plan:
        """The plan of a message, with its classes. Raises ``UsageError`` for an unknown one."""
        ...

    def named(self, kind: str, api_key: int) -> Sequence[str]:
        """The names of the messages of a kind that have an API key."""
        ...


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


class Stop(Exception):  # noqa: N818 - it ends an explanation early and never leaves this module
    """Raised where nothing more can be read."""


@dataclass(slots=True)
class Explanation:
    """The bytes ``data``: ``parts`` from the first byte up to ``end``, as far as they can be read.

    ``problem`` says why the bytes from ``end`` on are not part of any, if some are left or something else is wrong.
    ``sensitive`` shows what is sensitive; otherwise ``hides_rest`` says that the bytes that are left may be. ``messages`` are those
    that were read, each with its version.
    """

    data: bytes
    sensitive: bool = False
    limits: Limits = DEFAULT_LIMITS
    parts: list[Part] = field(default_factory=list[Part])
    end: int = 0
    problem: Problem | None = None
    hides_rest: bool = False
    messages: list[tuple[Any, int]] = field(default_factory=list[tuple[Any, int]])

    @property
    def rest(self) -> bytes:
        """The bytes behind those that could be read."""
        return self.data[self.end :]

    def shown(self) -> Iterator[tuple[Part, int]]:
        """The parts with their ends; a hidden one is shown in place of those inside it."""
        hidden: int | None = None
        shown: list[Part] = []
        for part in self.parts:
            if hidden is None or part.depth <= hidden:
                hidden = part.depth if part.hidden else None
                shown.append(part)
        yield from zip(shown, [*(part.offset for part in shown[1:]), self.end], strict=False)  # there may be no part

    def number(self, name: str, type_: str) -> int:
        """The next part, a number before a message. Raises ``Stop``."""
        return int(self._read("", lambda tracer: tracer.trace_number(name, type_)))

    def message(self, plan: Plan, version: int) -> None:
        """The next parts, a message. Raises ``Stop``."""
        self.hides_rest |= not self.sensitive and may_be_sensitive(plan)
        message = self._read(f"{plan.name} version {version}", lambda tracer: tracer.trace(plan, version))
        self.messages.append((message, version))

    def stop(self, reason: str, offset: int) -> Stop:
        """What to raise where the bytes can be read and still are wrong."""
        self.problem = Problem(reason, offset)
        return Stop()

    def _read(self, message: str, read: Callable[[Tracer], Any]) -> Any:
        tracer = Tracer(self.data, self.end, self.limits, self.parts, sensitive=self.sensitive)
        try:
            return read(tracer)
        except DecodeError as error:
            self.problem = Problem(error.reason, error.offset, error.path, message)
            raise Stop from None
        finally:
            self.end = tracer.end


def explain_body(
    data: bytes, plan: Plan, version: int, *, sensitive: bool = False, limits: Limits = DEFAULT_LIMITS
) -> Explanation:
    """Explains the bytes of a message in a version that it has."""
    return _explained(Explanation(data, sensitive, limits), lambda found: found.message(plan, version))


def explain_request(
    data: bytes, messages: Messages, name: str | None = None, *, sized: bool = False, sensitive: bool = False
) -> Explanation:
    """Explains a request with its header, which names the message and its version; ``sized`` if 4 bytes of size come first.

    ``name`` is the message if several have its API key. Raises ``UsageError`` where the header is not among the messages.
    """

    def read(found: Explanation) -> None:
        size = found.number("size", "int32") if sized else None
        _header_and_body(found, messages, *_named_by_header(found, messages, name), size)

    return _explained(Explanation(data, sensitive), read)


def explain_response(
    data: bytes, messages: Messages, plan: Plan, version: int, *, sized: bool = False, sensitive: bool = False
) -> Explanation:
    """Explains a response with its header, in the version of the request; otherwise as ``explain_request``."""

    def read(found: Explanation) -> None:
        size = found.number("size", "int32") if sized else None
        _header_and_body(found, messages, plan, version, size)

    return _explained(Explanation(data, sensitive), read)


def may_be_sensitive(plan: Plan) -> bool:
    """Whether a message has fields that are not shown."""
    return any(struct.sensitive for struct in plan.structs.values())


def _explained(found: Explanation, read: Callable[[Explanation], None]) -> Explanation:
    """What ``read`` finds, up to what can't be read; bytes that it leaves are a problem too."""
    with suppress(Stop):
        read(found)
        if found.problem is None and found.rest:
            found.problem = Problem(f"extra bytes after the message: {len(found.rest)}", found.end)
    return found


def _named_by_header(found: Explanation, messages: Messages, name: str | None) -> tuple[Plan, int]:
    """The message and the version that a request's header names; all headers begin with both."""
    begin, before = found.end, len(found.parts)
    # An unknown request may be a login.
    found.hides_rest = not found.sensitive
    api_key = found.number("request_api_key", "int16")
    version = found.number("request_api_version", "int16")
    names = messages.named("request", api_key)
    if name is not None and name not in names:
        raise found.stop(f"the header has API key {api_key}, but {name} has another one", begin)
    if name is None and len(names) != 1:
        which = " and ".join(names) or "no request"
        raise found.stop(f"{which} of these specs {'have' if names else 'has'} API key {api_key}", begin)
    plan = messages.plan(name or names[0])
    if version not in plan.valid_versions:
        versions = f"{plan.valid_versions[0]} to {plan.valid_versions[-1]}"
        raise found.stop(f"{plan.name} has versions {versions}, not {version}", begin + 2)
    # They are read once more with the header, whose version follows from them.
    del found.parts[before:]
    found.end = begin
    return plan, version


def _header_and_body(found: Explanation, messages: Messages, plan: Plan, version: int, size: int | None) -> None:
    # What follows a header that can't be read is the body.
    found.hides_rest = not found.sensitive and may_be_sensitive(plan)
    found.message(messages.plan(HEADERS[plan.kind]), plan.cls.header_version(version))
    found.message(plan, version)
    if size is not None and size != found.end - 4:
        found.stop(f"the size is {size}, but header and body have {found.end - 4} bytes", 0)
