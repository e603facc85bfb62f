"""Vectors: the bytes of each message in each version, with the value that they encode, equal on all machines.

The bytes come from the reference codec.
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
"""The maximum number of values in the smallest message of a version that gets vectors.

If each struct holds two structs, the number of values doubles with each level.
"""


@dataclass(frozen=True, slots=True)
class Vector:
    """The bytes of one message in one version, and their value in Kafka's JSON form.

    ``shape`` is the name of its shape. If ``unknown_tags`` is true, the bytes contain tagged fields that JSON does not
    show. They can then be decoded and re-encoded, but not encoded from JSON.
    """

    message: str
    version: int
    shape: str
    json: dict[str, Any]
    data: bytes
    unknown_tags: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the vector as a JSON object, with the keys of the conformance protocol."""
        about = {"message": self.message, "version": self.version, "shape": self.shape}
        return {**about, "unknown_tags": self.unknown_tags, "json": self.json, "hex": self.data.hex()}


def make_vectors(plans: Iterable[ops.MessagePlan]) -> Iterator[Vector]:
    """Yield the vectors of messages, in the order of messages, versions and shapes.

    The vectors of a version all have different bytes. Versions that can't be encoded have no vectors.
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
    """Return the versions whose smallest message has more than ``MOST_VALUES`` values, so they get no vectors."""
    values: list[int] = []
    for layout in plan.layouts:
        inside = (
            values[codec.layout] if isinstance(codec, ops.StructCodec) and not codec.nullable else 1
            for _, codec in ops.fields_on_wire(layout)
        )
        values.append(sum(inside))
    return frozenset(version for version, root in plan.roots if values[root] > MOST_VALUES)
