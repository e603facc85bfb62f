"""Plans as objects: reads the text that every generated module carries (``messagegen.plan.text``).

``PRIMITIVES`` has a row for each primitive type. Specs, plans, generated code, the reference codec, JSON, columns and
documentation use this table instead of lists of their own; a test compares it with the native engine's table. It is in
the runtime because outputs contain the reference codec but not the generator.

Loaded on first use.
"""

from __future__ import annotations

import re
from struct import calcsize
from typing import Literal, NamedTuple

from . import PLAN_FORMAT
from .errors import CodecFailure
from .wire import is_default

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_CODEC = re.compile(
    r"(?P<compact>compact_)?"
    r"(?:array\((?P<element>[^,]*)(?:,(?P<charge>[0-9]+))?\)"
    r"|struct\((?P<layout>[0-9]+)\)"
    r"|(?P<name>[a-z]+)(?P<bits>[0-9]*))"
    r"(?P<null>\??\??)&?",
    re.ASCII,
)
_VARINTS = ("packed", "upacked")
_HIGHEST_VERSION = 32767
_LONGEST_SHOWN = 200


class Primitive(NamedTuple):
    """A primitive type."""

    name: str
    format: str
    """The big-endian ``struct`` format of a value; empty if the size depends on the value."""
    python: Literal["bool", "int", "float", "str", "bytes", "UUID"]
    range: tuple[int, int] | None
    """The lowest and the highest value of an integer."""
    default: str
    """The default of a field without ``default``, as JSON text, in the form that plans use."""
    json: str
    """A description of the value in JSON, for documentation."""
    about: str
    """A description of the wire format, for documentation."""

    def __str__(self) -> str:
        return self.name

    @property
    def size(self) -> int:
        """The size in bytes; 0 if it depends on the value."""
        return calcsize(f">{self.format}")

    @property
    def is_number(self) -> bool:
        """Whether the value is an integer, float or bool that ``struct`` reads and writes directly."""
        return len(self.format) == 1

    @property
    def is_unsigned(self) -> bool:
        """Whether the type is an unsigned integer."""
        return self.range is not None and self.range[0] == 0


def _signed(bits: int) -> tuple[int, int]:
    return -(1 << bits - 1), (1 << bits - 1) - 1


_ZERO = '"00000000000000000000000000000000"'
_BOOL = "1 byte; anything but 0 is true"
_FLOAT = "8 bytes, IEEE 754; all bits are kept, even of NaN"
_STRING = "a length and UTF-8, at most 32767 bytes"
_RECORDS = "a length and record batches, which are not decoded"

_ROWS = (
    # name, format, Python type, range, default, JSON, wire format
    Primitive("bool", "?", "bool", None, "false", "true or false", _BOOL),
    Primitive("int8", "b", "int", _signed(8), "0", "an integer", "1 byte, signed"),
    Primitive("int16", "h", "int", _signed(16), "0", "an integer", "2 bytes, signed"),
    Primitive("uint16", "H", "int", (0, 0xFFFF), "0", "an integer", "2 bytes, unsigned"),
    Primitive("int32", "i", "int", _signed(32), "0", "an integer", "4 bytes, signed"),
    Primitive("uint32", "I", "int", (0, 0xFFFFFFFF), "0", "an integer", "4 bytes, unsigned"),
    Primitive("int64", "q", "int", _signed(64), "0", "an integer", "8 bytes, signed"),
    Primitive("float64", "d", "float", None, "0.0", "a number with a decimal point", _FLOAT),
    Primitive("uuid", "16s", "UUID", None, _ZERO, "a uuid in base64url", "16 bytes"),
    Primitive("string", "", "str", None, '""', "a string", _STRING),
    Primitive("bytes", "", "bytes", None, '""', "a string of base64", "a length and bytes"),
    Primitive("records", "", "bytes", None, "null", "a string of base64", _RECORDS),
)

PRIMITIVES = {primitive.name: primitive for primitive in _ROWS}
"""The types by name, in documentation order."""


class Codec:
    """The wire format of a value; ``kind`` is a primitive's name, ``packed``, ``upacked``, ``array`` or ``struct``.

    ``text`` is the codec as plan texts write it, ``format`` the ``struct`` format of a number. ``null`` is 0 if null is
    not allowed, 2 if a varint before a struct marks null, and 1 for all other nullable values. Each array element takes
    ``charge`` bytes of the budget. ``length_size`` is the size of a length that is not compact, in bytes.
    """

    def __init__(self, text: str, layouts: list[Layout]) -> None:
        match = _CODEC.fullmatch(text)
        if match is None:
            raise ValueError(f"unknown codec {text!r}")
        self.text = text
        self.compact = match["compact"] is not None
        self.null = len(match["null"])
        self.charge = int(match["charge"] or 0)
        self.bits = 0
        self.format = ""
        self.element: Codec | None = None
        self.layout: Layout | None = None
        if match["element"] is not None:
            self.kind = "array"
            self.element = Codec(match["element"], layouts)
        elif match["layout"] is not None:
            self.kind = "struct"
            self.layout = layouts[int(match["layout"])]
        elif match["name"] in _VARINTS:
            self.kind = match["name"]
            self.bits = int(match["bits"])
        else:
            self.kind = match["name"] + match["bits"]
            primitive = PRIMITIVES[self.kind]
            self.format = primitive.format if primitive.is_number else ""
        self.length_size = 2 if self.kind == "string" else 4


