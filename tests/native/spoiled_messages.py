"""Makes random messages, and puts values into them that their versions refuse."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from tests.native.column_input import definitions
from tests.native.column_rows import all_subjects, codecs
from tests.native.random_messages import Maker, Subject

SEEDS = st.integers(0, (1 << 64) - 1)
_SIGNED = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}


def versions_of(subject: Subject) -> list[Subject]:
    """Return all versions of a message."""
    return [other for other in all_subjects() if other.cls is subject.cls]


def made(random: Random, subject: Subject) -> Any:
    """Return a random message."""
    return Maker(random, plain=True).message(subject.table.roots[subject.version])


def spoil(random: Random, subject: Subject, message: Any) -> None:
    """Spoil one struct of a message: set a value that this version, or every version, refuses or ignores."""
    layout, struct = random.choice(list(_structs(subject.table.roots[subject.version], message)))
    match random.randrange(4):
        case 0:
            absent = [name for name in layout.fields if name not in codecs(layout)]
            if absent:
                name = random.choice(absent)
                setattr(struct, name, _other_value(random, subject, layout.fields[name]))
        case 1:
            struct.unknown_tagged_fields = random.choice(
                (
                    ((1 << 31, b""),),
                    ((-1, b""),),
                    ((500, b"a"), (500, b"b")),
                    ((random.randrange(3), b"c"),),
                    ((9000, b""),),
                )
            )
        case _ if present := [(name, codec) for name, codec in codecs(layout).items() if codec.kind != "bool"]:
            name, codec = random.choice(present)
            setattr(struct, name, _bad_value(random, codec))


def _structs(layout: Any, message: Any) -> Any:
    """Yield all structs of a message with their layouts."""
    yield layout, message
    for name, codec in codecs(layout).items():
        held = getattr(message, name)
        if codec.kind == "struct" and held is not None:
            yield from _structs(codec.layout, held)
        if codec.kind == "array" and codec.element.kind == "struct":
            for item in held or ():
                yield from _structs(codec.element.layout, item)


def _other_value(random: Random, subject: Subject, field: Any) -> Any:
    """Return a value that is not null, and usually not the default, for a field that the version lacks."""
    element = field.type.removeprefix("[]")
    known = definitions(subject)
    value: Any = {"string": "other", "bool": not field.default, "float64": 2.5, "uuid": UUID(int=9)}.get(element, 7)
    if element in ("bytes", "records"):
        value = b"other"
    if element in known:
        value = known[element][0]()
    if field.type.startswith("[]"):
        return (value,) * random.randrange(2)
    return value if random.random() < 0.8 or field.default is None else field.default


def _bad_value(random: Random, codec: Any) -> Any:
    """Return null, or a value that is too large for a codec."""
    bits = codec.bits or _SIGNED.get(codec.kind)
    if bits and bits < 64 and random.random() < 0.7:
        return random.choice((1 << (bits - 1), 1 << bits, -(1 << (bits - 1)) - 1))
    if codec.kind in ("uint16", "uint32") and random.random() < 0.7:
        return random.choice((-1, 1 << int(codec.kind[4:])))
    return "x" * 32768 if codec.kind == "string" and random.random() < 0.7 else None
