"""What histories know of what they were fed, in a form that another process goes on from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

State = dict[str, Any]
"""JSON values; a part whose form changes gets another name."""


class StateError(ValueError):
    """Raised for a state that another version of messagegen gave."""


def parts_of(state: object, *names: str) -> tuple[Any, ...]:
    """The parts of a state. Raises ``StateError`` for one that lacks a part or has others."""
    found = tuple(state) if isinstance(state, Mapping) else ()
    if not isinstance(state, Mapping) or set(found) != set(names):
        what = ", ".join(map(str, found)) or "nothing"
        raise StateError(
            f"invalid state of a history: expected {', '.join(names)}, not {what}; another version of messagegen wrote it, "
            "so begin the history again"
        )
    return tuple(state[name] for name in names)
