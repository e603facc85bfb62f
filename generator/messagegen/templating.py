"""Loads the templates, which are next to the packages in a checkout, and inside ``messagegen`` in an installation."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment, FileSystemLoader, Template


def template_folder() -> Path:
    """Return the template folder, which has a subfolder for each output."""
    installed = Path(__file__).with_name("templates")
    return installed if installed.is_dir() else Path(__file__).parents[2] / "templates"


def template_loader(output: str) -> FileSystemLoader:
    """Return a Jinja loader for the templates of an output, by file name."""
    from jinja2 import FileSystemLoader  # noqa: PLC0415 - slow to load, and not needed to find templates

    return FileSystemLoader(template_folder() / output)


def template(output: str, name: str) -> Template:
    """Return a template of an output in Python code. It inserts strings without escapes."""
    return environment(output).get_template(name)


@cache
def environment(output: str, *, autoescape: bool = False) -> Environment:
    """Return the Jinja environment for the templates of an output."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - slow to load, and not needed to find templates

    return Environment(
        loader=template_loader(output),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        autoescape=autoescape,  # noqa: S701 - Python is escaped by emit/literals.py
    )
