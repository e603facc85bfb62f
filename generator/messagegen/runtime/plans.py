"""Whole plans as objects, read from their text, which ``messagegen.plan.text`` writes and describes; for JSON and for tools.

``walk.py`` has their parts, and reads of them what errors need.
"""

from __future__ import annotations

from json import loads

from . import PLAN_FORMAT, walk
from .walk import Codec as Codec  # noqa: PLC0414 - other packages take these from here
from .walk import Field as Field  # noqa: PLC0414
from .walk import Layout as Layout  # noqa: PLC0414
from .walk import StructPlan, version_range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Plan(walk.Plan):
    """A message: its structs by class name (itself first), and its layouts.

    ``kind`` is its role in the protocol. ``layouts_of`` has the layout of each struct in each version.
    """

    def __init__(self, name: str, kind: str, valid_versions: range) -> None:
        super().__init__(name)
        self.kind = kind
        self.valid_versions = valid_versions
        self.structs: dict[str, StructPlan] = {}
        self.layouts_of: dict[int, dict[str, Layout]] = {}

    @property
    def root(self) -> StructPlan:
        """The struct of the message itself."""
        return next(iter(self.structs.values()))

    @property
    def cls(self) -> Any:
        """The class of the message, if the plan was read with classes."""
        return next(iter(self.roots.values())).cls


def read_plan(text: str, classes: Mapping[str, type[Any]] | None = None) -> Plan:
    """Parses the text of a plan, optionally with the classes of its structs. Raises ``ValueError`` for invalid text."""
    first, *lines = text.removesuffix("\n").split("\n")
    if first != f"messagegen-plan {PLAN_FORMAT}":
        raise ValueError(f"expected a plan of format {PLAN_FORMAT}, got {first[:200]!r}; generate the messages again")
    start = next((number for number, line in enumerate(lines) if line.startswith("layout ")), len(lines))
    try:
        _, name, kind, versions = lines[0].split(" ")
        plan = Plan(name, kind, version_range(versions))
        for line in lines[1:start]:
            _read_struct_line(plan, line.split(" "), classes)
        plan.read_layouts(lines[start:], plan.structs, classes or {})
    except (ValueError, LookupError) as failure:
        raise ValueError(f"invalid plan: {failure!s:.200}") from None
    if not plan.roots:
        raise ValueError("the plan has no version")
    for layout in plan.layouts:
        for version in layout.versions:
            plan.layouts_of.setdefault(version, {})[layout.struct.class_name] = layout
    return plan


def _read_struct_line(plan: Plan, words: list[str], classes: Mapping[str, type[Any]] | None) -> None:
    """Reads a line of a struct. Plans are made with the code that reads them, so little is checked."""
    struct = next(reversed(plan.structs.values()), None)
    match words:
        case ["struct", name]:
            plan.structs[name] = StructPlan(name)
        case ["", ":about", attribute, *text] if struct and attribute in struct.fields:
            struct.fields[attribute].about = loads(" ".join(text))
        case ["", ":sensitive", attribute, *deciders] if struct:
            struct.fields[attribute].sensitive = tuple(deciders)
        case ["", word, *_] if word.startswith(":"):
            pass  # Older generators wrote more.
        case ["", attribute, key, type_, *default] if default and struct:
            field = Field(attribute, classes[struct.class_name].__defaults__[attribute] if classes else None)
            field.key, field.type, field.nullable = key, type_.removesuffix("?"), type_.endswith("?")
            field.default_text, field.about, field.sensitive = " ".join(default), "", None
            struct.fields[attribute] = field
        case _:
            raise ValueError(f"unexpected words {words}")
