"""Finds the templates, one folder per output: next to the packages in a checkout, inside ``messagegen`` if installed."""

from __future__ import annotations

from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jinja2 import Environment, FunctionLoader, Template

_CHECKOUT: Final = Path(__file__).parents[2] / "templates"


def template_folder() -> Traversable:
    """The folder with a folder of templates for each output."""
    installed = files("messagegen") / "templates"
    return installed if installed.is_dir() else _CHECKOUT


def template_loader(output: str) -> FunctionLoader:
    """A Jinja loader for the templates of an output, by file name."""
    from jinja2 import FunctionLoader  # noqa: PLC0415 - slow to load, and not needed to find templates

    return FunctionLoader(partial(_text, template_folder() / output))


def template(output: str, name: str) -> Template:
    """A template of an output of Python code, which only places text."""
    return _environment(output).get_template(name)


@cache
def _environment(output: str) -> Environment:
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - slow to load, and not needed to find templates

    return Environment(
        loader=template_loader(output),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - the output is Python; emit/literals.py escapes
    )


def _text(folder: Traversable, name: str) -> str | None:
    file = folder / name
    return file.read_text(encoding="utf-8") if file.is_file() else None
