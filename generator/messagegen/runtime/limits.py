"""What one message may contain, and how much memory it may take.

Every byte of a message pays for ``PAID_PER_BYTE`` bytes of memory. What an element of an array may take beyond that is
its charge, a constant that the generator computes (``messagegen.plan.charges``) and writes into plans and straight-line
code. All forms of decoding take the charges from a ``Budget`` before they make the elements, so they accept the same
messages.
"""

from __future__ import annotations

from _operator import itemgetter

from .errors import CodecFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

PAID_PER_BYTE = 12
"""The bytes of memory that each byte of a message pays for. The native engine has the same constant."""

SHORT_ARRAY = 31
"""Straight-line code reads and writes arrays of fewer numbers than this itself, without comparing with a limit."""

_NAMES = ("array_length", "tagged_field_count", "memory_factor", "memory_constant")
_HIGHEST = 1 << 62
"""The native engine counts in 64 bits."""


class Limits(tuple[int, int, int, int]):
    """Limits for the contents and memory of a decoded message; exceeding one raises ``DecodeError``.

    ``array_length`` is the maximum number of elements of an array, ``tagged_field_count`` that of the tagged fields of
    a tag section; the defaults are Kafka 4.4's (upstream: ``MessageUtil.MAX_ARRAY_LENGTH`` and
    ``MAX_TAGGED_FIELD_COUNT``). A decoded message takes at most ``memory_factor`` times its bytes, plus
    ``memory_constant`` bytes (``docs/design/009-limits.md``).

    Limits are values. Pass them to a call, or set ``LIMITS`` of a message class, or of ``Message`` for a whole package.
    Raises ``TypeError`` for anything but ints, ``ValueError`` for a negative one.
    """

    __slots__ = ()

    def __new__(
        cls,
        *,
        array_length: int = 1_000_000,
        tagged_field_count: int = 10_000,
        memory_factor: int = 32,
        memory_constant: int = 1_000_000,
    ) -> Self:
        """Checks the values."""
        values = (array_length, tagged_field_count, memory_factor, memory_constant)
        for name, value in zip(_NAMES, values, strict=True):
            if type(value) is not int:
                raise TypeError(f"{name} must be an int, not {type(value).__name__}")
            if value < 0:
                raise ValueError(f"{name} must not be negative, but is {value}")
        return super().__new__(cls, [min(value, _HIGHEST) for value in values])

    array_length = property(itemgetter(0))
    tagged_field_count = property(itemgetter(1))
    memory_factor = property(itemgetter(2))
    memory_constant = property(itemgetter(3))

    def exceeded(self, name: str, count: int = 0) -> CodecFailure:
        """The error for ``count`` of what a limit is for."""
        if name == "memory_factor":
            factor, constant = self[2:]
            what = f"decoding takes more memory than {factor} times the bytes of the message plus {constant} bytes"
        else:
            things = "elements" if name == "array_length" else "tagged fields"
            what = f"{count} {things} are more than {self[_NAMES.index(name)]}"
        return CodecFailure(f"{what}; to allow more, pass limits=Limits({name}=...)")

    def __repr__(self) -> str:
        return f"Limits({', '.join(f'{name}={value}' for name, value in zip(_NAMES, self, strict=True))})"

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int]]:
        return (), dict(zip(_NAMES, self, strict=True))


DEFAULT_LIMITS = Limits()
"""The limits of packages that set none."""


class Budget:
    """The memory that a message may still take beyond what its bytes pay for: ``left`` bytes.

    ``size`` is the number of bytes from the start of the message to the end of the buffer. Every method raises
    ``CodecFailure`` if a limit is exceeded.
    """

    __slots__ = ("array_length", "left", "limits", "start")

    left: float
    start: float

    def __init__(self, limits: Limits, size: int) -> None:
        array_length, _, factor, constant = limits
        self.limits = limits
        self.array_length = array_length
        self.left = self.start = constant + max(factor - PAID_PER_BYTE, 0) * size

    def take_array(self, count: int, charge: int) -> None:
        """Takes the charges of all elements of an array."""
        if count > self.array_length:
            raise self.limits.exceeded("array_length", count)
        self.left -= charge * count
        if self.left < 0:
            raise self.limits.exceeded("memory_factor")

    def take_tags(self, count: int, charge: int) -> None:
        """Takes the charges of all fields of a tag section."""
        if count > self.limits[1]:
            raise self.limits.exceeded("tagged_field_count", count)
        self.left -= charge * count
        if self.left < 0:
            raise self.limits.exceeded("memory_factor")

    def finish(self, consumed: int) -> None:
        """Compares what was taken with the bytes of the message itself: bytes after it do not make it acceptable."""
        _, _, factor, constant = self.limits
        taken = self.start - self.left
        if taken + PAID_PER_BYTE * consumed > factor * consumed + constant:
            raise self.limits.exceeded("memory_factor")


UNLIMITED = Budget(DEFAULT_LIMITS, 0)
UNLIMITED.left = float("inf")
"""The budget of messages that are too small to exceed the default limits. It saves making one for each."""
