"""Makes random messages of all shapes, valid and invalid, from the plans in their classes.

The source is ``random.Random``, so that Hypothesis (``st.randoms``) and the fuzzers share this code.
"""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final
from uuid import UUID

from tests.support.specs import package
from tests.support.stand_ins import Index, StandIns, Text

_REPOSITORY: Final = Path(__file__).parents[2]
FOLDERS: Final = (_REPOSITORY / "message_specs", _REPOSITORY / "tests" / "fixtures" / "specs")
"""The specs of this repository, and specs that together use every feature of the spec language."""

_BITS: Final = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
_FLOATS: Final = (0.0, -0.0, 1.5, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308)
_TEXTS: Final = ("", "a", "topic-1", "grüße", "日本", "\N{PILE OF POO}", "x" * 130, "\0")


@dataclass(frozen=True)
class Subject:
    """A message in a version: its class, its plan, the engine under test, and the walk to compare with."""

    cls: Any
    version: int
    table: Any
    engine: Any
    walk: ModuleType

    def __str__(self) -> str:
        return f"{self.cls.__name__}-{self.version}"

    def runtime(self, module: str) -> ModuleType:
        """Return a module of the package's runtime."""
        return import_module(f"{self.walk.__name__.rpartition('.')[0]}.{module}")


def subjects(engine_class: Callable[..., Any], folder: Path) -> Iterator[Subject]:
    """Return every message of a spec folder in each version; all calls for a folder share its classes."""
    classes = package(folder)
    walk = import_module(f"{classes.__name__}._runtime.walk")
    lazy_class = import_module(f"{classes.__name__}._runtime.native").lazy_class
    limits = import_module(f"{classes.__name__}._runtime.errors").DEFAULT_LIMITS
    for name in classes.__all__:
        cls = getattr(classes, name)
        if hasattr(cls, "CODEC"):
            engine = engine_class(cls.CODEC.plan, cls.CODEC.classes, lazy_class, limits)
            for version in cls.VALID_VERSIONS:
                yield Subject(cls, version, cls.CODEC.parsed_plan(), engine, walk)


def memory_of(subject: Subject, data: bytes) -> int:
    """Return the memory limit that a message needs: a fixed amount for each byte, plus the budget that is used up."""
    limits = subject.runtime("errors")
    reader = subject.walk.Reader(data, 0, limits.Limits(memory_constant=1 << 40))
    reader.decode(subject.table, subject.version)
    paid: int = limits.PAID_PER_BYTE * len(data)
    taken: int = reader.budget.start - reader.budget.left
    return paid + taken


def _odd_numbers() -> list[Any]:
    return [
        None,
        True,
        -1,
        1 << 15,
        -(1 << 31) - 1,
        1 << 63,
        1 << 70,
        2.5,
        math.nan,
        Index(12),
        Index(1 << 40),
        Number(7),
    ]


def _odd_texts_and_bytes() -> list[Any]:
    return [
        "",
        "\ud800",
        "x" * 32768,
        Text("sub"),
        Text("\udfff"),
        b"",
        b"ab",
        bytearray(b"xyz"),
        memoryview(b"abcdef")[::2],
        memoryview(b"abcdefgh").cast("i"),
        UUID(int=7),
        object(),
    ]


def _odd_collections() -> list[Any]:
    return [(), [], (1,), [2, 3], {}, {5: 6}, range(3), iter(())]


def _odd_tagged_fields() -> list[Any]:
    return [
        ((1, b""),),
        ((-1, b"a"),),
        [[7, b"q"]],
        ((1 << 31, b""),),
        ((3, b"c"), (2, b"b")),
        ((9, b""), (9, b"")),
        (("1", b""),),
    ]


