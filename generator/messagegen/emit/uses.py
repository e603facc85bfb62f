"""The names, ``struct`` formats and charges that the lines of a module use.

Code that makes a line takes each name, format and charge from ``Uses``, which records the use. So a module has exactly
the imports and constants that it uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from messagegen.emit.code import Code
from messagegen.emit.literals import text_literal, text_pieces

_UNPACK: Final = "unpack_from"
_PACK: Final = "pack"
_ROWS: Final = "iter_unpack"
_FORMAT_KINDS: Final = ("unpack", "pack", "rows", "unpackers", "packers")
"""The first part of the names of constants, in the order of their assignments."""
_CHARGE: Final = "CHARGE"
_INTEGER: Final = "INT"
_LITERAL: Final = "LITERAL"

LONG: Final = 44
"""The maximum length of a name from a spec in lines of functions. No name of Kafka is longer."""


class _Name:
    """A name that a line takes from a module of the runtime; the generated module imports it as ``_NAME``."""

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name

    def __get__(self, uses: Uses, _: type[Uses]) -> str:
        uses.names.setdefault(self.module, set()).add(self.name)
        return f"_{self.name}"


class _Module:
    """A module of the runtime, for names that are not used for each value.

    The generated module imports it as ``_NAME``.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, uses: Uses, _: type[Uses]) -> str:
        uses.modules.add(self.name)
        return f"_{self.name}"


class _Statement:
    """A name from the standard library, with the statement that imports it."""

    def __init__(self, name: str, statement: str) -> None:
        self.name = name
        self.statement = statement

    def __get__(self, uses: Uses, _: type[Uses]) -> str:
        uses.statements.add(self.statement)
        return self.name


