"""The templates of the site, which escape all that they place, and the files that pages share."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, StrictUndefined

from messagegen.templating import template_loader


@cache
def _environment() -> Environment:
    loader = template_loader("site")
    return Environment(
        loader=loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )


def rendered(template: str, /, **values: object) -> str:
    """A template with its values in place."""
    return _environment().get_template(template).render(values)


def copied(name: str) -> str:
    """A file as it is."""
    return template_loader("site").get_source(_environment(), name)[0]
