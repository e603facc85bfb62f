"""The messages in the groups that the index shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from markupsafe import Markup

from messagegen.plan.ops import MessagePlan
from messagegen.record_types import CONTROL_RECORDS, FAMILIES, Described, record_types

REQUESTS: Final = "Requests and responses"
HEADERS: Final = "Headers"
DATA: Final = "Other data"

_WORDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TITLES: Final = {
    family: family.capitalize() if family == CONTROL_RECORDS else f"Records of {family}" for family in FAMILIES
}
_ORDER: Final = (REQUESTS, *_TITLES.values(), HEADERS, DATA)
_ENDINGS: Final = {"request": "Request", "response": "Response", "coordinator-key": "Key", "coordinator-value": "Value"}
_COLUMNS: Final = {
    "request": (("API key", "Request", "Response"), ("request", "response")),
    "response": (("API key", "Request", "Response"), ("request", "response")),
    "coordinator-key": (("Type", "Key", "Value"), ("coordinator-key", "coordinator-value")),
    "coordinator-value": (("Type", "Key", "Value"), ("coordinator-key", "coordinator-value")),
    "metadata": (("Type", "Record"), ("metadata",)),
    "header": (("", "Header"), ("header",)),
    "data": (("", "Message"), ("data",)),
}
"""Of each kind of message: the titles of columns in its group, and the kinds in the columns after the first, which is a number."""


@dataclass(frozen=True, slots=True)
class Link:
    """A message: its name and page, its versions, and what people should know before they use it."""

    name: str
    page: str
    versions: str
    marks: tuple[str, ...]

    @property
    def title(self) -> Markup:
        """The name, which a narrow screen may break between its words."""
        return Markup("<wbr>").join(_WORDS.split(self.name))


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
    match plan.kind:
        case "request" | "response":
            return REQUESTS
        case "header":
            return HEADERS
        case "data":
            control = {each.value: each.family for each in record_types(())}
            return _TITLES[control[plan.name]] if plan.name in control else DATA
        case "metadata":
            described = Described(plan.name, plan.kind, plan.api_key)
        case _:
            described = Described(f"{_line(plan).name}Key", "coordinator-key", plan.api_key)
    return _TITLES[next(iter(record_types([described]))).family]


def anchor_of(title: str) -> str:
    """The id of a group."""
    return title.lower().replace(" ", "-")


def page_of(plan: MessagePlan) -> str:
    """The path of a message's page."""
    return f"messages/{plan.module}.html"


def groups(plans: Sequence[MessagePlan]) -> list[Group]:
    """The groups that have messages."""
    members: dict[str, list[MessagePlan]] = {}
    for plan in plans:
        members.setdefault(group_of(plan), []).append(plan)
    return [_group(title, members[title]) for title in sorted(members, key=_ORDER.index)]


def _group(title: str, plans: Sequence[MessagePlan]) -> Group:
    columns, kinds = _COLUMNS[plans[0].kind]
    lines: dict[_Line, list[MessagePlan]] = {}
    for plan in plans:
        lines.setdefault(_line(plan), []).append(plan)
    entries = tuple(_entry(line, lines[line], kinds) for line in sorted(lines))
    return Group(anchor_of(title), title, columns, entries, len(plans))


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