class EntityBy:
    """The entity types of a field, which depend on the attribute ``decider`` of its struct or of the request.

    ``decider`` begins with ``request.`` for an attribute of the request. ``types`` has the entity type for each value
    of the attribute. ``has_wildcard`` is set if ``*`` is not a name.
    """

    def __init__(self, decider: str, words: list[str]) -> None:
        pairs = [word.split("=") for word in words if word != "*"]
        self.decider = decider
        self.types = {int(value): entity for value, entity in pairs}
        self.has_wildcard = "*" in words


class Field:
    """A field of a struct: its attribute, JSON key, type, and its default if the plan was read with classes.

    ``entity`` is Kafka's entity type, or empty. ``entity_by`` is set if the entity type depends on another field.
    """

    def __init__(self, attribute: str, key: str, type_: str, default_text: str, default: object) -> None:
        self.attribute = attribute
        self.key = key
        self.type = type_.removesuffix("?")
        self.nullable = type_.endswith("?")
        self.is_array = type_.startswith("[]")
        self.element_type = self.type.removeprefix("[]")
        self.default_text = default_text
        self.default = default
        self.equals_nothing = equals_nothing(default)
        self.about = ""
        self.entity = ""
        self.entity_by: EntityBy | None = None

    def is_default(self, value: Any) -> bool:
        """Return whether a value has the same encoding as the default."""
        return not self.equals_nothing and is_default(value, self.default)


def equals_nothing(default: object) -> bool:
    """Whether no value equals a default, as in Apache's classes: the default is NaN, or a struct that contains one."""
    if isinstance(default, float):
        return default != default  # noqa: PLR0124 - true for NaN only
    defaults: dict[str, object] = getattr(default, "__defaults__", {})
    return any(equals_nothing(inner) for inner in defaults.values())


def check_guarded(field: Field, value: Any) -> None:
    """Raise ``CodecFailure`` unless the value of a field that the version lacks is the default."""
    if field.equals_nothing:
        raise CodecFailure(
            "this version has no such field, and no value equals the field's default, which is or contains NaN: "
            "make the field ignorable in the spec"
        )
    if not field.is_default(value):
        raise CodecFailure("this version has no such field, so it must be left at its default")


class StructPlan:
    """A struct: its class name, its fields by attribute, and the attribute that decides whether values are hidden.

    ``address`` are the attributes of a node's host, port and, optionally, id. The attribute of the id begins with
    ``^`` if the id is in the struct that contains this struct.
    """

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self.fields: dict[str, Field] = {}
        self.sensitive: dict[str, tuple[str, ...]] = {}
        self.address: tuple[str, ...] = ()

    def read_property(self, word: str, values: list[str]) -> None:
        """Read a line with a property; ``word`` begins with a colon."""
        match [word, *values]:
            case [":about", attribute, *text] if attribute in self.fields:
                from json import loads

                self.fields[attribute].about = loads(" ".join(text))
            case [":entity", attribute, entity] if attribute in self.fields:
                self.fields[attribute].entity = entity
            case [":entity_by", attribute, decider, *types] if attribute in self.fields:
                self.fields[attribute].entity_by = EntityBy(decider, types)
            case [":sensitive", attribute, *deciders]:
                self.sensitive[attribute] = tuple(deciders)
            case [":address", *attributes]:
                self.address = tuple(attributes)
            case _:
                pass  # Ignore other lines: older generators wrote more kinds.


class Layout:
    """The wire format of a struct in ``versions``: fields in order, tagged fields by tag, and missing fields.

    ``cls`` is the class of the struct if the plan was read with classes. ``optional`` has the attributes of the tagged
    fields. A layout is not ``encodable`` if no value equals the default of a guarded field. Each field in a tag
    section takes ``tag_charge`` bytes of the budget.
    """

    def __init__(
        self,
        number: int,
        struct: StructPlan,
        versions: list[int],
        flexible: list[str],
        cls: type[Any],
    ) -> None:
        self.number = number
        self.struct = struct
        self.fields = struct.fields
        self.versions = versions
        self.flexible = bool(flexible)
        self.tag_charge = int(flexible[1]) if flexible else 0
        self.cls = cls
        self.codecs: dict[str, Codec] = {}
        self.steps: list[tuple[Field, Codec]] = []
        self.tagged: dict[int, tuple[Field, Codec]] = {}
        self.optional: set[str] = set()
        self.foreign: set[int] = set()
        self.guarded: list[Field] = []
        self.skipped: list[Field] = []
        self.encodable = True

    def read_line(self, words: list[str], layouts: list[Layout]) -> None:
        """Read a line; ``layouts`` are the layouts before it."""
        match words:
            case [":foreign", *tags]:
                self.foreign.update(map(int, tags))
            case [":guard", *attributes]:
                self.guarded += [self.fields[attribute] for attribute in attributes]
                self.encodable &= not any(field.equals_nothing for field in self.guarded)
            case [":skip", *attributes]:
                self.skipped += [self.fields[attribute] for attribute in attributes]
            case [*tag, attribute, text]:
                field = self.fields[attribute]
                codec = self.codecs[attribute] = Codec(text, layouts)
                if tag[:1] == [":tag"]:
                    self.tagged[int(tag[1])] = field, codec
                    self.optional.add(attribute)
                    is_always_written = field.equals_nothing
                else:
                    self.steps.append((field, codec))
                    is_always_written = not codec.null
                if codec.layout and is_always_written:
                    self.encodable &= codec.layout.encodable
            case _:
                raise ValueError(f"unexpected words {words}")


