"""The base class of messages and their codecs: encoding, decoding, JSON and constants."""

from __future__ import annotations

import struct

from . import part
from .errors import DecodeError, UnsupportedVersionError, is_a
from .limits import DEFAULT_LIMITS, FREE, Limits, budget
from .structs import Struct, as_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ClassVar, Self

    from .limits import Budget, Read, Source
    from .plans import Plan

    Reader = Callable[[bytes, int, Source, Budget], Read]
    Writer = Callable[[Any, bytearray], None]

if not TYPE_CHECKING:

    class ClassVar:
        """Replaces ``typing.ClassVar`` when annotations are evaluated, because importing ``typing`` takes too long."""

        def __class_getitem__(cls, item: object) -> object:
            """The type of the constant."""
            return item


_FIRST_PIECE = 1 << 12
"""How many bytes of a mutable buffer are copied first; if the message is longer, ``_NEXT_PIECE`` times as many."""
_NEXT_PIECE = 16


try:
    _native = part("native")
except LookupError:
    _native = None  # The output does not have it.

DECODE_FAILURES = (ValueError, struct.error, LookupError)
"""The exceptions that codecs raise for invalid bytes."""
_ENCODE_FAILURES = (ValueError, struct.error, TypeError, AttributeError, OverflowError, BufferError)


def _view(data: bytes | bytearray | memoryview) -> memoryview:
    """The bytes of a buffer, whatever its item format."""
    try:
        view = memoryview(data)
    except TypeError:
        raise TypeError(f"bytes, a bytearray or a memoryview can be decoded, not {type(data).__name__}") from None
    # A non-contiguous one must be copied.
    return view.cast("B") if view.c_contiguous else memoryview(view.tobytes())


def buffers(data: bytes | bytearray | memoryview, zero_copy: bool) -> tuple[bytes, bytes | memoryview]:
    """The bytes of a buffer, and what zero-copy fields are cut from."""
    view = _view(data)
    buffer = data if type(data) is bytes else view.tobytes()
    return buffer, view if zero_copy else buffer


class Codec:
    """The codecs of a message by version, and its plan, which is used to locate errors.

    ``engine`` does the work if there is one; ``readers`` and ``writers`` are straight-line Python. ``memory`` is what the message
    itself may cost beyond its bytes (``own``), and the number of bytes up to which no message reaches the default limits (``small``).
    """

    __slots__ = ("_parsed", "classes", "cls", "engine", "own", "plan", "readers", "small", "writers")

    def __init__(
        self,
        layouts: list[tuple[int, int, Reader, Writer]],
        classes: tuple[type[Struct], ...],
        plan: str,
        memory: tuple[int, int],
    ) -> None:
        self.own, self.small = memory
        self.readers = {v: read for lowest, highest, read, _ in layouts for v in range(lowest, highest + 1)}
        self.writers = {v: write for lowest, highest, _, write in layouts for v in range(lowest, highest + 1)}
        self.classes = classes
        self.cls = classes[0]
        self.plan = plan
        self.engine = None if _native is None else _native.engine(plan, classes)
        self._parsed: Plan | None = None

    def read(
        self,
        version: int,
        buffer: bytes,
        offset: int,
        source: bytes | memoryview,
        limits: Limits,
        *,
        lazy: bool = False,
    ) -> tuple[Any, int]:
        """Reads a message. Raises any of ``DECODE_FAILURES`` if it can't, or if the walker has to decide."""
        if self.engine is not None:
            decode = self.engine.decode_lazily if lazy else self.engine.decode
            found: tuple[Any, int] = decode(version, buffer, offset, source, limits.packed)
            return found
        size = len(buffer) - offset
        m = FREE if size <= self.small and limits is DEFAULT_LIMITS else budget(self, limits, size)
        message, end = self.readers[version](buffer, offset, source, m)
        if end > len(buffer):
            raise LookupError
        return message, end

    def parsed_plan(self) -> Plan:
        """The plan as objects, parsed from its text on first use."""
        if self._parsed is None:
            from .plans import read_plan

            self._parsed = read_plan(self.plan, {cls.__name__: cls for cls in self.classes})
        return self._parsed


