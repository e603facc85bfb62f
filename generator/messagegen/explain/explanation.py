"""Explanations of the bytes of consecutive messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from messagegen.explain.tracer import Part, Tracer
from messagegen.runtime.errors import DecodeError
from messagegen.runtime.plan import Plan

_SIZE_BYTES: Final = 4
"""The number of bytes of the size before a request or response."""

_NOT_READ: Final = "(not read)"
_MAY_BE_SENSITIVE: Final = "may be sensitive; --show-sensitive shows it"


@dataclass(slots=True)
class Explanation:
    """The explanation of some bytes: the parts up to the first unreadable byte, and the problem or ``None``.

    ``messages`` are the messages that were read, each with its version. A header comes before its body.
    """

    data: bytes
    parts: list[Part] = field(default_factory=list[Part])
    problem: DecodeError | None = None
    messages: list[tuple[Any, int]] = field(default_factory=list[tuple[Any, int]])

    @property
    def end(self) -> int:
        """The end of the last byte that could be read."""
        return (self.parts[-1].end or 0) if self.parts else 0


def explain(
    data: bytes, layers: Sequence[tuple[Plan, int]], *, sized: bool = False, sensitive: bool = False
) -> Explanation:
    """Explain consecutive messages, such as a header and a body, each with a valid version.

    With ``sized``, the size comes first, in four bytes. Bytes that can't be read or that follow the last message become
    one part named ``(not read)``, and are reported as a problem. With ``sensitive``, sensitive values are shown.
    """
    found = Explanation(data)
    size = int.from_bytes(data[:_SIZE_BYTES], "big", signed=True)
    if sized:
        end = min(_SIZE_BYTES, len(data))
        found.parts.append(Part("size", 0, "int32", 0, end=end, value=str(size)))

    try:
        for plan, version in layers:
            tracer = Tracer(data, found.end, found.parts, sensitive=sensitive)
            found.messages.append((tracer.trace(plan, version), version))
    except DecodeError as error:
        found.problem = _with_size(error, size, len(data) - _SIZE_BYTES) if sized else error
    else:
        found.problem = _problem_of_sizes(found, layers[-1], size if sized else None)

    if found.end < len(data):
        found.parts.append(_unread_part(found, layers, sensitive=sensitive))
    return found


def _with_size(error: DecodeError, size: int, actual: int) -> DecodeError:
    """Return the error. If there are fewer bytes than the ``size``, its reason includes that."""
    if not 0 <= actual < size:
        return error
    reason = f"{error.reason}; the size requires {size} bytes after it, found {actual}"
    return DecodeError(error.message, error.version, error.path, reason, error.offset)


def _problem_of_sizes(found: Explanation, last: tuple[Plan, int], size: int | None) -> DecodeError | None:
    """Return the problem of extra bytes at the end or of a wrong ``size``, if any; ``last`` is the last message."""
    plan, version = last
    left = len(found.data) - found.end
    if left:
        return DecodeError(plan.name, version, "", f"extra bytes after the message: {left}", found.end)
    actual = len(found.data) - _SIZE_BYTES
    if size is not None and size != actual:
        return DecodeError(plan.name, version, "", f"the size is {size}, not {actual}", 0)
    return None


def _unread_part(found: Explanation, layers: Sequence[tuple[Plan, int]], *, sensitive: bool) -> Part:
    """Return the part of the bytes that could not be read."""
    hidden = not sensitive and any(may_be_sensitive(plan) for plan, _ in layers)
    value = _MAY_BE_SENSITIVE if hidden else ""
    # The value is shown, because it only explains why the bytes are hidden.
    return Part(_NOT_READ, 0, "", found.end, end=len(found.data), value=value, hidden=hidden, value_shown=True)


def may_be_sensitive(plan: Plan) -> bool:
    """Whether a message has sensitive fields."""
    return any(struct.sensitive for struct in plan.structs.values())
