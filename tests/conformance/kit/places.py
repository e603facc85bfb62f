"""The positions of the lengths and tag sections of a message, so that a test can change one of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from messagegen.runtime.errors import DEFAULT_LIMITS
from messagegen.runtime.plan import Codec, Layout, Plan
from messagegen.runtime.walk import Reader


@dataclass(frozen=True, slots=True)
class Length:
    """A length or count between ``start`` and ``end``; the contents begin at ``end``."""

    codec: Codec
    start: int
    end: int
    number: int


@dataclass(slots=True)
class TagSection:
    """The tag section of a struct; ``fields`` has the tag, start and end of each tagged field, with its head."""

    start: int
    end: int = -1
    fields: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])


class Places(Reader):
    """A reader that also lists all lengths, and all tag sections in the order in which they end."""

    def __init__(self, data: bytes, plan: Plan, version: int) -> None:
        super().__init__(data, 0, DEFAULT_LIMITS)
        self.lengths: list[Length] = []
        self.sections: list[TagSection] = []
        self._open: list[TagSection] = []
        self.decode(plan, version)

    def length(self, codec: Codec) -> int | None:
        """Read a length and list it, unless it is null or inside a tagged field, whose size would change."""
        start = self.position
        length = super().length(codec)
        if length is not None and not self._open:
            self.lengths.append(Length(codec, start, self.position, length))
        return length

    def tag_section(self, layout: Layout, message: Any) -> None:
        """Read a tag section and list it."""
        section = TagSection(self.position)
        self._open.append(section)
        super().tag_section(layout, message)
        self._close_field()
        self._open.pop().end = self.position
        self.sections.append(section)

    def tag_head(self, layout: Layout) -> tuple[int, int]:
        """Read the head of a tagged field, which ends the field before it."""
        self._close_field()
        start = self.position
        tag, size = super().tag_head(layout)
        self._open[-1].fields.append((tag, start, -1))
        return tag, size

    def _close_field(self) -> None:
        fields = self._open[-1].fields
        if fields and fields[-1][2] < 0:
            fields[-1] = (*fields[-1][:2], self.position)
