"""Finds the fields that each argument of ``rewrite`` reaches, according to the plans of messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from messagegen.plan import ops

ARGUMENTS: Final = {
    "topicName": "topics",
    "groupId": "groups",
    "transactionalId": "transactional_ids",
    "brokerId": "brokers",
}
"""The argument for each of Kafka's entity types; producer ids have no argument."""

ADDRESSES: Final = "addresses"


@dataclass(frozen=True)
class Reached:
    """A field that an argument reaches. ``note`` explains when it does, or names the id that belongs to an address."""

    argument: str
    path: str
    note: str = ""

    def __str__(self) -> str:
        return f"{self.path} {self.note}" if self.note else self.path


@dataclass(frozen=True)
class Place:
    """A field of a message with its path, such as ``MetadataResponse.Topics.Name``, and the struct that contains it."""

    path: str
    field: ops.FieldPlan
    struct: ops.StructPlan
    holder: str
    """The path of the struct that encloses the field's struct; empty for the message's own struct."""


def places(plan: ops.MessagePlan) -> Iterator[Place]:
    """Yield all fields of a message. Fields of a common struct come once for each field with this struct."""
    structs = {struct.class_name: struct for struct in plan.structs}

    def walk(struct: ops.StructPlan, path: str, holder: str) -> Iterator[Place]:
        for field in struct.fields:
            yield Place(f"{path}.{field.name}", field, struct, holder)
            inner = structs.get(field.type.removeprefix("[]"))
            if inner is not None:
                yield from walk(inner, f"{path}.{field.name}", path)

    yield from walk(plan.structs[0], plan.name, "")


def reached(plan: ops.MessagePlan) -> Iterator[tuple[Place, Reached]]:
    """Yield the fields of a message that arguments reach."""
    for place in places(plan):
        field = place.field
        if field.entity in ARGUMENTS:
            yield place, Reached(ARGUMENTS[field.entity], place.path)
        for condition, entity in _conditions(field):
            yield place, Reached(ARGUMENTS[entity], place.path, condition)
        address = place.struct.address
        if address is not None and field.attribute in (address.host, address.port):
            yield place, Reached(ADDRESSES, place.path, _node_id(place, address))


def _conditions(field: ops.FieldPlan) -> Iterable[tuple[str, str]]:
    if field.entity_by is None:
        return ()
    of = "the request's " if field.entity_by.request else ""
    return [(f"if {of}{field.entity_by.decider} is {value}", entity) for value, entity in field.entity_by.types]


def _node_id(place: Place, address: ops.AddressPlan) -> str:
    """Return a description of the id that belongs to an address."""
    if address.node_id is None:
        return "without an id"
    path = place.holder if address.held else place.path.rpartition(".")[0]
    return f"with {path}.{address.node_id}"
