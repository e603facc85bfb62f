"""The plan of a message: all decisions about it, made once, as data only.

A plan has two halves:

- *Structs* are what callers see: one class for all versions, with the names, types and defaults of its fields.
- *Layouts* describe the wire: the sequence of bytes of one struct in one or more versions of the message.
  Versions with equal layouts share one layout, and a layout only refers to earlier layouts.

Readers of plans must know:

- **All versions are versions of the message.** Structs have no versions of their own.
- **A layout can have versions that its struct does not have.** Apache's classes have one ``read`` and ``write`` for a
  struct, and call them with the version of the message, wherever a field holds the struct. So a common struct of
  versions 3+ that is read in version 1 is read as in version 3, the nearest version that it has (``clamp`` in
  ``plan/build.py``). The layout then lists version 1.
- **A field in a common struct can have more versions than the path to it.** ``FieldPlan.versions`` are the versions of
  the message in which the struct has the field. The fields that hold the struct, which are in other structs, decide
  whether a message of that version contains the struct at all. A common struct of versions 0+ may be held only by a
  field of versions 5+.
- **Layouts also list the fields that are not on the wire.** Encoding refuses any value but the default for a
  ``guarded`` field, and drops the value of an ``ignored`` field (``ignorable`` in the spec). Decoding sets the default.
- **Null appears twice.** ``nullable`` of a codec describes the bytes of one layout. ``FieldPlan.nullable_versions``
  describes all versions, for people. A default of null is allowed even where no version has null on the wire.
- **Tags appear twice**, too: as ``TaggedField`` of a layout, and as ``FieldPlan.tag`` and ``tagged_versions``.
- **Two defaults are objects that are compared by identity**: ``EMPTY_ARRAY`` and ``EMPTY_STRUCT``. All other defaults
  are compared by value.

A plan does not depend on how it is rendered, and later stages don't look at the spec again. Plans are made from specs
without errors; ``tests/support/invariants.py`` contains the invariants of all plans.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal
from uuid import UUID

from messagegen.primitives import PRIMITIVES, Primitive
from messagegen.versions import NONE, VersionRange


@dataclass(frozen=True, slots=True)
class FixedCodec:
    """A big-endian value of the primitive type ``kind``, which has a constant size.

    If ``kind`` is an integer narrower than its field, values are checked for that width.
    """

    nullable: ClassVar[bool] = False
    kind: str

    @property
    def primitive(self) -> Primitive:
        """The row of ``kind`` in the table of primitive types."""
        return PRIMITIVES[self.kind]


@dataclass(frozen=True, slots=True)
class VarintCodec:
    """A varint of a signed ``bits``-bit value (KIP-625): zig-zag (``packed``) or two's complement (``upacked``)."""

    nullable: ClassVar[bool] = False
    form: Literal["packed", "upacked"]
    bits: Literal[16, 32, 64]


@dataclass(frozen=True, slots=True)
class VariableCodec:
    """A value of the primitive type ``kind``: a length, then that many bytes.

    The length is an int16 (strings) or an int32, or length + 1 as a varint if ``compact``.
    """

    kind: str
    compact: bool
    nullable: bool


@dataclass(frozen=True, slots=True)
class StructCodec:
    """A struct; ``layout`` is the index of its layout.

    If it is ``nullable``, a mark precedes it: an int8 (KIP-893), or a varint if it is ``tagged``.
    """

    layout: int
    nullable: bool
    tagged: bool = False


ElementCodec = FixedCodec | VarintCodec | VariableCodec | StructCodec


@dataclass(frozen=True, slots=True)
class ArrayCodec:
    """A count (int32, or count + 1 as a varint if ``compact``), then that many elements.

    ``charge`` is the memory in bytes that each element takes from the budget of its message
    (``messagegen.plan.charges``).
    """

    element: ElementCodec
    compact: bool
    nullable: bool
    charge: int = 0


Codec = ElementCodec | ArrayCodec


EMPTY_ARRAY: Final = ()
EMPTY_STRUCT: Final[dict[str, object]] = {}
"""The default of a struct, in which all fields have their defaults."""

