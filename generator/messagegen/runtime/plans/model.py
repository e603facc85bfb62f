"""Plans as objects: the fields of a message, and their wire format in each version."""

from __future__ import annotations

import re

from ..costs import of_struct
from ..primitives import PRIMITIVES
from ..wire import some, some_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 64
"""The maximum nesting of structs and arrays."""

_CODEC = re.compile(r"(compact_)?(?:(array|struct)\((.*)\)|([a-z0-9]+))(\??\??)(&?)", re.ASCII)
_VARINT = re.compile("(packed|upacked)(16|32|64)")
_NUMBER = re.compile("0|[1-9][0-9]{0,9}", re.ASCII)


def number(text: str) -> int:
    """Parses a number in a plan. Raises ``ValueError`` for any other text."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"expected a number, got {text!r}")
    return int(text)


class Codec:
    """The wire format of a value; ``kind`` is a primitive's name, ``packed``, ``upacked``, ``array`` or ``struct``.

    ``text`` is the codec in plan texts. ``primitive`` is its row in the table of primitive types, ``None`` for varints, arrays and
    structs. ``null`` is 0 if null is not allowed, 2 for a struct preceded by a varint, otherwise 1. ``numbers`` marks an array of
    numbers of constant size.
    """

    __slots__ = (
        "bits",
        "compact",
        "depth",
        "element",
        "kind",
        "layout",
        "null",
        "numbers",
        "primitive",
        "text",
        "zero_copy",
    )

    def __init__(self, text: str, layouts: list[Layout], arrays: int = 0) -> None:
        if arrays > DEEPEST:
            raise ValueError(f"arrays nest deeper than {DEEPEST}")
        match = _CODEC.fullmatch(text)
        if match is None:
            raise ValueError(f"unknown codec {text!r}")
        self.text = text
        compact, nesting, argument, plain, marks, zero_copy = match.groups()
        self.kind: str = nesting or plain
        self.compact = bool(compact)
        self.null = len(marks)
        self.zero_copy = bool(zero_copy)
        self.bits = self.depth = 0
        self.element: Codec | None = None
        self.layout: Layout | None = None
        self.primitive = PRIMITIVES.get(self.kind)
        if nesting == "array":
            self.element = Codec(argument, layouts, arrays + 1)
            self.depth = self.element.depth + 1
        elif nesting == "struct":
            if number(argument) >= len(layouts):
                raise ValueError(f"layout {argument} is not above")
            self.layout = layouts[int(argument)]
            self.depth = self.layout.depth
        elif varint := _VARINT.fullmatch(self.kind):
            self.kind, self.bits = varint[1], int(varint[2])
        elif not self.primitive:
            raise ValueError(f"unknown codec {text!r}")
        most_null, may_be_compact, may_be_view = self._marks()
        if self.null > most_null or self.compact > may_be_compact or self.zero_copy > may_be_view:
            raise ValueError(f"unknown codec {text!r}")
        self.numbers = bool(self.element and self.element.primitive and self.element.primitive.is_number)

    def _marks(self) -> tuple[int, bool, bool]:
        """How many question marks the codec may have, whether it can be compact, and whether its value can be a view."""
        if self.kind == "struct":
            return 2, False, False
        if self.kind == "array":
            return 1, True, False
        if self.primitive and not self.primitive.size:
            return 1, True, self.primitive.python == "bytes"
        return 0, False, False


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
    the cost of the object without its values.
    """

    __slots__ = (
        *("cls", "codecs", "cost", "depth", "flexible", "foreign", "guarded", "number", "skipped", "steps", "struct"),
        *("tagged", "versions"),
    )

    def __init__(self, number: int, struct: StructPlan, versions: list[int], flexible: bool, cls: type[Any]) -> None:
        self.number = number
        self.struct = struct
        self.cls = cls
        self.cost = of_struct(len(struct.fields))
        self.versions = versions
        self.flexible = flexible
        self.depth = 1
        self.steps: list[tuple[Field, Codec]] = []
        self.tagged: dict[int, tuple[Field, Codec]] = {}
        self.foreign: set[int] = set()
        self.guarded: list[Field] = []
        self.skipped: list[Field] = []
        self.codecs: dict[str, Codec] = {}

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
    def root(self) -> StructPlan:
        """The struct of the message itself."""
        return next(iter(self.structs.values()))
