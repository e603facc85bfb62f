"""The messages in the groups that the index shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from messagegen.plan.ops import MessagePlan

_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_GROUPS: Final = (
    ("Requests and responses", "API key", {"request": "Request", "response": "Response"}),
    ("Coordinator records", "Type", {"coordinator-key": "Key", "coordinator-value": "Value"}),
    ("Metadata records", "Type", {"metadata": "Record"}),
    ("Headers", "", {"header": "Header"}),
    ("Data messages", "", {"data": "Message"}),
)
"""Titles, what the number of a line is if it has one, and the columns by kind of message."""


@dataclass(frozen=True, slots=True)
class Link:
    """A message: its name and page, its versions, and what people should know before they use it."""

    name: str
    page: str
    versions: str
    marks: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The words of the name, between which a narrow screen may break it."""
        return _WORD.split(self.name)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a group: one number or none, the messages of each column, and the words by which it is found."""

    number: tuple[str, ...]
    columns: tuple[tuple[Link, ...], ...]
    words: str


@dataclass(frozen=True, slots=True)
class Group:
    """A group: its title, the titles of columns, and its lines."""

    title: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]


def group_of(plan: MessagePlan) -> str:
    """The title of the group that a message belongs to."""
    return next(title for title, _, kinds in _GROUPS if plan.kind in kinds)


def page_of(plan: MessagePlan) -> str:
    """The path of a message's page."""
    return f"messages/{plan.module}.html"


def groups(plans: Sequence[MessagePlan]) -> list[Group]:
    """The groups that have messages."""
    found: list[Group] = []
    for title, number, kinds in _GROUPS:
        lines: dict[tuple[int, str], list[MessagePlan]] = {}
        for plan in plans:
            if plan.kind in kinds:
                lines.setdefault((-1 if plan.api_key is None else plan.api_key, _common_name(plan, kinds)), []).append(
                    plan
                )
        if lines:
            columns = (*([number] if number else []), *kinds.values())
            found.append(Group(title, columns, tuple(_line(lines[key], kinds, number) for key in sorted(lines))))
    return found


def _common_name(plan: MessagePlan, kinds: dict[str, str]) -> str:
    """A message's name without the word that tells a request from its response, or a key from its value."""
    return plan.name.removesuffix(kinds[plan.kind]) if len(kinds) > 1 else plan.name


def _line(plans: Sequence[MessagePlan], kinds: dict[str, str], number: str) -> Line:
    names = {
        name
        for plan in plans
        for struct in plan.structs
        for field in struct.fields
        for name in (field.name, field.attribute)
    }
    key = "" if plans[0].api_key is None else str(plans[0].api_key)
    return Line(
        number=(key,) if number else (),
        columns=tuple(tuple(_link(plan) for plan in plans if plan.kind == kind) for kind in kinds),
        words=" ".join([*(plan.name for plan in plans), key, *sorted(names)]).lower(),
    )


def _link(plan: MessagePlan) -> Link:
    marks = ("unstable", plan.latest_version_unstable), ("deprecated", plan.deprecated_versions == plan.valid_versions)
    return Link(plan.name, page_of(plan), str(plan.valid_versions), tuple(mark for mark, holds in marks if holds))