PlanDefault = bool | int | float | str | bytes | UUID | tuple[()] | dict[str, object] | None
"""The default of a field as a value.

It is written differently in each place: ``plan.text.default_json`` writes it for plan texts,
``emit.values.default_source`` for Python, ``outputs/site/message.py`` for people, and ``outputs/fields.py`` as in
specs.
"""


@dataclass(frozen=True, slots=True)
class EntityByPlan:
    """The entity types of a field's values, which depend on the value of the attribute ``decider``.

    The decider is in the field's struct, or in the request if ``request``. ``types`` are pairs of a value of the
    decider and Kafka's entity type. If ``wildcard`` is true, the value ``*`` means all names, and is not a name itself.
    """

    decider: str
    types: tuple[tuple[int, str], ...]
    request: bool
    wildcard: bool


@dataclass(frozen=True, slots=True)
class AddressPlan:
    """The attributes of a struct that contain the address of a node.

    ``node_id`` is the attribute with the node's id, or ``None``. If ``held`` is true, that attribute is in the
    enclosing struct.
    """

    host: str
    port: str
    node_id: str | None
    held: bool


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """A field as callers see it.

    ``type`` is Kafka's type as text (``int32``, ``[]string``, ``Topic``, ``[]Topic``, with class names for structs).
    ``entity`` is Kafka's entity type, which may follow from the field's name (``spec/meanings.py``), or empty.
    ``entity_by`` is ``None`` unless another field decides the entity type. ``sensitive`` is ``None`` for a field that
    may be shown. Otherwise it contains the sibling attributes that decide whether the field is hidden: a config's name,
    then a flag. If it is empty, the field is always hidden. ``versions`` are the versions of the message with the
    field; ``nullable_versions`` and ``tagged_versions`` are subsets of them.
    """

    name: str
    attribute: str
    key: str
    type: str
    default: PlanDefault = field(hash=False)
    about: str = ""
    entity: str = ""
    entity_by: EntityByPlan | None = None
    map_key: bool = False
    sensitive: tuple[str, ...] | None = None
    versions: VersionRange = NONE
    nullable_versions: VersionRange = NONE
    tagged_versions: VersionRange = NONE
    tag: int | None = None
    ignorable: bool = False

    @property
    def nullable(self) -> bool:
        """Whether callers may encounter null, in some version or as the default.

        Records fields have the default null even if null is not allowed.
        """
        return self.default is None or not self.nullable_versions.empty

    @property
    def element_type(self) -> str:
        """The type of the elements of an array; otherwise ``type``."""
        return self.type.removeprefix("[]")

    def annotation(self, spelled: Callable[[str], str] = str, struct: Callable[[str], str] = str) -> str:
        """Return the type in Python, such as ``tuple[int, ...] | None``.

        ``spelled`` converts names of Python types, and ``struct`` converts names of classes.
        """
        element = self.element_type
        python = spelled(PRIMITIVES[element].python) if element in PRIMITIVES else struct(element)
        if self.type.startswith("[]"):
            python = f"{spelled('tuple')}[{python}, ...]"
        return f"{python} | None" if self.nullable else python


@dataclass(frozen=True, slots=True)
class StructPlan:
    """A struct as callers see it: one class for all versions.

    ``name`` is the name in the spec. ``class_name`` is the name of the Python class. It differs from ``name`` if
    ``name`` is reserved, or if another struct's class already has that name. ``FieldPlan.type`` contains the
    ``class_name`` of a struct.
    """

    name: str
    class_name: str
    about: str
    fields: tuple[FieldPlan, ...]
    address: AddressPlan | None = None


@dataclass(frozen=True, slots=True)
class FieldStep:
    """Reads or writes one field."""

    field: int
    codec: Codec


@dataclass(frozen=True, slots=True)
class RunStep:
    """Reads or writes adjacent fields of constant size in one call."""

    steps: tuple[FieldStep, ...]


Step = FieldStep | RunStep


@dataclass(frozen=True, slots=True)
class TaggedField:
    """A field in the tag section, written only if it differs from its default."""

    tag: int
    field: int
    codec: Codec


