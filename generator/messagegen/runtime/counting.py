"""Counts what messages cost: as the reference codec reads them, or by columns after straight-line code has made them.

Straight-line code charges the maximum; structs are counted when that would exceed the limit. Their count is never less than that of
``Counter``, so what that refuses is refused. All values of an attribute are counted at once, which takes a fraction of the time of making
them. Every count is beyond what the bytes of the values pay for. Loaded on first use.
"""

from __future__ import annotations

from itertools import chain, islice
from operator import attrgetter
from struct import calcsize, unpack

from . import ARRAY, DEFAULT_LIMITS, FACTOR, CodecFailure, costs
from .walk import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from . import Budget, Limits
    from .walk import Codec, Layout, Plan

_KEPT = frozenset(costs.KEPT_INTS)
_MANY = 512
"""How many structs are counted together; their columns are not counted themselves."""
_ENOUGH = 1 << 16
"""Counting ends when this much is left beyond what the next array may cost."""
_PATTERNS = 64
"""How many patterns a layout keeps."""
_SHORT = 126
"""The longest string or array of numbers in a pattern."""
_FEW = 32
"""Fewer elements are not worth a portion: the walk decides."""


def read_portions(
    budget: Budget,
    read: Callable[..., tuple[Any, int]],
    layout: int,
    each: int,
    count: int,
    data: bytes,
    pos: int,
) -> tuple[tuple[Any, ...], int]:
    """Reads an array in portions whose cost is taken before they are made. Raises ``CodecFailure`` if too little is left."""
    assert budget.made is not None
    parts: list[tuple[Any, ...]] = []
    while count:
        _settle(budget, count * each + _ENOUGH)
        left = budget.left + budget.reserve
        # Arrays in the elements need the other half.
        size = count if left >= count * each else min(count, _MANY, int(left) // (2 * each))
        if size < min(count, _FEW):
            raise CodecFailure("perhaps more memory than the limit")
        budget.left -= size * each
        portion, pos = read(data, pos, budget, size)
        budget.made.append((layout, each, portion))
        parts.append(portion)
        count -= size
    return tuple(chain.from_iterable(parts)), pos


def remember(budget: Budget, layout: int, each: int, items: tuple[Any, ...], data: bytes) -> None:
    """Remembers structs that were read from ``data``, to count them later, or gives back at once what they did not need.

    That is possible if they are alike: with the same lengths, ASCII, and ints that Python caches. Comparing all of their bytes with a
    pattern takes a fraction of the time of counting.
    """
    assert budget.codec is not None
    assert budget.made is not None
    plan, count = budget.codec.parsed_plan().layouts[layout], len(items)
    key = count, len(data)
    pattern = plan.patterns.get(key)
    if pattern is None:
        if len(plan.patterns) >= _PATTERNS:
            plan.patterns.clear()
        pattern = plan.patterns[key] = _pattern(plan, items[0], *key)
    mask, alike, cost = pattern
    if int.from_bytes(data, "big") & mask == alike:
        budget.left += each * count - cost * count + max(FACTOR, budget.limits[2]) * len(data)
    else:
        budget.made.append((layout, each, items))


def _pattern(layout: Layout, struct: Any, count: int, size: int) -> tuple[int, int, int]:
    """A mask and the bits that it leaves of structs like this one, and the cost of one; bits that it can't leave if there is no pattern."""
    parts = [_bits(codec, getattr(struct, field.attribute)) for field, codec in layout.steps]
    masks = b"".join([mask for mask, _ in parts]) + b"\xff" * layout.flexible
    bits = b"".join([bits for _, bits in parts]) + b"\0" * layout.flexible
    if not all(mask for mask, _ in parts) or len(masks) * count != size:
        return 0, 1, 0
    cost, _ = _structs(layout, [struct])
    return (
        int.from_bytes(masks * count, "big"),
        int.from_bytes(bits * count, "big"),
        cost + costs.place(layout),
    )


def _bits(codec: Codec, value: Any) -> tuple[bytes, bytes]:
    """A mask for the bytes of a value, and what it leaves of values that cost the same; nothing if there is no such mask."""
    if letters := codec.format or "16s" * (codec.kind == "uuid"):
        size = calcsize(letters)
        mask = b"\xff" * (size - 1) + b"\0" if size > 1 else b"\x80"
        return mask if costs.is_int(letters) else bytes(size), bytes(size)
    if value is None or not (codec.numbers or codec.kind == "string") or len(value) > _SHORT:
        return b"", b""
    length = (
        bytes([len(value) + 1]) if codec.compact else len(value).to_bytes(2 if codec.kind == "string" else 4, "big")
    )
    each = _bits(codec.element, None)[0] if codec.element else b"\x80"
    return b"\xff" * len(length) + each * len(value), length + bytes(len(each) * len(value))


def _settle(budget: Budget, enough: int) -> None:
    """Counts structs that have been made, latest first, and gives back what they did not need, until ``enough`` is left."""
    assert budget.codec is not None
    assert budget.made is not None
    layouts = budget.codec.parsed_plan().layouts
    factor = max(FACTOR, budget.limits[2])
    made = budget.made
    while made and budget.left + budget.reserve < enough:
        number, each, items = made.pop()
        arrays, count = [items], len(items)
        while made and made[-1][0] == number and count < _MANY:
            arrays.append(made.pop()[2])
            count += len(arrays[-1])
        budget.left += each * count
        structs = chain.from_iterable(arrays)
        while part := list(islice(structs, _MANY)):
            cost, size = _structs(layouts[number], part)
            budget.left -= costs.place(layouts[number]) * len(part) + cost - factor * size


def _structs(layout: Layout, structs: Sequence[Any]) -> tuple[int, int]:
    """The cost of structs, and at least how many bytes they took, without the elements of arrays and tag sections."""
    cost, size = costs.of_struct(len(layout.fields)) * len(structs), layout.flexible * len(structs)
    for field, codec in layout.steps:
        more_cost, more_size = _values(codec, list(map(attrgetter(field.attribute), structs)))
        cost += more_cost
        size += more_size
    return cost, size


def _values(codec: Codec, values: Sequence[Any]) -> tuple[int, int]:
    """The same for values of a codec; elements of arrays only if they are numbers."""
    count = len(values)
    if letters := codec.format or "16s" * (codec.kind == "uuid"):
        dear = _not_kept(values) if costs.is_int(letters) else count
        return costs.most(letters) * dear, calcsize(letters) * count
    made: list[Any] = list(filter(None, values))
    if codec.kind == "struct":
        assert codec.layout is not None
        cost, size = _structs(codec.layout, made)
        return cost, size + count * bool(codec.null)
    if codec.kind in ("packed", "upacked"):
        return costs.INT64 * _not_kept(values), count
    length = (1 if codec.compact else 2 if codec.kind == "string" else 4) * count
    if codec.kind == "array":
        if not codec.numbers:
            return ARRAY * len(made), length
        assert codec.element is not None
        numbers: list[Any] = list(chain.from_iterable(made))
        cost, size = _values(codec.element, numbers)
        return cost + ARRAY * len(made) + costs.NUMBER_PLACE * len(numbers), size + length
    if codec.kind == "string":
        return _strings(made, length)
    sizes = list(map(len, made))
    return sum(map(costs.of_bytes, sizes)), sum(sizes) + length


def _strings(values: Sequence[str], length: int) -> tuple[int, int]:
    if not all(map(str.isascii, values)):
        encoded = [value.encode() for value in values]
        return sum(map(costs.of_string, encoded)), sum(map(len, encoded)) + length
    sizes = list(map(len, values))
    total = sum(sizes)
    short = sizes.count(1)
    return costs.ASCII * (len(sizes) - short) + total - short, total + length


def _not_kept(values: Sequence[Any]) -> int:
    """The number of ints that Python does not cache."""
    try:
        bytes(values)
    except ValueError:
        return len(values) - sum(map(_KEPT.__contains__, values))
    return 0


def walk_cost(plan: Plan, buffer: bytes, version: int) -> int:
    """The cost of decoding a message. ``buffer`` must contain a message."""
    counter = Counter(buffer, 0, DEFAULT_LIMITS)
    counter.message(plan.roots[version])
    return counter.cost


class Counter(Reader):
    """A reader that counts the cost of everything read so far; each method charges what its value costs."""

    def __init__(self, buffer: bytes, position: int, limits: Limits) -> None:
        super().__init__(buffer, position, limits)
        self.cost = 0
        self.most = limits.memory(len(buffer) - position)

    def charge(self, cost: int) -> None:
        """Counts objects that were created or are about to be created."""
        self.cost += cost
        if self.cost > self.most:
            raise self.limits.exceeded("memory_factor")

    def message(self, layout: Layout) -> Any:
        """The message of a layout, checked against the limits for its own size."""
        begin = self.position
        message = self.struct(layout)
        # Bytes after the message must not affect whether it is accepted.
        self.start = begin
        self.most = self.limits.memory(self.position - begin)
        self.charge(0)
        return message

    def struct(self, layout: Layout) -> Any:
        """A struct costs more than its values."""
        self.charge(costs.of_struct(len(layout.struct.fields)))
        return super().struct(layout)

    def unknown_tag(self, tag: int, size: int, *, first: bool) -> bytes:
        """A tag costs its pair, its number and its bytes; the first one also their tuple."""
        data = super().unknown_tag(tag, size, first=first)
        self.charge(costs.PLACE + costs.TAG + costs.of_int(tag) + costs.of_bytes(size) + ARRAY * first)
        return data

    def numbers(self, element: Codec, count: int) -> tuple[Any, ...]:
        """The elements of an array of numbers, counted before they are created."""
        size = calcsize(element.format)
        left = len(self.buffer) - self.position
        if count * size > left:
            whole, rest = divmod(left, size)
            self.path.append(whole)
            self.start = self.position + whole * size
            raise CodecFailure(f"the bytes end early: {size} needed, {rest} left")
        run = self.take(count * size)
        self.charge(costs.of_numbers(element.format, run, count))
        if count:
            self.start = self.position - size
        return unpack(f">{count}{element.format}", run)

    def value(self, codec: Codec) -> Any:
        """A value costs its object; arrays and structs have been charged."""
        value = super().value(codec)
        if codec.kind == "uuid" or codec.format:
            self.charge(costs.of_fixed(codec.format or "16s", value))
        elif codec.bits:
            self.charge(costs.of_int(value, codec.bits))
        elif type(value) is bytes:
            self.charge(costs.of_bytes(len(value)))
        elif type(value) is str:
            self.charge(costs.of_string(value.encode()))
        return value
