"""The messages in the groups that the index shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from messagegen.plan.ops import MessagePlan

REQUESTS: Final = "Requests and responses"
HEADERS: Final = "Headers"
COORDINATOR: Final = "Records of internal topics"
METADATA: Final = "Metadata records"
DATA: Final = "Other data"

_GROUP_OF: Final = {
    "request": REQUESTS,
    "response": REQUESTS,
    "header": HEADERS,
    "coordinator-key": COORDINATOR,
    "coordinator-value": COORDINATOR,
    "metadata": METADATA,
    "data": DATA,
}
_ENDINGS: Final = {"request": "Request", "response": "Response", "coordinator-key": "Key", "coordinator-value": "Value"}
_COLUMNS: Final = {
    REQUESTS: (("request", "response"), "API key", ("Request", "Response")),
    COORDINATOR: (("coordinator-key", "coordinator-value"), "Type", ("Key", "Value")),
    METADATA: (("metadata",), "Type", ("Record",)),
    HEADERS: (("header",), "", ("Header",)),
    DATA: (("data",), "", ("Message",)),
}
"""Of each group, in the order of the index: the kinds of its columns, the title of the number, and the titles of the columns."""


@dataclass(frozen=True, slots=True)
class Link:
    """A message: its name and page, its versions, and what people should know before they use it."""

    name: str
    page: str
    versions: str
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a group: the number, what the messages have in common, and a list of at most one message for each column."""

    number: str
    name: str
    columns: tuple[tuple[Link, ...], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A group: its id, title, titles of columns, lines, and how many messages are in it."""

    anchor: str
    title: str
    columns: tuple[str, ...]
    entries: tuple[Entry, ...]
    size: int


def group_of(plan: MessagePlan) -> str:
    """The title of the group that a message belongs to."""
    return _GROUP_OF[plan.kind]


def anchor_of(title: str) -> str:
    """The id of a group."""
    return title.lower().replace(" ", "-")


def page_of(plan: MessagePlan) -> str:
    """The path of a message's page."""
    return f"messages/{plan.module}.html"


def groups(plans: Sequence[MessagePlan]) -> list[Group]:
    """The groups that have messages."""
    found = ((title, [plan for plan in plans if group_of(plan) == title]) for title in _COLUMNS)
    return [_group(title, members) for title, members in found if members]


def _group(title: str, plans: Sequence[MessagePlan]) -> Group:
    kinds, number, columns = _COLUMNS[title]
    lines: dict[_Line, list[MessagePlan]] = {}
    for plan in plans:
        lines.setdefault(_line(plan), []).append(plan)
    # The types of coordinator records count within one topic only, so that names keep together what belongs together.
    ordered = sorted(lines, key=lambda line: line.name) if title == COORDINATOR else sorted(lines)
    entries = tuple(_entry(line, lines[line], kinds) for line in ordered)
    return Group(anchor_of(title), title, (number, *columns), entries, len(plans))


class _Line(NamedTuple):
    """What messages of a line have in common; lines are in order of numbers, those without one in order of names."""

    number: int
    name: str


def _line(plan: MessagePlan) -> _Line:
    """A message's line; its name leaves out the word that tells a request from its response, or a key from its value."""
    return _Line(-1 if plan.api_key is None else plan.api_key, plan.name.removesuffix(_ENDINGS.get(plan.kind, "")))


def _entry(line: _Line, plans: Sequence[MessagePlan], kinds: Sequence[str]) -> Entry:
    columns = tuple(tuple(_link(plan) for plan in plans if plan.kind == kind) for kind in kinds)
    return Entry("" if line.number < 0 else str(line.number), line.name, columns)


def _link(plan: MessagePlan) -> Link:
    return Link(plan.name, page_of(plan), str(plan.valid_versions), tuple(_marks(plan)))


def _marks(plan: MessagePlan) -> Iterable[str]:
    if plan.latest_version_unstable:
        yield "unstable"
    if plan.deprecated_versions == plan.valid_versions:
        yield "deprecated"
