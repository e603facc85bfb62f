"""Plans as objects, read from their text, which ``messagegen.plan.text`` writes and describes: fields, and their wire format in each version."""

from __future__ import annotations

import re
from json import loads

from . import PLAN_FORMAT
from .costs import of_struct
from .primitives import PRIMITIVES
from .wire import some, some_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_CODEC = re.compile(r"(compact_)?(?:(array|struct)\((.*)\)|([a-z]+)([0-9]*))(\??\??)(&?)", re.ASCII)


class Codec:
    """The wire format of a value; ``kind`` is a primitive's name, ``packed``, ``upacked``, ``array`` or ``struct``.

    ``text`` is the codec in plan texts. ``primitive`` is its row in the table of primitive types, ``None`` for varints, arrays and
    structs. ``null`` is 0 if null is not allowed, 2 for a struct preceded by a varint, otherwise 1. ``numbers`` marks an array of
    numbers of constant size, ``sleeps`` a struct that a lazily decoded array may leave as bytes.
    """

    def __init__(self, text: str, layouts: list[Layout]) -> None:
        match = _CODEC.fullmatch(text)
        if match is None:
            raise ValueError(f"unknown codec {text!r}")
        self.text = text
        compact, nesting, argument, plain, bits, marks, zero_copy = match.groups()
        self.kind: str = nesting or plain
        self.compact = bool(compact)
        self.null = len(marks)
        self.zero_copy = bool(zero_copy)
        self.bits = int(bits) if plain in ("packed", "upacked") else 0
        self.element = Codec(argument, layouts) if nesting == "array" else None
        self.layout = layouts[int(argument)] if nesting == "struct" else None
        if bits and not self.bits:
            self.kind += bits
        self.primitive = PRIMITIVES.get(self.kind)
        self.sleeps = self.layout is not None and self.layout.sleeps
        self.numbers = bool(self.element and self.element.primitive and self.element.primitive.is_number)


class Field:
    """A field of a struct: its attribute, its key in JSON, and what the spec says of it in ``about``.

    ``type`` is Kafka's type, ``default_text`` the default as JSON and ``default`` its value, if the plan was read with classes.
    ``nullable`` says whether null is allowed in any version. ``sensitive`` is ``None`` for a field that may be shown, otherwise the
    attributes that decide whether it is.
    """

    def __init__(self, attribute: str, key: str, type_: str, default_text: str) -> None:
        self.attribute = attribute
        self.key = key
        self.nullable = type_.endswith("?")
        self.type = type_.removesuffix("?")
        self.default_text = default_text
        self.default: object = None
        self.about = ""
        self.sensitive: tuple[str, ...] | None = None

    @property
    def is_array(self) -> bool:
        """Whether the field is an array."""
        return self.type.startswith("[]")

    @property
    def element_type(self) -> str:
        """The type of an array's elements, or the type itself."""
        return self.type.removeprefix("[]")

    def is_default(self, value: object) -> bool:
        """Whether a value equals the default. Raises ``CodecFailure`` if an array field has a value of another type."""
        default = self.default
        if default is None or isinstance(default, bool):
            return value is default
        if default == ():
            return not some(value)
        if isinstance(default, bytes):
            return not some_bytes(value)
        return not value != default  # noqa: SIM202 - the same condition as in straight-line code


class StructPlan:
    """A struct: the name of its class, and its fields by attribute."""

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self.fields: dict[str, Field] = {}

    @property
    def sensitive(self) -> dict[str, tuple[str, ...]]:
        """The attributes of sensitive fields, with those that decide whether they are hidden."""
        return {name: field.sensitive for name, field in self.fields.items() if field.sensitive is not None}


class Layout:
    """The bytes of a struct in ``versions``: fields in order, tagged ones by tag, and those that are missing.

    ``codecs`` contains the first two by attribute. ``cls`` is the class of the struct if the plan was read with classes, and ``cost``
    the cost of the object without its values. ``patterns`` are those of ``counting.py``. ``sleeps`` says whether a lazily decoded array may leave such structs as bytes.
    """

    def __init__(self, number: int, struct: StructPlan, versions: list[int], flexible: bool, cls: type[Any]) -> None:
        self.number = number
        self.struct = struct
        self.cls = cls
        self.cost = of_struct(len(struct.fields))
        self.versions = versions
        self.flexible = flexible
        self.steps: list[tuple[Field, Codec]] = []
        self.tagged: dict[int, tuple[Field, Codec]] = {}
        self.foreign: set[int] = set()
        self.guarded: list[Field] = []
        self.skipped: list[Field] = []
        self.codecs: dict[str, Codec] = {}
        self.patterns: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.sleeps = False

    @property
    def fields(self) -> dict[str, Field]:
        """The fields of the struct, by attribute."""
        return self.struct.fields


