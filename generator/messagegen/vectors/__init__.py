"""Vectors: bytes of each message in each version with the value they encode, the same on every machine.

The reference codec says what the bytes are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from messagegen.plan import ops
from messagegen.plan.walkable import walkable
from messagegen.runtime.json_form import message_to_json
from messagegen.runtime.walk import walk_encode
from messagegen.vectors.shapes import SHAPES
from messagegen.vectors.values import message_of

MOST_VALUES: Final = 10_000
"""A version of which even the smallest message has more values has no vectors: structs that hold two of the next one
double with each level."""


@dataclass(frozen=True, slots=True)
class Vector:
    """The bytes of one message in one version, and their value in Kafka's JSON form.

    ``shape`` is the name of its shape. With ``unknown_tags``, the bytes have tagged fields that JSON does not show, so
    they can be decoded, and encoded again, but not made from JSON.
    """

    message: str
    version: int
    shape: str
    json: dict[str, Any]
    data: bytes
    unknown_tags: bool = False

    def as_json(self) -> dict[str, Any]:
        """The vector in the words of the conformance protocol."""
        about = {"message": self.message, "version": self.version, "shape": self.shape}
        return {**about, "unknown_tags": self.unknown_tags, "json": self.json, "hex": self.data.hex()}


def make_vectors(plans: Iterable[ops.MessagePlan]) -> Iterator[Vector]:
    """The vectors of messages, by message, version and shape; of equal bytes, a version has one vector.

    A version that can't be encoded has none.
    """
    for source in plans:
        plan = walkable(source)
        left_out = too_large(source)
        for version, layout in plan.roots.items():
            known: set[bytes] = set()
            for shape in SHAPES if layout.encodable and version not in left_out else ():
                message = message_of(shape, layout)
                data = walk_encode(plan, message, version)
                if data not in known:
                    known.add(data)
                    json = message_to_json(plan, message, version)
                    unknown_tags = shape.unknown_tags and layout.flexible
                    yield Vector(source.name, version, shape.name, json, data, unknown_tags)


def too_large(plan: ops.MessagePlan) -> frozenset[int]:
    """The versions that have no vectors: the smallest message has more than ``MOST_VALUES`` values."""
    values: list[int] = []
    for layout in plan.layouts:
        inside = (
            values[codec.layout] if isinstance(codec, ops.StructCodec) and not codec.nullable else 1
            for _, codec in ops.fields_on_wire(layout)
        )
        values.append(sum(inside))
    return frozenset(version for version, root in plan.roots if values[root] > MOST_VALUES)
