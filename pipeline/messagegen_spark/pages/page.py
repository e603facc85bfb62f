"""One HTML page of sections, that needs nothing else and fits light and dark, wide and narrow screens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import jinja2

from messagegen.templating import template_loader
from messagegen_arrow.text_tables import Table


class Chart(NamedTuple):
    """An SVG, and its description for those who cannot see it."""

    label: str
    svg: str


class Section(NamedTuple):
    """A part of the page under its own heading."""

    title: str
    paragraphs: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    has_pairs: bool = False
    """Whether charts stand side by side where the screen is wide."""
    tables: tuple[Table, ...] = ()
    diffs: tuple[str, ...] = ()


class Fact(NamedTuple):
    """A number that stands at the top of the page."""

    name: str
    value: str
    is_bad: bool = False


def html_page(title: str, summary: str, basis: str, sections: Iterable[Section], facts: Iterable[Fact] = ()) -> str:
    """The page; ``summary`` says what matters in a sentence, ``basis`` what it is based on."""
    environment = jinja2.Environment(
        loader=template_loader("page"), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.get_template("page.html.j2").render(
        title=title, summary=summary, basis=basis, facts=list(facts), sections=list(sections)
    )
