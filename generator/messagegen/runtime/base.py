"""Messages: structs with versions, which can be encoded, decoded and converted to JSON.

Codecs are straight-line Python or the native engine. For invalid data, straight-line Python raises some exception, and
the walk then reads or writes the message again, to locate the field.
"""

from __future__ import annotations

import struct

from . import part
from .errors import DEFAULT_LIMITS, SHORT_ARRAY, UNLIMITED, Budget, DecodeError, Limits, UnsupportedVersionError, is_a
from .structs import Struct as Struct  # noqa: PLC0414 - generated modules take it from here, and the next
from .structs import as_class
from .structs import dataclass as dataclass  # noqa: PLC0414

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ClassVar, Self, TypeVar

    from .fields import FieldInfo
    from .plan import Plan
    from .wire import Read

    Reader = Callable[[bytes, int, Budget], Read]
    Writer = Callable[[Any, bytearray], None]
    M = TypeVar("M", bound="Message")
else:
    from .structs import ClassVar

try:
    _native = part("native")
except LookupError:
    _native = None

DECODE_FAILURES = (ValueError, struct.error, LookupError)
"""The exceptions that codecs raise for invalid bytes."""
_ENCODE_FAILURES = (ValueError, struct.error, KeyError, TypeError, AttributeError, OverflowError, BufferError)
_API_VERSIONS = 18
_UNSUPPORTED_VERSION = b"\x00\x23"
"""The first bytes of a response with error code 35."""
_IN_VERSION_0 = (
    "; the bytes begin with error code 35 (UNSUPPORTED_VERSION), which brokers that do not know the version of an "
    "ApiVersionsRequest send in version 0 (KIP-511)"
)


def _bytes(data: bytes | bytearray | memoryview) -> bytes:
    """Return the bytes of a buffer, whatever its item format."""
    try:
        return data if type(data) is bytes else memoryview(data).tobytes()
    except TypeError:
        raise TypeError(f"bytes, a bytearray or a memoryview can be decoded, not {type(data).__name__}") from None


class Codec:
    """The codecs of a message by version, and its plan, which is used to locate errors.

    ``engine`` does the work if it is not ``None``; ``readers`` and ``writers`` are straight-line Python. No message of
    at most ``small`` bytes exceeds the default limits.
    """

    __slots__ = ("_parsed", "classes", "cls", "engine", "plan", "readers", "small", "writers")

    def __init__(
        self,
        layouts: list[tuple[int, int, Reader, Writer]],
        classes: tuple[type[Struct], ...],
        plan: str,
        small: int,
    ) -> None:
        self.small = small
        self.readers = {v: read for lowest, highest, read, _ in layouts for v in range(lowest, highest + 1)}
        self.writers = {v: write for lowest, highest, _, write in layouts for v in range(lowest, highest + 1)}
        self.classes = classes
        self.cls = classes[0]
        self.plan = plan
        self.engine = None if _native is None else _native.engine(plan, classes)
        self._parsed: Any = None

    def message_name(self) -> str:
        """Return the name of the message in its spec, which is the second word of the plan's second line."""
        return self.plan.split(None, 4)[3]

    def parsed_plan(self) -> Plan:
        """Return the plan as objects, parsed from its text on first use."""
        if self._parsed is None:
            from .plan import read_plan

            self._parsed = read_plan(self.plan, {cls.__name__: cls for cls in self.classes})
        parsed: Plan = self._parsed
        return parsed


