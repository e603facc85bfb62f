"""The runtime of generated code; copied unchanged into outputs, standard library only.

An output has the modules that its messages need, and the parts that it asks for. Importing it is cheap: code for errors, JSON and
reflection is loaded on first use. Here are the errors, ``ValueError``s with message, version, field and byte offset, and the limits for
decoding a message.
"""

from __future__ import annotations

from _operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    Read = tuple[Any, int]
    """A value, and the position after it."""

PLAN_FORMAT = 3
"""The format number of plan texts in generated modules, which this reader and the native engine must support."""

_PARTS = {"frames": "frames", "json_form": "json", "native": "native"}


def part(module: str, *, needed: bool = True) -> Any:
    """A module that not every output has. Raises ``LookupError`` if it is not there; ``None`` if it is not ``needed``."""
    name = f"{__name__}.{module}"
    try:
        return __import__(name, fromlist=["*"])
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        if not needed:
            return None
        advice = (
            f'add "{_PARTS.get(module, module)}" to parts in [tool.messagegen.options.python], and generate it again'
        )
        raise LookupError(f"{__name__.rpartition('.')[0]} was generated without this; {advice}") from None


class MessageError(ValueError):
    """The base class of encoding and decoding errors.

    ``message`` is the name of the message, ``version`` the requested version, ``path`` the field, such as ``topics[3].name`` (empty
    for the message itself), ``reason`` what is wrong with it.
    """

    def __init__(self, message: str, version: int, path: str, reason: str) -> None:
        self.message = message
        self.version = version
        self.path = path
        self.reason = reason
        super().__init__(message, version, path, reason)

    def __str__(self) -> str:
        return f"{self.path or self.message}: {self.reason} ({self.message} version {shown(self.version)})"


class EncodeError(MessageError):
    """A message that can't be encoded in a version, or JSON that does not match the message."""


class DecodeError(MessageError):
    """Bytes that are not a message of the version; ``offset`` is the byte offset of the field that can't be read."""

    def __init__(self, message: str, version: int, path: str, reason: str, offset: int) -> None:
        super().__init__(message, version, path, reason)
        self.offset = offset
        self.args = (message, version, path, reason, offset)

    def __str__(self) -> str:
        return f"{self.path or self.message}: {self.reason} ({self.message} version {self.version}, byte {self.offset})"


class UnsupportedVersionError(MessageError):
    """A version that the message does not have; ``supported`` are the versions that it has."""

    def __init__(self, message: str, version: int, supported: range) -> None:
        self.supported = supported
        lowest, highest = supported.start, supported.stop - 1
        known = f"versions {lowest}-{highest}" if lowest < highest else f"only version {lowest}"
        reason = f"unknown version {shown(version)}; {message} has {known}"
        if not is_a(version, int) or is_a(version, bool):
            reason = f"expected an int as the version of {message}, got {shown(version)}"
        super().__init__(message, version, "", reason)
        self.args = (message, version, supported)

    def __str__(self) -> str:
        return self.reason


class CodecFailure(ValueError):  # noqa: N818 - it never leaves the runtime
    """What straight-line codecs raise for invalid data; a second, slow pass then locates it."""


class WrongValue(CodecFailure):
    """A value that its field can't hold. ``text`` has ``{}`` in place of the value; ``redacted`` is the text without it."""

    def __init__(self, text: str, value: object) -> None:
        super().__init__(text.replace("{}", shown(value)))
        self.redacted = text.replace("{}", "<redacted>")


def is_a(value: object, cls: type) -> bool:
    """Whether a value is of a class or a subclass, ignoring ``__class__``."""
    return issubclass(type(value), cls)


def shown(value: object) -> str:
    """A value for an error message: in full if it is short, otherwise its first part or its type.

    Runs no code of the value, and takes bounded time and length.
    """
    kind = type(value)
    if kind is str or kind is bytes:
        length = len(value)  # type: ignore[arg-type]
        if length <= _LONGEST_SHOWN:
            return repr(value)
        unit = "characters" if kind is str else "bytes"
        return f"{value[:_LONGEST_SHOWN]!r}... ({length} {unit})"  # type: ignore[index]
    if kind is int:
        bits = int.bit_length(value)  # type: ignore[arg-type]
        return repr(value) if bits <= _LONGEST_INT else f"an int of {bits} bits"
    if value is None or kind is bool or kind is float:
        return repr(value)
    return f"an object of type {kind.__name__[:_LONGEST_SHOWN]}"


_LONGEST_SHOWN = 40
_LONGEST_INT = 128


PAID_PER_BYTE = 12
"""The bytes of memory that each byte of a message pays for. What an element of an array may take beyond that is its charge."""
FACTOR = 10
"""The memory factor that straight-line code assumes: it charges what something may cost beyond its bytes (``costs.py``)."""
MEMORY_CONSTANT = 1_000_000
"""The default memory constant."""
ARRAY = 48
"""A non-empty tuple without its elements, including the rest of its last block."""
TAG_CHARGE = 114
"""The maximum cost of an unknown tagged field beyond its bytes: two for the tag, one for the size, two for the value."""

