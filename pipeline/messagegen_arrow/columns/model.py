"""The columns of a message: the fields of some of its versions, with the requested names and types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypedDict, TypeVar

from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.plans import Layout, Plan, nested_layouts, read_plan, root_layouts
from messagegen_kafka._runtime.errors import DEFAULT_LIMITS, Limits

Names = Literal["kafka", "snake"]
UuidType = Literal["string", "binary"]

_Word = TypeVar("_Word", bound=str)

UNKNOWN_TAGGED_FIELDS: Final = "unknown_tagged_fields"
"""The attribute of unknown tagged fields in generated classes, and the name of their column in snake case."""
KAFKA_UNKNOWN_TAGGED_FIELDS: Final = "_unknownTaggedFields"
"""The name of their column with Kafka's names, as in Kafka's classes. Field names cannot begin with an underscore."""


class ColumnOptions(TypedDict, total=False):
    """Options for the columns of a message; all keys have defaults.

    - ``versions``: the versions whose fields get columns (default: the requested version, or all versions if each row
      has its own version)
    - ``fields``: the paths of the wanted fields, such as ``topics.partitions.leaderId``, with Kafka's names or in snake
      case; a path selects a field with everything in it (default: all fields)
    - ``names``: ``kafka``, for names as in Kafka's JSON (``throttleTimeMs``; default), or ``snake``
    - ``uuid``: ``string``, for Kafka's text form (base64url without padding; default), or ``binary`` (16 bytes)
    - ``unknown_tagged_fields``: whether each struct has a map of the fields that the spec does not know, from tag to
      bytes (default: no)
    - ``limits``: the limits of one message, as in ``Limits`` of ``messagegen_kafka``, but for the memory of Arrow
      columns; a message that exceeds a limit is malformed
    """

    versions: int | Iterable[int] | None
    fields: Sequence[str] | None
    names: Names
    uuid: UuidType
    unknown_tagged_fields: bool
    limits: Limits


@dataclass(frozen=True, slots=True)
class Column:
    """A column, or a field of a struct column: its name and type."""

    name: str
    struct: str
    """The struct of the field."""
    attribute: str
    type: str
    """Kafka's type of the field, or of the elements of an array: a primitive type, the name of a struct, or ``tags``.

    ``tags`` means unknown tagged fields.
    """
    nullable: bool
    """Whether the column may contain nulls. Elements of arrays are never null."""
    is_array: bool = False
    is_struct: bool = False
    fields: tuple[Column, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageColumns:
    """A message and the options of its columns, which is all that a worker needs. Equal values mean equal columns."""

    plan: str
    versions: tuple[int, ...]
    fields: tuple[str, ...] | None = None
    """The selected paths, with attributes, as the engine expects them."""
    names: Names = "kafka"
    uuid: UuidType = "string"
    unknown_tagged_fields: bool = False
    limits: Limits = DEFAULT_LIMITS

    @classmethod
    def of(cls, table: MessageTable, version: int | None, options: ColumnOptions) -> MessageColumns:
        """Return the columns for messages of one version, or of any version (``None``).

        Raises ``LookupError`` for unknown versions, and ``ValueError`` for unknown or invalid options.
        """
        unknown = set(options) - ColumnOptions.__optional_keys__
        if unknown:
            known = ", ".join(sorted(ColumnOptions.__optional_keys__))
            raise ValueError(f"unknown option {', '.join(sorted(unknown))}; known options: {known}")
        plan = read_plan(table.plan)
        versions = _versions(plan, version, options.get("versions"))
        wanted = options.get("fields")
        with_tags = options.get("unknown_tagged_fields", False)
        return cls(
            plan=table.plan,
            versions=versions,
            fields=None if wanted is None else tuple(sorted({_attributes(plan, path, with_tags) for path in wanted})),
            names=_one_of("names", options.get("names", "kafka"), ("kafka", "snake")),
            uuid=_one_of("uuid", options.get("uuid", "string"), ("string", "binary")),
            unknown_tagged_fields=with_tags,
            limits=options.get("limits", DEFAULT_LIMITS),
        )

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in the order of the message's fields, regardless of the order of versions."""
        return _columns_of(self)


def _one_of(option: str, value: _Word, known: tuple[_Word, ...]) -> _Word:
    if value not in known:
        raise ValueError(f"{option}: expected {' or '.join(map(repr, known))}, found {value!r}")
    return value


