"""Structs and messages: values of fields, with encoding, decoding, JSON and constants.

Structs are dataclasses: ``dataclass`` adds slots to a class, and the standard library adds everything else. Type checkers see frozen
dataclasses (PEP 681). At run time they are not frozen, because that makes decoding twice as slow. The standard library's decorator
runs when a class is first compared, hashed, printed, constructed or inspected: importing ``dataclasses`` takes longer than importing
a message, and decoding does not need it.
"""

from __future__ import annotations

import struct
import sys

from . import DEFAULT_LIMITS, FREE, Limits, budget, part
from .errors import DecodeError, UnsupportedVersionError, is_a

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from dataclasses import Field
    from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

    from . import Budget, Read, Source
    from .walk import Plan

    Reader = Callable[[bytes, int, Source, Budget], Read]
    Writer = Callable[[Any, bytearray], None]
    S = TypeVar("S", bound="Value")
    T = TypeVar("T")
else:

    def dataclass_transform(**_: bool) -> Callable[[T], T]:
        """Replaces ``typing.dataclass_transform``, which only type checkers need."""
        return lambda decorator: decorator

    class ClassVar:
        """Replaces ``typing.ClassVar`` when annotations are evaluated, because importing ``typing`` takes too long."""

        def __class_getitem__(cls, item: object) -> object:
            """The type of the constant."""
            return item


try:
    _native = part("native")
except LookupError:
    _native = None  # The output does not have it.

DECODE_FAILURES = (ValueError, struct.error, LookupError)
"""The exceptions that codecs raise for invalid bytes."""
_FIRST_PIECE = 1 << 12
"""How many bytes of a mutable buffer are copied first; if the message is longer, ``_NEXT_PIECE`` times as many."""
_NEXT_PIECE = 16
_ENCODE_FAILURES = (ValueError, struct.error, TypeError, AttributeError, OverflowError, BufferError)


class _Late:
    """An attribute of a struct class that the standard library creates on first access."""

    __slots__ = ("cls", "name")

    def __set_name__(self, cls: type[Any], name: str) -> None:
        self.cls = cls
        self.name = name

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        _complete(self.cls)
        value = vars(self.cls)[self.name]
        return value if instance is None or not callable(value) else value.__get__(instance, owner)


_LATE = ("__dataclass_fields__", "__dataclass_params__", "__eq__", "__hash__", "__init__", "__repr__")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def dataclass(cls: type[T]) -> type[T]:
    """Does the same as ``dataclasses.dataclass(slots=True, kw_only=True, unsafe_hash=True, match_args=False)``, but later.

    Every field needs a default. Fields of the class come before inherited ones.
    """
    body: dict[str, Any] = dict(vars(cls))
    own = {name: body.pop(name) for name in cls.__annotations__}
    for name in ("__dict__", "__weakref__"):
        body.pop(name, None)
    body["__slots__"] = slots = _Slots(dict.fromkeys(own))
    body["__defaults__"] = {**own, **getattr(cls, "__defaults__", {})}
    for name in _LATE:
        body.setdefault(name, _Late())
    remade: Any = type(cls.__name__, cls.__bases__, body)
    made: type[T] = remade
    made.__qualname__ = cls.__qualname__
    slots.cls = made
    return made


class _Slots(dict[str, None]):
    """The slots of a class with what ``help`` shows of them: the texts of the spec, which are read from the plan when they are asked for."""

    cls: type[Any]

    def __getitem__(self, name: str) -> Any:
        from json import loads

        plan = getattr(sys.modules.get(self.cls.__module__), "_PLAN", "")
        about = f" :about {name} "
        lines = plan.partition(f"\nstruct {self.cls.__name__}\n")[2].partition("\nstruct ")[0].splitlines()
        return next((loads(line.removeprefix(about)) for line in lines if line.startswith(about)), None)