_NAMES = ("array_length", "tagged_field_count", "memory_factor", "memory_constant")
_MOST = 1 << 62
"""Engines count in 64 bits."""


class Limits(tuple[int, int, int, int]):
    """Limits for the contents and memory of a decoded message; exceeding one raises ``DecodeError``.

    ``array_length`` is the maximum number of elements of an array, ``tagged_field_count`` that of the tagged fields of a tag section;
    the defaults are Kafka 4.4's (upstream: ``MessageUtil.MAX_ARRAY_LENGTH`` and ``MAX_TAGGED_FIELD_COUNT``). The objects of
    a message may take ``memory_factor`` times its bytes, plus ``memory_constant`` bytes; their cost is defined
    in ``costs.py``, so that it depends neither on the Python version nor on the engine.

    Limits are values. Pass them to a call, or set ``LIMITS`` of a message class, or of ``Message`` for a whole package.
    Raises ``TypeError`` for anything but ints, ``ValueError`` for a negative one.
    """

    __slots__ = ()

    def __new__(
        cls,
        *,
        array_length: int = 1_000_000,
        tagged_field_count: int = 10_000,
        memory_factor: int = FACTOR,
        memory_constant: int = MEMORY_CONSTANT,
    ) -> Self:
        """Checks the values."""
        values = (array_length, tagged_field_count, memory_factor, memory_constant)
        for name, value in zip(_NAMES, values, strict=True):
            if type(value) is not int:
                raise TypeError(f"{name} must be an int, not {type(value).__name__}")
            if value < 0:
                raise ValueError(f"{name} must not be negative, but is {value}")
        return super().__new__(cls, [min(value, _MOST) for value in values])

    array_length = property(itemgetter(0))
    tagged_field_count = property(itemgetter(1))
    memory_factor = property(itemgetter(2))
    memory_constant = property(itemgetter(3))

    def memory(self, size: int) -> int:
        """The memory allowed for a message of that many bytes."""
        return self[2] * size + self[3]

    def exceeded(self, name: str, count: int = 0) -> CodecFailure:
        """The error for ``count`` of what a limit is for."""
        what = f"{count} {'elements' if name == 'array_length' else 'tagged fields'} are more than {self[_NAMES.index(name)]}"
        if name == "memory_factor":
            what = f"decoding takes more memory than {self[2]} times the bytes of the message plus {self[3]} bytes"
        return CodecFailure(f"{what}; to allow more, pass limits=Limits({name}=...)")

    def __repr__(self) -> str:
        return f"Limits({', '.join(f'{name}={value}' for name, value in zip(_NAMES, self, strict=True))})"

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int]]:
        return (), dict(zip(_NAMES, self, strict=True))


FEW = 31
"""Straight-line code reads and writes fewer numbers than this at once, and does not compare their count with a limit."""

DEFAULT_LIMITS = Limits()
"""The limits of packages that set none."""


class Budget:
    """The memory that straight-line code may still use for a message.

    ``left``, and then ``reserve``, are what the bytes of the message don't pay for: each array takes the maximum cost of its
    elements before they are made. While anything is left, that is all. ``made`` are later arrays of structs, which ``counting.py`` may
    count.
    """

    __slots__ = ("codec", "counting", "left", "limits", "made", "reserve")

    codec: Any
    counting: Any
    left: float
    limits: Limits
    made: list[tuple[int, int, tuple[Any, ...]]] | None
    reserve: float

    def take(self, count: int, each: int) -> None:
        """Takes the cost of that many elements. Raises ``CodecFailure`` for too many, or if too little is left: then the walk decides."""
        if count > self.limits.array_length:
            raise CodecFailure("more elements than the limit")
        self.left -= count * each
        if self.left < -self.reserve:
            raise CodecFailure("perhaps more memory than the limit")


def budget(codec: Any, limits: Limits, size: int) -> Budget:
    """The budget of a message of at most that many bytes.

    Raises ``CodecFailure`` for limits that are too low for straight-line code, so that the walk decides.
    """
    budget: Budget = object.__new__(Budget)  # A constructor would take longer than all of this.
    budget.codec = codec
    budget.limits = limits
    budget.made = None
    array_length, _, factor, constant = limits
    # Straight-line code compares the length of arrays when only the reserve is left.
    budget.reserve = _MOST if array_length < DEFAULT_LIMITS[0] else constant / 16
    budget.left = constant - budget.reserve - codec.own
    if limits is not DEFAULT_LIMITS:
        budget.left -= max(0, FACTOR - factor) * size
        if budget.left < -budget.reserve or array_length < FEW:
            raise CodecFailure("these limits are for the walk")
    return budget


FREE = Budget()
FREE.codec = FREE.made = None
FREE.limits = DEFAULT_LIMITS
FREE.left = FREE.reserve = float("inf")
"""The budget of all messages that are too small to exceed the default limits."""
