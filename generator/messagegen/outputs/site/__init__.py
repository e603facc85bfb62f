"""The output ``site``: pages about messages for a browser, complete without scripts and without any assets from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from messagegen.findings import UsageError
from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.outputs.site.catalog import groups, page_of
from messagegen.outputs.site.message import message_page
from messagegen.outputs.site.templates import copied, rendered
from messagegen.plan.partners import partners

__all__ = ["SITE", "TITLE"]

TITLE: Final = "Message reference"
"""The title of a site that is given none."""


def _files(inputs: Inputs, options: Options) -> Mapping[str, File]:
    title = options.get("title", TITLE)
    if not isinstance(title, str) or not title.strip():
        raise UsageError(f'title of the output site must be a string; write options.site = {{ title = "{TITLE}" }}')
    partner_of = partners(inputs.messages)
    index = partial(rendered, "index.html.j2", site=title, root="", title=title)
    return {
        "index.html": File(lambda: index(groups=groups(inputs.messages), size=len(inputs.messages))),
        "assets/site.css": File(partial(copied, "site.css")),
        "assets/site.js": File(partial(copied, "site.js")),
        **{
            page_of(plan): File(partial(message_page, plan, partner_of.get(plan.name), title))
            for plan in inputs.messages
        },
    }


SITE: Final = Output(
    name="site",
    purpose="pages about messages for a browser",
    files=_files,
    options=("title",),
)
