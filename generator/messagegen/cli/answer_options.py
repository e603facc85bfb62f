"""Options that the commands of the advisor share: what they read, how they decide, and where results go."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from messagegen.cli.types import Place

Function = TypeVar("Function", bound=Callable[..., Any])

_FILE: Final = Place(dir_okay=False, path_type=Path)
_READABLE: Final = Place(exists=True, dir_okay=False, path_type=Path)


def added_options(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """A decorator that adds options to a command, in this order."""

    def add(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


reading_options = added_options(
    click.option(
        "--sample", type=click.FloatRange(min=0, max=1, min_open=True), default=1.0, show_default=True, metavar="SHARE",
        help="Look at a share of the rows only, chosen at random.",
    ),
    click.option(
        "--trial", type=click.IntRange(min=1), metavar="N",
        help="Also write and read N messages in each way, and time it; needs --specs.",
    ),
)  # fmt: skip
"""Adds ``--sample`` and ``--trial``."""

answer_options = added_options(
    click.option(
        "--engine", type=click.Choice(["native", "python"]), default="native", show_default=True,
        help="Whose costs count: of the native engine, or of generated Python alone.",
    ),
    click.option(
        "--ns-per-byte", type=click.FloatRange(min=0), default=8.0, show_default=True, metavar="NS",
        help="What a byte on the wire is worth; 8 is its time at 1 Gbit/s.",
    ),
    click.option("--costs", type=_READABLE, metavar="FILE", help="Another table of costs than the built-in one."),
    click.option(
        "--specs", type=Place(exists=True, path_type=Path), metavar="DIR",
        help="The specs: messages come from there, and the patch of the spec is made for them.",
    ),
    click.option("--report", type=_FILE, metavar="FILE", help="Write a page (HTML) with charts."),
    click.option("--patch", type=_FILE, metavar="FILE", help="Write the change of the spec as a diff; needs --specs."),
    click.option("--save", type=_FILE, metavar="FILE", help="Write the statistics, for `messagegen-advise merge`."),
    click.option(
        "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
    ),
)  # fmt: skip
"""Adds how to decide, and where results go."""
