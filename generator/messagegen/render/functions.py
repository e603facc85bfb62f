"""Prints functions."""

from __future__ import annotations

from typing import Final

from messagegen.lower.ops import Function
from messagegen.render import reading, writing
from messagegen.render.printer import Lines

_HEADS: Final = {**reading.HEADS, **writing.HEADS}


def function_lines(function: Function) -> list[str]:
    """The lines of a function."""
    first, last, returns = _HEADS[function.kind]
    parameters = [*first, *["source: bytes | memoryview"] * function.keeps_views, *last]
    to = Lines()
    to.bracketed(f"def {function.name}(", parameters, f") -> {returns}:")
    to.block(function.body)
    return to.lines
