"""A module as operations: its imports, constants, classes, functions and codec."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from messagegen.lower.classes import Class, Constant, Partner
from messagegen.lower.imports import Import, runtime_imports, standard_imports
from messagegen.lower.ops import ConstantKind, Function, Op


@dataclass(frozen=True, slots=True)
class Module:
    """The module of a message.

    ``readers`` and ``writers`` are the functions of each version; ``own`` is the maximum cost of the message itself, and ``small`` the
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


_METHODS: Final[dict[ConstantKind, str]] = {"unpack": "unpack_from", "pack": "pack", "rows": "iter_unpack"}
_KINDS: Final[tuple[ConstantKind, ...]] = ("unpack", "pack", "rows", "unpackers", "packers")


def constants(ops: Iterable[Op]) -> tuple[Constant, ...]:
    """The constants that operations need: methods of ``struct`` formats, and tables of them for arrays of numbers."""
    needed = {pair for op in ops for pair in op.formats()}
    ordered = sorted(needed, key=lambda pair: (_KINDS.index(pair[0]), pair[1].name))
    return tuple(Constant(f"_{kind}_{format_.name}", _made(kind, format_.letters)) for kind, format_ in ordered)


def _made(kind: ConstantKind, letters: str) -> str:
    return f'_Struct(">{letters}").{_METHODS[kind]}' if kind in _METHODS else f'_{kind}("{letters}")'


def imports(ops: Iterable[Op], classes: Iterable[Class]) -> tuple[tuple[Import, ...], tuple[Import, ...]]:
    """The imports of a module from the standard library and the runtime."""
    used = {"_Codec"}
    for op in ops:
        used.update(op.names())
        used.update("_Struct" if kind in _METHODS else f"_{kind}" for kind, _ in op.formats())
    for class_ in classes:
        used.update(class_.names())
    return standard_imports(used), runtime_imports(used)
