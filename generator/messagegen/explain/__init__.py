"""What each byte of a message means: its parts, as the reference codec reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from messagegen.explain.tracer import Part, Tracer
from messagegen.runtime.errors import DecodeError
from messagegen.runtime.plan import Plan
from messagegen.runtime.secrets import REDACTED

__all__ = ["Explanation", "Part", "explain", "may_be_sensitive", "table"]

_BYTES_SHOWN: Final = 16
_VALUE_SHOWN: Final = 60
_REST: Final = "(not read)"
_HIDDEN: Final = "may be sensitive; --show-sensitive shows it"


@dataclass(slots=True)
class Explanation:
    """What is found out about some bytes: the parts, as far as they can be read, and what is wrong with them.

    ``messages`` are those that were read, a header first, each with its version.
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
    """Explains messages that follow one another, such as a header and a body, each in a version that it has.

    With ``sized``, four bytes of size come first. Bytes that are left over are a part without a name, and a problem.
    ``sensitive`` shows what is sensitive.
    """
    found = Explanation(data)
    plan, version = layers[-1]
    size = int.from_bytes(data[:4], "big", signed=True)
    if sized:
        found.parts.append(Part("size", 0, "int32", 0, end=min(4, len(data)), value=str(size)))
    try:
        for plan, version in layers:
            tracer = Tracer(data, found.end, found.parts, sensitive=sensitive)
            found.messages.append((tracer.trace(plan, version), version))
        if left := len(data) - found.end:
            found.problem = DecodeError(plan.name, version, "", f"extra bytes after the message: {left}", found.end)
        elif sized and size != len(data) - 4:
            found.problem = DecodeError(plan.name, version, "", f"the size is {size}, not {len(data) - 4}", 0)
    except DecodeError as error:
        found.problem = error
    if found.end < len(data):
        hidden = not sensitive and any(may_be_sensitive(plan) for plan, _ in layers)
        found.parts.append(Part(_REST, 0, "", found.end, end=len(data), value=_HIDDEN * hidden, hidden=hidden))
    return found


def may_be_sensitive(plan: Plan) -> bool:
    """Whether a message has fields that are not shown."""
    return any(struct.sensitive for struct in plan.structs.values())


def table(parts: Sequence[Part], data: bytes) -> Iterator[str]:
    """The lines of a table with a row for each part, and a line of titles."""
    rows = [("offset", "bytes", "hex", "field", "type", "value"), *(_row(part, data) for part in parts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        numbers = [text.rjust(width) for text, width in zip(row[:2], widths, strict=False)]
        texts = [text.ljust(width) for text, width in zip(row[2:], widths[2:], strict=True)]
        yield "  ".join([*numbers, *texts]).rstrip()


def _row(part: Part, data: bytes) -> tuple[str, ...]:
    own = data[part.offset : part.end]
    hex_, value = own[:_BYTES_SHOWN].hex(" "), part.value
    if part.hidden:
        hex_, value = REDACTED, value if part.name == _REST else REDACTED
    elif len(own) > _BYTES_SHOWN:
        hex_ += "..."
    value = value if len(value) <= _VALUE_SHOWN else f"{value[: _VALUE_SHOWN - 3]}..."
    place = (str(part.offset), str(len(own))) if own else ("", "")
    return (*place, hex_, f"{'  ' * part.depth}{part.name}", part.type, value)
