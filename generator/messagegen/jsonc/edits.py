"""Changes of a text in place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Puts ``text`` where the characters from ``start`` to ``end`` are."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits that do not touch an earlier one; offsets count in the text as it is."""
    parts: list[str] = []
    done = 0
    for edit in sorted(set(edits)):
        if edit.start < done:
            continue
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, text[done:]])
