"""Makes responses with an error from requests, or puts an error into a broker's response."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from messagegen_kafka import ErrorCode
from messagegen_testing.errors import facts
from messagegen_testing.errors.fields import elements, error_field, has_error, struct_arrays
from messagegen_testing.errors.selection import Place, Selection
from messagegen_testing.errors.shape import ITSELF, ArrayShape, StructShape, values_beside

if TYPE_CHECKING:
    from messagegen_kafka import FieldInfo

_UNKNOWN: Final = (None, "", UUID(int=0))
"""Names and ids that identify nothing: a topic has either its name or its id, and one of these in the other field."""


@dataclass(frozen=True, slots=True)
class _Part:
    """The response structs that answer a struct of the request, and the rest of the request struct, or ``None``.

    The rest is what the broker still has to answer. ``has_error`` is whether one of the response structs contains the
    error code, at any depth.
    """

    answers: tuple[Any, ...]
    has_error: bool
    rest: Any


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """Makes responses to requests of one shape, with an error code in the selected structs.

    The error goes to the outermost struct that has an error code and whose content is all selected: the response, else
    the group or topic, else the partition. Codes about partitions, and ``NONE``, always go to the innermost structs.
    """

    shape: StructShape
    selection: Selection
    error_code: int

    def made(self, request: Any) -> Any | None:
        """Return the response for the selected structs; ``None`` if none of them can have an error code."""
        part = self._part(self.shape, request)
        return part.answers[0] if part.has_error else None

    def without_elements(self, request: Any) -> Any | None:
        """Return a response without an error to a request that names nothing.

        Returns ``None`` if the response may have to list everything.
        """
        is_empty = all(getattr(request, array.source) is not None for array in self.shape.arrays)
        if not is_empty or not self.shape.has_error or self.shape.struct.__name__ in facts.EMPTY_LISTS_ALL:
            return None
        return _struct(self.shape, request, self._pairs(self.shape, request))

    def rest(self, request: Any) -> Any | None:
        """Return the request without the selected structs; ``None`` if nothing is left."""
        part = self._part(self.shape, request)
        return part.rest if part.has_error else request

    def _part(self, shape: StructShape, source: Any) -> _Part:
        pairs = self._pairs(shape, source)
        with_codes = [(array, parts) for array, parts in pairs if array.has_error]
        has_error = any(part.has_error for _, parts in with_codes for part in parts)
        left = {array.source: _left(parts) for array, parts in with_codes}
        rest = source.__replace__(**left) if any(left.values()) else None
        if self._is_about_struct(shape, has_error=has_error, is_whole=rest is None):
            kept = [(array, parts) for array, parts in pairs if shape.lists_all or not array.has_error]
            return _Part((self._with_error(shape, source, kept),), has_error=True, rest=None)
        if shape.has_error and self.selection.is_limited and not has_error:
            return _Part((), has_error=False, rest=source)
        return _Part((_struct(shape, source, pairs),), has_error, rest)

    def _pairs(self, shape: StructShape, source: Any) -> list[tuple[ArrayShape, list[_Part]]]:
        """Return each array of a struct, with a part for each element of the request's array."""
        return [
            (array, [self._element(array, each) for each in elements(source, array.source)]) for array in shape.arrays
        ]

    def _element(self, array: ArrayShape, each: Any) -> _Part:
        """Return the part for one element of a request array."""
        if (array.place, each) not in self.selection:
            return _Part((), has_error=False, rest=each)
        if array.inner is None:
            return self._part(array.element, each)
        parts = [self._element(array.inner, one) for one in elements(each, array.inner.source)]
        left = _left(parts)
        rest = each.__replace__(**{array.inner.source: left}) if left else None
        return _Part(_answers(parts), any(part.has_error for part in parts), rest)

    def _is_about_struct(self, shape: StructShape, *, has_error: bool, is_whole: bool) -> bool:
        """Whether a struct itself gets the error code, instead of elements of its arrays.

        ``has_error`` is whether elements can have the code, and ``is_whole`` whether all elements are selected.
        """
        if shape.error is None:
            return False
        if not has_error:
            return not self.selection.is_limited or not any(array.has_error for array in shape.arrays)
        if self.error_code == ErrorCode.NONE:
            return False
        if self.error_code in facts.PARTITION_CODES and any(array.has_partitions for array in shape.arrays):
            return False
        return is_whole or self.error_code in facts.REQUEST_CODES

    def _with_error(self, shape: StructShape, source: Any, pairs: Iterable[tuple[ArrayShape, list[_Part]]]) -> Any:
        assert shape.error is not None
        values = shape.values if self.error_code else shape.values_without_error
        changes = {**dict(values), shape.error: self.error_code}
        if shape.message and self.error_code:
            changes[shape.message] = ErrorCode(self.error_code).about
        return _struct(shape, source, pairs).__replace__(**changes)


