"""Plans to vectors; the reference codec says what the bytes are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from messagegen.plan import ops
from messagegen.plan.walkable import walkable
from messagegen.runtime.errors import DecodeError
from messagegen.runtime.json_form import message_to_json
from messagegen.runtime.plans import Plan
from messagegen.runtime.walk import walk_decode, walk_encode
from messagegen.vectors.shapes import SHAPES
from messagegen.vectors.values import message_of

MOST_VALUES: Final = 10_000
"""A version of which even the smallest message has more values has no vectors: structs that hold two of the next one
double with each level."""


@dataclass(frozen=True, slots=True)
class Vector:
    """The bytes of one message in one version, and their value in Kafka's JSON form.

    ``shape`` is the name of its shape. With ``unknown_tags``, the bytes have tagged fields that JSON does not show, so they can be
    decoded, and encoded again, but not made from JSON. ``longer`` are other bytes of the same message, which no encoder writes; one vector of a flexible version has them.
    """

    message: str
    version: int
    shape: str
    json: dict[str, Any]
    data: bytes
    unknown_tags: bool = False
    longer: bytes | None = None


def make_vectors(plans: Iterable[ops.MessagePlan]) -> Iterator[Vector]:
    """The vectors of messages, by message, version and shape; of equal bytes, a version has one vector."""
    for source in plans:
        plan, left_out = walkable(source), too_large(source)
        for version, layout in plan.roots.items():
            known: set[bytes] = set()
            for shape in SHAPES if version not in left_out else ():
                message = message_of(shape, layout)
                data = walk_encode(plan, message, version)
                if data not in known:
                    known.add(data)
                    json = message_to_json(plan, message, version)
                    unknown_tags = shape.unknown_tags and layout.flexible
                    longer = _longer(plan, version, data) if len(known) == 1 else None
                    yield Vector(source.name, version, shape.name, json, data, unknown_tags, longer)


def _longer(plan: Plan, version: int, data: bytes) -> bytes | None:
    """Other bytes of the same message: where it ends in a number of tagged fields, 0, two bytes may say so as well."""
    longer = data[:-1] + b"\x80\x00"
    try:
        message, end = walk_decode(plan, longer, 0, version)
    except DecodeError:
        return None
    return longer if end == len(longer) and walk_encode(plan, message, version) == data else None


def too_large(plan: ops.MessagePlan) -> frozenset[int]:
    """The versions that have no vectors: the smallest message has more than ``MOST_VALUES`` values."""
    values: list[int] = []
    for layout in plan.layouts:
        inside = (
            values[codec.layout] if isinstance(codec, ops.StructCodec) and codec.null_mark == "never" else 1
            for _, codec in ops.fields_on_wire(layout)
        )
        values.append(sum(inside))
    return frozenset(version for version, root in plan.roots if values[root] > MOST_VALUES)
