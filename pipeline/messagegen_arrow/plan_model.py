"""A message's plan, read from the text that every generated class carries (``Message.CODEC.plan``).

The text says which structs a message has, and in which versions which of their fields lie on the wire, and how. It is content:
it travels to workers as it is, and nothing has to be imported there to know a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

PLAN_FORMAT: Final = 1
"""The form of plan texts that is read here; the first line of a text names its form."""

_SENSITIVE: Final = ":sensitive "
_LAYOUT_OF_STRUCT: Final = re.compile(r"struct\((\d+)\)")


@dataclass(frozen=True, slots=True)
class PlanField:
    """A field of a struct: attribute (snake case), key (Kafka's JSON name), Kafka's type, and the default as JSON text."""

    attribute: str
    key: str
    type: str
    nullable: bool
    default: str

    @property
    def is_array(self) -> bool:
        """Whether the field is an array."""
        return self.type.startswith("[]")

    @property
    def element_type(self) -> str:
        """The type of the elements of an array, and of anything else the type itself."""
        return self.type.removeprefix("[]")


@dataclass(frozen=True, slots=True)
class PlanLayout:
    """The bytes of one struct in the versions in which they are the same; codecs as in the plan's text."""

    struct: str
    versions: tuple[int, ...]
    flexible: bool
    steps: Mapping[str, str]
    """Attribute to codec, in the order of the wire."""
    tagged: Mapping[str, tuple[int, str]]
    """Attribute to tag and codec."""

    def codec(self, attribute: str) -> str | None:
        """How the field lies on the wire; ``None`` if these versions do not have it."""
        if attribute in self.steps:
            return self.steps[attribute]
        return self.tagged[attribute][1] if attribute in self.tagged else None


@dataclass(frozen=True, slots=True)
class Plan:
    """The structs of a message, in callers' terms, and their layouts on the wire; the first struct is the message itself."""

    name: str
    kind: str
    structs: Mapping[str, Mapping[str, PlanField]]
    layouts: tuple[PlanLayout, ...]
    roots: Mapping[int, PlanLayout] = field(default_factory=dict)
    """Version to the layout of the message."""
    sensitive: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Struct to its sensitive fields, each with the fields beside it that decide; without any it is always sensitive."""

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions that the message has, ascending."""
        return tuple(sorted(self.roots))

    def root_layouts(self, versions: Iterable[int]) -> tuple[PlanLayout, ...]:
        """The distinct layouts of the message in these versions; raises ``LookupError`` for one that it does not have."""
        for version in versions:
            if version not in self.roots:
                lowest, highest = self.versions[0], self.versions[-1]
                raise LookupError(f"{self.name} has the versions {lowest} to {highest}, not {version}")
        return _distinct(self.roots[version] for version in versions)

    def nested_layouts(self, layouts: Iterable[PlanLayout], attribute: str) -> tuple[PlanLayout, ...]:
        """The layouts of the struct that a field is, or is an array of, where it lies in structs of these layouts."""
        codecs = (layout.codec(attribute) for layout in layouts)
        numbers = (_LAYOUT_OF_STRUCT.search(codec) for codec in codecs if codec is not None)
        return _distinct(self.layouts[int(number[1])] for number in numbers if number is not None)


def may_be_null(codec: str) -> bool:
    """Whether values with this codec may be null."""
    return codec.removesuffix("&").endswith("?")


def _distinct(layouts: Iterable[PlanLayout]) -> tuple[PlanLayout, ...]:
    return tuple({id(layout): layout for layout in layouts}.values())


@lru_cache(maxsize=1024)
def read_plan(text: str) -> Plan:
    """Reads a plan's text. Raises ``ValueError`` for a text of another form than ``PLAN_FORMAT``."""
    first, second, *lines = text.splitlines()
    if first != f"messagegen-plan {PLAN_FORMAT}":
        raise ValueError(f"plans of form {PLAN_FORMAT} are read here, not {first!r}; generate the messages again")
    _, name, kind, _ = second.split(" ", 3)
    structs: dict[str, dict[str, PlanField]] = {}
    layouts: list[PlanLayout] = []
    sensitive: dict[str, dict[str, tuple[str, ...]]] = {}
    for head, body in _records(lines):
        if head[0] == "struct":
            fields = map(_field, (line for line in body if not line.startswith(_SENSITIVE)))
            structs[head[1]] = {found.attribute: found for found in fields}
            sensitive[head[1]] = dict(_sensitive(body))
        else:
            layouts.append(_layout(head, body))
    root = next(iter(structs))
    roots = {version: layout for layout in layouts if layout.struct == root for version in layout.versions}
    return Plan(name, kind, structs, tuple(layouts), roots, sensitive)


def _records(lines: Iterable[str]) -> Iterator[tuple[list[str], list[str]]]:
    head: list[str] = []
    body: list[str] = []
    for line in lines:
        if line.startswith(" "):
            body.append(line[1:])
            continue
        if head:
            yield head, body
        head, body = line.split(" "), []
    if head:
        yield head, body


def _field(line: str) -> PlanField:
    attribute, key, type_, default = line.split(" ", 3)
    return PlanField(attribute, key, type_.removesuffix("?"), type_.endswith("?"), default)


def _sensitive(body: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in body:
        if line.startswith(_SENSITIVE):
            attribute, *deciders = line.removeprefix(_SENSITIVE).split(" ")
            yield attribute, tuple(deciders)


def _layout(head: list[str], body: list[str]) -> PlanLayout:
    steps: dict[str, str] = {}
    tagged: dict[str, tuple[int, str]] = {}
    for line in body:
        match line.removeprefix("+ ").split(" "):
            case [":tag", tag, attribute, codec]:
                tagged[attribute] = (int(tag), codec)
            case [mark, *_] if mark.startswith(":"):
                pass  # What is not on the wire gives no column.
            case [attribute, codec]:
                steps[attribute] = codec
            case _:
                raise ValueError(f"no line of a layout: {line!r}")
    return PlanLayout(head[2], tuple(_versions(head[3])), head[-1] == "flexible", steps, tagged)


def _versions(text: str) -> Iterator[int]:
    for part in text.split(","):
        lowest, _, highest = part.partition("-")
        yield from range(int(lowest), int(highest or lowest) + 1)