class Plan:
    """A message: its structs by class name (itself first), its layouts, and ``roots``, its own layout in each version.

    ``kind`` is its role in the protocol. ``classes`` are the classes of its structs; if they are missing, defaults are
    ``None``.
    """

    def __init__(self, name: str, kind: str, versions: str, classes: Mapping[str, type[Any]]) -> None:
        self.name = name
        self.kind = kind
        self.valid_versions = version_range(versions)
        self.classes = classes
        self.structs: dict[str, StructPlan] = {}
        self.layouts: list[Layout] = []
        self.roots: dict[int, Layout] = {}
        self.rewrites: dict[tuple[int, frozenset[str], bool], Any] = {}
        """A cache of values that ``rewriting`` derives from the plan, by layout and by the kinds to rewrite."""

    @property
    def root(self) -> StructPlan:
        """The struct of the message itself."""
        return next(iter(self.structs.values()))

    @property
    def cls(self) -> Any:
        """The class of the message."""
        return self.classes[self.root.class_name]

    @property
    def is_sensitive(self) -> bool:
        """Whether any struct has sensitive fields."""
        return any(layout.cls.SENSITIVE for layout in self.layouts)

    def read_line(self, words: list[str]) -> None:
        """Read a line. Plans are generated together with the code that reads them, so hardly anything is checked."""
        struct = next(reversed(self.structs.values()), StructPlan(""))
        layout = self.layouts[-1] if self.layouts else None
        match words:
            case ["struct", name]:
                self.structs[name] = StructPlan(name)
            case ["layout", _, name, versions, *flexible]:
                found = _versions(versions)
                cls = self.classes.get(name, object)
                self.layouts.append(Layout(len(self.layouts), self.structs[name], found, flexible, cls))
                if self.structs[name] is self.root:
                    self._add_roots(found)
            case ["", *words] if layout:
                layout.read_line(words, self.layouts)
            case ["", word, *values] if word.startswith(":"):
                struct.read_property(word, values)
            case ["", attribute, key, type_, *default] if default:
                of_class = self.classes.get(struct.class_name)
                value = of_class.__defaults__[attribute] if of_class else None
                struct.fields[attribute] = Field(attribute, key, type_, " ".join(default), value)
            case _:
                raise ValueError(f"unexpected words {words}")

    def _add_roots(self, versions: list[int]) -> None:
        for version in versions:
            if version in self.roots:
                raise ValueError(f"version {version} is listed twice")
            self.roots[version] = self.layouts[-1]


def read_plan(text: str, classes: Mapping[str, type[Any]] | None = None) -> Plan:
    """Parse the text of a plan (``messagegen.plan.text``), with the classes of its structs.

    Raises ``ValueError`` for invalid text.
    """
    first, *lines = text.removesuffix("\n").split("\n")
    if first != f"messagegen-plan {PLAN_FORMAT}":
        raise ValueError(
            f"expected a plan of format {PLAN_FORMAT}, got {first[:_LONGEST_SHOWN]!r}; generate the messages again"
        )
    try:
        _, name, kind, versions = lines[0].split(" ")
        plan = Plan(name, kind, versions, classes or {})
        for line in lines[1:]:
            plan.read_line(line.split(" "))
    except (ValueError, LookupError) as failure:
        raise ValueError(f"invalid plan: {str(failure)[:_LONGEST_SHOWN]}") from None
    if not plan.roots:
        raise ValueError("the plan has no version")
    return plan


def _versions(text: str) -> list[int]:
    """Return the versions in comma-separated ranges. Raise ``ValueError`` if a version is in two ranges."""
    found: dict[int, None] = {}
    for part in text.split(","):
        for version in version_range(part):
            if version in found:
                raise ValueError(f"version {version} is listed twice")
            found[version] = None
    return list(found)


def version_range(text: str) -> range:
    """Return the versions in a range such as ``3``, ``0-9`` or ``2+``."""
    lowest, dash, highest = text.removesuffix("+").partition("-")
    if text.endswith("+"):
        return range(int(lowest), _HIGHEST_VERSION + 1)
    last = int(highest if dash else lowest)
    if last > _HIGHEST_VERSION:
        raise ValueError(f"expected versions up to {_HIGHEST_VERSION}, found {last}")
    return range(int(lowest), last + 1)
