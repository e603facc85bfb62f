"""The frozen model of a message spec.

A ``MessageSpec`` without errors is complete: every name resolves, every version range and default is valid, every tag
is unique in its struct, and every encoding fits its field. Later stages don't check again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal
from uuid import UUID

from messagegen.primitives import Primitive
from messagegen.spec.place import Place
from messagegen.versions import NONE, VersionMap, VersionRange

Width = Literal[16, 32, 64]


class MessageKind(Enum):
    """The ``type`` of a message spec."""

    REQUEST = "request"
    RESPONSE = "response"
    HEADER = "header"
    DATA = "data"
    METADATA = "metadata"
    COORDINATOR_KEY = "coordinator-key"
    COORDINATOR_VALUE = "coordinator-value"


class EntityType(Enum):
    """The things that a field's value can identify; each requires one primitive type (upstream: ``EntityType``)."""

    UNKNOWN = "unknown"
    TRANSACTIONAL_ID = "transactionalId"
    PRODUCER_ID = "producerId"
    GROUP_ID = "groupId"
    TOPIC_NAME = "topicName"
    BROKER_ID = "brokerId"


class EncodingForm(Enum):
    """The forms of integers (KIP-625): big-endian, zig-zag varint, or varint of the two's-complement bits."""

    FIXED = "fixed"
    PACKED = "packed"
    UPACKED = "upacked"


@dataclass(frozen=True, slots=True)
class Encoding:
    """One of KIP-625's nine encodings, for a signed value of ``bits`` bits."""

    form: EncodingForm
    bits: Width

    def __str__(self) -> str:
        return f"{self.form.value}{self.bits}"


@dataclass(frozen=True, slots=True)
class StructType:
    """A reference to a struct of the same message by its name."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array; Kafka has no arrays of arrays."""

    element: Primitive | StructType

    def __str__(self) -> str:
        return f"[]{self.element}"


FieldType = Primitive | StructType | ArrayType


class EmptyDefault(Enum):
    """The default of an array (no elements) or of a struct (all its own defaults)."""

    EMPTY = "empty"


Default = bool | int | float | str | bytes | UUID | None | EmptyDefault
"""A field's default as a value: ``None`` is null.

If a spec writes no default, records fields have ``None``, bytes fields ``b""``, and uuid fields the zero uuid.
"""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field.

    ``struct_about`` describes the struct that the field defines. ``flexible_versions`` overrides the flexible versions
    of the message, unless it is ``None``. ``encodings`` maps each version of an integer field, or of the elements of an
    integer array, to its encoding; ``None`` means the fixed encoding of the type's width in all versions. ``type`` is
    the widest type if the spec has a map of types.
    """

    name: str
    type: FieldType
    versions: VersionRange
    about: str = ""
    default: Default = EmptyDefault.EMPTY
    nullable_versions: VersionRange = NONE
    tagged_versions: VersionRange = NONE
    tag: int | None = None
    flexible_versions: VersionRange | None = None
    ignorable: bool = False
    map_key: bool = False
    zero_copy: bool = False
    sensitive: bool = False
    entity_type: EntityType = EntityType.UNKNOWN
    encodings: VersionMap[Encoding] | None = None
    fields: tuple[FieldSpec, ...] = ()
    struct_about: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class StructSpec:
    """A named group of fields.

    ``parent_versions`` are the versions of the enclosing message or struct (for a common struct: its own ``versions``).
    A version outside ``versions`` is read like the nearest version inside, as in Apache's generated classes. Only
    common structs have a ``place``.
    """

    name: str
    versions: VersionRange
    parent_versions: VersionRange
    fields: tuple[FieldSpec, ...]
    common: bool = False
    about: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """A resolved message spec.

    ``structs`` contains the inline structs in order of appearance, then the common structs.

    ``header_versions`` maps body versions to header versions for requests and responses (KIP-1313): as written in
    ``headerVersions``, or derived from ``flexible_versions``; it is ``None`` for other kinds and for retired messages.
    ``valid_versions`` is empty for a retired message (``validVersions: "none"``).
    """

    name: str
    kind: MessageKind
    valid_versions: VersionRange
    flexible_versions: VersionRange
    fields: tuple[FieldSpec, ...]
    structs: tuple[StructSpec, ...] = ()
    api_key: int | None = None
    about: str = ""
    deprecated_versions: VersionRange = NONE
    latest_version_unstable: bool = False
    listeners: tuple[str, ...] = ()
    header_versions: VersionMap[int] | None = None
    file: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)

    @property
    def root(self) -> StructSpec:
        """The fields of the message as a struct."""
        return StructSpec(self.name, self.valid_versions, self.valid_versions, self.fields, about=self.about)

    def struct(self, name: str) -> StructSpec:
        """Return the struct with that name; raise ``KeyError`` if it is unknown."""
        return {struct.name: struct for struct in self.structs}[name]


Part = FieldSpec | StructSpec | MessageSpec
