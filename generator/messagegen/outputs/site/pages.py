"""Pages: what the templates place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from messagegen.outputs.site.catalog import anchor_of, group_of, groups, page_of
from messagegen.outputs.site.example import Example, example
from messagegen.outputs.site.fields import structs, texts
from messagegen.outputs.site.history import history
from messagegen.outputs.site.sample import Samples
from messagegen.outputs.site.source import source
from messagegen.outputs.site.templates import rendered
from messagegen.outputs.site.wire import Row, layouts, ranges, rows, shown
from messagegen.plan.ops import MessagePlan


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages have in common: a title, and how many messages there are."""

    title: str
    size: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout of a message: its id, the versions that have it in words and as numbers, its rows and its example."""

    anchor: str
    title: str
    versions: str
    rows: tuple[Row, ...]
    example: Example


def index_page(plans: Sequence[MessagePlan], site: Site) -> str:
    """The list of messages."""
    return rendered("index.html.j2", site=site, root="", title=site.title, groups=groups(plans))


def message_page(plan: MessagePlan, partner: MessagePlan | None, site: Site) -> str:
    """The page of one message."""
    group, samples = group_of(plan), Samples(plan)
    return rendered(
        "message.html.j2",
        site=site,
        root="../",
        title=f"{plan.name} · {site.title}",
        name=plan.name,
        about=texts(plan.about),
        group=group,
        group_anchor=anchor_of(group),
        facts=list(_facts(plan)),
        partners=[(partner.kind, partner.name, page_of(partner).removeprefix("messages/"))] if partner else [],
        versions=list(plan.valid_versions)[::-1],
        structs=structs(plan),
        layouts=[_layout(plan, samples, versions, root) for versions, root in layouts(plan)],
        history=history(plan),
        source=source(plan, partner),
    )


def _layout(plan: MessagePlan, samples: Samples, versions: tuple[int, ...], root: int) -> Layout:
    return Layout(
        anchor=f"layout-{versions[-1]}",
        title=f"Version{'s' * (len(versions) > 1)} {ranges(versions)}",
        versions=" ".join(map(str, versions)),
        rows=tuple(rows(plan, root)),
        example=example(samples, versions[-1]),
    )


def _facts(plan: MessagePlan) -> Iterator[tuple[str, str]]:
    """What is said of a message in short, term by term."""
    valid = plan.valid_versions
    yield "Kind", plan.kind
    if plan.api_key is not None:
        yield "API key" if plan.kind in {"request", "response"} else "Type", str(plan.api_key)
    yield "Versions", str(valid)
    yield "Flexible", "never" if plan.flexible_versions.empty else shown(plan.flexible_versions, valid)
    if not plan.deprecated_versions.empty:
        yield "Deprecated", str(plan.deprecated_versions)
    if plan.latest_version_unstable:
        yield "Unstable", str(valid.highest)
    if plan.listeners:
        yield "Listeners", ", ".join(plan.listeners)
    if plan.header_versions:
        yield "Header", "; ".join(f"{header} for {shown(versions, valid)}" for versions, header in plan.header_versions)
