"""The plan's text form as objects to walk: for errors, for JSON, and as the reference that fast codecs are held against."""

from __future__ import annotations

from .costs import of_struct
from .native import PLAN_FORMAT
from .primitives import some, some_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


NUMBERS = ("bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "float64")
"""The kinds of constant size; only a uuid, which has it too, is no number."""


class Codec:
    """How one value lies on the wire; ``kind`` is a primitive's name, ``packed``, ``upacked``, ``array`` or ``struct``."""

    __slots__ = ("bits", "compact", "element", "kind", "layout", "null", "numbers", "zero_copy")

    def __init__(self, text: str, layouts: list[Layout]) -> None:
        self.zero_copy = text.endswith("&")
        text = text.removesuffix("&")
        self.null = len(text) - len(text.rstrip("?"))
        text = text.rstrip("?")
        self.compact = text.startswith("compact_")
        text = text.removeprefix("compact_")
        self.bits = 0
        self.element: Codec | None = None
        self.layout: Layout | None = None
        self.kind, _, argument = text.partition("(")
        if self.kind == "array":
            self.element = Codec(argument[:-1], layouts)
        elif self.kind == "struct":
            self.layout = layouts[int(argument[:-1])]
        elif self.kind.startswith(("packed", "upacked")):
            self.bits = int(self.kind[-2:])
            self.kind = self.kind[:-2]
        # An array whose elements are numbers of constant size.
        self.numbers = self.element is not None and self.element.kind in NUMBERS


class Field:
    """A field of a struct: attribute, JSON key, Kafka's type, whether null is ever allowed, and the default."""

    __slots__ = ("attribute", "default", "key", "nullable", "type")

    def __init__(self, attribute: str, key: str, type_: str, default: object) -> None:
        self.attribute = attribute
        self.key = key
        self.nullable = type_.endswith("?")
        self.type = type_.removesuffix("?")
        self.default = default

    def is_default(self, value: object) -> bool:
        """Whether a field of this value stays off the wire. Raises ``CodecFailure`` for what is no array where one is due."""
        default = self.default
        if default is None or isinstance(default, bool):
            return value is default
        if default == ():
            return not some(value)
        if isinstance(default, bytes):
            return not some_bytes(value)
        return not value != default  # noqa: SIM202 - what straight-line code asks


class Layout:
    """The bytes of one struct in some versions: fields in order, tagged ones by tag, and those that are not there.

    ``cost`` is what the object costs without its values.
    """

    __slots__ = ("cls", "cost", "fields", "flexible", "foreign", "guarded", "steps", "tagged")

    def __init__(self, cls: type[Any], fields: dict[str, Field], flexible: bool) -> None:
        self.cls = cls
        self.cost = of_struct(len(fields))
        self.fields = fields
        self.flexible = flexible
        self.steps: list[tuple[Field, Codec]] = []
        self.tagged: dict[int, tuple[Field, Codec]] = {}
        self.foreign: set[int] = set()
        self.guarded: list[Field] = []


class Table:
    """A message's plan: its name, its layouts by number and by version and class, and its own in each version."""

    __slots__ = ("by_class", "layouts", "name", "roots")

    def __init__(self, name: str) -> None:
        self.name = name
        self.layouts: list[Layout] = []
        self.roots: dict[int, Layout] = {}
        self.by_class: dict[int, dict[str, Layout]] = {}


def read_table(text: str, classes: dict[str, type[Any]]) -> Table:
    """Reads a plan's text. Raises ``ValueError`` for a form that this reader does not know."""
    lines = text.splitlines()
    if lines[0] != f"messagegen-plan {PLAN_FORMAT}":
        raise ValueError(f"this reader knows plans of form {PLAN_FORMAT}, not {lines[0]!r}")
    table = Table(lines[1].split(" ")[1])
    structs: dict[str, dict[str, Field]] = {}
    layouts = table.layouts
    cls: type[Any] = object
    fields: dict[str, Field] = {}
    in_layout = False
    for line in lines[2:]:
        words = line.split(" ")
        if words[0] == "struct":
            in_layout = False
            cls = classes[words[1]]
            fields = structs[words[1]] = {}
        elif words[0] == "layout":
            in_layout = True
            layouts.append(Layout(classes[words[2]], structs[words[2]], words[-1] == "flexible"))
            for version in _versions(words[3]):
                table.by_class.setdefault(version, {})[words[2]] = layouts[-1]
                if words[2] == next(iter(structs)):
                    table.roots[version] = layouts[-1]
        elif in_layout:
            _read_layout_line(layouts[-1], words[1:], layouts)
        elif words[1] != ":sensitive":  # which the class says too
            _, attribute, key, type_, _ = line.split(" ", 4)
            fields[attribute] = Field(attribute, key, type_, cls.__defaults__[attribute])
    return table


def _read_layout_line(layout: Layout, words: list[str], layouts: list[Layout]) -> None:
    match words:
        case [":tag", tag, attribute, codec]:
            layout.tagged[int(tag)] = (layout.fields[attribute], Codec(codec, layouts))
        case [":foreign", *tags]:
            layout.foreign.update(map(int, tags))
        case [":guard", *attributes]:
            layout.guarded.extend(layout.fields[attribute] for attribute in attributes)
        case [":skip", *_]:
            pass
        case [*_, attribute, codec]:
            layout.steps.append((layout.fields[attribute], Codec(codec, layouts)))
        case _:
            raise ValueError(f"no line of a layout: {' '.join(words)}")


def _versions(text: str) -> list[int]:
    versions: list[int] = []
    for part in text.split(","):
        lowest, _, highest = part.partition("-")
        versions.extend(range(int(lowest), int(highest or lowest) + 1))
    return versions