class Message(Struct):
    """A Kafka message in all its versions.

    Instances are values: do not assign to their fields; arrays are tuples. Every method that takes a ``version`` raises
    ``UnsupportedVersionError`` if the version is not in ``VALID_VERSIONS``.
    """

    __slots__ = ()

    API_KEY: ClassVar[int | None] = None
    """Kafka's number of the API or record type, or ``None``."""
    KIND: ClassVar[str] = "data"
    """The spec's ``type``: request, response, header, data, metadata, coordinator-key or coordinator-value."""
    VALID_VERSIONS: ClassVar[range] = range(0)
    FLEXIBLE_VERSIONS: ClassVar[range] = range(0)
    DEPRECATED_VERSIONS: ClassVar[range] = range(0)
    LIMITS: ClassVar[Limits] = DEFAULT_LIMITS
    """The default decoding limits. Set them on ``Message`` for all messages of the package, or on one class."""

    if TYPE_CHECKING:
        CODEC: ClassVar[Codec]

    @classmethod
    def fields(cls, *, version: int) -> tuple[FieldInfo, ...]:
        """Return the fields of the message in a version, with the fields of its structs, in wire order.

        A call takes about as long as encoding a message, so keep the result.
        """
        from .fields import fields_of

        return fields_of(cls.CODEC.parsed_plan(), checked(cls, version))

    def encode(self, *, version: int) -> bytes:
        """Return the bytes of the message, without a header and a frame. Raises ``EncodeError``."""
        codec = self.CODEC
        if type(version) is not int:
            version = checked(type(self), version)
        try:
            if codec.engine is not None:
                encoded: bytes = codec.engine.encode(version, self)
                return encoded
            out = bytearray()
            codec.writers[version](self, out)
            return b"" + out  # Takes half the time of bytes(out).
        except _ENCODE_FAILURES:
            checked(type(self), version)
        # The walk locates the field that can't be written. If it can write the message, its result is correct.
        from .walk import walk_encode

        return walk_encode(codec.parsed_plan(), self, version)

    def encode_into(self, buffer: bytearray, *, version: int) -> None:
        """Append the bytes of the message to ``buffer``; after an ``EncodeError`` it is unchanged.

        Raises ``TypeError`` if the buffer is not a ``bytearray``.
        """
        if not is_a(buffer, bytearray):
            raise TypeError(f"expected a bytearray to append to, got {type(buffer).__name__}")
        buffer += self.encode(version=version)

    def size(self, *, version: int) -> int:
        """Return the number of bytes that ``encode`` returns. Raises ``EncodeError``."""
        return len(self.encode(version=version))

    @classmethod
    def decode(
        cls, data: bytes | bytearray | memoryview, *, version: int, lazy: bool = False, limits: Limits | None = None
    ) -> Self:
        """Decode a message that fills ``data`` exactly.

        With ``lazy``, the native engine checks all of ``data``, but creates values only when they are first read.
        ``encode`` copies the bytes of unread values. The message keeps ``data`` alive until all values are created.
        Pure Python ignores ``lazy``.

        ``limits`` override ``LIMITS``. Raises ``DecodeError`` with the field path and the offset, also for leftover
        bytes and exceeded limits. Raises ``TypeError`` if ``data`` is not bytes.
        """
        buffer = data if type(data) is bytes else _bytes(data)
        message, end = _decode(cls, buffer, 0, version, limits, lazy)
        if end != len(buffer):
            raise DecodeError(cls.__name__, version, "", f"extra bytes after the message: {len(buffer) - end}", end)
        return message

    @classmethod
    def decode_from(
        cls,
        data: bytes | bytearray | memoryview,
        offset: int = 0,
        *,
        version: int,
        lazy: bool = False,
        limits: Limits | None = None,
    ) -> tuple[Self, int]:
        """Decode a message that starts at byte ``offset``; return it and the offset of the byte after it.

        Otherwise like ``decode``. Each call copies a ``bytearray`` or ``memoryview``. To read several messages from it,
        convert it to ``bytes`` once.
        """
        buffer = _bytes(data)
        if type(offset) is not int:
            raise TypeError(f"the offset must be an int, not {type(offset).__name__}")
        if not 0 <= offset <= len(buffer):
            raise DecodeError(cls.__name__, version, "", f"there is no byte {offset} in {len(buffer)} bytes", offset)
        return _decode(cls, buffer, offset, version, limits, lazy)

    def to_json(self, *, version: int, redact: bool = False) -> dict[str, Any]:
        """Return the message in the format of Kafka's ``JsonConverter`` classes, for ``json.dumps``; bytes are base64.

        With ``redact``, the values of sensitive fields become ``"<redacted>"``, and ``from_json`` can't read the
        result. Raises ``EncodeError`` if the message can't be encoded in the version.
        """
        form = part("json_form")
        # Only messages that can be encoded have a JSON form.
        self.encode(version=version)
        value: dict[str, Any] = form.message_to_json(
            self.CODEC.parsed_plan(), self, checked(type(self), version), redact=redact
        )
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any], *, version: int) -> Self:
        """Read the result of ``to_json``; untagged fields are required. Raises ``EncodeError``."""
        message = part("json_form").message_from_json(cls.CODEC.parsed_plan(), value, checked(cls, version))
        return message if cls is cls.CODEC.cls else as_class(cls, message)