class Maker:
    """Makes random messages.

    ``wrong`` is the probability that a value is invalid for its field. Unless ``plain`` is set, some values are
    substitutes for plain values (``tests.support.stand_ins``), including values of fields that the version lacks.
    """

    def __init__(self, random: Random, wrong: float = 0.0, *, plain: bool = False) -> None:
        self.random = random
        self.wrong = wrong
        self.stand_ins = StandIns(random, share=0.0 if plain else 0.2)

    def message(self, layout: Any, depth: int = 0) -> Any:
        """Return an object of the layout's class."""
        message = layout.cls()
        # In some structs, nearly all fields have their defaults.
        share = self.random.choice((0.05, 0.5, 0.9))
        for field, codec in layout.steps:
            keeps = _keeps_default(field, codec) and not self.chance(share)
            value = self.stand_ins.value(field.default) if keeps else self.value(codec, depth)
            setattr(message, field.attribute, value)
        for field, codec in layout.tagged.values():
            value = self.value(codec, depth) if self.chance(share) else self.stand_ins.value(field.default)
            setattr(message, field.attribute, value)
        for field in (*layout.guarded, *layout.skipped):
            setattr(message, field.attribute, self.stand_ins.value(field.default))
        if self.chance(self.wrong):
            self.spoil(message)
        if layout.flexible and self.chance(0.3):
            message.unknown_tagged_fields = self.unknown_fields(layout)
        return message

    def chance(self, probability: float) -> bool:
        """Return ``True`` with this probability."""
        return probability > 0 and self.random.random() < probability

    def spoil(self, message: Any) -> None:
        """Put an odd value into any field, even a field that the version lacks."""
        name = self.random.choice(list(message.__defaults__))
        if self.chance(0.1):
            delattr(message, name)
        else:
            setattr(message, name, self.odd())

    def odd(self) -> Any:
        """Return a value that most fields can't hold."""
        return self.random.choice(
            [*_odd_numbers(), *_odd_texts_and_bytes(), *_odd_collections(), *_odd_tagged_fields()]
        )

    def unknown_fields(self, layout: Any) -> tuple[tuple[int, bytes], ...]:
        """Return unknown tagged fields, not always in order."""
        known = {*layout.tagged, *layout.foreign}
        tags = {
            self.random.randrange(1 << self.random.randrange(1, 32)) for _ in range(self.random.randrange(4))
        } - known
        return tuple((tag, self.random.randbytes(self.random.randrange(5))) for tag in tags)

    def length(self, codec: Any, depth: int) -> int:
        """Return the length of an array. To keep messages small, it has few structs, and none at great depth."""
        if depth >= 4:
            return 0
        longest = 4 if codec.element.kind == "struct" else 150
        return self.random.choice((0, 1, 2, 3, longest))

    def value(self, codec: Any, depth: int) -> Any:
        """Return a value for a codec."""
        if codec.null and self.chance(0.2):
            return None
        if self.chance(self.wrong):
            return self.odd()
        match codec.kind:
            case "array":
                items = [self.value(codec.element, depth + 1) for _ in range(self.length(codec, depth))]
                return self.stand_ins.array(tuple(items))
            case "struct":
                return self.message(codec.layout, depth + 1)
            case "string":
                return self.stand_ins.value(self.random.choice(_TEXTS))
            case "bytes" | "records":
                return self.stand_ins.value(self.random.randbytes(self.random.choice((0, 1, 5, 200))))
        return self.stand_ins.value(self.fixed(codec))

    def fixed(self, codec: Any) -> Any:
        """Return a number, bool or uuid."""
        match codec.kind:
            case "bool":
                return self.random.random() < 0.5
            case "float64":
                return self.random.choice(_FLOATS)
            case "uuid":
                return UUID(int=self.random.choice((0, 1, (1 << 128) - 1, self.random.getrandbits(128))))
            case "uint16" | "uint32":
                return self.random.choice((0, 1, (1 << int(codec.kind[4:])) - 1, self.random.getrandbits(16)))
        bits = codec.bits or _BITS[codec.kind]
        edge = 1 << (bits - 1)
        return self.random.choice((0, 1, -1, 127, edge - 1, -edge, self.random.randrange(-edge, edge)))


def _keeps_default(field: Any, codec: Any) -> bool:
    """Whether the default of a field can be encoded, whatever struct contains the field."""
    return codec.null or (field.default is not None and codec.layout is None)


class Number(int):
    """An integer of a subclass."""


def damaged(random: Random, data: bytes) -> bytes:
    """Return the bytes of a message after random damage."""
    out = bytearray(data)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(out) + 1)
        match random.randrange(5):
            case 0 if at < len(out):
                out[at] ^= 1 << random.randrange(8)
            case 1 if at < len(out):
                out[at] = random.choice((0, 1, 2, 0x7F, 0x80, 0xFF))
            case 2:
                del out[at:]
            case 3:
                out[at:at] = random.randbytes(random.randrange(1, 6))
            case 4:
                del out[at : at + random.randrange(1, 4)]
    return bytes(out)


def same(left: Any, right: Any) -> bool:
    """Whether two decoded values have the same class and bits. With ``==``, True equals 1, and NaN equals nothing."""
    if left is right:
        return True
    if left.__class__ is not right.__class__:
        return False
    if isinstance(left, float):
        return struct.pack("d", left) == struct.pack("d", right)
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if hasattr(left, "__defaults__"):
        return all(same(getattr(left, name), getattr(right, name)) for name in left.__defaults__)
    return bool(left == right)


def touch(random: Random, value: Any, share: float = 0.5) -> None:
    """Read attributes of a message and of its structs, each with probability ``share``."""
    if isinstance(value, tuple):
        for item in value:
            touch(random, item, share)
    elif hasattr(value, "__defaults__"):
        for name in value.__defaults__:
            if random.random() < share:
                touch(random, getattr(value, name), share)


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


HAS_STATM: Final = sys.platform == "linux"
"""Whether ``resident`` works."""