def _complete(cls: type[Any]) -> None:
    """Has the standard library create a class with the same fields, and copies the results."""
    from dataclasses import dataclass as standard_dataclass

    annotations: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        annotations.update(getattr(base, "__annotations__", {}))
    defaults: dict[str, object] = cls.__defaults__
    body = {
        "__annotations__": {name: annotations[name] for name in defaults},
        "__doc__": cls.__doc__ or cls.__name__,
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        **defaults,
    }
    decorate = standard_dataclass(slots=True, kw_only=True, unsafe_hash=True, match_args=False)
    model = dict(vars(decorate(type(cls.__name__, (), body))))
    for name in cls.SENSITIVE:
        # For the decorator of a subclass, whose __repr__ would include it.
        model["__dataclass_fields__"][name].repr = False
    model["__repr__"] = _repr_like(model["__repr__"], wraps=not cls.SENSITIVE)
    for name in _LATE:
        if type(vars(cls)[name]) is _Late:
            setattr(cls, name, model[name])


def _repr_like(generated: Any, *, wraps: bool) -> Callable[[Value], str]:
    """``__repr__`` of a class. If it wraps the generated one, pprint breaks lines at fields and shows all of them."""

    def __repr__(self: Value) -> str:  # noqa: N807 - becomes the method
        shown = [f"{name}={value!r}" for name, value, *_ in self.__rich_repr__() if value or name != _TAGS]
        return f"{type(self).__qualname__}({', '.join(shown)})"

    __repr__.__qualname__ = generated.__qualname__
    if wraps:
        __repr__.__wrapped__ = generated.__wrapped__  # type: ignore[attr-defined]  # functools.wraps sets it so
    return __repr__


_TAGS = "unknown_tagged_fields"


class Value:
    """A group of fields that compares, hashes and prints by content. Subclasses are made with ``dataclass``."""

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
        __defaults__: ClassVar[dict[str, object]]
        SENSITIVE: ClassVar[Mapping[str, tuple[str, ...]]]
        """Fields that ``repr`` and errors hide: always, or depending on the fields named with them (a config's name, a flag)."""

        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

    else:
        __slots__ = ()
        SENSITIVE = {}
        __match_args__ = ()
        __pydantic_config__ = {"arbitrary_types_allowed": True}  # memoryviews

    def __replace__(self, **changes: Any) -> Self:
        """Called by ``copy.replace`` since Python 3.13."""
        return type(self)(**{**{name: getattr(self, name) for name in self.__dataclass_fields__}, **changes})

    def __rich_repr__(self) -> Iterator[tuple[str, object] | tuple[str, object, object]]:
        """The fields for rich, like ``__repr__``: those that have a value, unknown tagged fields only if there are any."""
        value_of: Callable[[Value, str], Any] = getattr
        if self.SENSITIVE:
            value_of = part("secrets").shown_value
        for name in self.__dataclass_fields__:
            try:
                value: object = value_of(self, name)
            except AttributeError:
                continue  # It was deleted.
            yield (name, value, ()) if name == _TAGS else (name, value)


@dataclass
class Struct(Value):
    """A struct of a message. ``unknown_tagged_fields`` are those of a newer sender, as (tag, bytes), and are kept when encoding."""

    unknown_tagged_fields: tuple[tuple[int, bytes], ...] = ()


def as_class(cls: type[S], struct: Value) -> S:
    """A struct as an instance of a subclass of its class, whose own fields have their defaults."""
    made = object.__new__(cls)
    for name, field in cls.__dataclass_fields__.items():
        object.__setattr__(made, name, getattr(struct, name) if name in cls.__defaults__ else field.default)
    return made


