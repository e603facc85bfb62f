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
    from collections.abc import Iterable, Mapping
    from typing import Any

_CODEC = re.compile(r"(compact_)?(?:(array|struct)\((.*)\)|([a-z]+)([0-9]*))(\??\??)(&?)", re.ASCII)


class Codec:
    """The wire format of a value; ``kind`` is a primitive's name, ``packed``, ``upacked``, ``array`` or ``struct``.

    ``text`` is the codec in plan texts. ``primitive`` is its row in the table of primitive types, ``None`` for varints, arrays and
    structs. ``null`` is 0 if null is not allowed, 2 for a struct preceded by a varint, otherwise 1. ``numbers`` marks an array of
    numbers of constant size.
    """

    __slots__ = (
        *("bits", "compact", "depth", "element", "kind", "layout", "null", "numbers", "primitive", "text", "zero_copy"),
    )

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
        self.depth: int = self.element.depth + 1 if self.element else self.layout.depth if self.layout else 0
        if bits and not self.bits:
            self.kind += bits
        self.primitive = PRIMITIVES.get(self.kind)
        self.numbers = bool(self.element and self.element.primitive and self.element.primitive.is_number)


class Field:
    """A field of a struct.

    ``type`` is Kafka's type, ``default_text`` the default as JSON and ``default`` its value, if the plan was read with classes.
    ``nullable`` says whether null is allowed in any version. ``versions``, ``nullable_versions`` and ``tagged_versions`` are versions of the
    message. ``sensitive`` is ``None`` for a field that may be shown, otherwise the attributes that decide whether it is.
    """

    __slots__ = (
        *("about", "attribute", "default", "default_text", "entity_type", "ignorable", "key", "map_key", "name"),
        *("nullable", "nullable_versions", "sensitive", "tag", "tagged_versions", "type", "versions", "zero_copy"),
    )

    def __init__(self, attribute: str, key: str, type_: str, default_text: str, versions: range) -> None:
        self.attribute = attribute
        self.key = key
        self.name = key[:1].upper() + key[1:]
        self.nullable = type_.endswith("?")
        self.type = type_.removesuffix("?")
        self.default_text = default_text
        self.default: object = None
        self.about = ""
        self.versions = versions
        self.nullable_versions = range(0)
        self.tagged_versions = range(0)
        self.tag: int | None = None
        self.ignorable = False
        self.map_key = False
        self.zero_copy = False
        self.entity_type = ""
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
    """A struct: the name of its class, Kafka's name, what the spec says about it, and its fields by attribute."""

    __slots__ = ("about", "class_name", "fields", "name")

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self.name = class_name
        self.about = ""
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

    __slots__ = (
        *("cls", "codecs", "cost", "depth", "flexible", "foreign", "guarded", "number", "patterns", "skipped", "sleeps"),
        *("steps", "struct", "tagged", "versions"),
    )

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
        self.depth = 1
        self.patterns: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.sleeps = False

    @property
    def fields(self) -> dict[str, Field]:
        """The fields of the struct, by attribute."""
        return self.struct.fields


class Plan:
    """A message: its role in the protocol, its structs by class name (itself first), and its layouts.

    ``roots`` contains the layout of the message in each version, ``layouts_of`` the layout of each struct in each version.
    """

    __slots__ = (
        *("about", "api_key", "deprecated_versions", "flexible_versions", "header_versions", "kind"),
        *("latest_version_unstable", "layouts", "layouts_of", "listeners", "name", "roots", "structs"),
        "valid_versions",
    )

    def __init__(self, name: str, kind: str, valid_versions: range) -> None:
        self.name = name
        self.kind = kind
        self.valid_versions = valid_versions
        self.about = ""
        self.api_key: int | None = None
        self.flexible_versions = range(0)
        self.deprecated_versions = range(0)
        self.latest_version_unstable = False
        self.listeners: tuple[str, ...] = ()
        self.header_versions: tuple[tuple[range, int], ...] = ()
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
            case ["", word, *rest] if word.startswith(":") and self.struct:
                self.struct_detail(self.struct, word, rest)
            case ["", word, *rest] if word.startswith(":"):
                self.message_detail(word, rest)
            case ["", attribute, key, type_, *default] if default and self.struct:
                self.field(self.struct, Field(attribute, key, type_, " ".join(default), self.plan.valid_versions))
            case _:
                raise ValueError("unexpected words")

    def message_detail(self, word: str, rest: list[str]) -> None:
        plan = self.plan
        match word, rest:
            case ":about", _:
                plan.about = _text(rest)
            case ":api_key", [key]:
                plan.api_key = int(key)
            case ":flexible", [versions]:
                plan.flexible_versions = _range(versions)
            case ":deprecated", [versions]:
                plan.deprecated_versions = _range(versions)
            case ":unstable", []:
                plan.latest_version_unstable = True
            case ":listeners", _:
                plan.listeners = tuple(rest)
            case ":header", [versions, header]:
                plan.header_versions += ((_range(versions), int(header)),)
            case _:
                raise ValueError(f"unexpected {word}")

    def struct_detail(self, struct: StructPlan, word: str, rest: list[str]) -> None:
        match word, rest:
            case ":about", [text, *_] if text.startswith('"'):
                struct.about = _text(rest)
            case ":about", [attribute, *text]:
                struct.fields[attribute].about = _text(text)
            case ":name", [name]:
                struct.name = name
            case ":name", [attribute, name]:
                struct.fields[attribute].name = name
            case (":versions" | ":nullable"), [versions, *attributes]:
                name = "versions" if word == ":versions" else "nullable_versions"
                _set(struct, attributes, **{name: _range(versions)})
            case ":tagged", [versions, tag, attribute]:
                _set(struct, [attribute], tagged_versions=_range(versions), tag=int(tag))
            case (":ignorable" | ":map_key" | ":zero_copy"), attributes:
                _set(struct, attributes, **{word[1:]: True})
            case ":entity_type", [name, *attributes]:
                _set(struct, attributes, entity_type=name)
            case ":sensitive", [attribute, *deciders]:
                _set(struct, [attribute], sensitive=tuple(struct.fields[name].attribute for name in deciders))
            case _:
                raise ValueError(f"unexpected {word}")

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
        layout.depth = 1 + max((codec.depth for codec in layout.codecs.values()), default=0)
        self.plan.layouts.append(layout)
        for version in layout.versions:
            self.plan.layouts_of.setdefault(version, {})[name] = layout
            if layout.struct is self.plan.root:
                self.plan.roots[version] = layout


def _set(struct: StructPlan, attributes: Iterable[str], **values: object) -> None:
    for attribute in attributes:
        for name, value in values.items():
            setattr(struct.fields[attribute], name, value)


def _range(text: str) -> range:
    """``3``, ``0-9``, ``2+`` or ``none``."""
    if text == "none":
        return range(0)
    lowest, dash, highest = text.removesuffix("+").partition("-")
    last = _HIGHEST_VERSION if text.endswith("+") else int(highest if dash else lowest)
    return range(int(lowest), last + 1)


def _text(words: list[str]) -> Any:
    return loads(" ".join(words))
