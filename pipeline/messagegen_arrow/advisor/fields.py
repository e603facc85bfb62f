"""The integers in one version of a message, and their encodings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from messagegen_arrow.advisor.encodings import FIXED_BYTES, WIDTH_OF_TYPE, encoding_of_codec
from messagegen_arrow.plans import Layout, nested_layouts, read_plan, root_layouts, tagged_attributes


@dataclass(frozen=True, slots=True)
class IntegerField:
    """An integer or integer array field of a struct, in all versions that share its encoding."""

    struct: str
    key: str
    """The field's name in Kafka's JSON."""
    type: str
    """Kafka's type of the field or, if it is an array, of its elements."""
    is_array: bool
    encoding: str
    """The name of the encoding in KIP-625; the field's type, if that cannot have an encoding."""

    @property
    def name(self) -> tuple[str, str]:
        """The struct and the key, which identify the field in all versions."""
        return self.struct, self.key

    @property
    def advisable(self) -> bool:
        """Whether a spec can set the field's encoding, by ``encoding`` or, for an array, by ``elementEncoding``."""
        return self.type in WIDTH_OF_TYPE

    @property
    def width(self) -> int:
        """The number of bits of the field's encodings; 64 for a type that cannot have an encoding."""
        return WIDTH_OF_TYPE.get(self.type, 64)


@lru_cache(maxsize=1024)
def integer_fields(plan_text: str, version: int) -> Mapping[str, IntegerField]:
    """Return the integers of a version, by path with attributes, such as ``topics.partitions.leader_id``.

    Raises ``LookupError`` for an unknown version.
    """
    (root,) = root_layouts(read_plan(plan_text), [version])
    return dict(_fields_of(root, ""))


@lru_cache(maxsize=1024)
def wanted_paths(plan_text: str, version: int) -> tuple[str, ...]:
    """Return the paths to decode for ``integer_fields``: the integers, and all fields of tagged structs.

    A tagged struct is written only if one of its fields differs from its default, so all of its fields are needed.
    """
    (root,) = root_layouts(read_plan(plan_text), [version])
    whole = tuple(_tagged_structs(root, ""))
    paths = integer_fields(plan_text, version)
    return (*whole, *(path for path in paths if not path.startswith(tuple(f"{one}." for one in whole))))


def _tagged_structs(layout: Layout, outer: str) -> Iterator[str]:
    for attribute in layout.codecs:
        for inner in nested_layouts([layout], attribute):
            if attribute in tagged_attributes(layout):
                yield f"{outer}{attribute}"
            else:
                yield from _tagged_structs(inner, f"{outer}{attribute}.")


def _fields_of(layout: Layout, outer: str) -> Iterator[tuple[str, IntegerField]]:
    for field in layout.fields.values():
        codec = layout.codecs.get(field.attribute)
        if codec is None:
            continue
        path = f"{outer}{field.attribute}"
        for inner in nested_layouts([layout], field.attribute):
            yield from _fields_of(inner, f"{path}.")
        if field.element_type in FIXED_BYTES:
            encoding = encoding_of_codec((codec.element or codec).text)
            struct = layout.struct.class_name
            yield path, IntegerField(struct, field.key, field.element_type, field.is_array, encoding)