def _view(data: bytes | bytearray | memoryview) -> memoryview:
    """The bytes of a buffer, whatever its item format."""
    try:
        view = memoryview(data)
    except TypeError:
        raise TypeError(f"bytes, a bytearray or a memoryview can be decoded, not {type(data).__name__}") from None
    # A non-contiguous one must be copied.
    return view.cast("B") if view.c_contiguous else memoryview(view.tobytes())


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
        self._parsed: Any = None

    def read(
        self, version: int, buffer: bytes, offset: int, source: Source, limits: Limits, *, lazy: bool = False
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
        """The plan as objects, parsed from its text on first use; whole in outputs that can read it."""
        if self._parsed is None:
            try:
                reader = part("plans")
            except LookupError:
                reader = part("walk")
            self._parsed = reader.read_plan(self.plan, {cls.__name__: cls for cls in self.classes})
        parsed: Plan = self._parsed
        return parsed


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
            version = self._checked(version)
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
        # Locates the field that can't be written; if the walker can write the message, its result is correct.
        walked: bytes = part("walk").walk_encode(codec.parsed_plan(), self, version)
        return walked

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
        found: Any = None
        if type(data) is bytes and type(version) is int and not zero_copy:
            codec = cls.CODEC
            length = len(data)
            end = -1
            refusal: tuple[Any, ...] = ()
            try:
                if codec.engine is not None:
                    decode = codec.engine.decode_lazily if lazy else codec.engine.decode
                    found, end = decode(version, data, 0, data, limits.packed)
                else:
                    left = FREE if length <= codec.small and limits is DEFAULT_LIMITS else budget(codec, limits, length)
                    found, end = codec.readers[version](data, 0, data, left)
                if end == length:
                    return found if cls is codec.cls else as_class(cls, found)
            except DECODE_FAILURES as failure:
                refusal = failure.args
            if not 0 <= end <= length:
                found, end = cls._located(refusal, data, 0, data, version, limits)
        else:
            view = _view(data)
            buffer = data if type(data) is bytes else view.tobytes()
            length = len(buffer)
            found, end = cls._read(buffer, 0, view if zero_copy else buffer, version, limits, lazy=lazy)
        if end != length:
            raise DecodeError(cls.__name__, version, "", f"extra bytes after the message: {length - end}", end)
        whole: Self = found
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
        if not 0 <= offset <= len(view):
            raise DecodeError(cls.__name__, version, "", f"there is no byte {offset} in {len(view)} bytes", offset)
        if type(data) is bytes:
            return cls._read(data, offset, view if zero_copy else data, version, limits, lazy=lazy)
        codec, version, size = cls.CODEC, cls._checked(version), _FIRST_PIECE
        while size < len(view) - offset:
            rest = view[offset : offset + size]
            buffer = rest.tobytes()
            try:
                message, end = codec.read(version, buffer, 0, rest if zero_copy else buffer, limits, lazy=lazy)
            except DECODE_FAILURES:
                size *= _NEXT_PIECE
            else:
                return (message if cls is codec.cls else as_class(cls, message)), offset + end
        rest = view[offset:]
        buffer = rest.tobytes()
        try:
            message, end = cls._read(buffer, 0, rest if zero_copy else buffer, version, limits, lazy=lazy)
        except DecodeError as error:
            raise DecodeError(error.message, error.version, error.path, error.reason, offset + error.offset) from None
        return message, offset + end

    @classmethod
    def _read(
        cls, buffer: bytes, offset: int, source: Source, version: int, limits: Limits, *, lazy: bool
    ) -> tuple[Self, int]:
        codec, version = cls.CODEC, cls._checked(version)
        try:
            message, end = codec.read(version, buffer, offset, source, limits, lazy=lazy)
            return (message if cls is codec.cls else as_class(cls, message)), end
        except DECODE_FAILURES as failure:
            refusal = failure.args
        # Outside of the except block, because the exception keeps all created objects alive.
        return cls._located(refusal, buffer, offset, source, version, limits)

    @classmethod
    def _located(
        cls, refusal: tuple[Any, ...], buffer: bytes, offset: int, source: Source, version: int, limits: Limits
    ) -> tuple[Self, int]:
        """Raises the error with its location, which an engine reports itself and the walker finds for straight-line code."""
        version = cls._checked(version)
        codec = cls.CODEC
        if codec.engine is not None:
            reason, path, at = refusal
            raise DecodeError(codec.plan.split(None, 4)[3], version, path, reason, at)
        # If the walker can read the message, its result is correct.
        message, end = part("walk").walk_decode(codec.parsed_plan(), buffer, offset, version, source, limits)
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
        version = cls._checked(version)
        for lowest, highest, header in cls.HEADER_VERSIONS:
            if lowest <= version <= highest:
                return header
        raise LookupError(f"{cls.__name__} has no header")

    @classmethod
    def _checked(cls, version: int) -> int:
        """The version as an int. Raises ``UnsupportedVersionError``, also for a bool or anything else that is not an int."""
        known = hasattr(type(version), "__index__") and not is_a(version, bool)
        if not known or (version := version.__index__()) not in cls.VALID_VERSIONS:
            raise UnsupportedVersionError(cls.__name__, version, cls.VALID_VERSIONS) from None
        return version
