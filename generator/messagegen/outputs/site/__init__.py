"""The output ``site``: HTML pages about messages, which load no scripts or assets from other sites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from messagegen.console.text import count
from messagegen.findings import UsageError
from messagegen.names import words
from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.outputs.site.message import facts, layouts, structs_with_fields
from messagegen.plan.ops import MessagePlan
from messagegen.plan.partners import partners
from messagegen.templating import environment, template_folder

TITLE: Final = "Message reference"
"""The default title of a site."""
_KINDS: Final = ("request", "response", "coordinator-key", "coordinator-value", "metadata", "header", "data")


def _files(inputs: Inputs, options: Options) -> Mapping[str, File]:
    title = options.get("title", TITLE)
    if not isinstance(title, str) or not title.strip():
        raise UsageError(f'title of the output site must be a string; write options.site = {{ title = "{TITLE}" }}')
    partner_of = partners(inputs.messages)
    pages = {
        f"messages/{plan.module}.html": File(partial(_message, title, plan, partner_of.get(plan.name)))
        for plan in inputs.messages
    }
    assets = {f"assets/{name}": File(partial(_asset, name)) for name in ("site.css", "site.js")}
    return {"index.html": File(partial(_index, title, inputs.messages)), **assets, **pages}


def _index(site: str, plans: Sequence[MessagePlan]) -> str:
    messages = sorted(plans, key=lambda plan: (_KINDS.index(plan.kind), plan.api_key or 0, plan.name))
    columns = {
        "Kind": [plan.kind for plan in messages],
        "Key": ["" if plan.api_key is None else str(plan.api_key) for plan in messages],
        "Versions": [str(plan.valid_versions) for plan in messages],
        "About": [plan.about for plan in messages],
    }
    # Omit empty columns: messages of users often have no keys, and Kafka's messages have no about texts.
    shown = {head: texts for head, texts in columns.items() if any(texts)}
    classes = [head.lower() for head in shown]
    cells = [list(zip(classes, row, strict=True)) for row in zip(*shown.values(), strict=True)]
    searched = (" ".join([plan.name, plan.about, *_fields(plan)]).lower() for plan in messages)
    rows = list(zip(messages, cells, searched, strict=True))
    return _rendered(
        "index.html.j2",
        site=site,
        title=site,
        root="",
        heads=["Message", *shown],
        rows=rows,
        total=count(len(rows), "message"),
    )


def _fields(plan: MessagePlan) -> Iterator[str]:
    """Yield the field names that the search compares with its query."""
    for struct in plan.structs:
        for field in struct.fields:
            yield from (field.name, field.attribute)


def _message(site: str, plan: MessagePlan, partner: MessagePlan | None) -> str:
    return _rendered(
        "message.html.j2",
        site=site,
        title=f"{plan.name} · {site}",
        root="../",
        plan=plan,
        facts=list(facts(plan)),
        partners=[partner] if partner else [],
        structs=list(structs_with_fields(plan)),
        layouts=layouts(plan),
    )


def _rendered(name: str, **values: object) -> str:
    """Return a page; inserted values are escaped."""
    return environment("site", autoescape=True).get_template(name).render(values, words=words)


def _asset(name: str) -> str:
    """Return the text of an asset."""
    return (template_folder() / "site" / name).read_text(encoding="utf-8")


SITE: Final = Output(
    name="site",
    about="HTML pages about the messages",
    files=_files,
    options=("title",),
)