def _versions(plan: Plan, version: int | None, requested: int | Iterable[int] | None) -> tuple[int, ...]:
    if requested is None:
        versions = tuple(plan.valid_versions) if version is None else (version,)
    else:
        versions = (requested,) if isinstance(requested, int) else tuple(sorted(set(requested)))
    if not versions:
        raise ValueError(
            f"versions is empty; {plan.name} has versions {plan.valid_versions[0]} to {plan.valid_versions[-1]}"
        )
    root_layouts(plan, versions)
    if version is not None and version not in versions:
        raise ValueError(f"version {version} is not among the versions {', '.join(map(str, versions))} of the columns")
    return versions


def _attributes(plan: Plan, path: str, with_tags: bool) -> str:
    """Return the path with attributes; each of its parts may be an attribute or Kafka's name.

    Raises ``ValueError`` for an unknown path.
    """
    owner = plan.root.class_name
    parts = path.split(".")
    found: list[str] = []
    for number, part in enumerate(parts, start=1):
        fields = plan.structs[owner].fields
        field = fields.get(part) or next((field for field in fields.values() if field.key == part), None)
        if field is None:
            if with_tags and number == len(parts) and part in (UNKNOWN_TAGGED_FIELDS, KAFKA_UNKNOWN_TAGGED_FIELDS):
                return ".".join([*found, UNKNOWN_TAGGED_FIELDS])
            names = ", ".join(field.key for field in fields.values())
            raise ValueError(f"unknown field {path!r}: {owner} has no {part!r}; its fields are {names}")
        found.append(field.attribute)
        owner = field.element_type
        if number < len(parts) and owner not in plan.structs:
            raise ValueError(f"unknown field {path!r}: {part!r} is not a struct")
    return ".".join(found)


@lru_cache(maxsize=1024)
def _columns_of(wanted: MessageColumns) -> tuple[Column, ...]:
    plan = read_plan(wanted.plan)
    columns = _struct_columns(wanted, root_layouts(plan, wanted.versions), "")
    # All columns are nullable, because a row that cannot be read has no fields.
    return tuple(replace(column, nullable=True) for column in columns)


def _struct_columns(wanted: MessageColumns, layouts: Sequence[Layout], outer: str) -> tuple[Column, ...]:
    """Return the columns of the struct with these layouts. ``outer`` is its path, which ends with a dot."""
    struct = layouts[0].struct
    columns: list[Column] = []
    for field in struct.fields.values():
        path = f"{outer}{field.attribute}"
        codecs = [layout.codecs.get(field.attribute) for layout in layouts]
        if any(codecs) and _is_wanted(wanted, path):
            inner = nested_layouts(layouts, field.attribute)
            columns.append(
                Column(
                    name=field.key if wanted.names == "kafka" else field.attribute,
                    struct=struct.class_name,
                    attribute=field.attribute,
                    type=field.element_type,
                    # A missing tagged struct has the defaults of its fields. Records are null by default.
                    nullable=field.default_text == "null" or any(codec is None or codec.null > 0 for codec in codecs),
                    is_array=field.is_array,
                    is_struct=bool(inner),
                    fields=_struct_columns(wanted, inner, f"{path}.") if inner else (),
                )
            )
    if _has_unknown_tagged_fields(wanted, layouts, outer):
        name = KAFKA_UNKNOWN_TAGGED_FIELDS if wanted.names == "kafka" else UNKNOWN_TAGGED_FIELDS
        nullable = not all(layout.flexible for layout in layouts)
        columns.append(Column(name, struct.class_name, UNKNOWN_TAGGED_FIELDS, "tags", nullable))
    return tuple(columns)


def _has_unknown_tagged_fields(wanted: MessageColumns, layouts: Sequence[Layout], outer: str) -> bool:
    if not wanted.unknown_tagged_fields or not any(layout.flexible for layout in layouts):
        return False
    return _is_wanted(wanted, f"{outer}{UNKNOWN_TAGGED_FIELDS}")


def _is_wanted(wanted: MessageColumns, path: str) -> bool:
    """Whether a field, anything within it, or a struct that contains it is requested."""
    if wanted.fields is None:
        return True
    return any(f"{path}.".startswith(f"{one}.") or one.startswith(f"{path}.") for one in wanted.fields)
