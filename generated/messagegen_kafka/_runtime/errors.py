"""The errors of generated code: ``ValueError``s that say which message, version, field and byte."""

from __future__ import annotations


class MessageError(ValueError):
    """What all errors of encoding and decoding share.

    ``message`` is the message's name, ``version`` the version asked for, ``path`` the field as ``topics[3].name`` (empty for the
    message itself), ``reason`` what is wrong with it.
    """

    def __init__(self, message: str, version: int, path: str, reason: str) -> None:
        self.message = message
        self.version = version
        self.path = path
        self.reason = reason
        super().__init__(message, version, path, reason)

    def __str__(self) -> str:
        return f"{self.path or self.message}: {self.reason} ({self.message} version {self.version})"


class EncodeError(MessageError):
    """A message that can't be written in a version, or JSON that is not the message."""


class DecodeError(MessageError):
    """Bytes that are not a message of the version; ``offset`` is the byte at which the field starts that can't be read."""

    def __init__(self, message: str, version: int, path: str, reason: str, offset: int) -> None:
        super().__init__(message, version, path, reason)
        self.offset = offset
        self.args = (message, version, path, reason, offset)

    def __str__(self) -> str:
        return f"{self.path or self.message}: {self.reason} ({self.message} version {self.version}, byte {self.offset})"


class UnsupportedVersionError(MessageError):
    """A version that the message does not have; ``supported`` are those that it has."""

    def __init__(self, message: str, version: int, supported: range) -> None:
        self.supported = supported
        super().__init__(message, version, "", f"has the versions {supported.start} to {supported.stop - 1} only")
        self.args = (message, version, supported)


class CodecFailure(ValueError):  # noqa: N818 - it never leaves the runtime
    """Raised by straight-line codecs that met something wrong; a second, slow pass then finds out what and where."""
