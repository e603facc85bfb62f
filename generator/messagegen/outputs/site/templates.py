"""The templates of the site, which escape all that they place, and the files that pages share."""

from __future__ import annotations

from functools import cache
from typing import Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from messagegen.templating import template_loader

STYLES: Final = (
    "theme.css",
    "text.css",
    "page.css",
    "search.css",
    "table.css",
    "wire.css",
    "compare.css",
    "code.css",
    "phone.css",
)
"""The parts of the style sheet, in order."""

SCRIPTS: Final = ("search.js", "results.js", "compare.js", "comparison.js", "version.js", "keys.js")
"""The parts of the script that runs when a page is read."""


@cache
def _environment() -> Environment:
    return Environment(
        loader=template_loader("site"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )


def rendered(template: str, /, **values: object) -> str:
    """A template with its values in place."""
    return _environment().get_template(template).render(values)


def copied(*names: str) -> str:
    """Files as they are, one after the other."""
    loader = template_loader("site")
    return "\n".join(loader.get_source(_environment(), name)[0] for name in names)


def linked(text: str, target: str) -> Markup:
    """A text that leads to ``target``, if there is one."""
    return Markup('<a href="{}">{}</a>').format(target, text) if target else escape(text)