class Uses:
    """The names, formats and charges that the lines of a module use.

    Reading an attribute returns its name in generated code, and records its use.
    """

    # Modules of the runtime.
    arrays = _Module("arrays")
    uuids = _Module("uuids")
    varints = _Module("varints")
    wire = _Module("wire")

    # Names of the runtime that are used for each value: looking up an attribute of a module would take too long.
    COPIED_ROWS = _Name("arrays", "COPIED_ROWS")
    COUNTS = _Name("arrays", "COUNTS")
    default_of = _Name("arrays", "default_of")
    Codec = _Name("base", "Codec")
    Message = _Name("base", "Message")
    Struct = _Name("base", "Struct")
    dataclass = _Name("base", "dataclass")
    Budget = _Name("errors", "Budget")
    SHORT_ARRAY = _Name("errors", "SHORT_ARRAY")
    KeyedMessage = _Name("messages", "KeyedMessage")
    Request = _Name("messages", "Request")
    Response = _Name("messages", "Response")
    class_property = _Name("messages", "class_property")
    ZERO_UUID = _Name("uuids", "ZERO_UUID")
    uuid_bytes = _Name("uuids", "uuid_bytes")
    uuid_of = _Name("uuids", "uuid_of")
    Any = _Name("wire", "Any")
    EMPTY = _Name("wire", "EMPTY")
    NAN = _Name("wire", "NAN")
    NEGATIVE = _Name("wire", "NEGATIVE")
    NOTHING = _Name("wire", "NOTHING")
    NULL_STRUCT = _Name("wire", "NULL_STRUCT")
    Read = _Name("wire", "Read")
    TUPLE = _Name("wire", "TUPLE")
    new = _Name("wire", "new")
    utf8 = _Name("wire", "utf8")

    # Names of the standard library.
    builtins = _Statement("_builtins", "import builtins as _builtins")
    UUID = _Statement("_UUID", "from uuid import UUID as _UUID")

    # Functions that make the constants of a module.
    _format = _Statement("_Format", "from struct import Struct as _Format")
    _unpackers = _Name("arrays", "unpackers")
    _packers = _Name("arrays", "packers")

    def __init__(self, runtime: str = "._runtime", classes: Sequence[str] = ()) -> None:
        self.runtime = runtime
        self._short = {name: f"_Class{index}" for index, name in enumerate(classes) if len(name) > LONG}
        self.modules: set[str] = set()
        self.names: dict[str, set[str]] = {}
        self.statements: set[str] = set()
        self._constants: dict[str, dict[str, str]] = {}
        self._tags: dict[str, Sequence[int]] = {}
        self._literals: dict[str, Sequence[str]] = {}

    def class_(self, name: str) -> str:
        """Return the name of a class for lines that use it: a constant if the class has a long name."""
        return self._short.get(name, name)

    def unpack(self, letters: str) -> str:
        """Return the function that reads a ``struct`` format from bytes and a position."""
        return self._format_method("unpack", letters, _UNPACK)

    def pack(self, letters: str) -> str:
        """Return the function that packs values into the bytes of a ``struct`` format."""
        return self._format_method("pack", letters, _PACK)

    def rows(self, letters: str) -> str:
        """Return the function that iterates over bytes in a ``struct`` format."""
        return self._format_method("rows", letters, _ROWS)

    def unpackers(self, letter: str) -> str:
        """Return the functions that read short arrays of numbers, by the count + 1."""
        return self._constant("unpackers", _format_name(letter), f'{self._unpackers}("{letter}")')

    def packers(self, letter: str) -> str:
        """Return the functions that pack short arrays of numbers into bytes, by the count."""
        return self._constant("packers", _format_name(letter), f'{self._packers}("{letter}")')

    def integer(self, value: int) -> str:
        """Return the constant of an integer, because comparing by identity needs a name instead of a literal."""
        return self._constant(_INTEGER, f"minus_{-value}" if value < 0 else str(value), str(value))

    def charge(self, name: str, amount: int) -> str:
        """Return the constant of the charge of an array element or a tagged field."""
        return self._constant(_CHARGE, name, str(amount))

    def literal(self, source: str, pieces: Sequence[str] = ()) -> str:
        """Return the constant for a literal that is too long for the lines that use it.

        ``pieces`` are the lines of a string that is too long for one line.
        """
        self._literals.setdefault(source, pieces)
        return f"_{_LITERAL}_{list(self._literals).index(source)}"

    def text(self, text: str) -> str:
        """Return the constant of a string."""
        return self.literal(text_literal(text), text_pieces(text))

    def tags(self, name: str, tags: Sequence[int]) -> str:
        """Return the constant of a tuple of tags, or the tuple itself if it is empty."""
        if not tags:
            return "()"
        self._tags[f"_{name}"] = tags
        return f"_{name}"

    def _format_method(self, kind: str, letters: str, method: str) -> str:
        if len(letters) <= LONG:
            return self._constant(kind, _format_name(letters), f'{self._format}(">{letters}").{method}')
        format_ = self.text(f">{letters}")
        return self._constant(kind, format_.rpartition("_")[2], f"{self._format}({format_}).{method}")

    def _constant(self, kind: str, of: str, value: str) -> str:
        name = f"_{kind}_{of}"
        known = self._constants.setdefault(kind, {}).setdefault(name, value)
        if known != value:
            raise ValueError(f"the constant {name} is {known}, and can't be {value}, too")
        return name

    def constant_groups(self) -> list[list[str]]:
        """Return the assignments of constants in groups: literals, formats, charges, integers and tags.

        Empty groups are omitted.
        """
        formats = [line for kind in _FORMAT_KINDS for line in self._constant_lines(kind)]
        charges = self._constant_lines(_CHARGE)
        integers = self._constant_lines(_INTEGER)
        return [group for group in (self._literal_lines(), formats, charges, integers, self._tag_lines()) if group]

    def _constant_lines(self, kind: str) -> list[str]:
        return [f"{name} = {value}" for name, value in sorted(self._constants.get(kind, {}).items())]

    def _tag_lines(self) -> list[str]:
        code = Code()
        for name, tags in sorted(self._tags.items()):
            code.tuple(f"{name} = ", [str(tag) for tag in tags], "")
        return code.lines

    def _literal_lines(self) -> list[str]:
        code = Code()
        for number, (source, pieces) in enumerate(self._literals.items()):
            code.literal(f"_{_LITERAL}_{number}", source, pieces)
        return code.lines

    def import_lines(self) -> list[str]:
        """Return the imports: first of the standard library, then of the runtime."""
        code = Code()
        for statement in sorted(self.statements, key=lambda statement: (statement.startswith("from"), statement)):
            code.line(statement)
        if self.statements:
            code.blank()
        if self.modules:
            code.imported(self.runtime, [f"{module} as _{module}" for module in sorted(self.modules)])
        for module, names in sorted(self.names.items()):
            code.imported(f"{self.runtime}.{module}", [f"{name} as _{name}" for name in sorted(names)])
        return code.lines


def _format_name(letters: str) -> str:
    """Return a ``struct`` format as a part of a name, with ``t`` for bools and ``u`` for uuids."""
    return letters.replace("?", "t").replace("16s", "u")
