"""A module as operations: its imports, constants, classes, functions and codec."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from messagegen.lower.classes import Class, Constant, Partner
from messagegen.lower.imports import Import, runtime_imports, standard_imports
from messagegen.lower.ops import INT16, INT32, Format, Function, Op, reading, writing


@dataclass(frozen=True, slots=True)
class Module:
    """The module of one message.

    ``readers`` and ``writers`` are the functions of each version; ``own`` is what the message itself may cost, and ``small`` the
    number of bytes up to which no message can reach the default limits.
    """

    name: str
    class_name: str
    about: str
    partner: Partner | None
    standard_imports: tuple[Import, ...]
    runtime_imports: tuple[Import, ...]
    public: tuple[str, ...]
    constants: tuple[Constant, ...]
    classes: tuple[Class, ...]
    functions: tuple[Function, ...]
    readers: tuple[tuple[int, str], ...]
    writers: tuple[tuple[int, str], ...]
    plan: str
    own: int
    small: int


def constants(ops: Iterable[Op]) -> tuple[Constant, ...]:
    """The constants that operations need: ``struct`` formats, and tables of them for arrays of numbers."""
    formats = {INT16, INT32}
    rows: set[Format] = set()
    numbers: set[Format] = set()
    for op in ops:
        formats.update(op.formats())
        if isinstance(op, reading.ReadRows):
            rows.add(op.row)
        elif isinstance(op, reading.ReadNumbers | writing.PutNumbers):
            numbers.add(op.number)
    return tuple(_constants(formats, rows, numbers))


def _constants(formats: set[Format], rows: set[Format], numbers: set[Format]) -> Iterator[Constant]:
    for format_ in _by_name(formats):
        made = f'_Struct(">{format_.letters}")'
        yield Constant(f"_unpack_{format_.name}", f"{made}.unpack_from")
        yield Constant(f"_pack_{format_.name}", f"{made}.pack")
    for format_ in _by_name(rows):
        yield Constant(f"_rows_{format_.name}", f'_Struct(">{format_.letters}").iter_unpack')
    for table in ("unpackers", "packers"):
        for format_ in _by_name(numbers):
            yield Constant(f"_{table}_{format_.name}", f'_{table}("{format_.letters}")')


def _by_name(formats: set[Format]) -> list[Format]:
    return sorted(formats, key=lambda format_: format_.name)


def imports(ops: Iterable[Op], classes: Iterable[Class]) -> tuple[tuple[Import, ...], tuple[Import, ...]]:
    """What a module imports of the standard library and of the runtime."""
    used = {"_Codec", "_Struct"}
    for op in ops:
        used.update(op.names())
    for class_ in classes:
        used.update(class_.names())
    return standard_imports(used), runtime_imports(used)
