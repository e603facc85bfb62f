"""Finds the templates: in a checkout next to the packages, and in an installation inside ``messagegen``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment, FileSystemLoader, Template


def template_folder() -> Path:
    """The folder with a folder of templates for each output."""
    installed = Path(__file__).with_name("templates")
    return installed if installed.is_dir() else Path(__file__).parents[2] / "templates"


def template_loader(output: str) -> FileSystemLoader:
    """A Jinja loader for the templates of an output, by file name."""
    from jinja2 import FileSystemLoader  # noqa: PLC0415 - slow to load, and not needed to find templates

    return FileSystemLoader(template_folder() / output)


def template(output: str, name: str) -> Template:
    """A template of an output of Python code, which only places text."""
    return environment(output).get_template(name)


@cache
def environment(output: str, *, autoescape: bool = False) -> Environment:
    """What renders the templates of an output."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - slow to load, and not needed to find templates

    return Environment(
        loader=template_loader(output),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=autoescape,  # noqa: S701 - Python is escaped by emit/literals.py
    )
