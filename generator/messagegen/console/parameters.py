"""Option types with errors that contain the expected numbers. Click's own types accept NaN as a number of seconds."""

from __future__ import annotations

import math
from typing import Any

import click


class WholeNumber(click.IntRange):
    """A whole number from ``lowest`` to ``highest``, or of at least ``lowest``."""

    def __init__(self, lowest: int, highest: int | None = None) -> None:
        super().__init__(lowest, highest)
        self._expected = f"of at least {lowest}" if highest is None else f"from {lowest} to {highest}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse the number, for click."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"expected a whole number {self._expected}, got {str(value)!r}", param, ctx)


class Seconds(click.FloatRange):
    """A finite number of seconds above 0."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Parse the seconds, for click."""
        try:
            seconds: float = super().convert(value, param, ctx)
        except click.BadParameter:
            seconds = math.nan
        if not math.isfinite(seconds):
            self.fail(f"expected a number of seconds above 0, got {str(value)!r}", param, ctx)
        return seconds
