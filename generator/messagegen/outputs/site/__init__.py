"""The output ``site``: pages about messages for a browser, without any assets from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from messagegen.findings import UsageError
from messagegen.outputs import formatting
from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.outputs.site.catalog import page_of
from messagegen.outputs.site.pages import Site, index_page, message_page
from messagegen.outputs.site.search import search_script
from messagegen.outputs.site.templates import SCRIPTS, STYLES, copied
from messagegen.plan.partners import partners

__all__ = ["SITE", "TITLE"]

TITLE: Final = "Message reference"
"""The title of a site that is given none."""


def _files(inputs: Inputs, options: Options) -> Mapping[str, File]:
    title = options.get("title", TITLE)
    if not isinstance(title, str) or not title.strip():
        raise UsageError(f'title of the output site must be a string; write options.site = {{ title = "{TITLE}" }}')
    site = Site(title, len(inputs.messages))
    partner_of = partners(inputs.messages)
    return {
        "index.html": File(partial(index_page, inputs.messages, site)),
        "assets/icon.svg": File(partial(copied, "icon.svg")),
        "assets/site.css": File(partial(copied, *STYLES)),
        "assets/theme.js": File(partial(copied, "theme.js")),
        "assets/messages.js": File(partial(search_script, inputs.messages)),
        "assets/site.js": File(partial(copied, *SCRIPTS)),
        **{
            page_of(plan): File(partial(message_page, plan, partner_of.get(plan.name), site))
            for plan in inputs.messages
        },
    }


SITE: Final = Output(
    name="site",
    purpose="pages about messages for a browser",
    files=_files,
    formatter=formatting.unchanged,
    options=("title",),
)
