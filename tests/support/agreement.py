"""Compares the codecs of a message: straight-line code, the walk over its plan, and the engine if it is installed."""

from __future__ import annotations

import struct
from importlib import import_module
from typing import Any, Final

from tests.support.specs import Subject

MESSAGE_FAILURES: Final = (ValueError, struct.error, IndexError)
"""The exceptions that a straight-line reader may raise; any other exception is a bug."""


def runtime(cls: Any, module: str) -> Any:
    """Return a module of the runtime that a generated class uses."""
    package = cls.__module__.rpartition(".")[0]
    return import_module(f"{package}._runtime.{module}")


def free(cls: Any) -> Any:
    """Return the budget for messages that are too small to reach a limit."""
    return runtime(cls, "errors").UNLIMITED


def straight_encode(message: Any, version: int) -> bytes:
    """Return the bytes from a message's straight-line writer, even if its class uses the engine."""
    out = bytearray()
    message.CODEC.writers[version](message, out)
    return bytes(out)


def straight_decode(cls: Any, data: bytes, version: int) -> Any:
    """Return the message that the straight-line reader decodes from all of ``data``."""
    message, end = cls.CODEC.readers[version](data, 0, free(cls))
    assert end == len(data)
    return message


def are_equal(one: Any, other: Any) -> bool:
    """Return whether two messages are equal.

    Messages with NaN equal only themselves, so their texts are compared.
    """
    text = repr(other)
    return repr(one) == text if "nan" in text else bool(one == other)


def check_encoding(subject: Subject, message: Any) -> bytes:
    """Return the bytes of a message, and check that all codecs write the same bytes."""
    cls, version = subject.cls, subject.version
    data: bytes = message.encode(version=version)
    assert straight_encode(message, version) == data
    assert runtime(subject.cls, "walk").walk_encode(cls.CODEC.parsed_plan(), message, version) == data
    assert message.size(version=version) == len(data)
    return data


def check_decoding(subject: Subject, data: bytes, message: Any) -> None:
    """Check that all codecs decode ``data`` to ``message``, and read no bytes after it."""
    cls, version = subject.cls, subject.version
    assert are_equal(cls.decode(data, version=version), message)
    buffer = b"\xff" + data + b"\x01"
    for decoded, end in (
        cls.decode_from(buffer, 1, version=version),
        cls.CODEC.readers[version](buffer, 1, free(cls)),
        runtime(subject.cls, "walk").walk_decode(cls.CODEC.parsed_plan(), buffer, 1, version),
    ):
        assert are_equal(decoded, message)
        assert end == 1 + len(data)


def check_json(subject: Subject, message: Any) -> None:
    """Check that a message survives a round trip through JSON, except for unknown tagged fields."""
    value = message.to_json(version=subject.version)
    assert are_equal(subject.cls.from_json(value, version=subject.version), message)


def check_damaged(subject: Subject, data: bytes) -> None:
    """Check that all codecs decode ``data`` to the same message, or all reject it."""
    cls, version = subject.cls, subject.version
    straight = _straight(subject, data)
    walked = _walked(subject, data)
    # Straight-line code leaves rare input to the walk, such as tags that do not ascend.
    assert straight is None or repr(straight) == repr(walked)
    public: object = None
    offset, reason = 0, "none"
    try:
        public = cls.decode_from(data, version=version)
    except runtime(subject.cls, "errors").DecodeError as error:
        offset, reason = error.offset, error.reason
    assert repr(public) == repr(None if walked is None else walked[0:2])
    assert 0 <= offset <= len(data)
    assert reason


def _straight(subject: Subject, data: bytes) -> tuple[Any, int] | None:
    try:
        found: tuple[Any, int] = subject.cls.CODEC.readers[subject.version](data, 0, free(subject.cls))
    except MESSAGE_FAILURES:
        return None
    return found if found[1] <= len(data) else None


def _walked(subject: Subject, data: bytes) -> tuple[Any, int] | None:
    walk = runtime(subject.cls, "walk")
    try:
        found: tuple[Any, int] = walk.walk_decode(subject.cls.CODEC.parsed_plan(), data, 0, subject.version)
    except runtime(subject.cls, "errors").DecodeError:
        return None
    return found
