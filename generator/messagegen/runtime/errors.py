"""Message errors, and the limits for the contents and memory of messages.

Encoding and decoding errors are ``ValueError``s. They contain the message, version and field, and the byte offset if it
is known.

Every byte of a message pays for ``PAID_PER_BYTE`` bytes of memory. If an array element may take more, the difference is
its charge, a constant that the generator computes (``messagegen.plan.charges``) and writes into plans and straight-line
code. All forms of decoding take the charges from a ``Budget`` before they create the elements, so they accept the same
messages.
"""

from __future__ import annotations

from _operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

_LONGEST_SHOWN = 40
_LONGEST_INT = 128

PAID_PER_BYTE = 12
"""The number of bytes of memory that each byte of a message pays for. The native engine has the same constant."""

SHORT_ARRAY = 31
"""Straight-line code reads and writes shorter arrays of numbers itself, without checking the limit."""

_LIMITS = ("array_length", "tagged_field_count", "memory_factor", "memory_constant")
_HIGHEST_LIMIT = 1 << 62
"""The highest value of a limit, because the native engine counts in 64 bits."""


class MessageError(ValueError):
    """The base class of encoding and decoding errors.

    ``message`` is the name of the message, and ``version`` the requested version. ``path`` is the field, such as
    ``topics[3].name``, or empty for the message itself. ``reason`` explains the error.
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
    """The error for a message that can't be encoded in a version, or for JSON that does not match the message."""


class DecodeError(MessageError):
    """The error for bytes that are not a message in this version.

    ``offset`` is the byte offset of the field that can't be read.
    """

    def __init__(self, message: str, version: int, path: str, reason: str, offset: int) -> None:
        super().__init__(message, version, path, reason)
        self.offset = offset
        self.args = (message, version, path, reason, offset)

    def __str__(self) -> str:
        return f"{self.path or self.message}: {self.reason} ({self.message} version {self.version}, byte {self.offset})"


class UnsupportedVersionError(MessageError):
    """The error for a version that the message does not have; ``supported`` are its versions."""

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
    """The error of straight-line codecs for invalid data; a second, slow pass then locates it."""


class WrongValue(CodecFailure):
    """The error for a value that its field can't hold.

    ``text`` has ``{}`` in place of the value; ``redacted`` is the text without the value.
    """

    def __init__(self, text: str, value: object) -> None:
        super().__init__(text.replace("{}", shown(value)))
        self.redacted = text.replace("{}", "<redacted>")


def is_a(value: object, cls: type) -> bool:
    """Whether a value is an instance of a class or its subclasses, whatever its ``__class__`` returns."""
    return issubclass(type(value), cls)


def shown(value: object) -> str:
    """Return a value for an error message: in full if it is short, otherwise its first part or its type.

    Runs no methods of the value. Its time and the length of its result are bounded.
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


class Limits(tuple[int, int, int, int]):
    """Limits for the contents and memory of a decoded message; exceeding a limit raises ``DecodeError``.

    ``array_length`` is the maximum number of elements in an array, ``tagged_field_count`` the maximum number of fields
    in a tag section. The defaults are Kafka 4.4's (upstream: ``MessageUtil.MAX_ARRAY_LENGTH`` and
    ``MAX_TAGGED_FIELD_COUNT``). A decoded message takes at most ``memory_factor`` times its bytes, plus
    ``memory_constant`` bytes (``docs/design/009-limits.md``).

    Limits are values. Pass them to a call, or set ``LIMITS`` of a message class, or of ``Message`` for a whole package.
    Raises ``TypeError`` for a limit that is not an int, and ``ValueError`` for a negative limit.
    """

    __slots__ = ()

    def __new__(
        cls,
        *,
        array_length: int = 1_000_000,
        tagged_field_count: int = 10_000,
        memory_factor: int = 32,
        memory_constant: int = 32_000_000,
    ) -> Self:
        """Check the values."""
        values = (array_length, tagged_field_count, memory_factor, memory_constant)
        for name, value in zip(_LIMITS, values, strict=True):
            if type(value) is not int:
                raise TypeError(f"{name} must be an int, not {type(value).__name__}")
            if value < 0:
                raise ValueError(f"{name} must not be negative, but is {value}")
        return super().__new__(cls, [min(value, _HIGHEST_LIMIT) for value in values])

    array_length = property(itemgetter(0))
    tagged_field_count = property(itemgetter(1))
    memory_factor = property(itemgetter(2))
    memory_constant = property(itemgetter(3))

    def exceeded(self, name: str, count: int = 0) -> CodecFailure:
        """Return the error for an exceeded limit; ``count`` is the number of elements or tagged fields."""
        if name == "memory_factor":
            factor, constant = self[2:]
            what = f"decoding takes more memory than {factor} times the bytes of the message plus {constant} bytes"
        else:
            things = "elements" if name == "array_length" else "tagged fields"
            what = f"{count} {things} are more than {self[_LIMITS.index(name)]}"
        return CodecFailure(f"{what}; to allow more, pass limits=Limits({name}=...)")

    def __repr__(self) -> str:
        return f"Limits({', '.join(f'{name}={value}' for name, value in zip(_LIMITS, self, strict=True))})"

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int]]:
        return (), dict(zip(_LIMITS, self, strict=True))


DEFAULT_LIMITS = Limits()
"""The limits of packages that set no limits."""


class Budget:
    """The memory that a message may still take in addition to the memory that its bytes pay for: ``left`` bytes.

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
        """Take the charges of all elements in an array."""
        if count > self.array_length:
            raise self.limits.exceeded("array_length", count)
        self.left -= charge * count
        if self.left < 0:
            raise self.limits.exceeded("memory_factor")

    def take_tags(self, count: int, charge: int) -> None:
        """Take the charges of all fields in a tag section."""
        if count > self.limits[1]:
            raise self.limits.exceeded("tagged_field_count", count)
        self.left -= charge * count
        if self.left < 0:
            raise self.limits.exceeded("memory_factor")

    def finish(self, consumed: int) -> None:
        """Compare the charges with the size of the message alone, without the bytes after it."""
        _, _, factor, constant = self.limits
        taken = self.start - self.left
        if taken + PAID_PER_BYTE * consumed > factor * consumed + constant:
            raise self.limits.exceeded("memory_factor")


UNLIMITED = Budget(DEFAULT_LIMITS, 0)
UNLIMITED.left = float("inf")
"""The shared budget of messages that are too small to exceed the default limits."""
