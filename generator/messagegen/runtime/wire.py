"""Reads and writes values that have no ``struct`` format: strings and tag sections.

Readers take a buffer and a position, and return the value and the position after it. They do not check whether the
value ends inside the buffer: a position past the end makes the next read fail, and the caller checks the last position.
"""

from __future__ import annotations

from _operator import index
from struct import Struct, error

from . import part
from .errors import CodecFailure as CodecFailure  # noqa: PLC0414 - generated modules take it from here
from .errors import WrongValue, is_a

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any as Any  # noqa: PLC0414 - generated modules take these from here

    from .errors import Budget

    Read = tuple[Any, int]
    """A value, and the position after it."""
else:
    Any = Read = object

LONGEST_STRING = 0x7FFF
"""The maximum size of Kafka's strings in UTF-8 bytes, even in compact form (upstream: ``MessageDataGenerator``)."""

HIGHEST_TAG = 0x7FFFFFFE
"""The highest tag, because Kafka's writer uses the next number to mark the end (upstream: ``RawTaggedFieldWriter``)."""

new: Callable[..., Any] = object.__new__
"""Creates an object without calling ``__init__``."""

NEGATIVE = 128
"""The minimum value of the first byte of a negative integer."""

NULL_STRUCT = 255
"""The byte that stands for a null struct: -1 as an int8 (KIP-893)."""

NAN = float("nan")
NOTHING: tuple[Any, ...] = ()
"""The empty array that is the default of fields. It is recognised by identity."""

EMPTY = ""
"""The empty string that is the default of fields. It is recognised by identity."""

TUPLE: Any = tuple
"""``tuple``, typed as ``Any`` so that type checkers do not check its use."""

utf8: Callable[[str], Any] = str.encode
"""Returns the UTF-8 of a ``str``, and ignores methods of subclasses. Raises ``TypeError`` for all other values."""


def read_uvarint(buffer: bytes, position: int) -> tuple[int, int]:
    """Read an unsigned 32-bit varint: 7 bits per byte, lowest first, at most 5 bytes.

    Upstream: ``ByteUtils.readUnsignedVarint``.
    """
    byte = buffer[position]
    if byte < 0x80:
        return byte, position + 1
    value = byte & 0x7F
    shift = 7
    while True:
        position += 1
        byte = buffer[position]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if value >> 32:
                raise CodecFailure("the varint has more than 32 bits")
            return value, position + 1
        shift += 7
        if shift > 28:
            raise CodecFailure("the varint has more than 5 bytes")


def write_uvarint(out: bytearray, value: int) -> None:
    """Append an unsigned varint in the fewest bytes."""
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def read_compact_string(buffer: bytes, position: int, nullable: bool = False) -> Read:  # noqa: FBT002 - faster
    """Read a length + 1 as a varint, 0 for null, then UTF-8."""
    length, position = read_uvarint(buffer, position)
    if not length:
        return None if nullable else not_null(None), position
    if length > LONGEST_STRING + 1:
        raise CodecFailure(f"{length - 1} bytes are too many for a string")
    end = position + length - 1
    return buffer[position:end].decode(), end


def write_compact_length(out: bytearray, length: int) -> None:
    """Append the length of a compact string that is not null. Raises ``CodecFailure`` for more than 32,767 bytes."""
    if length > LONGEST_STRING:
        raise CodecFailure(f"{length} bytes are too many for a string")
    write_uvarint(out, length + 1)


def not_null(value: Any) -> Any:
    """Return the value. Raises ``CodecFailure`` for ``None``."""
    if value is None:
        raise CodecFailure("null is not allowed here")
    return value


def read_tag_count(buffer: bytes, position: int, budget: Budget, charge: int) -> tuple[int, int]:
    """Read the number of fields in a tag section; each takes ``charge`` bytes of the budget."""
    count, position = read_uvarint(buffer, position)
    if count > len(buffer) - position:
        raise CodecFailure("more tagged fields than bytes")
    budget.take_tags(count, charge)
    return count, position