def _struct(shape: StructShape, source: Any, pairs: Iterable[tuple[ArrayShape, list[_Part]]]) -> Any:
    """Return a struct of the response whose own error code is not set."""
    copied = {ours: _value(source, theirs) for ours, theirs in shape.copied}
    values: dict[str, Any] = {
        name: value for name, value in copied.items() if value is not None or name not in shape.never_null
    }
    for array, parts in pairs:
        before = values.get(array.attribute, ())
        values[array.attribute] = (*before, *(each for each in _answers(parts) if each not in before))
    return shape.struct(**values)


def _value(source: Any, attribute: str) -> Any:
    return source if attribute == ITSELF else getattr(source, attribute)


def _answers(parts: Iterable[_Part]) -> tuple[Any, ...]:
    return tuple(answer for part in parts for answer in part.answers)


def _left(parts: Iterable[_Part]) -> tuple[Any, ...]:
    return tuple(part.rest for part in parts if part.rest is not None)


def merged(shape: StructShape, response: Any, errors: Any) -> Any:
    """Return a broker's response, with the error and the elements of the response ``errors`` merged into it."""
    changes: dict[str, Any] = {}
    if shape.error is not None and getattr(errors, shape.error):
        changes[shape.error] = getattr(errors, shape.error)
    for array in shape.arrays:
        found = list(changes.get(array.attribute, elements(response, array.attribute)))
        for error in elements(errors, array.attribute):
            position = _position(array, found, error)
            if position is None:
                found.append(error)
            else:
                found[position] = _merged_element(array.element, found[position], error)
        changes[array.attribute] = tuple(found)
    return response.__replace__(**changes)


def _merged_element(shape: StructShape, element: Any, error: Any) -> Any:
    if shape.error is not None and getattr(error, shape.error):
        return error
    return merged(shape, element, error)


def _position(array: ArrayShape, found: Sequence[Any], error: Any) -> int | None:
    """Return the position of the element with the same topic, group or partition as ``error``."""
    copied = {ours: getattr(error, ours) for ours, _ in array.element.copied}
    wanted = {name: value for name, value in copied.items() if value not in _UNKNOWN}
    for position, each in enumerate(found):
        if wanted and all(getattr(each, name) == value for name, value in wanted.items()):
            return position
    return None


def with_error(response: Any, fields: Sequence[FieldInfo], selection: Selection, error_code: int) -> Any:
    """Return a broker's response with the error code in the selected structs; unchanged if nothing is selected.

    If array elements have error codes, they get the code: topics, or partitions if the selection names a partition.
    """
    return _Change(type(response), selection, error_code).response(response, fields)


@dataclass(frozen=True, slots=True)
class _Change:
    """Puts an error code into a broker's response."""

    response_class: Any
    selection: Selection
    error_code: int

    def response(self, response: Any, fields: Sequence[FieldInfo]) -> Any:
        changed = self._elements(response, fields)
        if changed is response and error_field(fields) is not None and not self.selection.is_limited:
            return self._with_error(response, fields)
        return changed

    def _elements(self, value: Any, fields: Sequence[FieldInfo]) -> Any:
        changes: dict[str, Any] = {}
        for array in struct_arrays(fields):
            if not has_error(array.fields):
                continue
            before = elements(value, array.name)
            after = tuple(self._element(each, array) for each in before)
            if any(new is not old for new, old in zip(after, before, strict=True)):
                changes[array.name] = after
        return value.__replace__(**changes) if changes else value

    def _element(self, element: Any, array: FieldInfo) -> Any:
        place = Place.of(array)
        if (place, element) not in self.selection:
            return element
        is_wanted = self.selection.partition is None or place.partition is not None
        if error_field(array.fields) is not None and is_wanted:
            return self._with_error(element, array.fields)
        return self._elements(element, array.fields)

    def _with_error(self, value: Any, fields: Sequence[FieldInfo]) -> Any:
        """Return a struct with the error code, and without the values that brokers omit if there is an error."""
        error = error_field(fields)
        assert error is not None
        if not self.error_code:
            return value.__replace__(**{error: self.error_code})
        left_out: dict[str, Any] = {array.name: () for array in struct_arrays(fields)}
        beside = dict(values_beside(self.response_class, fields))
        return value.__replace__(**{**left_out, **beside, error: self.error_code})
