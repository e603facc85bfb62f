"""Limits for decoding a message."""

from __future__ import annotations

from collections import deque

from .costs import FACTOR, MEMORY_CONSTANT
from .errors import CodecFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from .codecs import Codec

NAMES = ("array_length", "tagged_field_count", "memory_factor", "memory_constant")


class Limits:
    """Limits for the contents and memory of a decoded message; exceeding one raises ``DecodeError``.

    ``array_length`` is the maximum number of elements of an array, ``tagged_field_count`` that of the tagged fields of a tag section;
    the defaults are Kafka 4.4's (upstream: ``MessageUtil.MAX_ARRAY_LENGTH`` and ``MAX_TAGGED_FIELD_COUNT``). The objects of
    a message may take ``memory_factor`` times its bytes, plus ``memory_constant`` bytes; their cost is defined
    in ``costs.py``, so that it depends neither on the Python version nor on the engine.

    Limits are values. Pass them to a call, or set ``LIMITS`` of a message class, or of ``Message`` for a whole package.
    Raises ``TypeError`` for anything but ints, ``ValueError`` for a negative one.
    """

    __slots__ = (*NAMES, "packed")

    if TYPE_CHECKING:
        array_length: int
        tagged_field_count: int
        memory_factor: int
        memory_constant: int
        packed: tuple[int, int, int, int] | None

    def __init__(
        self,
        *,
        array_length: int = 1_000_000,
        tagged_field_count: int = 10_000,
        memory_factor: int = FACTOR,
        memory_constant: int = MEMORY_CONSTANT,
    ) -> None:
        values = (array_length, tagged_field_count, memory_factor, memory_constant)
        for name, value in zip(NAMES, values, strict=True):
            if type(value) is not int:
                raise TypeError(f"{name} must be an int, not {type(value).__name__}")
            if value < 0:
                raise ValueError(f"{name} must not be negative, but is {value}")
                # Engines count in 64 bits.
            object.__setattr__(self, name, min(value, _MOST))
        values = (self.array_length, self.tagged_field_count, self.memory_factor, self.memory_constant)
        # The form for engines; None is faster to pass and means the defaults.
        object.__setattr__(self, "packed", None if values == _DEFAULTS else values)

    def memory(self, size: int) -> int:
        """The memory allowed for a message of that many bytes."""
        return self.memory_factor * size + self.memory_constant

    def array_length_reason(self, count: int) -> str:
        """The error for an array with too many elements."""
        return (
            f"{count} elements are more than {self.array_length}; to allow more, pass limits=Limits(array_length=...)"
        )

    def tagged_field_count_reason(self, count: int) -> str:
        """The error for a section with too many tagged fields."""
        most, name = self.tagged_field_count, "tagged_field_count"
        return f"{count} tagged fields are more than {most}; to allow more, pass limits=Limits({name}=...)"

    def memory_reason(self) -> str:
        """The error for a message that takes too much memory."""
        most = f"{self.memory_factor} times the bytes of the message plus {self.memory_constant} bytes"
        return f"decoding takes more memory than {most}; to allow more, pass limits=Limits(memory_factor=...)"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("Limits can't be changed; make new ones")

    def __eq__(self, other: object) -> bool:
        return self.packed == other.packed if isinstance(other, Limits) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.packed)

    def __repr__(self) -> str:
        return f"Limits({', '.join(f'{name}={getattr(self, name)}' for name in NAMES)})"

    def __reduce__(self) -> tuple[object, tuple[int, int, int, int]]:
        return _limits, (self.array_length, self.tagged_field_count, self.memory_factor, self.memory_constant)


_MOST = 1 << 62
_DEFAULTS = (1_000_000, 10_000, FACTOR, MEMORY_CONSTANT)

DEFAULT_LIMITS = Limits()
"""The limits of packages that set none."""


LITTLE = 250_000
"""While more than this is left, arrays are not remembered: most messages end before, and remembering takes time."""
REMEMBERED = 512
"""How many finished arrays are remembered; more would cost more than they could refund."""


class Allowance:
    """The allowance that straight-line code has left for the message that it reads.

    Arrays of up to ``free`` structs cost nothing: all that are within limits if the message is small enough, otherwise none.
    ``left`` is memory in bytes beyond what the bytes of the message allow for, ``longest`` and ``most_tags`` are the other limits.
    ``pending`` contains the latest arrays that were finished when little was left, as (layout, charge, elements, bytes): elements
    are charged their maximum cost, and counting refunds some of it (``portions.py``).
    """

    __slots__ = ("codec", "factor", "free", "left", "longest", "most_tags", "pending")

    if TYPE_CHECKING:
        codec: Codec | None
        factor: int
        free: int
        left: float
        longest: int
        most_tags: int
        pending: deque[Any] | None


def _free() -> Allowance:
    m = Allowance()
    m.codec = m.pending = None
    m.left = float("inf")
    m.longest, m.most_tags, m.factor = _DEFAULTS[:3]
    m.free = m.longest
    return m


FREE = _free()
"""For messages that are too small to reach the default limits."""

_SHORTEST = 31
"""Straight-line code does not check arrays with fewer numbers against the limit."""


def allowance(codec: Codec, limits: Limits, size: int) -> Allowance:
    """The allowance of a message of at most that many bytes.

    Raises ``CodecFailure`` for limits that are too small for straight-line code, so that the walker decides.
    """
    left = limits.memory_constant - codec.own
    factor = limits.memory_factor
    if factor < FACTOR:
        left -= (FACTOR - factor) * size
        factor = FACTOR
    longest = limits.array_length
    if left < 0 or longest < _SHORTEST:
        raise CodecFailure("these limits are for the walk")
    # A constructor would take longer than all of this.
    m = Allowance()
    m.codec = codec
    m.left = left
    m.longest = longest
    m.most_tags = limits.tagged_field_count
    m.factor = factor
    m.free = 0
    m.pending = None
    return m


def remember(m: Allowance, layout: int, charge: float, elements: tuple[Any, ...], size: int) -> None:
    """Remembers an array of that many bytes, so that counting can refund part of its charge."""
    if m.pending is None:
        m.pending = deque(maxlen=REMEMBERED)
    m.pending.append((layout, charge, elements, size))


def _limits(*values: int) -> Limits:
    return Limits(**dict(zip(NAMES, values, strict=True)))