class Plan:
    """A message: its structs by class name (itself first), and its layouts.

    ``kind`` is its role in the protocol. ``roots`` contains the layout of the message in each version, ``layouts_of`` the layout of
    each struct in each version.
    """

    def __init__(self, name: str, kind: str, valid_versions: range) -> None:
        self.name = name
        self.kind = kind
        self.valid_versions = valid_versions
        self.structs: dict[str, StructPlan] = {}
        self.layouts: list[Layout] = []
        self.roots: dict[int, Layout] = {}
        self.layouts_of: dict[int, dict[str, Layout]] = {}

    @property
    def is_sensitive(self) -> bool:
        """Whether any field is sensitive."""
        return any(struct.sensitive for struct in self.structs.values())

    @property
    def root(self) -> StructPlan:
        """The struct of the message itself."""
        return next(iter(self.structs.values()))

    @property
    def cls(self) -> Any:
        """The class of the message, if the plan was read with classes."""
        return next(iter(self.roots.values())).cls


_HIGHEST_VERSION = 32767


def read_plan(text: str, classes: Mapping[str, type[Any]] | None = None) -> Plan:
    """Parses the text of a plan, optionally with the classes of its structs. Raises ``ValueError`` for invalid text."""
    first, *lines = text.removesuffix("\n").split("\n")
    if first != f"messagegen-plan {PLAN_FORMAT}":
        raise ValueError(f"expected a plan of format {PLAN_FORMAT}, got {first[:200]!r}; generate the messages again")
    reader = _Reader(classes)
    for line in lines:
        try:
            reader.line(line)
        except (ValueError, IndexError, KeyError) as failure:
            raise ValueError(f"{failure!s:.200} in the plan's line {line[:200]!r}") from None
    reader.end_layout()
    if not reader.plan.roots:
        raise ValueError("the plan has no version")
    return reader.plan


class _Reader:
    """Parses lines into a plan. Plans are made with the code that reads them, so little is checked."""

    def __init__(self, classes: Mapping[str, type[Any]] | None) -> None:
        self.classes = classes
        self.plan = Plan("", "", range(0))
        self.struct: StructPlan | None = None
        self.layout: Layout | None = None

    def line(self, line: str) -> None:
        words = line.split(" ")
        match words:
            case ["message", name, kind, versions] if not self.plan.name:
                self.plan = Plan(name, kind, _range(versions))
            case ["struct", name] if self.plan.name and not self.layout and name not in self.plan.structs:
                self.struct = self.plan.structs[name] = StructPlan(name)
            case ["layout", own, name, versions, *rest] if rest in ([], ["flexible"]):
                self.begin_layout(int(own), self.plan.structs[name], versions, flexible=bool(rest))
            case ["", *rest] if self.layout:
                self.layout_line(self.layout, rest)
            case ["", ":about", attribute, *text] if self.struct and attribute in self.struct.fields:
                self.struct.fields[attribute].about = loads(" ".join(text))
            case ["", ":sensitive", attribute, *deciders] if self.struct:
                self.struct.fields[attribute].sensitive = tuple(deciders)
            case ["", word, *_] if word.startswith(":"):
                pass  # Older generators wrote more.
            case ["", attribute, key, type_, *default] if default and self.struct:
                self.field(self.struct, Field(attribute, key, type_, " ".join(default)))
            case _:
                raise ValueError("unexpected words")

    def field(self, struct: StructPlan, field: Field) -> None:
        if self.classes is not None:
            field.default = self.classes[struct.class_name].__defaults__[field.attribute]
        struct.fields[field.attribute] = field

    def begin_layout(self, own: int, struct: StructPlan, versions: str, *, flexible: bool) -> None:
        self.end_layout()
        found = [version for part in versions.split(",") for version in _range(part)]
        cls = object if self.classes is None else self.classes[struct.class_name]
        self.layout = Layout(own, struct, found, flexible, cls)

    def layout_line(self, layout: Layout, words: list[str]) -> None:
        fields, layouts = layout.fields, self.plan.layouts
        match words:
            case [":tag", tag, attribute, codec]:
                layout.tagged[int(tag)] = fields[attribute], Codec(codec, layouts)
            case [":foreign", *tags]:
                layout.foreign.update(map(int, tags))
            case [":guard", *attributes]:
                layout.guarded += [fields[attribute] for attribute in attributes]
            case [":skip", *attributes]:
                layout.skipped += [fields[attribute] for attribute in attributes]
            case [attribute, codec] | ["+", attribute, codec]:
                layout.steps.append((fields[attribute], Codec(codec, layouts)))
            case _:
                raise ValueError("unexpected words")

    def end_layout(self) -> None:
        """Adds the parsed layout, so that later ones can refer to it."""
        layout = self.layout
        if layout is None:
            return
        name = layout.struct.class_name
        on_wire = [*layout.steps, *layout.tagged.values()]
        layout.codecs = {field.attribute: codec for field, codec in on_wire}
        each = [codec.element or codec for _, codec in layout.steps]
        layout.sleeps = any(codec.kind in ("struct", "bytes", "records") for codec in each)
        self.plan.layouts.append(layout)
        for version in layout.versions:
            self.plan.layouts_of.setdefault(version, {})[name] = layout
            if layout.struct is self.plan.root:
                self.plan.roots[version] = layout


def _range(text: str) -> range:
    """``3``, ``0-9`` or ``2+``."""
    lowest, dash, highest = text.removesuffix("+").partition("-")
    last = _HIGHEST_VERSION if text.endswith("+") else int(highest if dash else lowest)
    return range(int(lowest), last + 1)
