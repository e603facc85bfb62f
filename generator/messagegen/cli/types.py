"""Types of options that must not be empty, as they are when a shell variable is not set."""

from __future__ import annotations

from os import PathLike
from typing import Any

import click

_EMPTY = "must not be empty; is a shell variable not set?"


class Name(click.ParamType[str]):
    """A text that is not empty."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text as it is."""
        if not value:
            self.fail(_EMPTY, param, ctx)
        return str(value)


class OutputPlace(click.ParamType[Any]):
    """A path that is written to, or a URL of an object store, which stays a text."""

    name = "path"

    def __init__(self, **options: Any) -> None:
        """The options are those of ``click.Path``."""
        self._place = Place(**options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The URL as it is, anything else as ``Place`` gives it."""
        text = str(value)
        if "://" not in text:
            return self._place.convert(value, param, ctx)
        return self._place.convert(text[len("file://") :], param, ctx) if text.startswith("file:///") else text


class Place(click.Path):
    """``click.Path``, which would take an empty path for the current folder."""

    def convert(self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Fails as ``click.Path`` does, and where the path is empty."""
        if not value:
            self.fail(f"{_EMPTY} Use '.' for the current folder." if self.dir_okay else _EMPTY, param, ctx)
        return super().convert(value, param, ctx)
