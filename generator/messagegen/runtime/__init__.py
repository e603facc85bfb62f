"""The runtime of generated code; copied unchanged into outputs, standard library only.

An output has the modules that its messages need, and the parts that it asks for. Importing it is cheap: code for errors, JSON and
reflection is loaded on first use. Here are the limits for decoding a message.
"""

from __future__ import annotations

from .errors import CodecFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    Source = bytes | memoryview
    """What zero-copy fields are cut from."""
    Read = tuple[Any, int]
    """A value, and the position after it."""

PLAN_FORMAT = 2
"""The format number of plan texts in generated modules, which this reader and the native engine must support."""

_PARTS = {"frames": "frames", "json_form": "json", "native": "native"}


def part(module: str) -> Any:
    """A module that not every output has. Raises ``LookupError`` if it is not there."""
    name = f"{__name__}.{module}"
    try:
        return __import__(name, fromlist=["*"])
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        advice = (
            f'add "{_PARTS.get(module, module)}" to parts in [tool.messagegen.options.python], and generate it again'
        )
        raise LookupError(f"{__name__.rpartition('.')[0]} was generated without this; {advice}") from None


FACTOR = 10
"""The memory factor that straight-line code assumes: it charges what something may cost beyond its bytes (``costs.py``)."""
MEMORY_CONSTANT = 1_000_000
"""The default memory constant."""
ARRAY = 48
"""A non-empty tuple without its elements, including the rest of its last block."""
TAG_CHARGE = 114
"""The maximum cost of an unknown tagged field beyond its bytes: two for the tag, one for the size, two for the value."""

_NAMES = ("array_length", "tagged_field_count", "memory_factor", "memory_constant")


class Limits:
    """Limits for the contents and memory of a decoded message; exceeding one raises ``DecodeError``.

    ``array_length`` is the maximum number of elements of an array, ``tagged_field_count`` that of the tagged fields of a tag section;
    the defaults are Kafka 4.4's (upstream: ``MessageUtil.MAX_ARRAY_LENGTH`` and ``MAX_TAGGED_FIELD_COUNT``). The objects of
    a message may take ``memory_factor`` times its bytes, plus ``memory_constant`` bytes; their cost is defined
    in ``costs.py``, so that it depends neither on the Python version nor on the engine.

    Limits are values. Pass them to a call, or set ``LIMITS`` of a message class, or of ``Message`` for a whole package.
    Raises ``TypeError`` for anything but ints, ``ValueError`` for a negative one.
    """

    __slots__ = (*_NAMES, "packed", "reserve")

    if TYPE_CHECKING:
        array_length: int
        tagged_field_count: int
        memory_factor: int
        memory_constant: int
        packed: tuple[int, int, int, int] | None
        reserve: float

    def __init__(
        self,
        *,
        array_length: int = 1_000_000,
        tagged_field_count: int = 10_000,
        memory_factor: int = FACTOR,
        memory_constant: int = MEMORY_CONSTANT,
    ) -> None:
        values = (array_length, tagged_field_count, memory_factor, memory_constant)
        for name, value in zip(_NAMES, values, strict=True):
            if type(value) is not int:
                raise TypeError(f"{name} must be an int, not {type(value).__name__}")
            if value < 0:
                raise ValueError(f"{name} must not be negative, but is {value}")
                # Engines count in 64 bits.
            object.__setattr__(self, name, min(value, _MOST))
        values = (self.array_length, self.tagged_field_count, self.memory_factor, self.memory_constant)
        # The form for engines; None is faster to pass and means the defaults.
        object.__setattr__(self, "packed", None if values == _DEFAULTS else values)
        # Straight-line code compares the length of arrays when only this is left.
        object.__setattr__(self, "reserve", _MOST if self.array_length < _DEFAULTS[0] else self.memory_constant / 16)

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
        return f"Limits({', '.join(f'{name}={getattr(self, name)}' for name in _NAMES)})"

    def __reduce__(self) -> tuple[object, tuple[int, int, int, int]]:
        return _limits, (self.array_length, self.tagged_field_count, self.memory_factor, self.memory_constant)


_MOST = 1 << 62
_SHORT = 31
"""Straight-line code does not compare the length of shorter arrays of numbers with a limit."""
_DEFAULTS = (1_000_000, 10_000, FACTOR, MEMORY_CONSTANT)

DEFAULT_LIMITS = Limits()
"""The limits of packages that set none."""


class Budget:
    """The memory that straight-line code may still use for a message.

    ``left``, and then ``limits.reserve``, are what the bytes of the message don't pay for: each array takes the maximum cost of its
    elements before they are made. While anything is left, that is all. ``made`` are later arrays of structs, which ``counting.py`` may
    count.
    """

    __slots__ = ("codec", "counting", "left", "limits", "made")

    if TYPE_CHECKING:
        codec: Any
        counting: Any
        left: float
        limits: Limits
        made: list[tuple[int, int, tuple[Any, ...]]] | None

    def take(self, count: int, each: int) -> None:
        """Takes the cost of that many elements. Raises ``CodecFailure`` for too many, or if too little is left: then the walk decides."""
        if count > self.limits.array_length:
            raise CodecFailure("more elements than the limit")
        self.left -= count * each
        if self.left < -self.limits.reserve:
            raise CodecFailure("perhaps more memory than the limit")


def budget(codec: Any, limits: Limits, size: int) -> Budget:
    """The budget of a message of at most that many bytes.

    Raises ``CodecFailure`` for limits that are too low for straight-line code, so that the walk decides.
    """
    budget: Budget = object.__new__(Budget)  # A constructor would take longer than all of this.
    budget.codec = codec
    budget.limits = limits
    budget.made = None
    budget.left = limits.memory_constant - limits.reserve - codec.own
    if limits is not DEFAULT_LIMITS:
        budget.left -= max(0, FACTOR - limits.memory_factor) * size
        if budget.left < -limits.reserve or limits.array_length < _SHORT:
            raise CodecFailure("these limits are for the walk")
    return budget


FREE = Budget()
FREE.codec = FREE.made = None
FREE.limits = DEFAULT_LIMITS
FREE.left = float("inf")
"""The budget of all messages that are too small to exceed the default limits."""


def _limits(*values: int) -> Limits:
    return Limits(**dict(zip(_NAMES, values, strict=True)))
