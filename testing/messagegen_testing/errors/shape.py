"""The shapes of responses with errors, which follow from the specs of the request and the response.

In Kafka's Java classes, ``getErrorResponse`` of each request is written by hand. Here, response arrays with error codes
are paired with request arrays that name the same things. ``facts`` lists what the specs do not show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from messagegen_testing.errors import facts
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
"""The placeholder for an element itself, in arrays of strings and numbers."""

_IDENTIFYING_TYPES: Final = frozenset({"string", "int8", "uuid"})
"""Types of fields that identify what an element is about, if both messages have a field with the same name.

Numbers of other types, such as offsets, identify an element only if they have an entity type.
"""

_BROKER_ENTITY: Final = "brokerId"
"""The entity type of brokers. It never identifies a response element that has an error."""

MESSAGE: Final = "error_message"
"""The attribute that describes an error in words."""


@dataclass(frozen=True, slots=True)
class StructShape:
    """A struct of the response: its class, the attribute of its error code, and the values from the request.

    ``copied`` are pairs of a response attribute and the request attribute with its value. ``values`` are the values
    that differ from the defaults if the struct has an error, and ``values_without_error`` if it has no error.
    ``message`` is the attribute that describes the error in words, if brokers set it. With ``lists_all``, the struct
    keeps its arrays even if it has an error itself. Attributes in ``never_null`` keep their default if the request
    has null.
    """

    struct: type[Any]
    error: str | None
    copied: tuple[tuple[str, str], ...] = ()
    arrays: tuple[ArrayShape, ...] = ()
    values: tuple[tuple[str, Any], ...] = ()
    values_without_error: tuple[tuple[str, Any], ...] = ()
    message: str | None = None
    lists_all: bool = False
    never_null: frozenset[str] = frozenset()

    @property
    def has_error(self) -> bool:
        """Whether the struct has an error code, at any depth."""
        return self.error is not None or any(array.has_error for array in self.arrays)

    def lines(self, indent: str = "") -> Iterator[str]:
        """Yield the shape as lines of text, for review."""
        if self.error:
            beside = [f"{name} = {value!r}" for name, value in self.values if name != self.message]
            words = [f"{self.message} in words"] if self.message else []
            everywhere = ["and in all elements"] if self.lists_all else []
            yield indent + ", ".join([self.error, *beside, *words, *everywhere])
        for ours, theirs in self.copied:
            yield f"{indent}{ours} = {theirs or 'the element'}"
        for array in self.arrays:
            yield from array.lines(indent)


@dataclass(frozen=True, slots=True)
class ArrayShape:
    """An array of the response, and the request array whose elements it answers.

    ``place`` has the attributes of the topic and partition in a request element. With ``inner``, the response has no
    struct for an element of the request array, but only for the elements of an array inside that element.
    """

    attribute: str
    source: str
    place: Place
    element: StructShape
    inner: ArrayShape | None = None

    @property
    def has_error(self) -> bool:
        """Whether the elements have error codes, at any depth."""
        return self.element.has_error

    @property
    def has_partitions(self) -> bool:
        """Whether elements with error codes are about topics or partitions, at any depth."""
        inner = any(array.has_partitions for array in self.element.arrays)
        return inner or (self.element.error is not None and self.place.is_known)

    def lines(self, indent: str) -> Iterator[str]:
        """Yield the shape as lines of text."""
        if self.inner is not None:
            yield f"{indent}for each of {self.source}:"
            yield from self.inner.lines(indent + "  ")
            return
        yield f"{indent}{self.attribute} from {self.source}:"
        yield from self.element.lines(indent + "  ")


@cache
def shape_of(request: Any, response: Any, version: int) -> StructShape:
    """Return the shape of a response class for a request class, in one version."""
    return _Shapes(response, version).response(request.fields(version=version))


@dataclass(frozen=True, slots=True)
class _Shapes:
    """Makes the shapes of one response class in one version."""

    response_class: Any
    version: int

    @property
    def _name(self) -> str:
        name: str = self.response_class.__name__
        return name

    def response(self, theirs: Sequence[FieldInfo]) -> StructShape:
        ours = self.response_class.fields(version=self.version)
        repeated = facts.REPEATED.get(self._name, frozenset())
        present = {field.name for field in ours if not field.is_array}
        copied = tuple((name, name) for name in sorted(repeated & present))
        arrays = (*self._listed(ours, theirs), *self._arrays(ours, theirs, repeated))
        return self._struct(self.response_class, ours, copied, arrays)

    def _struct(
        self,
        struct: type[Any],
        ours: Sequence[FieldInfo],
        copied: tuple[tuple[str, str], ...],
        arrays: tuple[ArrayShape, ...],
    ) -> StructShape:
        error = error_field(ours)
        never_null = frozenset(self._never_null(ours))
        if error is None:
            return StructShape(struct, None, copied, arrays, never_null=never_null)
        has_message = self._name in facts.WITH_MESSAGE and any(field.name == MESSAGE for field in ours)
        return StructShape(
            struct,
            error,
            copied,
            arrays,
            values=tuple(values_beside(self.response_class, ours)),
            values_without_error=tuple(_present(facts.VALUES_WITHOUT_ERROR.get(self._name, {}), ours)),
            message=MESSAGE if has_message else None,
            lists_all=self.version in facts.EVERYWHERE.get(self._name, range(0)),
            never_null=never_null,
        )

    def _never_null(self, ours: Iterable[FieldInfo]) -> Iterator[str]:
        listed = facts.NEVER_NULL.get(self._name, frozenset())
        return (field.name for field in ours if not field.nullable or field.name in listed)

    def _listed(self, ours: Sequence[FieldInfo], theirs: Sequence[FieldInfo]) -> Iterator[ArrayShape]:
        """Yield the pairs of arrays that ``facts.SOURCES`` lists."""
        paths = facts.SOURCES.get(self._name, ())
        arrays = [array for array in struct_arrays(ours) if has_error(array.fields)] if paths else []
        for array in arrays:
            for path in paths:
                yield self._along(path, array, theirs)

    def _along(self, path: tuple[str, ...], array: FieldInfo, theirs: Sequence[FieldInfo]) -> ArrayShape:
        """Return the pair of a response array and the request array at the end of a path."""
        (source,) = [field for field in theirs if field.name == path[0]]
        if len(path) == 1:
            return self._pair(array, source)
        inner = self._along(path[1:], array, source.fields)
        return ArrayShape(array.name, source.name, Place.of(source), inner.element, inner)

    def _arrays(
        self, ours: Sequence[FieldInfo], theirs: Sequence[FieldInfo], repeated: frozenset[str]
    ) -> Iterator[ArrayShape]:
        """Yield the top-level arrays of the response that have errors or repeat the request."""
        if self._name in facts.SOURCES:
            return
        for array in struct_arrays(ours):
            if has_error(array.fields) or array.name in repeated:
                yield from self._paired(array, theirs)

    def _paired(self, array: FieldInfo, theirs: Sequence[FieldInfo]) -> Iterator[ArrayShape]:
        source = _source(array, theirs)
        if source is not None:
            yield self._pair(array, source)

    def _pair(self, array: FieldInfo, source: FieldInfo) -> ArrayShape:
        assert array.struct is not None
        renamed = facts.COPIED.get(self._name, {})
        copied = (*renamed.items(), *_copied(array, source))
        arrays = tuple(self._inner_arrays(array, source))
        element = self._struct(array.struct, array.fields, copied, arrays)
        return ArrayShape(array.name, source.name, Place.of(source), element)

    def _inner_arrays(self, array: FieldInfo, source: FieldInfo) -> Iterator[ArrayShape]:
        """Yield the inner arrays of elements: if elements have errors, only arrays with errors and repeated arrays."""
        in_repeated = not has_error(array.fields)
        for each in struct_arrays(array.fields):
            if in_repeated or has_error(each.fields) or _is_repeated(each, source.fields):
                yield from self._paired(each, source.fields)


def values_beside(response_class: Any, fields: Iterable[FieldInfo]) -> Iterator[tuple[str, Any]]:
    """Yield pairs of attribute and value: the values beside an error that differ from the spec's defaults."""
    return _present(facts.VALUES.get(response_class.__name__, {}), fields)


