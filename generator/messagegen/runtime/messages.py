"""The base of every message class: encoding, decoding, JSON and what a message says of itself."""

from __future__ import annotations

import struct

from .errors import DecodeError, UnsupportedVersionError, is_a
from .native import ENGINE
from .structs import Struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ClassVar, Self

    from .frames import RequestHeader, ResponseHeader
    from .native import Engine
    from .tables import Table

    Reader = Callable[[bytes, int, bytes | memoryview], tuple[Any, int]]
    Writer = Callable[[Any, bytearray], None]

if not TYPE_CHECKING:

    class ClassVar:
        """Stands in for ``typing.ClassVar`` where annotations are evaluated; importing ``typing`` takes too long."""

        def __class_getitem__(cls, item: object) -> object:
            """The type of the constant."""
            return item


_DECODE_FAILURES = (ValueError, struct.error, LookupError)
_ENCODE_FAILURES = (ValueError, struct.error, TypeError, AttributeError, OverflowError, BufferError)


class Codec:
    """The codecs of one message by version, and its plan, which explains what they refuse.

    ``engine`` does the work where there is one; ``readers`` and ``writers`` are straight-line Python.
    """

    __slots__ = ("_table", "classes", "engine", "plan", "readers", "writers")

    def __init__(
        self, readers: dict[int, Reader], writers: dict[int, Writer], classes: tuple[type[Struct], ...], plan: str
    ) -> None:
        self.readers = readers
        self.writers = writers
        self.classes = classes
        self.plan = plan
        self.engine: Engine | None = None
        if ENGINE is not None:
            try:
                self.engine = ENGINE(plan, classes)
            except ValueError:
                self.engine = None  # Not an engine for these classes, so Python serves.
        self._table: Table | None = None

    def table(self) -> Table:
        """The plan in a form to walk, read from its text on first use."""
        if self._table is None:
            from .tables import read_table

            self._table = read_table(self.plan, {cls.__name__: cls for cls in self.classes})
        return self._table


class Message(Struct):
    """A Kafka message in all its versions.

    Instances are values: do not assign to their fields; arrays are tuples. Every method that takes a ``version`` raises
    ``UnsupportedVersionError`` for one that is not in ``VALID_VERSIONS``.
    """

    __slots__ = ()

    API_KEY: ClassVar[int | None] = None
    """Kafka's number of the API or record type, where there is one."""
    KIND: ClassVar[str] = "data"
    """The spec's ``type``: request, response, header, data, metadata, coordinator-key or coordinator-value."""
    VALID_VERSIONS: ClassVar[range] = range(0)
    FLEXIBLE_VERSIONS: ClassVar[range] = range(0)
    DEPRECATED_VERSIONS: ClassVar[range] = range(0)
    LATEST_VERSION_UNSTABLE: ClassVar[bool] = False
    """Whether the highest version may still change and should be spoken only on request."""
    LISTENERS: ClassVar[tuple[str, ...]] = ()
    HEADER_VERSIONS: ClassVar[tuple[tuple[int, int, int], ...]] = ()
    """(lowest version, highest version, version of the header before it)."""

    if TYPE_CHECKING:
        CODEC: ClassVar[Codec]

    def encode(self, *, version: int) -> bytes:
        """The bytes of the message, without header or frame. Raises ``EncodeError``."""
        codec = self.CODEC
        try:
            if codec.engine is not None:
                return codec.engine.encode(version, self)
            out = bytearray()
            codec.writers[version](self, out)
            return bytes(out)
        except KeyError:
            self._checked(version)
            raise  # A value that is no number raised it when it was asked for one.
        except _ENCODE_FAILURES:
            self._checked(version)
            from .walk import walk_encode

        # Finds the field that can't be written; whatever the walk can write after all is right.
        return walk_encode(codec.table(), self, version)

    def encode_into(self, buffer: bytearray, *, version: int) -> None:
        """Appends the bytes of the message to ``buffer``; after an ``EncodeError`` it is as before.

        Raises ``TypeError`` for a buffer that is no ``bytearray``.
        """
        if not is_a(buffer, bytearray):
            raise TypeError(f"expected a bytearray to append to, got {type(buffer).__name__}")
        buffer += self.encode(version=version)

    def size(self, *, version: int) -> int:
        """The number of bytes that ``encode`` gives. Raises ``EncodeError``."""
        return len(self.encode(version=version))

    @classmethod
    def decode(cls, data: bytes | bytearray | memoryview, *, version: int, zero_copy: bool = False) -> Self:
        """Reads a message that fills ``data`` exactly.

        With ``zero_copy``, records and fields marked zero-copy in the spec are memoryviews of ``data`` instead of copies.
        Raises ``DecodeError`` with field path and offset, also for bytes left over.
        """
        if type(data) is bytes and not zero_copy:
            codec = cls.CODEC
            message: Self
            try:
                if codec.engine is None:
                    message, end = codec.readers[version](data, 0, data)
                else:
                    message, end = codec.engine.decode(version, data, 0, data)
                if end == len(data):
                    return message
            except _DECODE_FAILURES:
                pass  # What is wrong is said below.
        message, end = cls.decode_from(data, 0, version=version, zero_copy=zero_copy)
        length = memoryview(data).nbytes
        if end != length:
            raise DecodeError(cls.__name__, version, "", f"{length - end} bytes are left after the message", end)
        return message

    @classmethod
    def decode_from(
        cls, data: bytes | bytearray | memoryview, offset: int = 0, *, version: int, zero_copy: bool = False
    ) -> tuple[Self, int]:
        """Reads a message that starts at ``offset``; gives it and the offset of the byte after it. Raises ``DecodeError``."""
        codec = cls.CODEC
        buffer = data if type(data) is bytes else bytes(data)
        source = memoryview(data).cast("B") if zero_copy else buffer
        if not 0 <= offset <= len(buffer):
            raise DecodeError(cls.__name__, version, "", f"there is no byte {offset} in {len(buffer)} bytes", offset)
        try:
            if codec.engine is not None:
                return codec.engine.decode(version, buffer, offset, source)
            message, end = codec.readers[version](buffer, offset, source)
            if end <= len(buffer):
                return message, end
        except KeyError:
            raise UnsupportedVersionError(cls.__name__, version, cls.VALID_VERSIONS) from None
        except _DECODE_FAILURES:
            pass
        from .walk import walk_decode

        # Finds the field that can't be read; whatever the walk can read after all is right.
        return walk_decode(codec.table(), buffer, offset, version, source)

    def to_json(self, *, version: int, redact: bool = False) -> dict[str, Any]:
        """The message in the form of Kafka's ``JsonConverter`` classes, ready for ``json.dumps``; bytes are base64.

        With ``redact``, ``"<redacted>"`` stands for the values of sensitive fields, and ``from_json`` can't read the result.
        Raises ``EncodeError`` where the version can't carry the message.
        """
        from .json_form import message_to_json

        return message_to_json(self.CODEC.table(), self, self._checked(version), redact=redact)

    @classmethod
    def from_json(cls, value: Mapping[str, Any], *, version: int) -> Self:
        """Reads what ``to_json`` gives; a field that is not tagged must be there. Raises ``EncodeError``."""
        from .json_form import message_from_json

        message: Self = message_from_json(cls.CODEC.table(), value, cls._checked(version))
        return message

    @classmethod
    def header_version(cls, version: int) -> int:
        """The version of the request or response header that goes before this version of the body (KIP-1313).

        Raises ``LookupError`` for a message that travels without a header.
        """
        cls._checked(version)
        for lowest, highest, header in cls.HEADER_VERSIONS:
            if lowest <= version <= highest:
                return header
        raise LookupError(f"{cls.__name__} has no header")

    @classmethod
    def _checked(cls, version: int) -> int:
        if version not in cls.VALID_VERSIONS:
            raise UnsupportedVersionError(cls.__name__, version, cls.VALID_VERSIONS) from None
        return version