class Message(Struct):
    """A Kafka message in all its versions.

    Instances are values: do not assign to their fields; arrays are tuples. Every method that takes a ``version`` raises
    ``UnsupportedVersionError`` if it is not in ``VALID_VERSIONS``.
    """

    __slots__ = ()

    API_KEY: ClassVar[int | None] = None
    """Kafka's number of the API or record type, if there is one."""
    KIND: ClassVar[str] = "data"
    """The spec's ``type``: request, response, header, data, metadata, coordinator-key or coordinator-value."""
    VALID_VERSIONS: ClassVar[range] = range(0)
    FLEXIBLE_VERSIONS: ClassVar[range] = range(0)
    DEPRECATED_VERSIONS: ClassVar[range] = range(0)
    LATEST_VERSION_UNSTABLE: ClassVar[bool] = False
    """Whether the highest version may still change and should only be used on request."""
    LISTENERS: ClassVar[tuple[str, ...]] = ()
    HEADER_VERSIONS: ClassVar[tuple[tuple[int, int, int], ...]] = ()
    """(lowest version, highest version, header version)."""
    LIMITS: ClassVar[Limits] = DEFAULT_LIMITS
    """The default decoding limits. Set them on ``Message`` for all messages of the package, or on one class."""

    if TYPE_CHECKING:
        CODEC: ClassVar[Codec]

    def encode(self, *, version: int) -> bytes:
        """The bytes of the message, without header or frame. Raises ``EncodeError``."""
        codec = self.CODEC
        if type(version) is not int:
            version = self._version(version)
        try:
            if codec.engine is not None:
                encoded: bytes = codec.engine.encode(version, self)
                return encoded
            out = bytearray()
            codec.writers[version](self, out)
            return b"" + out  # Half the time of bytes(out).
        except KeyError:
            self._checked(version)
            raise  # Raised by a value that can't be converted to a number.
        except _ENCODE_FAILURES:
            self._checked(version)
            from .walk import walk_encode

        # Locates the field that can't be written; if the walker can write the message, its result is correct.
        return walk_encode(codec.parsed_plan(), self, version)

    def encode_into(self, buffer: bytearray, *, version: int) -> None:
        """Appends the bytes of the message to ``buffer``; an ``EncodeError`` leaves it unchanged.

        Raises ``TypeError`` for a buffer that is not a ``bytearray``.
        """
        if not is_a(buffer, bytearray):
            raise TypeError(f"expected a bytearray to append to, got {type(buffer).__name__}")
        buffer += self.encode(version=version)

    def size(self, *, version: int) -> int:
        """The number of bytes that ``encode`` returns. Raises ``EncodeError``."""
        return len(self.encode(version=version))

    @classmethod
    def decode(
        cls,
        data: bytes | bytearray | memoryview,
        *,
        version: int,
        zero_copy: bool = False,
        lazy: bool = False,
        limits: Limits | None = None,
    ) -> Self:
        """Decodes a message that fills ``data`` exactly.

        With ``zero_copy``, records and fields marked zero-copy in the spec are memoryviews of ``data`` instead of copies.
        With ``lazy``, all of ``data`` is checked, but the native engine makes values when they are first read, and ``encode``
        copies the bytes of those that were not; until then the message keeps ``data`` alive. Pure Python ignores it.
        ``limits`` override ``LIMITS``. Raises ``DecodeError`` with field path and offset, also for leftover bytes and
        exceeded limits, and ``TypeError`` if ``data`` is not bytes.
        """
        if limits is None:
            limits = cls.LIMITS
        codec = cls.CODEC
        message: Any
        if type(data) is bytes and type(version) is int and not zero_copy:
            length = len(data)
            found: Self
            try:
                if codec.engine is not None:
                    decode = codec.engine.decode_lazily if lazy else codec.engine.decode
                    found, end = decode(version, data, 0, data, limits.packed)
                else:
                    left = FREE if length <= codec.small and limits is DEFAULT_LIMITS else budget(codec, limits, length)
                    found, end = codec.readers[version](data, 0, data, left)
                if end == length:
                    return found if cls is codec.cls else as_class(cls, found)
                message = found
                refusal: tuple[Any, ...] = ()
            except DECODE_FAILURES as failure:
                message, end, refusal = None, -1, failure.args
            if not 0 <= end <= length:
                message, end = cls._refused(refusal, data, 0, data, version, limits)
        else:
            buffer, source = buffers(data, zero_copy)
            length = len(buffer)
            message, end = cls._read(buffer, 0, source, cls._version(version), limits, lazy=lazy)
        if end != length:
            raise DecodeError(cls.__name__, version, "", f"extra bytes after the message: {length - end}", end)
        whole: Self = message
        return whole

    @classmethod
    def decode_from(
        cls,
        data: bytes | bytearray | memoryview,
        offset: int = 0,
        *,
        version: int,
        zero_copy: bool = False,
        lazy: bool = False,
        limits: Limits | None = None,
    ) -> tuple[Self, int]:
        """Decodes a message that starts at byte ``offset``; returns it and the offset of the byte after it.

        Otherwise like ``decode``. Only about as many bytes of a ``bytearray`` or ``memoryview`` are copied as the message
        is long, so you can read one message after another from it. A lazily decoded message keeps all of ``bytes`` alive.
        """
        if limits is None:
            limits = cls.LIMITS
        view = _view(data)
        if type(offset) is not int:
            raise TypeError(f"the offset must be an int, not {type(offset).__name__}")
        length = len(view)
        if not 0 <= offset <= length:
            raise DecodeError(cls.__name__, version, "", f"there is no byte {offset} in {length} bytes", offset)
        version = cls._version(version)
        if type(data) is bytes:
            return cls._read(data, offset, view if zero_copy else data, version, limits, lazy=lazy)
        codec = cls.CODEC
        size = _FIRST_PIECE
        while size < length - offset:
            part = view[offset : offset + size]
            piece = part.tobytes()
            source = part if zero_copy else piece
            try:
                message, end = codec.read(version, piece, 0, source, limits, lazy=lazy)
                message = message if cls is codec.cls else as_class(cls, message)
            except DECODE_FAILURES:
                size *= _NEXT_PIECE
            else:
                return message, offset + end
        part = view[offset:]
        piece = part.tobytes()
        try:
            message, end = cls._read(piece, 0, part if zero_copy else piece, version, limits, lazy=lazy)
        except DecodeError as error:
            raise DecodeError(error.message, version, error.path, error.reason, offset + error.offset) from None
        return message, offset + end

    @classmethod
    def _read(
        cls,
        buffer: bytes,
        offset: int,
        source: bytes | memoryview,
        version: int,
        limits: Limits,
        *,
        lazy: bool,
    ) -> tuple[Self, int]:
        codec = cls.CODEC
        try:
            message, end = codec.read(version, buffer, offset, source, limits, lazy=lazy)
            return (message if cls is codec.cls else as_class(cls, message)), end
        except DECODE_FAILURES as failure:
            refusal = failure.args
        # Outside of the except block, because the exception keeps all created objects alive.
        return cls._refused(refusal, buffer, offset, source, version, limits)

    @classmethod
    def _refused(
        cls,
        refusal: tuple[Any, ...],
        buffer: bytes,
        offset: int,
        source: bytes | memoryview,
        version: int,
        limits: Limits,
    ) -> tuple[Self, int]:
        """Raises the error with its location, which an engine reports itself and the walker finds for straight-line code."""
        codec = cls.CODEC
        if version not in codec.readers:
            raise UnsupportedVersionError(cls.__name__, version, cls.VALID_VERSIONS)
        if codec.engine is not None:
            reason, path, at = refusal
            raise DecodeError(codec.plan.split(None, 4)[3], version, path, reason, at)
        from .walk import walk_decode

        # If the walker can read the message, its result is correct.
        message, end = walk_decode(codec.parsed_plan(), buffer, offset, version, source, limits)
        return (message if cls is codec.cls else as_class(cls, message)), end

    def to_json(self, *, version: int, redact: bool = False) -> dict[str, Any]:
        """The message in the format of Kafka's ``JsonConverter`` classes, ready for ``json.dumps``; bytes are base64.

        With ``redact``, the values of sensitive fields become ``"<redacted>"``, and ``from_json`` can't read the result.
        Raises ``EncodeError`` if the message can't be encoded in the version.
        """
        plan = self.CODEC.parsed_plan()
        value: dict[str, Any] = part("json_form").message_to_json(plan, self, self._checked(version), redact=redact)
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any], *, version: int) -> Self:
        """Reads the result of ``to_json``; untagged fields are required. Raises ``EncodeError``."""
        message = part("json_form").message_from_json(cls.CODEC.parsed_plan(), value, cls._checked(version))
        return message if cls is cls.CODEC.cls else as_class(cls, message)

    @classmethod
    def header_version(cls, version: int) -> int:
        """The version of the request or response header for this version of the body (KIP-1313).

        Raises ``LookupError`` for a message that has no header.
        """
        cls._checked(version)
        for lowest, highest, header in cls.HEADER_VERSIONS:
            if lowest <= version <= highest:
                return header
        raise LookupError(f"{cls.__name__} has no header")

    @classmethod
    def _version(cls, version: int) -> int:
        """The version as an int. Raises ``UnsupportedVersionError`` for a bool or anything else that is not an int."""
        if is_a(version, bool) or not hasattr(type(version), "__index__"):
            raise UnsupportedVersionError(cls.__name__, version, cls.VALID_VERSIONS) from None
        return version.__index__()

    @classmethod
    def _checked(cls, version: int) -> int:
        version = cls._version(version)
        if version not in cls.VALID_VERSIONS:
            raise UnsupportedVersionError(cls.__name__, version, cls.VALID_VERSIONS) from None
        return version