def read_unknown_tags(
    buffer: bytes, position: int, budget: Budget, charge: int, foreign: tuple[int, ...] = ()
) -> tuple[tuple[tuple[int, bytes], ...], int]:
    """Read a tag section without known tags, and return its fields undecoded; ``foreign`` tags are refused."""
    count, position = read_tag_count(buffer, position, budget, charge)
    unknown: list[tuple[int, bytes]] = []
    previous = -1
    for _ in range(count):
        tag, size, position = read_tag(buffer, position, previous)
        if tag in foreign:
            raise CodecFailure(f"tag {tag} is not valid in this version")
        unknown.append((tag, buffer[position : position + size]))
        position += size
        previous = tag
    return tuple(unknown), position


def read_tag(buffer: bytes, position: int, previous: int) -> tuple[int, int, int]:
    """Read a tag and the size of its value, and return them with the position of the value.

    Raises ``CodecFailure`` for tags that do not ascend, so that the walk reads the message instead.
    """
    tag, position = read_uvarint(buffer, position)
    if not previous < tag <= HIGHEST_TAG:
        raise CodecFailure("the tags are not in ascending order")
    size, position = read_uvarint(buffer, position)
    return tag, size, position


class SeenTags:
    """Finds duplicates among the tags of a section.

    Ascending tags need no memory; after a tag that does not ascend, a set is used.
    """

    def __init__(self, buffer: bytes, position: int) -> None:
        self.buffer = buffer
        self.first = position
        self.count = 0
        self.highest = -1
        self.tags: set[int] | None = None

    def add(self, tag: int) -> bool:
        """Add the next tag, and return ``False`` if it is a duplicate."""
        if tag > self.highest:
            self.highest = tag
        else:
            if self.tags is None:
                self.tags = self.read()
            if tag in self.tags:
                return False
        if self.tags is not None:
            self.tags.add(tag)
        self.count += 1
        return True

    def read(self) -> set[int]:
        """Read the tags again from the bytes."""
        tags: set[int] = set()
        position = self.first
        for _ in range(self.count):
            tag, position = read_uvarint(self.buffer, position)
            size, position = read_uvarint(self.buffer, position)
            position += size
            tags.add(tag)
        return tags


def array_of(value: Any) -> Any:
    """Return the current elements of a tuple or list, and ignore methods of subclasses.

    Raises ``CodecFailure`` for all other values.
    """
    if type(value) is TUPLE:
        return value
    if is_a(value, list):
        return TUPLE(_LIST.__getitem__(value, _WHOLE))
    if is_a(value, tuple):
        return TUPLE.__getitem__(value, _WHOLE)
    raise WrongValue("expected a tuple or list, got {}", value)


def bytes_of(value: Any) -> Any:
    """Return the bytes of a buffer of any item format, like ``bytes(memoryview(value))``; copy only if necessary."""
    try:
        view = memoryview(value)
    except TypeError:
        raise WrongValue("expected bytes, bytearray or memoryview, got {}", value) from None
    return view if view.format == "B" and view.ndim == 1 and view.c_contiguous else view.tobytes()


def float_of(value: Any) -> float:
    """Return the ``float`` that is encoded for a value; methods of ``float`` subclasses are not called.

    Raises ``struct.error`` if the value is neither a number nor an object with ``__float__`` or ``__index__``.
    """
    number: float = _FLOAT64.unpack(_FLOAT64.pack(value))[0]
    return number


def is_default(value: Any, default: object) -> bool:
    """Return whether a value is encoded like the default of its field.

    All codecs omit a tagged field with such a value, and accept the value in a version without the field. Values are
    compared as they are encoded, whatever their ``==`` returns: an empty list is an empty array, an object whose
    ``__index__`` returns 0 is 0, and -0.0 is 0.0. A struct is the default if all its fields, of all versions, have
    their defaults, and if it has no unknown tagged fields. Upstream:
    ``MessageDataGenerator.generateNonDefaultValueCheck``.

    A value that can't be encoded is not the default. The caller has already handled NaN (``plan.equals_nothing``).
    """
    if value is default:
        return True
    kind = type(default)
    if type(value) is kind and kind in _PLAIN:
        return bool(value == default)
    if default is None or kind is bool:
        return False
    try:
        return _has_defaults(value, kind) if hasattr(kind, "__defaults__") else _equals(value, kind, default)
    except (ValueError, TypeError, AttributeError, OverflowError, BufferError, error):
        return False


