"""Counts the objects of straight-line code, if their maximum cost would exceed the limit.

The count is never less than that of the walker, so everything that the walker rejects is rejected. Objects are counted by
columns: all values of an attribute at once, which takes a fraction of the time of creating them.
"""

from __future__ import annotations

from itertools import chain, compress
from operator import attrgetter, is_not
from struct import unpack

from . import costs
from .errors import CodecFailure
from .limits import remember

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from struct import Struct
    from typing import Any

    from .limits import Allowance
    from .plans import Codec, Layout

_KEPT = frozenset(costs.KEPT_INTS)
_FEW = 64
"""How many elements are read before they are counted, however little is left."""
_MANY = 512
"""The maximum number of elements that are counted together."""
_ENOUGH = 1 << 16
"""Counting finished arrays ends when this many bytes are left."""


def settle(m: Allowance) -> bool:
    """Counts finished arrays, latest first, until enough is left; returns whether anything is left."""
    while m.pending and m.left < _ENOUGH:
        number, charge, items, size = m.pending.pop()
        count = len(items)
        batch = [items]
        while m.pending and m.pending[-1][0] == number and count < _MANY:
            _, more_charge, more, bytes_ = m.pending.pop()
            batch.append(more)
            charge += more_charge
            count += len(more)
            size += bytes_
        layout = _layout(m, number)
        cost = sum(_cost_of_structs(layout, part) for part in _parts(batch)) + costs.PLACE * count
        m.left += charge + m.factor * size - cost
    return m.left >= 0


def read_structs(
    read: Callable[..., tuple[Any, int]],
    shared: tuple[Any, ...],
    number: int,
    charge: int,
    buffer: bytes,
    position: int,
    count: int,
) -> tuple[tuple[Any, ...], int]:
    """Reads an array of structs with the layout of that number in portions.

    ``shared`` are the arguments between position and count; the last one is the allowance.
    """

    def portion(position: int, count: int) -> tuple[Any, int]:
        return read(buffer, position, *shared, count)

    m: Allowance = shared[-1]
    layout = _layout(m, number)
    return _read_portions(portion, portion, lambda items: _cost_of_structs(layout, items), charge, position, count, m)


def read_leaves(
    read: Callable[..., tuple[Any, int]],
    shared: tuple[Any, ...],
    number: int,
    charge: int,
    buffer: bytes,
    position: int,
    count: int,
) -> tuple[tuple[Any, ...], int]:
    """Like ``read_structs``, for structs without arrays that are counted separately: portions are remembered."""

    def portion(position: int, count: int) -> tuple[Any, int]:
        return read(buffer, position, *shared, count)

    def charged(position: int, count: int) -> tuple[Any, int]:
        left = m.left + charge * count
        found, end = portion(position, count)
        remember(m, number, left - m.left, found, end - position)
        return found, end

    m: Allowance = shared[-1]
    layout = _layout(m, number)
    return _read_portions(portion, charged, lambda items: _cost_of_structs(layout, items), charge, position, count, m)


def read_values(
    read: Callable[[bytes, int], tuple[Any, int]], charge: int, buffer: bytes, position: int, count: int, m: Allowance
) -> tuple[tuple[Any, ...], int]:
    """Reads an array of strings, varints or uuids in portions, and counts each."""

    def portion(position: int, count: int) -> tuple[list[Any], int]:
        items: list[Any] = []
        for _ in range(count):
            item, position = read(buffer, position)
            items.append(item)
        return items, position

    return _read_portions(portion, portion, _cost_of_values, charge, position, count, m)


def count_numbers(numbers: Struct, charge: int, buffer: bytes, position: int, count: int, m: Allowance) -> None:
    """Charges the actual cost of numbers beyond their bytes instead of ``charge`` each. Raises ``CodecFailure`` if it is too much."""
    size = numbers.size // count
    run = memoryview(buffer)[position : position + numbers.size]
    if len(run) < numbers.size:
        raise CodecFailure("the bytes end early")
    large = 0
    for start in range(0, len(run), size * _MANY):
        part = run[start : start + size * _MANY]
        large += _not_kept(unpack(f">{len(part) // size}{numbers.format[-1]}", part))
    # No credit for small ones: their bytes may pay for an array that is counted later.
    m.left += charge * count - max(0, costs.NUMBER_PLACE * count + costs.INT * large - m.factor * len(run))
    if m.left < 0:
        raise CodecFailure("more memory than the limit")