@dataclass(frozen=True, slots=True)
class Layout:
    """The bytes of one struct in ``versions``.

    ``struct`` and all field numbers are indexes. ``guarded`` fields are not on the wire and must have their default;
    ``ignored`` fields are not on the wire whatever their value. ``foreign_tags`` are the tags of fields that are tagged
    only in other versions. ``least_bytes`` is the smallest number of bytes of the struct. As an array element, the
    struct takes ``charge`` bytes of memory from the budget of its message. Each field of its tag section takes
    ``tag_charge`` bytes (``messagegen.plan.charges``).
    """

    struct: int
    versions: tuple[VersionRange, ...]
    steps: tuple[Step, ...]
    flexible: bool
    tagged: tuple[TaggedField, ...]
    foreign_tags: tuple[int, ...]
    guarded: tuple[int, ...]
    ignored: tuple[int, ...]
    least_bytes: int = 0
    charge: int = 0
    tag_charge: int = 0


def fields_in_order(layout: Layout) -> Iterator[FieldStep]:
    """Yield the fields of a layout in order, without tagged fields."""
    for step in layout.steps:
        yield from step.steps if isinstance(step, RunStep) else (step,)


def fields_on_wire(layout: Layout) -> Iterator[tuple[int, Codec]]:
    """Yield the fields of a layout with their codecs: the plain fields in order, then the tagged fields."""
    for step in fields_in_order(layout):
        yield step.field, step.codec
    for tagged in layout.tagged:
        yield tagged.field, tagged.codec


def layout_uses(plan: MessagePlan) -> tuple[set[int], set[int]]:
    """Return the layouts of structs outside arrays, including the message itself, and the layouts of array elements."""
    single = {root for _, root in plan.roots}
    arrays: set[int] = set()
    for layout in plan.layouts:
        for _, codec in fields_on_wire(layout):
            if isinstance(codec, StructCodec):
                single.add(codec.layout)
            elif isinstance(codec, ArrayCodec) and isinstance(codec.element, StructCodec):
                arrays.add(codec.element.layout)
    return single, arrays


def may_sleep(plan: MessagePlan, codec: Codec) -> bool:
    """Whether a value is a struct with nested structs or bytes, which lazy decoding may leave undecoded in an array."""
    return isinstance(codec, StructCodec) and any(
        isinstance(each, StructCodec) or (isinstance(each, VariableCodec) and each.kind != "string")
        for step in fields_in_order(plan.layouts[codec.layout])
        for each in [step.codec.element if isinstance(step.codec, ArrayCodec) else step.codec]
    )


@dataclass(frozen=True, slots=True)
class MessagePlan:
    """A message: its role in the protocol, its structs (the message itself first) and its layouts.

    A layout only refers to earlier layouts; ``roots`` contains the message's own layout for each valid version. A
    message of at most ``small`` bytes can't exceed the default limits, whatever its contents.
    """

    name: str
    module: str
    kind: str
    about: str
    api_key: int | None
    valid_versions: VersionRange
    flexible_versions: VersionRange
    deprecated_versions: VersionRange
    latest_version_unstable: bool
    listeners: tuple[str, ...]
    header_versions: tuple[tuple[VersionRange, int], ...]
    structs: tuple[StructPlan, ...]
    layouts: tuple[Layout, ...]
    roots: tuple[tuple[int, int], ...]
    small: int = 0

    def class_name(self) -> str:
        """Return the name of the class of the message itself."""
        return self.structs[0].class_name

    def equals_nothing(self, field: FieldPlan) -> bool:
        """Whether no value equals the default of a field, not even the default itself.

        Such defaults are NaN, and structs with NaN in a field. Upstream: ``MessageDataGenerator`` compares floats with
        ``!=``, even in the ``equals`` of structs.
        """
        if field.default is not EMPTY_STRUCT:
            return isinstance(field.default, float) and math.isnan(field.default)
        held = next(struct for struct in self.structs if struct.class_name == field.type)
        return any(self.equals_nothing(inner) for inner in held.fields)
