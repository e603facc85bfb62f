"""A type of options that must not be empty, as they are when a shell variable is not set."""

from __future__ import annotations

from os import PathLike
from typing import Any

import click

_EMPTY = "must not be empty; is a shell variable not set?"


class Place(click.Path):
    """``click.Path``, which would take an empty path for the current folder."""

    def convert(self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Fails as ``click.Path`` does, and where the path is empty."""
        if not value:
            self.fail(f"{_EMPTY} Use '.' for the current folder." if self.dir_okay else _EMPTY, param, ctx)
        return super().convert(value, param, ctx)
