"""The errors of encoding and decoding: ``ValueError``s with message, version, field, and byte offset if it is known."""

from __future__ import annotations


class MessageError(ValueError):
    """The base class of encoding and decoding errors.

    ``message`` is the name of the message, ``version`` the requested version, ``path`` the field, such as
    ``topics[3].name`` (empty for the message itself), ``reason`` what is wrong with it.
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
    """A value that its field can't hold.

    ``text`` has ``{}`` in place of the value; ``redacted`` is the text without it.
    """

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
