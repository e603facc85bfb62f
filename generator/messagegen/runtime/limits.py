"""What one message may hold at most when it is decoded."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

NAMES = ("array_length", "tagged_field_count", "memory_factor", "memory_constant")


class Limits:
    """What one message may hold and take when it is decoded; bytes that go beyond it end in a ``DecodeError``.

    ``array_length`` is the most elements of one array, ``tagged_field_count`` the most tagged fields of one tag section;
    the defaults are Kafka 4.4's (upstream: ``MessageUtil.MAX_ARRAY_LENGTH`` and ``MAX_TAGGED_FIELD_COUNT``). What is made of
    a message may take ``memory_factor`` times the message's bytes, and ``memory_constant`` bytes more; what objects cost is
    written in ``costs.py``, so that it depends neither on the version of Python nor on the engine.

    Limits are values. Pass them to one call, or set ``LIMITS`` of a message class, or of ``Message`` for a whole package.
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
        memory_factor: int = 10,
        memory_constant: int = 1_000_000,
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
        # What engines take; None is quicker to pass, and it means the defaults.
        object.__setattr__(self, "packed", None if values == _DEFAULTS else values)

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
_DEFAULTS = (1_000_000, 10_000, 10, 1_000_000)

DEFAULT_LIMITS = Limits()
"""The limits of packages that set none."""


def _limits(*values: int) -> Limits:
    return Limits(**dict(zip(NAMES, values, strict=True)))
