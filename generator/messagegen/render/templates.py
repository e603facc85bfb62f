"""The templates of outputs, which only place text."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, StrictUndefined, Template

from messagegen.templating import template_loader


@cache
def _environment(output: str) -> Environment:
    return Environment(
        loader=template_loader(output),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - the output is Python; literals.py escapes
    )


def template(output: str, name: str) -> Template:
    """A template of an output."""
    return _environment(output).get_template(name)