def checked(cls: type[Message], version: int) -> int:
    """Return the version as an int.

    Raises ``UnsupportedVersionError``, even if the version is a bool or not a number at all.
    """
    known = hasattr(type(version), "__index__") and not is_a(version, bool)
    if not known or (version := version.__index__()) not in cls.VALID_VERSIONS:
        raise UnsupportedVersionError(cls.__name__, version, cls.VALID_VERSIONS) from None
    return version


def _decode(cls: type[M], buffer: bytes, offset: int, version: int, limits: Limits | None, lazy: bool) -> tuple[M, int]:
    codec = cls.CODEC
    if limits is None:
        limits = cls.LIMITS
    found: tuple[Any, int]
    try:
        if type(version) is not int:
            version = checked(cls, version)
        if codec.engine is not None:
            decode = codec.engine.decode_lazily if lazy else codec.engine.decode
            found = decode(version, buffer, offset, None if limits is DEFAULT_LIMITS else limits)
        else:
            found = straight_line(codec, version, buffer, offset, limits)
        return found if cls is codec.cls else (as_class(cls, found[0]), found[1])
    except DECODE_FAILURES as failure:
        refusal = failure.args
    # Outside the except block, because the exception keeps all created objects alive.
    version = checked(cls, version)
    first = buffer[offset : offset + len(_UNSUPPORTED_VERSION)]
    if codec.engine is not None:
        reason, path, at = refusal
        raise _with_hint(DecodeError(codec.message_name(), version, path, reason, at), cls, first)

    # The walk locates the field that can't be read. If it can read the message, its result is correct.
    from .walk import walk_decode

    try:
        found = walk_decode(codec.parsed_plan(), buffer, offset, version, limits)
    except DecodeError as located:
        raise _with_hint(located, cls, first) from None
    return found if cls is codec.cls else (as_class(cls, found[0]), found[1])


def straight_line(codec: Codec, version: int, buffer: bytes, offset: int, limits: Limits) -> tuple[Any, int]:
    """Decode in straight-line Python. Raises one of ``DECODE_FAILURES`` if the walk must decode the message instead."""
    size = len(buffer) - offset
    if limits is DEFAULT_LIMITS and size <= codec.small:
        found = codec.readers[version](buffer, offset, UNLIMITED)
        if found[1] > len(buffer):
            raise LookupError
        return found

    # Straight-line code does not compare arrays shorter than SHORT_ARRAY with the limit.
    if limits.array_length < SHORT_ARRAY:
        raise LookupError
    budget = Budget(limits, size)
    found = codec.readers[version](buffer, offset, budget)
    if found[1] > len(buffer):
        raise LookupError  # Readers don't notice that bytes are missing at the end.
    budget.finish(found[1] - offset)
    return found


def _with_hint(error: DecodeError, cls: type[Message], first: bytes) -> DecodeError:
    """Return the error, with a hint if a broker may have answered an ApiVersions request in version 0.

    Brokers answer in version 0 if they do not know the version of the request.
    """
    if cls.KIND == "response" and cls.API_KEY == _API_VERSIONS and first == _UNSUPPORTED_VERSION and error.version > 0:
        error.reason += _IN_VERSION_0
        error.args = (error.message, error.version, error.path, error.reason, error.offset)
    return error
