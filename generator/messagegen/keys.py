"""Keys of configuration tables: their names, their types in TOML, and examples for advice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin


def as_it_is(_: Path, value: Any) -> Any:
    """Return the value of a key that needs no conversion."""
    return value


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a table.

    - ``kind`` is the type of its values in TOML, such as ``list[str]``. Strings and lists must not be empty.
    - ``example`` is a value that errors contain, with ``remark`` as a comment.
    - ``field`` is the attribute of ``Settings`` with the value, by default ``name``.
    - ``read`` converts a value, given the folder of the configuration.
    - ``of_specs`` is true for keys about the specs of the table. They are ignored if flags name different specs.
    """

    name: str
    kind: Any
    example: object
    remark: str = ""
    field: str = ""
    read: Callable[[Path, Any], Any] = as_it_is
    of_specs: bool = False

    @property
    def attribute(self) -> str:
        """The attribute of ``Settings`` with the value."""
        return self.field or self.name

    @property
    def line(self) -> str:
        """The example as a line of TOML."""
        comment = f" # {self.remark}" if self.remark else ""
        return f"{self.name} = {_toml(self.example)}{comment}"

    def accepts(self, value: object) -> bool:
        """Whether a value and its items have the type of the key, and no string is empty or has control characters."""
        return _is_of_kind(value, self.kind)


def _is_of_kind(value: Any, kind: Any) -> bool:
    if kind is Any:
        return True
    plain = get_origin(kind) or kind
    # Compare types, because a boolean is an integer in Python, but not in TOML.
    if type(value) is not plain:
        return False
    if plain is str:
        return bool(value) and bool(value.isprintable())
    if plain is list:
        return bool(value) and all(_is_of_kind(item, get_args(kind)[0]) for item in value)
    return plain is not dict or all(_is_of_kind(item, get_args(kind)[1]) for item in value.values())


def _toml(value: Any) -> str:
    """Return a value as TOML, on one line."""
    kind: object = value.__class__
    if kind is dict:
        # Keys that are not identifiers, such as folder names, need quotes.
        pairs = [f"{key if key.isidentifier() else _toml(key)} = {_toml(item)}" for key, item in value.items()]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    return f"[{', '.join(map(_toml, value))}]" if kind is list else f'"{value}"'
