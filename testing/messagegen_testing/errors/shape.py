"""How the response of a request with an error follows from the request, by the specs of both.

Kafka's Java classes have this by hand, as ``getErrorResponse`` of each request. Here, arrays of the response that have
error codes are paired with arrays of the request that name the same things.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from messagegen_testing.errors.fields import (
    error_field,
    has_error,
    is_topic_id,
    names_topic,
    numbers_partition,
    struct_arrays,
)
from messagegen_testing.errors.selection import Place

if TYPE_CHECKING:
    from messagegen_kafka import FieldInfo

ITSELF: Final = ""
"""Stands for an element itself, in arrays of texts and numbers."""

_IDENTIFYING_TYPES: Final = frozenset({"string", "int8", "uuid"})
"""A field with the same name and one of these types says in both messages what an element is about.

Numbers of other types, such as offsets, only do so if they have an entity type.
"""


@dataclass(frozen=True, slots=True)
class StructShape:
    """A struct of the response: its class, the attribute of its error code, and what it takes from the request.

    ``copied`` are pairs of attributes, of the response and of the request.
    """

    struct: type[Any]
    error: str | None
    copied: tuple[tuple[str, str], ...]
    arrays: tuple[ArrayShape, ...]

    @property
    def has_error(self) -> bool:
        """Whether the struct has an error code, at any depth."""
        return self.error is not None or any(array.element.has_error for array in self.arrays)

    def lines(self, indent: str = "") -> Iterator[str]:
        """The shape as text, for people who review it."""
        if self.error:
            yield f"{indent}{self.error}"
        for ours, theirs in self.copied:
            yield f"{indent}{ours} = {theirs or 'the element'}"
        for array in self.arrays:
            yield f"{indent}{array.attribute} from {array.source}:"
            yield from array.element.lines(indent + "  ")


@dataclass(frozen=True, slots=True)
class ArrayShape:
    """An array of the response, and the array of the request whose elements its elements answer.

    ``place`` is where an element of the request has its topic and partition.
    """

    attribute: str
    source: str
    place: Place
    element: StructShape


@cache
def shape_of(request: Any, response: Any, version: int) -> StructShape:
    """The shape of a response to a request of a version, by their classes."""
    theirs = request.fields(version=version)
    ours = response.fields(version=version)
    return StructShape(response, error_field(ours), (), tuple(_arrays(ours, theirs, repeats=False)))


def _arrays(ours: Sequence[FieldInfo], theirs: Sequence[FieldInfo], *, repeats: bool) -> Iterator[ArrayShape]:
    """The arrays of a struct of the response that follow from the request: those with errors.

    With ``repeats``, they are also those that say what an error is about.
    """
    for array in struct_arrays(ours):
        if not has_error(array.fields) and not (repeats and _is_repeated(array, theirs)):
            continue
        source = _source(array, theirs)
        if source is not None:
            yield ArrayShape(array.name, source.name, Place.of(source), _element_shape(array, source))


def _element_shape(array: FieldInfo, source: FieldInfo) -> StructShape:
    assert array.struct is not None
    return StructShape(
        array.struct,
        error_field(array.fields),
        tuple(_copied(array, source)),
        tuple(_arrays(array.fields, source.fields, repeats=True)),
    )


def _is_repeated(array: FieldInfo, theirs: Iterable[FieldInfo]) -> bool:
    """Whether the request has the same array, which the response repeats: the entity of a quota, for example."""
    names = {each.name for each in array.fields}
    return any(each.name == array.name and {one.name for one in each.fields} == names for each in theirs)


def _source(array: FieldInfo, theirs: Iterable[FieldInfo]) -> FieldInfo | None:
    """The array of the request whose elements have most in common with those of an array of the response.

    The elements of a few arrays, such as the results of CreateAcls, only have an error: they are in the order of the
    only array of the request.
    """
    candidates = [each for each in theirs if each.is_array]
    linked = [(len(list(_copied(array, each))), each) for each in candidates]
    links, best = max(linked, key=lambda one: (one[0], one[1].name == array.name), default=(0, None))
    if links:
        return best
    says_nothing = not any(each.type in _IDENTIFYING_TYPES | {"int32"} for each in array.fields if not _is_error(each))
    return candidates[0] if says_nothing and len(candidates) == 1 else None


def _is_error(field: FieldInfo) -> bool:
    return field.name.endswith(("error_code", "error_message"))


def _copied(array: FieldInfo, source: FieldInfo) -> Iterator[tuple[str, str]]:
    """What elements of the response take from the elements of the request that they answer."""
    for field in array.fields:
        if field.is_array or _is_error(field):
            continue
        if not source.fields:
            if _names_element(field, source):
                yield field.name, ITSELF
                return
            continue
        names_same = [each for each in source.fields if not each.is_array and _same(field, each)]
        if names_same:
            yield field.name, names_same[0].name


def _same(ours: FieldInfo, theirs: FieldInfo) -> bool:
    """Whether a field of the response and one of the request say what an element is about, and mean the same."""
    if ours.type != theirs.type:
        return False
    if ours.entity_type or theirs.entity_type:
        return ours.entity_type == theirs.entity_type
    if is_topic_id(ours) or numbers_partition(ours):
        return is_topic_id(theirs) or numbers_partition(theirs)
    return ours.type in _IDENTIFYING_TYPES and ours.name == theirs.name


def _names_element(field: FieldInfo, source: FieldInfo) -> bool:
    """Whether a field of the response has the value of an element of an array of names or numbers."""
    if field.type != source.element_type:
        return False
    if names_topic(source) or source.entity_type:
        return field.entity_type == source.entity_type
    if numbers_partition(source):
        return numbers_partition(field)
    return source.name.endswith(f"{field.name}s")