def _has_defaults(struct: Any, cls: type[Any]) -> bool:
    """Return whether an object is a struct of class ``cls``, and all its fields have their defaults."""
    if struct.__class__ is not cls:
        check_instance(struct, cls)
    for name, default in cls.__defaults__.items():
        value = getattr(struct, name)
        if value is not default and not is_default(value, default):
            return False
    return True


def _equals(value: Any, kind: type[Any], default: Any) -> bool:
    """Return whether a value of a different type is encoded like a default of type ``kind``.

    Raises some exception if the value can't be encoded.
    """
    if kind is TUPLE:
        return not array_of(value)  # The default of an array is empty.
    if kind is int:
        return bool(index(value) == default)
    if kind is str:
        return is_a(value, kind) and bool(str.__eq__(value, default))
    if kind is float:
        return bool(float_of(value) == default)
    if kind is bytes:
        return bool(bytes_of(value) == default)
    return bool(part("uuids").uuid_bytes(value) == default.bytes)


def check_defaults(struct: Any, cls: type[Any], *attributes: str) -> None:
    """Raise ``CodecFailure`` unless these attributes, whose fields the version lacks, have their defaults."""
    for attribute in attributes:
        if not is_default(getattr(struct, attribute), cls.__defaults__[attribute]):
            raise CodecFailure("this version has no such field, so it must be left at its default")


def check_instance(value: Any, cls: type[Any]) -> None:
    """Raise ``CodecFailure`` unless ``value`` is an instance of the class or a subclass."""
    if not isinstance(value, cls):
        raise WrongValue(f"expected a {cls.__name__}, got {{}}", value)


def no_tags(unknown: Any) -> None:
    """Raise ``CodecFailure`` if there are unknown tagged fields; the version can't have any."""
    if array_of(unknown):
        raise CodecFailure("this version has no tagged fields, so unknown ones can't be written")


def raw_tags(unknown: Any, known: tuple[int, ...]) -> list[tuple[int, bytes | memoryview]]:
    """Return unknown tagged fields, which are encoded together with the ``known`` tags.

    Raises ``CodecFailure`` for an invalid field, or if a tag is known.
    """
    fields: list[tuple[int, bytes | memoryview]] = []
    for field in array_of(unknown):
        pair: Any = array_of(field) if is_a(field, tuple) or is_a(field, list) else ()
        if len(pair) != 2 or not is_a(pair[0], int):
            raise WrongValue("expected a pair of a tag (an int) and its bytes, got {}", field)
        tag = index(pair[0])
        if tag in known:
            raise CodecFailure(f"tag {tag} is a known field and can't be among the unknown ones")
        fields.append((tag, bytes_of(pair[1])))
    return fields


def write_tags(out: bytearray, fields: list[tuple[int, bytes | memoryview]]) -> None:
    """Append a tag section in ascending order (KIP-482). Raises ``CodecFailure`` for a duplicate or invalid tag."""
    write_uvarint(out, len(fields))
    previous = -1
    for tag, data in sorted(fields, key=lambda field: field[0]):
        if not 0 <= tag <= HIGHEST_TAG:
            raise wrong_tag(tag)
        if tag == previous:
            raise CodecFailure(f"tag {tag} is given twice")
        write_uvarint(out, tag)
        write_uvarint(out, len(data))
        out += data
        previous = tag


def wrong_tag(tag: int) -> CodecFailure:
    """Return the error for an invalid tag."""
    return WrongValue(f"expected a tag from 0 to {HIGHEST_TAG}, got {{}}", tag)


def replace_tags(out: bytearray, unknown: Any, known: tuple[int, ...]) -> None:
    """Replace an empty tag section with the unknown tagged fields. Raises ``CodecFailure`` like ``raw_tags``."""
    out.pop()
    write_tags(out, raw_tags(unknown, known))


_FLOAT64 = Struct(">d")
_PLAIN = frozenset({bool, int, float, str, bytes, TUPLE})
_LIST: Any = list
_WHOLE = slice(None)