def _present(values: Mapping[str, Any], fields: Iterable[FieldInfo]) -> Iterator[tuple[str, Any]]:
    for field in fields:
        if field.type == "records":
            yield field.name, b""  # The default is null, which clients take for a damaged response.
        elif field.name == MESSAGE and field.nullable:
            yield field.name, None  # In a few specs, the default is an empty string.
        elif field.name in values and (field.nullable or values[field.name] is not None):
            yield field.name, values[field.name]


def _is_repeated(array: FieldInfo, theirs: Iterable[FieldInfo]) -> bool:
    """Whether the response repeats an array of the request, such as the entity of a quota."""
    names = {each.name for each in array.fields}
    return any(each.name == array.name and {one.name for one in each.fields} == names for each in theirs)


def _source(array: FieldInfo, theirs: Iterable[FieldInfo]) -> FieldInfo | None:
    """Return the request array whose elements share most fields with the elements of a response array.

    In a few response arrays, such as the results of CreateAcls, elements only have an error. They are in the order of
    the only array in the request.
    """
    candidates = [each for each in theirs if each.is_array]
    linked = [(len(list(_copied(array, each))), each) for each in candidates]
    links, best = max(linked, key=lambda one: (one[0], one[1].name == array.name), default=(0, None))
    if links:
        return best
    is_anonymous = not any(each.type in _IDENTIFYING_TYPES | {"int32"} for each in array.fields if not _is_error(each))
    return candidates[0] if is_anonymous and len(candidates) == 1 else None


def _is_error(field: FieldInfo) -> bool:
    return field.name.endswith(("error_code", MESSAGE))


def _copied(array: FieldInfo, source: FieldInfo) -> Iterator[tuple[str, str]]:
    """Yield the attributes that response elements copy from request elements, as pairs."""
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
    """Whether a field of the response and a field of the request identify the same element."""
    if ours.type != theirs.type or ours.entity_type == _BROKER_ENTITY:
        return False
    if ours.entity_type or theirs.entity_type:
        return ours.entity_type == theirs.entity_type
    if is_topic_id(ours) or numbers_partition(ours):
        return is_topic_id(theirs) or numbers_partition(theirs)
    return ours.type in _IDENTIFYING_TYPES and ours.name == theirs.name


def _names_element(field: FieldInfo, source: FieldInfo) -> bool:
    """Whether a response field has the value of an element of ``source``, an array of names or numbers."""
    if field.type != source.element_type:
        return False
    if names_topic(source) or source.entity_type:
        return field.entity_type == source.entity_type
    if numbers_partition(source):
        return numbers_partition(field)
    return source.name.endswith(f"{field.name}s")