def _read_portions(
    read: Callable[[int, int], tuple[Any, int]],
    read_charged: Callable[[int, int], tuple[Any, int]],
    cost_of: Callable[[Sequence[Any]], int],
    charge: int,
    position: int,
    count: int,
    m: Allowance,
) -> tuple[tuple[Any, ...], int]:
    """Reads portions without counting while enough is left for their charges, and counts the others."""
    m.left += charge * count
    parts: list[Sequence[Any]] = []
    rest = count
    while rest:
        size = rest if m.left > charge * rest else min(rest, _MANY)
        m.left -= charge * size
        if m.left >= 0 or settle(m):
            portion, position = read_charged(position, size)
            parts.append(portion)
            rest -= size
            continue
        m.left += charge * size
        left, start = m.left, position
        pending, m.pending = m.pending, None
        size = min(rest, max(_FEW, min(_MANY, int(left) // (2 * charge))))
        if size > _FEW:
            # Arrays within the portion may use the rest.
            m.left -= charge * size
        portion, position = read(position, size)
        parts.append(portion)
        rest -= size
        # Nested arrays are counted here, too.
        m.pending = pending
        m.left = left + m.factor * (position - start) - costs.PLACE * size - cost_of(portion)
        if m.left < 0:
            raise CodecFailure("more memory than the limit")
    return tuple(chain.from_iterable(parts)), position


def _layout(m: Allowance, number: int) -> Layout:
    assert m.codec is not None
    return m.codec.parsed_plan().layouts[number]


def _cost_of_structs(layout: Layout, items: Sequence[Any]) -> int:
    """The cost of a small number of structs, including everything in them."""
    # One column after another, because all at once would take memory that is not counted.
    sections: list[Any] = list(map(_TAGS, items))
    cost = layout.cost * len(items) + sum(_cost_of_tags(tags) for tags in sections if tags)
    latest: list[Any] | None = None
    for field, codec in layout.steps:
        column = list(map(attrgetter(field.attribute), items))
        if codec.primitive and codec.primitive.python == "int":
            cost += costs.most(codec.primitive) * _not_kept(column)
        elif codec.numbers:
            # An array that is the same object as the previous one costs nothing.
            made = column if latest is None else list(compress(column, map(is_not, column, latest)))
            cost += _cost_of_column(codec, made)
            latest = column
        else:
            cost += _cost_of_column(codec, column)
    for field, codec in layout.tagged.values():
        values = map(attrgetter(field.attribute), items)
        cost += _cost_of_column(codec, [value for value in values if value is not field.default])
    return cost


_TAGS = attrgetter("unknown_tagged_fields")


def _cost_of_column(codec: Codec, values: Sequence[Any]) -> int:
    """The cost of values of a codec."""
    kind = codec.kind
    if kind == "array":
        assert codec.element is not None
        return _cost_of_arrays(codec, codec.element, values)
    if codec.primitive and codec.primitive.python in ("bool", "float"):
        return costs.most(codec.primitive) * len(values)
    made = [value for value in values if value is not None]
    if kind == "struct":
        assert codec.layout is not None
        return sum(_cost_of_structs(codec.layout, made[at : at + _MANY]) for at in range(0, len(made), _MANY))
    if kind in ("bytes", "records"):
        return sum(costs.of_bytes(len(value)) if type(value) is bytes else costs.VIEW for value in made)
    return _cost_of_values(made)


def _cost_of_arrays(codec: Codec, element: Codec, arrays: Sequence[Any]) -> int:
    """The cost of arrays, which may be null."""
    filled: list[Any] = [array for array in arrays if array]
    count = sum(map(len, filled))
    cost = costs.ARRAY * len(filled)
    if not codec.numbers:
        return cost + costs.PLACE * count + sum(_cost_of_column(element, part) for part in _parts(filled))
    cost += costs.NUMBER_PLACE * count
    assert element.primitive is not None
    dear = sum(map(_not_kept, _parts(filled))) if element.primitive.python == "int" else count
    return cost + costs.most(element.primitive) * dear


def _cost_of_values(values: Sequence[Any]) -> int:
    """The cost of strings, ints or uuids."""
    if not values:
        return 0
    if isinstance(values[0], str):
        return _cost_of_strings(values)
    return costs.INT64 * _not_kept(values) if isinstance(values[0], int) else costs.UUID * len(values)


def _cost_of_strings(values: Sequence[str]) -> int:
    if all(map(str.isascii, values)):
        sizes = [size for size in map(len, values) if size > 1]
        return costs.ASCII * len(sizes) + sum(sizes)
    return sum(costs.of_string(value.encode()) for value in values)


def _cost_of_tags(tags: tuple[tuple[int, bytes], ...]) -> int:
    return costs.ARRAY + sum(
        costs.PLACE + costs.TAG + costs.of_int(tag) + costs.of_bytes(len(data)) for tag, data in tags
    )


def _not_kept(values: Sequence[Any]) -> int:
    """The number of ints that Python does not cache."""
    try:
        bytes(values)
    except ValueError:
        return len(values) - sum(map(_KEPT.__contains__, values))
    return 0


def _parts(arrays: Iterable[Sequence[Any]]) -> Iterator[list[Any]]:
    """The elements of arrays, a limited number at a time."""
    part: list[Any] = []
    for array in arrays:
        if len(array) <= _MANY:
            part.extend(array)
        else:
            yield from (list(array[at : at + _MANY]) for at in range(0, len(array), _MANY))
        if len(part) >= _MANY:
            yield part
            part = []
    if part:
        yield part
