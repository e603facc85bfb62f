"""The printing of text in all commands, which makes the text of strangers safe."""

from __future__ import annotations

import click

from .text import printable


def show(*lines: str, err: bool = False, fg: str | None = None, bold: bool = False, dim: bool = False) -> None:
    """Print lines that a terminal prints literally and that no CI service takes for commands.

    A line break inside a line is escaped. With ``err``, print to standard error. The other options are those of
    ``click.style``.
    """
    is_styled = fg is not None or bold or dim
    for line in map(printable, lines):
        click.echo(click.style(line, fg=fg, bold=bold or None, dim=dim or None) if is_styled else line, err=err)
