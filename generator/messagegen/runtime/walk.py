"""The reference codec: walks the layouts of a message field by field, slow and obvious.

It locates the field and byte of an error after straight-line code fails, and straight-line codecs are tested against it. If both can
read or write something, they agree to the byte. Numbers, strings and unknown tagged fields are here; each other kind of value is in a
module of its own, with ``walk_read`` and ``walk_write``, and known tagged fields are in ``arrays``. ``counting.py`` counts memory in
addition, in outputs that have it.
"""

from __future__ import annotations

import re
from _operator import index
from struct import calcsize, error, pack, unpack

from . import DEFAULT_LIMITS, PLAN_FORMAT, CodecFailure, DecodeError, EncodeError, WrongValue, is_a, part
from .wire import (
    HIGHEST_TAG,
    LONGEST_STRING,
    SeenTags,
    check_instance,
    no_tags,
    raw_tags,
    read_uvarint,
    some,
    utf8,
    write_tags,
    write_uvarint,
    wrong_tag,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from . import Limits

_NUMBERS = ("bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "float64")
FORMATS: dict[str, str] = dict(zip(_NUMBERS, "?bhHiIqd", strict=True))
"""The big-endian ``struct`` formats of numbers."""
_HOMES = {"packed": "varints", "string": "", "upacked": "varints", "uuid": "uuids", **dict.fromkeys(FORMATS, "")}
"""The modules of other values, by kind; of all that are not here, ``arrays``."""
_CODEC = re.compile(
    r"(compact_)?(?:(array|struct)\(([^,]*)(?:,([0-9]+))?\)|([a-z]+)([0-9]*))(\??\??)&?",
    re.ASCII,
)
_HIGHEST_VERSION = 32767


class Codec:
    """The wire format of a value; ``kind`` is a primitive's name, ``packed``, ``upacked``, ``array`` or ``struct``.

    ``text`` is the codec in plan texts, ``format`` the ``struct`` format of a number. ``null`` is 0 if null is not allowed, 2 for a
    struct preceded by a varint, otherwise 1. ``numbers`` marks an array of numbers of constant size. ``charge`` is the memory in bytes
    that each element of an array takes of the budget.
    """

    def __init__(self, text: str, layouts: list[Layout]) -> None:
        match = _CODEC.fullmatch(text)
        if match is None:
            raise ValueError(f"unknown codec {text!r}")
        compact, nesting, argument, charge, plain, bits, marks = match.groups()
        is_varint = plain in ("packed", "upacked")
        self.text = text
        self.kind: str = nesting or (plain if is_varint else plain + bits)
        self.format = FORMATS.get(self.kind, "")
        self.compact = bool(compact)
        self.charge = int(charge or 0)
        self.null = len(marks)
        self.bits = int(bits) if is_varint else 0
        self.element = Codec(argument, layouts) if nesting == "array" else None
        self.layout = layouts[int(argument)] if nesting == "struct" else None
        self.numbers = self.element is not None and bool(self.element.format)


class Field:
    """A field of a struct: its attribute, key in JSON, type, and default if the plan was read with classes."""

    def __init__(self, attribute: str, key: str, type_: str, default_text: str, default: object) -> None:
        self.attribute = attribute
        self.key = key
        self.type = type_.removesuffix("?")
        self.nullable = type_.endswith("?")
        self.is_array = type_.startswith("[]")
        self.element_type = self.type.removeprefix("[]")
        self.default_text = default_text
        self.default = default
        self.is_nan = isinstance(default, float) and default != default  # noqa: PLR0124 - true for NaN only
        self.about = ""

    def is_default(self, value: Any) -> bool:
        """Whether a value equals the default. Raises ``CodecFailure`` if an array field has a value of another type."""
        default = self.default
        if default is None or isinstance(default, bool):
            return value is default
        if default == ():
            return not some(value)
        if value is default and hasattr(default, "__defaults__"):
            return True  # The struct that all messages share.
        if isinstance(default, bytes):
            return not part("arrays").some_bytes(value)
        return not value != default  # noqa: SIM202 - the same condition as in straight-line code


def check_guarded(field: Field, value: Any) -> None:
    """Raises ``CodecFailure`` unless a field that the version lacks has its default."""
    if field.is_nan:
        raise CodecFailure(
            "this version has no such field, and its default, NaN, equals nothing: make it ignorable in the spec"
        )
    if not field.is_default(value):
        raise CodecFailure("this version has no such field, so it must be left at its default")


class StructPlan:
    """A struct: the name of its class, its fields by attribute, and what decides whether its sensitive ones are hidden."""

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self.fields: dict[str, Field] = {}
        self.sensitive: dict[str, tuple[str, ...]] = {}


class Layout:
    """The bytes of a struct in ``versions``: fields in order, tagged ones by tag, and those that are missing.

    ``cls`` is the class of the struct if the plan was read with classes, ``optional`` has the attributes of the tagged fields.
    Nothing is ``encodable`` if a guarded field has the default NaN, which equals nothing. ``patterns`` are those of ``counting.py``.
    """

    def __init__(
        self,
        number: int,
        struct: StructPlan,
        versions: list[int],
        flexible: list[str],
        cls: type[Any],
    ) -> None:
        self.number = number
        self.struct = struct
        self.fields = struct.fields
        self.versions = versions
        self.flexible = bool(flexible)
        self.tag_charge = int(flexible[1]) if flexible else 0
        self.cls = cls
        self.codecs: dict[str, Codec] = {}
        self.steps: list[tuple[Field, Codec]] = []
        self.tagged: dict[int, tuple[Field, Codec]] = {}
        self.optional: set[str] = set()
        self.foreign: set[int] = set()
        self.guarded: list[Field] = []
        self.skipped: list[Field] = []
        self.encodable = True
        self.patterns: dict[tuple[int, int], tuple[int, int, int]] = {}

    def read_line(self, words: list[str], layouts: list[Layout]) -> None:
        """Reads a line; ``layouts`` are those before."""
        match words:
            case [":foreign", *tags]:
                self.foreign.update(map(int, tags))
            case [":guard", *attributes]:
                self.guarded += [self.fields[attribute] for attribute in attributes]
                self.encodable &= not any(field.is_nan for field in self.guarded)
            case [":skip", *attributes]:
                self.skipped += [self.fields[attribute] for attribute in attributes]
            case [*tag, attribute, text]:
                field = self.fields[attribute]
                codec = self.codecs[attribute] = Codec(text, layouts)
                if tag[:1] == [":tag"]:
                    self.tagged[int(tag[1])] = field, codec
                    self.optional.add(attribute)
                else:
                    self.steps.append((field, codec))
                    if codec.layout and not codec.null:
                        self.encodable &= codec.layout.encodable
            case _:
                raise ValueError(f"unexpected words {words}")


class Plan:
    """A message: its structs by class name (itself first), its layouts, and that of the message itself in each version (``roots``).

    ``kind`` is its role in the protocol. ``classes`` are those of its structs; without them, defaults are ``None``.
    """

    def __init__(self, name: str, kind: str, versions: str, classes: Mapping[str, type[Any]]) -> None:
        self.name = name
        self.kind = kind
        self.valid_versions = version_range(versions)
        self.classes = classes
        self.structs: dict[str, StructPlan] = {}
        self.layouts: list[Layout] = []
        self.roots: dict[int, Layout] = {}

    @property
    def root(self) -> StructPlan:
        """The struct of the message itself."""
        return next(iter(self.structs.values()))

    @property
    def cls(self) -> Any:
        """The class of the message."""
        return self.classes[self.root.class_name]

    def read_line(self, words: list[str]) -> None:
        """Reads a line. Plans are made with the code that reads them, so little is checked."""
        struct = next(reversed(self.structs.values()), StructPlan(""))
        layout = self.layouts[-1] if self.layouts else None
        match words:
            case ["struct", name]:
                self.structs[name] = StructPlan(name)
            case ["layout", _, name, versions, *flexible]:
                found = [version for some in versions.split(",") for version in version_range(some)]
                cls = self.classes.get(name, object)
                self.layouts.append(Layout(len(self.layouts), self.structs[name], found, flexible, cls))
                if self.structs[name] is self.root:
                    self.roots.update(dict.fromkeys(found, self.layouts[-1]))
            case ["", *words] if layout:
                layout.read_line(words, self.layouts)
            case ["", ":about", attribute, *text] if attribute in struct.fields:
                from json import loads

                struct.fields[attribute].about = loads(" ".join(text))
            case ["", ":sensitive", attribute, *deciders]:
                struct.sensitive[attribute] = tuple(deciders)
            case ["", word, *_] if word.startswith(":"):
                pass  # Older generators wrote more.
            case ["", attribute, key, type_, *default] if default:
                of_class = self.classes.get(struct.class_name)
                value = of_class.__defaults__[attribute] if of_class else None
                struct.fields[attribute] = Field(attribute, key, type_, " ".join(default), value)
            case _:
                raise ValueError(f"unexpected words {words}")


def read_plan(text: str, classes: Mapping[str, type[Any]] | None = None) -> Plan:
    """Parses the text of a plan (``messagegen.plan.text``), with the classes of its structs. Raises ``ValueError`` for invalid text."""
    first, *lines = text.removesuffix("\n").split("\n")
    if first != f"messagegen-plan {PLAN_FORMAT}":
        raise ValueError(f"expected a plan of format {PLAN_FORMAT}, got {first[:200]!r}; generate the messages again")
    try:
        _, name, kind, versions = lines[0].split(" ")
        plan = Plan(name, kind, versions, classes or {})
        for line in lines[1:]:
            plan.read_line(line.split(" "))
    except (ValueError, LookupError) as failure:
        raise ValueError(f"invalid plan: {failure!s:.200}") from None
    if not plan.roots:
        raise ValueError("the plan has no version")
    return plan


def version_range(text: str) -> range:
    """``3``, ``0-9`` or ``2+``."""
    lowest, dash, highest = text.removesuffix("+").partition("-")
    last = _HIGHEST_VERSION if text.endswith("+") else int(highest if dash else lowest)
    return range(int(lowest), last + 1)


def walk_decode(
    plan: Plan,
    buffer: bytes,
    offset: int,
    version: int,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Any, int]:
    """Reads a message at ``offset``; returns it and the offset after it. Raises ``DecodeError`` with path and offset."""
    counting = part("counting", needed=False)
    cls: type[Reader] = counting.Counter if counting else Reader
    reader = cls(buffer, offset, limits)
    return reader.decode(plan, version), reader.position


class Reader:
    """A position in a buffer, and the path of the field at that position.

    A subclass can observe what is read where: each method reads one thing at ``position`` and advances it.
    """

    def __init__(self, buffer: bytes, position: int, limits: Limits) -> None:
        self.buffer = buffer
        self.position = position
        self.start = position
        self.path: list[str | int] = []
        self.limits = limits

    def decode(self, plan: Plan, version: int) -> Any:
        """The message that starts here. Raises ``DecodeError`` with path and offset."""
        try:
            return self.message(plan.roots[version])
        except (CodecFailure, IndexError, error, UnicodeDecodeError) as failure:
            raise DecodeError(plan.name, version, path_text(self.path), reason(failure), self.start) from None

    def message(self, layout: Layout) -> Any:
        """The message of a layout."""
        begin = self.position
        self.struct(layout)
        self.start = begin
        # Straight-line code has refused it. The only reason that is left, in messages of numbers and strings, is memory.
        raise self.limits.exceeded("memory_factor")

    def struct(self, layout: Layout) -> Any:
        """The fields of a struct and its tag section."""
        message = layout.cls()
        for field, codec in layout.steps:
            setattr(message, field.attribute, self.inside(field.attribute, codec))
        if layout.flexible:
            self.tag_section(layout, message)
        return message

    def inside(self, place: str | int, codec: Codec) -> Any:
        """The value of a field, or of an element by its number."""
        self.path.append(place)
        self.start = self.position
        value = self.value(codec)
        self.path.pop()
        return value

    def tag_section(self, layout: Layout, message: Any) -> None:
        """Reads the tagged fields of a struct into ``message``."""
        self.start = self.position
        unknown: list[tuple[int, bytes]] = []
        count = self.tag_count()
        seen = SeenTags(self.buffer, self.position)
        for _ in range(count):
            tag, size = self.tag_head(layout)
            if not seen.add(tag):
                if tag in layout.tagged:
                    self.path.append(layout.tagged[tag][0].attribute)
                raise CodecFailure(f"tag {tag} comes twice")
            if tag in layout.tagged:
                part("arrays").walk_read_tagged(self, layout, message, tag, size)
            else:
                unknown.append((tag, self.unknown_tag(tag, size, first=not unknown)))
        message.unknown_tagged_fields = tuple(unknown)

    def tag_count(self) -> int:
        """How many tagged fields follow."""
        count = self.uvarint()
        left = len(self.buffer) - self.position
        if count > left:
            raise too_many("tagged fields", count, left)
        if count > self.limits.tagged_field_count:
            raise self.limits.exceeded("tagged_field_count", count)
        return count

    def tag_head(self, layout: Layout) -> tuple[int, int]:
        """The number of a tag, and the number of bytes of its value."""
        self.start = self.position
        tag, size = self.uvarint(), self.uvarint()
        if tag > HIGHEST_TAG:
            raise wrong_tag(tag)
        if tag in layout.foreign:
            raise CodecFailure(f"tag {tag} is not valid in this version")
        return tag, size

    def unknown_tag(self, tag: int, size: int, *, first: bool) -> bytes:  # noqa: ARG002 - what subclasses count
        """The bytes of a tagged field that is not in the layout; ``first`` if it is the first in its section."""
        return self.take(size)

    def value(self, codec: Codec) -> Any:
        """A value of a field or of an element."""
        if home := _HOMES.get(codec.kind, "arrays"):
            return part(home).walk_read(self, codec)
        if codec.format:
            return unpack(f">{codec.format}", self.take(calcsize(codec.format)))[0]
        length = self.length(codec)
        return None if length is None else self.take(length).decode()

    def length(self, codec: Codec) -> int | None:
        """A length or count that fits in the remaining bytes; ``None`` means null."""
        if codec.compact:
            length = self.uvarint() - 1
        else:
            length = int.from_bytes(self.take(2 if codec.kind == "string" else 4), "big", signed=True)
        if length < 0:
            if not codec.null:
                raise CodecFailure("null is not allowed here")
            return None
        if codec.kind == "string" and length > LONGEST_STRING:
            raise CodecFailure(f"a string has at most {LONGEST_STRING} bytes, not {length}")
        left = len(self.buffer) - self.position
        if length > left:
            what = "elements" if codec.kind == "array" else "bytes"
            raise too_many(what, length, left)
        return length

    def uvarint(self) -> int:
        """An unsigned varint."""
        value, self.position = read_uvarint(self.buffer, self.position)
        return value

    def take(self, size: int) -> bytes:
        """That many bytes."""
        left = len(self.buffer) - self.position
        if size > left:
            raise CodecFailure(f"the bytes end early: {size} needed, {left} left")
        self.position += size
        return self.buffer[self.position - size : self.position]


def too_many(what: str, count: int, left: int) -> CodecFailure:
    """The error for more of something than bytes are left, which no limit allows: mostly, the bytes are of another version."""
    return CodecFailure(f"invalid number of {what}, {count}; bytes left: {left}; is this the right version?")


def walk_encode(plan: Plan, message: object, version: int) -> bytes:
    """The bytes of a message. Raises ``EncodeError`` with path."""
    writer, root, out = Writer(), plan.roots[version], bytearray()
    try:
        writer.struct(root, message, out)
    except (error, ValueError, TypeError, AttributeError, OverflowError, BufferError) as failure:
        shown = reason(failure)
        if any(layout.cls.SENSITIVE for layout in plan.layouts):
            attributes = [name for name in writer.path if isinstance(name, str)]
            shown = part("secrets").shown_reason(failure, shown, root, attributes)
        raise EncodeError(plan.name, version, path_text(writer.path), shown) from None
    return bytes(out)


class Writer:
    """The path of the current field; each method appends one thing to the bytes."""

    def __init__(self) -> None:
        self.path: list[str | int] = []

    def struct(self, layout: Layout, message: Any, out: bytearray) -> None:
        """Appends the fields of a struct and its tag section."""
        check_instance(message, layout.cls)
        for field in layout.guarded:
            check_guarded(field, self.enter(message, field.attribute))
            self.path.pop()
        for field, codec in layout.steps:
            self.value(codec, self.enter(message, field.attribute), out)
            self.path.pop()
        unknown = self.enter(message, "unknown_tagged_fields")
        if not layout.flexible:
            no_tags(unknown)
            self.path.pop()
            return
        tags = raw_tags(unknown, (*layout.tagged, *layout.foreign))
        self.path.pop()
        if layout.tagged:
            tags += part("arrays").walk_write_tagged(self, layout, message)
        self.path.append("unknown_tagged_fields")
        write_tags(out, tags)
        self.path.pop()

    def enter(self, message: Any, attribute: str) -> Any:
        """The value of an attribute, which is now the end of the path."""
        self.path.append(attribute)
        try:
            return getattr(message, attribute)
        except AttributeError:
            raise CodecFailure("the field was never set") from None

    def value(self, codec: Codec, value: Any, out: bytearray) -> None:
        """Appends a value of a field or of an element."""
        if home := _HOMES.get(codec.kind, "arrays"):
            part(home).walk_write(self, codec, value, out)
        elif codec.format:
            out += _number(codec, value)
        elif value is None:
            self.length(codec, None, out)
        elif not is_a(value, str):
            raise WrongValue("expected a str, got {}", value)
        else:
            data = utf8(value)
            if len(data) > LONGEST_STRING:
                raise CodecFailure(f"a string has at most {LONGEST_STRING} bytes of UTF-8, not {len(data)}")
            self.length(codec, len(data), out)
            out += data

    def length(self, codec: Codec, length: int | None, out: bytearray) -> None:
        """Appends a length or count; ``None`` means null."""
        if length is None and not codec.null:
            raise CodecFailure("null is not allowed here")
        if codec.compact:
            write_uvarint(out, 0 if length is None else length + 1)
        else:
            out += (-1 if length is None else length).to_bytes(2 if codec.kind == "string" else 4, "big", signed=True)


def integer(value: Any) -> int:
    """A value as an int. Raises ``CodecFailure``."""
    try:
        return index(value)
    except TypeError:
        raise WrongValue("expected an int, got {}", value) from None


def _number(codec: Codec, value: Any) -> bytes:
    if codec.kind == "bool" and value is not True and value is not False:
        raise WrongValue("expected True or False, got {}", value)
    is_int = codec.format.lower() in "bhiq"
    try:
        return pack(f">{codec.format}", integer(value) if is_int else value)
    except error:
        raise WrongValue(
            f"{{}} does not fit in {codec.kind}" if is_int else "expected a float, got {}", value
        ) from None


_LONGEST_REASON = 1000
"""The exception text of a value may have any length."""


def path_text(parts: list[str | int]) -> str:
    """A path of attributes and indexes, such as ``topics[3].name``."""
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in parts).removeprefix(".")


def reason(failure: Exception) -> str:
    """The reason to report for an exception."""
    if isinstance(failure, UnicodeDecodeError):
        return f"the string is not UTF-8 at its byte {failure.start}"
    if isinstance(failure, UnicodeEncodeError):
        return f"the string can't be written as UTF-8: character {failure.start} is a lone surrogate"
    if isinstance(failure, IndexError):
        return "the bytes end early"
    return str(failure)[:_LONGEST_REASON]
