"""Responses with an error: made from the request, or put into the response of a broker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from messagegen_testing.errors.fields import elements, error_field, has_error, struct_arrays
from messagegen_testing.errors.selection import Place, Selection
from messagegen_testing.errors.shape import ITSELF, ArrayShape, StructShape

if TYPE_CHECKING:
    from messagegen_kafka import FieldInfo


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """Makes the responses to requests of one shape in which what is selected has an error code."""

    shape: StructShape
    selection: Selection
    error_code: int

    def made(self, request: Any) -> Any | None:
        """The response, only with what is selected; ``None`` if nothing of the request has an error code there."""
        response, has_errors = self._struct(self.shape, request)
        return response if has_errors else None

    def rest(self, request: Any) -> Any | None:
        """The request without what is selected; ``None`` if nothing is left of it."""
        if not self.shape.arrays:
            return None
        rest = _without(self.shape, request, self.selection)
        return rest if any(elements(rest, array.source) for array in self.shape.arrays) else None

    def _struct(self, shape: StructShape, source: Any) -> tuple[Any, bool]:
        """A struct of the response, and whether it has an error."""
        values: dict[str, Any] = {ours: _value(source, theirs) for ours, theirs in shape.copied}
        has_errors = False
        for array in shape.arrays:
            chosen = [each for each in elements(source, array.source) if (array.place, each) in self.selection]
            made = [self._struct(array.element, each) for each in chosen]
            # A topic of whose partitions none is selected is left out.
            kept = [(struct, is_error) for struct, is_error in made if is_error or not array.element.arrays]
            values[array.attribute] = tuple(struct for struct, _ in kept)
            has_errors |= any(is_error for _, is_error in kept)
        if shape.error and not has_errors and self._is_about_all(shape, source):
            values[shape.error] = self.error_code
            has_errors = True
        return shape.struct(**values), has_errors

    def _is_about_all(self, shape: StructShape, source: Any) -> bool:
        """Whether a struct itself gets the error code, because no element of its arrays can have it.

        An error belongs to the partition if there is one, else to the topic, else to the response.
        """
        arrays = [array for array in shape.arrays if array.element.has_error]
        if not arrays:
            return True
        return not self.selection.is_limited and not any(elements(source, array.source) for array in arrays)


def _value(source: Any, attribute: str) -> Any:
    return source if attribute == ITSELF else getattr(source, attribute)


def _without(shape: StructShape, source: Any, selection: Selection) -> Any:
    changes = {array.source: tuple(_left(array, source, selection)) for array in shape.arrays}
    return source.__replace__(**changes)


def _left(array: ArrayShape, source: Any, selection: Selection) -> list[Any]:
    """The elements of an array of a request that are left without what is selected."""
    left: list[Any] = []
    for each in elements(source, array.source):
        if (array.place, each) not in selection:
            left.append(each)
        elif array.element.arrays:
            rest = _without(array.element, each, selection)
            if any(elements(rest, inner.source) for inner in array.element.arrays):
                left.append(rest)
    return left


def merged(shape: StructShape, response: Any, errors: Any) -> Any:
    """The response of a broker with the elements of another that only has errors."""
    changes: dict[str, Any] = {}
    for array in shape.arrays:
        found = list(elements(response, array.attribute))
        for error in elements(errors, array.attribute):
            position = _position(array, found, error)
            if position is None:
                found.append(error)
            else:
                found[position] = merged(array.element, found[position], error)
        changes[array.attribute] = tuple(found)
    return response.__replace__(**changes)


def _position(array: ArrayShape, found: Sequence[Any], error: Any) -> int | None:
    """Where the element is that is about the same as one with an error, such as its topic."""
    names = [ours for ours, _ in array.element.copied]
    wanted = [getattr(error, name) for name in names]
    for position, each in enumerate(found):
        if names and [getattr(each, name) for name in names] == wanted:
            return position
    return None


def with_error(response: Any, fields: Sequence[FieldInfo], selection: Selection, error_code: int) -> Any:
    """The response of a broker, with the error code where something is selected; itself if nothing is.

    Elements of arrays get it, if there are any with error codes: topics, or partitions if the selection has one.
    """
    changed = _elements_with_error(response, fields, selection, error_code)
    error = error_field(fields)
    if changed is response and error is not None and selection.topic is None and selection.partition is None:
        return response.__replace__(**{error: error_code})
    return changed


def _elements_with_error(value: Any, fields: Sequence[FieldInfo], selection: Selection, error_code: int) -> Any:
    changes: dict[str, Any] = {}
    for array in struct_arrays(fields):
        if not has_error(array.fields):
            continue
        before = elements(value, array.name)
        after = tuple(_element_with_error(each, array, selection, error_code) for each in before)
        if any(new is not old for new, old in zip(after, before, strict=True)):
            changes[array.name] = after
    return value.__replace__(**changes) if changes else value


def _element_with_error(element: Any, array: FieldInfo, selection: Selection, error_code: int) -> Any:
    place = Place.of(array)
    if (place, element) not in selection:
        return element
    error = error_field(array.fields)
    is_wanted = selection.partition is None or place.partition is not None
    if error is not None and is_wanted:
        return element.__replace__(**{error: error_code})
    return _elements_with_error(element, array.fields, selection, error_code)