class KeyedMessage(Message):
    """A message with an api key, or a record with the number of its type."""

    __slots__ = ()

    if TYPE_CHECKING:
        API_KEY: ClassVar[int]  # pyright: ignore[reportIncompatibleVariableOverride] - a constant


class Request(KeyedMessage):
    """A request: it knows the class of its response, and how to stand in a frame."""

    __slots__ = ()

    @classmethod
    def response_class(cls) -> type[Response]:
        """The class of the response, loaded when asked for. Raises ``LookupError`` where the output does not have it."""
        raise LookupError(f"{cls.__name__} has no response here; generate the one with api key {cls.API_KEY}, too")

    def encode_frame(
        self, *, version: int, correlation_id: int, client_id: str | None = None, **header: object
    ) -> bytes:
        """The whole frame: its length in 4 bytes, the request header of the version that goes with ``version``, the body.

        ``header`` are further fields of the output's ``RequestHeader``. Raises ``EncodeError``, and ``LookupError`` where the
        output has no ``RequestHeader``.
        """
        from .frames import write_frame

        header |= {"request_api_key": self.API_KEY, "request_api_version": version}
        return write_frame(self, version, {**header, "correlation_id": correlation_id, "client_id": client_id})

    @classmethod
    def decode_frame(cls, data: bytes | bytearray | memoryview) -> tuple[RequestHeader, Self]:
        """Reads a whole frame: gives its header, which says the version, and the request.

        Raises ``DecodeError``, also for a request with another api key, and ``LookupError`` as ``encode_frame`` does.
        """
        from .frames import read_request

        return read_request(cls, data)


class Response(KeyedMessage):
    """A response: it knows the class of its request, and how to stand in a frame."""

    __slots__ = ()

    @classmethod
    def request_class(cls) -> type[Request]:
        """The class of the request, loaded when asked for. Raises ``LookupError`` where the output does not have it."""
        raise LookupError(f"{cls.__name__} has no request here; generate the one with api key {cls.API_KEY}, too")

    def encode_frame(self, *, version: int, correlation_id: int, **header: object) -> bytes:
        """The whole frame: its length in 4 bytes, the response header of the version that goes with ``version``, the body.

        ``correlation_id`` is that of the request, ``header`` are further fields of the output's ``ResponseHeader``. Raises
        ``EncodeError``, and ``LookupError`` where the output has no ``ResponseHeader``.
        """
        from .frames import write_frame

        return write_frame(self, version, {**header, "correlation_id": correlation_id})

    @classmethod
    def decode_frame(cls, data: bytes | bytearray | memoryview, *, version: int) -> tuple[ResponseHeader, Self]:
        """Reads a whole frame in the version of its request: gives its header and the response.

        Whoever sent the request knows the version, and compares the header's ``correlation_id``. Raises ``DecodeError``, and
        ``LookupError`` as ``encode_frame`` does.
        """
        from .frames import read_response

        return read_response(cls, data, version)
